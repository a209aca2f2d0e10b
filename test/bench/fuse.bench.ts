/**
 * File operations through our FUSE server against native ext4, bindfs (C, libfuse) and npm's fuse-native, on the same
 * ext4 image. Uncached rounds begin with the kernel's dentries and inodes dropped, so that the servers are asked;
 * cached ones follow the same work done just before. The second native row shows what the machine's noise alone does.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { median, ratioOfMedians, seededRandom } from "./statistics.ts";

const ROUNDS = 15;
const SEED = 1;
const MOUNT_PATIENCE = 10_000; // milliseconds

const run = promisify(execFile);

interface Operation {
  readonly name: string;
  /** What a client does in a round, in fuse-load's units: uncached, nothing may be done twice. */
  readonly uncached: number;
  readonly cached: number;
}

const OPERATIONS: readonly Operation[] = [
  { name: "stat", uncached: 1000, cached: 5000 },
  { name: "open", uncached: 500, cached: 1000 },
  { name: "create", uncached: 200, cached: 200 },
  { name: "seqread", uncached: 64, cached: 64 },
  { name: "seqwrite", uncached: 16, cached: 16 },
  { name: "readdir", uncached: 1, cached: 10 },
  { name: "ls", uncached: 1, cached: 3 },
];

interface Peer {
  readonly name: string;
  /** Serves `storage` at `mount` until disposed of. */
  readonly start: (storage: string, mount: string) => Promise<AsyncDisposable>;
}

/** Our server over `storage`, mounted at `mount`; disposing ends it. */
function startOurs(_storage: string, _mount: string): Promise<Disposable> {
  return Promise.reject(new Error("not built yet"));
}

/** Starts a file system's server in the foreground and resolves once it is mounted. Rejects with why it is not. */
async function serve(mount: string, program: string, ...args: readonly string[]): Promise<AsyncDisposable> {
  const before = statSync(mount).dev;
  const server = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
  const exited = once(server, "close");
  let complaint = "";
  server.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint += text;
  });
  let failure: Error | undefined;
  exited.then(
    () => {
      failure = new Error(`${program} ended: ${complaint.trim()}`);
    },
    (error: unknown) => {
      failure = error instanceof Error ? error : new Error(String(error));
    },
  );
  const stop = async (): Promise<void> => {
    await run("umount", ["--lazy", mount]);
    server.kill("SIGTERM");
    if (!(await Promise.race([exited.then(() => true), delay(2000, false)]))) server.kill("SIGKILL");
  };
  for (const started = performance.now(); performance.now() - started < MOUNT_PATIENCE;) {
    if (failure !== undefined) throw failure;
    if (statSync(mount).dev !== before) return { [Symbol.asyncDispose]: stop };
    await delay(20);
  }
  server.kill("SIGKILL");
  throw new Error(`${program} did not mount in ${String(MOUNT_PATIENCE)} ms`);
}

/** The storage itself, mounted once more. */
async function startNative(storage: string, mount: string): Promise<AsyncDisposable> {
  await run("mount", ["--bind", storage, mount]);
  return {
    [Symbol.asyncDispose]: async () => {
      await run("umount", [mount]);
    },
  };
}

const PEERS: readonly Peer[] = [
  { name: "native ext4", start: startNative },
  { name: "native (A/A)", start: startNative },
  { name: "bindfs", start: (storage, mount) => serve(mount, "bindfs", "-f", storage, mount) },
  { name: "bindfs -mt", start: (storage, mount) => serve(mount, "bindfs", "-f", "--multithreaded", storage, mount) },
  {
    name: "fuse-native",
    start: (storage, mount) =>
      serve(mount, process.execPath, path.join(import.meta.dirname, "fuse-native-peer.fixture.ts"), storage, mount),
  },
  {
    name: "ours",
    start: async (storage, mount) => {
      const server = await startOurs(storage, mount);
      return {
        [Symbol.asyncDispose]: () => {
          server[Symbol.dispose]();
          return Promise.resolve();
        },
      };
    },
  },
];

async function measure(load: string, rounds: number, mounts: ReadonlyMap<string, string>): Promise<void> {
  const random = seededRandom(SEED);
  for (const operation of OPERATIONS) {
    for (const clients of [1, 4]) {
      for (const cache of ["uncached", "cached"] as const) {
        const times = new Map([...mounts.keys()].map((name) => [name, [] as number[]]));
        for (let round = 0; round < rounds; round++) {
          const turn = [...mounts];
          for (const [name, mount] of round % 2 === 0 ? turn : turn.reverse()) {
            const args = [operation.name, mount, String(clients), String(operation[cache])];
            if (cache === "cached") await run(load, args);
            else writeFileSync("/proc/sys/vm/drop_caches", "2");
            times.get(name)?.push(Number((await run(load, args)).stdout));
          }
        }
        const native = times.get("native ext4") ?? [];
        for (const [name, sample] of times) {
          const { ratio, low, high } = ratioOfMedians(sample, native, random);
          console.log(
            `fuse ${operation.name.padEnd(8)} ${cache.padEnd(8)} ${String(clients)} clients  ${name.padEnd(12)}` +
              ` ${(median(sample) * 1000).toFixed(2).padStart(8)} ms  ratio ${ratio.toFixed(2).padStart(6)}` +
              ` (95 % ${low.toFixed(2)} to ${high.toFixed(2)})`,
          );
        }
      }
    }
  }
}

/** Mounts all there is to compare, in the mount namespace this process has to itself. */
async function benchInNamespace(folder: string, rounds: number): Promise<void> {
  const load = path.join(folder, "fuse-load");
  await run("gcc", ["-O2", "-pthread", path.join(import.meta.dirname, "fuse-load.c"), "-o", load]);
  const image = path.join(folder, "ext4.img");
  const storage = path.join(folder, "storage");
  mkdirSync(storage);
  await run("truncate", ["--size=1G", image]);
  await run("mkfs.ext4", ["-q", "-F", image]);
  await run("mount", ["-o", "loop", image, storage]);
  await using servers = new AsyncDisposableStack();
  servers.defer(async () => {
    await run("umount", [storage]);
  });
  await run(load, ["prepare", storage]);
  const mounts = new Map<string, string>();
  for (const [i, { name, start }] of PEERS.entries()) {
    const mount = path.join(folder, `mount-${String(i)}`);
    mkdirSync(mount);
    try {
      servers.use(await start(storage, mount));
      mounts.set(name, mount);
    } catch (error) {
      console.log(`fuse: no rows for ${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  await measure(load, rounds, mounts);
}

/**
 * Prints every operation's row for each file system, with its ratio to native ext4. Runs in mount and pid namespaces of
 * its own, so that no mount and no server outlives it. Needs root; rejects if the measurement fails.
 */
export async function benchFuse(rounds: number = ROUNDS): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "cortexfs-bench-"));
  try {
    const inside = [process.execPath, import.meta.filename, folder, String(rounds)];
    const namespaces = ["--mount", "--pid", "--fork", "--mount-proc", "--kill-child"];
    const child = spawn("unshare", [...namespaces, "--", ...inside], { stdio: "inherit" });
    // A signal to this process ends the measurement, and then, by the rejection below, this process.
    const end = (): void => {
      child.kill("SIGKILL");
    };
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
    const [code] = (await once(child, "close")) as [number | null];
    if (code !== 0) throw new Error(`the measurement ended with ${String(code)}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) {
  // The first process of a pid namespace ignores what it has no handler for.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  const [, , folder = "", rounds = ""] = process.argv;
  await benchInNamespace(folder, Number(rounds));
}
