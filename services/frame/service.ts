import { writeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { refuseEnvironment } from "./environment.ts";
import {
  takeInheritedDescriptors,
  type ExpectedDescriptors,
  type InheritedDescriptors,
} from "./inherited-descriptors.ts";
import { openLog, type Log } from "./journal.ts";
import { Notifier } from "./notify.ts";
import { StartError } from "./start-error.ts";

/** Codes of sysexits(3). */
const EX_SOFTWARE = 70;
const EX_CONFIG = 78;

const GRACE_MILLIS = 5000;
/** What stopping may take beyond the grace time; a unit's TimeoutStopSec= is above both. */
const GRACE_MARGIN_MILLIS = 2000;

/** What a service finds when it starts. */
export interface Surroundings<Name extends string> extends InheritedDescriptors<Name> {
  readonly log: Log;
  readonly notifier: Notifier;
}

export interface RunningService {
  /** Takes no new work and resolves when the work at hand is done, or cut off after `graceMillis`. */
  stop(graceMillis: number): Promise<void>;
}

export interface ServiceDefinition<Name extends string> extends ExpectedDescriptors<Name> {
  /** As in the journal. */
  readonly name: string;
  /** Resolves when clients are served: systemd is told so then. Throws StartError for what an administrator can mend. */
  readonly start: (surroundings: Surroundings<Name>) => RunningService | Promise<RunningService>;
  /** 5000 without it. */
  readonly graceMillis?: number;
}

/**
 * The life of a daemon, from its first line to its exit code: 0 after SIGTERM or SIGINT, 78 when it cannot run as it was
 * started (one sentence says why), 70 for a bug, which is any exception or rejection that nobody expected.
 */
export async function runService<const Name extends string>(definition: ServiceDefinition<Name>): Promise<never> {
  process.umask(0o077);
  const log = openLogOrEnd(definition.name);
  process.on("uncaughtException", (error) => {
    endBy(error, log);
  });
  try {
    await live(definition, log);
  } catch (error) {
    endBy(error, log);
  }
  process.exit(0);
}

function openLogOrEnd(name: string): Log {
  try {
    return openLog({ name }).log;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    writeSync(process.stderr.fd, `${name}: not started: ${error.message}\n`);
    process.exit(EX_CONFIG);
  }
}

async function live<Name extends string>(definition: ServiceDefinition<Name>, log: Log): Promise<void> {
  const refusal = refuseEnvironment();
  if (refusal !== undefined) throw new StartError(refusal);
  const stopRequest = nextSignal("SIGTERM", "SIGINT");
  const notifier = new Notifier(log);
  const service = await definition.start({ log, notifier, ...takeInheritedDescriptors(definition) });
  notifier.ready();
  log.info("ready");

  log.info({ signal: await stopRequest }, "stopping");
  notifier.stopping();
  const { graceMillis = GRACE_MILLIS } = definition;
  const outcome = await Promise.race([
    service.stop(graceMillis).then(() => "stopped" as const),
    delay(graceMillis + GRACE_MARGIN_MILLIS, "late" as const),
  ]);
  if (outcome === "late") throw new Error("stopping took longer than the grace time");
  log.info("stopped");
}

function endBy(error: unknown, log: Log): never {
  if (error instanceof StartError) {
    log.fatal(`not started: ${error.message}`);
    process.exit(EX_CONFIG);
  }
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  log.fatal({ stack }, `ended by a bug: ${name}: ${message}`);
  process.exit(EX_SOFTWARE);
}

/** The first of these signals; from now on they end nothing by themselves. */
function nextSignal(...signals: readonly NodeJS.Signals[]): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  for (const signal of signals) process.on(signal, resolve);
  return promise;
}
