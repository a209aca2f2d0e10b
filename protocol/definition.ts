import type { FromSchema, JSONSchema } from "json-schema-to-ts";
import { GENERATION_PATTERN } from "../abi/generation.ts";
import { NONCE_PATTERN, type Nonce } from "../abi/nonce.ts";
import { OBJECT_NAME_PATTERN, type ObjectName } from "../abi/object-name.ts";
import type { FaultKind } from "./fault.ts";
import type { FrameLimits } from "./frame.ts";

/**
 * A wire protocol as one value: its messages, limits and phases. Static types and validators both come from the
 * schemas, so the two ends cannot drift apart.
 */
export interface Protocol {
  /** The string every request carries in `abi`. */
  readonly abi: string;
  readonly limits: FrameLimits;
  /** By name, which is also the value of the message's `op` (a request) or `type` (anything else). */
  readonly messages: Readonly<Record<string, MessageSchema>>;
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

/**
 * The schema of a closed object. Missing fields are looked for first, then unknown ones, then each field is checked in
 * the order written. `Message` is the static type that belongs to the schema; it has no value.
 */
export interface MessageSchema<Message = unknown> {
  readonly type: "object";
  readonly additionalProperties: false;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, JSONSchema>>;
  readonly [typed]?: Message;
}

declare const typed: unique symbol;

/** What a generated validator is: true, or false with the first failed check in `errors`. */
export interface Validate {
  (value: unknown): boolean;
  errors?: null | readonly { keyword: string; instancePath: string; message?: string }[];
}

/** The message of a name. */
export type MessageOf<P extends Protocol, Name extends keyof P["messages"]> =
  P["messages"][Name] extends MessageSchema<infer Message> ? Message : never;

export type PhaseOf<P extends Protocol> = keyof P["phases"] & string;

/** The union of the messages that are legal in a phase. */
export type Legal<P extends Protocol, F extends PhaseOf<P>> = {
  [Name in P["phases"][F]["legal"][number]]: MessageOf<P, Name>;
}[P["phases"][F]["legal"][number]];

// The titles stand for branded types in `FieldOf` and name the form in what a peer is told.
export const objectName = { title: "object name", type: "string", pattern: OBJECT_NAME_PATTERN } as const;
export const nonce = { title: "nonce", type: "string", pattern: NONCE_PATTERN } as const;
export const generation = { title: "generation", type: "string", pattern: GENERATION_PATTERN } as const;

type FieldOf<Schema extends JSONSchema> = FromSchema<
  Schema,
  {
    deserialize: [
      { pattern: { title: "object name" }; output: ObjectName },
      { pattern: { title: "nonce" }; output: Nonce },
    ];
  }
>;

type Fields<Schemas extends Readonly<Record<string, JSONSchema>>, Optional extends keyof Schemas> = {
  readonly [Name in Exclude<keyof Schemas, Optional>]: FieldOf<Schemas[Name]>;
} & {
  readonly [Name in Optional]?: FieldOf<Schemas[Name]>;
};

/** A message whose fields are all required but those named in `optional`. */
export function message<
  const Schemas extends Readonly<Record<string, JSONSchema>>,
  const Optional extends keyof Schemas & string = never,
>(fields: Schemas, optional: readonly Optional[] = []): MessageSchema<Fields<Schemas, Optional>> {
  const isOptional: ReadonlySet<string> = new Set(optional);
  return {
    type: "object",
    additionalProperties: false,
    required: Object.keys(fields).filter((name) => !isOptional.has(name)),
    properties: fields,
  };
}
