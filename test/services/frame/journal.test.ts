import { fstatSync, renameSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { setTimeout as delay } from "node:timers/promises";
import t from "tap";
import { monotonicMillis } from "../../../native/index.ts";
import { openLog } from "../../../services/frame/journal.ts";
import { visibleText } from "../../../services/frame/visible-text.ts";
import { fixture, openDescriptors, Program, temporaryFolder } from "./program.ts";

const folder = temporaryFolder(t);
let count = 0;

interface Entry {
  readonly size: number;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** A program of another language that stands where journald listens. */
class Receiver extends Program {
  static async open(socketPath = path.join(folder, `${String(count++)}.sock`)): Promise<Receiver> {
    const receiver = new Receiver(fixture("journal-receiver.py", [socketPath]));
    receiver.path = socketPath;
    await receiver.line();
    return receiver;
  }

  path = "";

  async next(): Promise<Entry> {
    return JSON.parse(await this.line()) as Entry;
  }

  async fields(): Promise<Record<string, string>> {
    return Object.fromEntries((await this.next()).fields);
  }

  async command(what: "stop" | "go"): Promise<void> {
    this.write(`${what}\n`);
    await this.line();
  }
}

/** As systemd tells a service whose stderr it connected to the journal. */
const { dev, ino } = fstatSync(2);
const environment = { JOURNAL_STREAM: `${String(dev)}:${String(ino)}` };

function journalLog(journalSocket: string): ReturnType<typeof openLog> {
  return openLog({ name: "cortexfs-test", journalSocket, environment });
}

t.test("an entry has a message, a priority by its level, an identifier, and its fields by their names", async (t) => {
  await using receiver = await Receiver.open();
  using opened = journalLog(receiver.path);
  const { log } = opened;
  const child = log.child({ agentUnit: "cortexfs-agent-4-test.service" });
  child.info(
    { uid: 1000, isLive: true, "peer-pid": 7, nothing: null, list: [1, "two"], empty: "" },
    "a %s is here",
    "peer",
  );
  t.same(Object.fromEntries((await receiver.next()).fields), {
    MESSAGE: "a peer is here",
    PRIORITY: "6",
    SYSLOG_IDENTIFIER: "cortexfs-test",
    CORTEXFS_AGENT_UNIT: "cortexfs-agent-4-test.service",
    CORTEXFS_UID: "1000",
    CORTEXFS_IS_LIVE: "true",
    CORTEXFS_PEER_PID: "7",
    CORTEXFS_NOTHING: "null",
    CORTEXFS_LIST: '[1,"two"]',
    CORTEXFS_EMPTY: "",
  });
  log.level = "trace";
  const levels = [
    ["trace", "7"],
    ["debug", "7"],
    ["info", "6"],
    ["warn", "4"],
    ["error", "3"],
    ["fatal", "2"],
  ] as const;
  for (const [level, priority] of levels) {
    log[level]("x");
    t.equal((await receiver.fields())["PRIORITY"], priority, level);
  }
  log.error({ err: new TypeError("it broke") }, "sentence");
  t.match(JSON.parse((await receiver.fields())["CORTEXFS_ERR"] ?? ""), { type: "TypeError", message: "it broke" });
});

t.test("what a peer said is one value, whatever is in it: it makes no second field and no second line", async (t) => {
  await using receiver = await Receiver.open();
  using opened = journalLog(receiver.path);
  const forged = "x\nPRIORITY=0\nMESSAGE=forged\n\u0000\u001b[2J\u009b31m\u2028\u202etxt.exe";
  opened.log.info({ said: forged, deep: { said: forged } }, forged);
  const { fields } = await receiver.next();
  t.same(fields, [
    ["MESSAGE", "x\\u000aPRIORITY=0\\u000aMESSAGE=forged\\u000a\\u0000\\u001b[2J\\u009b31m\\u2028\\u202etxt.exe"],
    ["PRIORITY", "6"],
    ["SYSLOG_IDENTIFIER", "cortexfs-test"],
    ["CORTEXFS_SAID", forged],
    ["CORTEXFS_DEEP", JSON.stringify({ said: forged })],
  ]);
});

t.test("an entry's own fields cannot take the place of its level, its time or its message", async (t) => {
  await using receiver = await Receiver.open();
  using opened = journalLog(receiver.path);
  opened.log.warn({ level: 10, msg: "forged", time: 0, message: "m", priority: "0" }, "true");
  t.match(await receiver.fields(), { MESSAGE: "true", PRIORITY: "4", CORTEXFS_MESSAGE: "m", CORTEXFS_PRIORITY: "0" });
});

t.test("any value comes out as it went in", async (t) => {
  await using receiver = await Receiver.open();
  using opened = journalLog(receiver.path);
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 200 }), fc.jsonValue(), async (text, value) => {
      const wellFormed = text.toWellFormed();
      opened.log.info({ text, list: [value] }, "x");
      const fields = await receiver.fields();
      return fields["CORTEXFS_TEXT"] === wellFormed && Object.keys(fields).length === 5;
    }),
    { numRuns: 100 },
  );
  t.pass("100 values");
});

