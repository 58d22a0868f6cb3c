import type { FastifyInstance } from "fastify";
import { Comparison, SimilarDocuments } from "../../../contract/comparing.ts";
import type { Context } from "../../../context.ts";
import { invalidFields, notFound } from "../../../errors.ts";
import { type View, queryOf } from "../../../http/browsable/view.ts";
import { ErrorReason, FieldErrors } from "../../../http/fields/schema-shapes.ts";
import { Type } from "../../../http/fields/json-schema.ts";
import { resourceRoute } from "../../../http/resource-route.ts";
import { addressesOf } from "../../../http/text/addresses.ts";
import { documentIn } from "../file-routes.ts";
import { findDocument } from "../store.ts";
import { compareDocuments, similarDocuments } from "./similar-documents.ts";

const maxSimilar = 100;

const similarList: View = {
  name: "Similar Documents",
  description: "The documents whose text is nearly that of this one, such as other versions of it.",
};

const comparison: View = {
  name: "Comparison",
  description: "The texts of this document and another one, line by line, with the words that differ.",
};

const findingSimilar = {
  summary: "Documents whose text is nearly that of this one",
  gives: SimilarDocuments,
  also: { 503: ErrorReason },
};

const comparing = {
  summary: "Compare the texts of two documents",
  query: {
    with: Type.Integer({ minimum: 1, description: "the id of the other document", examples: [1] }),
  },
  gives: Comparison,
  also: { 400: FieldErrors },
};

export function similarRoutes(app: FastifyInstance, { config, database }: Context): void {
  resourceRoute(app, {
    path: "/api/documents/:id/similar/",
    view: similarList,
    get: {
      schema: findingSimilar,
      async answer(request, viewer) {
        const { id } = await documentIn(request, database);
        const { web } = addressesOf(config, request);
        return { results: await similarDocuments(database, viewer, id, { web, max: maxSimilar }) };
      },
    },
  });

  resourceRoute(app, {
    path: "/api/documents/:id/comparison/",
    view: comparison,
    get: {
      schema: comparing,
      async answer(request, viewer) {
        const document = await documentIn(request, database);
        const other = queryOf(request).last("with") ?? "";
        if (!/^\d{1,15}$/.test(other)) throw invalidFields({ with: ["Give the id of a document."] });
        const compared = await findDocument(database, viewer, Number(other));
        if (compared === null) throw notFound();
        return compareDocuments(database, document.id, compared.id);
      },
    },
  });
}
