import { isSubjectType, isSubjectTypePart } from "./label.ts";
import { parseModelName, parseObjectName } from "./object-name.ts";

/** Policy v0, spec/policy.md: an allowlist of type enforcement, and everything else is denied. */
export const PERMISSIONS = {
  tool: ["execute"],
  model: ["use"],
  shared: ["read", "write"],
  session: ["read", "write", "resume"],
  mount: ["read", "write"],
  agent: ["create", "start", "stop", "read", "write"],
  network: ["connect"],
} as const;

export type ObjectClass = keyof typeof PERMISSIONS;

export interface Grant {
  readonly subject: string;
  readonly class: ObjectClass;
  readonly object: string;
  readonly permission: string;
}

/** Where a text is refused and why; lines count from 1. */
export interface LineRefusal {
  readonly line: number;
  readonly reason: string;
}

const POLICY_BYTES = 65_536;
export const POLICY_GRANTS = 4096;

const CLASSES = Object.keys(PERMISSIONS) as ObjectClass[];

/** Whether the text is a name of the class, or, when `part`, could still become one. */
function isObject(kind: ObjectClass, text: string, part: boolean): boolean {
  if (kind === "network") return part ? "default".startsWith(text) : text === "default";
  if (kind === "mount") return isMountObject(text, part);
  if (kind !== "model") return part ? isNamePart(text) : parseObjectName(text) !== undefined;
  if (!part) return parseObjectName(text) !== undefined || parseModelName(text) !== undefined;
  const [provider = "", model] = text.split("/", 2);
  if (text.indexOf("/") !== text.lastIndexOf("/")) return false;
  return model === undefined ? isNamePart(provider) : parseObjectName(provider) !== undefined && isNamePart(model);
}

/** A name that is full and ends like a socket or a control directory cannot grow out of it. */
export function isNamePart(text: string): boolean {
  if (text === "") return true;
  return /^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/u.test(text) && (text.length < 64 || parseObjectName(text) !== undefined);
}

function isMountObject(text: string, part: boolean): boolean {
  if (/[\p{Cc}\p{Z}*?[\]]/u.test(text)) return false;
  if (Buffer.byteLength(text) > 4095) return false;
  if (text === "." || (part && text === "")) return true;
  const components = text.split("/");
  const last = components.pop() ?? "";
  const whole = (c: string): boolean => c !== "" && c !== "." && c !== "..";
  return components.every(whole) && (part || whole(last));
}

function parseGrant(line: string): Grant | string {
  const [verb, subject, object, permission, ...extra] = line.split(" ");
  if (verb !== "allow") return "a line is: allow SUBJECT CLASS:OBJECT PERMISSION";
  if (subject === undefined || !isSubjectType(subject)) return "the subject is no type such as coder_t";
  const colon = object?.indexOf(":") ?? -1;
  if (object === undefined || colon < 0) return "the object is not CLASS:OBJECT";
  const kind = CLASSES.find((name) => name === object.slice(0, colon));
  if (kind === undefined) return "unknown object class";
  const name = object.slice(colon + 1);
  if (!isObject(kind, name, false)) return `no ${kind} has such a name; there are no patterns`;
  if (!PERMISSIONS[kind].some((p) => p === permission)) return `unknown permission of ${kind}`;
  if (permission === undefined || extra.length > 0) return "there is something after the permission";
  return { subject, class: kind, object: name, permission };
}

/** The reason why the line is no grant. */
export function refusePolicyLine(line: string): string | undefined {
  const grant = parseGrant(line);
  return typeof grant === "string" ? grant : undefined;
}

/** The reason why no further characters could make the line a grant. */
export function refusePolicyPart(line: string): string | undefined {
  const [verb = "", subject, object, permission, ...extra] = line.split(" ");
  if (extra.length > 0) return "there is something after the permission";
  if (subject === undefined ? !"allow".startsWith(verb) : verb !== "allow")
    return "a line is: allow SUBJECT CLASS:OBJECT PERMISSION";
  if (subject === undefined) return undefined;
  if (object === undefined ? !isSubjectTypePart(subject) : !isSubjectType(subject))
    return "the subject is no type such as coder_t";
  if (object === undefined) return undefined;
  const colon = object.indexOf(":");
  if (colon < 0)
    return permission === undefined && CLASSES.some((c) => c.startsWith(object)) ? undefined : "unknown object class";
  const kind = CLASSES.find((c) => c === object.slice(0, colon));
  if (kind === undefined) return "unknown object class";
  if (!isObject(kind, object.slice(colon + 1), permission === undefined))
    return `no ${kind} has such a name; there are no patterns`;
  if (permission === undefined || PERMISSIONS[kind].some((p) => p.startsWith(permission))) return undefined;
  return `unknown permission of ${kind}`;
}

/** The grants in the order of the text; every line ends in LF; at most 64 KiB and 4096 grants. No grant: all is denied. */
export function parsePolicy(text: string): readonly Grant[] | LineRefusal {
  if (Buffer.byteLength(text) > POLICY_BYTES) return { line: 1, reason: "a policy has at most 64 KiB" };
  const lines = text.split("\n");
  const rest = lines.pop();
  const grants: Grant[] = [];
  for (const [index, line] of lines.entries()) {
    const grant = parseGrant(line);
    if (typeof grant === "string") return { line: index + 1, reason: grant };
    if (index >= POLICY_GRANTS) return { line: index + 1, reason: "a policy has at most 4096 grants" };
    grants.push(grant);
  }
  return rest === "" ? grants : { line: lines.length + 1, reason: "the last line does not end in LF" };
}

/** The one text of these grants, which `parsePolicy` reads back. */
export function printPolicy(grants: readonly Grant[]): string {
  return grants.map((g) => `allow ${g.subject} ${g.class}:${g.object} ${g.permission}\n`).join("");
}
