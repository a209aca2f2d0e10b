import type { Place } from "../rules/place.ts";

/**
 * A file, directory or link that the kernel, or this server, knows. Its id is never given to another, and its type never
 * changes. Where it lies is `parent` and `name`, which follow every rename; a node that has lost its last name has neither.
 */
export class Node {
  /** At least 1, below 2^53. */
  readonly id: number;
  /** The S_IFMT bits of its mode. */
  readonly type: number;
  /** Of the backing file; both 0 for a generated node. */
  readonly inodeLow: number;
  readonly inodeHigh: number;
  parent: Node | undefined;
  /** NUL-terminated, as system calls take it. */
  name: Buffer;
  place: Place;
  /** Nodes whose parent this is. */
  children = 0;
  /** Connections whose kernel remembers it. */
  holders = 0;
  /** Open handles. */
  handles = 0;

  constructor(id: number, identity: Identity, parent: Node | undefined, name: Buffer, place: Place) {
    this.id = id;
    this.type = identity.type;
    this.inodeLow = identity.inodeLow;
    this.inodeHigh = identity.inodeHigh;
    this.parent = parent;
    this.name = name;
    this.place = place;
  }

  /** Nobody can ask for it any more, by its id or by the id of something below it. */
  get isUnused(): boolean {
    return this.children === 0 && this.holders === 0 && this.handles === 0;
  }
}

/** What makes two looks at the storage the same file. */
export interface Identity {
  readonly type: number;
  readonly inodeLow: number;
  readonly inodeHigh: number;
}

/** Told of each change, so that another process can take over. Called before whoever caused it is answered. */
export interface Keeper {
  added(node: Node): void;
  /** It has another parent or name, or none any more. */
  moved(node: Node): void;
  dropped(node: Node): void;
  /** `count` look-ups more, or fewer, of a node by a connection; the first and the last make and end the hold. */
  held(connection: number, node: Node, count: number): void;
}

/**
 * All nodes of `/ctx`, shared by every connection: a rename through one is known to the others at once. How often each
 * connection's kernel was told a node is counted apart, since each forgets on its own.
 */
export class NodeTable {
  readonly #keeper: Keeper;
  readonly #byId = new Map<number, Node>();
  /** By the upper, then the lower half of the inode number: 64 bits do not fit one number. */
  readonly #byInode = new Map<number, Map<number, Node>>();
  readonly #holds = new Map<number, Map<Node, number>>();
  #lastId: number;

  /** Ids begin above `lastId`. */
  constructor(keeper: Keeper, lastId = 0) {
    this.#keeper = keeper;
    this.#lastId = lastId;
  }

  get size(): number {
    return this.#byId.size;
  }

  get(id: number): Node | undefined {
    return this.#byId.get(id);
  }

  /** A node without a backing file, or the root of a durable tree. Its owner keeps it by counting itself as a handle. */
  add(identity: Identity, parent: Node | undefined, name: Buffer, place: Place): Node {
    const node = new Node(++this.#lastId, identity, parent, name, place);
    this.restore(node);
    this.#keeper.added(node);
    return node;
  }

  /** Puts a node back that a process before this one knew. */
  restore(node: Node): void {
    this.#byId.set(node.id, node);
    this.#lastId = Math.max(this.#lastId, node.id);
    if (node.parent !== undefined) node.parent.children++;
    this.#index(node);
  }

  /** The node of a backing file, if it is known. */
  find({ type, inodeLow, inodeHigh }: Identity): Node | undefined {
    const node = this.#byInode.get(inodeHigh)?.get(inodeLow);
    // A number that was given to a file of another type since: the old file is gone.
    return node?.type === type ? node : undefined;
  }

  /** The node of the file that `name` in `parent` leads to now: the known one, or a new one at `place`. `name` is copied. */
  entry(identity: Identity, parent: Node, name: Buffer, place: Place): Node {
    const known = this.find(identity);
    if (known === undefined) return this.add(identity, parent, Buffer.from(name), place);
    // A file with several names is where it was seen last. A directory has one.
    if (known.parent !== parent || !known.name.equals(name)) this.move(known, parent, Buffer.from(name), place);
    return known;
  }

  /** It is there from now on. */
  move(node: Node, parent: Node, name: Buffer, place: Place): void {
    const old = node.parent;
    parent.children++;
    node.parent = parent;
    node.name = name;
    node.place = place;
    this.#keeper.moved(node);
    this.#leave(old);
  }

  /** It has lost its last name. Its number may be another file's from now on. */
  remove(node: Node): void {
    const old = node.parent;
    node.parent = undefined;
    this.#unindex(node);
    this.#keeper.moved(node);
    this.#leave(old);
    this.#dropIfUnused(node);
  }

  /** A connection's kernel is told of the node once more. */
  hold(connection: number, node: Node, count = 1): void {
    let holds = this.#holds.get(connection);
    if (holds === undefined) {
      holds = new Map();
      this.#holds.set(connection, holds);
    }
    const held = holds.get(node);
    if (held === undefined) node.holders++;
    holds.set(node, (held ?? 0) + count);
    this.#keeper.held(connection, node, count);
  }

  /** A connection's kernel forgets that it was told `count` times. More than it was told is as much as it was told. */
  forget(connection: number, id: number, count: number): void {
    const node = this.#byId.get(id);
    const holds = this.#holds.get(connection);
    const held = node && holds?.get(node);
    if (node === undefined || holds === undefined || held === undefined) return;
    const forgotten = Math.min(held, count);
    this.#keeper.held(connection, node, -forgotten);
    if (forgotten < held) {
      holds.set(node, held - forgotten);
      return;
    }
    holds.delete(node);
    node.holders--;
    this.#dropIfUnused(node);
  }

  /** A connection is over: its kernel has forgotten all. */
  end(connection: number): void {
    const holds = this.#holds.get(connection);
    if (holds === undefined) return;
    this.#holds.delete(connection);
    for (const [node, count] of holds) {
      this.#keeper.held(connection, node, -count);
      node.holders--;
      this.#dropIfUnused(node);
    }
  }

  /** Another handle of the node is open. */
  opened(node: Node): void {
    node.handles++;
  }

  closed(node: Node): void {
    node.handles--;
    this.#dropIfUnused(node);
  }

  #leave(parent: Node | undefined): void {
    if (parent === undefined) return;
    parent.children--;
    this.#dropIfUnused(parent);
  }

  #dropIfUnused(node: Node): void {
    if (!node.isUnused || !this.#byId.delete(node.id)) return;
    this.#unindex(node);
    this.#keeper.dropped(node);
    this.#leave(node.parent);
  }

  #index(node: Node): void {
    const { inodeLow, inodeHigh } = node;
    if (inodeLow === 0 && inodeHigh === 0) return;
    let lower = this.#byInode.get(inodeHigh);
    if (lower === undefined) {
      lower = new Map();
      this.#byInode.set(inodeHigh, lower);
    }
    lower.set(inodeLow, node);
  }

  #unindex(node: Node): void {
    const lower = this.#byInode.get(node.inodeHigh);
    if (lower?.get(node.inodeLow) !== node) return;
    lower.delete(node.inodeLow);
    if (lower.size === 0) this.#byInode.delete(node.inodeHigh);
  }
}
