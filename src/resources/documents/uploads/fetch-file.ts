import type { Context } from "../../../context.ts";
import { ApiError } from "../../../errors.ts";
import { FilesUnavailableError } from "../../../files/files-unavailable.ts";
import { LeaseLostError } from "../../../jobs/lease.ts";
import { type RemoteFile, fetchRemote } from "../../../remote/fetch-remote.ts";
import { RemoteError } from "../../../remote/remote-error.ts";

/** How long the remote server may stay silent. */
const idleSeconds = 30;

/**
 * Fetches the file at an address within the limits of uploads, and passes it to `store`. Returns false if `store` has
 * found that the document no longer takes the file: it threw 404 or 409.
 *
 * @throws {RemoteError} with a reason for a person.
 */
export async function fetchFile(
  { config }: Pick<Context, "config">,
  address: string,
  signal: AbortSignal,
  store: (file: RemoteFile) => Promise<void>,
): Promise<boolean> {
  const limits = {
    bytes: config.uploadLimitMb * 1024 * 1024,
    timeSeconds: config.fetchTimeLimitSeconds,
    idleSeconds,
  };
  const allowedHosts = config.fetchAllowedHosts ?? [];
  try {
    await using file = await fetchRemote(address, { limits, allowedHosts }, signal);
    await store(file);
    return true;
  } catch (error) {
    const isOfOthers = error instanceof LeaseLostError || error instanceof FilesUnavailableError;
    if (isOfOthers || signal.aborted) throw error;
    if (error instanceof RemoteError) throw error;
    const status = error instanceof ApiError ? error.status : null;
    if (status === 404 || status === 409) return false;
    const message = status === 507 ? "There is no room for the file" : "The file could not be stored";
    throw new RemoteError(message, { isFinal: false, cause: error });
  }
}
