/** The result of a file operation; null if the path does not exist or leads through a file. */
export async function unlessAbsent<T>(outcome: Promise<T>): Promise<T | null> {
  try {
    return await outcome;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
}
