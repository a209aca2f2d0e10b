/**
 * What a path of `/ctx` is, and therefore which rules hold for it: spec/fuse.md, "Places". A place is found by walking
 * down from the root, one name at a time, so a node's place is fixed by its parent's and its name.
 *
 * Names are bytes; here they are written as latin1, which keeps every byte apart.
 */
import { controlOf } from "../../../abi/control.ts";
import { parseObjectName } from "../../../abi/object-name.ts";

export type PlaceKind =
  /** `/`: seven names, made by nobody. */
  | "root"
  | "status"
  /** `bin`, `tool`, `agent`, `model` and a model's provider: objects come in through the control socket only. */
  | "objects"
  /** An executable, an alias, a socket's link. */
  | "object"
  /** `<name>.d`. */
  | "controls"
  | "control"
  /** A control that is set once or derived: EROFS to everybody. */
  | "fixed control"
  /** Any other file in an agent's `.d`: its owner's, on the way to becoming a control. */
  | "scratch"
  /** `hooks` and its `pre.d` and `post.d`. */
  | "hooks"
  | "hook stage"
  | "hook"
  /** `inbox` and `outbox` of a tool, and what lies in them. */
  | "mailbox"
  | "letter"
  /** `home`, `home/<uid>`, `home/<uid>/agent`, `home/<uid>/agent/<agent>`. */
  | "homes"
  | "home"
  | "agent homes"
  | "agent home"
  /** Everything below a home that is none of an agent's. */
  | "user tier"
  /** What an agent works with, and what is recorded of it. */
  | "agent data"
  | "session record"
  /** `shared`, `shared/<space>`, and everything below one. */
  | "spaces"
  | "space"
  | "shared";

/** What carries controls. */
export type ObjectClass = "agent" | "model" | "tool";

/**
 * One place. Two nodes may be linked, renamed and exchanged with each other only when they have the same `area` (else
 * EXDEV).
 */
export interface Place {
  readonly kind: PlaceKind;
  readonly area: string;
  /** Of "objects" and below. */
  readonly objectClass?: ObjectClass | "bin";
  /** Of "controls" and below: whose they are, without a model's provider. */
  readonly object?: string;
  /** Of "objects": a provider's directory has no further one below. */
  readonly isProvider?: boolean;
}

export const ROOT: Place = { kind: "root", area: "root" };

/** The names of the root, in the order they are listed. */
export const ROOT_NAMES = ["status", "bin", "model", "agent", "tool", "home", "shared"] as const;

const isRootName = (name: string): name is (typeof ROOT_NAMES)[number] =>
  (ROOT_NAMES as readonly string[]).includes(name);

/** The place of `name` in a directory at `parent`; undefined where nothing can be. */
export function placeIn(parent: Place, name: string): Place | undefined {
  return INSIDE[parent.kind](parent, name);
}

type Inside = (parent: Place, name: string) => Place | undefined;

const nothing: Inside = () => undefined;
const same: Inside = (parent) => parent;

const INSIDE: Readonly<Record<PlaceKind, Inside>> = {
  root: inRoot,
  status: nothing,
  objects: inObjects,
  object: nothing,
  controls: inControls,
  control: nothing,
  "fixed control": nothing,
  scratch: nothing,
  hooks: (parent, name) => (name === "pre.d" || name === "post.d" ? { ...parent, kind: "hook stage" } : undefined),
  "hook stage": (parent) => ({ ...parent, kind: "hook" }),
  hook: nothing,
  mailbox: (parent) => ({ ...parent, kind: "letter" }),
  letter: nothing,
  homes: (_, name) => (isUid(name) ? { kind: "home", area: `home ${name}` } : undefined),
  home: ({ area }, name) =>
    name === "agent" ? { kind: "agent homes", area: `${area} agents` } : { kind: "user tier", area },
  "agent homes": ({ area }, name) =>
    parseObjectName(name) === undefined ? undefined : { kind: "agent home", area: `${area} ${name}` },
  "agent home": ({ area }, name) =>
    name === "session" ? { kind: "session record", area: `${area} sessions` } : { kind: "agent data", area },
  "user tier": same,
  "agent data": same,
  "session record": same,
  spaces: (_, name) => (parseObjectName(name) === undefined ? undefined : { kind: "space", area: `shared ${name}` }),
  space: ({ area }) => ({ kind: "shared", area }),
  shared: same,
};

function inRoot(_: Place, name: string): Place | undefined {
  if (!isRootName(name)) return undefined;
  if (name === "status") return { kind: "status", area: ROOT.area };
  if (name === "home") return { kind: "homes", area: "homes" };
  if (name === "shared") return { kind: "spaces", area: "spaces" };
  return { kind: "objects", area: name, objectClass: name };
}

function inObjects({ area, objectClass = "bin", isProvider }: Place, name: string): Place {
  if (objectClass === "bin") return { kind: "object", area, objectClass };
  if (name.endsWith(".d")) {
    return { kind: "controls", area: `${area} ${name}`, objectClass, object: name.slice(0, -2) };
  }
  // A provider and an alias look alike by name; what the storage holds there decides, and a file has nothing below.
  if (objectClass === "model" && isProvider !== true) {
    return { kind: "objects", area: `model ${name}`, objectClass, isProvider: true };
  }
  return { kind: "object", area, objectClass };
}

function inControls(parent: Place, name: string): Place | undefined {
  const { area, objectClass, object } = parent;
  if (objectClass === undefined || objectClass === "bin") return undefined;
  const control = controlOf(objectClass, name);
  // `config` is tsh's alone; beside another tool it is a name like any other.
  if (control !== undefined && (name !== "config" || object === "tsh")) {
    return { ...parent, kind: control.writer === "owner" ? "control" : "fixed control" };
  }
  if (name === "hooks") return { ...parent, kind: "hooks" };
  if (objectClass === "tool" && (name === "inbox" || name === "outbox")) {
    return { kind: "mailbox", area: `${area} ${name}`, objectClass };
  }
  return { ...parent, kind: "scratch" };
}

/** A uid as the decimal number it is: no sign, no leading zero, below 4294967295. */
function isUid(name: string): boolean {
  return /^(?:0|[1-9][0-9]{0,9})$/u.test(name) && Number(name) < 4_294_967_295;
}
