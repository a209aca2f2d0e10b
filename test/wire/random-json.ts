const TEXTS = [
  "a",
  "op",
  "",
  "x.d",
  ":",
  '"',
  "\\",
  "\n",
  "\0",
  "\u00e9",
  "\u{1f4df}",
  "\ud83d",
  "\udcdf",
  "__proto__",
];
const BEYOND_A_DOUBLE = "1e400";
const ATOMS = ["null", "true", "0", "-0", "1.0", "1e0", "-1", "0.5", BEYOND_A_DOUBLE, "9007199254740993", "4294967295"];
const BYTES = ["{", "[", "]", ",", '"', "\\u", "\u{1f4df}", "\ufeff", "\0"];

/** JSON by chance. Everything depends on the seed alone. `flawed` is set when a strict reader must refuse a text. */
export class RandomJson {
  flawed = false;
  readonly #depth: number;
  #state: number;

  /** `depth`: how deep the strict reader lets containers nest. */
  constructor(seed: number, depth: number) {
    this.#state = seed;
    this.#depth = depth;
  }

  /** A whole number from 0 to below `end` (Mulberry32). */
  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T;
  }

  /** An object, `level` containers deep. */
  object(level = 1): string {
    const keys = new Set<string>();
    const members = this.#some(level, () => {
      const key = this.#text();
      this.flawed ||= keys.has(key);
      keys.add(key);
      return `${this.string(key)}${this.#space()}:${this.#space()}${this.value(level + 1)}`;
    });
    return `{${members}}`;
  }

  value(level: number): string {
    const kind = this.below(level > this.#depth + 1 ? 2 : 4);
    if (kind === 0) {
      const atom = this.pick(ATOMS);
      this.flawed ||= atom === BEYOND_A_DOUBLE;
      return atom;
    }
    if (kind === 1) return this.string(this.#text());
    return kind === 2 ? this.object(level) : `[${this.#some(level, () => this.value(level + 1))}]`;
  }

  /** A string in some spelling of it. */
  string(text: string): string {
    this.flawed ||= !text.isWellFormed();
    const spelled = Array.from(text, (point) =>
      /["\\\p{Cc}\p{Cs}]/u.test(point) || this.below(4) === 0 ? point.replace(/[^]/g, escaped) : point,
    );
    return `"${spelled.join("")}"`;
  }

  /** An object's text with one member left out, doubled, or under another key or of another value. */
  mutation(object: object): string {
    const members = Object.entries(object).map(([key, value]): [string, string] => [
      this.string(key),
      JSON.stringify(value),
    ]);
    const at = this.below(members.length);
    const [key, value] = members[at] ?? ["", ""];
    const others: [string, string][][] = [
      [],
      [
        [key, value],
        [this.string(this.#text()), value],
      ],
      [
        [key, value],
        [key, this.value(2)],
      ],
      [[key, this.value(2)]],
      [[key, this.pick(members)[1]]],
      [[key, value.slice(0, -1) + this.pick(["a", ".d", "\\n", "0"]) + value.slice(-1)]],
      [[key, value]],
    ];
    members.splice(at, 1, ...this.pick(others));
    return `{${members.map((member) => member.join(":")).join(",")}}`;
  }

  /** A few bytes flipped, cut out, repeated or put in. */
  disturbance(bytes: Buffer): Buffer {
    const from = this.below(bytes.length + 1);
    const part = bytes.subarray(from, from + this.below(9));
    const others = [
      part.map((byte) => byte ^ (1 << this.below(8))),
      Buffer.alloc(0),
      Buffer.concat([part, part]),
      Buffer.from(this.pick(BYTES)),
      Buffer.from([this.below(256)]),
    ];
    return Buffer.concat([bytes.subarray(0, from), this.pick(others), bytes.subarray(from + part.length)]);
  }

  #some(level: number, make: () => string): string {
    this.flawed ||= level > this.#depth;
    const items = Array.from({ length: this.below(4) }, () => this.#space() + make() + this.#space());
    return items.join(",");
  }

  #text(): string {
    return Array.from({ length: this.below(4) }, () => this.pick(TEXTS)).join("");
  }

  #space(): string {
    return this.below(8) === 0 ? this.pick([" ", "\n", "\t", "\r"]) : "";
  }
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
