import { type KeyObject, createSecretKey, hash, hkdfSync, randomBytes, randomUUID } from "node:crypto";
import { link, open, readFile, rm } from "node:fs/promises";
import path from "node:path";

/** A signing key for one purpose. */
export interface SigningKey {
  /** Identifies the key among those of its purpose, and reveals nothing about it. */
  id: string;
  key: KeyObject;
}

/** In characters. */
export const minSecretLength = 32;

/**
 * The secrets that Quire signs with. The first one signs, and all of them verify. To replace a secret, put the new one
 * first, and remove the old one once everything that it signed has expired.
 *
 * A secret is never used directly. The keys of each purpose are derived from it, so a signature for one purpose is
 * never valid for another.
 */
export class Secrets {
  readonly #secrets: readonly string[];

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  /**
   * The secrets from the setting, or those in the data folder. If there are none, one is created in the data
   * folder, which must exist.
   */
  static async open(dataFolder: string, setting: readonly string[] | null): Promise<Secrets> {
    return new Secrets(setting ?? (await secretsInFile(dataFolder)));
  }

  /** The first key signs, and all of them verify. */
  keysFor(purpose: string): readonly [SigningKey, ...SigningKey[]] {
    const keys = this.#secrets.map((secret) => {
      const bytes = Buffer.from(hkdfSync("sha256", secret, "quire", purpose, 32));
      return { id: hash("sha256", bytes, "hex").slice(0, 8), key: createSecretKey(bytes) };
    });
    return keys as unknown as readonly [SigningKey, ...SigningKey[]];
  }
}

async function secretsInFile(dataFolder: string): Promise<string[]> {
  const file = path.join(dataFolder, "secret");
  const text = (await textOf(file)) ?? (await makeSecret(file));
  const secrets = text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  if (secrets.length === 0 || secrets.some((secret) => secret.length < minSecretLength)) {
    throw new Error(`${file}: expected a secret of ${minSecretLength} characters or more on each line`);
  }
  return secrets;
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/**
 * Writes a temporary file and links it. Of several processes that start together, one creates the file, and none reads
 * a partial one.
 */
async function makeSecret(file: string): Promise<string> {
  const temporary = `${file}.${randomUUID()}.part`;
  try {
    const handle = await open(temporary, "wx", 0o600);
    try {
      await handle.writeFile(`${randomBytes(48).toString("base64url")}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await link(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  return readFile(file, "utf8");
}
