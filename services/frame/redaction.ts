import type { JsonValue } from "../../protocol/strict-json.ts";

const REDACTED = "[redacted]";

/** How deep a logged value may nest; below it nothing is written, so that nothing hides there. */
const MAX_DEPTH = 8;

/** In any spelling (`apiKey`, `API_KEY`, `x-api-key`), also within a longer name (`refresh_tokens`). */
const SECRET_NAME =
  /^(?:keys?|contents?|data|input|output|auth|bearer)$|(?:api|private|secret|access)keys?|secret|token(?!iz)|authorization|passw|passphrase|credential|cookie|nonce|b64$/u;

/**
 * A copy of a value that is about to be logged, with everything left out that is named like a secret or like what users
 * and models say to each other, at every depth. pino's own `redact` takes paths of one fixed depth and spelling each.
 *
 * Only names can be known: a secret that somebody writes into a sentence is not found.
 */
export function withoutSecrets(value: JsonValue, depth = MAX_DEPTH): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return "[nested too deeply]";
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => withoutSecrets(item, depth - 1));
  const redacted = Object.entries(value).map(([name, inner]: [string, JsonValue]) => [
    name,
    inner !== null && isSecret(name, inner) ? REDACTED : withoutSecrets(inner, depth - 1),
  ]);
  return Object.fromEntries(redacted) as JsonValue;
}

/** How many tokens a text has is a count, not a token. */
function isSecret(name: string, value: JsonValue): boolean {
  const plain = name.toLowerCase().replaceAll(/[-_. ]/gu, "");
  return SECRET_NAME.test(plain) && !(typeof value === "number" && plain.includes("token"));
}
