/** A subject type: `coder_t`; 3 to 64 characters, lower case, ending in `_t`. */
const subjectType = /^[a-z][a-z0-9_]{0,61}_t$/u;
const context = /^[a-z][a-z0-9_]{0,61}_u:[a-z][a-z0-9_]{0,61}_r:([^:]*):s0$/u;

export function isSubjectType(text: string): boolean {
  return subjectType.test(text);
}

/** Whether more characters could make the text a subject type, or it is one. */
export function isSubjectTypePart(text: string): boolean {
  if (text === "") return true;
  if (!/^[a-z][a-z0-9_]{0,63}$/u.test(text)) return false;
  return text.length < 63 || text.endsWith("_t") || (text.length === 63 && text.endsWith("_"));
}

/** The policy subject of a label: `user_u:agent_r:coder_t:s0` or the bare type. Undefined for anything else. */
export function parseLabel(text: string): string | undefined {
  const type = context.exec(text)?.[1] ?? text;
  return isSubjectType(type) ? type : undefined;
}
