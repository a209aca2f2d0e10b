import { environmentKey, refuseEnvironmentLine } from "./environment-file.ts";
import { isSubjectTypePart, parseLabel } from "./label.ts";
import { refuseMountLine } from "./mount-table.ts";
import { parseModelName, parseObjectName } from "./object-name.ts";
import { PERMS } from "./perm.ts";
import { isNamePart, POLICY_GRANTS, refusePolicyLine, refusePolicyPart, type LineRefusal } from "./policy.ts";
import { isAbsolutePath, refuseSearchPathLine } from "./search-path.ts";

/** Who writes a control: the service once at creation, the object's owner and uid 0, or the running service. */
export type Writer = "creation" | "owner" | "service";

export interface Control {
  readonly writer: Writer;
  /** Bytes of the longest content. */
  readonly mostBytes: number;
  /** The refusal of complete content, or undefined. */
  check(content: Uint8Array): LineRefusal | undefined;
  /** The refusal of content that no further bytes could make valid, or undefined. */
  checkPart(content: Uint8Array): LineRefusal | undefined;
}

/** The reason to refuse a line; with `part`, a line that may still grow and is refused only when that cannot help. */
type Line = (line: string, part: boolean) => string | undefined;

interface Lines {
  readonly line: Line;
  readonly least?: number;
  readonly most?: number;
  /** What may stand in the file only once: the whole line when left out, nothing when it gives undefined. */
  readonly once?: (line: string) => string | undefined;
}

const KIB64 = 65_536;
const MIB = 1_048_576;

/** Text, or a refusal; a last character that is cut is left out when `part`. */
function decode(content: Uint8Array, most: number, part: boolean): string | LineRefusal {
  if (content.length > most) return { line: 1, reason: `more than ${String(most)} bytes` };
  const nul = content.indexOf(0);
  if (nul >= 0) return { line: content.subarray(0, nul).filter((byte) => byte === 10).length + 1, reason: "a NUL" };
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content, { stream: part });
  } catch (error) {
    if (error instanceof TypeError) return { line: 1, reason: "not UTF-8" };
    throw error;
  }
}

function lines(writer: Writer, { line, least = 0, most = 4096, once = (text) => text }: Lines): Control {
  const judge = (content: Uint8Array, part: boolean): LineRefusal | undefined => {
    const text = decode(content, KIB64, part);
    if (typeof text !== "string") return text;
    const all = text.split("\n");
    const rest = all.pop() ?? "";
    const seen = new Set<string>();
    for (const [index, one] of all.entries()) {
      const key = once(one);
      const reason =
        index >= most
          ? `more than ${String(most)} lines`
          : (line(one, false) ?? (key !== undefined && seen.has(key) ? "said twice" : undefined));
      if (reason !== undefined) return { line: index + 1, reason };
      if (key !== undefined) seen.add(key);
    }
    const at = all.length + 1;
    if (rest !== "") {
      if (!part) return { line: at, reason: "the last line does not end in LF" };
      const reason = all.length >= most ? `more than ${String(most)} lines` : line(rest, true);
      if (reason !== undefined) return { line: at, reason };
    }
    return !part && all.length < least ? { line: at, reason: "a line is missing" } : undefined;
  };
  return {
    writer,
    mostBytes: KIB64,
    check: (content) => judge(content, false),
    checkPart: (content) => judge(content, true),
  };
}

const value = (writer: Writer, line: Line): Control => lines(writer, { line, least: 1, most: 1 });
const optional = (writer: Writer, line: Line): Control => lines(writer, { line, most: 1 });

/** Text of any form, empty included. */
function text(writer: Writer, most: number): Control {
  const judge = (content: Uint8Array, part: boolean): LineRefusal | undefined => {
    const read = decode(content, most, part);
    return typeof read === "string" ? undefined : read;
  };
  return {
    writer,
    mostBytes: most,
    check: (content) => judge(content, false),
    checkPart: (content) => judge(content, true),
  };
}

