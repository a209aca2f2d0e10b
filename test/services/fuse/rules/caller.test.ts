import { spawn } from "node:child_process";
import { once } from "node:events";
import t from "tap";
import { Caller } from "../../../../services/fuse/rules/caller.ts";
import { mayGrow, mayPassThrough } from "../../../../services/fuse/rules/space.ts";

const skip = process.getuid?.() === 0 ? false : "it runs programs as other users, which needs root";

t.test("the groups are those of the thread that asks", { skip }, async (t) => {
  const many = Array.from({ length: 5000 }, (_, index) => 10_000 + 3 * index);
  for (const groups of [[7], [7, 4_294_967_294], many]) {
    const child = spawn("setpriv", [
      "--reuid=1001",
      "--regid=5",
      `--groups=${groups.join(",")}`,
      "sh",
      "-c",
      "echo; read x",
    ]);
    await once(child.stdout, "data");
    const caller = new Caller().take({ uid: 1001, gid: 5, pid: child.pid ?? 0 });
    for (const group of [groups[0] ?? 0, groups.at(-1) ?? 0]) t.ok(caller.isMember(group), String(group));
    t.ok(caller.isMember(5), "its own group");
    t.notOk(caller.isMember(6));
    child.stdin.end();
    await once(child, "close");
    t.notOk(
      caller.take({ uid: 1001, gid: 5, pid: child.pid ?? 0 }).isMember(7),
      "a process that is gone is in no group",
    );
  }
  t.equal(new Caller().take({ uid: 1001, gid: 5, pid: 0 }).isMember(7), undefined, "one that cannot be named");
});

t.test("the last of the room is nobody's, and what is nearly full is written through the server", (t) => {
  const mebibyte = 1_048_576;
  const large = 100_000 * mebibyte;
  t.ok(mayGrow({ total: large, available: 0.05 * large }, 0));
  t.notOk(mayGrow({ total: large, available: 0.05 * large }, 1));
  t.ok(mayGrow({ total: 1000 * mebibyte, available: 256 * mebibyte }, 0));
  t.notOk(mayGrow({ total: 1000 * mebibyte, available: 256 * mebibyte }, 1));
  t.ok(mayPassThrough({ total: large, available: 0.1 * large }));
  t.notOk(mayPassThrough({ total: large, available: 0.1 * large - 1 }));
  t.notOk(mayPassThrough({ total: 1000 * mebibyte, available: 255 * mebibyte }));
  t.end();
});
