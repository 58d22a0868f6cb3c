import cluster from "node:cluster";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/*
 * The maximum that `node:http` can do on this machine: every request is answered with the same bytes from memory, by as
 * many processes as Quire has, which share a port in the same way. It sends the port to the program that started it.
 *
 *   node bare-server.ts STATUS BYTES PROCESSES [PORT]
 */
const [status = 200, bytes = 0, processes = 1, port = 0] = process.argv.slice(2).map(Number);

if (processes === 1) process.send?.({ port: await listen() });
else {
  const shared = await start(0);
  for (let number = 1; number < processes; number++) await start(shared);
  process.on("SIGTERM", () => process.exit());
  process.send?.({ port: shared });
}

async function start(at: number): Promise<number> {
  cluster.setupPrimary({ args: [String(status), String(bytes), "1", String(at)] });
  const [message] = (await once(cluster.fork(), "message")) as [{ port: number }];
  return message.port;
}

async function listen(): Promise<number> {
  const body = Buffer.alloc(bytes, "x");
  const server = createServer((_, response) => {
    if (status === 304) {
      response.writeHead(304, { etag: '"a-tag-as-long-as-a-real-one"' });
      response.end();
      return;
    }
    response.writeHead(status, { "content-type": "application/json", "content-length": body.length });
    response.end(body);
  });
  server.listen({ port, host: "127.0.0.1", reusePort: cluster.isWorker && process.platform === "linux" });
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
