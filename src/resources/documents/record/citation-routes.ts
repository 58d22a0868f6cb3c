import type { FastifyInstance } from "fastify";
import type { Context } from "../../../context.ts";
import { invalidFields } from "../../../errors.ts";
import { type View, queryOf } from "../../../http/browsable/view.ts";
import {
  FieldErrors,
  choiceParameter,
  inEither,
  integerParameter,
} from "../../../http/fields/schema-shapes.ts";
import { Type } from "../../../http/fields/json-schema.ts";
import { fileRoute } from "../../../http/file-route.ts";
import { addressesOf } from "../../../http/text/addresses.ts";
import { findOrganizationNames } from "../../organizations/store.ts";
import { documentIn } from "../file-routes.ts";
import { invalidChoice } from "../list/filters.ts";
import { type CitationFormatName, citationFormats, citationOf } from "./citation.ts";

const view: View = {
  name: "Citation",
  description: "A document, or a page of it, as programs for literature such as Zotero read it.",
};

const citing = {
  summary: "Cite a document or a page of it",
  query: {
    as: choiceParameter(Object.keys(citationFormats), "the format; csl (CSL-JSON) if not given"),
    page: integerParameter("the page to cite; the first is 1", { minimum: 1 }),
  },
  gives: inEither({
    "application/vnd.citationstyles.csl+json": Type.Array(
      Type.Object({
        id: Type.String(),
        type: Type.String(),
        title: Type.String(),
        author: Type.Optional(Type.Array(Type.Object({ literal: Type.String() }))),
        publisher: Type.String(),
        issued: Type.Object({ "date-parts": Type.Array(Type.Array(Type.Integer())) }),
        URL: Type.String(),
        language: Type.Optional(Type.String()),
        abstract: Type.Optional(Type.String()),
        "number-of-pages": Type.Optional(Type.Integer()),
        page: Type.Optional(Type.String()),
      }),
    ),
    "application/x-bibtex": Type.String(),
    "application/x-research-info-systems": Type.String(),
  }),
  also: { 400: FieldErrors },
};

export function citationRoutes(app: FastifyInstance, { config, database }: Context): void {
  fileRoute(app, {
    path: "/api/documents/:id/citation/",
    view,
    published: citing,
    async handler(request, reply) {
      const document = await documentIn(request, database);
      const query = queryOf(request);
      const name = query.last("as") ?? "csl";
      if (!isFormat(name)) throw invalidChoice("as", name);
      const page = pageIn(query.last("page"), document.page_count);
      const organization = (await findOrganizationNames(database, [document.organization_id]))
        .values()
        .next();
      const citation = await citationOf(addressesOf(config, request), document, {
        page,
        organization: organization.value ?? "",
      });
      const { type, extension, write } = citationFormats[name];
      return reply
        .headers({
          "content-type": type,
          "content-disposition": `attachment; filename="${citation.key}.${extension}"`,
          "cache-control": "private, no-cache",
        })
        .send(write(citation));
    },
  });
}

const isFormat = (name: string): name is CitationFormatName => Object.hasOwn(citationFormats, name);

/** Null if no page is given. @throws {ApiError} unless the document has the page */
function pageIn(text: string | undefined, pageCount: number): number | null {
  if (text === undefined || text === "") return null;
  const page = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (page < 1 || page > pageCount)
    throw invalidFields({ page: [`The document has pages 1 to ${pageCount}.`] });
  return page;
}
