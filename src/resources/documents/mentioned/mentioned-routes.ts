import type { FastifyInstance } from "fastify";
import { MentionedValue, MentionedValues, mentionKinds } from "../../../contract/search.ts";
import type { Context } from "../../../context.ts";
import { ownAddress } from "../../../http/answer.ts";
import { type View, queryOf } from "../../../http/browsable/view.ts";
import { listContent } from "../../../http/collection.ts";
import {
  ErrorReason,
  FieldErrors,
  choiceParameter,
  listOf,
  oneOf,
  paging,
  textParameter,
} from "../../../http/fields/schema-shapes.ts";
import { enumeration } from "../../../contract/shape.ts";
import { resourceRoute } from "../../../http/resource-route.ts";
import { content } from "../../../http/response/representation.ts";
import { documentIn } from "../file-routes.ts";
import type { SearchedNotes } from "../search/search-documents.ts";
import { listMentions, valueOrderings } from "./mentioned-store.ts";
import { answerValues, kindIn } from "./mentioned-values.ts";

const mentionedList: View = {
  name: "Mentioned",
  description:
    "The addresses, numbers, amounts and dates that this document mentions, in the order of its text.",
};

const mentionedValues: View = {
  name: "Mentioned Values",
  description: "The addresses, numbers, amounts or dates that the documents of a search mention.",
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

/** The routes for what documents mention: one of them, and those that a search finds. */
export function mentionedRoutes(app: FastifyInstance, { database }: Context, notes: SearchedNotes): void {
  resourceRoute(app, {
    path: "/api/documents/:id/mentioned/",
    view: mentionedList,
    get: {
      schema: listing,
      async answer(request) {
        const { id } = await documentIn(request, database);
        const query = queryOf(request);
        const filters = { kind: kindIn(query), value: query.last("value") };
        return listContent(request, {
          find: (cursor, limit) => listMentions(database, id, filters, cursor, limit),
          present: (rows) =>
            rows.map(
              ({ kind, value, written, page, start }) =>
                ({ kind, value, text: written, page_number: page, offset: start }) satisfies MentionedValue,
            ),
        });
      },
    },
  });

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
  });
}
