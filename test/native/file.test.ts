import {
  chmodSync,
  closeSync,
  existsSync,
  chownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
  constants as fs,
} from "node:fs";
import { spawnSync } from "node:child_process";
import path from "node:path";
import t from "tap";
import {
  close,
  constants,
  fgetxattr,
  flistxattr,
  fremovexattr,
  fsetxattr,
  fsync,
  isSyscallError,
  linkat,
  mkdirat,
  openBeneath,
  OwnedFd,
  readlinkat,
  renameat2,
  statx,
  symlinkat,
  unlinkat,
  type Bytes,
  type Fd,
} from "../../native/index.ts";
import { asUser, descriptorFlags, fixture, processStatus, run, temporaryFolder } from "./child.ts";

const { AT_EMPTY_PATH, AT_FDCWD, AT_REMOVEDIR, AT_SYMLINK_NOFOLLOW, O_PATH, RENAME_EXCHANGE, RENAME_NOREPLACE } =
  constants;
const CLOEXEC = 0o2000000;
const cwd = AT_FDCWD as Fd;
const closed = 999_999 as Fd;
const umask = parseInt(processStatus(process.pid, "Umask") ?? "", 8);
/** A name that is no UTF-8. */
const raw = Buffer.from([0x66, 0xff, 0xfe, 0x20]);

/** A new folder for one test, and a descriptor of it. */
function place(t: { teardown(done: () => void): void }, parent?: string): { folder: string; dir: Fd } {
  const folder = temporaryFolder(t, parent);
  const dir = openSync(folder, fs.O_RDONLY | fs.O_DIRECTORY) as Fd;
  t.teardown(() => {
    close(dir);
  });
  return { folder, dir };
}

function contents(fd: Fd): string {
  const content = readFileSync(fd, "utf8");
  close(fd);
  return content;
}

/** The errno's name that a call is refused with, or "done". */
function outcome(call: () => unknown): string {
  try {
    call();
    return "done";
  } catch (error) {
    if (isSyscallError(error)) return error.code;
    throw error;
  }
}

t.test("openBeneath opens what lies beneath, close-on-exec, and makes files with the mode given", (t) => {
  const { folder, dir } = place(t);
  mkdirSync(path.join(folder, "a/b"), { recursive: true });
  writeFileSync(path.join(folder, "a/b/c"), "content");
  const fd = openBeneath(dir, "a/b/c", fs.O_RDONLY);
  t.equal(descriptorFlags(fd) & CLOEXEC, CLOEXEC);
  t.equal(contents(fd), "content");
  t.equal(contents(openBeneath(dir, "a/../a/./b/c", fs.O_RDONLY)), "content", "dots that stay inside");

  const made = openBeneath(dir, raw, fs.O_WRONLY | fs.O_CREAT | fs.O_EXCL, 0o640);
  close(made);
  t.strictSame(readdirSync(folder, "buffer"), [Buffer.from("a"), raw]);
  t.equal(statx(dir, raw, 0).mode & 0o777, 0o640 & ~umask);
  t.equal(
    outcome(() => openBeneath(dir, raw, fs.O_WRONLY | fs.O_CREAT | fs.O_EXCL, 0o640)),
    "EEXIST",
  );
  t.equal(
    outcome(() => openBeneath(dir, "a", fs.O_WRONLY)),
    "EISDIR",
  );
  t.equal(
    outcome(() => openBeneath(dir, "a/b/c", fs.O_RDONLY | fs.O_DIRECTORY)),
    "ENOTDIR",
  );
  t.equal(
    outcome(() => openBeneath(dir, "a/b/c", fs.O_RDONLY, 0o600)),
    "EINVAL",
    "a mode for nothing made",
  );
  t.equal(
    outcome(() => openBeneath(dir, "none", fs.O_RDONLY)),
    "ENOENT",
  );
  t.equal(
    outcome(() => openBeneath(dir, "", fs.O_RDONLY)),
    "ENOENT",
  );
  t.equal(
    outcome(() => openBeneath(dir, "x".repeat(256), fs.O_RDONLY)),
    "ENAMETOOLONG",
  );
  t.equal(
    outcome(() => openBeneath(closed, "a", fs.O_RDONLY)),
    "EBADF",
  );
  t.end();
});

