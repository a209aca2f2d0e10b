import { fstatSync, openSync } from "node:fs";
import path from "node:path";
import t from "tap";
import { close, monotonicMillis, type Fd } from "../../../native/index.ts";
import { Notifier } from "../../../services/frame/notify.ts";
import { StartError } from "../../../services/frame/start-error.ts";
import { memoryLog } from "./memory-log.ts";
import { fixture, openDescriptors, Program, temporaryFolder } from "./program.ts";

const folder = temporaryFolder(t);
let count = 0;

interface Datagram {
  readonly text: string;
  readonly descriptors: readonly { readonly ino: number; readonly dev: number }[];
}

/** A program of another language that stands where systemd listens. */
class Receiver extends Program {
  readonly path: string;

  private constructor(socketPath: string) {
    super(fixture("notify-receiver.py", [socketPath]));
    this.path = socketPath;
  }

  static async open(): Promise<Receiver> {
    const receiver = new Receiver(path.join(folder, `${String(count++)}.sock`));
    await receiver.line();
    return receiver;
  }

  async next(): Promise<Datagram> {
    return JSON.parse(await this.line()) as Datagram;
  }

  async text(): Promise<string> {
    return (await this.next()).text;
  }

  async command(what: "stop" | "go"): Promise<void> {
    this.write(`${what}\n`);
    await this.line();
  }
}

t.test("readiness, status and stopping arrive as systemd reads them, in their order", async (t) => {
  await using receiver = await Receiver.open();
  const environment = { NOTIFY_SOCKET: receiver.path, WATCHDOG_PID: "1", WATCHDOG_USEC: "2000", OTHER: "stays" };
  using notifier = new Notifier(memoryLog().log, environment);
  t.same(environment, { OTHER: "stays" }, "no child can speak for this service");
  notifier.ready();
  notifier.status("1 view");
  notifier.stopping();
  t.equal(await receiver.text(), "READY=1");
  t.equal(await receiver.text(), "STATUS=1 view");
  t.equal(await receiver.text(), "STOPPING=1");
  await new Promise((resolve) => setTimeout(resolve, 30));
  t.equal(receiver.unread, 0, "and no watchdog: it is another process's");
});

t.test("a status can be no second message, and is bounded", async (t) => {
  await using receiver = await Receiver.open();
  using notifier = new Notifier(memoryLog().log, { NOTIFY_SOCKET: receiver.path });
  notifier.status("fine\nMAINPID=1\u001b[31m");
  t.equal(await receiver.text(), "STATUS=fine\\u000aMAINPID=1\\u001b[31m");
  notifier.status("ä".repeat(5000));
  t.equal(await receiver.text(), `STATUS=${"ä".repeat(512)}`);
});

t.test("the watchdog is kept at half its time once the service is ready, and not after it was disposed", async (t) => {
  await using receiver = await Receiver.open();
  for (const pid of [{}, { WATCHDOG_PID: String(process.pid) }]) {
    const notifier = new Notifier(memoryLog().log, { NOTIFY_SOCKET: receiver.path, WATCHDOG_USEC: "200000", ...pid });
    const start = monotonicMillis();
    notifier.ready();
    notifier.ready();
    t.equal(await receiver.text(), "READY=1");
    t.equal(await receiver.text(), "READY=1");
    for (let beat = 1; beat <= 3; beat++) t.equal(await receiver.text(), "WATCHDOG=1");
    const took = monotonicMillis() - start;
    t.ok(took >= 290 && took < 600, `three beats of 100 ms took ${took.toFixed(0)} ms`);
    notifier[Symbol.dispose]();
  }
  await new Promise((resolve) => setTimeout(resolve, 250));
  await using other = await Receiver.open();
  using notifier = new Notifier(memoryLog().log, { NOTIFY_SOCKET: other.path });
  notifier.ready();
  t.equal(await other.text(), "READY=1");
  t.equal((await receiver.finish()).stdout.match(/WATCHDOG/gu)?.length, 6);
});

t.test("a descriptor is stored under its name and stays the caller's", async (t) => {
  await using receiver = await Receiver.open();
  using notifier = new Notifier(memoryLog().log, { NOTIFY_SOCKET: receiver.path });
  const fd = openSync("/dev/null", "r") as Fd;
  const before = openDescriptors();
  t.equal(await notifier.storeDescriptor("view-1", fd), true);
  const { text, descriptors } = await receiver.next();
  t.equal(text, "FDSTORE=1\nFDNAME=view-1\nFDPOLL=0");
  const { ino, dev } = fstatSync(fd);
  t.same(descriptors, [{ ino, dev }], "the same file");
  t.equal(openDescriptors(), before);
  t.equal(await notifier.removeDescriptor("view-1"), true);
  t.equal(await receiver.text(), "FDSTOREREMOVE=1\nFDNAME=view-1");
  for (const name of ["", "a:b", "a\nb", "ä", "x".repeat(256)]) {
    t.throws(() => notifier.storeDescriptor(name, fd), RangeError, JSON.stringify(name));
  }
  close(fd);
});

