import { bytesOfFile } from "./file-bytes.ts";
import { hashesOf } from "./hashed-bytes.ts";

/** The SHA-1 of a local file, in hexadecimal; it identifies the file. */
export async function sha1OfFile(file: string, signal?: AbortSignal): Promise<string> {
  return (await hashesOf(bytesOfFile(file, signal), "sha1")).sha1;
}
