/** A log that keeps its entries for the test to look at. */
import { pino } from "pino";
import type { Log } from "../../../services/frame/journal.ts";

export type Entry = Record<string, unknown> & { readonly level: number; readonly msg: string };

export function memoryLog(): { readonly log: Log; readonly entries: Entry[] } {
  const entries: Entry[] = [];
  const log = pino({ base: null }, { write: (line: string) => entries.push(JSON.parse(line) as Entry) });
  return { log, entries };
}
