declare const brand: unique symbol;

/** The name of an agent, a tool, a session or one part of a model's name: see spec/object.md. */
export type ObjectName = string & { readonly [brand]: "ObjectName" };

/**
 * 1 to 64 characters of `A-Za-z0-9._+-`, the first a letter or digit, not ending in `.sock` or `.d`, which are the
 * names of an object's socket and controls. As an ECMA-262 pattern, so that schemas and this file cannot differ.
 */
export const OBJECT_NAME_PATTERN = "^(?!.*\\.(?:sock|d)$)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$";

const objectName = new RegExp(OBJECT_NAME_PATTERN, "u");

/** The name, or undefined when the text is not one (EINVAL to whoever sent it). */
export function parseObjectName(text: string): ObjectName | undefined {
  return objectName.test(text) ? (text as ObjectName) : undefined;
}

/** `<provider>/<model>`, each an object name; undefined when the text is not of that form. */
export function parseModelName(text: string): { provider: ObjectName; model: ObjectName } | undefined {
  const slash = text.indexOf("/");
  if (slash < 0) return undefined;
  const provider = parseObjectName(text.slice(0, slash));
  const model = parseObjectName(text.slice(slash + 1));
  return provider === undefined || model === undefined ? undefined : { provider, model };
}
