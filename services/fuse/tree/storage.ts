import { constants as files, fchmodSync, fchownSync, openSync } from "node:fs";
import {
  constants,
  fsync,
  isSyscallError,
  mkdirat,
  openBeneath,
  OwnedFd,
  readlinkat,
  renameat2,
  statx,
  symlinkat,
  unlinkat,
  type Fd,
} from "../../../native/index.ts";
import { StartError } from "../../frame/start-error.ts";

/** Directories of one generation: what bootstrap and the control socket lay down, switched as a whole. */
const GENERATION_PARTS = ["bin", "model", "agent", "tool"] as const;
export type GenerationPart = (typeof GENERATION_PARTS)[number];

const DIRECTORY = files.O_RDONLY | files.O_DIRECTORY;

/**
 * The storage of `/ctx`: a directory of root's alone, reached only through the descriptors opened here.
 *
 * ```
 * generations/N/{bin,model,agent,tool}   what the control socket writes
 * current -> generations/N               switched by one rename
 * home/ shared/                          what users write: no generation replaces it
 * staging/                               files on their way to being committed
 * orphans/                               files without a name that are still open
 * ```
 */
export class Storage implements Disposable {
  readonly root: Fd;
  /** Device of every file of it; one on another device is not served. */
  readonly device: bigint;
  readonly home: Fd;
  readonly shared: Fd;
  readonly staging: Fd;
  readonly orphans: Fd;
  readonly isReadOnly: boolean;
  #current: { readonly number: number; readonly parts: Readonly<Record<GenerationPart, OwnedFd>> };
  readonly #owned: readonly OwnedFd[];