t.test("text is made visible, and JSON means the same afterwards", (t) => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: "binary" }), (value, text) => {
      const json = JSON.stringify([value, text]);
      const visible = visibleText(json);
      t.notMatch(visible, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      t.same(JSON.parse(visible), JSON.parse(json));
    }),
  );
  t.end();
});

t.test("an entry that is too big is shortened and says by how much", async (t) => {
  await using receiver = await Receiver.open();
  using opened = journalLog(receiver.path);
  opened.log.info({ big: "€".repeat(100_000), small: "is whole" }, "y".repeat(20_000));
  const { size, fields } = await receiver.next();
  t.ok(size <= 65_536, `${String(size)} bytes`);
  t.match(Object.fromEntries(fields), {
    MESSAGE: "y".repeat(16_384),
    CORTEXFS_BIG: "€".repeat(5461),
    CORTEXFS_SMALL: "is whole",
    CORTEXFS_SHORTENED: String(20_000 - 16_384 + 300_000 - 3 * 5461),
  });

  opened.log.info(
    Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`f${String(n)}`, "\n".repeat(16_384)])),
    "x",
  );
  const full = await receiver.next();
  t.ok(full.size <= 65_536, `${String(full.size)} bytes`);
  t.same(
    full.fields.map(([name]) => name),
    ["MESSAGE", "PRIORITY", "SYSLOG_IDENTIFIER", "CORTEXFS_F0", "CORTEXFS_F1", "CORTEXFS_F2", "CORTEXFS_SHORTENED"],
  );
  t.equal(full.fields.at(-1)?.[1], String(7 * 16_384));

  opened.log.info(Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`f${String(n)}`, "v"])), "x");
  t.ok((await receiver.next()).fields.length <= 129, "the journal takes 1024 fields");
});

t.test("a journal that does not read stops nobody, and afterwards says how much is missing", async (t) => {
  await using receiver = await Receiver.open();
  using opened = journalLog(receiver.path);
  await receiver.command("stop");
  const start = monotonicMillis();
  for (let n = 0; n < 1000; n++) opened.log.info(`entry ${String(n)}`);
  t.ok(monotonicMillis() - start < 2000, "nothing waited");
  await receiver.command("go");
  let got = 0;
  while ((await receiver.fields())["MESSAGE"] === `entry ${String(got)}`) {
    got++;
    // It passes one on after the other: the queue is empty when nothing has come for a while.
    for (let quiet = 0; receiver.unread === 0 && quiet < 50; quiet++) await delay(10);
    if (receiver.unread === 0) break;
  }
  const missing = String(1000 - got);
  t.ok(got > 0 && got < 1000, `${String(got)} fitted into the queue`);
  opened.log.info("the next one");
  t.match(await receiver.fields(), {
    MESSAGE: `${missing} log entries before this one are missing: the journal did not take them`,
    PRIORITY: "4",
    CORTEXFS_LOST: missing,
  });
  t.equal((await receiver.fields())["MESSAGE"], "the next one");
  opened.log.info("and one more");
  t.equal((await receiver.fields())["MESSAGE"], "and one more", "said once");
});

t.test("a journal that is started anew is found again", async (t) => {
  const first = await Receiver.open();
  using opened = journalLog(first.path);
  opened.log.info("to the first");
  t.equal((await first.fields())["MESSAGE"], "to the first");
  await first.kill("SIGKILL");
  opened.log.info("to nobody");
  opened.log.info("to nobody");
  const second = path.join(folder, "second.sock");
  await using receiver = await Receiver.open(second);
  renameSync(second, first.path);
  opened.log.info("to the second");
  t.equal((await receiver.fields())["CORTEXFS_LOST"], "2");
  t.equal((await receiver.fields())["MESSAGE"], "to the second");

  const third = path.join(folder, "third.sock");
  await using another = await Receiver.open(third);
  renameSync(third, first.path);
  await receiver.kill("SIGKILL");
  opened.log.info("to the third");
  t.equal((await another.fields())["MESSAGE"], "to the third", "when one follows the other nothing is missing");
});

