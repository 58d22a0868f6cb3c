import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

/** The SHA-1 of a local file, in hexadecimal; it identifies the file. */
export async function sha1OfFile(file: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash("sha1");
  for await (const chunk of createReadStream(file, signal && { signal })) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
