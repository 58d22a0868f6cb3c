import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { listContent } from "../../http/collection.ts";
import { readSelection } from "../../http/request/expansion.ts";
import { fileRoute } from "../../http/file-route.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { invalidChoice } from "../documents/list/filters.ts";
import { type ExportFormat, exportFormats } from "./export-notes.ts";
import { allNotes, findNotePage, presentFoundNotes, readNoteQuery } from "./find-notes.ts";
import * as shapes from "./schema.ts";
import { noteExport, allNotes as allNotesView } from "./views.ts";

/** The notes on all documents, as a list and as a file. */
export function allNotesRoutes(app: FastifyInstance, context: Context): void {
  const { config } = context;

  resourceRoute(app, {
    path: "/api/notes/",
    view: allNotesView,
    takesLongQuery: true,
    get: {
      schema: shapes.listingAll,
      async answer(request, viewer) {
        const query = queryOf(request);
        const { web } = addressesOf(config, request);
        const noteQuery = await readNoteQuery(context, viewer, query, web);
        // A search may depend on the time.
        if (noteQuery.filters.search !== undefined) request.dependsOnTime = true;
        const selection = readSelection(query);
        return listContent(request, {
          find: (cursor, limit) => findNotePage(context, noteQuery, cursor, limit),
          present: async (rows) =>
            (await presentFoundNotes(context, noteQuery, rows)).map((note) => selection.of(note)),
          way: "descending",
        });
      },
    },
  });

  fileRoute(app, {
    path: "/api/notes/export/",
    view: noteExport,
    published: shapes.exporting,
    takesLongQuery: true,
    async handler(request, reply) {
      request.dependsOnTime = true;
      const query = queryOf(request);
      const name = query.last("as") ?? "json";
      if (!isFormat(name)) throw invalidChoice("as", name);
      const { web } = addressesOf(config, request);
      const expanded = query.with("expand", "user");
      const noteQuery = await readNoteQuery(context, request.viewer, expanded, web);
      const { type, write } = exportFormats[name];
      reply.headers({
        "content-type": type,
        "content-disposition": `attachment; filename="notes.${name}"`,
        "cache-control": "no-store",
      });
      if (request.method === "HEAD") return reply.send();
      const pages = allNotes(context, noteQuery);
      // An error of the first query is a response of its own; a later one breaks the stream off.
      const first = await pages.next();
      return reply.send(Readable.from(write(startingWith(first.value ?? [], pages)), { objectMode: false }));
    },
  });
}

async function* startingWith<T>(first: T, others: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* others;
}

function isFormat(name: string): name is ExportFormat {
  return Object.hasOwn(exportFormats, name);
}
