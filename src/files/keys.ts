/** An invalid key. */
export class FileKeyError extends Error {
  override readonly name = "FileKeyError";
}

/** The folder of a document's files. */
export function documentFolder(id: number): string {
  return `documents/${id}`;
}

/** The key of a document's original: a PDF is also the file that readers see, any other type is stored beside it. */
export function documentFileKey(id: number, slug: string, extension: string): string {
  return extension === "pdf"
    ? `${documentFolder(id)}/${slug}.pdf`
    : `${documentFolder(id)}/original/${slug}.${extension}`;
}

/** The folder of a file that is to replace a document's file, until it has been read. */
export function replacementFolder(id: number): string {
  return `${documentFolder(id)}/replacement`;
}

/** The key of a file that is to replace a document's file. */
export function replacementFileKey(id: number, extension: string): string {
  return `${replacementFolder(id)}/file.${extension}`;
}

/** The folder of what a redaction has made of a document so far. */
export function redactionFolder(id: number): string {
  return `${documentFolder(id)}/redaction`;
}

/**
 * The segments of a key, outermost first. Only ASCII letters, digits and `.`, `_`, `-` are allowed, and no segment
 * starts with a dot: so a key never leaves its store, and means the same file on every file system and in a URL.
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
