import { createCipheriv, createHash, randomBytes } from "node:crypto";

/* The encrypting side of PDF's standard security handler, for tests. ISO 32000-2, 7.6. */

/**
 * The revisions of the handler: RC4 with 40 and 128 bits, AES with 128, AES with 256 in its first form and its last.
 */
export type EncryptionKind = "rc4-40" | "rc4-128" | "aes-128" | "aes-256-r5" | "aes-256";

export interface Encryption {
  kind: EncryptionKind;
  /** The password that opens the file. Without it, the file opens without a password. */
  userPassword?: string;
  ownerPassword?: string;
}

export interface Lock {
  id: Buffer;
  dictionary: string;
  close(bytes: Uint8Array, objectNumber: number): Buffer;
}

const padding = Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex");
const permissions = -44;

export function newLock({ kind, userPassword = "", ownerPassword = "owner" }: Encryption): Lock {
  return kind === "aes-256" || kind === "aes-256-r5"
    ? newAes256Lock(kind === "aes-256" ? 6 : 5, userPassword, ownerPassword)
    : newOldLock(kind, userPassword, ownerPassword);
}

/** Revisions 2 to 4: keys come from MD5 and RC4, and the key of each object from that of the file. */
function newOldLock(kind: "rc4-40" | "rc4-128" | "aes-128", user: string, owner: string): Lock {
  const { version, revision, keyBytes } = {
    "rc4-40": { version: 1, revision: 2, keyBytes: 5 },
    "rc4-128": { version: 2, revision: 3, keyBytes: 16 },
    "aes-128": { version: 4, revision: 4, keyBytes: 16 },
  }[kind];
  const rounds = revision === 2 ? 0 : 50;
  const id = md5(Buffer.from("an identifier"));
  const padded = (password: string): Buffer =>
    Buffer.concat([Buffer.from(password, "latin1"), padding]).subarray(0, 32);
  const hashed = (bytes: Buffer): Buffer => {
    let hash = md5(bytes).subarray(0, keyBytes);
    for (let round = 0; round < rounds; round++) hash = md5(hash).subarray(0, keyBytes);
    return hash;
  };
  const wrapped = (key: Buffer, bytes: Buffer): Buffer => {
    let result = rc4(key, bytes);
    const wraps = revision === 2 ? 1 : 20;
    for (let wrap = 1; wrap < wraps; wrap++)
      result = rc4(
        key.map((byte) => byte ^ wrap),
        result,
      );
    return result;
  };
  const ownerEntry = wrapped(hashed(padded(owner)), padded(user));
  const flags = Buffer.alloc(4);
  flags.writeInt32LE(permissions);
  const key = hashed(Buffer.concat([padded(user), ownerEntry, flags, id]));
  const userEntry =
    revision === 2
      ? rc4(key, padding)
      : Buffer.concat([wrapped(key, md5(Buffer.concat([padding, id]))), Buffer.alloc(16)]);
  const filters =
    version === 4
      ? "/CF << /StdCF << /CFM /AESV2 /AuthEvent /DocOpen /Length 16 >> >> /StmF /StdCF /StrF /StdCF "
      : "";
  return {
    id,
    dictionary:
      `<< /Filter /Standard /V ${version} /R ${revision} /Length ${keyBytes * 8} /P ${permissions} ${filters}` +
      `/O ${hexadecimal(ownerEntry)} /U ${hexadecimal(userEntry)} >>`,
    close(bytes, objectNumber) {
      const salt = Buffer.alloc(5);
      salt.writeUIntLE(objectNumber, 0, 3);
      const isAes = version === 4;
      const parts = [key, salt, ...(isAes ? [Buffer.from("sAlT")] : [])];
      const objectKey = md5(Buffer.concat(parts)).subarray(0, Math.min(16, keyBytes + 5));
      return isAes ? aes("aes-128-cbc", objectKey, bytes) : rc4(objectKey, bytes);
    },
  };
}

