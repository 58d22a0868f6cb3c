import type { Viewer } from "../../../http/request/viewer.ts";
import { networkOf } from "./sign-in.ts";

/** Whom what someone asks for counts against, where there is not enough of it for all: the user, or the address. */
export function askerOf(viewer: Viewer, address: string): string {
  return viewer.kind === "user" ? `user ${viewer.id}` : `address ${networkOf(address)}`;
}
