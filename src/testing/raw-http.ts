import { connect } from "node:net";
import { buffer } from "node:stream/consumers";

export interface RawAnswer {
  status: number;
  /** Names in lower case. */
  headers: ReadonlyMap<string, string>;
  body: string;
}

/** Sends the bytes of a request unchanged, even if no client would send them. Characters stand for bytes. */
export async function sendRaw(url: string, head: readonly string[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // The sending side stays open, because a server may take its end for a client that has gone.
  socket.write(Buffer.from(`${[...head, "Connection: close"].join("\r\n")}\r\n\r\n`, "latin1"));
  return parse((await buffer(socket)).toString("latin1"));
}

function parse(answer: string): RawAnswer {
  const end = answer.indexOf("\r\n\r\n");
  const [first = "", ...lines] = answer.slice(0, end).split("\r\n");
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const bytes = Buffer.from(answer.slice(end + 4), "latin1");
  const body = headers.get("transfer-encoding") === "chunked" ? unchunked(bytes) : bytes;
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]), headers, body: body.toString() };
}

function unchunked(bytes: Buffer): Buffer {
  const parts = [];
  for (let at = 0; ;) {
    const end = bytes.indexOf("\r\n", at);
    const length = Number.parseInt(bytes.toString("latin1", at, end), 16);
    if (!(length > 0)) return Buffer.concat(parts);
    parts.push(bytes.subarray(end + 2, end + 2 + length));
    at = end + 2 + length + 2;
  }
}
