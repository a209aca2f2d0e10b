import fc from "fast-check";
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import t from "tap";
import {
  EXECUTE,
  groupOfNew,
  mayGive,
  mayRemove,
  owns,
  permits,
  READ,
  settableMode,
  WRITE,
  withoutSetid,
  type Credentials,
} from "../../../../services/fuse/rules/access.ts";
import { FileFacts } from "../../../../services/fuse/rules/attributes.ts";

const DIRECTORY = 0o040000;
const REGULAR = 0o100000;

function caller(uid: number, gid: number, ...groups: number[]): Credentials {
  return { uid, gid, isMember: (wanted) => groups.includes(wanted) };
}

function file(mode: number, uid: number, gid: number): FileFacts {
  return Object.assign(new FileFacts(), { mode, uid, gid });
}

t.test("the answer is the kernel's, for every class of caller and every mode", { skip: notRoot() }, (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "cortexfs-access-"));
  t.teardown(() => {
    rmSync(folder, { recursive: true });
  });
  chmodSync(folder, 0o755);
  const modes = [0, 0o400, 0o040, 0o004, 0o200, 0o020, 0o002, 0o111, 0o700, 0o070, 0o007, 0o604, 0o640, 0o064, 0o751];
  for (const mode of modes) {
    const name = path.join(folder, mode.toString(8));
    writeFileSync(name, "");
    chownSync(name, 1001, 2001);
    chmodSync(name, mode);
  }
  // One process per kind of caller asks access(2) for each file and each of the seven rights.
  const script =
    "import os,sys\nfor m in sys.argv[2:]:\n  print(m, *[int(os.access(os.path.join(sys.argv[1],m),b)) for b in range(1,8)])";
  for (const [uid, gid, groups] of [
    [1001, 9, []],
    [1001, 2001, []],
    [1002, 2001, []],
    [1002, 9, [2001, 5]],
    [1002, 9, [5]],
    [0, 0, []],
  ] as const) {
    const args = [`--reuid=${String(uid)}`, `--regid=${String(gid)}`];
    args.push(groups.length === 0 ? "--clear-groups" : `--groups=${groups.join(",")}`);
    const answers = execFileSync("setpriv", [
      ...args,
      "/usr/bin/python3",
      "-c",
      script,
      folder,
      ...modes.map((mode) => mode.toString(8)),
    ]);
    for (const line of answers.toString().trim().split("\n")) {
      const [mode = "", ...rights] = line.split(" ");
      const facts = file(REGULAR | parseInt(mode, 8), 1001, 2001);
      const ours = [1, 2, 3, 4, 5, 6, 7].map((wanted) =>
        String(Number(permits(caller(uid, gid, ...groups), facts, wanted))),
      );
      t.same(ours, rights, `${String(uid)}:${String(gid)}+${groups.join(",")} on ${mode}`);
    }
  }
  t.end();
});

function notRoot(): string | false {
  return process.getuid?.() === 0 ? false : "it runs programs as other users, which needs root";
}

t.test("supplementary groups are asked for only where the answer hangs on them", (t) => {
  const asked: number[] = [];
  const who: Credentials = {
    uid: 5,
    gid: 6,
    isMember(gid) {
      asked.push(gid);
      return true;
    },
  };
  t.ok(permits(who, file(REGULAR | 0o644, 1, 7), READ));
  t.notOk(permits(who, file(REGULAR | 0o600, 1, 7), READ));
  t.same(asked, []);
  t.ok(permits(who, file(REGULAR | 0o640, 1, 7), READ));
  t.same(asked, [7]);
  t.notOk(permits(who, file(REGULAR | 0o604, 1, 7), READ), "a member whose group may less than the others");
  t.end();
});

