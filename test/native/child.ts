/** Starts processes for the tests of this folder; a Node among them loads the same build of the addon as its parent. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { monotonicMillis } from "../../native/index.ts";

const conditions = process.execArgv.filter((argument) => argument.startsWith("--conditions="));

/** What a child needs of our environment: where programs are, and how the sanitizers are loaded. */
export const environment: Readonly<Record<string, string>> = Object.fromEntries(
  ["PATH", "LD_PRELOAD", "ASAN_OPTIONS", "UBSAN_OPTIONS", "CORTEXFS_SOAK"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

/** True under `--conditions=sanitize`, where a fork costs ten times as much. */
export const sanitized = conditions.includes("--conditions=sanitize");

/** For a worker thread: without what tap would load into it. */
export const workerOptions = { env: environment, execArgv: conditions };

/**
 * The command line of a fixture of this folder; `options` are for node itself. env(1) gives it exactly `environment`:
 * tap would add to that of any child, and load itself there.
 */
export function fixture(name: string, args: readonly string[] = [], options: readonly string[] = []): string[] {
  const variables = Object.entries(environment).map(([variable, value]) => `${variable}=${value}`);
  const file = path.join(import.meta.dirname, name);
  return ["env", "-i", ...variables, process.execPath, ...conditions, ...options, file, ...args];
}

/** Else a fixture that hangs would outlive a test that was given up. */
const diesWithUs = ["setpriv", "--pdeathsig=KILL"];

/** The command line of a program that runs as another user. `groups` are its supplementary ones. */
export function asUser(uid: number, command: readonly string[], gid = uid, groups: readonly number[] = []): string[] {
  const supplementary = groups.length === 0 ? "--clear-groups" : `--groups=${groups.join(",")}`;
  // The kernel forgets the signal of `run` when the user changes.
  return [...diesWithUs, `--reuid=${String(uid)}`, `--regid=${String(gid)}`, supplementary, "--", ...command];
}

export interface Ended {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line of a program that bash becomes after some set-up of its own, such as `exec 200</dev/null`. */
export function after(setup: string, command: readonly string[]): string[] {
  return ["bash", "--norc", "-c", `${setup}; exec "$@"`, "bash", ...command];
}

/** Runs a program to its end. */
export async function run(command: readonly string[]): Promise<Ended> {
  const [program = "", ...args] = [...diesWithUs, "--", ...command];
  const child = spawn(program, args, { env: environment, stdio: ["ignore", "pipe", "pipe"] });
  const end = new Promise<[number | null, string | null]>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (...how) => {
      resolve(how);
    });
  });
  const [stdout, stderr, [status, signal]] = await Promise.all([text(child.stdout), text(child.stderr), end]);
  return { status, signal, stdout, stderr };
}

/** A folder that anyone may enter, removed at the end of the test. */
export function temporaryFolder(t: { teardown(done: () => void): void }, parent = tmpdir()): string {
  const folder = mkdtempSync(path.join(parent, "cortexfs-native-"));
  t.teardown(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

/** The numbers of the open descriptors of a process. Of this one it counts the look itself, every time. */
export function openDescriptors(pid: number | "self" = "self"): number[] {
  return readdirSync(`/proc/${String(pid)}/fd`)
    .map(Number)
    .sort((a, b) => a - b);
}

/** The open(2) flags of a descriptor of this process, O_CLOEXEC included. */
export function descriptorFlags(fd: number): number {
  const line = /^flags:\s*([0-7]+)$/mu.exec(readFileSync(`/proc/self/fdinfo/${String(fd)}`, "utf8"));
  return parseInt(line?.[1] ?? "", 8);
}

/** The value of a line `name:\tvalue` of /proc/PID/status; undefined when the process is gone. */
export function processStatus(pid: number, name: string): string | undefined {
  try {
    const status = readFileSync(`/proc/${String(pid)}/status`, "utf8");
    return new RegExp(`^${name}:[ \\t]*(.*)$`, "mu").exec(status)?.[1];
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH")) {
      return undefined;
    }
    throw error;
  }
}

/** Looks every few milliseconds until `look` answers something; after ten seconds it throws. */
export async function eventually<T>(what: string, look: () => T | undefined): Promise<T> {
  const deadline = monotonicMillis() + 10_000;
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    if (monotonicMillis() > deadline) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
