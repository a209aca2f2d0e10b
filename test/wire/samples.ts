import { parseNonce, type Nonce } from "../../abi/nonce.ts";
import { parseObjectName, type ObjectName } from "../../abi/object-name.ts";
import { terminalUnitName } from "../../abi/unit-name.ts";
import { control } from "../../protocol/control.ts";
import type { MessageOf, Protocol } from "../../protocol/definition.ts";
import { terminalBroker } from "../../protocol/terminal-broker.ts";

/** Good messages under every name of a protocol, so that a message without a sample is a type error. */
export type Samples<P extends Protocol> = {
  readonly [Name in keyof P["messages"]]: readonly [MessageOf<P, Name>, ...MessageOf<P, Name>[]];
};

const agent = parseObjectName("coder") as ObjectName;
const session = parseObjectName("x.1_+") as ObjectName;
const nonce = parseNonce("-bcdefghijklmnopqrst_vw0") as Nonce;
const generation = "4194304:999999999999999";
const unit = terminalUnitName({ agent, session });

const broker = { abi: terminalBroker.abi } as const;

export const terminalBrokerSamples: Samples<typeof terminalBroker> = {
  register: [{ op: "register", ...broker, agent, session, unit }],
  activate: [{ op: "activate", ...broker, generation }],
  connect: [
    { op: "connect", ...broker, nonce, agent, session, mode: "watch" },
    { mode: "attach", session, agent, nonce, ...broker, op: "connect" },
  ],
  await: [{ op: "await", ...broker, nonce, agent, session, unit }],
  prepared: [{ type: "prepared", nonce }],
  registered: [{ type: "registered", generation: "1:0" }],
  activated: [{ type: "activated", generation }],
  offer: [{ type: "offer", nonce, mode: "attach" }],
  commit: [{ type: "commit", nonce }],
  abort: [{ type: "abort", nonce }],
  accepted: [{ type: "accepted", nonce, generation }],
  ready: [{ type: "ready", nonce, generation: "7:42" }],
  error: [
    { type: "error", code: "not_ready", message: 'no terminal of "coder" is ready\n\u2014 "\\" \u{1f4df}' },
    { type: "error", code: "client_limit", message: "x" },
  ],
};

const service = { abi: control.abi } as const;
const sha256 = "0123456789abcdef".repeat(4);

export const controlSamples: Samples<typeof control> = {
  status: [{ op: "status", ...service }],
  "view-open": [{ op: "view-open", ...service, agent, session }],
  "agent-create": [
    { op: "agent-create", ...service, name: agent },
    { op: "agent-create", ...service, name: agent, model: [], tools: [], shared: {}, mount: [], handoff: "", path: [] },
    {
      op: "agent-create",
      ...service,
      name: agent,
      label: "coder_t",
      model: ["openai/gpt-5.6", "local"],
      tools: [agent, session],
      shared: { docs: ["read", "write"], constructor: [] },
      mount: [
        ["/work", "/workspace", "rw"],
        ["/a", "/b", "ro", "nosuid"],
      ],
      handoff: 'Read\n\u0001"\u{1f4df}',
      life: "temp",
      path: ["/ctx/tool"],
      cwd: "/",
    },
  ],
  "agent-remove": [{ op: "agent-remove", ...service, agent }],
  "agent-chown": [{ op: "agent-chown", ...service, agent, uid: 4_294_967_294, gid: 0 }],
  "object-install": [{ op: "object-install", ...service, tier: "system", size: 67_108_864 }],
  "object-replace": [{ op: "object-replace", ...service, tier: "user", size: 0 }],
  "object-uninstall": [
    { op: "object-uninstall", ...service, class: "model", name: "openai/gpt-5.6", tier: "user" },
    { op: "object-uninstall", ...service, class: "tool", name: "fs.read", tier: "system" },
  ],
  bootstrap: [
    { op: "bootstrap", ...service, mode: "dry-run", size: 1 },
    { op: "bootstrap", ...service, mode: "apply", owner: 1000, size: 4096 },
  ],
  decide: [
    {
      op: "decide",
      ...service,
      pid: 4_194_304,
      starttime: 999_999_999_999_999,
      class: "tool",
      object: "fs.read",
      permission: "execute",
    },
  ],
  data: [
    { op: "data", data_b64: "AA==" },
    { op: "data", data_b64: "+/8=" },
    { op: "data", data_b64: "Zm9vYmFy" },
  ],
  "status-report": [
    {
      type: "status-report",
      version: "0.1.0",
      mount: "/ctx",
      storage: "/var/lib/cortexfs",
      since: "2026-01-01T00:00:00Z",
      views: 0,
      requests: 9_007_199_254_740_991,
      errors: 7,
    },
  ],
  view: [
    {
      type: "view",
      path: "/run/cortexfs/view/1",
      id: 1,
      launch: {
        perm: "rw-",
        mounts: ["/work\t/workspace\trw"],
        env: ["LANG=C.UTF-8", "E=\u00e9\t"],
        path: ["/ctx/tool"],
        cwd: "/workspace",
        network: false,
        policy_sha256: sha256,
      },
    },
  ],
  decision: [
    { type: "decision", allow: true },
    { type: "decision", allow: false, layer: "agent policy" },
  ],
  done: [{ type: "done" }],
  error: [
    { type: "error", code: "ENOENT", message: 'there is no agent "coder"\n\u{1f4df}' },
    { type: "error", code: "EMSGSIZE", message: "x" },
  ],
};