/** One JSON object, ending in LF. A part is not parsed: only its bytes are judged. */
function json(writer: Writer): Control {
  const plain = text(writer, KIB64);
  const check = (content: Uint8Array): LineRefusal | undefined => {
    const read = decode(content, KIB64, false);
    if (typeof read !== "string") return read;
    if (!read.endsWith("\n")) return { line: read.split("\n").length, reason: "the last line does not end in LF" };
    try {
      const parsed: unknown = JSON.parse(read);
      const object = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
      return object ? undefined : { line: 1, reason: "not a JSON object" };
    } catch (error) {
      if (error instanceof SyntaxError) return { line: 1, reason: "not JSON" };
      throw error;
    }
  };
  return { ...plain, check };
}

const word =
  (...words: readonly string[]): Line =>
  (line, part) =>
    words.some((w) => (part ? w.startsWith(line) : w === line)) ? undefined : `not one of ${words.join(" ")}`;

const form =
  (valid: (line: string) => boolean, grows: (line: string) => boolean, reason: string): Line =>
  (line, part) =>
    (part ? grows(line) : valid(line)) ? undefined : reason;

const printable = form(
  (l) => l !== "" && !/\p{Cc}/u.test(l),
  (l) => !/\p{Cc}/u.test(l),
  "empty, or a control character",
);
const name = form((l) => parseObjectName(l) !== undefined, isNamePart, "not an object name");
const isU32 = (l: string, least: number, most: number): boolean =>
  /^(?:0|[1-9][0-9]{0,9})$/u.test(l) && Number(l) >= least && Number(l) <= most;
const number = (least: number, most: number): Line =>
  form(
    (l) => isU32(l, least, most),
    (l) => l === "" || isU32(l, least, most),
    "not a canonical number in range",
  );
const id = number(0, 4_294_967_294);
const path: Line = (l, part) => (isAbsolutePath(l, part) ? undefined : "not an absolute path");
const either =
  (a: Line, b: Line): Line =>
  (l, part) =>
    a(l, part) === undefined ? undefined : b(l, part);

const modelName = form(
  (l) => parseModelName(l) !== undefined,
  (l) => {
    const [provider = "", model, ...extra] = l.split("/");
    if (extra.length > 0) return false;
    return model === undefined ? isNamePart(provider) : parseObjectName(provider) !== undefined && isNamePart(model);
  },
  "not provider/model",
);
const label = form(
  (l) => parseLabel(l) !== undefined,
  (l) => isSubjectTypePart(l) || /^[a-z][a-z0-9_:]{0,199}$/u.test(l),
  "not a label such as user_u:agent_r:coder_t:s0 or coder_t",
);
const tool: Line = (l, part) => (l === "tsh" && !part ? "tsh is never declared" : name(l, part));
const PARENT = ["agent:", "session:", "run:"];
const parent: Line = (l, part) => {
  const words = l.split(" ");
  let next = 0;
  for (const [index, one] of words.entries()) {
    const grows = part && index === words.length - 1;
    const kind = PARENT.findIndex((p, i) => i >= next && one.startsWith(p));
    if (kind < 0) {
      // The word may still become agent: (first) or session: and run: (later).
      const may = PARENT.slice(next).some((p) => p.startsWith(one));
      return grows && may && (index > 0 || "agent:".startsWith(one)) ? undefined : "not agent:NAME [session:S] [run:R]";
    }
    if (index === 0 && kind !== 0) return "not agent:NAME [session:S] [run:R]";
    const rest = one.slice((PARENT[kind] ?? "").length);
    if (name(rest, grows) !== undefined) return "not agent:NAME [session:S] [run:R]";
    next = kind + 1;
  }
  return undefined;
};
const DRIVER = ["default", "exec", "socket", "agent"];
const driver: Line = (l, part) => {
  if (name(l, part) === undefined) return undefined;
  const equal = l.indexOf("=");
  if (equal < 0) return "not a driver's name or default= exec= socket= agent=";
  const listed = l.slice(equal + 1).split(",");
  const ok =
    DRIVER.includes(l.slice(0, equal)) &&
    listed.every((v, i) => name(v, part && i === listed.length - 1) === undefined);
  return ok ? undefined : "not a driver's name or default= exec= socket= agent=";
};
const TSH = ["max_loaded_tools", "cache_capacity", "window_percent"];
const tshConfig: Line = (l, part) => {
  if (l === "" || l.startsWith("#")) return /[^\P{Cc}\t]/u.test(l) ? "a control character" : undefined;
  const equal = l.indexOf("=");
  if (equal < 0) return part && TSH.some((k) => k.startsWith(l)) ? undefined : "unknown key";
  if (!TSH.includes(l.slice(0, equal))) return "unknown key";
  return number(1, l.startsWith("window") ? 100 : 65_536)(l.slice(equal + 1), part);
};
const config: Lines = {
  line: tshConfig,
  once: (l) => (l === "" || l.startsWith("#") ? undefined : l.slice(0, l.indexOf("="))),
};

