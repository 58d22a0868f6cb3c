import type { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import type { Context } from "../../../context.ts";
import { invalidRequest, permissionDenied } from "../../../errors.ts";
import { idIn } from "../../../http/request/path-parameters.ts";
import { queryOf } from "../../../http/browsable/view.ts";
import { isActiveUser } from "../../users/account-store.ts";
import { LatestUploads } from "./latest-uploads.ts";
import { receiveFile } from "./receive-file.ts";
import type { UploadAddresses } from "../files/upload-addresses.ts";

const schema = {
  summary: "Put the file of a new document, at the address that came with it as presigned_url",
  params: Type.Object({ id: Type.String({ description: "the document's id" }) }),
  querystring: Type.Object({ viewer: Type.String(), expires: Type.String(), signature: Type.String() }),
};

/** Where files come in: not JSON, but bytes as they come, of any length and type. */
export function uploadRoutes(app: FastifyInstance, context: Context, addresses: UploadAddresses): void {
  const uploads = new LatestUploads();
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, bytes, done) => done(null, bytes));
    // A type that is not even written like one would be refused before the bytes are looked at.
    scope.addHook("onRequest", async ({ raw }) => void delete raw.headers["content-type"]);
    scope.put("/uploads/documents/:id/*", { schema }, async (request, reply) => {
      const id = idIn(request, "id");
      const user = addresses.userOf(id, queryOf(request));
      const refuseInactive = async (): Promise<void> => {
        if (user === null || !(await isActiveUser(context.database.reader, user))) {
          throw permissionDenied("This address to upload to is not good, or not any more.");
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

/** The bytes may take their time; what counts is what their sender may do when all have come. */
async function* thenCheck(
  bytes: AsyncIterable<Uint8Array>,
  check: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  yield* bytes;
  await check();
}
