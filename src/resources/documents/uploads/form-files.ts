import type { Context } from "../../../context.ts";
import { isOutOfRoom, noRoom } from "../../../errors.ts";
import type { FileTaking } from "../../../http/request/body.ts";
import { writing } from "../../../http/request/viewer.ts";
import { makingOrganization } from "../record/create-documents.ts";
import { withinLimit } from "./receive-file.ts";

/**
 * Stores the file of a form in the uploads folder, because the document's other fields may come after it in the form.
 * `check` throws if the file is not wanted; by default, if the viewer cannot create documents.
 */
export function formFiles(
  { config, uploads }: Pick<Context, "config" | "uploads">,
  check: (request: Parameters<FileTaking["take"]>[0]) => unknown = ({ viewer }) =>
    makingOrganization(writing(viewer)),
): FileTaking {
  return {
    limit: config.uploadLimitMb * 1024 * 1024,
    async take(request, { name, bytes }) {
      await check(request);
      try {
        return { ...(await uploads.take(withinLimit(bytes, config.uploadLimitMb))), name };
      } catch (error) {
        throw isOutOfRoom(error) ? noRoom() : error;
      }
    },
    drop: (file) => uploads.drop(file.path),
  };
}
