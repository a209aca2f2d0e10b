import { readFileSync } from "node:fs";
import { readdir, readlink } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import t from "tap";
import { close, monotonicMillis } from "../../../native/index.ts";
import { activated, eventually, fixture, listeningSocket, Program, temporaryFolder } from "./program.ts";

t.setTimeout(120_000); // some forty programs are started

const folder = temporaryFolder(t);
let count = 0;

interface Started extends AsyncDisposable {
  readonly service: Program;
  readonly systemd: Program;
  readonly say: (text: string) => Program;
}

/** The echo service as systemd would start it, with another program in systemd's place. */
async function start(
  options: { readonly node?: readonly string[]; readonly args?: readonly string[]; readonly environment?: object } = {},
): Promise<Started> {
  const socketPath = path.join(folder, `${String(count)}.sock`);
  const notifyPath = path.join(folder, `${String(count++)}.notify`);
  const systemd = new Program(fixture("notify-receiver.py", [notifyPath]));
  await systemd.line();
  const socket = listeningSocket(socketPath);
  const service = activated("echo-service.fixture.ts", {
    ...options,
    sockets: { echo: socket },
    environment: { NOTIFY_SOCKET: notifyPath, ...options.environment },
  });
  close(socket);
  return {
    service,
    systemd,
    say: (text) => new Program(fixture("client.py", ["say", socketPath, text])),
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await systemd[Symbol.asyncDispose]();
    },
  };
}

/** Where the links of a folder lead; one that has gone meanwhile leads nowhere. */
async function readlinks(folder: string): Promise<string[]> {
  const links = await Promise.allSettled((await readdir(folder)).map((name) => readlink(path.join(folder, name))));
  return links.flatMap((link) => (link.status === "fulfilled" ? [link.value] : []));
}

async function told(systemd: Program): Promise<string> {
  return (JSON.parse(await systemd.line()) as { text: string }).text;
}

async function answer(client: Program): Promise<string | null> {
  await using asked = client;
  const message = JSON.parse(await asked.line()) as { text?: string } | null;
  return message?.text ?? null;
}

t.test("a service starts, says that it is ready, serves, and ends with 0 when it is told to stop", async (t) => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    await using started = await start();
    const { service, systemd, say } = started;
    t.equal(await told(systemd), "READY=1");
    t.equal(await answer(say("hello")), "hello");
    t.equal(await answer(say("!umask")), "0077");
    t.notMatch(await answer(say("!environment")), /LISTEN_|NOTIFY_|WATCHDOG_/u, "nothing a child could use");
    t.equal(await answer(say("!pid")), String(service.pid));
    t.equal(await answer(say("!status fine")), "!status fine");
    t.equal(await told(systemd), "STATUS=fine");
    const { status } = await service.kill(signal);
    t.equal(status, 0);
    t.equal(await told(systemd), "STOPPING=1");
    t.same(
      service.log.map((entry) => entry["msg"]),
      ["ready", "stopping", "stopped"],
    );
    t.match(service.log[1], { name: "cortexfs-echo", signal });
  }
});

t.test("work at hand is finished before a service ends", async (t) => {
  await using started = await start();
  const { service, systemd, say } = started;
  await told(systemd);
  const late = say("!late 500");
  const until = say("!until-stop");
  await eventually("both to be at work", () => (late.pid !== 0 && until.pid !== 0 ? true : undefined));
  await delay(200);
  const end = service.kill("SIGTERM");
  await service.hasLogged("stopping");
  service.signal("SIGTERM");
  t.equal((await end).status, 0, "a second signal changes nothing");
  t.equal(await answer(late), "!late 500");
  t.equal(await answer(until), "!until-stop");
});

t.test("work that takes longer than the grace time is cut off, and the service still ends with 0", async (t) => {
  await using started = await start();
  const { service, systemd, say } = started;
  await told(systemd);
  const late = say("!late 60000");
  await delay(300);
  const begin = monotonicMillis();
  t.equal((await service.kill("SIGTERM")).status, 0);
  const took = monotonicMillis() - begin;
  t.ok(took > 900 && took < 3000, `${took.toFixed(0)} ms`);
  t.equal(await answer(late), null);
  t.match(service.log.at(-2), { msg: "connections were still open when the grace time ended", live: 1 });
});

t.test("a service that cannot stop is ended all the same, as a bug", async (t) => {
  await using started = await start({ args: ["stuck"] });
  await told(started.systemd);
  t.equal((await started.service.kill("SIGTERM")).status, 70);
  t.match(started.service.log.at(-1), { level: "fatal", msg: /stopping took longer than the grace time/u });
});

