/** One line for each request and each reply, for whoever looks for a fault. Content of files is never in it. */
import { getSystemErrorName } from "node:util";
import { LATER, type Answer } from "./filesystem.ts";
import type { Operation } from "./opcode.ts";
import type { DecodedRequest } from "./request.ts";

const HAS_NAME = new Set("LOOKUP SYMLINK MKNOD MKDIR UNLINK RMDIR RENAME RENAME2 LINK CREATE".split(" "));
const HAS_NEW_NAME = new Set("SYMLINK RENAME RENAME2".split(" "));
const HAS_XATTR_NAME = new Set("SETXATTR GETXATTR REMOVEXATTR".split(" "));
const HAS_HANDLE = new Set("READ WRITE READDIR READDIRPLUS RELEASE RELEASEDIR FLUSH FSYNC FALLOCATE LSEEK".split(" "));

/** A request whose layout was good, or the `refusal` (a negated errno) of one whose was not. */
export function printRequest(operation: Operation | undefined, request: DecodedRequest, refusal: number): string {
  const name = operation?.name ?? `opcode ${String(request.opcode)}`;
  const words = [
    `-> ${name} ${uniqueOf(request)} node ${String(request.node)}`,
    `uid ${String(request.uid)} gid ${String(request.gid)} pid ${String(request.pid)}`,
  ];
  if (refusal !== 0) words.push(`malformed: ${errorName(refusal)}`);
  else if (operation !== undefined) words.push(...details(operation.name, request));
  return words.join(" ");
}

export function printReply(operation: Operation | undefined, request: DecodedRequest, answer: Answer): string {
  return `<- ${uniqueOf(request)} ${outcome(operation, answer)}`;
}

export function printLater(unique: number, answer: number): string {
  return `<- ${String(unique)} ${answer < 0 ? errorName(answer) : `later, ${String(answer)} bytes`}`;
}

function outcome(operation: Operation | undefined, answer: Answer): string {
  if (answer === LATER) return "later";
  if (answer < 0) return errorName(answer);
  return `${operation?.reply ?? "nothing"} ${String(answer)} bytes`;
}

function details(name: string, request: DecodedRequest): string[] {
  const words: string[] = [];
  const text = (at: number, length: number): string => JSON.stringify(request.bytes.toString("utf8", at, at + length));
  if (HAS_NAME.has(name) || HAS_XATTR_NAME.has(name)) words.push(text(request.name, request.nameLength));
  if (HAS_NEW_NAME.has(name)) words.push(text(request.newName, request.newNameLength));
  if (HAS_HANDLE.has(name)) words.push(`handle ${String(request.handle)}`);
  if (name === "READ" || name === "WRITE") words.push(`${String(request.size)} bytes at ${String(request.offset)}`);
  if (name === "OPEN" || name === "OPENDIR" || name === "CREATE") words.push(`flags 0${request.flags.toString(8)}`);
  return words;
}

function uniqueOf(request: DecodedRequest): string {
  return request.isResent ? `${String(request.unique)} (again)` : String(request.unique);
}

function errorName(answer: number): string {
  return getSystemErrorName(answer);
}
