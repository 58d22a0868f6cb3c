/**
 * The files cannot be reached at the moment, or not with our permissions. Nothing is known about them, and they are
 * unchanged.
 */
export class FilesUnavailableError extends Error {
  override readonly name = "FilesUnavailableError";
}