t.test("openBeneath never leaves the directory and follows no link, whatever it points at", (t) => {
  const { folder, dir } = place(t);
  mkdirSync(path.join(folder, "inside"));
  writeFileSync(path.join(folder, "inside/file"), "");
  symlinkSync("inside", path.join(folder, "link-inside"));
  symlinkSync("/etc", path.join(folder, "link-outside"));
  symlinkSync("inside/file", path.join(folder, "last"));
  for (const leaving of ["..", "../x", "inside/../../x", "/", "/etc/passwd", folder]) {
    t.equal(
      outcome(() => openBeneath(dir, leaving, O_PATH)),
      "EXDEV",
      leaving,
    );
  }
  for (const link of ["link-inside/file", "link-outside/passwd", "last", "link-inside"]) {
    t.equal(
      outcome(() => openBeneath(dir, link, fs.O_RDONLY)),
      "ELOOP",
      link,
    );
  }
  const itself = openBeneath(dir, "last", O_PATH | fs.O_NOFOLLOW);
  t.equal(statx(itself, "", AT_EMPTY_PATH).mode & fs.S_IFMT, fs.S_IFLNK, "the link itself can be named");
  t.equal(Buffer.from(readlinkat(itself, "")).toString(), "inside/file");
  close(itself);
  const proc = openSync("/proc/self", fs.O_RDONLY | fs.O_DIRECTORY) as Fd;
  t.equal(
    outcome(() => openBeneath(proc, "cwd/x", O_PATH)),
    "ELOOP",
    "a magic link",
  );
  t.equal(
    outcome(() => openBeneath(proc, "fd/0", O_PATH)),
    "ELOOP",
    "a magic link",
  );
  close(proc);
  t.end();
});

t.test("permissions of the caller's own user decide", async (t) => {
  const { folder } = place(t);
  chmodSync(folder, 0o755);
  mkdirSync(path.join(folder, "closed"), { mode: 0o700 });
  writeFileSync(path.join(folder, "file"), "", { mode: 0o644 });
  const end = await run(asUser(4242, fixture("file.fixture.ts", [folder])));
  t.match(end, { status: 0, stderr: "" });
  t.strictSame(JSON.parse(end.stdout), {
    open: "EACCES",
    read: "done",
    write: "EACCES",
    mkdirat: "EACCES",
    unlinkat: "EACCES",
    renameat2: "EACCES",
    linkat: "EPERM",
    symlinkat: "EACCES",
    fsetxattr: "EPERM",
    mount: "EPERM",
    umount2: "EPERM",
    mountSetattr: "EPERM",
    unshare: "EPERM",
  });
});

t.test("directories are made and removed", (t) => {
  const { folder, dir } = place(t);
  mkdirat(dir, "made", 0o750);
  mkdirat(dir, raw, 0o700);
  t.equal(statSync(path.join(folder, "made")).mode & 0o777, 0o750 & ~umask);
  t.equal(
    outcome(() => {
      mkdirat(dir, "made", 0o700);
    }),
    "EEXIST",
  );
  t.equal(
    outcome(() => {
      mkdirat(dir, "none/made", 0o700);
    }),
    "ENOENT",
  );
  t.equal(
    outcome(() => {
      mkdirat(closed, "made", 0o700);
    }),
    "EBADF",
  );
  writeFileSync(path.join(folder, "made/file"), "");
  t.equal(
    outcome(() => {
      unlinkat(dir, "made", 0);
    }),
    "EISDIR",
  );
  t.equal(
    outcome(() => {
      unlinkat(dir, "made", AT_REMOVEDIR);
    }),
    "ENOTEMPTY",
  );
  unlinkat(dir, "made/file", 0);
  t.equal(
    outcome(() => {
      unlinkat(dir, "made/file", 0);
    }),
    "ENOENT",
  );
  unlinkat(dir, "made", AT_REMOVEDIR);
  unlinkat(dir, raw, AT_REMOVEDIR);
  t.strictSame(readdirSync(folder), []);
  t.end();
});

