/**
 * What may be made, removed and moved where, whoever asks: the half of the rules that no mode bit says. Answers are 0 or
 * a positive errno of the kernel's.
 */
import os from "node:os";
import { parseObjectName } from "../../../abi/object-name.ts";
import type { Place, PlaceKind } from "./place.ts";

const { EINVAL, EPERM, EROFS, EXDEV } = os.constants.errno;

/** What a call makes. `special`: a FIFO, a socket, a device. */
export type Made = "file" | "directory" | "symlink" | "special";

interface Rules {
  /** What may be made in a directory here. */
  readonly takes: "nothing" | "anything" | "files" | "spaces" | "agents";
  /** Content and attributes of a file here may change: else EROFS, whatever its mode bits say. */
  readonly isWritable: boolean;
  /** unlink(2), and the half of rename(2) that takes an entry away. */
  readonly isRemovable: boolean;
  /** rmdir(2): only what lies below `home/<uid>` and `shared/<space>`. */
  readonly isRmdirable: boolean;
  /** A second name: of a control it would be a way around its checks. */
  readonly isLinkable: boolean;
}

const CLOSED: Rules = {
  takes: "nothing",
  isWritable: false,
  isRemovable: false,
  isRmdirable: false,
  isLinkable: false,
};
const OPEN: Rules = { takes: "anything", isWritable: true, isRemovable: true, isRmdirable: true, isLinkable: true };
const PASSING: Rules = { ...CLOSED, isWritable: true, isRemovable: true };

const RULES: Readonly<Record<PlaceKind, Rules>> = {
  root: CLOSED,
  status: CLOSED,
  objects: CLOSED,
  object: CLOSED,
  controls: { ...CLOSED, takes: "files" },
  control: { ...CLOSED, isWritable: true },
  "fixed control": CLOSED,
  scratch: PASSING,
  hooks: CLOSED,
  "hook stage": { ...CLOSED, takes: "files" },
  hook: PASSING,
  mailbox: { ...CLOSED, takes: "files" },
  letter: PASSING,
  homes: CLOSED,
  home: { ...CLOSED, takes: "anything", isWritable: true },
  "agent homes": { ...OPEN, takes: "agents", isLinkable: false },
  "agent home": { ...OPEN, isLinkable: false },
  "user tier": OPEN,
  "agent data": OPEN,
  "session record": OPEN,
  spaces: { ...CLOSED, takes: "spaces" },
  space: { ...CLOSED, takes: "anything", isWritable: true },
  shared: OPEN,
};

/** Whether something may be made in a directory at `directory`; `child` is the place it would have. */
export function refuseMaking(directory: Place, child: Place | undefined, name: string, made: Made): number {
  const { takes } = RULES[directory.kind];
  if (takes === "nothing") return EROFS;
  if (made === "special") return EPERM;
  if (takes === "spaces") {
    if (made !== "directory") return EPERM;
    return parseObjectName(name) === undefined ? EINVAL : 0;
  }
  if (takes === "agents") return made === "directory" && child !== undefined ? 0 : EINVAL;
  if (takes === "files" && made !== "file") return EROFS;
  return child === undefined ? EROFS : refuseWriting(child);
}

/** Whether the content, mode, owner or times of what lies at `place` may change. */
export function refuseWriting(place: Place): number {
  return RULES[place.kind].isWritable && !isStray(place) ? 0 : EROFS;
}

/** Whether an entry at `place` may be removed by unlink(2). */
export function refuseRemoving(place: Place): number {
  return RULES[place.kind].isRemovable && !isStray(place) ? 0 : EROFS;
}

/** Something in a tool's or model's `.d` that is no control: nobody makes such a thing through the mount. */
function isStray(place: Place): boolean {
  return place.kind === "scratch" && place.objectClass !== "agent";
}

/** Whether a directory at `place` may be removed. */
export function refuseRmdir(place: Place): number {
  return RULES[place.kind].isRmdirable ? 0 : EROFS;
}

/** Whether an entry may go from one place to another: never between areas, and a control only takes what replaces it. */
export function refuseMoving(from: Place, to: Place | undefined, isExchange: boolean): number {
  if (to === undefined) return EROFS;
  const removing = refuseRemoving(from);
  if (removing !== 0) return removing;
  if (from.area !== to.area) return EXDEV;
  if (to.kind === "control") return isExchange ? EROFS : 0;
  return refuseRemoving(to);
}

/** Whether a file at `from` may get another name at `to`. */
export function refuseLinking(from: Place, to: Place | undefined): number {
  if (to === undefined) return EROFS;
  if (from.area !== to.area) return EXDEV;
  return RULES[from.kind].isLinkable ? refuseRemoving(to) : EPERM;
}
