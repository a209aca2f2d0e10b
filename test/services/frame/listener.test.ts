import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import t from "tap";
import { close, monotonicMillis, refuseDescriptors, unixSocket, type Fd } from "../../../native/index.ts";
import type { Connection } from "../../../protocol/connection.ts";
import type { PeerIdentity } from "../../../protocol/peer.ts";
import { conversing } from "../../../services/frame/listener.ts";
import { echo } from "./echo.ts";
import { eventually, fixture, listeningSocket, settledDescriptors, Program, temporaryFolder } from "./program.ts";
import { echoing, Server } from "./server.ts";

t.setTimeout(120_000); // some sixty programs are started

const folder = temporaryFolder(t);
const said = (text: string): object => ({ type: "said", text });

function timers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
}

t.test("a peer is served under the identity the kernel gives, and charged for as long", async (t) => {
  const peers: PeerIdentity[] = [];
  const before = await settledDescriptors();
  await using server = new Server(
    folder,
    conversing(echo, async (conversation, peer) => {
      peers.push(peer);
      t.equal(server.connections.usedBy(1000), 1);
      await echoing(conversation);
    }),
  );
  await using client = server.clientAs(1000, "say", "hello");
  t.same(JSON.parse(await client.line()), said("hello"));
  t.match(peers, [{ uid: 1000, gid: 1000, pid: client.pid }]);
  await client.ended;
  await eventually("the end of the session", () => server.listener.counters.live === 0 || undefined);
  t.equal(server.connections.used, 0);
  t.same(server.listener.counters, { accepted: 1, unidentified: 0, refused: 0, faults: 0, live: 0 });
  t.throws(() => peers[0]?.isAlive(), "its pidfd is closed");
  t.same(server.entries, [], "nothing worth a line");
  await server.listener.stop(0);
  t.equal(await settledDescriptors(), before);
});

t.test("a peer that breaks the protocol is told, closed, counted and logged", async (t) => {
  await using server = new Server(folder);
  const frame = (text: string): string =>
    Buffer.concat([Buffer.from([0, 0, 0, text.length]), Buffer.from(text)]).toString("hex");
  t.match(await server.answer("send", "00000000"), { type: "error", code: "frame_limit" });
  t.match(await server.answer("send", "7fffffff"), { type: "error", code: "frame_limit" });
  t.match(await server.answer("send", frame("{}")), { type: "error", code: "protocol" });
  t.match(await server.answer("send", frame('{"type":"said"}')), { type: "error", code: "protocol" });
  t.match(await server.answer("send", "0000"), { type: "error", code: "protocol" }, "after one second");
  t.match(server.listener.counters, { accepted: 5, faults: 5, live: 0 });
  t.equal(server.connections.used, 0);
  t.match(server.entries[0], {
    level: 30,
    uid: 0,
    pid: Number,
    payer: 0,
    fault: "frame limit",
    msg: "a peer broke the protocol: a frame of 0 bytes; 1 to 4096 are allowed",
  });
});

t.test("a peer whose owner has ended is closed without a word, and counted", async (t) => {
  const socket = listeningSocket(`${folder}/dead.sock`);
  const client = new Program(fixture("client.py", ["dead", `${folder}/dead.sock`]));
  t.equal(await client.line(), "connected");
  await using server = new Server(
    folder,
    () => Promise.reject(new Error("must not be served")),
    undefined,
    () => socket,
  );
  t.equal(await client.line(), "null");
  t.match(server.listener.counters, { accepted: 1, unidentified: 1, live: 0 });
  t.equal(server.connections.used, 0);
  t.match(server.entries, [{ level: 30, reason: "the peer is gone" }]);
  await client.ended;
});

t.test("a user who has used up the budget is told, and the others do not notice", async (t) => {
  await using server = new Server(folder, undefined, { total: 5, perPayer: 2 });
  await using greedy = server.clientAs(1000, "hold", "4");
  const refusal = { type: "error", code: "busy", message: "too many connections: 2 are allowed for one user" };
  for (const expected of [null, null, refusal, refusal]) t.same(JSON.parse(await greedy.line()), expected);
  await using other = server.clientAs(1001, "hold", "3");
  for (const expected of [null, null, refusal]) t.same(JSON.parse(await other.line()), expected);
  await using third = server.clientAs(1002, "hold", "2");
  t.equal(await third.line(), "null");
  t.match(JSON.parse(await third.line()), { message: "too many connections: 5 are allowed in all" });
  t.same(server.listener.counters, { accepted: 9, unidentified: 0, refused: 4, faults: 0, live: 5 });

  await greedy.finish();
  await eventually("the end of the sessions", () => server.listener.counters.live === 3 || undefined);
  await using again = server.clientAs(1000, "say", "again");
  t.same(JSON.parse(await again.line()), said("again"));
  t.match(server.entries[0], { uid: 1000, limit: "per payer" });
});

