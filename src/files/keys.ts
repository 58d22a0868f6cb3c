/** A key that no store takes. */
export class FileKeyError extends Error {
  override readonly name = "FileKeyError";
}

/** Where all that belongs to a document is. */
export function documentFolder(id: number): string {
  return `documents/${id}`;
}

/** Where a document's original is: a PDF is also what readers see, anything else waits beside it. */
export function documentFileKey(id: number, slug: string, extension: string): string {
  return extension === "pdf"
    ? `${documentFolder(id)}/${slug}.pdf`
    : `${documentFolder(id)}/original/${slug}.${extension}`;
}

/**
 * The names that a key consists of, from the outside in. Only plain letters, digits and `.`, `_`, `-` are taken, and no
 * name begins with a dot: so a key never leaves its store, and means the same file on every file system and in a URL.
 *
 * @throws {FileKeyError}
 */
export function namesInKey(key: string): string[] {
  const names = key.split("/");
  if (!names.every((name) => /^[\w-][\w.-]*$/.test(name))) {
    throw new FileKeyError(`not the key of a file: ${JSON.stringify(key.slice(0, 200))}`);
  }
  return names;
}
