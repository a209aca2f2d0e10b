import { constants as fs, existsSync, openSync, readFileSync } from "node:fs";
import t from "tap";
import {
  close,
  closeRange,
  hasNoNewPrivileges,
  isChildSubreaper,
  isDumpable,
  monotonicMillis,
  parentDeathSignal,
  pidfdOpen,
  Readiness,
  setChildSubreaper,
  setDumpable,
  setParentDeathSignal,
  spawn,
  waitid,
  type Child,
  type Fd,
  type Pid,
} from "../../native/index.ts";
import { after, asUser, descriptorFlags, fixture, processStatus, run, temporaryFolder } from "./child.ts";

const CLOEXEC = 0o2000000;

function shell(script: string): Child {
  return spawn({ path: "/bin/sh", argv: ["sh", "-c", script], environment: ["PATH=/usr/bin:/bin"], descriptors: [] });
}

async function ended(child: Child): Promise<void> {
  using readiness = new Readiness(child.pidfd);
  await readiness.readable(Infinity);
}

t.test("the process attributes are read as they were set", (t) => {
  for (const on of [true, false]) {
    setChildSubreaper(on);
    t.equal(isChildSubreaper(), on);
  }
  t.ok(isDumpable());
  setDumpable(false);
  t.notOk(isDumpable());
  setDumpable(true);
  t.ok(isDumpable());
  t.equal(parentDeathSignal(), 0);
  setParentDeathSignal(15);
  t.equal(parentDeathSignal(), 15);
  setParentDeathSignal(0);
  t.throws(
    () => {
      setParentDeathSignal(65);
    },
    { code: "EINVAL", syscall: "prctl PR_SET_PDEATHSIG" },
  );
  t.notOk(hasNoNewPrivileges());
  t.end();
});

t.test("a process that is not dumpable cannot be looked into by its own user", async (t) => {
  const end = await run(asUser(4242, fixture("process.fixture.ts", ["dumpable"])));
  t.match(end, { status: 0, stdout: "EACCES EACCES\n" });
});

t.test("without new privileges a set-user-ID program gets none", async (t) => {
  const end = await run(fixture("process.fixture.ts", ["privileges"]));
  t.match(end, { status: 0, stdout: "false true 1\n" });
});

