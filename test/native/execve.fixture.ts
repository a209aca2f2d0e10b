/**
 * Becomes the program its argument asks for. If that fails it prints the error's name, whether every descriptor it had
 * is close-on-exec and its signals are as they were, and what a write without a reader now says; then it exits with 9.
 */
import { openSync, readFileSync } from "node:fs";
import { isMainThread, Worker } from "node:worker_threads";
import { close, execve, isSyscallError, send, socketPair, type Fd } from "../../native/index.ts";
import { descriptorFlags, openDescriptors } from "./child.ts";

interface Request {
  readonly path: string;
  readonly argv?: string[];
  readonly environment?: string[];
  readonly keep?: Fd[];
  readonly worker?: boolean;
}

const request = JSON.parse(process.argv[2] ?? "") as Request;

/** What the process makes of signals; of the mask only this thread's. */
function signals(): string {
  const status = readFileSync("/proc/thread-self/status", "utf8");
  return ["SigBlk", "SigIgn", "SigCgt"].map((name) => new RegExp(`^${name}.*$`, "mu").exec(status)?.[0]).join();
}

function allMarked(): boolean {
  // The directory that this very look opened is closed again by now.
  const open = openDescriptors().filter((fd) => fd > 2);
  return open.every((fd) => {
    try {
      return (descriptorFlags(fd) & 0o2000000) !== 0;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return true;
      throw error;
    }
  });
}

function become(): void {
  process.on("SIGUSR2", () => undefined);
  for (let fd = 0; fd < 111;) fd = openSync("/dev/null", "r");
  if (request.argv?.[2] === "echo $$ >&2") process.stdout.write(`${String(process.pid)}\n`);
  const argv = request.argv?.[0] === "an argument over 128 KiB" ? ["x".repeat(1 << 18)] : (request.argv ?? ["program"]);
  const before = signals();
  try {
    execve(request.path, argv, request.environment ?? [], request.keep ?? []);
  } catch (error) {
    if (!isSyscallError(error)) throw error;
    let alive = "";
    const [here, there] = socketPair("stream");
    close(there);
    try {
      send(here, Buffer.from("x"));
    } catch (refusal) {
      if (isSyscallError(refusal)) alive = refusal.code;
    }
    console.log(JSON.stringify({ code: error.code, marked: allMarked(), signals: signals() === before, alive }));
    process.exitCode = 9;
    process.removeAllListeners("SIGUSR2");
  }
}

if (request.worker === true && isMainThread) new Worker(import.meta.filename, { argv: process.argv.slice(2) });
else become();
