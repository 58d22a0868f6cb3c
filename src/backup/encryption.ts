import { createHmac, hkdfSync } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import type { Codec } from "./codec.ts";
import { WrongContentError } from "./hashes.ts";

/*
 * An encrypted repository consists of files in the age format, which `age --decrypt --identity <key file>` can read.
 *
 * The name of an object is not the hash of its content, because a hash would tell a stranger whether the repository has
 * a certain file. It is an HMAC of that hash, with a key that is derived from the key file.
 *
 * Only the key file has the public key that everything is encrypted for. So nobody else can make a file that decrypts.
 */

/** The key of a repository, from a key file as age-keygen writes it. */
export interface RepositoryKey {
  /** Equal for equal keys. It reveals nothing about the key. */
  readonly id: string;
  readonly codec: Codec;
}

/** @throws {Error} with a message for people. */
export async function readKeyFile(file: string): Promise<RepositoryKey> {
  const lines = (await readFile(file, "utf8")).split("\n").map((line) => line.trim());
  const [identity, ...others] = lines.filter((line) => line !== "" && !line.startsWith("#"));
  if (identity === undefined || others.length > 0 || !/^AGE-SECRET-KEY-(?:PQ-)?1[\dA-Z]+$/.test(identity)) {
    throw new Error(`${file} is not a key file: expected one line that begins with AGE-SECRET-KEY-`);
  }
  try {
    return await keyOf(identity);
  } catch (error) {
    throw new Error(`${file} is not a key file: its key is mistyped or incomplete`, { cause: error });
  }
}

/** Writes a new key into a new file that only its owner may read. Fails if the file exists. */
export async function writeKeyFile(file: string): Promise<void> {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  const text = `# created: ${new Date().toISOString()}\n# public key: ${recipient}\n${identity}\n`;
  await writeFile(file, text, { mode: 0o600, flag: "wx", flush: true });
}

async function keyOf(identity: string): Promise<RepositoryKey> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(await identityToRecipient(identity));
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  const derived = (purpose: string): Buffer =>
    Buffer.from(hkdfSync("sha256", identity, "", `quire backup ${purpose}`, 32));
  const nameKey = derived("names");
  const empty = await encrypter.encrypt(ReadableStream.from<Uint8Array>([]));
  await empty.cancel();
  const codec: Codec = {
    suffix: ".age",
    name: (sha256) => createHmac("sha256", nameKey).update(sha256, "hex").digest("hex"),
    encode: async function* encode(bytes) {
      yield* await encrypter.encrypt(ReadableStream.from(bytes));
    },
    decode: (bytes, key) => decrypted(decrypter, bytes, key),
    storedSize: (bytes) => empty.size(bytes),
  };
  return { id: derived("id").toString("hex").slice(0, 16), codec };
}

/** Tells failures to read from failures to decrypt. */
async function* decrypted(
  decrypter: Decrypter,
  bytes: AsyncIterable<Uint8Array>,
  key: string,
): AsyncGenerator<Uint8Array> {
  const failures: unknown[] = [];
  const watched = async function* watched(): AsyncGenerator<Uint8Array> {
    try {
      yield* bytes;
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
  try {
    yield* await decrypter.decrypt(ReadableStream.from(watched()));
  } catch (error) {
    if (failures.length > 0) throw failures[0];
    throw new WrongContentError(`${key} cannot be decrypted`, { cause: error });
  }
}
