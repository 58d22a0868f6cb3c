export type Bytes = AsyncIterable<Buffer>;

/** Bytes that are read one after the other. */
export class ByteReading {
  readonly #chunks: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);
  position = 0;

  constructor(bytes: Bytes) {
    this.#chunks = bytes[Symbol.asyncIterator]();
  }

  /** The next bytes, without reading them; fewer at the end. */
  async peek(length: number): Promise<Buffer> {
    while (this.#held.length < length) {
      const { done, value } = await this.#chunks.next();
      if (done === true) break;
      this.#held = Buffer.concat([this.#held, value]);
    }
    return this.#held.subarray(0, length);
  }

  async read(length: number): Promise<Buffer> {
    const bytes = await this.peek(length);
    this.#held = this.#held.subarray(bytes.length);
    this.position += bytes.length;
    return bytes;
  }

  /** Has these bytes, which were read last, be read again. */
  unread(bytes: Buffer): void {
    this.#held = Buffer.concat([bytes, this.#held]);
    this.position -= bytes.length;
  }

  /** The next bytes in pieces. If they end early, the file was cut off. */
  async *take(length: number): AsyncGenerator<Buffer> {
    let left = length;
    while (left > 0) {
      const piece = await this.piece(left);
      if (piece === null && length !== Infinity) throw new Error("it ends early");
      if (piece === null) return;
      left -= piece.length;
      yield piece;
    }
  }

  async skip(length: number): Promise<void> {
    for (let left = length; left > 0;) {
      const piece = await this.piece(left);
      if (piece === null) return;
      left -= piece.length;
    }
  }

  /** Some of the next bytes; null at the end. */
  async piece(maxLength: number): Promise<Buffer | null> {
    if (this.#held.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done === true) return null;
      this.#held = value;
    }
    const piece = this.#held.subarray(0, maxLength);
    this.#held = this.#held.subarray(piece.length);
    this.position += piece.length;
    return piece;
  }
}
