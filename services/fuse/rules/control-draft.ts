/**
 * What one open handle has written to a control and what has not landed yet. A control is never half written: bytes
 * gather here, and only content that is whole and valid is handed out to be committed.
 *
 * Shells ignore what close(2) answers, so text that is complete (it ends in LF) and invalid, or that nothing could make
 * valid any more, fails the write itself; what is still open-ended is judged when a descriptor is closed. A draft that has
 * failed stays failed, and nothing of it lands.
 */
import os from "node:os";

const { EFBIG, EINVAL } = os.constants.errno;
const LF = 0x0a;

/** How content of one control is judged; anything but undefined is a refusal. */
export interface ControlForm {
  /** Bytes of the longest content. */
  readonly mostBytes: number;
  /** Of content that is whole. */
  check(content: Uint8Array): unknown;
  /** Of content whose last line may still grow. */
  checkPart(content: Uint8Array): unknown;
}

/** What a close leads to: nothing, new content to commit, or a positive errno. */
export type Landing =
  | { readonly kind: "nothing" }
  | { readonly kind: "commit"; readonly content: Buffer }
  | { readonly kind: "refused"; readonly errno: number };

const NOTHING: Landing = { kind: "nothing" };

export class ControlDraft {
  readonly #form: ControlForm;
  #content: Buffer;
  #length: number;
  /** Something was written that has not been handed out. */
  #isChanged: boolean;
  /** Emptied by O_TRUNC and not written to since: a shell's dup2 closes such a copy before it writes. */
  #isBlank: boolean;
  #hasFailed = false;

  /** `current` is what the control holds now; with `isEmptied` the handle was opened with O_TRUNC. */
  constructor(form: ControlForm, current: Uint8Array, isEmptied: boolean) {
    this.#form = form;
    this.#content = isEmptied ? Buffer.alloc(0) : Buffer.from(current);
    this.#length = this.#content.length;
    this.#isChanged = false;
    this.#isBlank = isEmptied;
  }

  /** Bytes it holds in memory, which its owner is charged for. */
  get charge(): number {
    return this.#content.length;
  }

  get length(): number {
    return this.#length;
  }

  /** Takes bytes at `position`, or at the end; 0 or a positive errno. A gap reads as NUL, which no control may hold. */
  write(bytes: Uint8Array, position: number | "end"): number {
    if (this.#hasFailed) return EINVAL;
    const start = position === "end" ? this.#length : position;
    const end = start + bytes.length;
    if (end > this.#form.mostBytes) return this.#fail(EFBIG);
    if (bytes.length === 0) return 0;
    this.#reserve(end);
    this.#content.set(bytes, start);
    this.#length = Math.max(this.#length, end);
    this.#isChanged = true;
    this.#isBlank = false;
    return this.#judge();
  }

  /** ftruncate(2); 0 or a positive errno. */
  resize(size: number): number {
    if (this.#hasFailed) return EINVAL;
    if (size > this.#form.mostBytes) return EFBIG;
    this.#reserve(size);
    this.#content.fill(0, Math.min(size, this.#length), this.#length);
    this.#length = size;
    this.#isChanged = size > 0;
    this.#isBlank = size === 0;
    return this.#judge();
  }

  /** FLUSH: one of the descriptors of this handle was closed. */
  flush(): Landing {
    if (this.#hasFailed) return { kind: "refused", errno: EINVAL };
    // Empty content is wanted by nobody yet who is about to write, but where nothing could come of it, say so now.
    if (!this.#isChanged) {
      return this.#isBlank && this.#refuses(Buffer.alloc(0)) ? { kind: "refused", errno: EINVAL } : NOTHING;
    }
    return this.#land();
  }

  /** RELEASE: the last descriptor is closed. Only now is a control emptied that was opened with O_TRUNC and not written. */
  release(): Landing {
    if (this.#hasFailed || (!this.#isChanged && !this.#isBlank)) return NOTHING;
    return this.#land();
  }

  #land(): Landing {
    const content = Buffer.from(this.#content.subarray(0, this.#length));
    if (this.#refuses(content)) return { kind: "refused", errno: this.#fail(EINVAL) };
    this.#isChanged = false;
    this.#isBlank = false;
    return { kind: "commit", content };
  }

  #judge(): number {
    const content = this.#content.subarray(0, this.#length);
    if (this.#form.checkPart(content) !== undefined) return this.#fail(EINVAL);
    if (this.#length > 0 && content[this.#length - 1] === LF && this.#refuses(content)) return this.#fail(EINVAL);
    return 0;
  }

  #refuses(content: Uint8Array): boolean {
    return this.#form.check(content) !== undefined;
  }

  #fail(errno: number): number {
    this.#hasFailed = true;
    this.#content = Buffer.alloc(0);
    this.#length = 0;
    return errno;
  }

  #reserve(size: number): void {
    if (size <= this.#content.length) return;
    const larger = Buffer.alloc(Math.min(this.#form.mostBytes, Math.max(size, 2 * this.#content.length, 256)));
    this.#content.copy(larger, 0, 0, this.#length);
    this.#content = larger;
  }
}
