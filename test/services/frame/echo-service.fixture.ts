/** A service as small as they come. A text that begins with "!" asks it to behave in some way. */
import { openSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { close, type Fd } from "../../../native/index.ts";
import { Budget } from "../../../protocol/budget.ts";
import { conversing, Listener } from "../../../services/frame/listener.ts";
import { runService, type Surroundings } from "../../../services/frame/service.ts";
import { StartError } from "../../../services/frame/start-error.ts";
import { echo } from "./echo.ts";

await runService({
  name: "cortexfs-echo",
  sockets: ["echo"],
  isStored: (name) => name.startsWith("kept-"),
  graceMillis: 1000,
  start(given) {
    if (process.argv[2] === "unable") throw new StartError("the storage is missing: mount it");
    if (process.argv[2] === "broken") throw new TypeError("not an object");
    const listener = new Listener({
      socket: given.sockets.echo,
      connections: new Budget("connections", { total: 100, perPayer: 50 }),
      log: given.log,
      handle: conversing(echo, async (conversation, _peer, stopping) => {
        for (;;) {
          const message = await conversation.receive("opened", Infinity);
          if (message === "end") return;
          const text = await behave(given, stopping, message.text);
          await conversation.send("waiting", { type: "said", text });
        }
      }),
    });
    if (process.argv[2] === "stuck") return { stop: () => new Promise(() => undefined) };
    return { stop: (graceMillis) => listener.stop(graceMillis) };
  },
});

async function behave(given: Surroundings<"echo">, stopping: AbortSignal, text: string): Promise<string> {
  const [command = "", argument = ""] = text.split(" ", 2);
  switch (command) {
    case "!throw":
      throw new TypeError(`it broke\non ${argument}`);
    case "!reject":
      void Promise.reject(new Error("nobody waits for this"));
      return text;
    case "!block":
      for (;;);
    case "!late":
      await delay(Number(argument));
      return text;
    case "!until-stop":
      await new Promise((resolve) => {
        stopping.addEventListener("abort", resolve);
      });
      return text;
    case "!umask":
      return /^Umask:\s*(\d+)$/mu.exec(readFileSync("/proc/self/status", "latin1"))?.[1] ?? "";
    case "!pid":
      return String(process.pid);
    case "!environment":
      return Object.keys(process.env).sort().join(" ");
    case "!status":
      given.notifier.status(argument);
      return text;
    case "!log":
      given.log.warn({ said: argument, token: "SECRET", deep: { n: 1 } }, `a peer said ${argument}`);
      return text;
    case "!store":
      return `${argument} ${String(await store(given, argument))}`;
    case "!remove":
      return String(await given.notifier.removeDescriptor(argument));
    case "!stored":
      return given.stored
        .map(({ name, fd }) => `${name}=${readFileSync(`/proc/self/fd/${String(fd)}`, "utf8")}`)
        .join(" ");
    default:
      return text;
  }
}

/** Has systemd keep a file that has no name any more and holds the pid of this process. */
async function store(given: Surroundings<"echo">, name: string): Promise<boolean> {
  const file = `/tmp/cortexfs-echo-${String(process.pid)}`;
  writeFileSync(file, String(process.pid));
  const fd = openSync(file, "r") as Fd;
  unlinkSync(file);
  const isStored = await given.notifier.storeDescriptor(name, fd);
  close(fd);
  return isStored;
}
