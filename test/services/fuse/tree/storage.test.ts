import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import t, { type Test } from "tap";
import type { Fd } from "../../../../native/index.ts";
import { StartError } from "../../../../services/frame/start-error.ts";
import { commitFile, type CommitTarget } from "../../../../services/fuse/tree/commit.ts";
import { Storage } from "../../../../services/fuse/tree/storage.ts";

if (process.getuid?.() !== 0) t.plan(0, "the storage is root's");

function place(t: Test): string {
  const folder = mkdtempSync(path.join(tmpdir(), "cortexfs-storage-"));
  t.teardown(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

const descriptors = (): number => readdirSync("/proc/self/fd").length;

const refusal = (folder: string): string => {
  try {
    new Storage(folder)[Symbol.dispose]();
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
  return "";
};

t.test("an empty directory becomes a storage, and opening it again changes nothing", (t) => {
  const folder = place(t);
  const before = descriptors();
  for (let round = 0; round < 2; round++) {
    using storage = new Storage(folder);
    t.equal(storage.generation, 1);
    t.notOk(storage.isReadOnly);
    t.same(readdirSync(folder).sort(), ["current", "generations", "home", "orphans", "shared", "staging"]);
    t.same(readdirSync(path.join(folder, "current")).sort(), ["agent", "bin", "model", "tool"]);
    t.equal(readlinkSync(path.join(folder, "current")), "generations/1");
    t.equal(statSync(path.join(folder, "shared")).mode & 0o7777, 0o1777);
    t.equal(statSync(path.join(folder, "shared/cortexfs-docs")).mode & 0o7777, 0o755);
    t.equal(statSync(path.join(folder, "home")).mode & 0o7777, 0o755);
    chmodSync(path.join(folder, "home"), 0o755);
  }
  t.equal(descriptors(), before);
  t.end();
});

t.test("what a crash left of the first generation is completed", (t) => {
  const folder = place(t);
  mkdirSync(path.join(folder, "generations/1/bin"), { recursive: true });
  using storage = new Storage(folder);
  t.equal(storage.generation, 1);
  t.same(readdirSync(path.join(folder, "current")).sort(), ["agent", "bin", "model", "tool"]);
  t.end();
});

t.test("another generation is served from one rename on", (t) => {
  const folder = place(t);
  using storage = new Storage(folder);
  t.throws(() => {
    storage.switchTo(2);
  }, StartError);
  t.equal(storage.generation, 1, "one that is not there changes nothing");
  storage.lay(2);
  writeFileSync(path.join(folder, "generations/2/bin/ctx"), "");
  storage.switchTo(2);
  t.equal(storage.generation, 2);
  t.same(readdirSync(`/proc/self/fd/${String(storage.part("bin"))}`), ["ctx"]);
  symlinkSync("generations/1", path.join(folder, "current.new"));
  storage.switchTo(1);
  t.equal(storage.generation, 1, "what a crash left in the way is replaced");
  t.end();
});

t.test("a storage that is not root's alone, missing, behind a link or broken is refused with a sentence", (t) => {
  const folder = place(t);
  t.match(refusal(path.join(folder, "missing")), "ENOENT");
  symlinkSync(folder, path.join(folder, "link"));
  t.match(refusal(path.join(folder, "link")), /ELOOP|ENOTDIR/u);
  unlinkSync(path.join(folder, "link"));
  chmodSync(folder, 0o750);
  t.match(refusal(folder), "chmod 700");
  chmodSync(folder, 0o700);
  chownSync(folder, 1001, 0);
  t.match(refusal(folder), "chown root");
  chownSync(folder, 0, 0);
  t.equal(refusal(folder), "");
  const before = descriptors();
  const current = path.join(folder, "current");
  for (const target of ["/etc", "generations/0", "generations/../../etc", "generations/7"]) {
    unlinkSync(current);
    symlinkSync(target, current);
    t.match(refusal(folder), target === "generations/7" ? "no directory" : "does not lead to", target);
  }
  unlinkSync(current);
  mkdirSync(current);
  t.match(refusal(folder), "does not lead to");
  t.equal(descriptors(), before, "nothing stays open");
  t.end();
});

t.test("a part that is a link is not followed", (t) => {
  const folder = place(t);
  t.equal(refusal(folder), "");
  for (const name of ["home", "orphans"]) {
    rmSync(path.join(folder, name), { recursive: true });
    symlinkSync("/etc", path.join(folder, name));
    t.match(refusal(folder), `"${name}"`);
    unlinkSync(path.join(folder, name));
    mkdirSync(path.join(folder, name));
  }
  t.end();
});

t.test("a read-only storage is served as it is, and an empty one cannot be", (t) => {
  const script = `
    const { Storage } = await import(process.argv[2]);
    try { const s = new Storage(process.argv[1]); console.log(s.isReadOnly, s.generation); } catch (e) { console.log(e.name); }`;
  const run = (folder: string): string =>
    execFileSync("unshare", [
      "--mount",
      "sh",
      "-euc",
      'mount --bind "$1" "$1"; mount -o remount,ro,bind "$1"; exec "$0" --input-type=module -e "$2" "$1" "$3"',
      process.execPath,
      folder,
      script,
      path.join(import.meta.dirname, "../../../../services/fuse/tree/storage.ts"),
    ])
      .toString()
      .trim();
  const folder = place(t);
  t.equal(run(folder), "StartError");
  t.equal(refusal(folder), "");
  t.equal(run(folder), "true 1");
  t.end();
});

t.test("a committed file is whole, dressed, and leaves nothing in the staging", (t) => {
  const folder = place(t);
  using storage = new Storage(folder);
  const target: CommitTarget = { directory: storage.part("agent"), name: "policy", uid: 1001, gid: 1002, mode: 0o640 };
  const name = path.join(folder, "current/agent/policy");
  writeFileSync(name, "old\n");
  const old = openSync(name, "r");
  writeFileSync(path.join(folder, "staging/1"), "left by a crash, and longer");
  commitFile(storage.staging, "1", Buffer.from("new\n"), target);
  t.equal(readFileSync(name, "latin1"), "new\n");
  t.equal(readFileSync(old, "latin1"), "old\n", "whoever had it open keeps what was");
  closeSync(old);
  const { uid, gid, mode } = statSync(name);
  t.same([uid, gid, mode & 0o7777], [1001, 1002, 0o640]);
  t.same(readdirSync(path.join(folder, "staging")), []);
  t.end();
});

t.test("what cannot be committed leaves the old content", (t) => {
  const folder = place(t);
  using storage = new Storage(folder);
  const name = path.join(folder, "current/agent/policy");
  writeFileSync(name, "old\n");
  const target: CommitTarget = { directory: storage.part("agent"), name: "policy", uid: 0, gid: 0, mode: 0o644 };
  t.throws(
    () => {
      commitFile(storage.staging, "1", Buffer.from("new\n"), { ...target, directory: -1 as Fd });
    },
    { code: "EBADF" },
  );
  t.equal(readFileSync(name, "latin1"), "old\n");
  t.ok(existsSync(path.join(folder, "staging/1")), "the next commit of that name replaces it");
  t.end();
});
