/**
 * Plants one fault in a copy of the tree, builds what it touches, runs the tests that ought to notice, and says which
 * test did. The tree itself is never written.
 */
import { spawn, execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const root = path.join(import.meta.dirname, "../..");

/** How long the tests of one fault may take; a fault may well make them wait for ever. */
const SECONDS = 60;

export interface Fault {
  /** The exported function or class the fault is in: `file: name`. */
  readonly of: string;
  /** The file to change; `find` occurs in it exactly once. */
  readonly file: string;
  readonly find: string;
  readonly plant: string;
  /** The test file that must go red. */
  readonly caughtBy: string;
}

export type Verdict =
  | { readonly kind: "caught"; readonly test: string }
  | { readonly kind: "missed" }
  | { readonly kind: "broken"; readonly output: string };

/** A copy of the tree that one fault at a time is planted in. */
export class Plantation implements Disposable {
  readonly #folder = mkdtempSync(path.join(tmpdir(), "cortexfs-faults-"));

  constructor() {
    chmodSync(this.#folder, 0o755); // tests run programs of the tree as other users
    mkdirSync(path.join(this.#folder, "tmp"));
    chmodSync(path.join(this.#folder, "tmp"), 0o1777);
    const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
    for (const file of listed.toString().split("\0")) {
      if (file === "" || !existsSync(path.join(root, file))) continue;
      const target = path.join(this.#folder, file);
      mkdirSync(path.dirname(target), { recursive: true });
      cpSync(path.join(root, file), target, { preserveTimestamps: true });
    }
    cpSync(path.join(root, "native/build"), path.join(this.#folder, "native/build"), {
      recursive: true,
      preserveTimestamps: true,
    });
    symlinkSync(path.join(root, "node_modules"), path.join(this.#folder, "node_modules"));
  }

  async try(fault: Fault): Promise<Verdict> {
    const file = path.join(this.#folder, fault.file);
    const sound = readFileSync(file, "utf8");
    writeFileSync(
      file,
      sound.replace(fault.find, () => fault.plant),
    );
    try {
      if (fault.file.startsWith("native/") && fault.file.endsWith(".c")) {
        const build = await this.#run("make", ["--silent", "-C", "native", "WARNINGS=", "release"]);
        if (build.status !== 0) return { kind: "broken", output: build.output };
      }
      if (fault.file.startsWith("protocol/")) await this.#run("node", ["protocol/generate-validators.ts"]);
      const { status, output } = await this.#test(fault.caughtBy);
      if (status === 0) return { kind: "missed" };
      const test = /^ {4}not ok \d+ - (.*?)(?: # time=.*)?$/mu.exec(output)?.[1];
      return { kind: "caught", test: test ?? "the file itself (it did not load, died or hung)" };
    } finally {
      copyFileSync(path.join(root, fault.file), file);
      if (fault.file.startsWith("protocol/")) await this.#run("node", ["protocol/generate-validators.ts"]);
    }
  }

  /** What a test file says of the tree without a fault: undefined when it passes. */
  async complaint(testFile: string): Promise<string | undefined> {
    const { status, output } = await this.#test(testFile);
    return status === 0 ? undefined : output;
  }

  #test(testFile: string): Promise<{ status: number; output: string }> {
    // In a pid namespace of their own, so that nothing a fault left behind outlives them.
    return this.#run("unshare", [
      "--pid",
      "--fork",
      "--kill-child",
      "--mount-proc",
      "--",
      "tap",
      "run",
      "--reporter=tap",
      `--timeout=${String(SECONDS / 2)}`,
      testFile,
    ]);
  }

  /** The whole process group is ended when its time is up: status -1. */
  #run(command: string, args: readonly string[]): Promise<{ status: number; output: string }> {
    const { promise, resolve } = Promise.withResolvers<{ status: number; output: string }>();
    const child = spawn(command, args, {
      cwd: this.#folder,
      detached: true,
      env: { ...process.env, TMPDIR: path.join(this.#folder, "tmp") },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stdout.on("data", (data: Buffer) => (output += data.toString()));
    child.stderr.on("data", (data: Buffer) => (output += data.toString()));
    const timer = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    }, SECONDS * 1000);
    child.on("close", (status) => {
      clearTimeout(timer);
      resolve({ status: status ?? -1, output });
    });
    return promise;
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true });
  }
}
