/** Starts other programs for the tests of this folder, and services as systemd starts them. */
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { bind, listen, monotonicMillis, unixSocket, type Fd } from "../../../native/index.ts";

const conditions = process.execArgv.filter((argument) => argument.startsWith("--conditions="));

/** What a child gets of our environment: where programs are, and how the sanitizers are loaded. */
const inherited: Readonly<Record<string, string>> = Object.fromEntries(
  ["PATH", "LD_PRELOAD", "ASAN_OPTIONS", "UBSAN_OPTIONS"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running program; it is killed when it is disposed before its end, or when this process ends. */
export class Program implements AsyncDisposable {
  readonly ended: Promise<Ended>;
  readonly #child;
  readonly #stdin;
  readonly #lines: string[] = [];
  #stdout = "";
  #stderr = "";

  /** `inherit` become its descriptors 3 and on. */
  constructor(
    command: readonly string[],
    options: { readonly inherit?: readonly number[]; readonly environment?: Readonly<Record<string, string>> } = {},
  ) {
    // tap adds NODE_OPTIONS to what is spawned from a test: env(1) makes the environment what is said here.
    const variables = Object.entries({ ...inherited, ...options.environment });
    const assignments = variables.map(([name, value]) => `${name}=${value}`);
    const mortal = ["--pdeathsig", "KILL", "--", "/usr/bin/env", "-i"];
    const child = spawn("/usr/bin/setpriv", [...mortal, ...assignments, ...command], {
      stdio: ["pipe", "pipe", "pipe", ...(options.inherit ?? [])],
    });
    const { stdin, stdout, stderr } = child;
    if (stdin === null || stdout === null || stderr === null) throw new Error("a pipe is missing");
    stdin.on("error", () => {
      // It ended without reading: its status says why.
    });
    stderr.on("data", (bytes: Buffer) => (this.#stderr += bytes.toString()));
    createInterface({ input: stdout }).on("line", (line) => {
      this.#stdout += `${line}\n`;
      this.#lines.push(line);
    });
    this.#child = child;
    this.#stdin = stdin;
    this.ended = new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (status, signal) => {
        resolve({ status, signal, stdout: this.#stdout, stderr: this.#stderr });
      });
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** The log entries on stderr so far. */
  get log(): readonly Record<string, unknown>[] {
    return this.#stderr
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  hasLogged(sentence: string): Promise<Record<string, unknown>> {
    return eventually(`the log entry "${sentence}"`, () => this.log.find((entry) => entry["msg"] === sentence));
  }

  /** Lines of stdout that nobody has asked for yet. */
  get unread(): number {
    return this.#lines.length;
  }

  /** The next line of stdout. */
  line(): Promise<string> {
    return eventually("a line of a program", () => this.#lines.shift());
  }

  write(text: string): void {
    this.#stdin.write(text);
  }

  /** Closes its stdin. */
  finish(): Promise<Ended> {
    this.#stdin.end();
    return this.ended;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  kill(signal: NodeJS.Signals): Promise<Ended> {
    this.signal(signal);
    return this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill("SIGKILL");
  }
}

/** The command line of a program of this folder. `options` are for node itself. */
export function fixture(name: string, args: readonly string[] = [], options: readonly string[] = []): string[] {
  const file = path.join(import.meta.dirname, name);
  // As text: another user may not be able to read a file of this tree.
  return name.endsWith(".py")
    ? ["/usr/bin/python3", "-u", "-c", readFileSync(file, "utf8"), ...args]
    : [process.execPath, ...conditions, ...options, file, ...args];
}

/** A service of this folder as systemd starts it: LISTEN_PID is its own pid. */
export function activated(
  name: string,
  options: {
    readonly sockets?: Readonly<Record<string, Fd>>;
    readonly environment?: Readonly<Record<string, string>>;
    readonly args?: readonly string[];
    readonly node?: readonly string[];
    readonly wrap?: readonly string[];
  } = {},
): Program {
  const { sockets = {}, environment = {}, args = [], node = ["--disable-sigusr1"], wrap = [] } = options;
  const command = fixture(name, args, node);
  const names = Object.keys(sockets);
  return new Program(["/bin/sh", "-c", 'LISTEN_PID=$$ exec "$@"', "sh", ...wrap, ...command], {
    inherit: Object.values(sockets),
    environment: { LISTEN_FDS: String(names.length), LISTEN_FDNAMES: names.join(":"), ...environment },
  });
}

/** The command line of a program that runs as another user. */
export function asUser(uid: number, command: readonly string[]): string[] {
  return [
    "setpriv",
    "--pdeathsig=KILL",
    `--reuid=${String(uid)}`,
    `--regid=${String(uid)}`,
    "--clear-groups",
    "--",
    ...command,
  ];
}

interface Teardown {
  teardown(done: () => void): void;
}

/** A folder that anyone may enter, removed at the end of the test. */
export function temporaryFolder(t: Teardown): string {
  const folder = mkdtempSync(path.join(tmpdir(), "cortexfs-frame-"));
  chmodSync(folder, 0o755);
  t.teardown(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

/** A listening socket at a path that anyone may connect to. */
export function listeningSocket(socketPath: string): Fd {
  const fd = unixSocket("stream");
  bind(fd, socketPath);
  chmodSync(socketPath, 0o777);
  listen(fd, 4096);
  return fd;
}

/** How many descriptors a process has open. Of this one it counts the look itself, every time. */
export function openDescriptors(pid: number | "self" = "self"): number {
  return readdirSync(`/proc/${String(pid)}/fd`).length;
}

/** The same once it has not changed for a tenth of a second: the pipes of a program that ended are closed a little later. */
export async function settledDescriptors(): Promise<number> {
  let last = { count: openDescriptors(), since: monotonicMillis() };
  return eventually("descriptors that stay as they are", () => {
    const count = openDescriptors();
    if (count !== last.count) last = { count, since: monotonicMillis() };
    return monotonicMillis() - last.since > 100 ? count : undefined;
  });
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
