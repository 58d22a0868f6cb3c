/** What was asked of the disk; null where the path leads to nothing, or through a file as if it were a folder. */
export async function unlessAbsent<T>(outcome: Promise<T>): Promise<T | null> {
  try {
    return await outcome;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
}
