import fc from "fast-check";
import { constants } from "node:os";
import t from "tap";
import { ControlDraft, type ControlForm, type Landing } from "../../../../services/fuse/rules/control-draft.ts";

const { EFBIG, EINVAL } = constants.errno;

/** Lines of lower-case letters, each ending in LF; empty content too. */
const lines: ControlForm = {
  mostBytes: 64,
  check: (content) => (/^(?:[a-z]+\n)*$/u.test(Buffer.from(content).toString("latin1")) ? undefined : "no"),
  checkPart: (content) => (/^(?:[a-z]+\n)*[a-z]*$/u.test(Buffer.from(content).toString("latin1")) ? undefined : "no"),
};
/** As `lines`, and never empty. */
const filled: ControlForm = {
  ...lines,
  check: (content) => (content.length === 0 ? "empty" : lines.check(content)),
};

const bytes = (text: string): Buffer => Buffer.from(text, "latin1");
const landed = (landing: Landing): string =>
  landing.kind === "commit"
    ? landing.content.toString("latin1")
    : landing.kind === "refused"
      ? String(landing.errno)
      : landing.kind;

t.test("valid text lands when it is closed, and only once", (t) => {
  const draft = new ControlDraft(lines, bytes("old\n"), true);
  t.equal(draft.write(bytes("new\n"), 0), 0);
  t.equal(landed(draft.flush()), "new\n");
  t.equal(landed(draft.flush()), "nothing");
  t.equal(landed(draft.release()), "nothing");
  t.end();
});

t.test("complete text that is invalid fails the write, and everything after it", (t) => {
  const draft = new ControlDraft(lines, bytes("old\n"), true);
  t.equal(draft.write(bytes("ne w\n"), 0), EINVAL);
  t.equal(draft.write(bytes("new\n"), 0), EINVAL);
  t.equal(draft.resize(0), EINVAL);
  t.equal(landed(draft.flush()), String(EINVAL));
  t.equal(landed(draft.release()), "nothing");
  t.equal(draft.charge, 0);
  t.end();
});

t.test("text that nothing could complete fails the write, text that something could at the close", (t) => {
  const hopeless = new ControlDraft(lines, bytes(""), true);
  t.equal(hopeless.write(bytes("NEW"), 0), EINVAL);
  const open = new ControlDraft(lines, bytes(""), true);
  t.equal(open.write(bytes("new"), 0), 0);
  t.equal(landed(open.flush()), String(EINVAL));
  t.equal(open.write(bytes("\n"), 3), EINVAL, "it has failed");
  t.end();
});

t.test("a copy that a shell closes before it writes empties nothing", (t) => {
  const draft = new ControlDraft(lines, bytes("old\n"), true);
  t.equal(landed(draft.flush()), "nothing");
  t.equal(draft.write(bytes("n w\n"), 0), EINVAL);
  t.equal(landed(draft.release()), "nothing");
  t.end();
});

t.test("a control that is opened to be emptied is empty after the last close, where it may be", (t) => {
  const draft = new ControlDraft(lines, bytes("old\n"), true);
  t.equal(landed(draft.flush()), "nothing");
  t.equal(landed(draft.release()), "");
  const never = new ControlDraft(filled, bytes("old\n"), true);
  t.equal(landed(never.flush()), String(EINVAL), "and where it may not, the close says so");
  t.equal(landed(never.release()), String(EINVAL));
  t.end();
});

t.test("appending and writing in the middle start from what the control holds", (t) => {
  const appended = new ControlDraft(lines, bytes("old\n"), false);
  t.equal(appended.write(bytes("new\n"), "end"), 0);
  t.equal(landed(appended.flush()), "old\nnew\n");
  const changed = new ControlDraft(lines, bytes("old\n"), false);
  t.equal(changed.write(bytes("am"), 1), 0);
  t.equal(landed(changed.flush()), "oam\n");
  const cut = new ControlDraft(lines, bytes("old\nnew\n"), false);
  t.equal(cut.resize(4), 0);
  t.equal(landed(cut.flush()), "old\n");
  t.equal(new ControlDraft(lines, bytes("old\n"), false).resize(9), EINVAL, "a gap of NULs");
  t.equal(landed(new ControlDraft(lines, bytes("old\n"), false).release()), "nothing", "never written");
  t.end();
});

t.test("more than a control may hold is refused before it is kept", (t) => {
  const draft = new ControlDraft(lines, bytes(""), true);
  t.equal(draft.write(bytes("a".repeat(65)), 0), EFBIG);
  t.equal(new ControlDraft(lines, bytes(""), true).write(bytes("a"), 64), EFBIG);
  t.equal(new ControlDraft(lines, bytes(""), true).resize(65), EFBIG);
  const full = new ControlDraft(lines, bytes(""), true);
  t.equal(full.write(bytes(`${"a".repeat(63)}\n`), 0), 0);
  t.ok(full.charge <= 64);
  t.end();
});

t.test("however it is written, what lands is valid, and whole when nothing was refused", (t) => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-cX\n]{0,6}$/), { maxLength: 8 }), (parts) => {
      const draft = new ControlDraft(lines, bytes("old\n"), true);
      let written = "";
      let isRefused = false;
      for (const part of parts) {
        if (draft.write(bytes(part), "end") === 0) written += part;
        else isRefused = true;
      }
      const landing = draft.flush();
      if (landing.kind !== "commit") return true;
      return !isRefused && landing.content.toString("latin1") === written && lines.check(landing.content) === undefined;
    }),
  );
  t.end();
});
