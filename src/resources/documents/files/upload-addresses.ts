import { createHmac, timingSafeEqual } from "node:crypto";
import type { Context } from "../../../context.ts";
import type { Query } from "../../../http/request/query.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";

/**
 * From when an address is given out to when the upload has to begin: this long, or up to twice as long, since all that
 * are given out in a while are the same, and so is the record that shows one.
 */
const validSeconds = 300;

export interface UploadTarget {
  id: number;
  slug: string;
  original_extension: string;
}

/**
 * Addresses to upload one document's file to. Whoever has one may put the file there, without signing in: so it is
 * given to those who may, it is for that document alone, it expires, and it ends with the account it was given to.
 */
export class UploadAddresses {
  readonly #secrets: Context["secrets"];

  constructor(secrets: Context["secrets"]) {
    this.#secrets = secrets;
  }

  /** It ends in the file's name, to which programs such as curl add none of their own. */
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

  /** The id of the user that such an address was given to; null where it was not given out, or holds no more. */
  userOf(id: number, query: Query): number | null {
    const [viewer = "", expires = ""] = [query.last("viewer"), query.last("expires")];
    if (!/^\d{1,15}$/.test(viewer) || !/^\d{1,12}$/.test(expires)) return null;
    if (Number(expires) < Date.now() / 1000) return null;
    const given = Buffer.from(query.last("signature") ?? "");
    const isGood = this.#signatures(id, Number(viewer), Number(expires)).some((one) => {
      const expected = Buffer.from(one);
      return expected.length === given.length && timingSafeEqual(expected, given);
    });
    return isGood ? Number(viewer) : null;
  }

  #signatures(id: number, user: number, expires: number): string[] {
    return this.#secrets
      .keysFor("upload addresses")
      .map(({ key }) => createHmac("sha256", key).update(`${id} ${user} ${expires}`).digest("base64url"));
  }
}