const policy = lines("owner", {
  line: (l, part) => (part ? refusePolicyPart(l) : refusePolicyLine(l)),
  most: POLICY_GRANTS,
  once: () => undefined,
});
const log = (): Control => text("service", MIB);

const CONTROLS: Readonly<Record<"agent" | "model" | "tool", ReadonlyMap<string, Control>>> = {
  agent: new Map(
    Object.entries({
      owner: value("creation", id),
      uid: value("creation", id),
      gid: value("creation", id),
      groups: lines("creation", { line: id }),
      label: value("creation", label),
      iso: value("creation", word("shared", "uid", "userns")),
      parent: optional("creation", parent),
      life: value("creation", word("owned", "temp")),
      root: value("creation", path),
      abi: value("creation", word("sdk-envelope-v1")),
      policy,
      perm: value("owner", word(...PERMS)),
      mount: lines("owner", { line: refuseMountLine, once: (l) => l.split("\t")[1] }),
      tools: lines("owner", { line: tool }),
      model: lines("owner", { line: either(modelName, name), least: 1 }),
      env: lines("owner", { line: refuseEnvironmentLine, once: environmentKey }),
      path: lines("owner", { line: refuseSearchPathLine }),
      cwd: value("owner", path),
      approval: value("owner", word("auto", "ask")),
      window: value("owner", either(word("auto"), number(1, 4_294_967_295))),
      "system.md": text("owner", MIB),
      "prompt.template.md": text("owner", MIB),
      status: lines("service", { line: printable, least: 1 }),
      pid: optional("service", number(1, 4_194_304)),
      log: log(),
      "meta.json": json("service"),
    }),
  ),
  model: new Map(
    Object.entries({
      id: value("service", either(modelName, name)),
      limit: value("service", either(word("unknown"), number(1, 4_294_967_295))),
      session: text("service", KIB64),
      status: lines("service", { line: printable }),
      log: log(),
      driver: lines("owner", { line: driver, least: 1, most: 4, once: (l) => l.split("=")[0] }),
      cap: lines("owner", {
        line: word(
          ..."chat stream session vision audio_input audio_output json_schema tool_call_syntax reasoning embedding rerank".split(
            " ",
          ),
        ),
      }),
      effort: value("owner", word("auto", "low", "medium", "high", "xhigh")),
      default: optional("owner", printable),
      fallback: lines("owner", { line: modelName }),
    }),
  ),
  tool: new Map(
    Object.entries({
      name: value("service", name),
      status: lines("service", { line: printable }),
      log: log(),
      description: text("owner", KIB64),
      schema: json("owner"),
      cap: lines("owner", { line: name }),
      policy,
      mcp: json("owner"),
      program: json("owner"),
      config: lines("owner", config),
    }),
  ),
};

/** The control of that name, or undefined: the file is then no control. `config` is one of tsh alone; the caller knows whose. */
export function controlOf(kind: "agent" | "model" | "tool", name: string): Control | undefined {
  return CONTROLS[kind].get(name);
}