t.test("whose groups cannot be learned may only what members and others both may", (t) => {
  const who: Credentials = { uid: 5, gid: 6, isMember: () => undefined };
  t.notOk(permits(who, file(REGULAR | 0o604, 1, 7), READ), "or a group that is shut out would be let in");
  t.notOk(permits(who, file(REGULAR | 0o640, 1, 7), READ));
  t.ok(permits(who, file(REGULAR | 0o644, 1, 7), READ));
  t.notOk(mayGive(who, file(REGULAR, 5, 6), undefined, 7));
  t.equal(settableMode(who, file(DIRECTORY, 5, 7), 0o2775), 0o775);
  t.end();
});

t.test("an entry of a sticky directory is removed by its owner, the directory's owner and root", (t) => {
  const sticky = file(DIRECTORY | 0o1777, 10, 10);
  const entry = file(REGULAR | 0o666, 20, 20);
  t.ok(mayRemove(caller(10, 1), sticky, entry));
  t.ok(mayRemove(caller(20, 1), sticky, entry));
  t.ok(mayRemove(caller(0, 0), sticky, entry));
  t.notOk(mayRemove(caller(30, 1), sticky, entry));
  t.ok(mayRemove(caller(30, 1), file(DIRECTORY | 0o777, 10, 10), entry));
  t.notOk(mayRemove(caller(20, 1), file(DIRECTORY | 0o755, 10, 10), entry));
  t.end();
});

t.test("only the owner and root change mode and group, and only root the owner", (t) => {
  const facts = file(REGULAR | 0o644, 10, 11);
  t.ok(owns(caller(10, 1), facts));
  t.ok(owns(caller(0, 0), facts));
  t.notOk(owns(caller(12, 11), facts));
  t.ok(mayGive(caller(0, 0), facts, 77, 77));
  t.notOk(mayGive(caller(10, 1), facts, 77, undefined));
  t.ok(mayGive(caller(10, 1), facts, 10, 11), "what it has already");
  t.ok(mayGive(caller(10, 1, 5), facts, undefined, 5));
  t.notOk(mayGive(caller(10, 1), facts, undefined, 5));
  t.notOk(mayGive(caller(12, 11, 5), facts, undefined, 5));
  t.end();
});

t.test("no file ever has setuid or setgid, a directory has setgid from its group's members only", (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0o7777 }), fc.constantFrom(0, 10, 12), (mode, uid) => {
      const ofFile = settableMode(caller(uid, 11), file(REGULAR, 10, 11), mode);
      const ofDirectory = settableMode(caller(uid, 9), file(DIRECTORY, 10, 11), mode);
      return (
        ofFile === (mode & 0o1777) &&
        (ofDirectory & 0o4000) === 0 &&
        (uid === 0 ? (ofDirectory & 0o2000) === (mode & 0o2000) : (ofDirectory & 0o2000) === 0) &&
        (ofDirectory & 0o1777) === (mode & 0o1777)
      );
    }),
  );
  t.equal(settableMode(caller(10, 11), file(DIRECTORY, 10, 11), 0o2775), 0o2775);
  t.end();
});

t.test("root may do everything but run what nobody may run", (t) => {
  t.ok(permits(caller(0, 0), file(REGULAR, 10, 10), READ | WRITE));
  t.notOk(permits(caller(0, 0), file(REGULAR | 0o666, 10, 10), EXECUTE));
  t.ok(permits(caller(0, 0), file(REGULAR | 0o001, 10, 10), EXECUTE));
  t.ok(permits(caller(0, 0), file(DIRECTORY, 10, 10), EXECUTE));
  t.end();
});

t.test("what is made in a setgid directory has its group", (t) => {
  t.equal(groupOfNew(caller(10, 1), file(DIRECTORY | 0o2775, 0, 42)), 42);
  t.equal(groupOfNew(caller(10, 1), file(DIRECTORY | 0o775, 0, 42)), 1);
  t.end();
});

t.test("a write clears setuid, and setgid of what its group may execute", (t) => {
  t.equal(withoutSetid(0o6755), 0o755);
  t.equal(withoutSetid(0o6745), 0o2745);
  t.end();
});
