import type { FastifyInstance } from "fastify";
import { Timeline, timelineDates, timelineUnits } from "../../../contract/search.ts";
import type { Context } from "../../../context.ts";
import { ownAddress } from "../../../http/answer.ts";
import { type View, queryOf } from "../../../http/browsable/view.ts";
import {
  ErrorReason,
  FieldErrors,
  choiceParameter,
  oneOf,
  paging,
  textParameter,
} from "../../../http/fields/schema-shapes.ts";
import { resourceRoute } from "../../../http/resource-route.ts";
import { content } from "../../../http/response/representation.ts";
import type { SearchedNotes } from "../search/search-documents.ts";
import { answerTimeline } from "./timeline.ts";

const timelineView: View = {
  name: "Timeline",
  description: "The years, months or days of the documents of a search, in their order.",
};

const reading = {
  summary:
    "The years, months or days that the documents of a search mention, or were added in, a page at a time",
  query: {
    ...paging,
    of: choiceParameter(timelineDates, "mentions if not given: the days that their texts mention"),
    by: choiceParameter(timelineUnits, "year if not given; month within a year, and day within a month"),
    within: textParameter("only these: a year or a month, as 2024 or 2024-03"),
    q: textParameter("a search, as in /api/documents/search/; all documents that you may see if not given"),
  },
  gives: Timeline,
  also: { 400: oneOf([FieldErrors, ErrorReason]), 503: ErrorReason },
};

/** The route for the dates of the documents of a search. */
export function timelineRoutes(app: FastifyInstance, { database }: Context, notes: SearchedNotes): void {
  resourceRoute(app, {
    path: "/api/documents/timeline/",
    view: timelineView,
    takesLongQuery: true,
    get: {
      schema: reading,
      async answer(request, viewer) {
        const query = queryOf(request);
        const answer = await answerTimeline(database, viewer, notes, query);
        const { of, by, count, documents, unread, dates, next, search } = answer;
        if (search.mayDependOnTime) request.dependsOnTime = true;
        const address = ownAddress(request);
        const links = {
          next: next === null ? null : `${address}${query.with("cursor", next).asSent()}`,
          previous: null,
        };
        return {
          ...content({ of, by, count, documents, unread, ...links, results: dates } satisfies Timeline),
          ...links,
        };
      },
    },
  });
}
