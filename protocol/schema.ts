import { GENERATION_PATTERN } from "../abi/generation.ts";
import { NONCE_PATTERN, type Nonce } from "../abi/nonce.ts";
import { OBJECT_NAME_PATTERN, type ObjectName } from "../abi/object-name.ts";

/**
 * The part of JSON Schema that messages are written in. It has no form without a bound: a string has a pattern, a
 * number a range, a list a length, an object its fields.
 */
export type Schema =
  | { readonly const: string }
  | { readonly enum: readonly string[] }
  | { readonly type: "string"; readonly pattern: string; readonly title?: string }
  | { readonly type: "integer"; readonly minimum: number; readonly maximum: number; readonly title?: string }
  | { readonly type: "boolean" }
  | { readonly type: "array"; readonly items: Schema; readonly maxItems: number; readonly minItems?: number }
  | MapSchema
  | ObjectSchema;

export type Fields = Readonly<Record<string, Schema>>;

/** An object whose keys are data. Its bound is `maxProperties`. */
export interface MapSchema {
  readonly type: "object";
  readonly propertyNames: { readonly pattern: string };
  readonly additionalProperties: Schema;
  readonly maxProperties: number;
}

/**
 * An object of exactly these fields. Missing ones are looked for first, then unknown ones, then each field is checked
 * in the order written. `Message` is the static type that belongs to the schema; it has no value.
 */
export interface ObjectSchema<Message = unknown> {
  readonly type: "object";
  readonly additionalProperties: false;
  readonly required: readonly string[];
  readonly properties: Fields;
  readonly [message]?: Message;
}

declare const message: unique symbol;

/** The static type of what a schema accepts. */
export type Value<S> = S extends { const: infer Text }
  ? Text
  : S extends { enum: readonly (infer Text)[] }
    ? Text
    : S extends { title: "object name" }
      ? ObjectName
      : S extends { title: "nonce" }
        ? Nonce
        : S extends { type: "string" }
          ? string
          : S extends { type: "integer" }
            ? number
            : S extends { type: "boolean" }
              ? boolean
              : S extends { type: "array"; items: infer Items }
                ? readonly Value<Items>[]
                : S extends ObjectSchema<infer Message>
                  ? Message
                  : S extends { additionalProperties: infer Entry }
                    ? Readonly<Record<string, Value<Entry>>>
                    : never;

type ObjectValue<F, Optional extends string> = {
  readonly [Name in Exclude<keyof F, Optional>]: Value<F[Name]>;
} & {
  readonly [Name in keyof F & Optional]?: Value<F[Name]>;
};

/** An object of exactly these fields, all required but those named in `optional`. */
export function closedObject<const F extends Fields, const Optional extends keyof F & string = never>(
  fields: F,
  optional: readonly Optional[] = [],
): ObjectSchema<ObjectValue<F, Optional>> {
  const isOptional: ReadonlySet<string> = new Set(optional);
  const required = Object.keys(fields).filter((name) => !isOptional.has(name));
  return { type: "object", additionalProperties: false, required, properties: fields };
}

// The titles stand for the branded types of `Value` and name the form in what a peer is told.
export const objectName = { title: "object name", type: "string", pattern: OBJECT_NAME_PATTERN } as const;
export const nonce = { title: "nonce", type: "string", pattern: NONCE_PATTERN } as const;
export const generation = { title: "generation", type: "string", pattern: GENERATION_PATTERN } as const;
