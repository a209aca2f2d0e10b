import fc from "fast-check";
import t from "tap";
import { ROOT } from "../../../../services/fuse/rules/place.ts";
import { type Keeper, type Node, NodeTable, type Identity } from "../../../../services/fuse/tree/node.ts";

const FILE = 0o100000;
const DIRECTORY = 0o040000;

/** Keeps what it is told, as another process would find it. */
class Memory implements Keeper {
  readonly nodes = new Map<number, string>();
  readonly holds = new Map<string, number>();

  added(node: Node): void {
    this.nodes.set(node.id, where(node));
  }
  moved(node: Node): void {
    this.nodes.set(node.id, where(node));
  }
  dropped(node: Node): void {
    this.nodes.delete(node.id);
  }
  held(connection: number, node: Node, count: number): void {
    const key = `${String(connection)} ${String(node.id)}`;
    const left = (this.holds.get(key) ?? 0) + count;
    if (left === 0) this.holds.delete(key);
    else this.holds.set(key, left);
  }
}

const where = (node: Node): string =>
  node.parent === undefined ? "nowhere" : `${String(node.parent.id)}/${node.name.toString()}`;
const named = (name: string): Buffer => Buffer.from(`${name}\0`);
const inode = (inodeLow: number, type = FILE, inodeHigh = 0): Identity => ({ type, inodeLow, inodeHigh });

function table(): { nodes: NodeTable; memory: Memory; root: Node } {
  const memory = new Memory();
  const nodes = new NodeTable(memory);
  const root = nodes.add(inode(0, DIRECTORY), undefined, named("/"), ROOT);
  nodes.opened(root);
  return { nodes, memory, root };
}

t.test("a file is one node, by whatever name it is found", (t) => {
  const { nodes, memory, root } = table();
  const a = nodes.entry(inode(7), root, named("a"), ROOT);
  nodes.hold(1, a);
  t.equal(nodes.entry(inode(7), root, named("a"), ROOT), a);
  t.equal(nodes.entry(inode(7), root, named("b"), ROOT), a);
  t.equal(where(a), "1/b\0", "and it is where it was found last");
  t.equal(memory.nodes.get(a.id), "1/b\0");
  t.not(nodes.entry(inode(7, FILE, 1), root, named("c"), ROOT), a, "the upper half of the number counts");
  t.not(nodes.entry(inode(7, DIRECTORY), root, named("d"), ROOT), a, "and a type never changes");
  t.equal(root.children, 3);
  t.end();
});

t.test("an id is never used again", (t) => {
  const { nodes, root } = table();
  const ids = new Set<number>();
  for (let round = 0; round < 100; round++) {
    const node = nodes.entry(inode(7), root, named("a"), ROOT);
    ids.add(node.id);
    nodes.hold(1, node);
    nodes.forget(1, node.id, 1);
    t.equal(nodes.get(node.id), undefined);
  }
  t.equal(ids.size, 100);
  t.equal(root.children, 0);
  t.end();
});

t.test("a node stays as long as anything needs it: a look-up of any connection, a handle, something below", (t) => {
  const { nodes, memory, root } = table();
  const directory = nodes.entry(inode(7, DIRECTORY), root, named("d"), ROOT);
  nodes.hold(1, directory, 2);
  nodes.hold(2, directory);
  const file = nodes.entry(inode(8), directory, named("f"), ROOT);
  nodes.hold(1, file);
  nodes.opened(file);
  nodes.forget(1, directory.id, 1);
  nodes.forget(1, directory.id, 99);
  nodes.forget(1, directory.id, 1);
  nodes.end(2);
  t.equal(nodes.get(directory.id), directory, "there is something below");
  nodes.forget(1, file.id, 1);
  t.equal(nodes.get(file.id), file, "it is open");
  nodes.closed(file);
  t.equal(nodes.size, 1);
  t.equal(memory.nodes.size, 1);
  t.equal(memory.holds.size, 0);
  t.end();
});

t.test("a file that has lost its last name is no longer found by its number", (t) => {
  const { nodes, memory, root } = table();
  const old = nodes.entry(inode(7), root, named("a"), ROOT);
  nodes.opened(old);
  nodes.remove(old);
  t.equal(memory.nodes.get(old.id), "nowhere");
  const reused = nodes.entry(inode(7), root, named("a"), ROOT);
  t.not(reused, old);
  nodes.hold(1, reused);
  nodes.closed(old);
  t.equal(nodes.find(inode(7)), reused, "the end of the old one leaves the new one alone");
  t.end();
});

t.test("whatever happens, what is kept is what is known, and in the end nothing is left", (t) => {
  const step = fc.record({
    act: fc.constantFrom("look", "forget", "move", "remove", "open", "close", "end"),
    inode: fc.integer({ min: 1, max: 5 }),
    name: fc.constantFrom("a", "b", "c"),
    connection: fc.integer({ min: 1, max: 2 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { nodes, memory, root } = table();
      const open: Node[] = [];
      const directory = nodes.entry(inode(100, DIRECTORY), root, named("d"), ROOT);
      nodes.opened(directory);
      for (const { act, inode: number, name, connection } of steps) {
        const known = nodes.find(inode(number));
        if (act === "look") nodes.hold(connection, nodes.entry(inode(number), directory, named(name), ROOT));
        else if (act === "end") nodes.end(connection);
        else if (act === "close") {
          const node = open.pop();
          if (node !== undefined) nodes.closed(node);
        } else if (known === undefined) continue;
        else if (act === "forget") nodes.forget(connection, known.id, 1);
        else if (act === "move") nodes.move(known, root, named(name), ROOT);
        else if (act === "remove") nodes.remove(known);
        else {
          nodes.opened(known);
          open.push(known);
        }
        if (memory.nodes.size !== nodes.size) return false;
        for (const [id, kept] of memory.nodes) {
          const node = nodes.get(id);
          if (node === undefined || where(node) !== kept) return false;
        }
      }
      for (const node of open) nodes.closed(node);
      nodes.end(1);
      nodes.end(2);
      nodes.closed(directory);
      return nodes.size === 1 && root.children === 0 && memory.holds.size === 0;
    }),
    { numRuns: 1000 },
  );
  t.end();
});
