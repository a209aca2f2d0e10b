/** The smallest protocol that has everything a listener meets: see the services and clients of this folder. */
import type { Protocol } from "../../../protocol/definition.ts";
import { closedObject } from "../../../protocol/schema.ts";

const text = { type: "string", pattern: "^[^]{0,3000}$" } as const;

export const echo = {
  abi: "cortexfs.test-echo/v1",
  limits: { maxPayload: 4096, frameMillis: 1000, maxDepth: 1 },
  messages: {
    say: closedObject({ op: { const: "say" }, text }),
    said: closedObject({ type: { const: "said" }, text }),
    error: closedObject({ type: { const: "error" }, code: text, message: text }),
  },
  phases: {
    opened: { from: "client", legal: ["say"] },
    waiting: { from: "service", legal: ["said", "error"] },
  },
  faultCodes: {
    "frame limit": "frame_limit",
    partial: "protocol",
    deadline: "protocol",
    malformed: "protocol",
    illegal: "protocol",
    name: "name",
  },
  validators: { say: () => true, said: () => true, error: () => true },
} as const satisfies Protocol;
