import fc from "fast-check";
import { constants } from "node:os";
import t from "tap";
import {
  refuseLinking,
  refuseMaking,
  refuseMoving,
  refuseRemoving,
  refuseRmdir,
  refuseWriting,
} from "../../../../services/fuse/rules/change.ts";
import { placeIn, ROOT, ROOT_NAMES, type Place } from "../../../../services/fuse/rules/place.ts";

const { EINVAL, EPERM, EROFS, EXDEV } = constants.errno;

function find(path: string): Place | undefined {
  let place: Place | undefined = ROOT;
  for (const name of path.split("/").filter(Boolean)) place = place && placeIn(place, name);
  return place;
}

function at(path: string): Place {
  const place = find(path);
  if (place === undefined) throw new Error(`${path} is no place`);
  return place;
}

t.test("every path has its place", (t) => {
  const places: Readonly<Record<string, string>> = {
    "": "root",
    status: "status",
    bin: "objects",
    "bin/ctx": "object",
    tool: "objects",
    "tool/fs.read": "object",
    "tool/fs.read.d": "controls",
    "tool/fs.read.d/policy": "control",
    "tool/fs.read.d/hooks/pre.d/10-check": "hook",
    "tool/fs.read.d/inbox": "mailbox",
    "tool/fs.read.d/inbox/a.req.json": "letter",
    "tool/fs.read.d/junk": "scratch",
    "agent/coder.sock": "object",
    "tool/fs.read.d/status": "fixed control",
    "tool/fs.read.d/config": "scratch",
    "tool/tsh.d/config": "control",
    "agent/coder.d/owner": "fixed control",
    "agent/coder.d/policy.new": "scratch",
    "agent/coder.d/inbox": "scratch",
    "model/main": "objects",
    "model/debug/echo": "object",
    "model/debug/echo.d/effort": "control",
    "model/debug/echo.d/limit": "fixed control",
    "home/1000": "home",
    "home/1000/.tshrc": "user tier",
    "home/1000/tool/mine.d/policy": "user tier",
    "home/1000/agent": "agent homes",
    "home/1000/agent/coder": "agent home",
    "home/1000/agent/coder/data/deep/er": "agent data",
    "home/1000/agent/coder/session/default/events.jsonl": "session record",
    shared: "spaces",
    "shared/project-a": "space",
    "shared/project-a/agent/coder/session/x": "shared",
  };
  for (const [path, kind] of Object.entries(places)) t.equal(find(path)?.kind, kind, `/${path}`);
  const nowhere = [
    "provider",
    "home/01",
    "home/op",
    "home/4294967295",
    "home/-1",
    "shared/.hidden",
    "status/x",
    "bin/ctx/x",
  ];
  nowhere.push("tool/fs.read.d/hooks/other.d", "agent/coder.d/policy/x", "home/1000/agent/a b");
  for (const path of nowhere) t.equal(find(path), undefined, `/${path}`);
  t.end();
});

t.test("any bytes as names lead to a place or nowhere, never further", (t) => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ROOT_NAMES),
      fc.array(fc.string({ unit: "binary", minLength: 1 }), { maxLength: 6 }),
      (top, names) => {
        let place = placeIn(ROOT, top);
        for (const name of names) place = place && placeIn(place, name);
        return place === undefined || place.area.length > 0;
      },
    ),
  );
  t.end();
});

t.test("nothing is linked, moved or exchanged from one area to another", (t) => {
  const areas = [
    "agent/coder.d/draft",
    "agent/other.d/draft",
    "home/1000/notes",
    "home/1001/notes",
    "home/1000/agent/coder/data",
    "home/1000/agent/other/data",
    "home/1000/agent/coder/session/s",
    "home/1000/agent/other/session/s",
    "shared/a/x",
    "shared/b/x",
    "tool/t.d/inbox/x",
    "tool/t.d/outbox/x",
  ];
  for (const from of areas) {
    for (const to of areas) {
      const expected = from === to ? 0 : EXDEV;
      t.equal(refuseMoving(at(from), at(to), false), expected, `${from} → ${to}`);
      t.equal(refuseMoving(at(from), at(to), true), expected);
      if (from !== to) t.equal(refuseLinking(at(from), at(to)), EXDEV);
    }
  }
  t.end();
});

