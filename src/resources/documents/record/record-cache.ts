/**
 * Rendered records by document and revision, so that a page costs a scan of one narrow index and a copy of bytes.
 * It needs no invalidation: the index has the current revision of each row, whichever process wrote it, and a cached
 * record of another revision is simply not used.
 *
 * The records follow each other in a ring of fixed size, each after a header that identifies it. A new record
 * overwrites the oldest ones. Memory use is therefore bounded, and the garbage collector sees one object instead of one
 * for each record, as with a map of strings.
 */
export class RecordCache {
  readonly #ring: Buffer;
  readonly #variants: Variant[] = [];
  #variantsMade = 0;
  #next = 0;
  #oldest = 0;
  /** If set, records go from `#oldest` to `#end` and then from 0 to `#next`. Otherwise they go from `#oldest` to `#next`. */
  #wrapped = false;
  #end = 0;

  constructor(megabytes: number) {
    this.#ring = Buffer.alloc(megabytes * 1024 * 1024);
  }

  /**
   * Whatever a record depends on besides its row, such as the addresses in it. Few variants are in use at a time. When
   * there are too many, the oldest is dropped.
   */
  variant(name: string): Variant {
    const known = this.#variants.find((variant) => variant.name === name);
    if (known !== undefined) return known;
    const variant = { name, number: this.#variantsMade++ % variantsKept, offsets: new Map<number, number>() };
    this.#variants[variant.number] = variant;
    return variant;
  }

  /** The record's bytes, valid until the next `put`. Undefined if this revision is not cached. */
  find(variant: Variant, id: number, revision: number): Buffer | undefined {
    const offset = variant.offsets.get(id);
    if (offset === undefined || this.#ring.readDoubleLE(offset) !== revision) return undefined;
    // The offsets of a dropped variant are no longer updated when its records are overwritten.
    if (this.#variants[variant.number] !== variant) return undefined;
    const length = this.#ring.readUInt32LE(offset + 16);
    return this.#ring.subarray(offset + headerBytes, offset + headerBytes + length);
  }

  put(variant: Variant, id: number, revision: number, record: Uint8Array): void {
    const bytes = headerBytes + record.length;
    if (bytes > this.#ring.length / 4 || this.#variants[variant.number] !== variant) return;
    while (!this.#fits(bytes)) this.#dropOldest();
    const offset = this.#next;
    this.#ring.writeDoubleLE(revision, offset);
    this.#ring.writeDoubleLE(id, offset + 8);
    this.#ring.writeUInt32LE(record.length, offset + 16);
    this.#ring.writeUInt32LE(variant.number, offset + 20);
    this.#ring.set(record, offset + headerBytes);
    variant.offsets.set(id, offset);
    this.#next += bytes;
  }

  #fits(bytes: number): boolean {
    if (this.#wrapped) return this.#oldest - this.#next >= bytes;
    if (this.#ring.length - this.#next >= bytes) return true;
    this.#end = this.#next;
    this.#next = 0;
    this.#wrapped = true;
    return this.#oldest >= bytes;
  }

  #dropOldest(): void {
    const offset = this.#oldest;
    const offsets = this.#variants[this.#ring.readUInt32LE(offset + 20)]?.offsets;
    const id = this.#ring.readDoubleLE(offset + 8);
    // A newer record of the same document may be at another offset by now.
    if (offsets?.get(id) === offset) offsets.delete(id);
    this.#oldest += headerBytes + this.#ring.readUInt32LE(offset + 16);
    if (this.#oldest < this.#end) return;
    this.#oldest = 0;
    this.#wrapped = false;
  }
}

export interface Variant {
  readonly name: string;
  readonly number: number;
  /** The offset of each document's record in the ring. */
  readonly offsets: Map<number, number>;
}

/** revision (8), document id (8), length (4), variant (4) */
const headerBytes = 24;
const variantsKept = 64;