t.test("a process gets the signal it asked for when the one that started it ends", async (t) => {
  const end = await run(fixture("process.fixture.ts", ["orphan"]));
  t.equal(end.status, 0, end.stderr);
  const orphan = Number(end.stdout);
  t.ok(orphan > 0);
  for (let tries = 0; tries < 1000 && processStatus(orphan, "State")?.startsWith("Z") === false; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  t.match(processStatus(orphan, "State") ?? "gone", /^(gone|Z)/u);
});

t.test("close_range closes, or marks, what lies in it and nothing else", (t) => {
  const opened = Array.from({ length: 200 }, () => openSync("/dev/null", fs.O_RDONLY) as Fd);
  const last = opened.at(-1) ?? 0;
  const [before, first, , , end, after] = [5, 4, 3, 2, 1, 0].map((back) => last - back) as [Fd, Fd, Fd, Fd, Fd, Fd];
  // Lowest numbers are taken first, so the last ones are a run without gaps.
  t.strictSame(
    opened.slice(-6),
    [5, 4, 3, 2, 1, 0].map((back) => last - back),
  );
  const flags = [before, first, end, after].map((fd) => descriptorFlags(fd) & CLOEXEC);
  t.strictSame(flags, [CLOEXEC, CLOEXEC, CLOEXEC, CLOEXEC]);
  closeRange(first, end, 0);
  const open = (fd: Fd): boolean => existsSync(`/proc/self/fd/${String(fd)}`);
  t.strictSame([before, first, end, after].map(open), [true, false, false, true]);
  closeRange(first, end, 0);
  t.throws(
    () => {
      closeRange(end, first, 0);
    },
    { code: "EINVAL", syscall: "close_range" },
  );
  t.throws(
    () => {
      closeRange(first, end, 1 << 20);
    },
    { code: "EINVAL" },
  );
  for (const fd of opened.filter((one) => one < first || one > end)) close(fd);
  t.end();
});

t.test("close_range marks inherited descriptors close-on-exec up to the last number there is", async (t) => {
  // Node marks what it inherits itself, but only up to the first gap.
  const end = await run(after("exec 200</dev/null 201</dev/null", fixture("process.fixture.ts", ["mark"])));
  t.match(end, { status: 0, stdout: "0 0 then 1 1\n" });
});

t.test("unshare gives the calling thread namespaces of its own, except of users", async (t) => {
  const end = await run(fixture("process.fixture.ts", ["unshare"]));
  t.match(end, { status: 0, stdout: "uts new, mnt new, ipc same; CLONE_NEWUSER EINVAL; 1 EINVAL\n" });
});

t.test("waitid tells how a child ended, once", async (t) => {
  const exiting = shell("exit 3");
  await ended(exiting);
  t.strictSame(waitid(exiting, { peek: true }), { pid: exiting.pid, kind: "exited", status: 3 });
  t.strictSame(waitid({ pidfd: exiting.pidfd }, { peek: true }), { pid: exiting.pid, kind: "exited", status: 3 });
  t.strictSame(waitid({ pid: exiting.pid }), { pid: exiting.pid, kind: "exited", status: 3 });
  t.throws(() => waitid({ pid: exiting.pid }), { code: "ECHILD", syscall: "waitid" });
  t.throws(() => waitid({ pidfd: exiting.pidfd }), { code: "ECHILD" });
  close(exiting.pidfd);

  const killed = shell("kill -TERM $$; exit 1");
  await ended(killed);
  t.strictSame(waitid({ pidfd: killed.pidfd }), { pid: killed.pid, kind: "killed", signal: 15, dumped: false });
  close(killed.pidfd);

  const folder = temporaryFolder(t);
  const dumping = shell(`cd ${folder}; ulimit -c unlimited; kill -ABRT $$`);
  await ended(dumping);
  const end = waitid({ pidfd: dumping.pidfd });
  t.match(end, { kind: "killed", signal: 6 });
  t.comment(`core dumped: ${String(end?.kind === "killed" && end.dumped)}`);
  close(dumping.pidfd);
});

t.test("waitid answers undefined while a child runs, and refuses what is no child", async (t) => {
  const running = shell("read line");
  const waiting = spawn({ path: "/bin/sleep", argv: ["sleep", "60"], environment: [], descriptors: [] });
  t.equal(waitid({ pid: waiting.pid }), undefined);
  t.equal(waitid({ pidfd: waiting.pidfd }), undefined);
  process.kill(waiting.pid, "SIGKILL");
  for (const child of [running, waiting]) {
    await ended(child);
    waitid(child);
    close(child.pidfd);
  }
  t.throws(() => waitid({ pid: process.pid as Pid }), { code: "ECHILD" });
  const own = pidfdOpen(process.pid as Pid);
  t.throws(() => waitid({ pidfd: own }), { code: "ECHILD" });
  close(own);
  t.throws(() => waitid({ pidfd: own }), { code: "EBADF" });
  t.throws(() => waitid("any child"), { code: "ECHILD" }, "nobody is left");
});

t.test("a reaper peeks at any child, reaps the strangers, and leaves Node its own children", async (t) => {
  const end = await run(fixture("reaper.fixture.ts"));
  t.equal(end.status, 0, end.stderr);
  t.strictSame(JSON.parse(end.stdout), {
    nodeSaw: Array.from({ length: 20 }, (_, index) => index + 1),
    reaped: Array(20).fill({ kind: "exited", status: 77 }),
    zombies: 0,
  });
});

t.test("the clock is that of the machine, in milliseconds, and never goes back", (t) => {
  const [seconds = ""] = readFileSync("/proc/uptime", "utf8").split(" ");
  const clock = monotonicMillis();
  t.ok(clock <= process.hrtime()[0] * 1000 + 2000);
  t.ok(Math.abs(clock - Number(seconds) * 1000) < 60_000, "uptime, unless the machine slept");
  let previous = 0;
  for (let round = 0; round < 1000; round++) {
    const now = monotonicMillis();
    if (now < previous) t.fail("it went back");
    previous = now;
  }
  t.ok(previous % 1 !== 0 || monotonicMillis() % 1 !== 0, "with a fraction");
  t.end();
});
