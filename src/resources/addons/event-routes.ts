import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { permissionDenied } from "../../errors.ts";
import { Created } from "../../http/answer.ts";
import { itemChanges, listContent } from "../../http/collection.ts";
import { membersIn } from "../../http/fields/fields.ts";
import { bodyOf } from "../../http/request/body.ts";
import { readExpansion, readSelection } from "../../http/request/expansion.ts";
import { idsIn, textIn } from "../../http/request/list-filters.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { mayWrite } from "../../http/request/viewer.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { type Content, content } from "../../http/response/representation.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { type EventRow, listEvents, ownEvents } from "./event-store.ts";
import { eventFields } from "./fields.ts";
import { changeEvent, createEvent } from "./manage-events.ts";
import { presentEvent, presentEvents } from "./present.ts";
import * as shapes from "./schema.ts";
import { eventInstance, eventList } from "./views.ts";

/** What starts add-ons for the viewer by itself. */
export function eventRoutes(app: FastifyInstance, context: Context): void {
  const { database } = context;
  resourceRoute(app, {
    path: "/api/addon_events/",
    view: eventList,
    get: {
      schema: shapes.listingEvents,
      async answer(request, viewer) {
        const query = queryOf(request);
        const filters = { addons: idsIn(query, "addon"), site: textIn(query, "site") };
        const descending = !["created_at", "id"].includes(query.last("ordering") ?? "");
        const shown = { viewer, expansion: readExpansion(query, ["addon"]), selection: readSelection(query) };
        return listContent(request, {
          find: (cursor, limit) => listEvents(database, viewer, { filters, descending }, cursor, limit),
          present: (rows) => presentEvents(database, rows, shown),
          offers: mayWrite(viewer) ? ["POST"] : [],
          way: descending ? "descending" : "ascending",
        });
      },
    },
    post: {
      schema: shapes.creatingEvent,
      async answer(request, viewer) {
        const row = await createEvent(context, viewer, membersIn(eventFields, bodyOf(request)));
        return new Created(row.id, await contentOf(context, request, row));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/addon_events/:id/",
    view: eventInstance,
    get: {
      schema: shapes.readingEvent,
      answer: async (request, viewer) =>
        contentOf(context, request, await ownEvents.get(database, viewer, { id: idIn(request, "id") })),
    },
    ...itemChanges(database, {
      schemas: {
        replacing: shapes.replacingEvent,
        changing: shapes.changingEvent,
        deleting: shapes.deletingEvent,
      },
      fields: eventFields,
      async lock(writer, viewer, request) {
        const row = await ownEvents.lock(writer, viewer, { id: idIn(request, "id") });
        if (request.method === "DELETE") throw permissionDenied();
        return row;
      },
      plain: presentEvent,
      change: (writer, row, sent, viewer) => changeEvent(context, writer, row, sent, viewer),
      remove: async () => undefined,
      shown: (row, _viewer, request) => contentOf(context, request, row),
    }),
  });
}

async function contentOf({ database }: Context, request: FastifyRequest, row: EventRow): Promise<Content> {
  const { viewer } = request;
  const query = queryOf(request);
  const shown = { viewer, expansion: readExpansion(query, "any"), selection: readSelection(query) };
  const [event] = await presentEvents(database, [row], shown);
  return content(event, mayWrite(viewer) ? ["PUT", "PATCH"] : []);
}
