import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import t from "tap";
import { Box, runBox, whyNoBox } from "./box.ts";

const PROGRAM = path.join(import.meta.dirname, "box");
const STATE = process.env["BOX_STATE"] ?? "/run/cortexfs-box";
const skip = whyNoBox();

const folder = mkdtempSync(path.join(tmpdir(), "cortexfs-box-"));
t.teardown(() => {
  rmSync(folder, { recursive: true });
});

t.setTimeout(900_000); // the first box may have to build the base

/** A name nothing else on the machine has, so that whatever holds it is a trace of the box. */
function uniqueName(): string {
  return `trace-${randomBytes(6).toString("hex")}`;
}

/** Everything on this machine that tells of the box `name`: processes (a zombie is none), mounts, cgroups, files. */
function tracesOf(name: string, state = STATE): Set<string> {
  const traces = new Set<string>();
  for (const proc of globSync("/proc/[0-9]*")) {
    const read = (file: string): string => {
      try {
        return readFileSync(`${proc}/${file}`, "utf8");
      } catch (error) {
        if (["ENOENT", "ESRCH", "EINVAL"].includes((error as NodeJS.ErrnoException).code ?? "")) return "";
        throw error; // those above: it ended while we looked
      }
    };
    if (/\) [ZX] /.test(read("stat"))) continue;
    if (read("cmdline").includes(name)) traces.add("process");
    if (read("cgroup").includes(name)) traces.add("process in a cgroup");
    if (read("mountinfo").includes(name)) traces.add("mount");
  }
  if (globSync(`/sys/fs/cgroup/**/*${name}*`).length > 0) traces.add("cgroup");
  if (existsSync(path.join(state, name))) traces.add("file");
  return traces;
}

function keeperOf(name: string): number {
  return Number.parseInt(readFileSync(path.join(STATE, name, "keeper"), "utf8"), 10);
}

const ALL_TRACES = new Set(["process", "process in a cgroup", "mount", "cgroup", "file"]);

/** What is left of a box once it is down to `kinds` traces, or after three seconds. */
async function tracesLeft(name: string, kinds = 0): Promise<Set<string>> {
  const deadline = Date.now() + 3000;
  let traces = tracesOf(name);
  while (traces.size > kinds && Date.now() < deadline) {
    await sleep(50);
    traces = tracesOf(name);
  }
  return traces;
}

t.test("op and eve have logins with running user managers, and root has the system's", { skip }, async (t) => {
  await using box = await Box.up(t.name);
  for (const [user, uid] of [
    ["op", "1000"],
    ["eve", "1001"],
  ] as const) {
    t.equal(await box.text(["systemctl", "--user", "is-system-running"], { user }), "running");
    const login = await box.text(["sh", "-c", "id -u; pwd; echo $XDG_RUNTIME_DIR; echo ${XDG_SESSION_ID:+session}"], {
      user,
    });
    t.equal(login, `${uid}\n/home/${user}\n/run/user/${uid}\nsession`);
  }
  t.equal(await box.text(["systemctl", "is-system-running"]), "running");
});

t.test("the exit status of a command comes through, and a signal as 128 and its number", { skip }, async (t) => {
  await using box = await Box.up(t.name);
  for (const status of [0, 1, 7, 125, 255]) {
    t.equal((await box.exec(["sh", "-c", `exit ${String(status)}`], { user: "op" })).status, status);
  }
  t.equal((await box.exec(["sh", "-c", "kill -TERM $$"], { user: "op" })).status, 143);
  t.equal((await box.exec(["sh", "-c", "kill -KILL $$"])).status, 137);
  t.equal((await box.exec(["no-such-program"])).status, 127);
});

