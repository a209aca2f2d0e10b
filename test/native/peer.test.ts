import { spawn as spawnNode, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, closeSync, openSync, statSync } from "node:fs";
import path from "node:path";
import t from "tap";
import {
  accept,
  bind,
  close,
  constants,
  isAlive,
  isSyscallError,
  listen,
  monotonicMillis,
  peerCredentials,
  peerGroups,
  peerPidfd,
  pidfdInfo,
  pidfdOpen,
  pollNow,
  Readiness,
  receive,
  send,
  socketPair,
  spawn,
  unixSocket,
  waitid,
  type Fd,
  type Pid,
  type PidfdOutcome,
} from "../../native/index.ts";
import { asUser, descriptorFlags, environment, eventually, fixture, processStatus, temporaryFolder } from "./child.ts";

const CLOEXEC = 0o2000000;
const folder = temporaryFolder(t);
chmodSync(folder, 0o755);

/** A peer process that has connected, and our end of its connection. */
class Peer implements AsyncDisposable {
  static #count = 0;
  readonly process: ChildProcess;
  readonly fd: Fd;
  readonly pid: Pid;

  private constructor(process: ChildProcess, fd: Fd) {
    this.process = process;
    this.fd = fd;
    this.pid = process.pid as Pid;
  }

  static async connect(command: (fixture: string[]) => string[], user = 0): Promise<Peer> {
    const address = path.join(folder, `${String(Peer.#count++)}.sock`);
    const listener = unixSocket("stream");
    bind(listener, address);
    chmodSync(address, 0o777);
    listen(listener, 1);
    const [program = "", ...args] = command(fixture("peer.fixture.ts", [address, String(user)]));
    const process = spawnNode(program, args, { env: environment, stdio: "inherit" });
    const fd = await eventually("a connection", () => accept(listener));
    close(listener);
    const peer = new Peer(process, fd);
    await peer.byte();
    return peer;
  }

  /** The next byte the peer sends: it has done what was asked then. */
  async byte(): Promise<void> {
    using readiness = new Readiness(this.fd);
    await readiness.readable(monotonicMillis() + 10_000);
    if (receive(this.fd, new Uint8Array(1)) !== 1) throw new Error("the peer is gone");
  }

  async end(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const exit = once(this.process, "exit");
    this.process.kill("SIGKILL");
    await exit;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
    close(this.fd);
  }
}

function ok(outcome: PidfdOutcome): Fd {
  if (outcome.kind !== "ok") throw new Error(`no pidfd: ${outcome.kind}`);
  return outcome.pidfd;
}

t.test("a peer's user, group, supplementary groups and process are those it connected with", async (t) => {
  await using peer = await Peer.connect((command) => asUser(4242, command, 4343, [7, 4294967294, 9]));
  t.strictSame(peerCredentials(peer.fd), { pid: peer.pid, uid: 4242, gid: 4343 });
  t.strictSame([...peerGroups(peer.fd, 65_536)].sort(), [4294967294, 7, 9].sort());

  const pidfd = ok(peerPidfd(peer.fd));
  t.ok(descriptorFlags(pidfd) & CLOEXEC, "the pidfd is close-on-exec");
  const outcome = pidfdInfo(pidfd);
  t.match(outcome, { kind: "ok", info: { pid: peer.pid, uid: 4242, gid: 4343 } });
  t.ok(isAlive(pidfd));
  await peer.end();
  t.notOk(isAlive(pidfd));
  close(pidfd);
});

t.test("a peer in no supplementary group has none, and one in very many shows them all", async (t) => {
  await using lonely = await Peer.connect((command) => asUser(4242, command));
  t.strictSame(peerGroups(lonely.fd, 65_536), []);
  const many = Array.from({ length: 1000 }, (_, index) => 5000 + index);
  await using sociable = await Peer.connect((command) => asUser(4242, command, 4242, many));
  t.strictSame(peerGroups(sociable.fd, 65_536), many);
  t.strictSame(peerGroups(sociable.fd, many.length), many);
  t.throws(() => peerGroups(sociable.fd, many.length - 1), { code: "E2BIG" });
});

t.test("credentials stay as they were at connect, pidfdInfo tells those of now", async (t) => {
  await using peer = await Peer.connect((command) => command, 4242);
  const pidfd = ok(peerPidfd(peer.fd));
  t.match(pidfdInfo(pidfd), { kind: "ok", info: { uid: 0 } });
  send(peer.fd, Buffer.from("x"));
  await peer.byte();
  t.match(pidfdInfo(pidfd), { kind: "ok", info: { uid: 4242, gid: 0 } });
  t.match(peerCredentials(peer.fd), { uid: 0 });
  close(pidfd);
});

t.test("pidfdInfo names the cgroup by the inode of its directory", (t) => {
  const pidfd = pidfdOpen(process.pid as Pid);
  const outcome = pidfdInfo(pidfd);
  close(pidfd);
  if (outcome.kind !== "ok") throw new Error(outcome.kind);
  t.type(outcome.info.cgroup, "bigint");
  const here = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].find((root) => {
    const status = statSync(root, { bigint: true, throwIfNoEntry: false });
    return status?.ino === 1n || status?.ino === outcome.info.cgroup;
  });
  t.comment(`cgroup ${String(outcome.info.cgroup)}, unified hierarchy at ${here ?? "no place known"}`);
  t.end();
});

