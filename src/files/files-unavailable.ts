/** The files cannot be reached for now, or not by us: nothing is known of them, and nothing has happened to them. */
export class FilesUnavailableError extends Error {
  override readonly name = "FilesUnavailableError";
}
