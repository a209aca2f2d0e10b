import { readFileSync } from "node:fs";

/**
 * What must hold before the first line of ours runs. Node reads its own variables and options, and takes SIGUSR1 as "open
 * a debugger", before any check of ours could stop it: only the unit can keep that away, and a service does not run when
 * its unit did not. So every service unit holds, beside its sandbox:
 *
 *     [Unit]
 *     StartLimitIntervalSec=0
 *
 *     [Service]
 *     Type=notify
 *     NotifyAccess=main
 *     ExecStart=/usr/lib/cortexfs/node --disable-sigusr1 --max-semi-space-size=1 /usr/lib/cortexfs/NAME.js
 *     UnsetEnvironment=(every name of UNSET_ENVIRONMENT below)
 *     WatchdogSec=30
 *     Restart=on-failure
 *     RestartPreventExitStatus=78
 *     TimeoutStopSec=(more than the service's grace)
 *     StandardError=journal
 *
 * A service that keeps descriptors across restarts adds FileDescriptorStoreMax= and LimitNOFILE=, both above what it
 * stores. StartLimitIntervalSec=0 because systemd drops the stored descriptors of a unit that it gave up on. A debugger
 * of Node takes no root to open: who may signal a process may run code in it (node(1), --disable-sigusr1). The semi-space
 * bound is not for safety: with it the test of ten thousand connections stays at 100 MB, without it at 200.
 */

/** UnsetEnvironment= takes no patterns: these are all the variables Node 24 and its OpenSSL act on by themselves. */
export const UNSET_ENVIRONMENT: readonly string[] = [
  "NODE_CHANNEL_FD",
  "NODE_CHANNEL_SERIALIZATION_MODE",
  "NODE_CLUSTER_SCHED_POLICY",
  "NODE_COMPILE_CACHE",
  "NODE_COMPILE_CACHE_PORTABLE",
  "NODE_DEBUG",
  "NODE_DEBUG_NATIVE",
  "NODE_DISABLE_COLORS",
  "NODE_DISABLE_COMPILE_CACHE",
  "NODE_EXTRA_CA_CERTS",
  "NODE_ICU_DATA",
  "NODE_INSPECT_RESUME_ON_START",
  "NODE_NO_WARNINGS",
  "NODE_OPTIONS",
  "NODE_PATH",
  "NODE_PENDING_DEPRECATION",
  "NODE_PENDING_PIPE_INSTANCES",
  "NODE_PRESERVE_SYMLINKS",
  "NODE_PRESERVE_SYMLINKS_MAIN",
  "NODE_REDIRECT_WARNINGS",
  "NODE_REPL_EXTERNAL_MODULE",
  "NODE_REPL_HISTORY",
  "NODE_SKIP_PLATFORM_CHECK",
  "NODE_TEST_CONTEXT",
  "NODE_TEST_WORKER_ID",
  "NODE_TLS_REJECT_UNAUTHORIZED",
  "NODE_UNIQUE_ID",
  "NODE_USE_ENV_PROXY",
  "NODE_USE_SYSTEM_CA",
  "NODE_V8_COVERAGE",
  "OPENSSL_CONF",
  "OPENSSL_ENGINES",
  "OPENSSL_MODULES",
];

/** Why this process must not go on as it was started, or undefined when all is well. */
export function refuseEnvironment(
  options: readonly string[] = process.execArgv,
  environment: NodeJS.ProcessEnv = process.env,
  userMap: string = readFileSync("/proc/self/uid_map", "latin1"),
): string | undefined {
  const names = Object.keys(environment)
    .filter((name) => /^(?:NODE|OPENSSL)_/u.test(name))
    .sort();
  if (names.length > 0) {
    return `the environment holds ${names.join(", ")}, which Node obeys before this program can: add UnsetEnvironment=${names.join(" ")} to the unit`;
  }
  // Node takes "_" for "-" in option names, and the last of an option and its negation counts.
  const flags = options.filter((option) => option.startsWith("--")).map((option) => option.replaceAll("_", "-"));
  const debuggers = flags.filter((flag) => flag.startsWith("--inspect"));
  if (debuggers.length > 0) {
    return `Node was started with ${debuggers.join(" ")}, which opens a debugger: remove it from ExecStart=`;
  }
  if (flags.findLast((flag) => /^--(?:no-)?disable-sigusr1$/u.test(flag)) !== "--disable-sigusr1") {
    return "Node was started without --disable-sigusr1, so a signal could open a debugger: add it to ExecStart=";
  }
  // In a user namespace everybody it does not map is 65534: all such users would be one.
  if (!/^\s*0\s+0\s+4294967295\n$/u.test(userMap)) {
    return "this process is in a user namespace, where users cannot be told apart: remove PrivateUsers= from the unit";
  }
  return undefined;
}
