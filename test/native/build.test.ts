import { spawnSync } from "node:child_process";
import path from "node:path";
import t from "tap";

const native = path.join(import.meta.dirname, "../../native");
const release = path.join(native, "build/release/cortexfs.node");
const sanitize = path.join(native, "build/sanitize/cortexfs.node");

function output(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", env: { PATH: process.env["PATH"] } });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
  return stdout;
}

t.test("make has nothing to do for what is built, and everything once a header changes", (t) => {
  const make = (...args: string[]): string => output("make", "-C", native, "--no-print-directory", "-n", ...args);
  t.match(make("release"), /Nothing to be done/u);
  t.match(make("sanitize"), /Nothing to be done/u);
  const sanitizers = make("sanitize", "--always-make").match(
    /-fsanitize=address,undefined -fno-sanitize-recover=all/gu,
  );
  const sources = make("release", "--what-if=call.h").match(/ -c -o build\/release\/\w+\.o/gu);
  const all = make("release", "--always-make").match(/ -c -o build\/release\/\w+\.o/gu);
  t.ok((all?.length ?? 0) > 5);
  t.strictSame(sources, all);
  t.equal(sanitizers?.length, (all?.length ?? 0) + 1, "every file, and the link");
  t.equal(make("release", "--what-if=signals.h").match(/ -c -o /gu)?.length, 1);
  t.end();
});

t.test("the addon is hardened and offers nothing but its entry", (t) => {
  const headers = output("readelf", "--wide", "--program-headers", "--dynamic", release);
  t.match(headers, /GNU_RELRO/u);
  t.match(headers, /BIND_NOW|\bNOW\b/u);
  t.match(headers, /GNU_STACK +\S+ \S+ \S+ \S+ \S+ RW /u);
  t.notMatch(headers, /TEXTREL|RPATH|RUNPATH/u);
  const symbols = output("nm", "--dynamic", "--defined-only", release).trim().split("\n");
  t.strictSame(symbols.map((line) => line.split(" ").at(-1)).sort(), [
    "napi_register_module_v1",
    "node_api_module_get_api_version_v1",
  ]);
  t.match(output("nm", "--dynamic", release), /__stack_chk_fail/u);
  t.notMatch(output("nm", "--dynamic", release), /__asan|__ubsan/u);
  t.match(output("nm", "--dynamic", sanitize), /__asan_report_store[^]*__ubsan_handle/u);
  t.end();
});
