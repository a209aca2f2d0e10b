import { parseObjectName, type ObjectName } from "./object-name.ts";

/**
 * The systemd unit an agent's terminal runs in: `cortexfs-agent-<len>-<agent>-<session>-terminal.service`. `<len>` is
 * the agent name's length, so that no two pairs share a unit; `+`, which systemd does not allow, is written `:`, which
 * no object name holds. At most 164 bytes.
 */
const PREFIX = "cortexfs-agent-";
const SUFFIX = "-terminal.service";

export interface Terminal {
  readonly agent: ObjectName;
  readonly session: ObjectName;
}

export function terminalUnitName({ agent, session }: Terminal): string {
  return `${PREFIX}${String(agent.length)}-${agent}-${session}${SUFFIX}`.replaceAll("+", ":");
}

/** The terminal a unit belongs to, or undefined for any name `terminalUnitName` does not produce. */
export function parseTerminalUnitName(unit: string): Terminal | undefined {
  const match = /^cortexfs-agent-([1-9][0-9]?)-(.+)-terminal\.service$/u.exec(unit);
  if (match?.[1] === undefined || match[2] === undefined || unit.includes("+")) return undefined;
  const names = match[2].replaceAll(":", "+");
  const length = Number(match[1]);
  if (names[length] !== "-") return undefined;
  const agent = parseObjectName(names.slice(0, length));
  const session = parseObjectName(names.slice(length + 1));
  return agent === undefined || session === undefined ? undefined : { agent, session };
}
