import type { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { Context } from "../../../context.ts";
import { invalidRequest, permissionDenied } from "../../../errors.ts";
import { idIn } from "../../../http/request/path-parameters.ts";
import { queryOf } from "../../../http/browsable/view.ts";
import { isActiveUser } from "../../users/account-store.ts";
import { LatestUploads } from "./latest-uploads.ts";
import { receiveFile } from "./receive-file.ts";
import type { UploadAddresses } from "../files/upload-addresses.ts";
import { uploading } from "./upload-schema.ts";

/** The route that files are uploaded to: raw bytes of any length and type, not JSON. */
export function uploadRoutes(app: FastifyInstance, context: Context, addresses: UploadAddresses): void {
  const uploads = new LatestUploads(context.semaphores);
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, bytes, done) => done(null, bytes));
    // Fastify would refuse a malformed content type before this route sees the request.
    scope.addHook("onRequest", async ({ raw }) => void delete raw.headers["content-type"]);
    scope.put("/uploads/documents/:id/*", { schema: uploading }, async (request, reply) => {
      const id = idIn(request, "id");
      const user = addresses.userOf(id, queryOf(request));
      const refuseInactive = async (): Promise<void> => {
        if (user === null || !(await isActiveUser(context.database.reader, user))) {
          throw permissionDenied("This upload address is invalid or has expired.");
        }
      };
      await refuseInactive();
      const bytes = request.body as Readable | undefined;
      if (bytes === undefined) throw invalidRequest("The file is empty.");
      const length = request.headers["content-length"];
      await uploads.receive(id, bytes, (received) =>
        receiveFile(
          context,
          id,
          thenCheck(received, refuseInactive),
          length === undefined ? null : Number(length),
        ),
      );
      return reply.code(200).send();
    });
  });
}

/**
 * Passes the bytes on and checks again at their end: receiving them may take long, and the sender's rights then count.
 */
async function* thenCheck(
  bytes: AsyncIterable<Uint8Array>,
  check: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  yield* bytes;
  await check();
}
