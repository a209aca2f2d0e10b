import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmdirSync,
  rmSync,
  writeFileSync,
  chmodSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import t from "tap";
import { parseStartTime } from "../../abi/generation.ts";
import {
  accept,
  bind,
  close,
  connect,
  listen,
  OwnedFd,
  peerCredentials,
  Readiness,
  socketPair,
  unixSocket,
  type Fd,
} from "../../native/index.ts";
import { parseUid, PeerIdentity, pidOfFdinfo, refuseServerOtherThanRoot } from "../../protocol/peer.ts";

/** Connects as the ids given (uid gid group…), says nothing, and stays until it is killed or the socket closes. */
const CONNECT = `
import os, socket, sys
path, uid, gid, *groups = sys.argv[1:]
os.setgroups([int(g) for g in groups])
os.setresgid(int(gid), int(gid), int(gid))
os.setresuid(int(uid), int(uid), int(uid))
s = socket.socket(socket.AF_UNIX)
s.connect(path)
s.recv(1)
`;

const folder = mkdtempSync(path.join(tmpdir(), "cortexfs-peer-"));
chmodSync(folder, 0o755);
t.teardown(() => {
  rmSync(folder, { recursive: true });
});

/** A listening socket anyone may connect to, and the first connection to it. */
class Server implements Disposable {
  static #count = 0;
  readonly path = path.join(folder, `${String(Server.#count++)}.sock`);
  readonly #fd: Fd;
  readonly #readiness: Readiness;

