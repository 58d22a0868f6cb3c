/**
 * The reason why a file could not be fetched, in words for the user. The message reveals nothing about the internal
 * network. An unknown name and an internal name have the same message, and so do all ways in which a server does not
 * answer.
 */
export class RemoteError extends Error {
  override readonly name = "RemoteError";
  /** Another attempt would fail in the same way. */
  readonly isFinal: boolean;

  constructor(message: string, { isFinal, cause }: { isFinal: boolean; cause?: unknown }) {
    super(message, { cause });
    this.isFinal = isFinal;
  }
}

/**
 * For an address that is not public or a name that does not exist. The message does not tell which, to hide internal
 * names.
 */
export const notPublic = "The address of the file leads to nothing on the public internet";
export const unanswered =
  "The server at the address of the file does not answer, or not as a web server should";
export const brokenOff = "The file broke off before its end";

export function refused(why: string): RemoteError {
  return new RemoteError(notPublic, { isFinal: true, cause: new Error(why) });
}

export function failedForGood(message: string): RemoteError {
  return new RemoteError(message, { isFinal: true });
}
