import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";

/** Another server, for tests of code that fetches files. It counts its connections. */
export interface RemoteServer extends AsyncDisposable {
  /** Its address, without a slash at the end. */
  url: string;
  port: number;
  /** The number of connections so far. */
  connections(): number;
  /** The requests so far, in order. */
  requests: http.IncomingMessage[];
}

export async function startRemoteServer(
  answer: http.RequestListener,
  host: "127.0.0.1" | "::1" | "::" = "127.0.0.1",
): Promise<RemoteServer> {
  let connections = 0;
  const requests: http.IncomingMessage[] = [];
  const server = http.createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  server.on("connection", () => connections++);
  server.listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: host === "127.0.0.1" ? `http://127.0.0.1:${port}` : `http://[::1]:${port}`,
    port,
    connections: () => connections,
    requests,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
