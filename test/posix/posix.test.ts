import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import t from "tap";

const CHECKS = path.join(import.meta.dirname, "checks.py");
const FEWEST_CHECKS = 28;
const LOOP_MOUNT = 'mount -o loop "$image" "$mount"';
const IMAGE_BYTES = 128 * 1024 * 1024;

interface Outcome {
  readonly name: string;
  readonly outcome: "ok" | "differs";
  readonly detail: string;
}

interface Target {
  readonly title: string;
  /** Shell commands that mount the target on `$mount`; they run as root in a mount namespace of the target's own. */
  readonly mount: string;
  /** Why an outcome may be other than ext4's, by the check's name. An entry that no longer applies fails the test. */
  readonly differences: Readonly<Record<string, string>>;
}

/** The file systems compared with ext4, outcome by outcome. */
const TARGETS: readonly Target[] = [
  {
    title: "ramfs",
    mount: 'mount -t ramfs ramfs "$mount"',
    differences: {
      "telldir and seekdir keep their place while entries are removed": "its offsets count the entries still there",
      "fallocate grows a file with zeros and keeps its data": "it has no fallocate",
      "SEEK_DATA and SEEK_HOLE find data and the end": "it takes every byte before the end for data",
      "user attributes are set, listed, read and removed": "it has no user attributes",
    },
  },
];

function parse(line: string): Outcome {
  const value: unknown = JSON.parse(line);
  if (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    typeof value.name === "string" &&
    "outcome" in value &&
    (value.outcome === "ok" || value.outcome === "differs") &&
    "detail" in value &&
    typeof value.detail === "string"
  ) {
    return { name: value.name, outcome: value.outcome, detail: value.detail };
  }
  throw new TypeError(`not an outcome: ${line}`);
}

/** Why this machine does not let root mount the image by loop; undefined when it does. */
function loopRefusal(environment: Readonly<Record<string, string>>): string | undefined {
  const trial = spawnSync("unshare", ["--mount", "--", "sh", "-c", LOOP_MOUNT], {
    env: { ...process.env, ...environment },
    encoding: "utf8",
  });
  if (trial.error !== undefined) throw trial.error;
  return trial.status === 0 ? undefined : trial.stderr.trim();
}

/** Mounts a target and runs every check on it; the mount ends with its namespace. Throws if the mount fails. */
function outcomesOn(mount: string, environment: Readonly<Record<string, string>>): Outcome[] {
  const script = `set -eu; ${mount}; chmod 755 "$mount"; mkdir "$mount/checks"; exec python3 "$checks" "$mount/checks"`;
  const output = execFileSync("unshare", ["--mount", "--", "sh", "-c", script], {
    env: { ...process.env, ...environment, checks: CHECKS },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    timeout: 60_000,
  });
  return output.trimEnd().split("\n").map(parse);
}

const directory = mkdtempSync(path.join(tmpdir(), "posix-"));
t.teardown(() => {
  rmSync(directory, { recursive: true });
});
chmodSync(directory, 0o755);
const mountPoint = mkdtempSync(path.join(directory, "mount-"));
chmodSync(mountPoint, 0o755);
const image = path.join(directory, "image");
writeFileSync(image, "");
truncateSync(image, IMAGE_BYTES);
execFileSync("mkfs.ext4", ["-q", "-F", "-E", "lazy_itable_init=0", image]);

const refusal = loopRefusal({ image, mount: mountPoint });
if (refusal !== undefined) {
  t.comment(`no loop mount (${refusal}): the reference is the file system of ${tmpdir()}, not a fresh ext4`);
}
const reference = refusal === undefined ? "ext4 on a fresh image" : "the machine's own file system";
const ext4 = outcomesOn(refusal === undefined ? LOOP_MOUNT : ":", { image, mount: mountPoint });

t.test(`${reference} keeps every rule that is checked`, (t) => {
  t.ok(ext4.length >= FEWEST_CHECKS, `${String(ext4.length)} checks ran`);
  t.equal(new Set(ext4.map(({ name }) => name)).size, ext4.length, "each has a name of its own");
  for (const { name, outcome, detail } of ext4) t.equal(outcome, "ok", `${name} ${detail}`.trimEnd());
  t.end();
});

for (const { title, mount, differences } of TARGETS) {
  t.test(`${title} has the outcomes of ${reference}, except where a difference is explained`, (t) => {
    const outcomes = new Map(outcomesOn(mount, { mount: mountPoint }).map((outcome) => [outcome.name, outcome]));
    t.same(
      [...outcomes.keys()],
      ext4.map(({ name }) => name),
      "the same checks ran",
    );
    for (const { name, outcome } of ext4) {
      const here = outcomes.get(name);
      const reason = differences[name];
      if (reason === undefined) t.equal(here?.outcome, outcome, `${name} ${here?.detail ?? ""}`.trimEnd());
      else t.not(here?.outcome, outcome, `${name} differs: ${reason}`);
    }
    const known = new Set(ext4.map(({ name }) => name));
    t.same(
      Object.keys(differences).filter((name) => !known.has(name)),
      [],
      "each difference is of a check",
    );
    t.end();
  });
}
