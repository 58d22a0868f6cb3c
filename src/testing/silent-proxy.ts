import { once } from "node:events";
import { type AddressInfo, type Socket, connect, createServer } from "node:net";

/** A proxy that can fall silent, like a machine that loses its network: it sends nothing and closes no connection. */
export interface SilentProxy extends AsyncDisposable {
  port: number;
  fallSilent(): void;
  /** The connections from before are gone by then. */
  speakAgain(): void;
}

export async function startSilentProxy(socketOfServer: string): Promise<SilentProxy> {
  const sockets = new Set<Socket>();
  let isSilent = false;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    if (isSilent) return;
    const upstream = connect(socketOfServer);
    keep(upstream);
    client.pipe(upstream).pipe(client);
    client.once("close", () => upstream.destroy());
    upstream.once("close", () => client.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    fallSilent() {
      isSilent = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    speakAgain() {
      isSilent = false;
      for (const socket of sockets) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), "close");
    },
  };
}
