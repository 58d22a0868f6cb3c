import type { AddressInfo } from "node:net";
import { buildApp } from "../app.ts";
import type { Context } from "../context.ts";
import { GracefulClose } from "../http/response/graceful-close.ts";

/** The application while it listens. */
export interface RequestServer {
  address: AddressInfo;
  /** Responds to the requests that have arrived, then stops. */
  close(): Promise<void>;
}

/**
 * Serves the application from this process. With `reusePort`, the kernel divides the connections among all processes
 * that listen on the port.
 */
export async function listen(
  context: Context,
  { port, reusePort = false }: { port: number; reusePort?: boolean },
): Promise<RequestServer> {
  const app = buildApp(context);
  const closing = new GracefulClose(app);
  const address = { host: context.config.host, port, reusePort };
  await app.listen(address);
  return { address: app.server.address() as AddressInfo, close: () => closing.close() };
}