t.test("a journal that cannot be reached from the start is refused in a sentence", (t) => {
  t.throws(() => journalLog(path.join(folder, "absent.sock")), {
    name: "StartError",
    message: /^the journal cannot be reached \(connect to .*absent\.sock: ENOENT\): the unit hides its socket$/u,
  });
  t.end();
});

t.test("a thousand entries leave no descriptor behind, and a disposed log writes nothing", async (t) => {
  await using receiver = await Receiver.open();
  const before = openDescriptors();
  const opened = journalLog(receiver.path);
  for (let n = 0; n < 1000; n++) opened.log.info("x");
  t.equal(openDescriptors(), before + 1);
  opened[Symbol.dispose]();
  opened.log.fatal("y");
  t.equal(openDescriptors(), before);
});

/** What a service started by hand writes to stderr. */
async function onStderr(entries: readonly unknown[], environment = {}): Promise<string> {
  await using program = new Program(fixture("journal.fixture.ts", [JSON.stringify(entries)]), { environment });
  return (await program.ended).stderr;
}

t.test("without the journal an entry is one line of JSON on stderr", async (t) => {
  const forged = 'x\n{"msg":"forged"}\u001b[2J\u007f\u009b31m\u2028\u202e';
  const stderr = await onStderr([["error", { said: forged, level: "info", name: "n" }, forged]]);
  t.equal(stderr.split("\n").length, 2, "one line");
  t.notMatch(stderr.trimEnd(), /[\p{Cc}\p{Cf}\p{Zl}]/u, "nothing in it that a terminal obeys");
  t.match(JSON.parse(stderr), { level: "error", name: "cortexfs-test", msg: forged, said: forged, time: Number });
});

t.test("a JOURNAL_STREAM that stderr is not counts for nothing: it was another program's", async (t) => {
  t.match(JSON.parse(await onStderr([["info", {}, "here"]], { JOURNAL_STREAM: "1:2" })), { msg: "here" });
});

t.test("a secret gets out in neither form", async (t) => {
  const secret = "sk-SECRET";
  const names =
    "key apiKey API_KEY x-api-key secret client_secret clientSecret token refresh_token accessToken id-token authorization Proxy-Authorization password passphrase data_b64 content credential Set-Cookie".split(
      " ",
    );
  const wraps: ((value: object) => object)[] = [
    (value) => value,
    (value) => ({ a: value }),
    (value) => ({ list: [1, [value]] }),
    (value) => ({ a: { b: { c: { d: { e: { f: { g: { h: { i: value } } } } } } } } }),
  ];
  await using receiver = await Receiver.open();
  using opened = journalLog(receiver.path);
  const logged: object[] = [];
  for (const name of names) {
    for (const wrap of wraps) {
      for (const value of [secret, [secret], { inner: secret }]) logged.push(wrap({ [name]: value, visible: "yes" }));
    }
  }
  const text = JSON.stringify;
  for (const fields of logged) {
    opened.log.info(fields, "x");
    const entry = text(await receiver.next());
    t.notMatch(entry, secret, text(fields));
    t.match(entry, /redacted|nested too deeply/u);
  }
  opened.log.info(wraps.at(-1)?.({ x: "y" }), "x");
  t.match(text(await receiver.next()), /nested too deeply/u, "where nobody looks nothing is written");
  opened.log
    .child({ token: secret })
    .info({ err: Object.assign(new Error("e"), { response: { password: secret } }) }, "x");
  t.notMatch(text(await receiver.next()), secret, "in a child's fields or in an error's");

  const stderr = await onStderr(logged.map((fields) => ["info", fields, "x"]));
  t.equal(stderr.match(/\n/gu)?.length, logged.length);
  t.notMatch(stderr, secret);
  t.match(stderr, /"visible":"yes"/u);
});

t.test("what is only named a little like a secret is written", async (t) => {
  const stderr = await onStderr([["info", { input_tokens: 5, tokenizer: "t", keyboard: "k", contentType: "c" }, "x"]]);
  t.match(JSON.parse(stderr), { input_tokens: 5, tokenizer: "t", keyboard: "k", contentType: "c" });
});