t.test("input, output and the words of a command come through byte by byte", { skip }, async (t) => {
  await using box = await Box.up(t.name);
  const input = Buffer.concat([Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)), randomBytes(3_000_000)]);
  const echo = await box.exec(["sh", "-c", "cat; printf %s end >&2"], { user: "op", input });
  t.ok(echo.stdout.equals(input));
  t.equal(echo.stderr.toString(), "end");
  const words = ["$HOME", "${HOME}", "$$", "%n", 'a "b"', "c'd", "", "\\", "é\n"];
  t.equal((await box.exec(["printf", "<%s>", ...words])).stdout.toString(), words.map((word) => `<${word}>`).join(""));
  t.equal(await box.text(["sh", "-c", "head -n1; exit 0"], { input: "y\n".repeat(1_000_000) }), "y");
});

t.test("with -i a command has a terminal", { skip }, async (t) => {
  await using box = await Box.up(t.name);
  const line = `${PROGRAM} exec ${box.name} -u op -i -- sh -c "tty; exit 3"`;
  const script = spawn("/usr/bin/script", ["--quiet", "--return", "--command", line, "/dev/null"], {
    stdio: ["pipe", "pipe", "inherit"], // an end of its input would show on the terminal
  });
  const output = (await script.stdout.toArray()).join("");
  if (script.exitCode === null) await once(script, "exit");
  script.stdin.destroy();
  t.match(output, /^\/dev\/pts\/\d+\r\n$/);
  t.equal(script.exitCode, 3);
  const refused = await runBox(["exec", box.name, "-i", "--", "true"]);
  t.equal(refused.status, 125);
  t.match(refused.stderr.toString(), /^box: exec: -i needs a terminal on stdin and stdout; leave it out\n$/);
});

t.test("what is copied arrives owned by root, where the box's own links lead", { skip }, async (t) => {
  await using box = await Box.up(t.name);
  const source = path.join(folder, "copied");
  mkdirSync(source);
  writeFileSync(path.join(source, "run"), "#!/bin/sh\necho ran\n", { mode: 0o755 });
  symlinkSync("run", path.join(source, "link"));
  await box.copy(source, "/var/run/copied"); // /var/run is an absolute link to /run
  t.equal(await box.text(["/run/copied/link"], { user: "op" }), "ran");
  t.equal(await box.text(["stat", "-c", "%U:%G", "/run/copied/run"]), "root:root");
  t.equal(readFileSync(path.join(box.root, "run/copied/run"), "utf8"), "#!/bin/sh\necho ran\n");
  t.notOk(existsSync("/run/copied"));
});

t.test("another box finds what is in a snapshot, and misses what was removed there", { skip }, async (t) => {
  const layer = path.join(folder, "layer");
  {
    await using first = await Box.up(t.name);
    await first.text([
      "sh",
      "-c",
      "echo kept >/etc/kept; rm /etc/issue; rm -r /etc/pam.d/../skel; mkdir /etc/skel; sync",
    ]);
    await first.snapshot(layer);
    t.match((await runBox(["snap", first.name, layer])).stderr.toString(), /layer exists; name a new directory/);
  }
  await using second = await Box.up(t.name, [layer]);
  t.equal(
    await second.text(["sh", "-c", "cat /etc/kept; ls -A /etc/issue /etc/skel 2>&1 || true"]),
    "kept\nls: cannot access '/etc/issue': No such file or directory\n/etc/skel:",
  );
  t.equal(await second.text(["hostname"]), second.name);
});

