/** Writes numbers as bits, the lowest first, and prefix codes: short codes for the symbols that are frequent. */
export class BitWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;
  #pending = 0;
  #pendingBits = 0;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
  }

  /** Up to 24 bits. */
  put(value: number, count: number): void {
    this.#pending |= value << this.#pendingBits;
    this.#pendingBits += count;
    while (this.#pendingBits >= 8) {
      if (this.#length === this.#bytes.length) this.#grow();
      this.#bytes[this.#length] = this.#pending;
      this.#length += 1;
      this.#pending >>>= 8;
      this.#pendingBits -= 8;
    }
  }

  /** The bytes, the last one filled with zeros. */
  finish(): Uint8Array {
    if (this.#pendingBits > 0) this.put(0, 8 - this.#pendingBits);
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** The canonical prefix code of these lengths, as in Deflate. A symbol of length 0 takes no bits. */
export class PrefixCode {
  readonly lengths: Uint8Array;
  readonly #codes: Uint16Array;

  constructor(lengths: Uint8Array) {
    this.lengths = lengths;
    this.#codes = codesOf(lengths);
  }

  put(bits: BitWriter, symbol: number): void {
    bits.put(this.#codes[symbol] ?? 0, this.lengths[symbol] ?? 0);
  }
}

const maxCodeLength = 15;

function codesOf(lengths: Uint8Array): Uint16Array {
  const codes = new Uint16Array(lengths.length);
  let code = 0;
  for (let length = 1; length <= maxCodeLength; length++, code <<= 1) {
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== length) continue;
      // The first bit of a code is its highest.
      for (let bit = 0; bit < length; bit++) {
        codes[symbol] = (codes[symbol] ?? 0) | (((code >> bit) & 1) << (length - 1 - bit));
      }
      code += 1;
    }
  }
  return codes;
}

interface Tree {
  count: number;
  /** Null for a tree of two others. */
  symbol: number | null;
  parts: Tree[];
}

/**
 * The lengths of Huffman's code for symbols that occur this often. At least two must occur. Where a length would be
 * above the limit, rare symbols count as if they were less rare.
 */
export function codeLengths(counts: Uint32Array, limit = maxCodeLength): Uint8Array {
  for (let minCount = 1; ; minCount *= 2) {
    const lengths = new Uint8Array(counts.length);
    const walk = ({ symbol, parts }: Tree, depth: number): void => {
      if (symbol !== null) lengths[symbol] = depth;
      for (const part of parts) walk(part, depth + 1);
    };
    walk(huffmanTree(counts, minCount), 0);
    if (lengths.every((length) => length <= limit)) return lengths;
  }
}

function huffmanTree(counts: Uint32Array, minCount: number): Tree {
  const trees: Tree[] = [];
  for (const [symbol, count] of counts.entries()) {
    if (count > 0) trees.push({ count: Math.max(count, minCount), symbol, parts: [] });
  }
  trees.sort((one, other) => one.count - other.count);
  // Joined trees are made in the order of their counts, so both queues are sorted.
  const joined: Tree[] = [];
  const takeRarest = (): Tree => {
    const [single, pair] = [trees[0], joined[0]];
    const queue = pair === undefined || (single !== undefined && single.count <= pair.count) ? trees : joined;
    return queue.shift() as Tree;
  };
  while (trees.length + joined.length > 1) {
    const parts = [takeRarest(), takeRarest()];
    joined.push({ count: parts.reduce((sum, { count }) => sum + count, 0), symbol: null, parts });
  }
  return takeRarest();
}
