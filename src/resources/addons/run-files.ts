import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Context } from "../../context.ts";
import type { Query } from "../../http/request/query.ts";

/** How long the file of a run is kept. */
export const fileDays = 14;

/** How long an address to upload to is valid. */
const validSeconds = 900;

export const runFolder = (uuid: string): string => `addon-runs/${uuid}`;

/** The key of a run's file: names come from people, and a key has few characters. */
export function runFileKey(uuid: string, name: string): string {
  return `${runFolder(uuid)}/${createHash("sha256").update(name).digest("hex").slice(0, 32)}`;
}

/** Signed addresses for the files of runs, as programs get them that have no other credentials. */
export class RunUploads {
  readonly #secrets: Context["secrets"];

  constructor(secrets: Context["secrets"]) {
    this.#secrets = secrets;
  }

  addressFor(api: string, uuid: string, name: string): string {
    const expires = Math.floor(Date.now() / 1000) + validSeconds;
    const [signature] = this.#signatures(uuid, name, String(expires));
    return `${api}/uploads/addon-runs/${uuid}/${encodeURIComponent(name)}?expires=${expires}&signature=${signature}`;
  }

  isValid(uuid: string, name: string, query: Query): boolean {
    const expires = query.last("expires") ?? "";
    if (!/^\d{1,12}$/.test(expires) || Number(expires) < Date.now() / 1000) return false;
    const actual = Buffer.from(query.last("signature") ?? "");
    return this.#signatures(uuid, name, expires).some((signature) => {
      const expected = Buffer.from(signature);
      return expected.length === actual.length && timingSafeEqual(expected, actual);
    });
  }

  #signatures(uuid: string, name: string, expires: string): string[] {
    return this.#secrets
      .keysFor("upload addresses")
      .map(({ key }) =>
        createHmac("sha256", key).update(`run ${uuid} ${expires} ${name}`).digest("base64url"),
      );
  }
}
