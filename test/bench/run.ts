/** `./dev bench [NAME…]`: each benchmark measures ours and a peer in the same run and prints the ratio. */
import { benchFrame } from "./frame.bench.ts";
import { benchFuse } from "./fuse.bench.ts";

const benchmarks: Readonly<Record<string, () => Promise<void>>> = { frame: benchFrame, fuse: benchFuse };

const asked = process.argv.slice(2);
for (const name of asked) {
  if (Object.hasOwn(benchmarks, name)) continue;
  console.error(`dev: no benchmark "${name}"; there are: ${Object.keys(benchmarks).join(", ")}`);
  process.exit(64);
}
for (const name of asked.length === 0 ? Object.keys(benchmarks) : asked) await benchmarks[name]?.();
