import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What a bare server answers to everything. */
export interface BareAnswer {
  status: number;
  bytes: number;
}

/*
 * What this machine's `node:http` can do at most: every request is answered with the same bytes from memory. It is
 * told which over its channel, and says its port in return.
 */
let body = Buffer.alloc(0);
let status = 200;

const server = createServer((_, response) => {
  if (status === 304) {
    response.writeHead(304, { etag: '"a-tag-as-long-as-a-real-one"' });
    response.end();
    return;
  }
  response.writeHead(status, { "content-type": "application/json", "content-length": body.length });
  response.end(body);
});

server.listen(0, "127.0.0.1", () => {
  process.on("message", (message: BareAnswer | "usage") => {
    if (message === "usage") return;
    status = message.status;
    body = Buffer.alloc(message.bytes, "x");
    process.send?.({ port: (server.address() as AddressInfo).port });
  });
});
