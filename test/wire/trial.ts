import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import t from "tap";
import { OwnedFd, refuseDescriptors, unixSocket } from "../../native/index.ts";
import type { Protocol } from "../../protocol/definition.ts";
import type { Samples } from "./samples.ts";

/** How long the readers wait for a first byte: longer than a frame may take, so that the two cannot be confused. */
const FIRST_BYTE_MILLIS = 1800;

/** The sections of the judge and what each shows. */
const SECTIONS = {
  "every phase": "each message is accepted where it is legal and refused in every other phase",
  precedence: "of two things that are wrong in a frame the one is told that comes first in the specification",
  bits: "a frame with one flipped bit, whichever, is judged as predicted",
  truncations: "a stream that ends inside a frame, wherever, is refused as partial",
  splits: "a frame that comes in two pieces, wherever it is cut, is accepted",
  lengths: "a length of 0 or beyond the limit is refused, and one up to the limit is judged by its payload",
  behind: "what follows a frame stays unread for whoever has the descriptor next",
  shapes: "a message with one field wrong, missing, doubled or unknown, whichever, is judged as predicted",
  depths: "containers nested beyond the protocol's depth are refused, however deep",
  texts: "what is not one JSON object in UTF-8 is refused",
  attached: "descriptors attached to a frame are kept out by the kernel, and the frame is judged when it comes without",
  vanishing: "a peer that is gone before its answer harms nobody",
  time: "a frame that is not whole in time is refused then, not sooner nor later, and one in time is accepted",
} as const;
const IN_FULL = {
  ...SECTIONS,
  "other bytes": "a frame with one other byte, whichever, is judged as predicted",
} as const;

interface Counts {
  readonly mutants: number;
  readonly "well-formed peers": number;
  readonly mismatches: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly codes: Readonly<Record<string, number>>;
}

/** What the readers hold. */
interface Usage {
  readonly descriptors: number;
  readonly connections: number;
  readonly heap: number;
}

/** Elsewhere a reader looks for descriptors itself, which the tests of the listener show. */
const kernelRefuses = (() => {
  using socket = new OwnedFd(unixSocket("stream"));
  return refuseDescriptors(socket.fd);
})();

/** Bytes the readers' heap may grow by: what a collection leaves varies by a few hundred thousand. */
const MAX_GROWTH = 1024 * 1024;

/** Debian's interpreter, whose jsonschema is Debian's too; another that is first in PATH may have none. */
const PYTHON = "/usr/bin/python3";

