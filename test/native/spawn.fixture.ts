/** One way, named by the argument, of starting children that wants a process of its own. */
import { existsSync, openSync, readFileSync, readlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import {
  close,
  constants,
  isSyscallError,
  Readiness,
  receive,
  socketPair,
  spawn,
  waitid,
  type Fd,
  type SpawnRequest,
} from "../../native/index.ts";
import { eventually, openDescriptors, processStatus, sanitized } from "./child.ts";

const namespaceNames = ["user", "mnt", "net"];

/** Random lists of low descriptors, those among them that will be overwritten: how many came out wrong. */
async function overlaps(): Promise<void> {
  // Open until the numbers reach beyond any list, so that every low one is one of ours or Node's.
  for (let fd = 0; fd < 40;) fd = openSync(`/proc/self/task/${String(process.pid)}/stat`, "r");
  const low = openDescriptors().filter((fd) => fd < 40 && existsSync(`/proc/self/fd/${String(fd)}`));
  const wrong: string[] = [];
  const lists = sanitized ? 50 : 200;
  for (let round = 0; round < lists; round++) {
    const list = Array.from(
      { length: 1 + Math.floor(Math.random() * 20) },
      () => low[Math.floor(Math.random() * low.length)] ?? 0,
    );
    const child = spawn({ path: "/bin/sleep", argv: ["sleep", "60"], environment: [], descriptors: list as Fd[] });
    await eventually("its sleep", () =>
      processStatus(child.pid, "State")?.startsWith("S") === true ? true : undefined,
    );
    const file = (pid: string, fd: number): string => readlinkSync(`/proc/${pid}/fd/${String(fd)}`);
    const right =
      openDescriptors(child.pid).length === list.length &&
      list.every((fd, index) => file("self", fd) === file(String(child.pid), index));
    if (!right) wrong.push(list.join(" "));
    process.kill(child.pid, "SIGKILL");
    await eventually("its end", () => waitid(child));
    close(child.pidfd);
  }
  console.log(JSON.stringify({ wrong, lists }));
}

async function output(script: string, namespaces: SpawnRequest["namespaces"]): Promise<string> {
  const [here, there] = socketPair("stream");
  const child = spawn({
    path: "/bin/sh",
    argv: ["sh", "-c", script],
    environment: ["PATH=/usr/bin:/bin"],
    descriptors: [0 as Fd, there, 2 as Fd],
    ...(namespaces === undefined ? {} : { namespaces }),
  });
  close(there);
  using readiness = new Readiness(here);
  let text = "";
  const buffer = new Uint8Array(4096);
  for (;;) {
    const length = receive(here, buffer);
    if (length === 0) break;
    if (length === undefined) await readiness.readable(Infinity);
    else text += Buffer.from(buffer.subarray(0, length)).toString();
  }
  await eventually("its end", () => waitid(child));
  return text;
}

function refusal(namespaces: SpawnRequest["namespaces"] & object): string {
  try {
    spawn({ path: "/bin/true", argv: ["true"], environment: [], descriptors: [], namespaces });
    return "done";
  } catch (error) {
    return isSyscallError(error) ? `${error.syscall} ${error.code}` : String(error);
  }
}

async function namespaces(): Promise<void> {
  const { CLONE_NEWNS, CLONE_NEWUSER } = constants;
  const flags = CLONE_NEWUSER | CLONE_NEWNS;
  const script = `
    echo $(id -u) $(id -g)
    cat /proc/self/uid_map /proc/self/gid_map /proc/self/setgroups
    for name in ${namespaceNames.join(" ")}; do readlink /proc/self/ns/$name; done
    mount -t tmpfs inner ${tmpdir()} && stat -f -c %T ${tmpdir()}`;
  const text = await output(script, { flags, uidMap: "0 65534 1\n", gidMap: "0 65534 1\n" });
  const [ids, uidMap, gidMap, setgroups, ...rest] = text.trimEnd().split("\n");
  const words = (line: string | undefined): string[] => (line ?? "").trim().split(/\s+/u);
  const compared = namespaceNames.map((name, index) => [
    name,
    rest[index] === readlinkSync(`/proc/self/ns/${name}`) ? "same" : "new",
  ]);
  console.log(
    JSON.stringify({
      ids,
      uidMap: words(uidMap),
      gidMap: words(gidMap),
      setgroups,
      ...Object.fromEntries(compared),
      mounted: rest[namespaceNames.length],
      foreignMap: refusal({ flags, uidMap: "0 0 1\n", gidMap: "0 65534 1\n" }),
      outside: refusal({ flags: CLONE_NEWNS, uidMap: "", gidMap: "" }),
      seenOutside: readFileSync("/proc/self/mountinfo", "utf8").includes(" inner ") ? "yes" : "no",
    }),
  );
}

const ways: Record<string, () => Promise<void>> = { overlaps, namespaces };
await ways[process.argv[2] ?? ""]?.();
