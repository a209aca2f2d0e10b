import { fstatSync } from "node:fs";
import { closeRange, constants, type Fd } from "../../native/index.ts";
import { StartError } from "./start-error.ts";

/** SD_LISTEN_FDS_START of sd_listen_fds(3). */
const FIRST = 3;
/** Above what a service stores: two for each of 1024 views, and its sockets. */
const MOST = 4096;

export interface ExpectedDescriptors<Name extends string> {
  /** The FileDescriptorName= of each socket unit: each comes exactly once. */
  readonly sockets: readonly Name[];
  /**
   * Whether a name is one that this service, in any version it may be upgraded from, puts into systemd's descriptor store.
   * Any number of those may come.
   */
  readonly isStored?: (name: string) => boolean;
}

/** What systemd passed, from now on the caller's to close. */
export interface InheritedDescriptors<Name extends string> {
  readonly sockets: Readonly<Record<Name, Fd>>;
  /** In the order they were passed; the service's own names, which may repeat. */
  readonly stored: readonly { readonly name: string; readonly fd: Fd }[];
}

/**
 * The descriptors systemd passed, by name: sd_listen_fds_with_names(3), both from socket units and from the descriptor
 * store. Each is made close-on-exec and the variables are removed, so that no child takes them for its own. Throws
 * StartError when the variables contradict themselves, a socket is missing or came twice, or a name is unknown.
 */
export function takeInheritedDescriptors<Name extends string>(
  expected: ExpectedDescriptors<Name>,
  environment: NodeJS.ProcessEnv = process.env,
): InheritedDescriptors<Name> {
  const passed = takeNames(environment);
  if (passed.length > 0) closeRange(FIRST, FIRST + passed.length - 1, constants.CLOSE_RANGE_CLOEXEC);

  const wanted: ReadonlySet<string> = new Set(expected.sockets);
  const sockets = new Map<string, Fd>();
  const stored: { name: string; fd: Fd }[] = [];
  for (const [index, name] of passed.entries()) {
    const fd = (FIRST + index) as Fd;
    if (wanted.has(name)) {
      if (sockets.has(name)) throw new StartError(`systemd passed "${name}" twice: one socket is right`);
      if (!fstatSync(fd).isSocket()) throw new StartError(`the descriptor "${name}" that systemd passed is no socket`);
      sockets.set(name, fd);
    } else if (expected.isStored?.(name) === true) {
      stored.push({ name, fd });
    } else {
      throw new StartError(
        `systemd passed a descriptor named "${name}", which this service does not know: ` +
          "correct FileDescriptorName= of its socket unit, or run systemctl clean --what=fdstore UNIT",
      );
    }
  }
  const missing = expected.sockets.filter((name) => !sockets.has(name));
  if (missing.length > 0) {
    throw new StartError(
      `systemd passed no socket named "${missing.join('", "')}": start this service by its socket unit`,
    );
  }
  return { sockets: Object.fromEntries(sockets) as Record<Name, Fd>, stored };
}

/** One name a descriptor, in their order; none when the variables are another process's or absent. */
function takeNames(environment: NodeJS.ProcessEnv): readonly string[] {
  const {
    LISTEN_PID: pid,
    LISTEN_FDS: count = "",
    LISTEN_FDNAMES: names,
  } = environment as { LISTEN_PID?: string; LISTEN_FDS?: string; LISTEN_FDNAMES?: string };
  for (const name of ["LISTEN_PID", "LISTEN_PIDFDID", "LISTEN_FDS", "LISTEN_FDNAMES"]) {
    Reflect.deleteProperty(environment, name);
  }
  if (pid !== String(process.pid)) return [];

  if (!/^(?:0|[1-9][0-9]{0,3})$/u.test(count) || Number(count) > MOST) {
    throw new StartError(`LISTEN_FDS is "${count}": a number from 0 to ${String(MOST)} is right`);
  }
  const list = names === undefined || names === "" ? [] : names.split(":");
  if (list.length !== Number(count)) {
    throw new StartError(
      `LISTEN_FDS counts ${count} descriptors and LISTEN_FDNAMES names ${String(list.length)}: each needs one name`,
    );
  }
  return list;
}
