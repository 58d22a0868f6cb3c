import { createInflateRaw, crc32 } from "node:zlib";
import { pipeline } from "node:stream";
import type { ByteReading } from "./byte-reading.ts";

/*
 * Inflates the members of a gzip file, and ignores what follows the last one, as gunzip and tar do. Node's own stream
 * takes it for a damaged member, and then keeps back some of the contents.
 */

const magic = Buffer.from([0x1f, 0x8b]);
const pieceBytes = 16_384;

export async function* gunzip(packed: ByteReading): AsyncGenerator<Buffer> {
  do {
    await skipHeader(packed);
    let sum = 0;
    for await (const chunk of inflated(packed)) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
    const end = await exactly(packed, 8);
    if (end.readUInt32LE(0) !== sum) throw new Error("incorrect data check");
  } while ((await packed.peek(magic.length)).equals(magic));
}

async function skipHeader(packed: ByteReading): Promise<void> {
  const head = await exactly(packed, 10);
  if (head[2] !== 8) throw new Error("unknown compression method");
  const flags = head[3] ?? 0;
  if ((flags & 4) !== 0) await packed.skip((await exactly(packed, 2)).readUInt16LE(0));
  for (const text of [8, 16]) {
    if ((flags & text) !== 0) await skipText(packed);
  }
  if ((flags & 2) !== 0) await packed.skip(2);
}

async function exactly(packed: ByteReading, length: number): Promise<Buffer> {
  const bytes = await packed.read(length);
  if (bytes.length < length) throw new Error("it ends early");
  return bytes;
}

async function skipText(packed: ByteReading): Promise<void> {
  let byte = await packed.read(1);
  while (byte.length > 0 && byte[0] !== 0) byte = await packed.read(1);
}

/** Inflates the next bytes up to the end of what is packed, and has those after it be read again. */
async function* inflated(packed: ByteReading): AsyncGenerator<Buffer> {
  const inflater = createInflateRaw();
  let pieces: Buffer[] = [];
  let given = 0;
  async function* give(): AsyncGenerator<Buffer> {
    for (;;) {
      const piece = await packed.piece(pieceBytes);
      if (piece === null) return;
      if (inflater.bytesWritten === given) pieces = [];
      pieces.push(piece);
      given += piece.length;
      yield piece;
    }
  }
  const source = give();
  yield* pipeline(source, inflater, () => undefined) as AsyncIterable<Buffer>;
  // A piece may be on its way.
  await source.return(null);
  const last = Buffer.concat(pieces);
  packed.unread(last.subarray(last.length - (given - inflater.bytesWritten)));
}
