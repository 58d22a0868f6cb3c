/** How the content of a repository is stored: as it is, or encrypted. */
export interface Codec {
  /** The end of the names of stored files. */
  readonly suffix: string;
  /** The name of the object whose content has this SHA-256, in hexadecimal digits. */
  name(sha256: string): string;
  encode(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** The stream ends with a WrongContentError if the bytes cannot be decoded. `key` is for its message. */
  decode(bytes: AsyncIterable<Uint8Array>, key: string): AsyncIterable<Uint8Array>;
  /** The stored size of a content of this size, in bytes. */
  storedSize(bytes: number): number;
}

export const plain: Codec = {
  suffix: "",
  name: (sha256) => sha256,
  encode: (bytes) => bytes,
  decode: (bytes) => bytes,
  storedSize: (bytes) => bytes,
};
