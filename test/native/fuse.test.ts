import { execFileSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import path from "node:path";
import t from "tap";

const { ENODEV, EPERM } = constants.errno;
const skip = process.getuid?.() === 0 ? false : "mounting needs root";

t.test("requests of a mount are read and answered, and its end is told", { skip }, (t) => {
  const target = mkdtempSync(path.join(tmpdir(), "cortexfs-fuse-"));
  t.teardown(() => {
    rmdirSync(target);
  });
  const fixture = path.join(import.meta.dirname, "fuse.fixture.ts");
  const conditions = process.execArgv.filter((argument) => argument.startsWith("--conditions"));
  const answers = execFileSync("unshare", ["--mount", process.execPath, ...conditions, fixture, target], {
    timeout: 60_000,
  });
  t.same(answers.toString().trim().split("\n"), [
    `before the mount -${String(EPERM)}`,
    "4711 755",
    "seen true true",
    `after the mount -${String(ENODEV)}`,
  ]);
  t.end();
});
