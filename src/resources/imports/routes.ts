import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { listContent } from "../../http/collection.ts";
import { Created } from "../../http/answer.ts";
import { membersIn } from "../../http/fields/fields.ts";
import { bodyOf } from "../../http/request/body.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { writing } from "../../http/request/viewer.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { content } from "../../http/response/representation.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { processAgainFields, reportFields, uploadFields } from "./fields.ts";
import { processAgain } from "./process-again.ts";
import { filterIn, getImport, getProgress, presentFiles, presentImports } from "./read-imports.ts";
import * as shapes from "./schema.ts";
import { listImportFiles, listImports } from "./store.ts";
import { openUpload, reportUpload } from "./upload-imports.ts";
import { importFileList, importInstance, importList, processAgainView } from "./views.ts";

const reading = "signed in";

export const importPaths = [
  "/api/imports/",
  "/api/imports/:id/",
  "/api/imports/:id/files/",
  "/api/imports/:id/process/",
] as const;

/** Imports of folders, archives, mailboxes and lists, and what has become of their files. */
export function importRoutes(app: FastifyInstance, context: Context): void {
  const { database } = context;

  resourceRoute(app, {
    path: "/api/imports/",
    view: importList,
    reading,
    get: {
      schema: shapes.listing,
      answer: (request, viewer) =>
        listContent(request, {
          find: (cursor, limit) => listImports(database, viewer, cursor, limit),
          present: (rows) => presentImports(context, viewer, rows),
          offers: viewer.mayWrite ? ["POST"] : [],
          way: "descending",
        }),
    },
    post: {
      schema: shapes.opening,
      async answer(request, viewer) {
        const id = await openUpload(context, viewer, membersIn(uploadFields, bodyOf(request)));
        return new Created(id, content(await getProgress(context, viewer, id)));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/imports/:id/",
    view: importInstance,
    reading,
    get: {
      schema: shapes.reading,
      answer: (request, viewer) => getProgress(context, viewer, idIn(request, "id")),
    },
  });

  fileRoutes(app, context);

  resourceRoute(app, {
    path: "/api/imports/:id/process/",
    view: processAgainView,
    reading,
    post: {
      schema: shapes.processing,
      async answer(request, sender) {
        const viewer = writing(sender);
        const { row } = await getImport(context, viewer, idIn(request, "id"));
        await processAgain(context, viewer, row.id, membersIn(processAgainFields, bodyOf(request)));
        return getProgress(context, viewer, row.id);
      },
    },
  });
}

function fileRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context;

  resourceRoute(app, {
    path: "/api/imports/:id/files/",
    view: importFileList,
    reading,
    get: {
      schema: shapes.listingFiles,
      async answer(request, viewer) {
        const { row } = await getImport(context, viewer, idIn(request, "id"));
        const filter = filterIn(queryOf(request));
        const { web } = addressesOf(config, request);
        return listContent(request, {
          find: (cursor, limit) => listImportFiles(database, row.id, filter, cursor, limit),
          present: (rows) => presentFiles(context, viewer, web, rows),
        });
      },
    },
    post: {
      schema: shapes.reporting,
      async answer(request, viewer) {
        const id = idIn(request, "id");
        await reportUpload(context, viewer, id, membersIn(reportFields, bodyOf(request)));
        return getProgress(context, viewer, id);
      },
    },
  });
}
