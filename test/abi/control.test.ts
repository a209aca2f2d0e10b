import fc from "fast-check";
import t from "tap";
import { controlOf } from "../../abi/control.ts";
import { parsePerm } from "../../abi/perm.ts";
import { parsePolicy, PERMISSIONS, printPolicy, type Grant, type ObjectClass } from "../../abi/policy.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const objectOf: Record<ObjectClass, fc.Arbitrary<string>> = {
  tool: fc.constantFrom("fs.read", "a+b", "x".repeat(64)),
  model: fc.constantFrom("main", "openai/gpt-5.6"),
  shared: fc.constantFrom("project-a", "d"),
  session: fc.constantFrom("default", "1"),
  mount: fc.constantFrom(".", "workspace", "shared/project-a", "..a/\u00e9"),
  agent: fc.constantFrom("review-1", "sock"),
  network: fc.constant("default"),
};
const grant: fc.Arbitrary<Grant> = fc.constantFrom(...(Object.keys(PERMISSIONS) as ObjectClass[])).chain((kind) =>
  fc.record({
    subject: fc.constantFrom("coder_t", "a_t", `${"x".repeat(62)}_t`),
    class: fc.constant(kind),
    object: objectOf[kind],
    permission: fc.constantFrom(...PERMISSIONS[kind]),
  }),
);
const nearPolicy = fc
  .array(
    fc.constantFrom(
      "allow",
      " ",
      "coder_t",
      "tool",
      ":",
      "fs.read",
      "execute",
      "\n",
      "\t",
      "\r",
      "*",
      "\0",
      "mount",
      "/",
    ),
    { maxLength: 14 },
  )
  .map((words) => words.join(""));

t.test("a printed policy is read back as the same grants, and each prefix of it may still grow", (t) => {
  fc.assert(
    fc.property(fc.array(grant, { maxLength: 4 }), (grants) => {
      const text = printPolicy(grants);
      t.same(parsePolicy(text), grants);
      const all = bytes(text);
      for (let end = 0; end <= all.length; end++)
        if (controlOf("agent", "policy")?.checkPart(all.subarray(0, end)) !== undefined) return false;
      return true;
    }),
    { numRuns: 300 },
  );
  t.end();
});

t.test("what is no grant is refused with its line", (t) => {
  const bad = [
    "deny a_t tool:x execute",
    "allow a_t tool:* execute",
    "allow a_t tool:x  execute",
    "allow a_t tool:x execute x",
    "allow a_t tool:x execute\r",
    "allow\ta_t tool:x execute",
    "allow a_t disk:x read",
    "allow a_t tool:x use",
    "allow a_t network:eth0 connect",
    "allow a_t mount:/x read",
    "allow a tool:x execute",
    "allow a_t tool:x.d execute",
    "allow a_t tool:x\0 execute",
    "",
  ];
  for (const line of bad)
    t.match(parsePolicy(`allow a_t tool:x execute\n${line}\n`), { line: 2 }, JSON.stringify(line));
  t.match(parsePolicy("allow a_t tool:x execute"), { line: 1 });
  t.match(parsePolicy("allow a_t tool:x execute\n".repeat(4097)), { line: 1 });
  t.match(parsePolicy("allow a_t tool:x use\n".repeat(1)), { line: 1 });
  t.end();
});

