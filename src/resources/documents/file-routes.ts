import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Database } from "../../database/database.ts";
import { notFound } from "../../errors.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { type Published, type PublishedRoute, schemaOf } from "../../http/schema/published-operation.ts";
import { type DocumentRow, findDocument } from "./store.ts";

/** The document that the path names as `:id`. Throws 404 if there is none, or the viewer may not see it. */
export async function documentIn(
  request: FastifyRequest,
  database: Database,
  viewer: Viewer = request.viewer,
): Promise<DocumentRow> {
  const document = await findDocument(database, viewer, idIn(request, "id"));
  if (document === null) throw notFound();
  return document;
}

/** An address that sends something about one document that is no JSON of the API. */
export interface DocumentFile extends Pick<PublishedRoute, "path" | "parameters"> {
  published: Published;
  takesLongQuery?: boolean;
  /** Sends it (see `sendText` and `sendLongText`). The viewer may see the document. */
  send: (
    document: DocumentRow,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => FastifyReply | Promise<FastifyReply>;
}

/** Registers a {@link DocumentFile}. It finds the document for the viewer, so no such address can forget the rights. */
export function documentFile(app: FastifyInstance, database: Database, file: DocumentFile): void {
  const { path, published, takesLongQuery = false, send } = file;
  const options = { schema: schemaOf(file, "GET", published), config: { takesLongQuery } };
  app.get(path, options, async (request, reply) => send(await documentIn(request, database), request, reply));
}
