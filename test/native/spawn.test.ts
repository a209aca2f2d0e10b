import { mkdirSync, openSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import t from "tap";
import {
  close,
  constants,
  Readiness,
  receive,
  socketPair,
  spawn,
  waitid,
  type Child,
  type ChildEnd,
  type Fd,
  type SpawnRequest,
} from "../../native/index.ts";
import {
  after,
  asUser,
  descriptorFlags,
  eventually,
  fixture,
  openDescriptors,
  processStatus,
  run,
  sanitized,
  temporaryFolder,
  workerOptions,
} from "./child.ts";

const CLOEXEC = 0o2000000;
const NONBLOCK = 0o4000;

/** The child's end, reaped. */
async function ended(child: Child): Promise<ChildEnd | undefined> {
  {
    using readiness = new Readiness(child.pidfd);
    await readiness.readable(Infinity);
  }
  const end = waitid({ pidfd: child.pidfd });
  close(child.pidfd);
  return end;
}

/** Runs a program to its end; what it writes to its descriptors 1 and 2. */
async function output(request: Partial<SpawnRequest> & Pick<SpawnRequest, "argv">): Promise<string> {
  const [here, there] = socketPair("stream");
  const input = openSync("/dev/null", "r") as Fd;
  const child = spawn({
    path: `/bin/${String(request.argv[0])}`,
    environment: ["PATH=/usr/bin:/bin"],
    descriptors: [input, there, there],
    ...request,
  });
  close(there);
  close(input);
  const bytes: Uint8Array[] = [];
  {
    using readiness = new Readiness(here);
    const buffer = new Uint8Array(65536);
    for (;;) {
      const length = receive(here, buffer);
      if (length === 0) break;
      if (length === undefined) await readiness.readable(Infinity);
      else bytes.push(buffer.slice(0, length));
    }
  }
  close(here);
  await ended(child);
  return Buffer.concat(bytes).toString();
}

/** A child that does nothing, with what it has open: descriptor → file. It is ended by the callback's return. */
async function sleeping<T>(descriptors: readonly Fd[], look: (open: Record<number, string>) => T): Promise<T> {
  const child = spawn({ path: "/bin/sleep", argv: ["sleep", "60"], environment: [], descriptors });
  // The dynamic linker opens libraries first.
  await eventually("the child's sleep", () =>
    processStatus(child.pid, "State")?.startsWith("S") === true ? true : undefined,
  );
  const open = Object.fromEntries(
    openDescriptors(child.pid).map((fd) => [fd, readlinkSync(`/proc/${String(child.pid)}/fd/${String(fd)}`)]),
  );
  process.kill(child.pid, "SIGKILL");
  await ended(child);
  return look(open);
}

t.test(
  "descriptor i of the list becomes descriptor i, whatever the order and the overlaps, and there are no others",
  async (t) => {
    const folder = temporaryFolder(t);
    // Files at many numbers, low ones among them, so that lists overlap with the numbers 0, 1, 2… they are put at.
    const files = Array.from({ length: 12 }, (_, index) => openSync(path.join(folder, String(index)), "w+") as Fd);
    const any = fc.array(fc.constantFrom(...([0, 1, 2] as Fd[]), ...files), { maxLength: 12 });
    const check = async (list: readonly Fd[]): Promise<void> => {
      const expected = Object.fromEntries(
        list.map((fd, index) => [index, readlinkSync(`/proc/self/fd/${String(fd)}`)]),
      );
      t.strictSame(await sleeping(list, (open) => open), expected, list.join(" "));
    };
    for (const list of [[], [2, 0, 1], [1, 2, 0], [1, 1, 1, 0], [2, 2], files]) await check(list as Fd[]);
    await check(Array<Fd>(64).fill(files[0] ?? (0 as Fd)));
    await fc.assert(fc.asyncProperty(any, check), { numRuns: 25 });
    for (const fd of files) close(fd);
  },
);

t.test("lists that overlap with their own low numbers come out right", async (t) => {
  // In a process whose descriptors 3 to 9 are seven files, every list of these is an overlap.
  // Nor does a descriptor get through that this process itself inherited, which nobody marked close-on-exec.
  const end = await run(after("exec 200</dev/null 201</dev/null", fixture("spawn.fixture.ts", ["overlaps"])));
  t.match(end, { status: 0, stderr: "" });
  t.strictSame(JSON.parse(end.stdout), { wrong: [], lists: sanitized ? 50 : 200 });
});

t.test("a number that is not open is EBADF, also one that the call itself opens meanwhile", (t) => {
  const before = openDescriptors();
  const probe = openSync("/dev/null", "r");
  close(probe as Fd);
  for (const stale of [probe, probe + 1, probe + 2, 999_999, -1]) {
    for (const descriptors of [[stale], [0, 1, 2, stale]]) {
      t.throws(
        () => spawn({ path: "/bin/true", argv: ["true"], environment: [], descriptors: descriptors as Fd[] }),
        { code: "EBADF", syscall: "dup2" },
        String(stale),
      );
    }
  }
  t.strictSame(openDescriptors(), before);
  t.throws(() => waitid("any child"), { code: "ECHILD" });
  t.end();
});

t.test("what a descriptor shares with its original is left alone: a blocking one stays blocking", async (t) => {
  const folder = temporaryFolder(t);
  const file = openSync(path.join(folder, "file"), "w+") as Fd;
  const [here, there] = socketPair("stream");
  const child = spawn({ path: "/bin/true", argv: ["true"], environment: [], descriptors: [file, there] });
  t.equal(descriptorFlags(child.pidfd) & CLOEXEC, CLOEXEC, "the pidfd is close-on-exec");
  await ended(child);
  t.equal(descriptorFlags(file) & (NONBLOCK | CLOEXEC), CLOEXEC);
  t.equal(descriptorFlags(there) & (NONBLOCK | CLOEXEC), NONBLOCK | CLOEXEC);
  for (const fd of [file, here, there]) close(fd);
});

t.test("signals are the default ones, arguments and environment exactly those given", async (t) => {
  const status = await output({ argv: ["cat", "/proc/self/status"] });
  const none = "0000000000000000";
  t.strictSame(
    status.match(/^Sig(Pnd|Blk|Ign|Cgt):.*$/gmu),
    ["Pnd", "Blk", "Ign", "Cgt"].map((name) => `Sig${name}:\t${none}`),
  );
  t.equal(
    await output({ argv: ["env", "-0"], environment: ["B=two words", "A=", "B=x", "é=é"] }),
    "B=two words\0A=\0B=x\0é=é\0",
  );
  t.equal(await output({ argv: ["sh", "-c", 'printf "%s." "$0" "$@"', "", "a b", "é"] }), ".a b.é.");
});

t.test("bytes that are no UTF-8 arrive as they are", async (t) => {
  const raw = Buffer.from([0x61, 0xff, 0xfe]);
  const shown = await output({
    argv: ["sh", "-c", 'printf %s "$1$X" | od -An -tx1', "sh", raw],
    environment: ["PATH=/usr/bin:/bin", Buffer.concat([Buffer.from("X="), raw])],
  });
  t.equal(shown, " 61 ff fe 61 ff fe\n");
  const folder = temporaryFolder(t);
  const program = Buffer.concat([Buffer.from(`${folder}/`), raw]);
  writeFileSync(program, "#!/bin/sh\necho ran\n", { mode: 0o755 });
  t.equal(await output({ path: program, argv: ["x"] }), "ran\n");
});

t.test("a child runs in the session of its parent unless it has a terminal", async (t) => {
  const own = readFileSync("/proc/self/stat", "utf8").split(" ")[5];
  const child = await output({ argv: ["sh", "-c", "cut -d' ' -f6 /proc/$$/stat"] });
  t.equal(child.trim(), own);
});

t.test("the child is Node's in no way: waitid tells how it ended", async (t) => {
  const exiting = spawn({ path: "/bin/sh", argv: ["sh", "-c", "exit 5"], environment: [], descriptors: [] });
  t.strictSame(await ended(exiting), { pid: exiting.pid, kind: "exited", status: 5 });
  const killed = spawn({ path: "/bin/sh", argv: ["sh", "-c", "kill -PIPE $$"], environment: [], descriptors: [] });
  t.strictSame(
    await ended(killed),
    { pid: killed.pid, kind: "killed", signal: 13, dumped: false },
    "SIGPIPE is not ignored",
  );
});

t.test("whatever fails in the child is thrown under its name, and leaves no child and no descriptor", (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(path.join(folder, "directory"));
  writeFileSync(path.join(folder, "plain"), "", { mode: 0o644 });
  writeFileSync(path.join(folder, "binary"), "\0\0\0\0", { mode: 0o755 });
  writeFileSync(path.join(folder, "script"), "#!/no/such/interpreter\n", { mode: 0o755 });
  const { CLONE_NEWUSER, CLONE_NEWUTS } = constants;
  const maps = (uidMap: string, gidMap: string): Partial<SpawnRequest> => ({
    namespaces: { flags: CLONE_NEWUSER, uidMap, gidMap },
  });
  const socket = socketPair("stream");
  const failures: [string, string, Partial<SpawnRequest>][] = [
    ["execve", "ENOENT", { path: path.join(folder, "none") }],
    ["execve", "ENOENT", { path: path.join(folder, "script") }],
    ["execve", "ENOENT", { path: "" }],
    ["execve", "EACCES", { path: path.join(folder, "plain") }],
    ["execve", "EACCES", { path: path.join(folder, "directory") }],
    ["execve", "ENOEXEC", { path: path.join(folder, "binary") }],
    ["execve", "ENOTDIR", { path: path.join(folder, "plain/x") }],
    ["execve", "ENOENT", { path: path.join(folder, "none"), descriptors: Array<Fd>(64).fill(socket[1]) }],
    ["execve", "E2BIG", { argv: ["true", "x".repeat(1 << 18)] }],
    ["ioctl TIOCSCTTY", "ENOTTY", { terminal: true, descriptors: [socket[0]] }],
    ["ioctl TIOCSCTTY", "EBADF", { terminal: true, descriptors: [] }],
    ["unshare", "EINVAL", { namespaces: { flags: 1, uidMap: "", gidMap: "" } }],
    ["write /proc/self/uid_map", "EINVAL", maps("nonsense", "0 0 1\n")],
    ["write /proc/self/gid_map", "EINVAL", maps("0 0 1\n", "0 0 0\n")],
    ["fork", "EINVAL", { namespaces: { flags: CLONE_NEWUTS, uidMap: "0 0 1\n", gidMap: "" } }],
    ["fork", "EINVAL", { path: "/bin/\0true" }],
    ["fork", "ENAMETOOLONG", { path: "/".repeat(5000) }],
  ];
  const children = `/proc/self/task/${String(process.pid)}/children`;
  const before = openDescriptors();
  for (const [syscall, code, request] of failures) {
    const whole = { path: "/bin/true", argv: ["true"], environment: [], descriptors: [], ...request };
    t.throws(() => spawn(whole), { name: "SyscallError", syscall, code }, `${syscall} ${code}`);
    t.throws(() => waitid("any child"), { code: "ECHILD" }, "no child is left");
    t.equal(readFileSync(children, "utf8"), "");
  }
  t.equal(receive(socket[0], new Uint8Array(1)), undefined, "the failure went to us alone");
  t.strictSame(openDescriptors(), before);
  for (const fd of socket) close(fd);
  t.end();
});

t.test("an ordinary user starts a child in user and mount namespaces of its own", async (t) => {
  const end = await run(asUser(65534, fixture("spawn.fixture.ts", ["namespaces"])));
  t.match(end, { status: 0, stderr: "" });
  t.strictSame(JSON.parse(end.stdout), {
    ids: "0 0",
    uidMap: ["0", "65534", "1"],
    gidMap: ["0", "65534", "1"],
    setgroups: "deny",
    user: "new",
    mnt: "new",
    net: "same",
    mounted: "tmpfs",
    foreignMap: "write /proc/self/uid_map EPERM",
    outside: "unshare EPERM",
    seenOutside: "no",
  });
});

t.test("children start while other threads allocate, start processes and run JavaScript", async (t) => {
  const workers = Array.from(
    { length: 2 },
    () => new Worker(new URL("busy-worker.fixture.ts", import.meta.url), workerOptions),
  );
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once("message", resolve))));
  const rounds = sanitized ? 40 : 100;
  for (let round = 0; round < rounds; round++) {
    const child = spawn({ path: "/bin/true", argv: ["true"], environment: [], descriptors: [] });
    const end = await ended(child);
    if (end?.kind !== "exited" || end.status !== 0) t.fail(JSON.stringify(end));
  }
  await Promise.all(workers.map((worker) => worker.terminate()));
  t.pass(`${String(rounds)} children`);
});
