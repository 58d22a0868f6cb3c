import { stat } from "node:fs/promises";
import { UnreadableFileError, unreachableFile } from "./unreadable-file.ts";

/**
 * Checks a file before it is opened, because opening a pipe or a device may never end.
 *
 * @throws {UnreadableFileError}
 */
export async function checkFile(path: string, fileLimitMb = 501): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw unreachableFile(error);
  });
  if (!found.isFile()) throw new UnreadableFileError("unreachable", "not a file");
  if (found.size === 0) throw new UnreadableFileError("empty", "empty: it has no bytes");
  if (found.size > fileLimitMb * 1024 * 1024) {
    throw new UnreadableFileError("too-large", `larger than ${fileLimitMb} MB`);
  }
}
