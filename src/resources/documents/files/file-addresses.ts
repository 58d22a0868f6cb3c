import { createHmac, timingSafeEqual } from "node:crypto";
import type { Context } from "../../../context.ts";
import { permissionDenied } from "../../../errors.ts";
import type { Query } from "../../../http/request/query.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { findKnownUser } from "../../users/viewer-store.ts";

/** How long a signed address is valid, whether it leads to Quire or to the store. */
export const validSeconds = 300;

/**
 * Signed addresses of one file for one user, which open without credentials. Pages of other origins need them, because
 * they fetch files without credentials. An address only names the user that it was given to. Access is checked when the
 * address is used, so it stops working at once when that user loses access to the document, or the account is closed.
 */
export class FileAddresses {
  readonly #context: Pick<Context, "database" | "secrets">;

  constructor(context: Pick<Context, "database" | "secrets">) {
    this.#context = context;
  }

  /** The query string to add to the file's address. `path` is the path as the file's route receives it. */
  queryFor(path: string, viewer: SignedInViewer): string {
    const expires = Math.ceil(Date.now() / 1000) + validSeconds;
    const [signature] = this.#signatures(path, String(viewer.id), String(expires));
    return `?viewer=${viewer.id}&expires=${expires}&signature=${signature}`;
  }

  /**
   * The user that a signed address was given to, with their current rights; null if the query has no signature.
   *
   * @throws {ApiError} 403 if the signature is invalid or has expired.
   */
  async findViewer(path: string, query: Query): Promise<SignedInViewer | null> {
    const signature = query.last("signature");
    if (signature === undefined) return null;
    const [viewer = "", expires = ""] = [query.last("viewer"), query.last("expires")];
    if (!this.#isGood(path, viewer, expires, signature)) throw refused();
    const user = await findKnownUser(this.#context.database, { id: Number(viewer) });
    if (user === null || !user.isActive) throw refused();
    return { ...user.viewer, mayWrite: false, hasPersonalToken: false, csrfToken: null };
  }

  #isGood(path: string, viewer: string, expires: string, signature: string): boolean {
    // What is no number has no valid signature either.
    if (Number(expires) < Date.now() / 1000) return false;
    const actual = Buffer.from(signature);
    return this.#signatures(path, viewer, expires).some((validSignature) => {
      const expected = Buffer.from(validSignature);
      return expected.length === actual.length && timingSafeEqual(expected, actual);
    });
  }

  #signatures(path: string, viewer: string, expires: string): string[] {
    return this.#context.secrets
      .keysFor("file addresses")
      .map(({ key }) => createHmac("sha256", key).update(`${viewer} ${expires} ${path}`).digest("base64url"));
  }
}

const refused = (): Error => permissionDenied("This address is invalid or has expired.");
