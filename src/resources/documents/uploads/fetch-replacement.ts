import type { Context } from "../../../context.ts";
import { replacementFileKey } from "../../../files/keys.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { extensionOfRemote } from "../files/remote-extension.ts";
import { addRewrite, findRewrite, isRemote, removeReplacement } from "../processing/rewrite-store.ts";
import { fetchFile } from "./fetch-file.ts";
import { type FileTarget, storeFile } from "./receive-file.ts";

/**
 * Fetches a file that is to replace a document's own, stores it beside that, and queues the job that puts it in place.
 * The commit that queues that job also completes this one. If the replacement was cancelled, nothing happens.
 *
 * @throws {RemoteError} with a reason for a person.
 */
export async function fetchReplacement(
  context: Pick<Context, "config" | "database" | "files" | "log">,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  const id = job.subject;
  const rewrite = await findRewrite(context.database.reader, id, "replace");
  if (rewrite === null || !isRemote(rewrite.plan)) return;
  const { userId, plan, statusBefore } = rewrite;
  await fetchFile(context, plan.address, signal, async (file) => {
    const extension = plan.extension ?? extensionOfRemote(file);
    const target: FileTarget = {
      key: replacementFileKey(id, extension),
      extension,
      checkBefore: (writer) => job.hold(writer),
      checkAfter: (writer) => job.hold(writer),
      async abandon(writer) {
        // Otherwise the next attempt stores the file again, or its failure removes it.
        if ((await findRewrite(writer, id, "replace")) === null) await removeReplacement(writer, id);
      },
    };
    await storeFile(context, id, target, {
      bytes: file.bytes,
      announcedBytes: file.length,
      async note(writer, arrived) {
        const replacement = { ...arrived, host: file.url.host };
        const rewriteOfFile = { kind: "replace", userId, plan: replacement, statusBefore } as const;
        await addRewrite(writer, id, { ...rewriteOfFile, options: job.options });
        await job.complete(writer);
      },
    });
  });
}