t.test("bwrap, FUSE and a network of its own work for op", { skip }, async (t) => {
  await using box = await Box.up(t.name);
  await box.text(["bwrap", "--unshare-all", "--unshare-user", "--disable-userns", "--ro-bind", "/", "/", "true"], {
    user: "op",
  });

  const firstRequest = `
import array, os, socket, struct, subprocess
ours, theirs = socket.socketpair()
os.mkdir("mount")
subprocess.check_call(["fusermount3", "--", "mount"], pass_fds=[theirs.fileno()], env={"_FUSE_COMMFD": str(theirs.fileno())})
control = ours.recvmsg(1, socket.CMSG_SPACE(4))[1]
fuse = array.array("i", control[0][2])[0]
print(struct.unpack_from("=II", os.read(fuse, 65536))[1])
subprocess.check_call(["fusermount3", "-u", "mount"])
`;
  const FUSE_INIT = "26";
  t.equal(await box.text(["python3", "-c", firstRequest], { user: "op" }), FUSE_INIT);
  t.match(await box.text(["findmnt", "-n", "-o", "FSTYPE", "/sys/fs/fuse/connections"]), "fusectl");

  await box.text([
    "sh",
    "-ec",
    `
    ip tuntap add tap0 mode tap
    ip address add 192.0.2.2/24 dev tap0
    ip link set tap0 up
    ip route add default via 192.0.2.1`,
  ]);
  const pasta = [
    "pasta",
    "--config-net",
    "--no-map-gw",
    "-t",
    "none",
    "-u",
    "none",
    "-T",
    "none",
    "-U",
    "none",
    "-q",
    "--",
  ];
  t.match(await box.text([...pasta, "ip", "-brief", "-4", "address"], { user: "op" }), "192.0.2.2/24");
});

t.test("two boxes run at once and are two machines", { skip }, async (t) => {
  const boxes = await Promise.all([Box.up(t.name), Box.up(t.name)]);
  await using _first = boxes[0];
  await using _second = boxes[1];
  const [one, two] = await Promise.all(boxes.map((box) => box.text(["cat", "/etc/machine-id", "/etc/hostname"])));
  t.match(one, /^[0-9a-f]{32}\n/);
  t.match(two, /^[0-9a-f]{32}\n/);
  t.not(one?.slice(0, 32), two?.slice(0, 32));
  const listed = (await runBox(["list"])).stdout.toString();
  for (const box of boxes) {
    t.match(listed, `${box.name}\tup\t${String(box.pid)}\t${String(process.pid)}\n`);
    t.equal(await box.text(["stat", "-fc", "%T", "/sys/fs/cgroup"]), "cgroup2fs");
  }
});

t.test("a name that is taken is refused with what to do, and the box that has it stays", { skip }, async (t) => {
  await using box = await Box.up(t.name);
  const { status, stderr } = await runBox(["up", box.name]);
  t.equal(status, 125);
  t.equal(
    stderr.toString(),
    `box: up: ${box.name} is up already; take another name, or end it: box kill ${box.name}\n`,
  );
  t.equal(await box.text(["echo", "here"]), "here");
});

