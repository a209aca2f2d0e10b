import type { JsonValue } from "../../protocol/strict-json.ts";
import { visibleText } from "./visible-text.ts";

/** Bytes of the largest datagram: any socket buffer takes it (the smallest default of Linux is 208 KiB). */
const MAX_DATAGRAM = 65_536;
/** Bytes of the largest value in it. */
const MAX_VALUE = 16_384;
/** The journal takes 1024 fields of an entry and drops one with more. */
const MAX_FIELDS = 128;
/** Bytes of the longest field name the journal takes: systemd.journal-fields(7). */
const MAX_NAME = 64;

export interface JournalEntry {
  readonly message: string;
  /** As in syslog(3): 0 emergency to 7 debug. */
  readonly priority: number;
  readonly identifier: string;
  readonly fields: Readonly<Record<string, JsonValue>>;
}

/**
 * One datagram of the journal's native protocol: `NAME=value` lines, and for a value with a newline the name, a newline,
 * the value's length as 64-bit little-endian, the value (systemd's JOURNAL_NATIVE_PROTOCOL). A length cannot be written
 * into a value, so no value can begin another field. MESSAGE, which is what people look at, is one visible line; the fields,
 * named CORTEXFS_…, hold strings as they are and everything else as JSON.
 *
 * Never larger than MAX_DATAGRAM: a long value is cut and fields that do not fit any more are left out, and then
 * CORTEXFS_SHORTENED holds the number of bytes that are missing.
 */
export function encodeJournalEntry(entry: JournalEntry): Buffer {
  const parts: Buffer[] = [];
  let room = MAX_DATAGRAM - LONGEST_REMARK;
  let missing = 0;
  const add = (name: string, value: string): void => {
    const bytes = Buffer.from(value);
    const kept = cut(bytes, MAX_VALUE);
    const part = field(name, kept);
    missing += bytes.length - kept.length;
    if (part.length > room || parts.length === MAX_FIELDS) {
      missing += kept.length;
      return;
    }
    room -= part.length;
    parts.push(part);
  };
  add("MESSAGE", visibleText(entry.message));
  add("PRIORITY", String(entry.priority));
  add("SYSLOG_IDENTIFIER", entry.identifier);
  for (const [name, value] of Object.entries(entry.fields)) {
    add(fieldName(name), typeof value === "string" ? value : JSON.stringify(value));
  }
  if (missing > 0) parts.push(field("CORTEXFS_SHORTENED", Buffer.from(String(missing))));
  return Buffer.concat(parts);
}

const LONGEST_REMARK = field("CORTEXFS_SHORTENED", Buffer.from(String(Number.MAX_SAFE_INTEGER))).length;

function field(name: string, value: Buffer): Buffer {
  if (!value.includes(0x0a)) return Buffer.concat([Buffer.from(`${name}=`), value, Buffer.from("\n")]);
  const length = Buffer.allocUnsafe(8);
  length.writeBigUInt64LE(BigInt(value.length));
  return Buffer.concat([Buffer.from(`${name}\n`), length, value, Buffer.from("\n")]);
}

/** `agentUnit` and `agent-unit` are both CORTEXFS_AGENT_UNIT. */
function fieldName(key: string): string {
  const name = key.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/gu, "_").replaceAll(/[^A-Za-z0-9]/gu, "_");
  return `CORTEXFS_${name.toUpperCase()}`.slice(0, MAX_NAME);
}

/** The first bytes, never ending inside a character. */
function cut(bytes: Buffer, most: number): Buffer {
  if (bytes.length <= most) return bytes;
  let end = most;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end);
}