t.test("an exception or a rejection that nobody expected ends the service with 70 and its reason", async (t) => {
  for (const [text, message] of [
    ["!throw x", "ended by a bug: TypeError: it broke\non x"],
    ["!reject", "ended by a bug: Error: nobody waits for this"],
  ] as const) {
    await using started = await start();
    const { service, say } = started;
    await answer(say(text));
    t.equal((await service.ended).status, 70);
    t.match(service.log.at(-1), { level: "fatal", msg: message, stack: /echo-service\.fixture\.ts/u });
    t.equal(service.stderr.trimEnd().split("\n").length, 2, "on one line each");
  }
});

t.test(
  "a service that cannot start says why in a sentence and ends with 78, or with 70 when it is a bug",
  async (t) => {
    for (const [args, status, message] of [
      ["unable", 78, "not started: the storage is missing: mount it"],
      ["broken", 70, "ended by a bug: TypeError: not an object"],
    ] as const) {
      await using started = await start({ args: [args] });
      t.equal((await started.service.ended).status, status);
      t.match(started.service.log, [{ level: "fatal", msg: message }]);
      t.equal(started.systemd.unread, 0, "never ready");
    }
  },
);

t.test("a service that was started without its socket, or with another, does not start", async (t) => {
  await using bare = new Program(fixture("echo-service.fixture.ts", [], ["--disable-sigusr1"]));
  t.equal((await bare.ended).status, 78);
  t.match(bare.log.at(-1), {
    msg: 'not started: systemd passed no socket named "echo": start this service by its socket unit',
  });
  t.match(bare.log[0], { msg: /^not started by systemd/u });
  await using other = await start({ environment: { LISTEN_FDNAMES: "other" } });
  t.equal((await other.service.ended).status, 78);
});

t.test("a service whose unit hides the journal does not run without a log", async (t) => {
  const command = fixture("echo-service.fixture.ts", [], ["--disable-sigusr1"]).join(" ");
  const script = `JOURNAL_STREAM=$(stat --dereference --format=%d:%i /dev/fd/2) exec ${command}`;
  await using service = new Program(["unshare", "--mount", "sh", "-c", `mount -t tmpfs none /run && ${script}`]);
  const { status, stderr } = await service.ended;
  t.equal(status, 78);
  t.match(stderr, /^cortexfs-echo: not started: the journal cannot be reached \(connect to .*: ENOENT\)/u);
});

t.test("a Node whose environment is not clean runs nothing of the service", async (t) => {
  for (const options of [
    { environment: { NODE_OPTIONS: "--no-warnings" } },
    { environment: { NODE_EXTRA_CA_CERTS: "/etc/ssl/certs/ca-certificates.crt" } },
    { node: [] },
    { node: ["--disable-sigusr1", "--inspect=127.0.0.1:0"] },
  ]) {
    await using started = await start(options);
    t.equal((await started.service.ended).status, 78, JSON.stringify(options));
    t.match(started.service.log, [{ level: "fatal", msg: /^not started: .*: (?:add|remove) .*$/u }]);
    t.equal(started.systemd.unread, 0);
  }
});

t.test("SIGUSR1 opens no debugger", async (t) => {
  await using started = await start();
  const { service, systemd, say } = started;
  await told(systemd);
  service.signal("SIGUSR1");
  t.equal(await answer(say("hello")), "hello");
  const ports = readFileSync(`/proc/${String(service.pid)}/net/tcp`, "latin1");
  const sockets = (await readlinks(`/proc/${String(service.pid)}/fd`)).map(
    (target) => /^socket:\[(\d+)\]$/u.exec(target)?.[1],
  );
  t.notOk(
    sockets.some((inode) => inode !== undefined && ports.includes(` ${inode} `)),
    "no TCP socket is open",
  );
  t.equal((await service.kill("SIGTERM")).status, 0);
  t.notMatch(service.stderr, /debugger/iu);
});

t.test("the watchdog is kept while the event loop turns and not while it is blocked", async (t) => {
  await using started = await start({ environment: { WATCHDOG_USEC: "400000" } });
  const { systemd, say } = started;
  t.equal(await told(systemd), "READY=1");
  t.equal(await told(systemd), "WATCHDOG=1");
  t.equal(await told(systemd), "WATCHDOG=1");
  await using blocker = say("!block");
  await delay(300);
  while (systemd.unread > 0) await told(systemd);
  await delay(800);
  t.equal(systemd.unread, 0, "systemd would kill it now");
  await blocker.kill("SIGKILL");
});
