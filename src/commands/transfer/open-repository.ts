import path from "node:path";
import type { Repository } from "../../backup/repository.ts";
import type { Config } from "../../config.ts";
import { readStoreAddress } from "./addresses.ts";

/** Opens the repository at the address that a command line names, for as long as `work` takes. */
export async function withRepository<T>(
  config: Config,
  address: string,
  work: (repository: Repository) => Promise<T>,
): Promise<T> {
  const [{ Repository: Opened }, { openFilesAt }] = await Promise.all([
    import("../../backup/repository.ts"),
    import("../../files/open-files.ts"),
  ]);
  const key = config.backupKeyFile === null ? null : await readKey(config.backupKeyFile);
  const store = await openFilesAt(config, readStoreAddress(address));
  try {
    return await work(await Opened.open(store, key));
  } finally {
    await store.close();
  }
}

/** The encryption is loaded only if it is used. */
async function readKey(file: string) {
  const { readKeyFile } = await import("../../backup/encryption.ts");
  return readKeyFile(file);
}

/** The address without a relative path, for people and for records. */
export function nameOfRepository(address: string): string {
  const read = readStoreAddress(address);
  return "folder" in read ? path.resolve(read.folder) : address.replace(/\/$/, "");
}
