import { networkOf } from "../../../http/request/client-address.ts";
import type { Viewer } from "../../../http/request/viewer.ts";

/** The key that a request's share of a scarce resource counts against: the user or, without one, the network. */
export function askerOf(viewer: Viewer, address: string): string {
  return viewer.kind === "user" ? `user ${viewer.id}` : `address ${networkOf(address)}`;
}
