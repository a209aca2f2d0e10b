import type { Fault } from "./plant.ts";

function inFile(file: string, caughtBy: string, faults: readonly (readonly [string, string, string])[]): Fault[] {
  return faults.map(([name, find, plant]) => ({ of: `${file}: ${name}`, file, find, plant, caughtBy }));
}

export const protocolFaults: readonly Fault[] = [
  ...inFile("protocol/budget.ts", "test/protocol/budget.test.ts", [
    ["Budget", "this.usedBy(payer) + amount > this.#perPayer", "this.usedBy(payer) + amount >= this.#perPayer"],
    ["Budget", "this.#used + amount > this.#total", "this.#used > this.#total"],
    ["Budget", "if (live) this.#add(payer, -amount);", "this.#add(payer, -amount);"],
    ["Budget", "|| amount < 1", "|| amount < 0"],
    ["isExhausted", 'return "limit" in answer;', 'return "amount" in answer;'],
  ]),
  ...inFile("protocol/connection.ts", "test/protocol/frame.test.ts", [
    ["Connection", ": receive(this.fd, bytes, offset);", ": receive(this.fd, bytes, 0);"],
    ["Connection", 'if (isSyscallError(error, "ECONNRESET")) return 0;', ""],
    ["Connection", 'if (isSyscallError(error, "EPIPE", "ECONNRESET")) return "end";', ""],
    ["Connection", 'if (count === 0) return "end";', ""],
    ["Connection", "return this.#owned.release();", "return this.#owned.fd;"],
  ]),
  ...inFile("protocol/connection.ts", "test/services/frame/listener.test.ts", [
    ["Connection", "++this.#calls >= CALLS_A_TURN || this.#bytes >= BYTES_A_TURN", "false"],
    ["Connection", "if (next.attached) throw", "if (!next.attached && next.length > 1e6) throw"],
    ["discard", "if (!mayCarryDescriptors(fd)) {", "if (fd > 0) {"],
  ]),
  ...inFile("protocol/conversation.ts", "test/protocol/conversation.test.ts", [
    ["Conversation", "this.protocol.faultCodes[fault.kind]", "fault.kind"],
    ["decode", "?.legal.includes(name) !== true", "?.legal.includes(name) === undefined"],
    ["decode", "!Object.hasOwn(protocol.messages, name)", "!(name in protocol.messages)"],
    ["decode", "if (!validate(value)) throw", "if (validate(value)) throw"],
    ["decode", 'error?.keyword === "pattern" && schema === objectName', 'error?.keyword === "pattern"'],
  ]),
  ...inFile("protocol/fault.ts", "test/protocol/conversation.test.ts", [
    ["Fault", "this.kind = kind;", 'this.kind = "malformed";'],
  ]),
  ...inFile("protocol/frame.ts", "test/protocol/frame.test.ts", [
    ["readFrame", "|| length > limits.maxPayload", "|| length >= limits.maxPayload"],
    ["readFrame", "length === 0 || ", ""],
    ["readFrame", "header.readUInt32BE()", "header.readInt32BE()"],
    [
      "readFrame",
      'if (first === "timeout") throw',
      'if (first === "timeout") return "end"; else if (first === "timeout") throw',
    ],
    ["readFrame", "monotonicMillis() + limits.frameMillis;\n  await", "Infinity;\n  await"],
    ["encodeFrame", "frame.writeUInt32BE(length);", "frame.writeUInt32LE(length);"],
    ["encodeFrame", "Buffer.byteLength(text)", "text.length"],
    [
      "encodeFrame",
      "if (length > limits.maxPayload) {\n    throw new RangeError",
      "if (length > 2 ** 32) {\n    throw new RangeError",
    ],
    ["writeFrame", "monotonicMillis() + limits.frameMillis);", "monotonicMillis() + 60_000 + limits.frameMillis);"],
  ]),
  ...inFile("protocol/peer.ts", "test/protocol/peer.test.ts", [
    ["parseUid", "value < NO_ID", "value <= NO_ID"],
    ["parseUid", "value >= 0 && ", ""],
    ["PeerIdentity", 'if (!isAlive(pidfd)) return { refused: "the peer is gone" };', ""],
    ["PeerIdentity", "userSliceOf(this.cgroup) ?? this.uid", "userSliceOf(this.cgroup) ?? 0"],
    ["PeerIdentity", "[Symbol.dispose](): void {\n    close(this.#pidfd);", "[Symbol.dispose](): void {"],
    ["PeerIdentity", "return agentUnitOf(this.cgroup);", 'return agentUnitOf("");'],
    ["PeerIdentity", "return isAlive(this.#pidfd);", "return true;"],
    ["pidOfFdinfo", "(0|[1-9][0-9]*)", "(-?[0-9]+)"],
    ["refuseServerOtherThanRoot", "uid === 0 ?", "uid === 0 || uid === 65534 ?"],
  ]),
  ...inFile("protocol/schema.ts", "test/protocol/conversation.test.ts", [
    ["closedObject", "!isOptional.has(name)", "isOptional.has(name)"],
  ]),
  ...inFile("protocol/strict-json.ts", "test/protocol/strict-json.test.ts", [
    [
      "parseStrictObject",
      "keysOf(value, depth) !== colonsOutsideStrings(bytes)",
      "keysOf(value, depth) > colonsOutsideStrings(bytes)",
    ],
    ["parseStrictObject", "fatal: true", "fatal: false"],
    ["parseStrictObject", "if (depth === 0) throw", "if (depth < 0) throw"],
    ["parseStrictObject", "refuseLoneSurrogate(key);", ""],
    ["parseStrictObject", "i += byte === BACKSLASH ? 1 : 0", "i += 0"],
    ["parseStrictObject", "ignoreBOM: true", "ignoreBOM: false"],
    ["parseStrictObject", "&& !Array.isArray(value)", ""],
  ]),
];
