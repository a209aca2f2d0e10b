/**
 * `./dev test [KIND…]`: runs tap over the files of each kind, shows a line per file, every comment a test prints, every
 * skip with its reason and the whole output of what failed, and ends with one line `N passed, N failed`.
 */
import { execFileSync, spawn } from "node:child_process";
import { globSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";

const root = path.join(import.meta.dirname, "..");

interface Run {
  readonly title: string;
  readonly files: readonly string[];
  readonly args?: readonly string[];
  /** A command that must succeed first. */
  readonly before?: readonly [string, ...string[]];
  readonly environment?: Readonly<Record<string, string>>;
}

const KINDS = ["unit", "wire", "posix", "boot", "faults", "soak"] as const;
type Kind = (typeof KINDS)[number];

function byDefault(): Run[] {
  return [
    ...runsOf("unit"),
    ...runsOf("wire"),
    ...runsOf("posix"),
    { title: "faults, a few", files: filesOf("faults") },
    ...runsOf("boot"),
  ];
}

/** Tests of the addon, and what calls it most, run again under AddressSanitizer and UBSan. */
function sanitized(files: readonly string[]): Run {
  const library = (name: string): string => globSync(`/usr/lib/gcc/*/*/${name}`).at(-1) ?? name;
  return {
    title: "unit, under AddressSanitizer and UBSan",
    files,
    args: ["--node-arg=--conditions=sanitize"],
    environment: {
      LD_PRELOAD: `${library("libasan.so")}:${library("libubsan.so")}`,
      ASAN_OPTIONS: "detect_leaks=0:abort_on_error=1",
      UBSAN_OPTIONS: "print_stacktrace=1",
    },
  };
}

function filesOf(...folders: string[]): string[] {
  return globSync(
    folders.map((folder) => `test/${folder}/**/*.test.ts`),
    { cwd: root },
  ).sort();
}

function runsOf(kind: Kind): Run[] {
  switch (kind) {
    case "unit":
      return [
        { title: "unit", files: filesOf("abi", "native", "protocol", "services", "bench") },
        sanitized(filesOf("native", "protocol")),
      ];
    case "boot":
      // Built here once when there is none: minutes that no test's time-out should have to allow for.
      return [{ title: kind, files: filesOf(kind), before: ["test/boot/box", "base"] }];
    case "wire":
    case "posix":
      return [{ title: kind, files: filesOf(kind) }];
    case "faults":
      return [{ title: kind, files: filesOf(kind), environment: { CORTEXFS_SOAK: "1" } }];
    case "soak":
      return byDefault().map((run) => ({
        ...run,
        title: `${run.title} (full counts)`,
        environment: { ...run.environment, CORTEXFS_SOAK: "1" },
      }));
  }
}

interface Count {
  passed: number;
  failed: number;
  skipped: number;
  /** `file: test` of each that failed. */
  readonly failures: string[];
}

/** Reads tap's output as it comes: a test is a point one level inside a file's block. */
async function runTap(run: Run, count: Count): Promise<void> {
  process.stdout.write(`\n# ${run.title}\n`);
  const started = Date.now();
  if (run.before !== undefined) {
    const [command, ...args] = run.before;
    execFileSync(command, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  }
  const seconds = run.environment?.["CORTEXFS_SOAK"] === "1" ? 7200 : 300;
  const args = ["run", "--reporter=tap", `--timeout=${String(seconds)}`, ...(run.args ?? []), ...run.files];
  const tap = spawn("tap", args, {
    cwd: root,
    env: { ...process.env, ...run.environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = new Promise<number | null>((resolve) => tap.on("close", resolve));
  let block: string[] = [];
  let tests = 0;
  let failedHere: string[] = [];
  for await (const line of createInterface({ input: tap.stdout })) {
    block.push(line);
    const point = /^( {4})?(not )?ok \d+ - (.*?)(?: # (?:time=.*|(SKIP|TODO)\b ?(.*)))?(?: \{)?$/u.exec(line);
    if (point !== null) {
      const [, inside, not, name = "", directive, reason = ""] = point;
      if (inside !== undefined) {
        tests++;
        if (directive !== undefined) {
          count.skipped++;
          process.stdout.write(`skip  ${name}: ${reason.replace(/ ?# ?time=.*$/u, "") || "no reason given"}\n`);
        } else if (not === undefined) {
          count.passed++;
        } else {
          count.failed++;
          failedHere.push(name);
        }
      } else {
        const bad = not !== undefined;
        // A file that failed outside any test (it did not load, it died) is a failure of its own.
        if (bad && failedHere.length === 0) {
          count.failed++;
          failedHere.push("did not load, died or hung");
        }
        count.failures.push(...failedHere.map((test) => `${name}: ${test}`));
        process.stdout.write(bad ? `${block.join("\n")}\nFAIL  ${name}\n` : `ok    ${name} (${String(tests)})\n`);
        block = [];
        tests = 0;
        failedHere = [];
      }
    } else if (/^ +# (?!Subtest|time=|no tests found)/u.test(line)) {
      process.stdout.write(`      ${line.trim()}\n`);
    }
  }
  const status = await exit;
  process.stdout.write(`# ${((Date.now() - started) / 1000).toFixed(0)} s\n`);
  if (status !== 0 && count.failed === 0) {
    count.failed++;
    process.stdout.write(`${block.join("\n")}\nFAIL  tap itself ended with ${String(status)}\n`);
  }
}

const asked = process.argv.slice(2);
for (const kind of asked) {
  if (!(KINDS as readonly string[]).includes(kind)) {
    process.stderr.write(`dev: no tests of the kind "${kind}"; there are: ${KINDS.join(", ")}\n`);
    process.exit(64);
  }
}

const count: Count = { passed: 0, failed: 0, skipped: 0, failures: [] };
const started = Date.now();
for (const run of asked.length === 0 ? byDefault() : (asked as Kind[]).flatMap(runsOf)) await runTap(run, count);

const seconds = ((Date.now() - started) / 1000).toFixed(0);
const skipped = count.skipped === 0 ? "" : `, ${String(count.skipped)} skipped`;
const summary = `${String(count.passed)} passed, ${String(count.failed)} failed${skipped}`;
for (const failure of count.failures) process.stdout.write(`\nFAILED ${failure}`);
process.stdout.write(`\n# ${seconds} s\n${summary}\n`);
process.exitCode = count.failed === 0 ? 0 : 1;
