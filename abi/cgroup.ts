/** What a path of the unified cgroup hierarchy says of the process in it: see spec/identity.md. */

/**
 * The path of the `0::` line of /proc/PID/cgroup, the only line of the unified hierarchy; undefined without one, and for a
 * cgroup that was removed: another of the same name may be there by now.
 */
export function parseProcCgroup(text: string): string | undefined {
  for (const line of text.split("\n")) {
    if (line.startsWith("0::/")) return line.endsWith(" (deleted)") ? undefined : line.slice("0::".length);
  }
  return undefined;
}

/**
 * The outermost component that names a unit of an agent, `cortexfs-agent-*.service` or `cortexfs-agent@*.service`. A
 * user can make cgroups of any name below that unit, never above it: the outermost is the one its manager made.
 */
export function agentUnitOf(path: string): string | undefined {
  return path.split("/").find((component) => /^cortexfs-agent[-@].*\.service$/u.test(component));
}

/**
 * The uid whose login the cgroup belongs to: `/user.slice/user-<uid>.slice/…`. Only these two leading components count,
 * since a user may give any name to what lies below. Undefined for everything else (system services).
 */
export function userSliceOf(path: string): number | undefined {
  const match = /^\/user\.slice\/user-(0|[1-9][0-9]{0,9})\.slice(?:\/|$)/u.exec(path);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}
