import type { StoreAddress } from "../../files/open-files.ts";
import { type Kind, path, postgresUrl } from "../../value-kinds.ts";

/** A folder, or `s3://bucket/prefix`. */
export const storeAddress: Kind<StoreAddress> = {
  expected: "a folder, or s3://bucket or s3://bucket/folder",
  parse(text) {
    if (!/^\w+:\/\//.test(text)) {
      const folder = path.parse(text);
      return folder === undefined ? undefined : { folder };
    }
    const name = String.raw`[\w-][\w.-]{0,63}`;
    const pattern = new RegExp(`^s3://([a-z\\d][a-z\\d.-]{1,61}[a-z\\d])(?:/(${name}(?:/${name}){0,3}))?/?$`);
    const [, bucket, prefix = null] = pattern.exec(text) ?? [];
    return bucket === undefined ? undefined : { bucket, prefix };
  },
};

/** @throws {Error} with a message for people. */
export function readStoreAddress(text: string): StoreAddress {
  const address = storeAddress.parse(text);
  if (address === undefined) throw new Error(`${JSON.stringify(text)}: expected ${storeAddress.expected}`);
  return address;
}

/** A PostgreSQL address, or a data folder for SQLite. */
export type DatabaseAddress = { databaseUrl: string } | { dataFolder: string };

export const databaseAddress: Kind<DatabaseAddress> = {
  expected: `a data folder, or ${postgresUrl.expected}`,
  parse(text) {
    const databaseUrl = postgresUrl.parse(text);
    if (databaseUrl !== undefined) return { databaseUrl };
    const dataFolder = /^\w+:\/\//.test(text) ? undefined : path.parse(text);
    return dataFolder === undefined ? undefined : { dataFolder };
  },
};
