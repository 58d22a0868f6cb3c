import type { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import type { Context } from "../../../context.ts";
import { invalidRequest, permissionDenied } from "../../../errors.ts";
import { idIn } from "../../../http/request/path-parameters.ts";
import { queryOf } from "../../../http/browsable/view.ts";
import { LatestUploads } from "./latest-uploads.ts";
import { receiveFile } from "./receive-file.ts";
import type { UploadAddresses } from "../files/upload-addresses.ts";

const schema = {
  summary: "Put the file of a new document, at the address that came with it as presigned_url",
  params: Type.Object({ id: Type.String({ description: "the document's id" }) }),
  querystring: Type.Object({ expires: Type.String(), signature: Type.String() }),
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
      const query = queryOf(request);
      if (!addresses.isGood(id, query.last("expires"), query.last("signature"))) {
        throw permissionDenied("This address to upload to is not good, or not any more.");
      }
      const bytes = request.body as Readable | undefined;
      if (bytes === undefined) throw invalidRequest("The file is empty.");
      const length = request.headers["content-length"];
      await uploads.receive(id, bytes, (received) =>
        receiveFile(context, id, received, length === undefined ? null : Number(length)),
      );
      return reply.code(200).send();
    });
  });
}