  constructor() {
    this.#fd = unixSocket("stream");
    bind(this.#fd, this.path);
    chmodSync(this.path, 0o777);
    listen(this.#fd, 64);
    this.#readiness = new Readiness(this.#fd);
  }

  async accept(): Promise<OwnedFd> {
    for (;;) {
      const fd = accept(this.#fd);
      if (fd !== undefined) return new OwnedFd(fd);
      await this.#readiness.readable(Infinity);
    }
  }

  [Symbol.dispose](): void {
    this.#readiness[Symbol.dispose]();
    close(this.#fd);
  }
}

function connectAs(server: Server, uid: number, gid = uid, groups: readonly number[] = []): ChildProcess {
  const ids = [uid, gid, ...groups].map(String);
  return spawn("/usr/bin/python3", ["-c", CONNECT, server.path, ...ids], { stdio: ["ignore", "ignore", "inherit"] });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once("exit", resolve));
}

/** The identity, or the reason it was refused. The socket stays open: the peer ends when it closes. */
function identify(fd: Fd): PeerIdentity | string {
  const peer = PeerIdentity.of(fd);
  return peer instanceof PeerIdentity ? peer : peer.refused;
}

function known(socket: OwnedFd): PeerIdentity {
  const peer = identify(socket.fd);
  if (typeof peer === "string") throw new Error(peer);
  return peer;
}

function openDescriptors(): number {
  return readdirSync("/proc/self/fd").length;
}

t.test("a peer of another uid is known by uid, gid, groups, pid, start time and cgroup", async (t) => {
  using server = new Server();
  const child = connectAs(server, 1000, 1001, [5, 7, 1001]);
  const pid = child.pid ?? 0;
  using socket = await server.accept();
  using peer = known(socket);
  t.equal(peer.uid, 1000);
  t.equal(peer.gid, 1001);
  t.same(peer.groups, [5, 7, 1001]);
  t.equal(peer.pid, pid);
  t.equal(peer.startTime, parseStartTime(readFileSync(`/proc/${String(pid)}/stat`, "latin1")));
  t.equal(peer.generation, `${String(pid)}:${String(peer.startTime)}`);
  t.ok(peer.cgroup.startsWith("/"));
  t.ok(peer.isAlive());
  child.kill("SIGKILL");
  await ended(child);
  t.notOk(peer.isAlive(), "the pidfd sees its end");
});

t.test("uids are unsigned: 2^31-1, 2^31 and 2^32-2 are users like any other", async (t) => {
  for (const uid of [2 ** 31 - 1, 2 ** 31, 2 ** 32 - 2]) {
    using server = new Server();
    const child = connectAs(server, uid);
    using socket = await server.accept();
    using peer = known(socket);
    t.equal(peer.uid, uid);
    t.equal(peer.gid, uid);
    t.equal(peer.payer, uid);
    child.kill("SIGKILL");
    await ended(child);
  }
  t.equal(parseUid(2 ** 32 - 1), undefined, "2^32-1 means nobody");
  for (const value of [-1, 0.5, NaN, 2 ** 32]) t.equal(parseUid(value), undefined, String(value));
  t.equal(parseUid(0), 0);
});

t.test("a peer in a sandbox is known by its uid and pid outside it", async (t) => {
  using server = new Server();
  const bwrap = ["--unshare-all", "--uid", "4242", "--dev-bind", "/", "/", "/usr/bin/python3", "-c"];
  const connect = "import socket,sys; s=socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.recv(1)";
  const child = spawn("setpriv", [
    "--reuid=1000",
    "--regid=1000",
    "--clear-groups",
    "bwrap",
    ...bwrap,
    connect,
    server.path,
  ]);
  using socket = await server.accept();
  using peer = known(socket);
  t.equal(peer.uid, 1000, "not the 4242 it has inside");
  t.match(readFileSync(`/proc/${String(peer.pid)}/cmdline`, "latin1"), /s\.recv/u, "a pid of this namespace");
  t.match(
    readFileSync(`/proc/${String(peer.pid)}/status`, "latin1"),
    /^NSpid:\t\d+\t\d+/mu,
    "which has another inside",
  );
  child.kill("SIGKILL");
  await ended(child);
});

t.test("a peer that died before the look is refused", async (t) => {
  using server = new Server();
  const child = connectAs(server, 1000);
  using socket = await server.accept();
  child.kill("SIGKILL");
  await ended(child);
  t.equal(identify(socket.fd), "the peer is gone");
});

t.test("a peer that ended and was not reaped is refused, though /proc still tells of it", async (t) => {
  using server = new Server();
  const fork = `
import os, socket, sys, time
if os.fork() == 0:
    socket.socket(socket.AF_UNIX).connect(sys.argv[1])
    os._exit(0)
time.sleep(600)
`;
  const parent = spawn("/usr/bin/python3", ["-c", fork, server.path], { stdio: "ignore" });
  using socket = await server.accept();
  const { pid } = peerCredentials(socket.fd);
  while (!readFileSync(`/proc/${String(pid)}/stat`, "latin1").includes(") Z ")) await setTimeout(5);
  t.equal(identify(socket.fd), "the peer is gone");
  parent.kill("SIGKILL");
  await ended(parent);
});

t.test("a peer outside the service's pid namespace is refused", async (t) => {
  const socket = path.join(folder, "outside.sock");
  const script = path.join(import.meta.dirname, "identify.fixture.ts");
  const node = [process.execPath, ...process.execArgv, script, socket];
  const server = spawn("unshare", ["--pid", "--fork", "--mount-proc", "--kill-child", ...node], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  t.equal((await lines.next()).value, "listening");
  using fd = new OwnedFd(unixSocket("stream"));
  connect(fd.fd, socket);
  t.match((await lines.next()).value, /^refused: the (?:peer lives outside this pid namespace|kernel does not tell)/u);
  await ended(server);
});

t.test("a process that got the pid of a dead peer is not taken for it", (t) => {
  // In a pid namespace of its own, where nobody else takes the pid meanwhile.
  const script = path.join(import.meta.dirname, "recycled-pid.fixture.ts");
  const node = [process.execPath, ...process.execArgv, script, path.join(folder, "recycled.sock")];
  const run = spawnSync("unshare", ["--pid", "--fork", "--mount-proc", "--kill-child", ...node], { encoding: "utf8" });
  t.equal(run.stderr, "");
  t.equal(run.stdout, "somebody has the pid\nrefused: the peer is gone\nno descriptor more\n");
  t.end();
});

t.test("a descriptor that is no connected Unix socket names no peer", (t) => {
  using file = new OwnedFd(openSync("/dev/null", "r") as Fd);
  t.match(identify(file.fd), /ENOTSOCK/u);
  using unconnected = new OwnedFd(unixSocket("stream"));
  t.equal(peerCredentials(unconnected.fd).uid, 2 ** 32 - 1);
  t.type(identify(unconnected.fd), "string");

  t.throws(() => PeerIdentity.of("3" as unknown as Fd), TypeError);
  t.end();
});

const unified = /^\S+ (\S+) cgroup2 /mu.exec(readFileSync("/proc/mounts", "latin1"))?.[1];
const noCgroup = unified === undefined && "no unified cgroup hierarchy is mounted";

t.test("the cgroup says in which agent's unit a peer is and whom to charge", { skip: noCgroup }, async (t) => {
  const unit = "cortexfs-agent-4-peer-test-terminal.service";
  const parts = [`cortexfs-test-${String(process.pid)}`, unit];
  const cgroup = path.join(unified ?? "", ...parts);
  mkdirSync(cgroup, { recursive: true });
  using server = new Server();
  const child = connectAs(server, 1000);
  writeFileSync(path.join(cgroup, "cgroup.procs"), String(child.pid));
  using socket = await server.accept();
  using peer = known(socket);
  t.ok(peer.cgroup.endsWith(`/${parts.join("/")}`), peer.cgroup);
  t.equal(peer.agentUnit, unit);
  t.equal(peer.payer, 1000, "outside a login the uid pays");
  child.kill("SIGKILL");
  await ended(child);
  for (let depth = parts.length; depth > 0; depth--) rmdirSync(path.join(unified ?? "", ...parts.slice(0, depth)));
});

t.test("looking at 10,000 peers leaves the descriptors as they were", (t) => {
  const [near, far] = socketPair("stream");
  const before = openDescriptors();
  for (let round = 0; round < 10_000; round++) {
    const peer = PeerIdentity.of(near);
    if ("refused" in peer) throw new Error(peer.refused);
    if (peer.pid !== process.pid) throw new Error("not this process");
    peer[Symbol.dispose]();
  }
  t.equal(openDescriptors(), before);
  close(near);
  close(far);
  t.end();
});

t.test("the pid of a pidfd can be read from its fdinfo where the kernel has no PIDFD_GET_INFO", (t) => {
  t.equal(pidOfFdinfo("pos:\t0\nflags:\t02000002\nmnt_id:\t15\nPid:\t123\nNSpid:\t123\t1\n"), 123);
  t.equal(pidOfFdinfo("Pid:\t0\n"), 0, "outside this pid namespace");
  t.equal(pidOfFdinfo("Pid:\t-1\n"), undefined, "reaped");
  t.equal(pidOfFdinfo("NSpid:\t5\n"), undefined);
  t.end();
});

t.test("a client takes a server for root's only where uid 0 is seen", (t) => {
  using server = new Server();
  const script = path.join(import.meta.dirname, "client.fixture.ts");
  const run = (...wrap: string[]): string => {
    const [command = "", ...rest]: string[] = [...wrap, process.execPath, ...process.execArgv, script, server.path];
    const { stdout, stderr } = spawnSync(command, rest, { encoding: "utf8" });
    return stdout + stderr;
  };
  t.equal(run(), "root\n");
  t.equal(
    run("unshare", "--user"),
    "the server runs as uid 65534, not as root\n",
    "in a user namespace root is nobody",
  );

  const [near, far] = socketPair("stream");
  t.equal(refuseServerOtherThanRoot(near), undefined, "this test runs as root");
  close(near);
  close(far);
  t.end();
});
