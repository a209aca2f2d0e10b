import fc from "fast-check";
import t from "tap";
import { ERRNO_NAMES, isErrnoName } from "../../abi/errno.ts";
import { parseModelName, parseObjectName, type ObjectName } from "../../abi/object-name.ts";
import { parseTerminalUnitName, terminalUnitName } from "../../abi/unit-name.ts";

const FIRST = Array.from("ABCXYZabcxyz0189");
const REST = [...FIRST, ".", "_", "+", "-"];

/** Texts near the grammar, on both sides of it; separators are frequent, since joins break there. */
const nearName = fc.oneof(
  fc.string({ unit: fc.constantFrom(...REST), minLength: 1, maxLength: 66 }),
  fc.string({ unit: fc.constantFrom("a", "1", "-", "+", ".", "d", "sock"), maxLength: 16 }),
  fc.string({ unit: "binary", maxLength: 4 }),
);
const objectName = nearName.filter((text): text is ObjectName => parseObjectName(text) !== undefined);

t.test("an object name is 1 to 64 characters of its grammar", (t) => {
  const good = [
    "a",
    "Z",
    "7",
    "a.b",
    "fs.read",
    "gpt-5.6",
    "a+b_c",
    "x".repeat(64),
    "d",
    "sock",
    "a.dd",
    ".d".repeat(0) + "ad",
  ];
  const bad = [
    "",
    ".",
    "..",
    ".a",
    "-a",
    "_a",
    "+a",
    "x".repeat(65),
    "a/b",
    "a b",
    "a\n",
    "a\0",
    "\u00e9",
    "a\u0301",
    "a:",
    "a@",
    "a.sock",
    "a.d",
    "a.b.d",
  ];
  for (const text of good) t.equal(parseObjectName(text), text, JSON.stringify(text));
  for (const text of bad) t.equal(parseObjectName(text), undefined, JSON.stringify(text));
  t.end();
});

t.test("a name is judged as a hand-written reading of the grammar judges it", (t) => {
  fc.assert(
    fc.property(nearName, (text) => {
      const expected =
        text.length >= 1 &&
        text.length <= 64 &&
        Array.from(text).every(
          (c) => (c >= "a" && c <= "z") || (c >= "A" && c <= "Z") || (c >= "0" && c <= "9") || "._+-".includes(c),
        ) &&
        !"._+-".includes(text[0] ?? ".") &&
        !text.endsWith(".d") &&
        !text.endsWith(".sock");
      return (parseObjectName(text) !== undefined) === expected;
    }),
    { numRuns: 5000 },
  );
  t.end();
});

t.test("a model's name is a provider's and a model's object name", (t) => {
  t.same(parseModelName("openai/gpt-5.6"), { provider: "openai", model: "gpt-5.6" });
  for (const text of ["openai", "/x", "x/", "a/b/c", "a/.b", "a.d/b", ""])
    t.equal(parseModelName(text), undefined, text);
  t.end();
});

t.test("the errno names of the wire are known and no others", (t) => {
  t.equal(ERRNO_NAMES.length, 16);
  for (const name of ERRNO_NAMES) t.ok(isErrnoName(name), name);
  for (const name of ["EPERM", "eacces", "toString", ""]) t.notOk(isErrnoName(name), name);
  t.end();
});

t.test("a terminal's unit name is one that systemd accepts, of at most 164 bytes, and decodes to its terminal", (t) => {
  t.equal(
    terminalUnitName({ agent: "a+b" as ObjectName, session: "c" as ObjectName }),
    "cortexfs-agent-3-a:b-c-terminal.service",
  );
  fc.assert(
    fc.property(objectName, objectName, (agent, session) => {
      const unit = terminalUnitName({ agent, session });
      t.match(unit, /^[A-Za-z0-9:._-]+\.service$/u);
      if (unit.length > 164) return false;
      const terminal = parseTerminalUnitName(unit);
      return terminal?.agent === agent && terminal.session === session;
    }),
    { numRuns: 2000 },
  );
  const longest = "x".repeat(64) as ObjectName;
  t.equal(terminalUnitName({ agent: longest, session: longest }).length, 164);
  t.end();
});

t.test("no two terminals share a unit name, though a plain join of their names is the same", (t) => {
  const pairs = [
    ["a", "b-c"],
    ["a-b", "c"],
    ["a+b", "c"],
    ["a-1-a", "b"],
    ["a", "1-a-b"],
  ] as [ObjectName, ObjectName][];
  const units = pairs.map(([agent, session]) => terminalUnitName({ agent, session }));
  t.equal(new Set(units).size, pairs.length);
  fc.assert(
    fc.property(objectName, objectName, objectName, objectName, (a, s, b, r) => {
      const same = a === b && s === r;
      return (terminalUnitName({ agent: a, session: s }) === terminalUnitName({ agent: b, session: r })) === same;
    }),
    { numRuns: 2000 },
  );
  t.end();
});

t.test("a unit name that the encoder does not produce decodes to nothing", (t) => {
  const bad = [
    "cortexfs-agent-03-abc-d-terminal.service",
    "cortexfs-agent-0--d-terminal.service",
    "cortexfs-agent-2-abc-d-terminal.service",
    "cortexfs-agent-3-a+c-d-terminal.service",
    "cortexfs-agent-3-abc-terminal.service",
    "cortexfs-agent-3-abc--terminal.service",
    "cortexfs-agent-3-abc-d-terminal.service\n",
    "xcortexfs-agent-3-abc-d-terminal.service",
    "cortexfs-agent-3-abc-d-terminal.scope",
    "cortexfs-agent-65-" + "x".repeat(65) + "-d-terminal.service",
    "cortexfs-agent-3-abc-d.d-terminal.service",
    "",
  ];
  for (const unit of bad) t.equal(parseTerminalUnitName(unit), undefined, JSON.stringify(unit));
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("1", "2", "a", "-", ":", "+", "."), maxLength: 12 }), (middle) => {
      const unit = `cortexfs-agent-${middle}-terminal.service`;
      const terminal = parseTerminalUnitName(unit);
      return terminal === undefined || terminalUnitName(terminal) === unit;
    }),
    { numRuns: 20_000 },
  );
  t.end();
});
