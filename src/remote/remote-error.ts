/**
 * Why a file could not be fetched, in words for whoever asked for it: they say nothing of what is inside the network
 * that this server is in. A refused address and one where nobody answers read the same.
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

export const unfetchable = "The file could not be fetched from its address";

export function refused(why: string): RemoteError {
  return new RemoteError(unfetchable, { isFinal: true, cause: new Error(why) });
}

export function failedForGood(message: string): RemoteError {
  return new RemoteError(message, { isFinal: true });
}