  /**
   * Opens the storage at an absolute path and makes what is missing of it. Throws StartError when it is missing, not
   * root's alone, or `current` leads nowhere. Where the file system is read-only, nothing is made and `isReadOnly` says so.
   */
  constructor(path: string) {
    const owned: OwnedFd[] = [];
    const own = (fd: Fd): Fd => {
      owned.push(new OwnedFd(fd));
      return fd;
    };
    try {
      this.root = own(openRoot(path));
      const { device } = statx(this.root, "", constants.AT_EMPTY_PATH);
      this.device = device;
      this.isReadOnly = isReadOnly(this.root);
      for (const [name, mode] of [
        ["staging", 0o700],
        ["orphans", 0o700],
        ["home", 0o755],
        ["shared", 0o1777],
        ["generations", 0o700],
      ] as const) {
        make(this.root, name, mode);
      }
      this.home = own(this.#directory("home"));
      this.shared = own(this.#directory("shared"));
      this.staging = own(this.#directory("staging"));
      this.orphans = own(this.#directory("orphans"));
      make(this.shared, "cortexfs-docs", 0o755);
      if (!this.isReadOnly && currentOf(this.root) === undefined) {
        this.lay(1);
        this.#point(1);
      }
      this.#current = this.#openCurrent();
    } catch (error) {
      for (const fd of owned) fd[Symbol.dispose]();
      throw error;
    }
    this.#owned = owned;
  }

  /** The number of the generation that is served. */
  get generation(): number {
    return this.#current.number;
  }

  /** A part of the generation that is served; the descriptor is this object's. */
  part(name: GenerationPart): Fd {
    return this.#current.parts[name].fd;
  }

  /**
   * Makes another generation the served one: by one rename, so that a crash leaves the old one or the new. It must be laid
   * down whole. StartError when it is not.
   */
  switchTo(generation: number): void {
    for (const opened of Object.values(this.#openParts(generation))) opened[Symbol.dispose]();
    this.#point(generation);
    const old = this.#current;
    this.#current = this.#openCurrent();
    for (const opened of Object.values(old.parts)) opened[Symbol.dispose]();
  }

  /** Lays down the directories of a generation; what a crash left of it is completed. */
  lay(generation: number): void {
    using generations = new OwnedFd(this.#directory("generations"));
    make(generations.fd, String(generation), 0o700);
    using made = new OwnedFd(openBeneath(generations.fd, String(generation), DIRECTORY));
    for (const name of GENERATION_PARTS) make(made.fd, name, 0o755);
  }

  [Symbol.dispose](): void {
    for (const opened of Object.values(this.#current.parts)) opened[Symbol.dispose]();
    for (const fd of this.#owned) fd[Symbol.dispose]();
  }

  #directory(name: string): Fd {
    try {
      return openBeneath(this.root, name, DIRECTORY);
    } catch (error) {
      if (!isSyscallError(error, "ENOENT", "ENOTDIR", "ELOOP", "EXDEV")) throw error;
      throw new StartError(
        `the storage has no directory "${name}" (${error.code}): restore it, or start with an empty storage`,
      );
    }
  }

  #point(generation: number): void {
    const link = "current.new";
    try {
      unlinkat(this.root, link, 0);
    } catch (error) {
      if (!isSyscallError(error, "ENOENT")) throw error;
    }
    symlinkat(`generations/${String(generation)}`, this.root, link);
    renameat2(this.root, link, this.root, "current", 0);
    fsync(this.root);
  }

  #openCurrent(): { number: number; parts: Record<GenerationPart, OwnedFd> } {
    const number = currentOf(this.root);
    if (number === undefined) {
      throw new StartError(
        'the storage has no generation: "current" is missing, and a read-only storage cannot be given one',
      );
    }
    return { number, parts: this.#openParts(number) };
  }

  #openParts(generation: number): Record<GenerationPart, OwnedFd> {
    const opened: [GenerationPart, OwnedFd][] = [];
    try {
      for (const name of GENERATION_PARTS) {
        const fd = this.#directory(`generations/${String(generation)}/${name}`);
        opened.push([name, new OwnedFd(fd)]);
      }
    } catch (error) {
      for (const [, fd] of opened) fd[Symbol.dispose]();
      throw error;
    }
    return Object.fromEntries(opened) as Record<GenerationPart, OwnedFd>;
  }
}

function openRoot(path: string): Fd {
  using slash = new OwnedFd(openSync("/", DIRECTORY) as Fd);
  let fd: Fd;
  try {
    fd = openBeneath(slash.fd, path.replace(/^\/+/u, ""), DIRECTORY);
  } catch (error) {
    if (!isSyscallError(error, "ENOENT", "ENOTDIR", "ELOOP")) throw error;
    throw new StartError(
      `the storage ${path} cannot be opened (${error.code}): it must be a directory, without a link on the way`,
    );
  }
  const { uid, mode } = statx(fd, "", constants.AT_EMPTY_PATH);
  if (uid === 0 && (mode & 0o077) === 0) return fd;
  new OwnedFd(fd)[Symbol.dispose]();
  throw new StartError(
    `the storage ${path} can be reached by others than root: run chown root ${path} && chmod 700 ${path}`,
  );
}

/** A directory of root's with exactly this mode; one that is there, or cannot be on a read-only file system, stays as it is. */
function make(parent: Fd, name: string, mode: number): void {
  try {
    mkdirat(parent, name, 0o700);
  } catch (error) {
    if (isSyscallError(error, "EEXIST", "EROFS")) return;
    throw error;
  }
  using made = new OwnedFd(openBeneath(parent, name, DIRECTORY));
  fchownSync(made.fd, 0, 0);
  fchmodSync(made.fd, mode);
  fsync(parent);
}

/** Asks by setting the mode that it has anyway. */
function isReadOnly(root: Fd): boolean {
  try {
    fchmodSync(root, 0o700);
    return false;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EROFS") return true;
    throw error;
  }
}

/** The number in `current`, or undefined when it is missing. */
function currentOf(root: Fd): number | undefined {
  let target: string;
  try {
    target = Buffer.from(readlinkat(root, "current")).toString("latin1");
  } catch (error) {
    if (isSyscallError(error, "ENOENT")) return undefined;
    if (!isSyscallError(error, "EINVAL")) throw error;
    target = "no link";
  }
  const number = /^generations\/([1-9][0-9]{0,8})$/u.exec(target)?.[1];
  if (number === undefined) {
    throw new StartError('"current" of the storage does not lead to generations/N: point it at one of them');
  }
  return Number(number);
}