t.test("while systemd's queue is full nothing is lost, nothing waits, and the order stays", async (t) => {
  await using receiver = await Receiver.open();
  using notifier = new Notifier(memoryLog().log, { NOTIFY_SOCKET: receiver.path, WATCHDOG_USEC: "100000" });
  await receiver.command("stop");
  const fd = openSync("/dev/null", "r") as Fd;
  const start = monotonicMillis();
  for (let n = 0; n < 100; n++) notifier.status(String(n));
  const stored = notifier.storeDescriptor("late", fd);
  notifier.ready();
  t.ok(monotonicMillis() - start < 100, "giving 102 messages takes no time");
  await new Promise((resolve) => setTimeout(resolve, 400));
  await receiver.command("go");
  notifier.status("after the rest");
  for (let n = 0; n < 100; n++) t.equal(await receiver.text(), `STATUS=${String(n)}`);
  const { text, descriptors } = await receiver.next();
  t.match(text, /^FDSTORE=1\nFDNAME=late\n/u);
  t.equal(descriptors.length, 1);
  t.equal(await stored, true);
  t.equal(await receiver.text(), "READY=1");
  t.equal(await receiver.text(), "STATUS=after the rest");
  await new Promise((resolve) => setTimeout(resolve, 20));
  t.ok(receiver.unread <= 1, "the watchdog was silent while the rest waited");
  t.equal(await receiver.text(), "WATCHDOG=1");
  close(fd);
});

t.test("a systemd that does not read for five seconds is given up, and the log says so", async (t) => {
  await using receiver = await Receiver.open();
  const { log, entries } = memoryLog();
  using notifier = new Notifier(log, { NOTIFY_SOCKET: receiver.path });
  await receiver.command("stop");
  const fd = openSync("/dev/null", "r") as Fd;
  for (let n = 0; n < 20; n++) notifier.status(String(n));
  const start = monotonicMillis();
  t.equal(await notifier.storeDescriptor("never", fd), false);
  t.ok(monotonicMillis() - start < 8000);
  t.equal(entries.length, 1, "said once");
  t.match(entries, [{ level: 50, outcome: "full", msg: "systemd cannot be told how this service is" }]);
  close(fd);
});

t.test("a systemd that is gone is an error in the log and no more", async (t) => {
  const receiver = await Receiver.open();
  const { log, entries } = memoryLog();
  using notifier = new Notifier(log, { NOTIFY_SOCKET: receiver.path });
  await receiver.kill("SIGKILL");
  notifier.ready();
  const fd = openSync("/dev/null", "r") as Fd;
  t.equal(await notifier.storeDescriptor("nowhere", fd), false);
  t.match(entries, [{ level: 50, outcome: "gone" }], "said once");
  t.equal(entries.length, 1);
  close(fd);
});

t.test("without systemd there is nobody to tell, and the log says that", async (t) => {
  const { log, entries } = memoryLog();
  using notifier = new Notifier(log, {});
  notifier.ready();
  notifier.status("x");
  notifier.stopping();
  t.equal(await notifier.storeDescriptor("view-1", 0 as Fd), false);
  t.match(entries, [
    { level: 30, msg: "not started by systemd: readiness, status, watchdog and stored descriptors are told to nobody" },
  ]);
});

t.test("a NOTIFY_SOCKET or WATCHDOG_USEC that cannot be used is refused in a sentence", (t) => {
  const start = (environment: Record<string, string>) => () => new Notifier(memoryLog().log, environment);
  t.throws(start({ NOTIFY_SOCKET: path.join(folder, "absent.sock") }), StartError);
  t.throws(start({ NOTIFY_SOCKET: "@/org/freedesktop/systemd1/notify" }), {
    name: "StartError",
    message: /only a path is spoken to/u,
  });
  t.throws(start({ NOTIFY_SOCKET: "vsock:2:1234" }), StartError);
  for (const micros of ["0", "-1", "x", "1e6", ""]) t.throws(start({ WATCHDOG_USEC: micros }), StartError, micros);
  t.end();
});
