import { closeSync, openSync, readSync } from "node:fs";
import type { Credentials } from "./access.ts";

/** Groups are near the end of the first kilobyte; 65,536 of them, the kernel's most, are 700 KiB. */
const MOST_STATUS_BYTES = 786_432;

/**
 * Who makes a request: the ids are the kernel's, the supplementary groups those of the thread, read from /proc when a
 * decision needs them and not before. The caller waits for its answer meanwhile, so its thread id is its own. Where the groups
 * cannot be learned (no such thread here, or one outside this pid namespace), nobody knows.
 */
export class Caller implements Credentials {
  uid = 0;
  gid = 0;
  #pid = 0;
  #groups: ReadonlySet<number> | "unknown" | undefined;
  readonly #buffer = Buffer.alloc(4096);

  /** Takes the ids of another request. One of these is reused, so that a request that needs no groups makes no garbage. */
  take(request: { readonly uid: number; readonly gid: number; readonly pid: number }): this {
    this.uid = request.uid;
    this.gid = request.gid;
    this.#pid = request.pid;
    this.#groups = undefined;
    return this;
  }

  isMember(gid: number): boolean | undefined {
    if (gid === this.gid) return true;
    this.#groups ??= this.#readGroups();
    return this.#groups === "unknown" ? undefined : this.#groups.has(gid);
  }

  #readGroups(): ReadonlySet<number> | "unknown" {
    const line = this.#pid === 0 ? undefined : /^Groups:\t(.*)\n/mu.exec(this.#readStatus())?.[1];
    if (line === undefined) return "unknown";
    return new Set(line.split(" ").filter(Boolean).map(Number));
  }

  #readStatus(): string {
    let fd: number;
    try {
      fd = openSync(`/proc/${String(this.#pid)}/status`, "r");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
      throw error;
    }
    try {
      let text = "";
      while (text.length < MOST_STATUS_BYTES) {
        const length = readSync(fd, this.#buffer);
        if (length === 0) break;
        text += this.#buffer.toString("latin1", 0, length);
        // The line of the groups is whole when another follows it.
        if (/^Groups:.*\n/mu.test(text)) break;
      }
      return text;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ESRCH") return "";
      throw error;
    } finally {
      closeSync(fd);
    }
  }
}
