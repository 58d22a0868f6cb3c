/**
 * Reads the answers on one connection, one after the other, as cheaply as it can: of the head only the status and
 * the length of the body are looked at, and the body is counted.
 */
export class ResponseReader {
  readonly #onAnswer: (status: number, bodyBytes: number) => void;
  /** The beginning of a head whose end has not come yet. */
  #head = "";
  #status = 0;
  #bodyBytes = 0;
  #missing = 0;

  constructor(onAnswer: (status: number, bodyBytes: number) => void) {
    this.#onAnswer = onAnswer;
  }

  take(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      at = this.#missing > 0 ? this.#takeBody(chunk, at) : this.#takeHead(chunk, at);
    }
  }

  #takeBody(chunk: Buffer, at: number): number {
    const taken = Math.min(this.#missing, chunk.length - at);
    this.#missing -= taken;
    if (this.#missing === 0) this.#onAnswer(this.#status, this.#bodyBytes);
    return at + taken;
  }

  #takeHead(chunk: Buffer, at: number): number {
    const kept = this.#head.length;
    const head = this.#head + chunk.toString("latin1", at, Math.min(chunk.length, at + maxHeadLength));
    const end = head.indexOf("\r\n\r\n");
    if (end === -1) {
      if (head.length >= maxHeadLength) throw new Error("An answer's head has no end");
      this.#head = head;
      return chunk.length;
    }
    this.#head = "";
    this.#status = Number(head.slice(9, 12));
    this.#bodyBytes = this.#status === 304 ? 0 : lengthIn(head.slice(0, end));
    this.#missing = this.#bodyBytes;
    if (this.#missing === 0) this.#onAnswer(this.#status, 0);
    return at + end + 4 - kept;
  }
}

const maxHeadLength = 4096;

function lengthIn(head: string): number {
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`An answer of unknown length: ${head}`);
  return Number(length);
}