t.test("rename replaces, refuses to replace, and exchanges", (t) => {
  const { folder, dir } = place(t);
  const at = (name: string): string => path.join(folder, name);
  mkdirat(dir, "sub", 0o700);
  const sub = openBeneath(dir, "sub", fs.O_RDONLY | fs.O_DIRECTORY);
  writeFileSync(at("one"), "one");
  writeFileSync(at("two"), "two");
  t.equal(
    outcome(() => {
      renameat2(dir, "one", dir, "two", RENAME_NOREPLACE);
    }),
    "EEXIST",
  );
  t.equal(
    outcome(() => {
      renameat2(dir, "one", dir, "three", RENAME_EXCHANGE);
    }),
    "ENOENT",
  );
  t.equal(
    outcome(() => {
      renameat2(dir, "one", dir, "two", RENAME_EXCHANGE | RENAME_NOREPLACE);
    }),
    "EINVAL",
  );
  renameat2(dir, "one", dir, "two", RENAME_EXCHANGE);
  t.equal(readFileSync(at("one"), "utf8"), "two");
  renameat2(dir, "one", sub, raw, RENAME_NOREPLACE);
  t.notOk(existsSync(at("one")));
  renameat2(sub, raw, dir, "two", 0);
  t.equal(readFileSync(at("two"), "utf8"), "two", "replaced");
  t.equal(
    outcome(() => {
      renameat2(dir, "one", dir, "two", 0);
    }),
    "ENOENT",
  );
  t.equal(
    outcome(() => {
      renameat2(dir, "two", closed, "x", 0);
    }),
    "EBADF",
  );
  close(sub);
  t.end();
});

t.test("links are made by name and from a descriptor alone", (t) => {
  const { folder, dir } = place(t);
  const file = openBeneath(dir, "file", fs.O_RDWR | fs.O_CREAT, 0o600);
  linkat(dir, "file", dir, raw, 0);
  t.equal(statx(dir, raw, 0).nlink, 2);
  t.equal(
    outcome(() => {
      linkat(dir, "file", dir, raw, 0);
    }),
    "EEXIST",
  );
  t.equal(
    outcome(() => {
      linkat(dir, "none", dir, "x", 0);
    }),
    "ENOENT",
  );
  linkat(file, "", dir, "by descriptor", AT_EMPTY_PATH);
  t.equal(statx(file, "", AT_EMPTY_PATH).nlink, 3);
  close(file);
  const nameless = openBeneath(dir, ".", fs.O_WRONLY | 0o20200000, 0o600); // O_TMPFILE
  t.equal(
    outcome(() => {
      linkat(nameless, "", dir, "named", AT_EMPTY_PATH);
    }),
    "done",
    "a file that had no name",
  );
  close(nameless);
  const elsewhere = place(t, "/dev/shm");
  t.equal(
    outcome(() => {
      linkat(dir, "file", elsewhere.dir, "file", 0);
    }),
    "EXDEV",
  );
  t.ok(existsSync(path.join(folder, "named")));
  t.end();
});

t.test("symbolic links hold any bytes, up to 4095", (t) => {
  const { folder, dir } = place(t);
  symlinkat("to/nowhere", dir, "link");
  symlinkat(raw, dir, raw);
  t.equal(readlinkSync(path.join(folder, "link")), "to/nowhere");
  t.strictSame(Buffer.from(readlinkat(dir, raw)), raw);
  t.equal(
    outcome(() => {
      symlinkat("x", dir, "link");
    }),
    "EEXIST",
  );
  t.equal(
    outcome(() => {
      symlinkat("", dir, "empty");
    }),
    "ENOENT",
  );
  t.equal(
    outcome(() => readlinkat(dir, ".")),
    "EINVAL",
  );
  t.equal(
    outcome(() => readlinkat(dir, "none")),
    "ENOENT",
  );
  t.equal(
    outcome(() => readlinkat(closed, "none")),
    "EBADF",
  );
  const shared = place(t, "/dev/shm");
  symlinkat("l".repeat(4095), shared.dir, "long");
  t.equal(readlinkat(shared.dir, "long").length, 4095);
  t.end();
});