t.test("a control takes what replaces it and gives nothing away", (t) => {
  const control = at("agent/coder.d/policy");
  const scratch = at("agent/coder.d/policy.new");
  t.equal(refuseMoving(scratch, control, false), 0);
  t.equal(refuseMoving(scratch, control, true), EROFS, "an exchange would take the old one away");
  t.equal(refuseMoving(control, scratch, false), EROFS);
  t.equal(refuseRemoving(control), EROFS);
  t.equal(refuseRemoving(scratch), 0);
  t.equal(refuseLinking(control, scratch), EPERM);
  t.equal(refuseLinking(scratch, control), EPERM);
  t.equal(refuseLinking(scratch, at("agent/coder.d/b")), EPERM);
  t.end();
});

t.test("what is set once or derived is nobody's to write, replace, make or remove", (t) => {
  const scratch = at("agent/coder.d/draft");
  for (const name of ["owner", "uid", "gid", "groups", "label", "iso", "parent", "life", "root", "abi"]) {
    t.equal(at(`agent/coder.d/${name}`).kind, "fixed control", name);
  }
  for (const name of ["status", "pid", "log", "meta.json", "owner", "uid"]) {
    const fixed = at(`agent/coder.d/${name}`);
    t.equal(refuseWriting(fixed), EROFS, name);
    t.equal(refuseMoving(scratch, fixed, false), EROFS);
    t.equal(refuseMoving(fixed, scratch, false), EROFS);
    t.equal(refuseMaking(at("agent/coder.d"), fixed, name, "file"), EROFS);
    t.equal(refuseRemoving(fixed), EROFS);
    t.equal(refuseLinking(fixed, scratch), EPERM);
  }
  for (const path of ["", "status", "bin/ctx", "agent/coder", "tool/fs.read", "home", "tool/fs.read.d/junk"]) {
    t.equal(refuseWriting(at(path)), EROFS, `/${path}`);
  }
  for (const path of ["agent/coder.d/policy", "agent/coder.d/draft", "tool/t.d/inbox/a", "home/1", "shared/p/x"]) {
    t.equal(refuseWriting(at(path)), 0, `/${path}`);
  }
  t.end();
});

t.test("what may be made where", (t) => {
  const make = (directory: string, name: string, made: "file" | "directory" | "symlink" | "special"): number =>
    refuseMaking(at(directory), placeIn(at(directory), name), name, made);
  for (const directory of ["", "bin", "tool", "agent", "model", "model/debug", "home", "tool/t.d/hooks"]) {
    for (const made of ["file", "directory", "symlink", "special"] as const) {
      t.equal(make(directory, "x", made), EROFS, `${made} in /${directory}`);
    }
  }
  t.equal(make("agent/coder.d", "draft", "file"), 0);
  t.equal(make("agent/coder.d", "policy", "file"), 0);
  t.equal(make("agent/coder.d", "draft", "directory"), EROFS);
  t.equal(make("agent/coder.d", "draft", "symlink"), EROFS);
  t.equal(make("tool/t.d", "draft", "file"), EROFS);
  t.equal(make("tool/t.d", "policy", "file"), 0);
  t.equal(make("tool/t.d/inbox", "a", "file"), 0);
  t.equal(make("tool/t.d/inbox", "a", "symlink"), EROFS);
  t.equal(make("shared", "project", "directory"), 0);
  t.equal(make("shared", "project.sock", "directory"), EINVAL);
  t.equal(make("shared", "project", "file"), EPERM);
  t.equal(make("shared", "project", "symlink"), EPERM);
  t.equal(make("home/1000/agent", "coder", "directory"), 0);
  t.equal(make("home/1000/agent", "co der", "directory"), EINVAL);
  for (const directory of [
    "home/1000",
    "home/1000/x",
    "home/1000/agent/a",
    "home/1000/agent/a/data",
    "shared/p",
    "shared/p/q",
  ]) {
    for (const made of ["file", "directory", "symlink"] as const) t.equal(make(directory, "x", made), 0);
    t.equal(make(directory, "x", "special"), EPERM);
  }
  t.end();
});

t.test("directories are removed below a home and below a space, and nowhere else", (t) => {
  for (const path of ["home/1/a", "home/1/agent/x", "home/1/agent/x/data", "home/1/agent/x/session/s", "shared/p/q"]) {
    t.equal(refuseRmdir(at(path)), 0, path);
  }
  for (const path of [
    "bin",
    "home",
    "home/1",
    "shared",
    "shared/p",
    "agent/a.d",
    "agent/a.d/hooks",
    "tool/t.d/inbox",
  ]) {
    t.equal(refuseRmdir(at(path)), EROFS, path);
  }
  t.end();
});
