import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { credentialsRequired } from "../../errors.ts";
import { Created } from "../../http/answer.ts";
import { listContent } from "../../http/collection.ts";
import { membersIn } from "../../http/fields/fields.ts";
import { fileRoute } from "../../http/file-route.ts";
import { bodyOf } from "../../http/request/body.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { content } from "../../http/response/representation.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { productionFields } from "./fields.ts";
import { createProduction } from "./plan-production.ts";
import { presentNumbers } from "./present.ts";
import { productionZip } from "./production-zip.ts";
import {
  checkNumbersShown,
  getReadyProduction,
  presentDocuments,
  presentNow,
  presentProductions,
} from "./read-productions.ts";
import { removeOwnProduction } from "./remove-productions.ts";
import * as shapes from "./schema.ts";
import { listNumbers, listProduced, ownProductions } from "./store.ts";
import { numbersView, producedList, productionInstance, productionList, productionZipView } from "./views.ts";

const reading = "signed in";

export const productionPaths = [
  "/api/productions/",
  "/api/productions/:id/",
  "/api/productions/:id/documents/",
  "/api/productions/:id/zip/",
  "/api/documents/:id/bates/",
] as const;

/** Production sets: documents with a number for each page, as lawyers hand them over. */
export function productionRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context;

  resourceRoute(app, {
    path: "/api/productions/",
    view: productionList,
    reading,
    get: {
      schema: shapes.listing,
      answer: (request, viewer) =>
        listContent(request, {
          find: (cursor, limit) => ownProductions.page(database, viewer, cursor, limit, { descending: true }),
          present: (rows) => presentProductions(context, rows, addressesOf(config, request).api),
          offers: viewer.mayWrite ? ["POST"] : [],
          way: "descending",
        }),
    },
    post: {
      schema: shapes.creating,
      async answer(request, viewer) {
        const members = membersIn(productionFields, bodyOf(request));
        const row = await createProduction(context, viewer, members);
        const { api } = addressesOf(config, request);
        return new Created(row.id, content(await presentNow(context, viewer, row, api)));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/productions/:id/",
    view: productionInstance,
    reading,
    get: {
      schema: shapes.reading,
      async answer(request, viewer) {
        const row = await ownProductions.get(database, viewer, { id: idIn(request, "id") });
        const shown = await presentNow(context, viewer, row, addressesOf(config, request).api);
        return content(shown, viewer.mayWrite ? ["DELETE"] : []);
      },
    },
    delete: {
      schema: shapes.removing,
      answer: (request, viewer) => removeOwnProduction(context, viewer, idIn(request, "id")),
    },
  });

  resourceRoute(app, {
    path: "/api/productions/:id/documents/",
    view: producedList,
    reading,
    get: {
      schema: shapes.listingDocuments,
      async answer(request, viewer) {
        const production = await ownProductions.get(database, viewer, { id: idIn(request, "id") });
        const { web } = addressesOf(config, request);
        return listContent(request, {
          find: (cursor, limit) => listProduced(database, production.id, cursor, limit),
          present: (rows) => presentDocuments(context, viewer, { production, web }, rows),
        });
      },
    },
  });

  zipRoute(app, context);
  numbersRoute(app, context);
}

function zipRoute(app: FastifyInstance, context: Context): void {
  fileRoute(app, {
    path: "/api/productions/:id/zip/",
    view: productionZipView,
    published: shapes.downloading,
    async handler(request, reply) {
      const { viewer } = request;
      if (viewer.kind === "anonymous") throw credentialsRequired();
      const production = await getReadyProduction(context, viewer, idIn(request, "id"));
      reply.headers({
        "content-type": "application/zip",
        "content-disposition": `attachment; filename="${production.volume}.zip"`,
        "cache-control": "private, no-store",
      });
      return reply.send(request.method === "HEAD" ? undefined : productionZip(context, production));
    },
  });
}

function numbersRoute(app: FastifyInstance, context: Context): void {
  resourceRoute(app, {
    path: "/api/documents/:id/bates/",
    view: numbersView,
    reading,
    get: {
      schema: shapes.listingNumbers,
      async answer(request, viewer: SignedInViewer) {
        const id = idIn(request, "id");
        await checkNumbersShown(context, viewer, id);
        return listContent(request, {
          find: (cursor, limit) => listNumbers(context.database, id, cursor, limit),
          present: (rows) => rows.map(presentNumbers),
        });
      },
    },
  });
}
