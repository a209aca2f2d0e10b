import type { JsonValue } from "../../protocol/strict-json.ts";

const REDACTED = "[redacted]";

/** How deep a logged value may nest; below it nothing is written, so that nothing hides there. */
const MAX_DEPTH = 8;

/** In any spelling (`apiKey`, `API_KEY`, `x-api-key`), also as the end of a longer name (`refresh_token`). */
const SECRET_NAME =
  /^(?:keys?|contents?|data|input|output)$|(?:apikey|privatekey|secretkey|accesskey|secrets?|token|authorization|password|passwd|passphrase|credentials?|cookies?|nonce|datab64)$/u;

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
    inner !== null && isSecret(name) ? REDACTED : withoutSecrets(inner, depth - 1),
  ]);
  return Object.fromEntries(redacted) as JsonValue;
}

function isSecret(name: string): boolean {
  return SECRET_NAME.test(name.toLowerCase().replaceAll(/[-_. ]/gu, ""));
}
