/**
 * Why a file could not be fetched, in words for whoever asked for it: they say nothing of what is inside the network
 * that this server is in. A name that there is not and one of something inside read the same, and so do all ways in
 * which a server does not answer.
 */
export class RemoteError extends Error {
  override readonly name = "RemoteError";
  /** Another attempt would end in it too. */
  readonly isFinal: boolean;

  constructor(message: string, { isFinal, cause }: { isFinal: boolean; cause?: unknown }) {
    super(message, { cause });
    this.isFinal = isFinal;
  }
}

/** Not public, or nothing at all: which of the two is not said, since names inside are nobody's business either. */
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
