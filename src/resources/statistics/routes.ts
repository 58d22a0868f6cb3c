import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { dayIn } from "../../http/request/list-filters.ts";
import { pageContent } from "../../http/response/representation.ts";
import { Type } from "../../http/fields/json-schema.ts";
import { FieldErrors, id, listOf } from "../../http/fields/schema-shapes.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { presentStatistics } from "./present.ts";
import { countAll } from "./store.ts";

const timeLimitSeconds = 30;

const Day = Type.Object(
  { id: id(), date: Type.String({ format: "date" }) },
  {
    $id: "Statistics",
    additionalProperties: Type.Integer({
      description: "total_documents, total_pages, total_notes and so on",
    }),
  },
);

const listing = {
  summary: "The numbers of documents, pages, notes and so on",
  query: {
    date: Type.Optional(Type.String({ format: "date", description: "a day: 2025-01-31" })),
  },
  gives: listOf("StatisticsList", Day),
  also: { 400: FieldErrors },
};

/** Counts for administrators. */
export function statisticsRoutes(app: FastifyInstance, { database }: Context): void {
  resourceRoute(app, {
    path: "/api/statistics/",
    view: {
      name: "Statistics List",
      description:
        "Today's counts of documents, pages, notes, projects and more. Only administrators see them.",
    },
    reading: "administrators",
    get: {
      schema: listing,
      async answer(request) {
        const day = dayIn(queryOf(request), "date");
        const today = presentStatistics(await countAll(database, timeLimitSeconds), new Date());
        const days = day === undefined || day === today["date"] ? [today] : [];
        return pageContent({ next: null, previous: null }, days);
      },
    },
  });
}