t.test("statx tells what stat does, as numbers that cannot overflow", (t) => {
  const { folder, dir } = place(t);
  writeFileSync(path.join(folder, "file"), "12345", { mode: 0o604 });
  chownSync(path.join(folder, "file"), 4_294_967_294, 7);
  symlinkSync("file", path.join(folder, "link"));
  const expected = lstatSync(path.join(folder, "file"), { bigint: true });
  const status = statx(dir, "file", 0);
  t.strictSame(
    { ...status, mountId: undefined },
    {
      mode: Number(expected.mode),
      nlink: 1,
      uid: 4_294_967_294,
      gid: 7,
      ino: expected.ino,
      size: 5n,
      blocks: expected.blocks,
      device: expected.dev,
      atime: expected.atimeNs,
      mtime: expected.mtimeNs,
      ctime: expected.ctimeNs,
      mountId: undefined,
    },
  );
  t.equal(statx(dir, "link", 0).ino, expected.ino);
  t.equal(statx(dir, "link", AT_SYMLINK_NOFOLLOW).mode & fs.S_IFMT, fs.S_IFLNK);
  const fd = openBeneath(dir, "file", O_PATH);
  t.equal(statx(fd, "", AT_EMPTY_PATH).ino, expected.ino);
  close(fd);
  t.equal(statx(cwd, path.join(folder, "file"), 0).ino, expected.ino);

  const mounts = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
  const proc = mounts.findLast((line) => line.split(" ")[4] === "/proc");
  t.equal(statx(cwd, "/proc", 0).mountId, BigInt(proc?.split(" ")[0] ?? ""));
  t.not(statx(cwd, "/proc", 0).mountId, statx(cwd, "/dev/shm", 0).mountId);

  t.equal(
    outcome(() => statx(dir, "none", 0)),
    "ENOENT",
  );
  t.equal(
    outcome(() => statx(dir, "", 0)),
    "ENOENT",
  );
  t.equal(
    outcome(() => statx(dir, "file", 1)),
    "EINVAL",
  );
  t.equal(
    outcome(() => statx(closed, "", AT_EMPTY_PATH)),
    "EBADF",
  );
  t.end();
});

t.test("times before the epoch and far beyond 64 bits of nanoseconds are exact", (t) => {
  const { folder, dir } = place(t, "/dev/shm");
  const times = { past: "-5.25", "far past": "-9000000000000000000", far: "9000000000000000000.5", zero: "0" };
  for (const [name, seconds] of Object.entries(times)) {
    const { status, stderr } = spawnSync("touch", ["-d", `@${seconds}`, path.join(folder, name)], {
      env: { PATH: process.env["PATH"] },
    });
    if (status !== 0) throw new Error(stderr.toString());
  }
  t.equal(statx(dir, "past", 0).mtime, -5_250_000_000n);
  t.equal(statx(dir, "far past", 0).mtime, -9_000_000_000_000_000_000n * 1_000_000_000n);
  t.equal(statx(dir, "far", 0).mtime, 9_000_000_000_000_000_000n * 1_000_000_000n + 500_000_000n);
  t.equal(statx(dir, "zero", 0).mtime, 0n);
  t.end();
});

