import t from "tap";
import { fixture, run } from "./child.ts";

/** What each step of mount.fixture.ts says, in a mount namespace of its own. */
async function steps(): Promise<Record<string, unknown>> {
  const end = await run(["unshare", "--mount", "--propagation", "private", "--", ...fixture("mount.fixture.ts")]);
  if (end.status !== 0) throw new Error(end.stderr);
  return JSON.parse(end.stdout) as Record<string, unknown>;
}

const said = await steps();

t.test("a file system is mounted with its options, and unmounted", (t) => {
  t.match(said["tmpfs"], /^tmpfs rw,nosuid,nodev,.*size=64k,mode=751/u);
  t.equal(said["mode"], 0o751);
  t.equal(said["mount id changed"], true);
  t.equal(said["unmounted"], "nothing");
  t.end();
});

t.test("a bind shows the same files, and can be made read-only while its source stays writable", (t) => {
  t.equal(said["bound"], "content");
  t.equal(said["write through the read-only bind"], "EROFS");
  t.equal(said["write at the source"], "done");
  t.equal(said["write when cleared"], "done");
  t.equal(said["remounted read-only"], "EROFS");
  t.end();
});

t.test("attributes hold for one mount, or for all below with AT_RECURSIVE", (t) => {
  t.equal(said["below, not recursive"], "done");
  t.equal(said["below, recursive"], "EROFS");
  t.equal(said["by descriptor"], "EROFS");
  t.equal(said["noexec"], "EACCES");
  t.equal(said["exec again"], "done");
  t.end();
});

t.test("propagation is changed", (t) => {
  t.match(said["made shared"], /^shared:\d+$/u);
  t.equal(said["made private"], "-");
  t.end();
});

t.test("a busy mount stays until it is detached", (t) => {
  t.equal(said["busy"], "EBUSY");
  t.equal(said["detached"], "done");
  t.equal(said["what was open"], "content");
  t.end();
});

t.test("a mount that cannot be says why", (t) => {
  t.strictSame(said["errors"], {
    "no such type": "ENODEV",
    "no such target": "ENOENT",
    "no source to bind": "EINVAL",
    "bad option": "EINVAL",
    "not mounted": "EINVAL",
    "no such path": "ENOENT",
    "bad flags": "EINVAL",
    "no mount here": "EINVAL",
    "bad attribute": "EINVAL",
    "bad descriptor": "EBADF",
  });
  t.end();
});

t.test("names of any bytes are mounted on", (t) => {
  t.equal(said["raw name"], "done");
  t.end();
});
