/** Mounts and unmounts in the private mount namespace it was started in, and prints what came of each step. */
import {
  constants as fs,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
  copyFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  close,
  constants,
  isSyscallError,
  mount,
  mountSetattr,
  spawn,
  statx,
  umount2,
  waitid,
  type Fd,
} from "../../native/index.ts";
import { eventually } from "./child.ts";

const { AT_EMPTY_PATH, AT_FDCWD, AT_RECURSIVE, MNT_DETACH, MOUNT_ATTR_NOEXEC, MOUNT_ATTR_RDONLY, O_PATH } = constants;
const { MS_BIND, MS_NODEV, MS_NOSUID, MS_PRIVATE, MS_RDONLY, MS_REC, MS_REMOUNT } = constants;
const MS_SHARED = 1 << 20;
const cwd = AT_FDCWD as Fd;
const folder = mkdtempSync(path.join(tmpdir(), "cortexfs-mount-"));
const at = (name: string): string => path.join(folder, name);
const said: Record<string, unknown> = {};

function outcome(call: () => void): string {
  try {
    call();
    return "done";
  } catch (error) {
    if (isSyscallError(error)) return error.code;
    if (error instanceof Error && "code" in error) return String(error.code);
    throw error;
  }
}

/** The fields of /proc/self/mountinfo of the mount at a path: optional fields, and type with both sets of options. */
function mounted(where: string): { optional: string; options: string } | undefined {
  const lines = readFileSync("/proc/self/mountinfo", "utf8").trimEnd().split("\n");
  const line = lines.findLast((one) => one.split(" ")[4] === where);
  if (line === undefined) return undefined;
  const [before = "", after = ""] = line.split(" - ");
  const [type = "", , superOptions = ""] = after.split(" ");
  const [, , , , , perMount = "", optional = "-"] = before.trim().split(" ");
  return { optional, options: `${type} ${perMount},${superOptions}` };
}

mkdirSync(at("tmpfs"));
mkdirSync(at("bound"));
const before = statx(cwd, at("tmpfs"), 0).mountId;
mount("cortexfs-test", at("tmpfs"), "tmpfs", MS_NOSUID | MS_NODEV, "size=64k,mode=751");
said["tmpfs"] = mounted(at("tmpfs"))?.options;
said["mode"] = statSync(at("tmpfs")).mode & 0o777;
said["mount id changed"] = statx(cwd, at("tmpfs"), 0).mountId !== before;

writeFileSync(at("tmpfs/file"), "content");
const write = (where: string) => (): void => {
  writeFileSync(at(where), "content");
};
mount(at("tmpfs"), at("bound"), "", MS_BIND);
said["bound"] = readFileSync(at("bound/file"), "utf8");
mountSetattr(cwd, at("bound"), 0, { set: MOUNT_ATTR_RDONLY });
said["write through the read-only bind"] = outcome(write("bound/file"));
said["write at the source"] = outcome(write("tmpfs/file"));
mountSetattr(cwd, at("bound"), 0, { clear: MOUNT_ATTR_RDONLY });
said["write when cleared"] = outcome(write("bound/file"));
mount("", at("bound"), "", MS_REMOUNT | MS_BIND | MS_RDONLY);
said["remounted read-only"] = outcome(write("bound/file"));
umount2(at("bound"), 0);

mkdirSync(at("tmpfs/below"));
mount("cortexfs-test", at("tmpfs/below"), "tmpfs", 0);
mount(at("tmpfs"), at("bound"), "", MS_BIND | MS_REC);
mountSetattr(cwd, at("bound"), 0, { set: MOUNT_ATTR_RDONLY });
said["below, not recursive"] = outcome(write("bound/below/file"));
mountSetattr(cwd, at("bound"), AT_RECURSIVE, { set: MOUNT_ATTR_RDONLY });
said["below, recursive"] = outcome(write("bound/below/file"));
umount2(at("bound"), MNT_DETACH);

const byDescriptor = openSync(at("tmpfs/below"), O_PATH) as Fd;
mountSetattr(byDescriptor, "", AT_EMPTY_PATH, { set: MOUNT_ATTR_RDONLY });
said["by descriptor"] = outcome(write("tmpfs/below/file"));
close(byDescriptor);
umount2(at("tmpfs/below"), 0);

async function start(): Promise<string> {
  try {
    const child = spawn({ path: at("tmpfs/true"), argv: ["true"], environment: [], descriptors: [] });
    await eventually("its end", () => waitid(child));
    close(child.pidfd);
    return "done";
  } catch (error) {
    if (isSyscallError(error)) return error.code;
    throw error;
  }
}
mount("", at("tmpfs"), "", MS_REMOUNT | MS_NOSUID, "size=1m");
copyFileSync("/bin/true", at("tmpfs/true"), fs.COPYFILE_EXCL);
mountSetattr(cwd, at("tmpfs"), 0, { set: MOUNT_ATTR_NOEXEC });
said["noexec"] = await start();
mountSetattr(cwd, at("tmpfs"), 0, { clear: MOUNT_ATTR_NOEXEC });
said["exec again"] = await start();

mount("", at("tmpfs"), "", MS_SHARED);
said["made shared"] = mounted(at("tmpfs"))?.optional;
mountSetattr(cwd, at("tmpfs"), 0, { propagation: MS_PRIVATE });
said["made private"] = mounted(at("tmpfs"))?.optional;

const open = openSync(at("tmpfs/file"), "r");
said["busy"] = outcome(() => {
  umount2(at("tmpfs"), 0);
});
said["detached"] = outcome(() => {
  umount2(at("tmpfs"), MNT_DETACH);
});
said["what was open"] = readFileSync(open, "utf8");
close(open as Fd);
said["unmounted"] = mounted(at("tmpfs"))?.options ?? "nothing";

const errors: Record<string, () => void> = {
  "no such type": () => {
    mount("x", at("tmpfs"), "no-such-type", 0);
  },
  "no such target": () => {
    mount("x", at("none"), "tmpfs", 0);
  },
  "no source to bind": () => {
    mount("", at("tmpfs"), "", MS_BIND);
  },
  "bad option": () => {
    mount("x", at("tmpfs"), "tmpfs", 0, "no-such-option");
  },
  "not mounted": () => {
    umount2(at("tmpfs"), 0);
  },
  "no such path": () => {
    umount2(at("none"), 0);
  },
  "bad flags": () => {
    umount2(at("tmpfs"), 1 << 20);
  },
  "no mount here": () => {
    mountSetattr(cwd, at("tmpfs"), 0, { set: MOUNT_ATTR_RDONLY });
  },
  "bad attribute": () => {
    mountSetattr(cwd, "/proc", 0, { set: 2 ** 31 });
  },
  "bad descriptor": () => {
    mountSetattr(999_999 as Fd, "", AT_EMPTY_PATH, { set: MOUNT_ATTR_RDONLY });
  },
};
said["errors"] = Object.fromEntries(Object.entries(errors).map(([name, call]) => [name, outcome(call)]));

const raw = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe])]);
mkdirSync(raw);
said["raw name"] = outcome(() => {
  mount("cortexfs-test", raw, "tmpfs", 0);
  umount2(raw, 0);
});
for (const name of [raw, at("tmpfs"), at("bound"), folder]) rmdirSync(name);
console.log(JSON.stringify(said));
