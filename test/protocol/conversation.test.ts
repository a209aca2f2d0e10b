import t from "tap";
import { ERRNO_NAMES } from "../../abi/errno.ts";
import { parseNonce, type Nonce } from "../../abi/nonce.ts";
import { parseObjectName, type ObjectName } from "../../abi/object-name.ts";
import { monotonicMillis, socketPair } from "../../native/index.ts";
import { Connection } from "../../protocol/connection.ts";
import { control } from "../../protocol/control.ts";
import { Conversation, decode } from "../../protocol/conversation.ts";
import type { Protocol } from "../../protocol/definition.ts";
import { Fault } from "../../protocol/fault.ts";
import { terminalBroker } from "../../protocol/terminal-broker.ts";

const agent = parseObjectName("coder") as ObjectName;
const session = parseObjectName("default") as ObjectName;
const nonce = parseNonce("abcdefghijklmnopqrstuvwx") as Nonce;
const connect = { op: "connect", abi: terminalBroker.abi, nonce, agent, session, mode: "watch" } as const;

function bytes(value: object): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

t.test("two ends speak a protocol with the types of its messages", async (t) => {
  const [a, b] = socketPair("stream");
  using near = new Connection(a);
  using far = new Connection(b);
  const broker = new Conversation(terminalBroker, near);
  const operator = new Conversation(terminalBroker, far);
  t.equal(await operator.send("opened", connect), "written");
  t.same(await broker.receive("opened", Infinity), connect);
  await broker.send("connecting", { type: "accepted", nonce, generation: "7:42" });
  t.same(await operator.receive("connecting", Infinity), { type: "accepted", nonce, generation: "7:42" });
  await broker.sendFault(new Fault("name", "that is no name"));
  t.same(await operator.receive("connecting", monotonicMillis() + 1000), {
    type: "error",
    code: "invalid_name",
    message: "that is no name",
  });
  far[Symbol.dispose]();
  t.equal(await broker.receive("opened", Infinity), "end");
});

t.test("a message that is right in another phase is a fault of its own kind", (t) => {
  t.same(decode(terminalBroker, "opened", bytes(connect)), connect);
  t.throws(() => decode(terminalBroker, "inactive", bytes(connect)), { kind: "illegal", message: /"connect"/u });
  t.throws(() => decode(control, "viewing", bytes({ op: "status", abi: control.abi })), {
    name: "Fault",
    kind: "illegal",
  });
  t.end();
});

t.test("what is no message, or not of its shape, is malformed; a text that is no name is told apart", (t) => {
  const cases = [
    [{}, "malformed"],
    [{ op: "toString" }, "malformed"],
    [{ op: 7 }, "malformed"],
    [{ ...connect, type: "connect" }, "malformed"],
    [{ ...connect, abi: "cortexfs.terminal-broker/v2" }, "malformed"],
    [{ ...connect, mode: "both" }, "malformed"],
    [{ ...connect, nonce: "short" }, "malformed"],
    [{ ...connect, agent: 7 }, "malformed"],
    [{ ...connect, agent: undefined }, "malformed"],
    [{ ...connect, extra: 1 }, "malformed"],
    [{ ...connect, agent: "a/b" }, "name"],
    [{ ...connect, session: "x.d" }, "name"],
    [{ type: "connect" }, "malformed"],
  ] as const;
  for (const [value, kind] of cases) {
    t.throws(() => decode(terminalBroker, "opened", bytes(value)), { name: "Fault", kind }, JSON.stringify(value));
  }
  t.throws(() => decode(control, "opened", bytes({ op: "agent-remove", abi: control.abi, agent: "" })), {
    name: "Fault",
    kind: "name",
  });
  t.end();
});

for (const [name, protocol] of Object.entries({ terminalBroker, control } as Record<string, Protocol>)) {
  t.test(`${name}: every phase names messages that exist, every message has a phase, a tag and a validator`, (t) => {
    const legal = new Set(Object.values(protocol.phases).flatMap((phase) => phase.legal));
    for (const message of legal) t.ok(Object.hasOwn(protocol.messages, message), message);
    for (const [message, schema] of Object.entries(protocol.messages)) {
      t.ok(legal.has(message), `${message} is legal somewhere`);
      t.type(protocol.validators[message], "function", message);
      const [tag = "", first] = Object.entries(schema.properties)[0] ?? [];
      t.ok(tag === "op" || tag === "type");
      t.same(first, { const: message });
      if (tag === "op" && message !== "data") t.same(schema.properties["abi"], { const: protocol.abi }, message);
    }
    t.end();
  });

  t.test(`${name}: the code of each fault is one its error message may carry`, (t) => {
    const code = protocol.messages["error"]?.properties["code"];
    const codes = code !== undefined && "enum" in code ? code.enum : [];
    for (const faultCode of Object.values(protocol.faultCodes)) t.ok(codes.includes(faultCode), faultCode);
    t.end();
  });
}

t.test("the limits and codes of the broker are those of its specification", (t) => {
  t.same(terminalBroker.limits, { maxPayload: 4096, frameMillis: 1000, maxDepth: 1 });
  t.same(terminalBroker.faultCodes, {
    "frame limit": "frame_limit",
    partial: "protocol",
    deadline: "protocol",
    malformed: "protocol",
    illegal: "protocol",
    name: "invalid_name",
  });
  t.end();
});

t.test("the limits and codes of the control socket are those of its specification", (t) => {
  t.same(control.limits, { maxPayload: 65_536, frameMillis: 1000, maxDepth: 3 });
  const error = control.messages.error.properties["code"];
  t.same(error, { enum: ERRNO_NAMES });
  t.equal(control.faultCodes["frame limit"], "EMSGSIZE");
  t.equal(control.faultCodes.deadline, "ETIMEDOUT");
  t.end();
});

t.test("every message of a protocol decodes in a phase where it is legal to exactly what was sent", (t) => {
  const create = {
    op: "agent-create",
    abi: control.abi,
    name: "reviewer",
    label: "reviewer_t",
    model: ["openai/gpt-5.6"],
    tools: ["fs.read"],
    shared: { "project-a": ["read"] },
    mount: [
      ["/work", "/work", "ro"],
      ["/shared/project-a", "/shared/project-a", "ro"],
    ],
  };
  t.same(decode(control, "opened", bytes(create)), create);
  for (const field of ["label", "model", "tools", "shared", "mount"]) {
    t.doesNotThrow(() => decode(control, "opened", bytes({ ...create, [field]: undefined })), `${field} is optional`);
  }
  const body = { op: "data", data_b64: Buffer.alloc(49_104).toString("base64") };
  t.same(decode(control, "body", bytes(body)), body, "a data frame holds 49,104 bytes");
  for (const data of ["", "AAA", "AAA=A", "A\n==", "AB==", "AAB=", Buffer.alloc(49_107).toString("base64")]) {
    t.throws(() => decode(control, "body", bytes({ op: "data", data_b64: data })), {
      name: "Fault",
      kind: "malformed",
    });
  }
  t.end();
});
