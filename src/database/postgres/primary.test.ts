import { once } from "node:events";
import { type AddressInfo, type Server, type Socket, createServer } from "node:net";
import { Client } from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { Primary } from "./primary.ts";

/** A message of PostgreSQL's protocol. */
function message(kind: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.from(`${kind}0000`);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const int32 = (value: number): Buffer => Buffer.from(value.toString(16).padStart(8, "0"), "hex");
const ready = message("Z", Buffer.from("I"));
const signedIn = Buffer.concat([message("R", int32(0)), ready]);
/** One column and one row: a primary of this timeline. */
const primaryOf = (timeline: number): Buffer =>
  Buffer.concat([
    message("T", Buffer.from("0001", "hex"), Buffer.from("timeline\0"), Buffer.alloc(18)),
    message("D", Buffer.from("0001", "hex"), int32(8), Buffer.from(String(timeline).padStart(8, "0"))),
    message("C", Buffer.from("SELECT 1\0")),
    ready,
  ]);

describe("the search for the primary", () => {
  const servers: Server[] = [];
  const sockets: Socket[] = [];
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers) server.close();
  });

  /** A host that lets a client in, and gives this answer to its query. */
  async function host(answer: Buffer | null, lateMilliseconds = 0): Promise<string> {
    const server = createServer((socket) => {
      sockets.push(socket);
      socket.on("error", () => undefined);
      socket.once("data", () => {
        socket.write(signedIn);
        socket.once("data", () => {
          if (answer !== null) setTimeout(() => socket.write(answer), lateMilliseconds);
        });
      });
    });
    servers.push(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return `postgres://quire@127.0.0.1:${(server.address() as AddressInfo).port}/quire`;
  }

  it("does not wait for a host that freezes after it has accepted the connection", async () => {
    const [frozen, standing] = [await host(null), await host(primaryOf(2))];
    const moves: string[] = [];
    const primary = new Primary([frozen, standing], {
      newClient: (connectionString) => new Client({ connectionString }),
      answerMilliseconds: 500,
      onMove: (name) => moves.push(name),
    });
    await primary.find();
    expect([primary.address, primary.isKnown]).toEqual([standing, true]);
    expect(moves).toEqual([new URL(standing).host]);

    const alone = new Primary([frozen, await host(null)], {
      newClient: (connectionString) => new Client({ connectionString }),
      answerMilliseconds: 500,
      onMove: () => undefined,
    });
    await expect(alone.find()).rejects.toThrow(/no host is the primary/);
  });

  it("waits longer for a host that may be the new primary than for one that answers and may be a former one", async () => {
    const [former, busy] = [await host(primaryOf(2)), await host(primaryOf(3), 2200)];
    const primary = new Primary([former, busy], {
      newClient: (connectionString) => new Client({ connectionString }),
      answerMilliseconds: 2000,
      onMove: () => undefined,
    });
    await primary.find();
    expect(primary.address).toBe(busy);
  });
});
