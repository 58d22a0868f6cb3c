import { createHmac, timingSafeEqual } from "node:crypto";
import type { Context } from "../../../context.ts";

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
 * given to those who may, it is for that document alone, and it expires.
 */
export class UploadAddresses {
  readonly #secrets: Context["secrets"];

  constructor(secrets: Context["secrets"]) {
    this.#secrets = secrets;
  }

  /** It ends in the file's name, to which programs such as curl add none of their own. */
  addressFor(api: string, { id, slug, original_extension: extension }: UploadTarget): string {
    const expires = (Math.floor(Date.now() / 1000 / validSeconds) + 2) * validSeconds;
    const [signature] = this.#signatures(id, expires);
    return `${api}/uploads/documents/${id}/${encodeURIComponent(slug)}.${extension}?expires=${expires}&signature=${signature}`;
  }

  /** Whether such an address was given out and still holds. */
  isGood(id: number, expires: string | undefined, signature: string | undefined): boolean {
    if (expires === undefined || signature === undefined || !/^\d{1,12}$/.test(expires)) return false;
    if (Number(expires) < Date.now() / 1000) return false;
    const given = Buffer.from(signature);
    return this.#signatures(id, Number(expires)).some((one) => {
      const expected = Buffer.from(one);
      return expected.length === given.length && timingSafeEqual(expected, given);
    });
  }

  #signatures(id: number, expires: number): string[] {
    return this.#secrets
      .keysFor("upload addresses")
      .map(({ key }) => createHmac("sha256", key).update(`${id} ${expires}`).digest("base64url"));
  }
}
