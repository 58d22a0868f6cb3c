import { createHmac, timingSafeEqual } from "node:crypto";
import type { Context } from "../../../context.ts";
import { permissionDenied } from "../../../errors.ts";
import type { Query } from "../../../http/request/query.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { findKnownUser } from "../../users/viewer-store.ts";

/** How long an address that needs no credentials is good, ours or the store's. */
export const validSeconds = 300;

/**
 * Addresses of one file for one person, that open without credentials: for pages of other origins, which fetch files
 * without them. An address says who it was given to and no more than that. What they may see is asked when it is used,
 * so it ends at once with their access to the document, and with their account.
 */
export class FileAddresses {
  readonly #context: Pick<Context, "database" | "secrets">;

  constructor(context: Pick<Context, "database" | "secrets">) {
    this.#context = context;
  }

  /** What to add to the address of the file; `path` is the one that the file's route gets. */
  queryFor(path: string, viewer: SignedInViewer): string {
    const expires = Math.ceil(Date.now() / 1000) + validSeconds;
    const [signature] = this.#signatures(path, String(viewer.id), String(expires));
    return `?viewer=${viewer.id}&expires=${expires}&signature=${signature}`;
  }

  /**
   * Whom such an address was given to, as they are now; null where the query is none of one.
   *
   * @throws {ApiError} 403 where it was not given out, or holds no more.
   */
  async findViewer(path: string, query: Query): Promise<SignedInViewer | null> {
    const signature = query.last("signature");
    if (signature === undefined) return null;
    const [viewer = "", expires = ""] = [query.last("viewer"), query.last("expires")];
    if (!this.#isGood(path, viewer, expires, signature)) throw refused();
    const user = await findKnownUser(this.#context.database, { id: Number(viewer) });
    if (user === null || !user.isActive) throw refused();
    return { ...user.viewer, mayWrite: false, csrfToken: null };
  }

  #isGood(path: string, viewer: string, expires: string, signature: string): boolean {
    if (!/^\d{1,15}$/.test(viewer) || !/^\d{1,12}$/.test(expires)) return false;
    if (Number(expires) < Date.now() / 1000) return false;
    const given = Buffer.from(signature);
    return this.#signatures(path, viewer, expires).some((one) => {
      const expected = Buffer.from(one);
      return expected.length === given.length && timingSafeEqual(expected, given);
    });
  }

  #signatures(path: string, viewer: string, expires: string): string[] {
    return this.#context.secrets
      .keysFor("file addresses")
      .map(({ key }) => createHmac("sha256", key).update(`${viewer} ${expires} ${path}`).digest("base64url"));
  }
}

const refused = (): Error => permissionDenied("This address is not good, or not any more.");
