import { Fault } from "./fault.ts";

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/**
 * Parses one JSON object from UTF-8, more strictly than JSON.parse: no duplicate keys, no lone surrogates in keys or
 * strings, no number beyond a double's range, containers nested at most `depth` deep (the object itself is 1). Throws Fault "malformed". The caller has
 * bounded the bytes.
 */
export function parseStrictObject(bytes: Uint8Array, depth: number): JsonObject {
  let text: string;
  let value: JsonValue;
  try {
    text = utf8.decode(bytes);
    value = JSON.parse(text) as JsonValue;
  } catch {
    throw new Fault("malformed", "the frame is not UTF-8 JSON");
  }
  if (!isObject(value)) throw new Fault("malformed", "the frame is not one JSON object");
  if (keysOf(value, depth) !== colonsOutsideStrings(bytes)) {
    throw new Fault("malformed", "the frame has a duplicate key");
  }
  return value;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** How many keys the value holds in all its objects, while the rest of the rules are checked on the way. */
function keysOf(value: JsonValue, depth: number): number {
  if (typeof value === "string") {
    refuseLoneSurrogate(value);
    return 0;
  }
  if (value === Infinity || value === -Infinity) throw new Fault("malformed", "the frame has a number beyond a double");
  if (typeof value !== "object" || value === null) return 0;
  if (depth === 0) throw new Fault("malformed", "the frame is nested too deeply");
  let keys = 0;
  if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      refuseLoneSurrogate(key);
      keys += 1 + keysOf(inner, depth - 1);
    }
  } else {
    for (const inner of value) keys += keysOf(inner, depth - 1);
  }
  return keys;
}

function refuseLoneSurrogate(text: string): void {
  if (!text.isWellFormed()) throw new Fault("malformed", "the frame has a lone surrogate");
}

/** In valid JSON each key is followed by exactly one colon outside a string: fewer keys in the value were duplicates. */
function colonsOutsideStrings(json: Uint8Array): number {
  let colons = 0;
  let inString = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i];
    if (byte === QUOTE) inString = !inString;
    else if (inString) i += byte === BACKSLASH ? 1 : 0;
    else if (byte === COLON) colons++;
  }
  return colons;
}
