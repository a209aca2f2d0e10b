/** How much room the storage has, and what is refused when there is little of it. */

const MEBIBYTE = 1_048_576;
/** Below either of these nothing of the storage may grow: the rest is for the services and the administrator. */
const LEAST_SHARE = 0.05;
const LEAST_BYTES = 256 * MEBIBYTE;
/** Below this share a file is opened through the server, where its growth can be refused. */
const PASSTHROUGH_SHARE = 0.1;

/** Of statfs(2), in bytes that an ordinary user may still take. */
export interface Room {
  readonly available: number;
  readonly total: number;
}

/** Whether a file may grow by `bytes`, or a name be added (0 bytes). */
export function mayGrow({ available, total }: Room, bytes: number): boolean {
  return available - bytes >= Math.max(LEAST_BYTES, LEAST_SHARE * total);
}

/** Whether a file opened now may be written without this server seeing it. */
export function mayPassThrough({ available, total }: Room): boolean {
  return available >= Math.max(LEAST_BYTES, PASSTHROUGH_SHARE * total);
}
