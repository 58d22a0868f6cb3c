import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

/** The SHA-1 of a file on this machine's disk, in hexadecimal digits: by it, a file is known again. */
export async function sha1OfFile(place: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash("sha1");
  for await (const chunk of createReadStream(place, signal && { signal })) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
