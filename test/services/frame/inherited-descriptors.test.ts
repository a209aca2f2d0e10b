import { openSync } from "node:fs";
import path from "node:path";
import t from "tap";
import { close, socketPair, type Fd } from "../../../native/index.ts";
import { activated, listeningSocket, temporaryFolder } from "./program.ts";

const folder = temporaryFolder(t);
const [a, b] = socketPair("stream");
const listening = listeningSocket(path.join(folder, "listening.sock"));
const file = openSync("/dev/null", "r") as Fd;
t.teardown(() => {
  for (const fd of [a, b, listening, file]) close(fd);
});

/** What a service expecting `expected` finds when it is passed `passed`, with `environment` over what systemd says. */
async function taken(
  expected: readonly string[],
  passed: Readonly<Record<string, Fd>>,
  environment: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  await using service = activated("descriptors.fixture.ts", { sockets: passed, args: expected, environment });
  const { stdout, stderr } = await service.ended;
  return stderr === "" ? (JSON.parse(stdout) as unknown) : stderr;
}

t.test("sockets are found by name, whatever their order, and stored descriptors beside them", async (t) => {
  t.same(await taken(["control", "broker"], { "kept-1": file, broker: a, "kept-2": b, control: listening }), {
    sockets: { broker: 4, control: 6 },
    stored: [
      { name: "kept-1", fd: 3 },
      { name: "kept-2", fd: 5 },
    ],
    closeOnExec: [true, true, true, true],
    variables: [],
  });
});

t.test("a service that expects nothing and is passed nothing starts", async (t) => {
  const nothing = { sockets: {}, stored: [], closeOnExec: [], variables: [] };
  t.same(await taken([], {}), nothing);
});

t.test("a missing socket is named, with what to do", async (t) => {
  const sentence = 'systemd passed no socket named "control": start this service by its socket unit';
  t.equal(await taken(["control", "broker"], { broker: a }), sentence);
  t.equal(await taken(["control"], {}), sentence);
});

t.test("descriptors that are meant for another process are not taken, and their variables are removed", async (t) => {
  await using service = activated("descriptors.fixture.ts", { sockets: { control: a }, wrap: ["env", "LISTEN_PID=1"] });
  const { stdout } = await service.ended;
  t.same(JSON.parse(stdout), { sockets: {}, stored: [], closeOnExec: [], variables: [] });
});

t.test("a name that nobody knows is refused, with what to do", async (t) => {
  t.equal(
    await taken(["control"], { control: a, stranger: b }),
    'systemd passed a descriptor named "stranger", which this service does not know: ' +
      "correct FileDescriptorName= of its socket unit, or run systemctl clean --what=fdstore UNIT",
  );
});

t.test("two sockets of one name, and a socket that is none, are refused", async (t) => {
  t.equal(
    await taken(["control"], { control: a, other: b }, { LISTEN_FDNAMES: "control:control" }),
    'systemd passed "control" twice: one socket is right',
  );
  t.equal(await taken(["control"], { control: file }), 'the descriptor "control" that systemd passed is no socket');
});

t.test("stored descriptors may share a name", async (t) => {
  t.match(await taken([], { "kept-1": a, "kept-2": b }, { LISTEN_FDNAMES: "kept-1:kept-1" }), {
    stored: [
      { name: "kept-1", fd: 3 },
      { name: "kept-1", fd: 4 },
    ],
  });
});

t.test("variables that contradict themselves are refused", async (t) => {
  for (const count of ["-1", "01", "1e3", "4097", "99999", "x", ""]) {
    t.equal(
      await taken([], {}, { LISTEN_FDS: count }),
      `LISTEN_FDS is "${count}": a number from 0 to 4096 is right`,
      count,
    );
  }
  t.equal(
    await taken(["control"], { control: a }, { LISTEN_FDNAMES: "" }),
    "LISTEN_FDS counts 1 descriptors and LISTEN_FDNAMES names 0: each needs one name",
  );
  t.equal(
    await taken(["control"], { control: a }, { LISTEN_FDNAMES: "control:more" }),
    "LISTEN_FDS counts 1 descriptors and LISTEN_FDNAMES names 2: each needs one name",
  );
});
