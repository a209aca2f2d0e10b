import { ERRNO_NAMES } from "../abi/errno.ts";
import { OBJECT_NAME_PATTERN } from "../abi/object-name.ts";
import type { Protocol } from "./definition.ts";
import { validators } from "./generated/control.ts";
import { closedObject, objectName, type Schema } from "./schema.ts";

/**
 * `cortexfs.control/v1` at /run/cortexfs/control.sock: see spec/control.md. One request, then its body if it declares
 * one, then one reply. A connection that opened a view can do nothing else: it is the view's life.
 */
const ABI = "cortexfs.control/v1";
const abi = { const: ABI } as const;

/** Bytes of the largest body; the sum of its `data` frames is exactly the declared `size`. */
const MAX_BODY = 64 * 1024 * 1024;
/** Characters of base64 in one `data` frame; what is left of `maxPayload` holds the rest of the message. */
const MAX_DATA_CHARACTERS = 65_472;

const op = <const Name extends string>(name: Name) => ({ const: name }) as const;
const id = { title: "uid or gid", type: "integer", minimum: 0, maximum: 4_294_967_294 } as const;
const size = { type: "integer", minimum: 0, maximum: MAX_BODY } as const;
const count = { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const;
const tier = { enum: ["system", "user"] } as const;
const objectClass = { enum: ["agent", "tool", "model"] } as const;
/** Absolute, without NUL or newline, at most 4095 characters. */
const absolutePath = { title: "absolute path", type: "string", pattern: "^/[^\\u0000\\n]{0,4094}$" } as const;
/** One entry of a search path: no colon, which would make it two. */
const searchPath = { title: "absolute path", type: "string", pattern: "^/[^\\u0000\\n:]{0,4094}$" } as const;
/** One line of a control file: no controls, line separators or marks of text direction. */
const line = {
  type: "string",
  pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]{1,1024}$",
} as const;
/** One row of a mount table or environment: it may hold tabs, as those files do. */
const row = { type: "string", pattern: "^[^\\u0000\\n]{1,8192}$" } as const;
/** `<provider>/<model>`, or one object name: an alias, or what else the message says it names. */
const modelName = {
  title: "model name",
  type: "string",
  pattern: `${OBJECT_NAME_PATTERN.slice(0, -1)}(?:/${OBJECT_NAME_PATTERN.slice(1, -1)})?$`,
} as const;
const sha256 = { type: "string", pattern: "^[0-9a-f]{64}$" } as const;
const list = <const Items extends Schema>(items: Items, maxItems: number) =>
  ({ type: "array", items, maxItems }) as const;

export const control = {
  abi: ABI,
  limits: {
    maxPayload: 65_536,
    frameMillis: 1000,
    // agent-create nests deepest: the object, `mount` or `shared`, one entry of it.
    maxDepth: 3,
  },
  messages: {
    status: closedObject({ op: op("status"), abi }),
    "view-open": closedObject({ op: op("view-open"), abi, agent: objectName, session: objectName }),
    "agent-create": closedObject(
      {
        op: op("agent-create"),
        abi,
        name: objectName,
        label: line,
        model: list(modelName, 16),
        tools: list(objectName, 256),
        shared: {
          type: "object",
          maxProperties: 64,
          propertyNames: { pattern: objectName.pattern },
          additionalProperties: { type: "array", items: { enum: ["read", "write"] }, maxItems: 2 },
        },
        mount: list({ type: "array", items: line, minItems: 3, maxItems: 4 }, 64),
        handoff: { type: "string", pattern: "^[^\\u0000]{0,32768}$" },
        life: { enum: ["owned", "temp"] },
        path: list(searchPath, 64),
        cwd: absolutePath,
      },
      ["label", "model", "tools", "shared", "mount", "handoff", "life", "path", "cwd"],
    ),
    "agent-remove": closedObject({ op: op("agent-remove"), abi, agent: objectName }),
    "agent-chown": closedObject({ op: op("agent-chown"), abi, agent: objectName, uid: id, gid: id }),
    "object-install": closedObject({ op: op("object-install"), abi, tier, size }),
    "object-replace": closedObject({ op: op("object-replace"), abi, tier, size }),
    "object-uninstall": closedObject({ op: op("object-uninstall"), abi, class: objectClass, name: modelName, tier }),
    bootstrap: closedObject(
      { op: op("bootstrap"), abi, mode: { enum: ["apply", "check", "dry-run"] }, owner: id, size },
      ["owner"],
    ),
    decide: closedObject({
      op: op("decide"),
      abi,
      pid: { type: "integer", minimum: 1, maximum: 4_194_304 },
      starttime: { type: "integer", minimum: 0, maximum: 999_999_999_999_999 },
      class: { enum: ["tool", "model", "shared", "session", "mount", "agent", "network"] },
      object: line,
      permission: { enum: ["execute", "use", "read", "write", "resume", "create", "start", "stop", "connect"] },
    }),
    data: closedObject({
      op: op("data"),
      data_b64: {
        type: "string",
        pattern: `^(?=.{4,${String(MAX_DATA_CHARACTERS)}}$)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkos048]=)?$`,
      },
    }),

    "status-report": closedObject({
      type: op("status-report"),
      version: line,
      mount: absolutePath,
      storage: absolutePath,
      since: line,
      views: count,
      requests: count,
      errors: count,
    }),
    view: closedObject({
      type: op("view"),
      path: absolutePath,
      id: count,
      launch: closedObject({
        perm: { type: "string", pattern: "^[r-][w-][x-]$" },
        mounts: list(row, 64),
        env: list(row, 256),
        path: list(searchPath, 64),
        cwd: absolutePath,
        network: { type: "boolean" },
        policy_sha256: sha256,
      }),
    }),
    decision: closedObject(
      { type: op("decision"), allow: { type: "boolean" }, layer: { type: "string", pattern: "^[a-z ]{1,64}$" } },
      ["layer"],
    ),
    done: closedObject({ type: op("done") }),
    error: closedObject({
      type: op("error"),
      code: { enum: ERRNO_NAMES },
      message: { type: "string", pattern: "^[\\s\\S]{1,1024}$" },
    }),
  },
  phases: {
    // The service reads.
    opened: {
      from: "client",
      legal: [
        "status",
        "view-open",
        "agent-create",
        "agent-remove",
        "agent-chown",
        "object-install",
        "object-replace",
        "object-uninstall",
        "bootstrap",
        "decide",
      ],
    },
    body: { from: "client", legal: ["data"] },
    // The connection of an open view: a client that says anything more has broken the protocol.
    viewing: { from: "client", legal: [] },
    // A client reads.
    "asked status": { from: "service", legal: ["status-report", "error"] },
    "asked view": { from: "service", legal: ["view", "error"] },
    "asked decision": { from: "service", legal: ["decision", "error"] },
    "asked change": { from: "service", legal: ["done", "error"] },
  },
  faultCodes: {
    "frame limit": "EMSGSIZE",
    partial: "EINVAL",
    deadline: "ETIMEDOUT",
    malformed: "EINVAL",
    illegal: "EINVAL",
    name: "EINVAL",
  },
  validators,
} as const satisfies Protocol;
