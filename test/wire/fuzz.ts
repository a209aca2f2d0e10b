/**
 * `./dev fuzz [SECONDS [SEED]]`: what `decode` and `parseStrictObject` make of bytes that were a good message or good
 * JSON a moment ago. Only a Fault may be thrown; what is accepted must be the same after it was encoded and decoded
 * again; of undisturbed JSON it is known whether it must be accepted. Exits 1 with the smallest input that fails. The
 * same seed makes the same inputs in the same order.
 */
import { monotonicMillis } from "../../native/index.ts";
import { control } from "../../protocol/control.ts";
import { decode } from "../../protocol/conversation.ts";
import type { Protocol } from "../../protocol/definition.ts";
import { Fault } from "../../protocol/fault.ts";
import { parseStrictObject } from "../../protocol/strict-json.ts";
import { terminalBroker } from "../../protocol/terminal-broker.ts";
import { RandomJson } from "./random-json.ts";
import { controlSamples, terminalBrokerSamples } from "./samples.ts";

const DEPTH = 4;
const seconds = wholeNumber(process.argv[2], 10);
const seed = wholeNumber(process.argv[3], 1 + Math.floor(Math.random() * 2 ** 31));

function wholeNumber(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (/^[1-9][0-9]{0,9}$/u.test(text)) return Number(text);
  console.error(`fuzz: "${text}" is no whole number above 0; usage: ./dev fuzz [SECONDS [SEED]]`);
  return process.exit(64);
}

type Read = (bytes: Uint8Array) => unknown;
type Verdict = "accepted" | "refused" | `failed: ${string}`;

interface Input {
  readonly read: Read;
  readonly bytes: Buffer;
  /** Known of generated JSON that nobody disturbed. */
  readonly due: Verdict | undefined;
}

const targets = [...targetsOf(terminalBroker, terminalBrokerSamples), ...targetsOf(control, controlSamples)];

function targetsOf(
  protocol: Protocol,
  samples: Readonly<Record<string, readonly unknown[]>>,
): { read: Read; sample: object }[] {
  return Object.entries(protocol.phases).flatMap(([phase, { legal }]) =>
    legal
      .flatMap((name) => samples[name] ?? [])
      .map((sample) => ({ read: (bytes: Uint8Array) => decode(protocol, phase, bytes), sample: sample as object })),
  );
}

function input(random: RandomJson): Input {
  const kind = random.below(4);
  if (kind === 0) {
    const bytes = Buffer.from(random.object());
    return { read: (payload) => parseStrictObject(payload, DEPTH), bytes, due: random.flawed ? "refused" : "accepted" };
  }
  if (kind === 1) {
    const bytes = random.disturbance(Buffer.from(random.object()));
    return { read: (payload) => parseStrictObject(payload, DEPTH), bytes, due: undefined };
  }
  const { read, sample } = random.pick(targets);
  const bytes = Buffer.from(random.mutation(sample));
  return { read, bytes: kind === 2 ? bytes : random.disturbance(bytes), due: undefined };
}

function judge(read: Read, bytes: Uint8Array): Verdict {
  try {
    const text = JSON.stringify(read(bytes));
    return JSON.stringify(read(Buffer.from(text))) === text
      ? "accepted"
      : "failed: another value after encoding and decoding";
  } catch (error) {
    return error instanceof Fault ? "refused" : `failed: ${String(error)}`;
  }
}

/** Without as many bytes as can be left out of it while it fails. */
function smallest(read: Read, bytes: Buffer): Buffer {
  for (let size = bytes.length >> 1; size > 0; size >>= 1) {
    for (let at = 0; at + size <= bytes.length;) {
      const shorter = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + size)]);
      if (judge(read, shorter).startsWith("failed")) bytes = shorter;
      else at += size;
    }
  }
  return bytes;
}

/** The smallest failure near one: of a wrong verdict only generated inputs are known, so the shortest of many of them. */
function near(number: number, { read, bytes, due }: Input): Buffer {
  if (due === undefined) return smallest(read, bytes);
  for (let next = number; next < number + 50_000; next++) {
    const other = inputOf(next);
    if (other.due === due && other.bytes.length < bytes.length && judge(read, other.bytes) !== due) bytes = other.bytes;
  }
  return bytes;
}

const inputOf = (number: number): Input => input(new RandomJson(seed ^ Math.imul(number, 0x9e3779b1), DEPTH));
const counts = { accepted: 0, refused: 0 };
const end = monotonicMillis() + seconds * 1000;
for (let number = 0; monotonicMillis() < end; number++) {
  const { read, bytes, due } = inputOf(number);
  const verdict = judge(read, bytes);
  if ((verdict === "accepted" || verdict === "refused") && (due === undefined || due === verdict)) {
    counts[verdict]++;
    continue;
  }
  const shown = near(number, { read, bytes, due });
  const wrong = due === undefined ? verdict : `${verdict} where "${due}" is due`;
  console.error(
    `seed ${String(seed)}, input ${String(number)}: ${wrong}; the smallest such input, as hex and as text:`,
  );
  console.error(`${shown.toString("hex")}\n${JSON.stringify(shown.toString())}`);
  process.exit(1);
}
const { accepted, refused } = counts;
const rate = Math.round((accepted + refused) / seconds);
console.log(
  `seed ${String(seed)}: ${String(accepted)} accepted, ${String(refused)} refused, 0 failed; ${String(rate)} a second`,
);
