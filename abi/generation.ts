/**
 * One life of one process, as `<pid>:<starttime>`: the start time in clock ticks since boot tells apart two processes
 * that had the same pid.
 */
export interface Generation {
  readonly pid: number;
  readonly startTime: number;
}

/** Decimal without leading zeros; a pid is at most 4194304 (PID_MAX_LIMIT, 2^22), a start time has at most 15 digits. */
const PID_PATTERN =
  "(?:[1-9][0-9]{0,5}|[1-3][0-9]{6}|40[0-9]{5}|41[0-8][0-9]{4}|419[0-3][0-9]{3}|4194[0-2][0-9]{2}|419430[0-4])";
export const GENERATION_PATTERN = `^${PID_PATTERN}:(?:0|[1-9][0-9]{0,14})$`;

const generation = new RegExp(GENERATION_PATTERN, "u");

export function formatGeneration({ pid, startTime }: Generation): string {
  return `${String(pid)}:${String(startTime)}`;
}

/** Undefined for every text that `formatGeneration` does not produce. */
export function parseGeneration(text: string): Generation | undefined {
  if (!generation.test(text)) return undefined;
  const [pid, startTime] = text.split(":").map(Number);
  if (pid === undefined || startTime === undefined) return undefined;
  return { pid, startTime };
}

/** The start time (field 22) of a /proc/PID/stat line, whose second field may hold blanks and parentheses. */
export function parseStartTime(stat: string): number | undefined {
  const field = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  return field !== undefined && /^(?:0|[1-9][0-9]{0,14})$/u.test(field) ? Number(field) : undefined;
}
