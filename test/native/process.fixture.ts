/** One thing, named by the argument, that changes a process for good or needs one of its own. */
import { spawn as spawnNode, spawnSync } from "node:child_process";
import { readlinkSync } from "node:fs";
import {
  closeRange,
  constants,
  hasNoNewPrivileges,
  isSyscallError,
  setDumpable,
  setNoNewPrivileges,
  setParentDeathSignal,
  unshare,
} from "../../native/index.ts";
import { descriptorFlags, fixture } from "./child.ts";

/** Tries, as another process of the same user, to open this one's memory and a descriptor of it. */
function dumpable(): void {
  setDumpable(false);
  const look = (what: string): string => {
    const script = `cat /proc/${String(process.pid)}/${what} 2>&1 >/dev/null`;
    const { stdout } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
    return stdout.includes("Permission denied") ? "EACCES" : stdout;
  };
  console.log(look("fd/0"), look("mem"));
}

function privileges(): void {
  const before = hasNoNewPrivileges();
  setNoNewPrivileges();
  const { stdout } = spawnSync("grep", ["NoNewPrivs", "/proc/self/status"], { encoding: "utf8" });
  console.log(before, hasNoNewPrivileges(), stdout.split("\t")[1]?.trim());
}

/** Starts a process that is to die with this one, says its pid once it is ready, and ends. */
function orphan(): void {
  const [program = "", ...args] = fixture("process.fixture.ts", ["dies with its parent"]);
  const child = spawnNode(program, args, { stdio: ["ignore", "pipe", "inherit"], detached: true });
  child.stdout.once("data", () => {
    console.log(child.pid);
    process.exit();
  });
}

function diesWithItsParent(): void {
  setParentDeathSignal(9);
  setInterval(() => undefined, 1000);
  console.log("ready");
}

function mark(): void {
  const marked = (): string => [200, 201].map((fd) => (descriptorFlags(fd) & 0o2000000 ? 1 : 0)).join(" ");
  const before = marked();
  closeRange(3, 2 ** 32 - 1, constants.CLOSE_RANGE_CLOEXEC);
  console.log(before, "then", marked());
}

function unshared(): void {
  const names = ["uts", "mnt", "ipc"];
  const look = (): string[] => names.map((name) => readlinkSync(`/proc/thread-self/ns/${name}`));
  const before = look();
  unshare(constants.CLONE_NEWUTS | constants.CLONE_NEWNS);
  const after = look();
  const said = names.map((name, index) => `${name} ${before[index] === after[index] ? "same" : "new"}`);
  const refused = (flags: number): string => {
    try {
      unshare(flags);
      return "done";
    } catch (error) {
      return isSyscallError(error) ? error.code : String(error);
    }
  };
  console.log(`${said.join(", ")}; CLONE_NEWUSER ${refused(constants.CLONE_NEWUSER)}; 1 ${refused(1)}`);
}

const ways: Record<string, () => void> = {
  dumpable,
  privileges,
  orphan,
  "dies with its parent": diesWithItsParent,
  mark,
  unshare: unshared,
};
ways[process.argv[2] ?? ""]?.();
