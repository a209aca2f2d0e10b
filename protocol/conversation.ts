import type { Deadline } from "../native/index.ts";
import type { Connection, WriteOutcome } from "./connection.ts";
import type { Legal, PhaseOf, Protocol, Validate } from "./definition.ts";
import { Fault } from "./fault.ts";
import { readFrame, writeFrame } from "./frame.ts";
import { objectName } from "./schema.ts";
import { parseStrictObject, type JsonObject } from "./strict-json.ts";

/** One connection that speaks one protocol. Both ends use it; what differs is the phases they read in. */
export class Conversation<P extends Protocol> {
  readonly protocol: P;
  readonly connection: Connection;

  constructor(protocol: P, connection: Connection) {
    this.protocol = protocol;
    this.connection = connection;
  }

  /**
   * The next message, which is one that is legal in `phase`, or "end" when the peer ends the stream between frames.
   * Throws Fault for everything else. `firstByteBy`: Infinity for a peer that may be idle for ever.
   */
  async receive<F extends PhaseOf<P>>(phase: F, firstByteBy: Deadline): Promise<Legal<P, F> | "end"> {
    const payload = await readFrame(this.connection, this.protocol.limits, firstByteBy);
    return payload === "end" ? "end" : decode(this.protocol, phase, payload);
  }

  /** Sends a message that is legal in the `phase` the peer reads in. */
  send<F extends PhaseOf<P>>(_phase: F, message: Legal<P, F>): Promise<WriteOutcome> {
    return writeFrame(this.connection, message as JsonObject, this.protocol.limits);
  }

  /** Tells the peer about its fault as far as it still listens. Closing is the caller's next and only step. */
  sendFault(fault: Fault): Promise<WriteOutcome> {
    const message = { type: "error", code: this.protocol.faultCodes[fault.kind], message: fault.message };
    return writeFrame(this.connection, message, this.protocol.limits);
  }
}

/** The message in a payload, checked in this order: JSON, a message of this protocol, legal in this phase, its shape. */
export function decode<P extends Protocol, F extends PhaseOf<P>>(
  protocol: P,
  phase: F,
  payload: Uint8Array,
): Legal<P, F> {
  const value = parseStrictObject(payload, protocol.limits.maxDepth);
  const name = Object.hasOwn(value, "op") ? value["op"] : value["type"];
  if (typeof name !== "string" || !Object.hasOwn(protocol.messages, name)) {
    throw new Fault("malformed", "the frame is no message of this protocol");
  }
  if (protocol.phases[phase]?.legal.includes(name) !== true) {
    throw new Fault("illegal", `"${name}" is not legal in the phase "${phase}"`);
  }
  const validate = protocol.validators[name];
  if (validate === undefined) throw new Error(`no validator was generated for "${name}"`);
  if (!validate(value)) throw faultOf(protocol, name, validate);
  return value as Legal<P, F>;
}

/** A text in the place of a name that is no name is told apart from a message of the wrong shape. */
function faultOf(protocol: Protocol, name: string, validate: Validate): Fault {
  const error = validate.errors?.[0];
  const field = error?.instancePath.slice(1) ?? "";
  const schema = protocol.messages[name]?.properties[field];
  const isName = error?.keyword === "pattern" && schema === objectName;
  const where = field === "" ? `"${name}"` : `"${field}" of "${name}"`;
  return new Fault(isName ? "name" : "malformed", `${where} ${error?.message ?? "does not have its shape"}`);
}