/** Puts the readers of every phase of one protocol on trial: one test a section. */
export function trial<P extends Protocol>(name: string, protocol: P, samples: Samples<P>): void {
  const inFull = process.env["CORTEXFS_SOAK"] === "1";
  const folder = mkdtempSync(path.join(tmpdir(), "cortexfs-wire-"));
  const readers = fork(path.join(import.meta.dirname, "phases.fixture.ts"), [folder, String(FIRST_BYTE_MILLIS)], {
    execArgv: [...process.execArgv.filter((arg) => arg.startsWith("--conditions")), "--expose-gc"],
  });
  const ended = new AbortController();
  readers.once("exit", (code, signal) => {
    ended.abort(new Error(`the readers have ended (${String(code ?? signal)})`));
  });
  /** Asked the first time, they answer once they listen. */
  const usageOfReaders = async (): Promise<Usage> => {
    ended.signal.throwIfAborted();
    readers.send("usage");
    const [usage] = (await once(readers, "message", { signal: ended.signal })) as [Usage];
    return usage;
  };
  t.teardown(() => {
    readers.kill("SIGKILL");
    rmSync(folder, { recursive: true });
  });
  t.setTimeout(inFull ? 3_600_000 : 240_000);

  t.test(`${name}: every field that may be left out is in one sample and not in another`, (t) => {
    for (const [message, { properties, required }] of Object.entries(protocol.messages)) {
      const given = samples[message] ?? [];
      for (const field of Object.keys(properties)) {
        const holders = given.filter((sample) => Object.hasOwn(sample as object, field)).length;
        t.ok(holders > 0, `${message} with ${field}`);
        if (!required.includes(field)) t.ok(holders < given.length, `${message} without ${field}`);
      }
    }
    t.end();
  });

  const total = { mutants: 0, peers: 0, outcomes: new Map<string, number>(), codes: new Map<string, number>() };
  const usages: Usage[] = [];
  for (const [section, sentence] of Object.entries(inFull ? IN_FULL : SECTIONS)) {
    const skip = section === "attached" && !kernelRefuses && "this kernel has no SO_PASSRIGHTS (Linux 6.16)";
    t.test(`${name}: ${sentence}`, { skip }, async (t) => {
      if (usages.length === 0) usages.push(await usageOfReaders());
      const started = performance.now();
      const { counts, complaints, status } = await judge({ folder, name, section, ...exported(protocol, samples) });
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      for (const line of complaints) t.comment(line);
      t.equal(status, 0, "each answer was as predicted");
      if (counts === undefined) return;
      const { mutants, "well-formed peers": peers, outcomes, codes, ...others } = counts;
      t.comment(`${name}, ${section}: ${listed({ mutants, ...outcomes, ...others })}; ${seconds} s`);
      t.ok(mutants > 0 && peers > 0, "well-formed peers were served in between");
      total.mutants += mutants;
      total.peers += peers;
      add(total.outcomes, outcomes);
      add(total.codes, codes);
      usages.push(await usageOfReaders());
    });
  }

  t.test(`${name}: after all of it the readers hold no more descriptors and memory than before`, async (t) => {
    const after = await usageOfReaders();
    t.equal(after.connections, 0, "no connection is open or charged");
    const descriptors = new Set([...usages, after].map((usage) => usage.descriptors));
    t.equal(descriptors.size, 1, `never more nor fewer descriptors: ${[...descriptors].join(", ")}`);
    // The heap shrinks at first, when code that ran once is dropped: growth is counted from the bottom.
    t.ok(after.heap < Math.min(...usages.map(({ heap }) => heap)) + MAX_GROWTH, "the heap has not grown");
    const messages = Object.keys(protocol.messages).length;
    t.comment(`${name}, in all: ${listed({ messages, mutants: total.mutants, "well-formed peers": total.peers })}`);
    t.comment(`${name}, outcomes: ${listed(Object.fromEntries(total.outcomes))}`);
    t.comment(`${name}, codes: ${listed(Object.fromEntries(total.codes))}`);
    t.comment(`${name}, readers before: ${listed({ ...usages[0] })}; after: ${listed({ ...after })}`);
  });
}

/** What the judge may know of a protocol: its tables, and nothing that was made from them. */
function exported<P extends Protocol>(protocol: P, samples: Samples<P>): object {
  const { limits, messages, phases, faultCodes } = protocol;
  return {
    protocol: { limits, messages, phases, faultCodes },
    samples: Object.entries<readonly unknown[]>(samples).flatMap(([name, variants]) =>
      variants.map((message) => ({ name, message })),
    ),
    firstByteMillis: FIRST_BYTE_MILLIS,
  };
}

interface Judgement {
  /** Undefined when the judge could not go on. */
  readonly counts: Counts | undefined;
  readonly complaints: readonly string[];
  readonly status: unknown;
}

async function judge(given: object): Promise<Judgement> {
  const python = spawn(PYTHON, ["-B", path.join(import.meta.dirname, "judge.py")]);
  python.stdin.end(JSON.stringify(given));
  const [output, complaints, [status]] = await Promise.all([
    text(python.stdout),
    text(python.stderr),
    once(python, "close") as Promise<unknown[]>,
  ]);
  return {
    counts: output === "" ? undefined : (JSON.parse(output) as Counts),
    complaints: complaints.split("\n").filter((line) => line !== ""),
    status,
  };
}

function add(to: Map<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(counts)) to.set(name, (to.get(name) ?? 0) + count);
}

function listed(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count.toLocaleString("en")} ${name}`)
    .join(", ");
}
