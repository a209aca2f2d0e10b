/**
 * One life of one process, as `<pid>:<starttime>`: the start time in clock ticks since boot tells apart two processes
 * that had the same pid.
 */
export interface Generation {
  readonly pid: number;
  readonly startTime: number;
}

/** Decimal without leading zeros; a pid is at most 2^22 (PID_MAX_LIMIT), a start time fits 15 digits. */
export const GENERATION_PATTERN = "^[1-9][0-9]{0,6}:(?:0|[1-9][0-9]{0,14})$";

const PID_MAX = 4_194_304;
const generation = new RegExp(GENERATION_PATTERN, "u");

export function formatGeneration({ pid, startTime }: Generation): string {
  return `${String(pid)}:${String(startTime)}`;
}

/** Undefined for every text that `formatGeneration` does not produce. */
export function parseGeneration(text: string): Generation | undefined {
  if (!generation.test(text)) return undefined;
  const [pid, startTime] = text.split(":").map(Number);
  if (pid === undefined || startTime === undefined || pid > PID_MAX) return undefined;
  return { pid, startTime };
}

/** The start time (field 22) of a /proc/PID/stat line, whose second field may hold blanks and parentheses. */
export function parseStartTime(stat: string): number | undefined {
  const field = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  return field !== undefined && /^(?:0|[1-9][0-9]{0,14})$/u.test(field) ? Number(field) : undefined;
}