t.test("without words for it a refused peer is just closed, and one that is gone disturbs nobody", async (t) => {
  await using server = new Server(folder, undefined, { total: 1, perPayer: 1 });
  await using holder = server.client("hold", "1");
  await holder.line();
  for (let n = 0; n < 20; n++) {
    const client = server.client("send", "");
    await delay(Math.random() * 40);
    await client.kill("SIGKILL");
  }
  t.equal(server.listener.counters.live, 1);
});

t.test("a slow peer delays nobody", async (t) => {
  const { promise: gate, resolve: open } = Promise.withResolvers();
  await using server = new Server(
    folder,
    conversing(echo, async (conversation) => {
      const message = await conversation.receive("opened", Infinity);
      if (message === "end") return;
      if (message.text === "slow") await gate;
      await conversation.send("waiting", { type: "said", text: message.text });
    }),
  );
  await using slow = server.client("say", "slow");
  await using silent = server.client("hold", "50");
  await silent.line();
  await using client = server.client("say", "quick");
  const start = monotonicMillis();
  t.same(JSON.parse(await client.line()), said("quick"));
  t.ok(monotonicMillis() - start < 1000);
  t.ok(server.listener.counters.live >= 51);
  open(undefined);
  t.same(JSON.parse(await slow.line()), said("slow"));
});

t.test("a handler may keep the descriptor: it is then not the listener's to close", async (t) => {
  const kept: Fd[] = [];
  await using server = new Server(folder, (connection: Connection) => {
    kept.push(connection.release());
    return Promise.resolve();
  });
  await using client = server.client("hold", "1");
  t.equal(await client.line(), "null", "still open");
  t.equal(server.listener.counters.live, 0);
  close(kept[0] as Fd);
});

t.test("stop refuses new peers, lets those at work finish, and resolves when they have", async (t) => {
  const before = await settledDescriptors();
  const timersBefore = timers();
  const { promise: gate, resolve: open } = Promise.withResolvers();
  const server = new Server(
    folder,
    conversing(echo, async (conversation) => {
      const message = await conversation.receive("opened", Infinity);
      await gate;
      if (message !== "end") await conversation.send("waiting", { type: "said", text: message.text });
    }),
  );
  await using client = server.client("say", "last");
  await eventually("the client", () => server.listener.counters.live === 1 || undefined);
  let stopped = false;
  const stopping = server.listener.stop(60_000).then(() => (stopped = true));
  await delay(50);
  t.notOk(stopped, "one is still at work");
  t.match(await server.answer("say", "late"), /Connection ?Refused/iu);
  open(undefined);
  t.same(JSON.parse(await client.line()), said("last"));
  await stopping;
  t.equal(server.listener.counters.live, 0);
  t.equal(timers(), timersBefore, "no grace timer is left");
  await client.ended;
  t.equal(await settledDescriptors(), before);
});

t.test("a handler that waits for ever may end when the service stops", async (t) => {
  const server = new Server(
    folder,
    conversing(echo, async (conversation, _peer, stopping) => {
      stopping.addEventListener("abort", () => {
        conversation.connection[Symbol.dispose]();
      });
      await echoing(conversation);
    }),
  );
  await using client = server.client("hold", "20");
  for (let n = 0; n < 20; n++) await client.line();
  const start = monotonicMillis();
  await server.listener.stop(60_000);
  t.ok(monotonicMillis() - start < 1000);
  t.same(server.entries, []);
});

t.test("after the grace time the rest is cut off, and what their handlers then say is no bug", async (t) => {
  const before = await settledDescriptors();
  const ends: unknown[] = [];
  const server = new Server(folder, async (connection) => {
    const bytes = Buffer.alloc(1);
    ends.push(await connection.readSome(bytes, 0, Infinity));
    connection.release();
  });
  await using client = server.client("hold", "3");
  for (let n = 0; n < 3; n++) await client.line();
  const start = monotonicMillis();
  await server.listener.stop(100);
  const took = monotonicMillis() - start;
  t.ok(took > 90 && took < 1000, `${took.toFixed(0)} ms`);
  await delay(10);
  t.same(ends, ["closed", "closed", "closed"]);
  t.equal(server.listener.counters.live, 0);
  t.equal(server.connections.used, 0);
  await client.finish();
  t.equal(await settledDescriptors(), before);
  t.match(server.entries[0], { level: 40, live: 3, msg: "connections were still open when the grace time ended" });
  t.match(server.entries[1], { level: 40, msg: "a handler failed after its connection was taken away" });
});

/** What a peer is told that attached something which the kernel let through. */
const attached = { type: "error", code: "protocol", message: "a descriptor is attached where none is expected" };
const kernelRefuses = (() => {
  const fd = unixSocket("stream");
  const refuses = refuseDescriptors(fd);
  close(fd);
  return refuses;
})();

