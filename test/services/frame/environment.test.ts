import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import t from "tap";
import { refuseEnvironment, UNSET_ENVIRONMENT } from "../../../services/frame/environment.ts";
import { eventually, fixture, Program } from "./program.ts";

/** Prints "started", or what the check has against it, and then stays until stdin ends. */
function started(options: readonly string[], environment: Readonly<Record<string, string>> = {}): Program {
  return new Program(fixture("environment.fixture.ts", [], options), { environment });
}

async function refusal(
  options: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  await using program = started(options, environment);
  const { stdout } = await program.finish();
  return stdout.trimEnd();
}

/** Whether SIGUSR1 does something else than what nobody asked for: Node's own handler opens a debugger. */
function catchesUsr1(pid: number): boolean {
  const caught = /^SigCgt:\s*([0-9a-f]+)$/mu.exec(readFileSync(`/proc/${String(pid)}/status`, "utf8"))?.[1] ?? "0";
  return (BigInt(`0x${caught}`) & (1n << 9n)) !== 0n;
}

t.test("a Node started as the units start it goes on", async (t) => {
  t.equal(await refusal(["--disable-sigusr1"]), "started");
  t.equal(await refusal(["--max-old-space-size=64", "--disable_sigusr1"]), "started");
});

t.test("a Node whose debugger could be opened by a signal is refused, with what to do", async (t) => {
  const sentence =
    "Node was started without --disable-sigusr1, so a signal could open a debugger: add it to ExecStart=";
  t.equal(await refusal([]), sentence);
  t.equal(await refusal(["--disable-sigusr1", "--no-disable-sigusr1"]), sentence);
});

t.test("a Node that was started with a debugger is refused", async (t) => {
  for (const option of ["--inspect=127.0.0.1:0", "--inspect_port=0", "--inspect-publish-uid=http"]) {
    t.equal(
      await refusal(["--disable-sigusr1", option]),
      `Node was started with ${option.replaceAll("_", "-")}, which opens a debugger: remove it from ExecStart=`,
    );
  }
});

t.test("every variable that Node obeys is refused by name, before or after this program could look", async (t) => {
  t.equal(
    await refusal(["--disable-sigusr1"], { NODE_OPTIONS: "--no-warnings", NODE_EXTRA_CA_CERTS: "/dev/null" }),
    "the environment holds NODE_EXTRA_CA_CERTS, NODE_OPTIONS, which Node obeys before this program can: " +
      "add UnsetEnvironment=NODE_EXTRA_CA_CERTS NODE_OPTIONS to the unit",
  );
  for (const name of UNSET_ENVIRONMENT) {
    t.match(refuseEnvironment(["--disable-sigusr1"], { [name]: "" }), new RegExp(`holds ${name},`, "u"), name);
  }
  t.equal(refuseEnvironment(["--disable-sigusr1"], { PATH: "/usr/bin", XNODE_: "1" }), undefined);
});

t.test("a service in a user namespace, where users cannot be told apart, does not run", (t) => {
  const node = [process.execPath, "--disable-sigusr1", path.join(import.meta.dirname, "environment.fixture.ts")];
  const run = spawnSync("unshare", ["--user", "--map-root-user", "env", "-i", ...node], {
    encoding: "utf8",
    input: "",
  });
  t.match(run.stdout, /^this process is in a user namespace/u);
  t.equal(refuseEnvironment(["--disable-sigusr1"], {}, "         0          0 4294967295\n"), undefined);
  for (const map of ["0 1000 1\n", "0 0 65536\n", "0 0 4294967295\n1 1 1\n", ""]) {
    t.match(refuseEnvironment(["--disable-sigusr1"], {}, map), /user namespace/u, JSON.stringify(map));
  }
  t.end();
});

t.test("the list for UnsetEnvironment= has every variable of this Node's manual and of its own modules", (t) => {
  const manual = spawnSync(process.execPath, ["--help"], { encoding: "utf8" }).stdout;
  const modules = spawnSync("grep", ["-aoE", "process[.]env[.]NODE_[A-Z0-9_]+", process.execPath], {
    encoding: "utf8",
  });
  const names = new Set(`${manual}\n${modules.stdout}`.match(/\bNODE_[A-Z0-9_]{2,}/gu));
  t.ok(names.size > 20, `${String(names.size)} variables`);
  for (const name of names) t.ok(UNSET_ENVIRONMENT.includes(name), name);
  t.same([...UNSET_ENVIRONMENT], [...new Set(UNSET_ENVIRONMENT)].sort(), "sorted, and none is there twice");
  t.end();
});

t.test("with --disable-sigusr1 Node has no handler that would open a debugger, without it it has", async (t) => {
  for (const [options, caught] of [
    [[], true],
    [["--disable-sigusr1"], false],
  ] as const) {
    await using program = started(options);
    await program.line();
    t.equal(await eventually("its signals", () => catchesUsr1(program.pid)), caught, options.join(" "));
  }
});