t.test("extended attributes hold any bytes up to 64 KiB and are listed by name", (t) => {
  const { dir } = place(t, "/dev/shm");
  const fd = openBeneath(dir, "file", fs.O_RDWR | fs.O_CREAT, 0o600);
  t.strictSame(flistxattr(fd), []);
  const largest = new Uint8Array(65536).fill(7);
  fsetxattr(fd, "trusted.largest", largest, constants.XATTR_CREATE);
  fsetxattr(fd, "trusted.empty", new Uint8Array(0), 0);
  fsetxattr(fd, Buffer.concat([Buffer.from("trusted."), raw]), Buffer.from("bytes \0 inside"), 0);
  t.strictSame(fgetxattr(fd, "trusted.largest"), largest);
  t.strictSame(fgetxattr(fd, "trusted.empty"), new Uint8Array(0));
  t.equal(Buffer.from(fgetxattr(fd, Buffer.concat([Buffer.from("trusted."), raw]))).toString(), "bytes \0 inside");
  t.strictSame(
    flistxattr(fd)
      .map((name) => Buffer.from(name).toString("latin1"))
      .sort(),
    ["trusted.empty", "trusted.f\xff\xfe ", "trusted.largest"],
  );
  const set = (name: Bytes, value: Uint8Array, flags: number): string =>
    outcome(() => {
      fsetxattr(fd, name, value, flags);
    });
  t.equal(set("trusted.empty", raw, constants.XATTR_CREATE), "EEXIST");
  t.equal(set("trusted.none", raw, constants.XATTR_REPLACE), "ENODATA");
  t.equal(set("trusted.over", new Uint8Array(65537), 0), "E2BIG");
  t.equal(set("nonsense", raw, 0), "EOPNOTSUPP");
  t.equal(set(`trusted.${"x".repeat(300)}`, raw, 0), "ERANGE");
  t.equal(set("trusted.empty", raw, constants.XATTR_REPLACE), "done");
  t.equal(
    outcome(() => fgetxattr(fd, "trusted.none")),
    "ENODATA",
  );
  fremovexattr(fd, "trusted.largest");
  t.equal(
    outcome(() => {
      fremovexattr(fd, "trusted.largest");
    }),
    "ENODATA",
  );
  t.equal(flistxattr(fd).length, 2);
  const pathOnly = openBeneath(dir, "file", O_PATH);
  for (const one of [pathOnly, closed]) {
    t.equal(
      outcome(() => flistxattr(one)),
      "EBADF",
    );
    t.equal(
      outcome(() => fgetxattr(one, "trusted.empty")),
      "EBADF",
    );
  }
  close(pathOnly);
  close(fd);
  t.end();
});

t.test("fsync takes a file and a directory, and refuses what cannot be written back", (t) => {
  const { dir } = place(t);
  const file = openBeneath(dir, "file", fs.O_RDWR | fs.O_CREAT, 0o600);
  t.equal(
    outcome(() => {
      fsync(file);
    }),
    "done",
  );
  t.equal(
    outcome(() => {
      fsync(dir);
    }),
    "done",
  );
  close(file);
  const pathOnly = openBeneath(dir, "file", O_PATH);
  t.equal(
    outcome(() => {
      fsync(pathOnly);
    }),
    "EBADF",
  );
  close(pathOnly);
  const device = openSync("/dev/null", "r") as Fd;
  t.equal(
    outcome(() => {
      fsync(device);
    }),
    "EINVAL",
  );
  closeSync(device);
  t.end();
});

t.test("a descriptor is closed once, and an owned one by its owner only", (t) => {
  const { dir } = place(t);
  const fd = openBeneath(dir, ".", O_PATH);
  close(fd);
  t.equal(
    outcome(() => {
      close(fd);
    }),
    "EBADF",
  );
  t.equal(
    outcome(() => {
      close(-1 as Fd);
    }),
    "EBADF",
  );

  const released = ((): Fd => {
    using owned = new OwnedFd(openBeneath(dir, ".", O_PATH));
    using kept = new OwnedFd(openBeneath(dir, ".", O_PATH));
    t.not(kept.fd, owned.fd);
    return owned.release();
  })();
  t.equal(
    outcome(() => {
      close(released);
    }),
    "done",
    "release handed it on",
  );
  const owned = new OwnedFd(openBeneath(dir, ".", O_PATH));
  const number = owned.fd;
  owned[Symbol.dispose]();
  owned[Symbol.dispose]();
  t.throws(() => owned.fd, /after it was released/u);
  t.throws(() => owned.release(), /after it was released/u);
  t.equal(
    outcome(() => {
      close(number);
    }),
    "EBADF",
  );
  t.end();
});
