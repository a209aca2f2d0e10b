import type { Fault } from "./plant.ts";

function inFile(file: string, tests: string, faults: readonly (readonly [string, string, string])[]): Fault[] {
  const caughtBy = `test/services/frame/${tests}.test.ts`;
  return faults.map(([name, find, plant]) => {
    const path = `services/frame/${file}.ts`;
    return { of: `${path}: ${name}`, file: path, find, plant, caughtBy };
  });
}

export const frameFaults: readonly Fault[] = [
  ...inFile("environment", "environment", [
    ["refuseEnvironment", "0\\s+4294967295\\n$", "0\\s+[0-9]+\\n$"],
    ["refuseEnvironment", "^(?:NODE|OPENSSL)_", "^(?:NODE_OPTIONS|OPENSSL_)"],
    ["refuseEnvironment", 'flag.startsWith("--inspect")', 'flag === "--inspect"'],
    ["refuseEnvironment", "flags.findLast(", "flags.find("],
    ["refuseEnvironment", 'option.replaceAll("_", "-")', "option"],
  ]),
  ...inFile("inherited-descriptors", "inherited-descriptors", [
    ["takeInheritedDescriptors", "expected.isStored?.(name) === true", "true"],
    ["takeInheritedDescriptors", "if (sockets.has(name))", "if (sockets.size > 9)"],
    ["takeInheritedDescriptors", "if (missing.length > 0)", "if (missing.length > 1)"],
    ["takeInheritedDescriptors", "if (pid !== String(process.pid)) return [];", ""],
    ["takeInheritedDescriptors", "Reflect.deleteProperty(environment, name);", ""],
    ["takeInheritedDescriptors", "!fstatSync(fd).isSocket()", "fstatSync(fd).isFile()"],
    ["takeInheritedDescriptors", "if (list.length !== Number(count))", "if (list.length > Number(count))"],
  ]),
  ...inFile("datagram", "notify", [["Datagrams", 'return "full";', 'return "sent";']]),
  ...inFile("datagram", "journal", [["DatagramError", "getSystemErrorName(code)", "String(code)"]]),
  ...inFile("notify", "notify", [
    ["Notifier", "visibleText(text)", "text"],
    ["Notifier", "/ 2000)", "/ 1000)"],
    ["Notifier", "pid !== undefined && pid !== String(process.pid)", "false"],
    ["Notifier", "if (this.#waiting === 0) void", "void"],
    ["Notifier", "if (this.#waiting === 0) {", "if (this.#waiting < 500) {"],
    ["Notifier", "\\nFDPOLL=0", ""],
    ["Notifier", "monotonicMillis() < giveUpAt", "true"],
    ["Notifier", "Reflect.deleteProperty(environment, name);", "Reflect.has(environment, name);"],
  ]),
  ...inFile("visible-text", "journal", [["visibleText", "[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", "[\\p{Cc}\\p{Zl}\\p{Zp}]"]]),
  ...inFile("redaction", "journal", [
    ["withoutSecrets", "name.toLowerCase()", "name"],
    ["withoutSecrets", "if (depth === 0) return", "if (depth === -9) return"],
    ["withoutSecrets", "token(?!iz)|", ""],
  ]),
  ...inFile("journal-entry", "journal", [
    ["encodeJournalEntry", "if (!value.includes(0x0a))", "if (value.length > 0)"],
    ["encodeJournalEntry", "writeBigUInt64LE", "writeBigUInt64BE"],
    ["encodeJournalEntry", "visibleText(entry.message)", "entry.message"],
    ["encodeJournalEntry", "part.length > room || ", ""],
    ["encodeJournalEntry", "((bytes[end] ?? 0) & 0xc0) === 0x80", "false"],
    ["encodeJournalEntry", " || parts.length === MAX_FIELDS", ""],
  ]),
  ...inFile("journal", "journal", [
    ["openLog", "warn: 4,", "warn: 5,"],
    [
      "openLog",
      "withoutSecrets({ ...bindings, ...fields })",
      "({ ...bindings, ...withoutSecrets(fields ?? {}) as object })",
    ],
    ["openLog", 'nestedKey: "fields"', "nestedKey: undefined"],
    ["openLog", 'outcome === "gone" ? this.#send(bytes) : outcome', "outcome"],
    ["openLog", "!this.#sink.write(entry)) this.#lost++", "!this.#sink.write(entry)) this.#lost = 0"],
    ["openLog", "return stream === `", "return stream !== `"],
    ["openLog", "{ ...own, ...fields, ...own }", "{ ...own, ...fields }"],
    ["openLog", "visibleText(JSON.stringify(", "String(JSON.stringify("],
  ]),
  ...inFile("log-allowance", "log-allowance", [
    ["LogAllowance", "|| this.#total >= this.#limits.total", ""],
    ["LogAllowance", "this.#heldBack = 0;\n    return", "return"],
    ["LogAllowance", "this.#byPayer.clear();", ""],
  ]),
  ...inFile("listener", "listener", [
    ["Listener", "using peer = identity;", "const peer = identity;"],
    ["Listener", "using _charge = charge;", "const _charge = charge;"],
    ["Listener", "await using connection = new Connection", "const connection = new Connection"],
    ["Listener", "await discard(fd);", ""],
    ["Listener", "for (const session of this.#sessions) session.stopping.abort();", ""],
    ["Listener", "session.connection?.[Symbol.dispose]();", ""],
    ["Listener", "session.abandoned = true;", ""],
    ["Listener", "clearTimeout(grace);", ""],
    ["Listener", "if (!isSyscallError(error, ...NO_ROOM)) throw error;\n        this", "throw error;\n        this"],
    ["Listener", "await delay(NO_ROOM_MILLIS)", "await undefined"],
    ["Listener", "this.#isResting = true;", ""],
    ["Listener", "charge(peer.payer)", "charge(0)"],
    ["Listener", "this.#tell(fd, charge);", ""],
    ["Listener", "this.#counters.faults++;", ""],
    ["conversing", "if (error instanceof Fault) await conversation.sendFault(error);", ""],
  ]),
  ...inFile("service", "service", [
    ["runService", "process.umask(0o077);", "process.umask(0o022);"],
    ["runService", "if (refusal !== undefined) throw", "if (refusal === name) throw"],
    [
      "runService",
      'const stopRequest = nextSignal("SIGTERM", "SIGINT");',
      'const stopRequest = nextSignal("SIGTERM");',
    ],
    ["runService", "process.on(signal, resolve)", "process.once(signal, resolve)"],
    ["runService", "notifier.stopping();", ""],
    ["runService", "process.exit(EX_SOFTWARE);", "process.exit(0);"],
    ["runService", 'process.on("uncaughtException"', 'process.on("warning"'],
    ["runService", "notifier.ready();", ""],
    ["runService", "delay(graceMillis + GRACE_MARGIN_MILLIS", "delay(60_000"],
  ]),
  ...inFile("start-error", "notify", [["StartError", 'override readonly name = "StartError";', ""]]),
];
