/**
 * The client of `test/boot/box` for other tests: a machine that boots systemd, has the users op and eve, and ends when
 * the scope ends, or this process, whatever ends it.
 *
 * ```ts
 * await using box = await Box.up(t.name);
 * t.equal(await box.text(["id", "-un"], { user: "op" }), "op");
 * ```
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { constants } from "node:os";
import path from "node:path";

const PROGRAM = path.join(import.meta.dirname, "box");

/** Long enough for a boot that fails after a minute; building the base first may take longer still. */
const SECONDS = { command: 120, up: 600 } as const;

/** What a finished command left. `status` is 128 + N after signal N. */
export interface Result {
  readonly status: number;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

export interface Options {
  /** A user of the box; root unless given. */
  readonly user?: string;
  /** What the command reads from stdin; nothing unless given. */
  readonly input?: string | Uint8Array;
  /** How long it may take before it is killed and the call fails. */
  readonly seconds?: number;
}

/** Why no box can run here, as the reason of a skip; false where one can. */
export function whyNoBox(): string | false {
  return process.getuid?.() === 0 ? false : "a box needs root";
}

/**
 * Runs `box ARGS…` with this process as the owner of what it starts.
 *
 * @throws when it could not be started or did not end in time; an exit status is a result.
 */
export function runBox(
  args: readonly string[],
  {
    input = "",
    seconds = SECONDS.command,
    env = {},
  }: Omit<Options, "user"> & { readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const child = spawn(PROGRAM, args, { env: { ...process.env, BOX_OWNER: String(process.pid), ...env } });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  const timer = setTimeout(() => {
    child.kill("SIGKILL");
    reject(
      new Error(`box ${args.join(" ")}: not done after ${String(seconds)} s: ${Buffer.concat(stderr).toString()}`),
    );
  }, seconds * 1000);
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") reject(error); // a command may end without having read its input
  });
  child.stdin.end(input);
  child.on("error", reject);
  child.on("close", (code, signal) => {
    clearTimeout(timer);
    const status = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
    resolve({ status, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) });
  });
  return promise;
}

/** The standard output of a run that must succeed, without the line end. */
async function succeed(run: Promise<Result>, what: string): Promise<string> {
  const { status, stdout, stderr } = await run;
  if (status !== 0) throw new Error(`${what}: exit status ${String(status)}: ${stderr.toString()}${stdout.toString()}`);
  return stdout.toString().replace(/\n$/, "");
}

export class Box implements AsyncDisposable {
  readonly name: string;
  /** The pid of its PID 1, as this process sees it. */
  readonly pid: number;

  private constructor(name: string, pid: number) {
    this.name = name;
    this.pid = pid;
  }

  /** Boots a box whose name tells of `title`, on the base and the layers that `snapshot` made, later ones on top. */
  static async up(title: string, layers: readonly string[] = []): Promise<Box> {
    const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
    const name = [...words.join("-").slice(0, 36).split("-"), randomBytes(3).toString("hex")].filter(Boolean).join("-");
    const args = ["up", name, ...layers.flatMap((layer) => ["--layer", layer])];
    await succeed(runBox(args, { seconds: SECONDS.up }), `box ${args.join(" ")}`);
    return new Box(name, Number(await succeed(runBox(["pid", name]), `box pid ${name}`)));
  }

  /** Its root directory, as a path out here. An absolute link in it leads to the host's files. */
  get root(): string {
    return `/proc/${String(this.pid)}/root`;
  }

  /** Runs a command in a login session and waits for it. A word of it is never split or expanded. */
  exec(command: readonly string[], { user = "root", ...options }: Options = {}): Promise<Result> {
    return runBox(["exec", this.name, "-u", user, "--", ...command], options);
  }

  /** The output of a command that must succeed, without the line end. */
  text(command: readonly string[], options: Options = {}): Promise<string> {
    return succeed(this.exec(command, options), `${this.name}: ${command.join(" ")}`);
  }

  /** Copies a file or directory into the box, where root owns it. */
  async copy(source: string, target: string): Promise<void> {
    await succeed(runBox(["cp", this.name, source, target]), `box cp ${this.name} ${source} ${target}`);
  }

  /** Saves what the box has written, as a layer for another: a directory that does not exist yet. */
  async snapshot(directory: string): Promise<void> {
    await succeed(runBox(["snap", this.name, directory]), `box snap ${this.name} ${directory}`);
  }

  /** Powers it off, as an administrator would. */
  async down(): Promise<void> {
    await succeed(runBox(["down", this.name]), `box down ${this.name}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await succeed(runBox(["kill", this.name]), `box kill ${this.name}`);
  }
}
