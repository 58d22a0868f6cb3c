import type { AddressInfo } from "node:net";
import { buildApp } from "../app.ts";
import type { Context } from "../context.ts";
import { GracefulClose } from "../http/response/graceful-close.ts";

/** The application while it listens. */
export interface RequestServer {
  address: AddressInfo;
  /** Responds to the requests that have arrived, then stops; at once if another process takes over its port. */
  close(isReplaced?: boolean): Promise<void>;
}

export interface ListenOptions {
  port: number;
  reusePort?: boolean;
  /** The descriptor of a socket that listens already, instead of the port. */
  socket?: number | null;
}

/**
 * Serves the application from this process. With `reusePort`, the kernel divides the connections among all processes
 * that listen on the port.
 */
export async function listen(
  context: Context,
  { port, reusePort = false, socket = null }: ListenOptions,
): Promise<RequestServer> {
  const app = buildApp(context);
  const { stopLimitSeconds, drainSeconds } = context.config;
  const closing = new GracefulClose(app, stopLimitSeconds);
  const address = { host: context.config.host, port, reusePort };
  await app.listen(socket === null ? address : ({ host: context.config.host, fd: socket } as object));
  return {
    address: app.server.address() as AddressInfo,
    close: (isReplaced = false) => closing.close(isReplaced ? 0 : drainSeconds),
  };
}
