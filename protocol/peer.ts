import { readFileSync } from "node:fs";
import { agentUnitOf, parseProcCgroup, userSliceOf } from "../abi/cgroup.ts";
import { formatGeneration, parseStartTime } from "../abi/generation.ts";
import {
  close,
  isAlive,
  OwnedFd,
  peerCredentials,
  peerGroups,
  peerPidfd,
  pidfdInfo,
  type Fd,
  type Gid,
  type Pid,
  type Uid,
} from "../native/index.ts";

/** "None" to the kernel: what an unconnected socket reports, and what no process can have. */
const NO_ID = 4_294_967_295;

/** A peer in more groups is refused: the kernel would have 65,536 of them copied for each connection. */
const MAX_GROUPS = 1024;

/** An unsigned 32-bit id other than 4294967295, or undefined. */
export function parseUid(value: number): Uid | undefined {
  return Number.isInteger(value) && value >= 0 && value < NO_ID ? (value as Uid) : undefined;
}

function parseGid(value: number): Gid | undefined {
  return parseUid(value) as number | undefined as Gid | undefined;
}

/** Why a peer could not be told: it is refused, never guessed. The sentence is for the log. */
export interface Unidentified {
  readonly refused: string;
}

/**
 * Who is at the other end of a connected socket, taken once at accept from what the kernel says and pinned by a pidfd:
 * see spec/identity.md. Nothing in it comes from the peer's own words. Disposing it closes the pidfd.
 */
export class PeerIdentity implements Disposable {
  /** Effective ids and supplementary groups when the peer connected. */
  readonly uid: Uid;
  readonly gid: Gid;
  readonly groups: readonly Gid[];
  readonly pid: Pid;
  /** Clock ticks since boot. */
  readonly startTime: number;
  /** Path in the unified hierarchy when it was taken; a uid can move its own processes between its own units. */
  readonly cgroup: string;
  readonly #pidfd: Fd;

  private constructor(facts: Pick<PeerIdentity, "uid" | "gid" | "groups" | "pid" | "startTime" | "cgroup">, pidfd: Fd) {
    this.uid = facts.uid;
    this.gid = facts.gid;
    this.groups = facts.groups;
    this.pid = facts.pid;
    this.startTime = facts.startTime;
    this.cgroup = facts.cgroup;
    this.#pidfd = pidfd;
  }

  /** The agent unit the peer is in, whoever runs it; undefined outside any. */
  get agentUnit(): string | undefined {
    return agentUnitOf(this.cgroup);
  }

  /** Whom to charge: the user whose login this is, else the uid. One user owns many subordinate uids. */
  get payer(): number {
    return userSliceOf(this.cgroup) ?? this.uid;
  }

  /** `<pid>:<starttime>`. */
  get generation(): string {
    return formatGeneration(this);
  }

  /** False once the very process that connected has ended, whoever has its pid by then. */
  isAlive(): boolean {
    return isAlive(this.#pidfd);
  }

  [Symbol.dispose](): void {
    close(this.#pidfd);
  }

  /** The peer of a connected Unix socket. The socket stays the caller's. */
  static of(socket: Fd): PeerIdentity | Unidentified {
    try {
      const outcome = peerPidfd(socket);
      if (outcome.kind === "unsupported")
        return { refused: "this kernel has no SO_PEERPIDFD: Linux 6.5 is the oldest" };
      if (outcome.kind === "gone") return { refused: "the peer is gone" };
      using pidfd = new OwnedFd(outcome.pidfd);
      const credentials = peerCredentials(socket);
      const uid = parseUid(credentials.uid);
      const gid = parseGid(credentials.gid);
      if (uid === undefined || gid === undefined) return { refused: "the peer has no uid or gid" };
      const facts = factsOf(pidfd.fd, credentials.pid);
      if ("refused" in facts) return facts;
      return new PeerIdentity({ uid, gid, groups: peerGroups(socket, MAX_GROUPS), ...facts }, pidfd.release());
    } catch (error) {
      if (isErrno(error)) return { refused: `the kernel does not tell who the peer is (${error.message})` };
      throw error;
    }
  }
}

/** A system call that failed, ours or one of node:fs: EMFILE among them, which any peer can bring about. */
function isErrno(error: unknown): error is Error & { readonly code: string } {
  return (
    error instanceof Error && "code" in error && typeof error.code === "string" && /^E[A-Z0-9]+$/u.test(error.code)
  );
}

/** Reads /proc first and asks the pidfd afterwards whether the process still lives: only then was it that process's. */
function factsOf(pidfd: Fd, connectedPid: number): { pid: Pid; startTime: number; cgroup: string } | Unidentified {
  const pid = pidOf(pidfd);
  if (pid === undefined) return { refused: "the peer is gone" };
  if (pid === 0) return { refused: "the peer lives outside this pid namespace" };
  if (pid !== connectedPid) return { refused: "the peer's pid and its pidfd disagree" };
  const stat = readProc(pid, "stat");
  const cgroups = readProc(pid, "cgroup");
  if (!isAlive(pidfd)) return { refused: "the peer is gone" };
  if (stat === undefined || cgroups === undefined) {
    return {
      refused: "/proc hides the peer, though it lives: hidepid= keeps a service from seeing who its clients are",
    };
  }
  // Its main thread has ended and others go on: /proc then tells where that thread was, not where they are.
  if (/\) [ZX] /u.test(stat)) return { refused: "the peer's main thread is gone" };
  const startTime = parseStartTime(stat);
  const cgroup = parseProcCgroup(cgroups);
  if (startTime === undefined) return { refused: "the peer's start time cannot be read from /proc" };
  if (cgroup === undefined) return { refused: "the peer has no cgroup in the unified hierarchy" };
  return { pid: pid as Pid, startTime, cgroup };
}

/** The pid behind a pidfd, 0 for one outside this pid namespace, undefined when it was reaped. */
function pidOf(pidfd: Fd): number | undefined {
  const outcome = pidfdInfo(pidfd);
  switch (outcome.kind) {
    case "ok":
      return outcome.info.pid;
    case "gone":
      return undefined;
    case "unsupported":
      return pidOfFdinfo(readFileSync(`/proc/self/fdinfo/${String(pidfd)}`, "latin1"));
  }
}

/** The `Pid:` line of a pidfd's fdinfo, for kernels before PIDFD_GET_INFO; -1 there means reaped. */
export function pidOfFdinfo(fdinfo: string): number | undefined {
  const pid = /^Pid:\t(0|[1-9][0-9]*)$/mu.exec(fdinfo)?.[1];
  return pid === undefined ? undefined : Number(pid);
}

function readProc(pid: number, file: "stat" | "cgroup"): string | undefined {
  try {
    return readFileSync(`/proc/${String(pid)}/${file}`, "latin1");
  } catch (error) {
    if (isErrno(error) && (error.code === "ENOENT" || error.code === "ESRCH")) return undefined;
    throw error;
  }
}

/**
 * A client's check of the server it connected to: undefined when root listens there, else why not. Inside a user
 * namespace root reads as 65534 and is refused like everyone else: there a server cannot be authenticated.
 */
export function refuseServerOtherThanRoot(socket: Fd): Unidentified | undefined {
  const { uid } = peerCredentials(socket);
  return uid === 0 ? undefined : { refused: `the server runs as uid ${String(uid)}, not as root` };
}