t.test("a reaped peer is gone, or its pidfd says that it has ended", async (t) => {
  await using peer = await Peer.connect((command) => command);
  await peer.end();
  t.equal(peerCredentials(peer.fd).pid, peer.pid, "the credentials stay");
  const outcome = peerPidfd(peer.fd);
  t.comment(`SO_PEERPIDFD of a reaped peer: ${outcome.kind}`);
  if (outcome.kind === "ok") {
    t.notOk(isAlive(outcome.pidfd));
    t.strictSame(pidfdInfo(outcome.pidfd), { kind: "gone" });
    close(outcome.pidfd);
  } else {
    t.equal(outcome.kind, "gone");
  }
});

t.test("a process that ended is not alive although nobody has reaped it; once reaped its info is gone", async (t) => {
  const child = spawn({ path: "/bin/sleep", argv: ["sleep", "60"], environment: [], descriptors: [] });
  t.ok(isAlive(child.pidfd));
  process.kill(child.pid, "SIGKILL");
  await eventually("the child's end", () => (isAlive(child.pidfd) ? undefined : true));
  t.strictSame(waitid(child, { peek: true })?.kind, "killed");
  t.comment(`PIDFD_GET_INFO of a zombie: ${pidfdInfo(child.pidfd).kind}`);
  waitid(child);
  t.strictSame(pidfdInfo(child.pidfd), { kind: "gone" });
  t.notOk(isAlive(child.pidfd));
  close(child.pidfd);
});

t.test("a socket without a peer has credentials of nobody, no groups and no process", (t) => {
  const fd = unixSocket("stream");
  t.strictSame(peerCredentials(fd), { pid: 0, uid: 4294967295, gid: 4294967295 });
  t.throws(() => peerGroups(fd, 65_536), { code: "ENODATA", syscall: "getsockopt SO_PEERGROUPS" });
  t.strictSame(peerPidfd(fd), { kind: "gone" });
  close(fd);
  t.end();
});

t.test("of a socket pair this process is the peer", (t) => {
  const pair = socketPair("stream");
  t.strictSame(peerCredentials(pair[0]), { pid: process.pid, uid: process.getuid?.(), gid: process.getgid?.() });
  t.equal(peerGroups(pair[1], 65_536).join(" "), processStatus(process.pid, "Groups")?.trim());
  const pidfd = ok(peerPidfd(pair[1]));
  t.ok(isAlive(pidfd));
  for (const fd of [...pair, pidfd]) close(fd);
  t.end();
});

t.test("what is no socket, no pidfd, not open or no process is named by its errno", (t) => {
  const file = openSync("/dev/null", "r") as Fd;
  const closed = 999_999 as Fd;
  for (const look of [peerCredentials, (fd: Fd) => peerGroups(fd, 64), peerPidfd]) {
    t.throws(() => look(file), { code: "ENOTSOCK" });
    t.throws(() => look(closed), { code: "EBADF" });
  }
  t.strictSame(pidfdInfo(file), { kind: "unsupported" });
  t.throws(() => pidfdInfo(closed), { code: "EBADF" });
  t.throws(() => isAlive(closed), { code: "EBADF" });
  t.throws(() => pollNow(-1 as Fd, constants.POLLIN), { code: "EBADF" });
  t.throws(() => pidfdOpen(0 as Pid), { code: "EINVAL" });
  t.throws(() => pidfdOpen(2147483647 as Pid), { code: "ESRCH", syscall: "pidfd_open", errno: 3 });
  closeSync(file);
  t.end();
});

t.test("pollNow answers the events that hold now", (t) => {
  const [here, there] = socketPair("stream");
  const { POLLIN, POLLOUT, POLLHUP, POLLRDHUP } = constants;
  const all = POLLIN | POLLOUT | POLLRDHUP;
  t.equal(pollNow(here, all), POLLOUT);
  t.equal(pollNow(here, POLLIN), 0);
  send(there, Buffer.from("x"));
  t.equal(pollNow(here, all), POLLIN | POLLOUT);
  close(there);
  t.equal(pollNow(here, 0), POLLHUP, "which nobody need ask for");
  t.ok(pollNow(here, all) & POLLRDHUP);
  close(here);
  t.end();
});

t.test("an error is known by its name, and only if it is asked for", (t) => {
  let thrown: unknown;
  try {
    close(999_999 as Fd);
  } catch (error) {
    thrown = error;
  }
  t.ok(isSyscallError(thrown));
  t.ok(isSyscallError(thrown, "ENOENT", "EBADF"));
  t.notOk(isSyscallError(thrown, "ENOENT"));
  t.notOk(isSyscallError(new Error("EBADF"), "EBADF"));
  t.match(thrown, { message: "close: EBADF", errno: 9, syscall: "close" });
  t.end();
});
