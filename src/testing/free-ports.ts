import { createServer } from "node:net";

/**
 * Returns the first of so many ports in a row on which nothing listens. They are below those that the kernel gives to
 * connections, so that none of these takes the port of a server that is about to start again.
 */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = 20_000 + count * Math.floor(Math.random() * Math.floor(12_000 / count));
    const ports = Array.from({ length: count }, (_, index) => first + index);
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