/** Revisions 5 and 6: the key of the file is random, and stored encrypted with each of the passwords. */
function newAes256Lock(revision: 5 | 6, user: string, owner: string): Lock {
  const key = randomBytes(32);
  const hash = revision === 5 ? sha256 : hardenedHash;
  const entriesOf = (password: Buffer, more: Buffer): { check: Buffer; wrapped: Buffer } => {
    const [checkSalt, keySalt] = [randomBytes(8), randomBytes(8)];
    const check = hash(password, Buffer.concat([checkSalt, more]), more);
    const cipher = createCipheriv(
      "aes-256-cbc",
      hash(password, Buffer.concat([keySalt, more]), more),
      Buffer.alloc(16),
    );
    cipher.setAutoPadding(false);
    return {
      check: Buffer.concat([check, checkSalt, keySalt]),
      wrapped: Buffer.concat([cipher.update(key), cipher.final()]),
    };
  };
  const ofUser = entriesOf(Buffer.from(user), Buffer.alloc(0));
  const ofOwner = entriesOf(Buffer.from(owner), ofUser.check);
  const flags = Buffer.alloc(16, 0xff);
  flags.writeInt32LE(permissions);
  flags.write("Tadb", 8, "latin1");
  const cipher = createCipheriv("aes-256-ecb", key, null);
  cipher.setAutoPadding(false);
  const sealed = Buffer.concat([cipher.update(flags), cipher.final()]);
  const entries = {
    U: ofUser.check,
    UE: ofUser.wrapped,
    O: ofOwner.check,
    OE: ofOwner.wrapped,
    Perms: sealed,
  };
  return {
    id: md5(Buffer.from("an identifier")),
    dictionary:
      `<< /Filter /Standard /V 5 /R ${revision} /Length 256 /P ${permissions} ` +
      "/CF << /StdCF << /CFM /AESV3 /AuthEvent /DocOpen /Length 32 >> >> /StmF /StdCF /StrF /StdCF " +
      `${Object.entries(entries)
        .map(([name, bytes]) => `/${name} ${hexadecimal(bytes)}`)
        .join(" ")} >>`,
    close: (bytes) => aes("aes-256-cbc", key, bytes),
  };
}

const sha256 = (password: Buffer, salt: Buffer): Buffer =>
  createHash("sha256").update(password).update(salt).digest();

/** The hash of revision 6: at least 64 rounds of AES and of a SHA-2 variant that the round before chooses. */
function hardenedHash(password: Buffer, salt: Buffer, more: Buffer): Buffer {
  let key = sha256(password, salt);
  for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
    const block = Buffer.concat([password, key, more]);
    const repeated = Buffer.concat(Array.from({ length: 64 }, () => block));
    const cipher = createCipheriv("aes-128-cbc", key.subarray(0, 16), key.subarray(16, 32));
    cipher.setAutoPadding(false);
    const mixed = Buffer.concat([cipher.update(repeated), cipher.final()]);
    const remainder = mixed.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = createHash(["sha256", "sha384", "sha512"][remainder] ?? "sha256")
      .update(mixed)
      .digest();
    last = mixed.at(-1) ?? 0;
  }
  return key.subarray(0, 32);
}

function aes(algorithm: "aes-128-cbc" | "aes-256-cbc", key: Buffer, bytes: Uint8Array): Buffer {
  const start = randomBytes(16);
  const cipher = createCipheriv(algorithm, key, start);
  return Buffer.concat([start, cipher.update(bytes), cipher.final()]);
}

const md5 = (bytes: Uint8Array): Buffer => createHash("md5").update(bytes).digest();

export const hexadecimal = (bytes: Uint8Array): string => `<${Buffer.from(bytes).toString("hex")}>`;

function rc4(key: Uint8Array, bytes: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const at = (index: number) => state[index & 255] ?? 0;
  const swap = (a: number, b: number) => {
    [state[a & 255], state[b & 255]] = [at(b), at(a)];
  };
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255;
    swap(i, j);
  }
  let mixed = 0;
  const mixIn = (byte: number, index: number) => {
    mixed = (mixed + at(index + 1)) & 255;
    swap(index + 1, mixed);
    return byte ^ at(at(index + 1) + at(mixed));
  };
  return Buffer.from(bytes.map(mixIn));
}
