import { once } from "node:events";
import type { RequestListener } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import tls from "node:tls";

/** Of nobody but these tests. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgkyXSTkPuIaypqH4j
mHslC77HzOeYV7P/2cxYFTqHk/ehRANCAAQXf7oVphLzdq8/9RHp21RRUQMf1YMb
wjhxOC7R57CH21ASydNcbyFwXmoL3y9g0VfAT3GcXubDH4KQN1fXjkOy
-----END PRIVATE KEY-----`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBZzCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABBd/uhWmEvN2rz/1
EenbVFFRAx/VgxvCOHE4LtHnsIfbUBLJ01xvIXBeagvfL2DRV8BPcZxe5sMfgpA3
V9eOQ7KjTjBMMA8GA1UdEwEB/wQFMAMBAf8wGgYDVR0RBBMwEYIJbG9jYWxob3N0
hwR/AAABMB0GA1UdDgQWBBSb9j9G1luKRb9wJmp2vup5BuIv9TAKBggqhkjOPQQD
AgNIADBFAiEAl/DOcA7JOQrHbAUE3O0OyTd1573ZSlM7TfJCvdzDdd4CIFrGSieH
oOQ5FOMMh5dgzQ+MIp1jAkkj3xgMDaOMMxlQ
-----END CERTIFICATE-----`;

export interface TlsServer extends AsyncDisposable {
  /** Its address, without a slash at the end. */
  url: string;
  port: number;
}

/** A server with HTTPS, whose certificate this process trusts from now on. */
export async function startTlsServer(answer: RequestListener): Promise<TlsServer> {
  tls.setDefaultCACertificates([...tls.getCACertificates("default"), cert]);
  const server = https.createServer({ key, cert }, answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://localhost:${port}`,
    port,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
