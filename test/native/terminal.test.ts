import { constants as fs, openSync, readFileSync, readlinkSync, writeSync } from "node:fs";
import type { ReadStream } from "node:tty";
import pty from "node-pty";
import t from "tap";
import {
  close,
  isAlive,
  monotonicMillis,
  Readiness,
  spawn,
  waitid,
  type Child,
  type ChildEnd,
  type Fd,
} from "../../native/index.ts";
import { eventually, openDescriptors, processStatus } from "./child.ts";

/** What node-pty's `open` answers beyond its typings: a PTY without a child. */
interface OpenPty {
  readonly master: ReadStream;
  readonly slave: ReadStream;
  readonly fd: number;
  readonly ptsName: string;
  readonly _pty: string;
  resize(columns: number, rows: number): void;
}
const { open } = pty as unknown as {
  open: (options: { readonly cols: number; readonly rows: number; readonly encoding: null }) => OpenPty;
};

/** The device number of this process's controlling terminal; "0" for none. */
function controllingTerminal(): string | undefined {
  return readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ")[4];
}
const before = controllingTerminal();

/** A PTY, everything its master received, and children on its slave. */
class Terminal {
  readonly #pty: OpenPty;
  readonly #slave: Fd;
  #output = "";

  constructor(columns: number, rows: number) {
    this.#pty = open({ cols: columns, rows, encoding: null });
    // It reads the slave itself, which would take the child's input away.
    this.#pty.slave.destroy();
    this.#slave = openSync(this.name, fs.O_RDWR | fs.O_NOCTTY) as Fd;
    this.#pty.master.on("data", (bytes: Buffer) => {
      this.#output += bytes.toString();
    });
    this.#pty.master.on("error", () => {
      // EIO: nobody holds the slave any more.
    });
  }

  get name(): string {
    return this.#pty._pty;
  }

  get output(): string {
    return this.#output.replaceAll("\r\n", "\n");
  }

  start(script: string): Child {
    return spawn({
      path: "/bin/sh",
      argv: ["sh", "-c", script],
      environment: ["PATH=/usr/bin:/bin"],
      descriptors: [this.#slave, this.#slave, this.#slave],
      terminal: true,
    });
  }

  type(text: string): void {
    writeSync(this.#pty.fd, text);
  }

  resize(columns: number, rows: number): void {
    this.#pty.resize(columns, rows);
  }

  shown(what: string): Promise<true> {
    return eventually(`${what} in ${this.#output}`, () => (this.output.includes(what) ? true : undefined));
  }

  async end(): Promise<void> {
    close(this.#slave);
    await new Promise((resolve) => {
      this.#pty.master.once("close", resolve);
      setTimeout(() => this.#pty.master.destroy(), 20);
    });
  }
}

async function ended(child: Child): Promise<ChildEnd | undefined> {
  {
    using readiness = new Readiness(child.pidfd);
    if ((await readiness.readable(monotonicMillis() + 10_000)) !== "ready") throw new Error("the child does not end");
  }
  const end = waitid({ pidfd: child.pidfd });
  close(child.pidfd);
  return end;
}

t.test(
  "the child leads a session whose controlling terminal is the slave, of the size it was opened with",
  async (t) => {
    const terminal = new Terminal(91, 27);
    const child = terminal.start(`
    tty; stty size
    ps -o pid=,sid=,pgid=,tpgid= -p $$; ps -o tty= -p $$
    echo written to it > /dev/tty
    exit 4`);
    const end = await ended(child);
    t.strictSame(end, { pid: child.pid, kind: "exited", status: 4 });
    await terminal.shown("written to it");
    const [name, size, ids, tty] = terminal.output.split("\n");
    const pid = String(child.pid);
    t.equal(name, terminal.name);
    t.equal(size, "27 91");
    t.strictSame(ids?.trim().split(/\s+/u), [pid, pid, pid, pid]);
    t.equal(`/dev/${String(tty).trim()}`, terminal.name);
    await terminal.end();
  },
);

t.test("it has descriptors 0, 1 and 2 and no other", async (t) => {
  const terminal = new Terminal(80, 24);
  const child = terminal.start("echo started; read line");
  await terminal.shown("started");
  t.strictSame(openDescriptors(child.pid), [0, 1, 2]);
  for (const fd of [0, 1, 2]) t.equal(readlinkSync(`/proc/${String(child.pid)}/fd/${String(fd)}`), terminal.name);
  terminal.type("\n");
  t.match(await ended(child), { kind: "exited", status: 0 });
  await terminal.end();
});

t.test("its exit is seen through the pidfd, and not before it exits", async (t) => {
  const terminal = new Terminal(80, 24);
  const child = terminal.start("read line; exit 9");
  {
    using readiness = new Readiness(child.pidfd);
    t.equal(await readiness.readable(monotonicMillis() + 50), "timeout");
  }
  t.ok(isAlive(child.pidfd));
  t.equal(waitid({ pidfd: child.pidfd }), undefined);
  terminal.type("\n");
  t.match(await ended(child), { kind: "exited", status: 9 });
  t.equal(processStatus(child.pid, "State"), undefined, "reaped");
  await terminal.end();
});

t.test("the keys of the terminal signal it, and so does a new size", async (t) => {
  const terminal = new Terminal(80, 24);
  const resized = terminal.start(
    "trap 'stty size; exit' WINCH; echo waiting; for i in $(seq 2000); do sleep 0.01; done",
  );
  await terminal.shown("waiting");
  terminal.resize(132, 50);
  t.match(await ended(resized), { kind: "exited", status: 0 });
  await terminal.shown("50 132");
  await terminal.end();

  for (const [key, signal] of [
    ["\x03", 2],
    ["\x1c", 3],
  ] as const) {
    const other = new Terminal(80, 24);
    const child = other.start("ulimit -c 0; echo waiting; exec sleep 60");
    await other.shown("waiting");
    // The echo comes from the shell: wait until it is sleep that gets the key.
    await eventually("sleep", () => (processStatus(child.pid, "Name") === "sleep" ? true : undefined));
    other.type(key);
    t.match(await ended(child), { kind: "killed", signal });
    await other.end();
  }
});

t.test("when the master goes, the child is hung up", async (t) => {
  const terminal = new Terminal(80, 24);
  const child = terminal.start("echo waiting; exec sleep 60");
  await terminal.shown("waiting");
  await terminal.end();
  t.match(await ended(child), { kind: "killed", signal: 1 });
});

t.test("a terminal that is another session's already is refused, and no child is left", async (t) => {
  const terminal = new Terminal(80, 24);
  const child = terminal.start("echo waiting; exec sleep 60");
  await terminal.shown("waiting");
  // Root may steal a terminal only by asking to; a child asks without.
  t.throws(() => terminal.start("true"), { syscall: "ioctl TIOCSCTTY", code: "EPERM" });
  process.kill(child.pid, "SIGKILL");
  await ended(child);
  t.throws(() => waitid("any child"), { code: "ECHILD" });
  await terminal.end();
});

t.test("this process got no controlling terminal by any of it", (t) => {
  t.equal(controllingTerminal(), before);
  t.end();
});
