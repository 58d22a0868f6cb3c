import type { FastifyInstance } from "fastify";
import {
  CorrectedMentions,
  MentionCorrection,
  MentionedValue,
  MentionedValues,
  mentionKinds,
} from "../../../contract/search.ts";
import type { Context } from "../../../context.ts";
import { ownAddress } from "../../../http/answer.ts";
import { type View, queryOf } from "../../../http/browsable/view.ts";
import { listContent } from "../../../http/collection.ts";
import {
  ErrorDetail,
  ErrorReason,
  FieldErrors,
  InvalidOrRefused,
  ValidationError,
  choiceParameter,
  listOf,
  oneOf,
  paging,
  textParameter,
} from "../../../http/fields/schema-shapes.ts";
import { Type, enumeration } from "../../../contract/shape.ts";
import { membersIn } from "../../../http/fields/fields.ts";
import { bodyOf } from "../../../http/request/body.ts";
import { idIn } from "../../../http/request/path-parameters.ts";
import { permissionDenied } from "../../../errors.ts";
import { resourceRoute } from "../../../http/resource-route.ts";
import { content } from "../../../http/response/representation.ts";
import { mayEdit } from "../access.ts";
import { documentIn } from "../file-routes.ts";
import { findCorrections } from "../pages/correction-store.ts";
import { accessFacts } from "../store.ts";
import type { SearchedNotes } from "../search/search-documents.ts";
import { correctInDocument, correctInSearch, correctionFields } from "./correct-mentions.ts";
import { timelineRoutes } from "./timeline-routes.ts";
import { listMentions, valueOrderings } from "./mentioned-store.ts";
import { answerValues, kindIn } from "./mentioned-values.ts";

const mentionedList: View = {
  name: "Mentioned",
  description:
    "The addresses, numbers, amounts and dates that this document mentions, in the order of its text.",
  fields: { POST: correctionFields },
};

const correctionList: View = {
  name: "Corrections",
  description: "What people have said of the mentions of this document by hand.",
};

const mentionedValues: View = {
  name: "Mentioned Values",
  description: "The addresses, numbers, amounts or dates that the documents of a search mention.",
  fields: { POST: correctionFields },
};

const listing = {
  summary: "The addresses, numbers, amounts and dates that a document mentions, a page at a time",
  query: {
    ...paging,
    kind: choiceParameter(mentionKinds, "only these"),
    value: textParameter("only this value"),
  },
  gives: listOf("MentionedList", MentionedValue),
  also: { 400: FieldErrors },
};

const counting = {
  summary: "The values of a kind that the documents of a search mention, a page at a time",
  query: {
    ...paging,
    kind: { ...enumeration(mentionKinds, "what kind of values"), examples: ["email"] },
    q: textParameter("a search, as in /api/documents/search/; all documents that you may see if not given"),
    ordering: choiceParameter(valueOrderings, "-documents if not given: those of most documents first"),
  },
  gives: MentionedValues,
  also: { 400: oneOf([FieldErrors, ErrorReason]), 503: ErrorReason },
};

const correcting = {
  summary: "Say that a value of this document is another one, or no mention, or as recognised",
  gives: CorrectedMentions,
  status: 200,
  also: { 400: ValidationError },
};

const correctingAll = {
  summary: "The same for the documents of a search that you may change, up to 500 at a time",
  query: { q: textParameter("a search, as in /api/documents/search/; all documents if not given") },
  gives: CorrectedMentions,
  status: 200,
  also: { 400: InvalidOrRefused, 503: ErrorReason },
};

const listingCorrections = {
  summary: "What people have corrected in this document, for those who may change it",
  gives: Type.Object({ results: Type.Array(MentionCorrection) }, { $id: "MentionCorrections" }),
  also: { 403: ErrorDetail },
};

export const mentionedPaths = [
  "/api/documents/:id/mentioned/",
  "/api/documents/:id/mentioned/corrections/",
  "/api/documents/mentioned/",
  "/api/documents/timeline/",
] as const;

/** The routes for what documents mention: one of them, and those that a search finds. */
export function mentionedRoutes(app: FastifyInstance, context: Context, notes: SearchedNotes): void {
  documentRoutes(app, context);
  searchRoute(app, context, notes);
  timelineRoutes(app, context, notes);
}

function documentRoutes(app: FastifyInstance, { database }: Context): void {
  resourceRoute(app, {
    path: "/api/documents/:id/mentioned/",
    view: mentionedList,
    get: {
      schema: listing,
      async answer(request) {
        const document = await documentIn(request, database);
        const { id } = document;
        const query = queryOf(request);
        const filters = { kind: kindIn(query), value: query.last("value") };
        return listContent(request, {
          find: (cursor, limit) => listMentions(database, id, filters, cursor, limit),
          present: (rows) =>
            rows.map(
              ({ kind, value, recognised, written, page, start }) =>
                ({
                  kind,
                  value,
                  recognised,
                  text: written,
                  page_number: page,
                  offset: start,
                }) satisfies MentionedValue,
            ),
          offers: mayEdit(request.viewer, accessFacts(document)) ? ["POST"] : [],
        });
      },
    },
    post: {
      schema: correcting,
      async answer(request, viewer) {
        const members = membersIn(correctionFields, bodyOf(request));
        await correctInDocument(database, viewer, idIn(request, "id"), members);
        return { documents: 1, more: false } satisfies CorrectedMentions;
      },
    },
  });

  resourceRoute(app, {
    path: "/api/documents/:id/mentioned/corrections/",
    view: correctionList,
    reading: "signed in",
    get: {
      schema: listingCorrections,
      async answer(request, viewer) {
        const document = await documentIn(request, database);
        if (!mayEdit(viewer, accessFacts(document))) throw permissionDenied();
        return { results: await findCorrections(database.reader, document.id) };
      },
    },
  });
}

function searchRoute(app: FastifyInstance, { database }: Context, notes: SearchedNotes): void {
  resourceRoute(app, {
    path: "/api/documents/mentioned/",
    view: mentionedValues,
    takesLongQuery: true,
    get: {
      schema: counting,
      async answer(request, viewer) {
        const query = queryOf(request);
        const { kind, search, count, unread, values, next } = await answerValues(
          database,
          viewer,
          notes,
          query,
        );
        if (search.mayDependOnTime) request.dependsOnTime = true;
        const address = ownAddress(request);
        const links = {
          next: next === null ? null : `${address}${query.with("cursor", next).asSent()}`,
          previous: null,
        };
        const results = values.map(({ value, documents }) => ({ kind, value, documents }));
        return { ...content({ count, unread, ...links, results } satisfies MentionedValues), ...links };
      },
    },
    post: {
      schema: correctingAll,
      answer(request, viewer): Promise<CorrectedMentions> {
        const members = membersIn(correctionFields, bodyOf(request));
        return correctInSearch(
          database,
          { viewer, notes, query: queryOf(request).with("cursor", null) },
          members,
        );
      },
    },
  });
}
