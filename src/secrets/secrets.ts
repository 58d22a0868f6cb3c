import { type KeyObject, createSecretKey, hash, hkdfSync, randomBytes, randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, rm } from "node:fs/promises";
import path from "node:path";

/** A key for one purpose. */
export interface SigningKey {
  /** Tells the keys of a purpose apart and gives nothing away. */
  id: string;
  key: KeyObject;
}

/** In characters. */
export const minSecretLength = 32;

/**
 * What Quire signs with. There may be several secrets: the first signs, all are believed, so that a new one can be put
 * before the old one, and the old one be taken away once nothing that it signed is good any more.
 *
 * No secret is used itself. Each purpose has keys of its own, derived from it, so that what was signed for one never
 * counts for another.
 */
export class Secrets {
  readonly #secrets: readonly string[];

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  /** The secrets that a setting gives, or those in the data folder, where one is made if there is none. */
  static async open(dataFolder: string, given: readonly string[] | null): Promise<Secrets> {
    return new Secrets(given ?? (await secretsInFile(dataFolder)));
  }

  /** The first of them signs; what any of them signed is good. */
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

/** Written aside and then linked: of processes that start together one makes the file, and none reads half of it. */
async function makeSecret(file: string): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true });
  const aside = `${file}.${randomUUID()}.part`;
  try {
    const handle = await open(aside, "wx", 0o600);
    try {
      await handle.writeFile(`${randomBytes(48).toString("base64url")}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await link(aside, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(aside, { force: true });
  }
  return readFile(file, "utf8");
}
