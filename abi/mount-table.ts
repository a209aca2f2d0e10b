import { isAbsolutePath } from "./search-path.ts";

const OPTIONS = ["bind", "rbind", "nosuid", "nodev", "noexec"];

/** Options that may follow those already said: none twice, and only one of bind and rbind. */
function open(said: readonly string[]): string[] {
  const bound = said.includes("bind") || said.includes("rbind");
  return OPTIONS.filter((o) => !said.includes(o) && !(bound && o.endsWith("bind")));
}

function isOptions(text: string, part: boolean): boolean {
  if (text === "-" || (part && text === "")) return true;
  const said: string[] = [];
  const words = text.split(",");
  for (const [index, word] of words.entries()) {
    const last = index === words.length - 1;
    if (!open(said).some((o) => (part && last ? o.startsWith(word) : o === word))) return false;
    said.push(word);
  }
  return true;
}

function isTarget(text: string): boolean {
  return isAbsolutePath(text) && text !== "/" && text !== "/ctx" && !text.startsWith("/ctx/");
}

/** The reason why a line is no row `source TAB target TAB ro|rw TAB options` (or cannot become one, when `part`). */
export function refuseMountLine(line: string, part = false): string | undefined {
  const [source = "", target, mode, options, ...extra] = line.split("\t");
  if (extra.length > 0 || (!part && options === undefined)) return "a row is source, target, ro or rw, options";
  if (!isAbsolutePath(source, target === undefined)) return "the source is no absolute path";
  if (target === undefined) return undefined;
  if (mode === undefined ? !isAbsolutePath(target, true) || target.startsWith("/ctx/") : !isTarget(target))
    return "the target is no absolute path, or it is /, /ctx or below /ctx";
  if (mode === undefined) return undefined;
  if (!["ro", "rw"].some((m) => (options === undefined ? m.startsWith(mode) : m === mode))) return "neither ro nor rw";
  if (options === undefined || isOptions(options, part)) return undefined;
  return "options are bind rbind nosuid nodev noexec without repeats, or -";
}