const samples: [kind: "agent" | "model" | "tool", name: string, good: string[], bad: string[]][] = [
  ["agent", "uid", ["0\n", "4294967294\n"], ["4294967295\n", "01\n", "", "1", "1\n2\n"]],
  ["agent", "perm", ["r-x\n", "---\n"], ["rx\n", "xwr\n"]],
  ["agent", "label", ["coder_t\n", "user_u:agent_r:coder_t:s0\n"], ["coder\n", "user_u:agent_r:coder_t:s1\n"]],
  [
    "agent",
    "parent",
    ["", "agent:a session:b run:c\n", "agent:a run:r\n"],
    ["session:b\n", "agent:a run:c session:b\n"],
  ],
  [
    "agent",
    "mount",
    ["", "/a b\t/w\tro\t-\n/\t/ctxa\trw\trbind,nosuid\n"],
    [
      "/a\t/ctx\tro\t-\n",
      "/a\t/ctx/b\tro\t-\n",
      "/a\t/\tro\t-\n",
      "/a\t/b\tro\tbind,rbind\n",
      "/a\t/b\tro\tbind,bind\n",
      "/a\t/b\tro\n",
      "a\t/b\tro\t-\n",
      "/a\t/b/../c\tro\t-\n",
      "/a\t/b\tro\tsuid\n",
    ],
  ],
  ["agent", "tools", ["", "tsh.config\nfs.read\n"], ["tsh\n", "a\na\n", " a\n", "a\n\n"]],
  ["agent", "env", ["A=$B\nC=\n"], ["1A=b\n", "A\n", "A=1\nA=2\n", "A=\0\n"]],
  ["agent", "path", ["/ctx/tool\n/\u00e9\n"], ["a\n", "/a:/b\n", "/a/\n"]],
  ["agent", "window", ["auto\n", "4294967295\n"], ["0\n", "4294967296\n"]],
  ["agent", "system.md", ["", "any\ttext"], ["\0"]],
  ["model", "driver", ["aimock\n", "default=a,b\nexec=c\n"], ["x=y\n", "default=\n", "default=a\ndefault=b\n"]],
  ["model", "cap", ["chat\nvision\n"], ["magic\n"]],
  ["tool", "schema", ["{}\n"], ["[]\n", "{\n", "{}"]],
  ["tool", "config", ["# x\n\ncache_capacity=32\n"], ["x=1\n", "window_percent=101\n"]],
];

t.test("each control takes what its form says, each prefix of that may grow, and nothing else is taken", (t) => {
  for (const [kind, name, good, bad] of samples) {
    const control = controlOf(kind, name);
    if (control === undefined) return t.fail(name);
    for (const text of good) {
      const all = bytes(text);
      t.equal(control.check(all), undefined, `${name} ${JSON.stringify(text)}`);
      for (let end = 0; end <= all.length; end++) t.equal(control.checkPart(all.subarray(0, end)), undefined, name);
    }
    for (const text of bad) t.ok(control.check(bytes(text)), `${name} ${JSON.stringify(text)}`);
  }
  t.end();
});

t.test("a refused prefix is refused whatever follows, and nothing throws", (t) => {
  const controls = samples.map(([kind, name]) => controlOf(kind, name)).concat(controlOf("agent", "policy"));
  const near = fc.oneof(
    nearPolicy,
    fc.constantFrom(...samples.flatMap(([, , good, bad]) => [...good, ...bad])),
    fc.string({ unit: "binary", maxLength: 6 }),
  );
  fc.assert(
    fc.property(near, near, fc.uint8Array({ maxLength: 3 }), (head, tail, noise) => {
      const prefix = Buffer.concat([bytes(head), noise]);
      const whole = Buffer.concat([prefix, bytes(tail)]);
      return controls.every(
        (c) =>
          c !== undefined &&
          (c.checkPart(prefix) === undefined || (c.check(whole) !== undefined && c.checkPart(whole) !== undefined)),
      );
    }),
    { numRuns: 5000 },
  );
  fc.assert(
    fc.property(nearPolicy, (text) => Array.isArray(parsePolicy(text)) || "line" in parsePolicy(text)),
    {
      numRuns: 10_000,
    },
  );
  t.end();
});

t.test("invalid UTF-8, NUL and too much are refused; a cut character is not yet", (t) => {
  const env = controlOf("agent", "env");
  t.equal(env?.checkPart(Uint8Array.of(65, 61, 0xc3)), undefined);
  t.ok(env?.check(Uint8Array.of(65, 61, 0xc3)));
  t.ok(env?.checkPart(Uint8Array.of(65, 61, 0xff)));
  t.ok(controlOf("tool", "description")?.checkPart(new Uint8Array(65_537).fill(97)));
  t.equal(controlOf("agent", "system.md")?.check(new Uint8Array(1_048_576).fill(97)), undefined);
  t.ok(controlOf("agent", "system.md")?.checkPart(new Uint8Array(1_048_577).fill(97)));
  t.end();
});

t.test("a control has one writer, and other names are no controls", (t) => {
  t.equal(controlOf("agent", "uid")?.writer, "creation");
  t.equal(controlOf("agent", "policy")?.writer, "owner");
  t.equal(controlOf("model", "limit")?.writer, "service");
  t.equal(controlOf("agent", "toString"), undefined);
  t.equal(parsePerm("rwx"), "rwx");
  t.equal(parsePerm("rwz"), undefined);
  t.end();
});