t.test("SIGKILL of the owner leaves no process, mount, cgroup or file after three seconds", { skip }, async (t) => {
  const name = uniqueName();
  const { BOX_OWNER: _, ...env } = process.env;
  const owner = spawn("bash", ["-c", '"$0" up "$1" && echo up && read -r', PROGRAM, name], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  await once(owner.stdout, "data");
  t.same(tracesOf(name), ALL_TRACES);
  owner.kill("SIGKILL");
  t.same(await tracesLeft(name), new Set());
});

t.test("SIGKILL of the keeper ends the box, and its name is free again", { skip }, async (t) => {
  const name = uniqueName();
  const up = async (): Promise<void> => {
    t.equal((await runBox(["up", name])).status, 0);
  };
  await up();
  process.kill(keeperOf(name), "SIGKILL");
  t.same(await tracesLeft(name, 2), new Set(["cgroup", "file"]));
  t.match((await runBox(["exec", name, "--", "true"])).stderr.toString(), `${name} is not up; boot it: box up ${name}`);
  await up();
  t.equal((await runBox(["kill", name])).status, 0);
  t.same(tracesOf(name), new Set());
});

t.test("a box whose keeper is stopped is ended all the same", { skip }, async (t) => {
  const name = uniqueName();
  t.equal((await runBox(["up", name])).status, 0);
  process.kill(keeperOf(name), "SIGSTOP");
  const killed = await runBox(["kill", name], { seconds: 8 });
  t.equal(killed.status, 0, killed.stderr.toString());
  t.same(tracesOf(name), new Set());
});

t.test("a box that was to have a cgroup but never got it can be ended", { skip }, async (t) => {
  const state = path.join(folder, "no-group");
  const name = uniqueName();
  mkdirSync(path.join(state, name), { recursive: true });
  writeFileSync(path.join(state, name, "cgroup"), `/sys/fs/cgroup/cortexfs-box-${name}.1\n`);
  t.equal((await runBox(["kill", name], { env: { BOX_STATE: state } })).status, 0);
  t.same(tracesOf(name, state), new Set());
});

t.test("a box that runs out of files for its state at any step of its boot leaves nothing", { skip }, async (t) => {
  const state = path.join(folder, "full");
  mkdirSync(state);
  for (const files of [6, 7, 8, 9]) {
    execFileSync("mount", ["-t", "tmpfs", "-o", `nr_inodes=${String(files)}`, "tmpfs", state]);
    try {
      const name = uniqueName();
      const { status, stderr } = await runBox(["up", name], { env: { BOX_STATE: state } });
      t.equal(status, 125);
      t.match(stderr.toString(), /No space left on device/);
      t.same(tracesOf(name, state), new Set(), `with room for ${String(files)} files`);
    } finally {
      execFileSync("umount", ["--lazy", state]);
    }
  }
});

t.test("a copy that fails says why and what to do, in terms of the box", { skip }, async (t) => {
  await using box = await Box.up(t.name);
  const file = path.join(folder, "file");
  writeFileSync(file, "");
  const { name } = box;
  for (const [source, target, sentence] of [
    ["/nothere", "/x", "/nothere: there is no such file here; name a file or directory of this machine"],
    [file, "x", "x: it is not an absolute path; begin it with /"],
    [file, "/no/x", `/no/x: ${name} has no directory /no; make it: box exec ${name} -- mkdir -p '/no'`],
    [file, "/no/", `/no/: ${name} has no directory /no; make it: box exec ${name} -- mkdir -p '/no'`],
    [file, "/etc/passwd/x", `/etc/passwd/x: /etc/passwd is not a directory in ${name}; name another path`],
    [
      folder,
      "/etc/passwd",
      `/etc/passwd: cannot overwrite non-directory '/etc/passwd' with directory '${folder}'; ` +
        "put that right, or name another path",
    ],
  ] as const) {
    const { status, stderr } = await runBox(["cp", name, source, target]);
    t.equal(status, 125);
    t.equal(stderr.toString(), `box: cp: ${sentence}\n`);
  }
  const { status, stderr } = await box.exec(["true"], { user: "o." });
  t.equal(status, 125);
  t.equal(stderr.toString(), `box: exec: ${name} has no user 'o.'; name root, op or eve\n`);

  for (const words of [
    ["keep", name, "0"],
    ["guard", name],
    ["boot", name],
  ]) {
    t.equal((await runBox(words)).status, 64, `${String(words[0])} of a box that is up`);
  }
  t.equal(await box.text(["echo", "here"]), "here");
});

t.test("a box that is powered off, from outside or inside, leaves nothing", { skip }, async (t) => {
  await using outside = await Box.up(t.name);
  await outside.down();
  t.same(tracesOf(outside.name), new Set());
  await using inside = await Box.up(t.name);
  await inside.exec(["systemctl", "poweroff"]);
  t.same(await tracesLeft(inside.name), new Set());
});

t.test("sweep ends every box", { skip }, async (t) => {
  const state = path.join(folder, "swept");
  const env = { BOX_STATE: state };
  const names = [uniqueName(), uniqueName()];
  await Promise.all(names.map((name) => runBox(["up", name], { env })));
  for (const name of names) t.same(tracesOf(name, state), ALL_TRACES);
  t.equal((await runBox(["sweep"], { env })).status, 0);
  for (const name of names) t.same(tracesOf(name, state), new Set());
});

t.test("a boot that fails shows its console and leaves nothing", { skip }, async (t) => {
  const layer = path.join(folder, "without-systemd");
  mkdirSync(path.join(layer, "usr/lib/systemd"), { recursive: true });
  symlinkSync("/nowhere", path.join(layer, "usr/lib/systemd/systemd"));
  const name = uniqueName();
  const { status, stderr } = await runBox(["up", name, "--layer", layer]);
  t.equal(status, 125);
  t.match(stderr.toString(), /execv.* failed: No such file/);
  t.match(stderr.toString(), `box: up: ${name} did not boot; its console is above\n`);
  t.same(tracesOf(name), new Set());
});

t.test(
  "under systemd a box lives in a scope that is delegated to it, and takes the scope with it",
  { skip },
  async (t) => {
    const base = (await runBox(["base"])).stdout.toString().trim();
    await using host = await Box.up(t.name);
    await host.copy(import.meta.dirname, "/opt/boot");
    const session = `
    cache=/var/cache/box
    mkdir -p $cache/${path.basename(base)}
    mount --bind / $cache/${path.basename(base)} # what this box runs from will do as a base
    box() { BOX_CACHE=$cache /opt/boot/box "$@"; }
    box up inner
    systemctl show --property=ActiveState,Delegate cortexfs-box-inner.scope
    box exec inner -u op -- systemctl --user is-system-running
    box exec inner -u op -- bwrap --unshare-all --unshare-user --disable-userns --ro-bind / / true
    box kill inner
    systemctl show --property=ActiveState cortexfs-box-inner.scope
    ls -A /run/cortexfs-box`;
    t.equal(
      await host.text(["bash", "-euc", session]),
      "Delegate=yes\nActiveState=active\nrunning\nActiveState=inactive",
    );
  },
);

t.test("without arguments box lists its commands; a wrong command line is 64", { skip }, async (t) => {
  const usage = await runBox([]);
  t.equal(usage.status, 64);
  t.match(usage.stderr.toString(), /^box up NAME .*\nbox exec NAME /);
  for (const [words, sentence] of [
    [["fly"], "box: fly: there is no such command"],
    [["up"], "box: up: NAME is missing"],
    [["up", "x", "--layer"], "box: up: --layer needs a DIR"],
    [["up", "x", "y"], "box: up: after NAME comes --layer DIR or nothing, not 'y'"],
    [["exec", "x", "true"], "box: exec: -- is missing before CMD"],
    [["exec", "x", "-u"], "box: exec: -u needs a USER"],
    [["exec", "x", "-x"], "box: exec: there is no option -x; an option of CMD comes after --"],
    [["exec", "x", "--"], "box: exec: CMD is missing after --"],
    [["cp", "x", "/y"], "box: cp: wrong number of arguments after NAME: 1"],
    [["list", "x"], "box: list: wrong number of arguments: 1"],
  ] as const) {
    const { status, stderr } = await runBox(words);
    t.equal(status, 64);
    t.equal(stderr.toString(), `${sentence}\n${usage.stderr.toString()}`);
  }
  for (const name of ["No/Name", "-x", "x-"]) {
    const { status, stderr } = await runBox(["up", name]);
    t.equal(status, 64);
    t.equal(
      stderr.toString(),
      `box: up: a NAME is up to 48 of a-z, 0-9 and -, with no - at its start or end; not '${name}'\n`,
    );
  }
  for (const words of [
    ["keep", "nothere", "9"],
    ["keep", "nothere"],
    ["guard", "nothere"],
    ["boot", "nothere"],
  ]) {
    const { status, stderr } = await runBox(words);
    t.equal(status, 64);
    t.equal(
      stderr.toString(),
      `box: ${String(words[0])}: only box itself calls this, while it boots a box; to boot one: box up nothere\n`,
    );
  }
  t.equal((await runBox(["exec", uniqueName(), "--", "true"])).status, 125);
});
