import { createHmac, timingSafeEqual } from "node:crypto";
import type { Context } from "../../../context.ts";
import type { Query } from "../../../http/request/query.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";

/**
 * An upload has to begin within once or twice this time after its address was given out. Addresses that are given out
 * in the same period are identical, so that the record that shows one stays the same.
 */
const validSeconds = 300;

export interface UploadTarget {
  id: number;
  slug: string;
  original_extension: string;
}

/**
 * Signed addresses for uploading a document's file without signing in. An address is only given to users who may
 * upload. It is valid for one document, it expires, and it stops working when the user's account is closed.
 */
export class UploadAddresses {
  readonly #secrets: Context["secrets"];

  constructor(secrets: Context["secrets"]) {
    this.#secrets = secrets;
  }

  /** The address ends in the file's name: curl and similar programs would otherwise append one. */
  addressFor(
    api: string,
    viewer: SignedInViewer,
    { id, slug, original_extension: extension }: UploadTarget,
  ): string {
    const expires = (Math.floor(Date.now() / 1000 / validSeconds) + 2) * validSeconds;
    const [signature] = this.#signatures(id, viewer.id, expires);
    const query = `viewer=${viewer.id}&expires=${expires}&signature=${signature}`;
    return `${api}/uploads/documents/${id}/${encodeURIComponent(slug)}.${extension}?${query}`;
  }

  /** The id of the user that the address was given to; null if the signature is invalid or has expired. */
  userOf(id: number, query: Query): number | null {
    const [viewer = "", expires = ""] = [query.last("viewer"), query.last("expires")];
    if (!/^\d{1,15}$/.test(viewer) || !/^\d{1,12}$/.test(expires)) return null;
    if (Number(expires) < Date.now() / 1000) return null;
    const actual = Buffer.from(query.last("signature") ?? "");
    const isValid = this.#signatures(id, Number(viewer), Number(expires)).some((validSignature) => {
      const expected = Buffer.from(validSignature);
      return expected.length === actual.length && timingSafeEqual(expected, actual);
    });
    return isValid ? Number(viewer) : null;
  }

  #signatures(id: number, user: number, expires: number): string[] {
    return this.#secrets
      .keysFor("upload addresses")
      .map(({ key }) => createHmac("sha256", key).update(`${id} ${user} ${expires}`).digest("base64url"));
  }
}