t.test("descriptors thrown at the service are kept out, and its own stay as they were", async (t) => {
  t.comment(kernelRefuses ? "the kernel refuses them" : "this kernel has no SO_PASSRIGHTS: the service looks first");
  await using server = new Server(folder);
  for (const count of [1, 253]) {
    const before = await settledDescriptors();
    for (let n = 0; n < 5; n++) {
      t.same(await server.answer("throw", String(count)), kernelRefuses ? "EPERM" : attached);
    }
    t.same(await server.answer("say", "still here"), said("still here"));
    await eventually("the end", () => server.listener.counters.live === 0 || undefined);
    t.equal(await settledDescriptors(), before, `${String(count)} at once`);
  }
});

t.test("a file of a file system that never answers, queued before the service was there, hangs nobody", async (t) => {
  for (const count of ["1", "253"]) {
    const place = path.join(folder, `silent-${count}.sock`);
    const before = await settledDescriptors();
    const socket = listeningSocket(place);
    await using hostile = new Program(["unshare", "--mount", ...fixture("silent-fuse.py", [place, folder, count])]);
    t.equal(JSON.parse(await hostile.line()), "sent");
    await using server = new Server(folder, undefined, undefined, () => socket);
    t.same(JSON.parse(await hostile.line()), attached);
    t.equal(await hostile.line(), "hangs", "as closing it does to whoever holds it");
    await using other = new Program(fixture("client.py", ["say", place, "still here"]));
    t.same(JSON.parse(await other.line()), said("still here"));
    await hostile.finish();
    await eventually("the end", () => server.listener.counters.live === 0 || undefined);
    await server.listener.stop(0);
    t.equal(await settledDescriptors(), before);
  }
});

for (const [what, limits, told] of [
  ["served", { total: 9, perPayer: 9 }, attached],
  ["refused", { total: 9, perPayer: 0 }, { type: "error", code: "busy" }],
] as const) {
  t.test(`a peer that is ${what} and left a lingering socket behind is closed without holding up others`, async (t) => {
    const place = path.join(folder, `linger-${what}.sock`);
    const before = await settledDescriptors();
    const socket = listeningSocket(place);
    await using hostile = new Program(fixture("client.py", ["linger", place, "2"]));
    t.equal(JSON.parse(await hostile.line()), "sent");
    await using server = new Server(folder, undefined, limits, () => socket);
    t.match(JSON.parse(await hostile.line()), told);
    await using other = new Program(fixture("client.py", ["say", place, "still here"]));
    t.match(JSON.parse(await other.line()), what === "served" ? said("still here") : told);
    t.ok(server.listener.counters.live > 0, "the other was answered while the socket still lingered");
    t.equal(server.connections.used > 0, what === "served", "who lingers goes on paying");
    await eventually("the end", () => server.listener.counters.live === 0 || undefined);
    t.equal(server.connections.used, 0);
    await hostile.finish();
    await server.listener.stop(0);
    t.equal(await settledDescriptors(), before);
  });
}

t.test("a peer that always has more to say leaves others their turn", async (t) => {
  await using server = new Server(folder);
  await using greedy = server.client("flood");
  t.equal(JSON.parse(await greedy.line()), "flooding");
  const turns = await turnsWithin(300);
  t.same(await server.answer("say", "my turn"), said("my turn"));
  t.ok(turns > 20, `${String(turns)} timers were served in 300 ms`);
  greedy.write("enough\n");
  await greedy.finish();
});

/** How many timers of 1 ms the event loop serves while it passes. */
async function turnsWithin(milliseconds: number): Promise<number> {
  const end = monotonicMillis() + milliseconds;
  let turns = 0;
  while (monotonicMillis() < end) {
    await delay(1);
    turns++;
  }
  return turns;
}

t.test("when no descriptor is free the listener rests, says so once, and goes on when one is", async (t) => {
  await using server = new Program([
    "prlimit",
    "--nofile=64:64",
    ...fixture("exhausted.fixture.ts", [`${folder}/exhausted.sock`]),
  ]);
  t.equal(await server.line(), "full");
  await using client = new Program(fixture("client.py", ["say", `${folder}/exhausted.sock`, "patience"]));
  await server.hasLogged("no descriptor or memory is free: new connections have to wait");
  await delay(500);
  t.equal(client.unread, 0);
  server.write("free\n");
  t.same(JSON.parse(await client.line()), said("patience"));
  await server.hasLogged("connections are accepted again");
  const { stdout, stderr } = await server.finish();
  t.equal(stderr.match(/no descriptor or memory is free: new/gu)?.length, 1, "said once");
  const { cpuMillis } = JSON.parse(stdout.split("\n").at(-2) ?? "") as { cpuMillis: number };
  t.ok(cpuMillis < 100, `resting for 500 ms took ${String(cpuMillis)} ms of processor time`);
});
