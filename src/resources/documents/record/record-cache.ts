/**
 * Rendered records by document and revision, so that a page costs a scan of one narrow index and a copy of bytes.
 * It needs no invalidation: the index says which revision each row has now, whoever wrote it and in whatever
 * process, and a copy of another revision is simply not the one asked for.
 *
 * The bytes stand one after the other in a ring of fixed size, each behind a header that says whose they are; a
 * new record overwrites the oldest ones. So memory has a ceiling, and the garbage collector sees one object where
 * a map of strings would give it one for each record.
 */
export class RecordCache {
  readonly #ring: Buffer;
  readonly #variants: Variant[] = [];
  #variantsMade = 0;
  #next = 0;
  #oldest = 0;
  /** Records go from `#oldest` to `#end`, and on from 0 to `#next`; else from `#oldest` to `#next`. */
  #wrapped = false;
  #end = 0;

  constructor(megabytes: number) {
    this.#ring = Buffer.alloc(megabytes * 1024 * 1024);
  }

  /**
   * What a record depends on besides its row, such as the addresses in it. Few are in use at a time; when there
   * are too many, the one named first gives way.
   */
  variant(name: string): Variant {
    const known = this.#variants.find((variant) => variant.name === name);
    if (known !== undefined) return known;
    const variant = { name, number: this.#variantsMade++ % variantsKept, places: new Map<number, number>() };
    this.#variants[variant.number] = variant;
    return variant;
  }

  /** The record's bytes, good until the next `put`; undefined when this revision of it is not here. */
  find(variant: Variant, id: number, revision: number): Buffer | undefined {
    const place = variant.places.get(id);
    if (place === undefined || this.#ring.readDoubleLE(place) !== revision) return undefined;
    // A variant that gave way no longer hears when its records are overwritten.
    if (this.#variants[variant.number] !== variant) return undefined;
    const length = this.#ring.readUInt32LE(place + 16);
    return this.#ring.subarray(place + headerBytes, place + headerBytes + length);
  }

  put(variant: Variant, id: number, revision: number, record: Uint8Array): void {
    const bytes = headerBytes + record.length;
    if (bytes > this.#ring.length / 4 || this.#variants[variant.number] !== variant) return;
    while (!this.#fits(bytes)) this.#dropOldest();
    const place = this.#next;
    this.#ring.writeDoubleLE(revision, place);
    this.#ring.writeDoubleLE(id, place + 8);
    this.#ring.writeUInt32LE(record.length, place + 16);
    this.#ring.writeUInt32LE(variant.number, place + 20);
    this.#ring.set(record, place + headerBytes);
    variant.places.set(id, place);
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
    const place = this.#oldest;
    const places = this.#variants[this.#ring.readUInt32LE(place + 20)]?.places;
    const id = this.#ring.readDoubleLE(place + 8);
    // A newer record of the same document may stand elsewhere by now.
    if (places?.get(id) === place) places.delete(id);
    this.#oldest += headerBytes + this.#ring.readUInt32LE(place + 16);
    if (this.#oldest < this.#end) return;
    this.#oldest = 0;
    this.#wrapped = false;
  }
}

export interface Variant {
  readonly name: string;
  readonly number: number;
  /** Where each document's record is in the ring. */
  readonly places: Map<number, number>;
}

/** revision (8), document id (8), length (4), variant (4) */
const headerBytes = 24;
const variantsKept = 64;
