import type { Protocol } from "./definition.ts";
import { validators } from "./generated/terminal-broker.ts";
import { closedObject, generation, nonce, objectName } from "./schema.ts";

/**
 * `cortexfs.terminal-broker/v1` at /run/cortexfs/terminal/broker.sock: see spec/terminal-broker.md. A supervisor
 * registers the terminal it owns; an operator is granted a raw stream to it. Terminal bytes never pass the broker.
 */
const ABI = "cortexfs.terminal-broker/v1";
const abi = { const: ABI } as const;
const mode = { enum: ["watch", "attach"] } as const;
const unit = { title: "unit name", type: "string", pattern: "^[A-Za-z0-9:._-]{1,247}\\.service$" } as const;
const code = {
  enum: [
    "busy",
    "frame_limit",
    "protocol",
    "invalid_name",
    "supervisor_identity",
    "operator_identity",
    "replay",
    "not_ready",
    "registration",
    "client_limit",
  ],
} as const;

export const terminalBroker = {
  abi: ABI,
  limits: {
    maxPayload: 4096,
    frameMillis: 1000,
    // Messages are flat: nothing is nested in the object.
    maxDepth: 1,
  },
  messages: {
    register: closedObject({ op: { const: "register" }, abi, agent: objectName, session: objectName, unit }),
    activate: closedObject({ op: { const: "activate" }, abi, generation }),
    connect: closedObject({ op: { const: "connect" }, abi, nonce, agent: objectName, session: objectName, mode }),
    await: closedObject({ op: { const: "await" }, abi, nonce, agent: objectName, session: objectName, unit }),
    prepared: closedObject({ type: { const: "prepared" }, nonce }),

    registered: closedObject({ type: { const: "registered" }, generation }),
    activated: closedObject({ type: { const: "activated" }, generation }),
    offer: closedObject({ type: { const: "offer" }, nonce, mode }),
    commit: closedObject({ type: { const: "commit" }, nonce }),
    abort: closedObject({ type: { const: "abort" }, nonce }),
    accepted: closedObject({ type: { const: "accepted" }, nonce, generation }),
    ready: closedObject({ type: { const: "ready" }, nonce, generation }),
    error: closedObject({ type: { const: "error" }, code, message: { type: "string", pattern: "^[\\s\\S]{1,512}$" } }),
  },
  phases: {
    // The broker reads. After `connect` and `await` it reads nothing more: what follows belongs to the stream.
    opened: { from: "supervisor or operator", legal: ["register", "connect", "await"] },
    inactive: { from: "supervisor", legal: ["activate"] },
    active: { from: "supervisor", legal: ["prepared"] },
    // A supervisor reads. Behind `offer` comes the byte that carries the descriptor.
    registering: { from: "broker", legal: ["registered", "error"] },
    activating: { from: "broker", legal: ["activated", "error"] },
    supervising: { from: "broker", legal: ["offer", "commit", "abort", "error"] },
    // An operator reads. Behind `accepted` comes the terminal's stream.
    connecting: { from: "broker", legal: ["accepted", "error"] },
    awaiting: { from: "broker", legal: ["ready", "error"] },
  },
  faultCodes: {
    "frame limit": "frame_limit",
    partial: "protocol",
    deadline: "protocol",
    malformed: "protocol",
    illegal: "protocol",
    name: "invalid_name",
  },
  validators,
} as const satisfies Protocol;
