const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;

/**
 * Finds where the elements of a JSON array begin and end while its bytes arrive, so that an array of any length can
 * be read one element at a time. The parser of an element decides whether it is JSON.
 */
export class ArrayElements {
  readonly #limitBytes: number;
  /** Brackets and braces that are open: 0 before the array and after it, 1 between its elements. */
  #depth = 0;
  #inString = false;
  #escaped = false;
  #parts: Buffer[] = [];
  #bytes = 0;
  isComplete = false;
  /** Why nothing more can be read. */
  fault: string | null = null;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** The elements that end in this chunk; null for one that is longer than the limit. */
  feed(chunk: Buffer): (Buffer | null)[] {
    const elements: (Buffer | null)[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length && this.fault === null; at++) {
      const byte = chunk[at] as number;
      if (this.isComplete) {
        if (byte > space) this.fault = "something follows the array";
      } else if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === backslash) this.#escaped = true;
        else if (byte === quote) this.#inString = false;
      } else if (byte === quote) {
        this.#inString = true;
      } else if (isOpening(byte)) {
        this.#depth += 1;
        if (this.#depth === 1) start = at + 1;
      } else if (isClosing(byte) || (byte === comma && this.#depth === 1)) {
        if (byte !== comma) this.#depth -= 1;
        if (this.#depth > 1 || (this.#depth === 1 && byte !== comma)) continue;
        this.#keep(chunk.subarray(start, at));
        start = at + 1;
        elements.push(...this.#take(byte === comma));
        this.isComplete = this.#depth === 0;
      }
    }
    if (this.#depth > 0) this.#keep(chunk.subarray(start));
    return elements;
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes <= this.#limitBytes) this.#parts.push(part);
    else this.#parts = [];
  }

  #take(isFollowed: boolean): (Buffer | null)[] {
    const element = this.#bytes > this.#limitBytes ? null : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    // Between the brackets of an empty array there is no element.
    const isBlank = element?.every((byte) => byte <= space) === true;
    return isBlank && !isFollowed ? [] : [element];
  }
}

function isOpening(byte: number): boolean {
  return byte === 0x5b || byte === 0x7b;
}

function isClosing(byte: number): boolean {
  return byte === 0x5d || byte === 0x7d;
}
