import type { FaultKind } from "./fault.ts";
import type { FrameLimits } from "./frame.ts";
import type { ObjectSchema } from "./schema.ts";

/**
 * A wire protocol as one value: its messages, limits and phases. Static types and validators both come from the
 * schemas, so the two ends cannot drift apart.
 */
export interface Protocol {
  /** The string every request carries in `abi`. */
  readonly abi: string;
  readonly limits: FrameLimits;
  /** By name, which is also the value of the message's `op` (a request) or `type` (anything else). */
  readonly messages: Readonly<Record<string, ObjectSchema>>;
  /** What may come when, named from the reader's side. A message that is legal in another phase only is a fault. */
  readonly phases: Readonly<Record<string, Phase>>;
  /** The code of the `error` message that tells a fault to the peer. */
  readonly faultCodes: Readonly<Record<FaultKind, string>>;
  /** Precompiled from `messages`, by the same names. */
  readonly validators: Readonly<Record<string, Validate>>;
}

export interface Phase {
  readonly from: string;
  readonly legal: readonly string[];
}

/** What a generated validator is: true, or false with the first failed check in `errors`. */
export interface Validate {
  (value: unknown): boolean;
  errors?: null | readonly { keyword: string; instancePath: string; message?: string }[];
}

/** The message of a name. */
export type MessageOf<P extends Protocol, Name extends keyof P["messages"]> =
  P["messages"][Name] extends ObjectSchema<infer Message> ? Message : never;

export type PhaseOf<P extends Protocol> = keyof P["phases"] & string;

/** The union of the messages that are legal in a phase. */
export type Legal<P extends Protocol, F extends PhaseOf<P>> = {
  [Name in P["phases"][F]["legal"][number]]: MessageOf<P, Name>;
}[P["phases"][F]["legal"][number]];
