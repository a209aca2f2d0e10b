import { readFileSync } from "node:fs";
import fc from "fast-check";
import t from "tap";
import { agentUnitOf, parseProcCgroup, userSliceOf } from "../../abi/cgroup.ts";
import { formatGeneration, parseGeneration, parseStartTime } from "../../abi/generation.ts";
import { encodeNonce, NONCE_BYTES, parseNonce } from "../../abi/nonce.ts";
import { accepted, refused } from "../../abi/result.ts";

t.test("of /proc/PID/cgroup only the line of the unified hierarchy counts", (t) => {
  t.equal(parseProcCgroup("12:pids:/a\n1:name=systemd:/b\n0::/user.slice/x\n"), "/user.slice/x");
  t.equal(parseProcCgroup("0::/x (deleted)\n"), undefined, "a cgroup that was removed is nobody's");
  t.equal(parseProcCgroup("0::/"), "/");
  t.equal(parseProcCgroup("10:cpu:0::/x\n"), undefined);
  t.equal(parseProcCgroup(""), undefined);
  t.end();
});

t.test("a peer is in an agent's unit when a whole component says so, and the outermost counts", (t) => {
  const unit = "cortexfs-agent-5-coder-default-terminal.service";
  const app = "/user.slice/user-1000.slice/user@1000.service/app.slice";
  t.equal(agentUnitOf(`${app}/${unit}`), unit);
  t.equal(agentUnitOf(`${app}/${unit}/cortexfs-agent-1-x-y-terminal.service`), unit);
  t.equal(agentUnitOf(`${app}/cortexfs-agent@coder.service`), "cortexfs-agent@coder.service");
  for (const other of [`${app}/x${unit}`, `${app}/${unit}.d`, `${app}/cortexfs-agent.service`, "/"]) {
    t.equal(agentUnitOf(other), undefined, other);
  }
  t.end();
});

t.test("only the two leading components name the user whose login a cgroup belongs to", (t) => {
  t.equal(userSliceOf("/user.slice/user-1000.slice/session-3.scope"), 1000);
  t.equal(userSliceOf("/user.slice/user-0.slice"), 0);
  for (const path of [
    "/system.slice/cortexfs-fuse.service",
    "/user.slice",
    "/user.slice/user-01.slice/x",
    "/user.slice/user-1000.slicex",
    "/x/user.slice/user-1000.slice",
    "/user.slice/user.slice/user-7.slice",
  ]) {
    t.equal(userSliceOf(path), undefined, path);
  }
  t.end();
});

t.test("a generation and its text stand for each other", (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4_194_304 }),
      fc.integer({ min: 0, max: 999_999_999_999_999 }),
      (pid, startTime) => {
        const parsed = parseGeneration(formatGeneration({ pid, startTime }));
        return parsed?.pid === pid && parsed.startTime === startTime;
      },
    ),
  );
  t.same(parseGeneration("4194304:0"), { pid: 4_194_304, startTime: 0 });
  for (const text of [
    "",
    ":",
    "0:1",
    "01:1",
    "1:01",
    "1:",
    ":1",
    "1:2:3",
    "-1:2",
    "1:1e3",
    "4194305:1",
    " 1:2",
    "1:2\n",
    `1:${"9".repeat(16)}`,
  ]) {
    t.equal(parseGeneration(text), undefined, JSON.stringify(text));
  }
  t.end();
});

t.test("every pid up to the kernel's largest, and none above it, is one of a generation", (t) => {
  for (let pid = 0; pid < 4_300_000; pid += pid < 4_194_000 ? 61 : 1) {
    const isPid = pid >= 1 && pid <= 4_194_304;
    if ((parseGeneration(`${String(pid)}:1`) !== undefined) !== isPid) t.fail(String(pid));
  }
  t.end();
});

t.test("a start time is read behind a command name that imitates the rest of the line", (t) => {
  const fields = Array.from({ length: 50 }, (_, i) => String(i + 3));
  t.equal(parseStartTime(`7 (x) S 1) ${["R", ...fields.slice(1)].join(" ")}`), 22);
  t.equal(parseStartTime("7 (x) S 1 2"), undefined);
  t.equal(parseStartTime(""), undefined);
  const own = parseStartTime(readFileSync("/proc/self/stat", "latin1"));
  t.ok(own !== undefined && own > 0, "this process has a start time");
  t.end();
});

t.test("a nonce is 18 bytes as 24 characters, each text exactly one nonce", (t) => {
  t.equal(NONCE_BYTES, 18);
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 18, maxLength: 18 }), (entropy) => {
      const text = encodeNonce(entropy);
      return text.length === 24 && parseNonce(text) === text && Buffer.from(text, "base64url").equals(entropy);
    }),
  );
  t.throws(() => encodeNonce(new Uint8Array(17)), RangeError);
  t.throws(() => encodeNonce(new Uint8Array(19)), RangeError);
  for (const text of [
    "",
    "A".repeat(23),
    "A".repeat(25),
    "A".repeat(23) + "=",
    "A".repeat(23) + "+",
    "A".repeat(24) + "\n",
  ]) {
    t.equal(parseNonce(text), undefined, JSON.stringify(text));
  }
  t.end();
});

t.test("a result is a value or a refusal with its errno and sentence", (t) => {
  t.same(accepted(7), { ok: true, value: 7 });
  t.same(refused("EBUSY", "the view is open"), { ok: false, refusal: { errno: "EBUSY", message: "the view is open" } });
  t.end();
});
