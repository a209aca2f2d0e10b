import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import t from "tap";
import { after, fixture, run, temporaryFolder } from "./child.ts";

/**
 * Runs execve.fixture.ts with its request. It inherits descriptors 100 to 102, not close-on-exec, and SIGHUP and
 * SIGUSR1 ignored; it opens everything up to 111 itself.
 */
function execve(request: {
  path: string;
  argv?: string[];
  environment?: string[];
  keep?: number[];
  worker?: boolean;
}): ReturnType<typeof run> {
  const setup = "trap '' HUP USR1; exec 100</dev/null 101</dev/null 102</dev/null";
  return run(after(setup, fixture("execve.fixture.ts", [JSON.stringify(request)])));
}

/** Prints the descriptors of the shell itself. */
const LIST = "for fd in $(ls /proc/$$/fd); do printf '%s ' $fd; done";

t.test("of all descriptors exactly the named ones survive, under their numbers", async (t) => {
  for (const [keep, left] of [
    [[], "0 1 2 "],
    [[101], "0 1 101 2 "],
    [[100, 102, 110], "0 1 100 102 110 2 "],
    [[111, 0, 2, 111], "0 1 111 2 "],
  ] as const) {
    const end = await execve({
      path: "/bin/sh",
      argv: ["sh", "-c", LIST],
      environment: ["PATH=/bin"],
      keep: [...keep],
    });
    t.match(end, { status: 0, stdout: left, stderr: "" }, `keeps ${keep.join(" ")}`);
  }
});

t.test(
  "no signal is ignored, blocked or handled in the new program, whatever Node and its parent ignored",
  async (t) => {
    const end = await execve({ path: "/bin/cat", argv: ["cat", "/proc/self/status"] });
    t.equal(end.status, 0);
    const none = "0000000000000000";
    t.strictSame(
      end.stdout.match(/^Sig(Blk|Ign|Cgt):.*$/gmu),
      ["Blk", "Ign", "Cgt"].map((name) => `Sig${name}:\t${none}`),
    );
  },
);

t.test("arguments and environment are exactly those given, byte for byte", async (t) => {
  const end = await execve({
    path: "/usr/bin/env",
    argv: ["env", "-0"],
    environment: ["A=1", "B=two words", "A=1", "é"],
  });
  t.match(end, { status: 0, stdout: "A=1\0B=two words\0A=1\0é\0" });
  const printf = await execve({ path: "/usr/bin/printf", argv: ["printf", "[%s]", "", "a b", "*"], environment: [] });
  t.equal(printf.stdout, "[][a b][*]");
});

t.test("it replaces the process itself: the pid stays", async (t) => {
  const end = await execve({ path: "/bin/sh", argv: ["sh", "-c", "echo $$ >&2"] });
  t.match(end, { status: 0, stdout: /^\d+\n$/u });
  t.equal(end.stderr, end.stdout);
});

t.test("a worker thread can replace the whole process too", async (t) => {
  const end = await execve({
    path: "/bin/sh",
    argv: ["sh", "-c", LIST],
    environment: ["PATH=/bin"],
    keep: [110],
    worker: true,
  });
  t.match(end, { status: 0, stdout: "0 1 110 2 ", stderr: "" });
});

t.test("when it fails, signals and descriptors are as before, and the process goes on", async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(path.join(folder, "directory"));
  writeFileSync(path.join(folder, "not executable"), "", { mode: 0o644 });
  writeFileSync(path.join(folder, "no format"), "\0\0\0\0", { mode: 0o755 });
  const failures = {
    ENOENT: { path: path.join(folder, "none") },
    EACCES: { path: path.join(folder, "not executable") },
    ENOEXEC: { path: path.join(folder, "no format") },
    EBADF: { path: "/bin/true", keep: [110, 999] },
    E2BIG: { path: "/bin/true", argv: ["x".repeat(1 << 18)] },
  };
  for (const [code, request] of Object.entries(failures)) {
    const long =
      code === "E2BIG" ? { path: request.path, argv: ["an argument over 128 KiB"] } : { keep: [100, 110], ...request };
    const end = await execve(long);
    t.equal(end.status, 9, end.stderr);
    t.strictSame(JSON.parse(end.stdout), { code, marked: true, signals: true, alive: "EPIPE" }, code);
  }
});
