import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { Created } from "../../http/answer.ts";
import { listContent } from "../../http/collection.ts";
import { membersIn } from "../../http/fields/fields.ts";
import { bodyOf } from "../../http/request/body.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { content } from "../../http/response/representation.ts";
import type { HoldRow } from "../documents/holds/hold-store.ts";
import { holdRightsOf } from "./access.ts";
import { holdFields } from "./fields.ts";
import { countSeen, heldBy, listHeld } from "./hold-store.ts";
import { getHold, releaseOf, setHold } from "./manage-holds.ts";
import { presentHeld, presentHold } from "./present.ts";
import * as shapes from "./schema.ts";
import { heldList, holdInstance, holdList } from "./views.ts";

const reading = "signed in";

/** Legal holds, for administrators and for the admins of organizations. */
export function holdRoutes(app: FastifyInstance, context: Context): void {
  const { database } = context;

  resourceRoute(app, {
    path: "/api/holds/",
    view: holdList,
    reading,
    get: {
      schema: shapes.listingHolds,
      async answer(request, viewer) {
        const rights = await holdRightsOf(database, viewer);
        const maySet = viewer.mayWrite && (rights.isAdministrator || rights.organizations.size > 0);
        return listContent(request, {
          find: (cursor, limit) => heldBy.page(database, rights, cursor, limit, { descending: true }),
          present: (rows) => presented(viewer, rows),
          offers: maySet ? ["POST"] : [],
          way: "descending",
        });
      },
    },
    post: {
      schema: shapes.settingHold,
      async answer(request, viewer) {
        const hold = await setHold(context, viewer, membersIn(holdFields, bodyOf(request)));
        const [shown] = await presented(viewer, [hold]);
        return new Created(hold.id, content(shown));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/holds/:id/",
    view: holdInstance,
    reading,
    get: {
      schema: shapes.readingHold,
      async answer(request, viewer) {
        const hold = await getHold(context, viewer, idIn(request, "id"));
        const [shown] = await presented(viewer, [hold]);
        return content(shown, viewer.mayWrite && hold.released_at === null ? ["DELETE"] : []);
      },
    },
    delete: {
      schema: shapes.releasingHold,
      answer: (request, viewer) => releaseOf(context, viewer, idIn(request, "id")),
    },
  });

  heldRoute(app, context);

  async function presented(viewer: SignedInViewer, rows: readonly HoldRow[]) {
    const counts = await countSeen(
      database,
      viewer,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => presentHold(row, counts));
  }
}

function heldRoute(app: FastifyInstance, context: Context): void {
  resourceRoute(app, {
    path: "/api/holds/:id/documents/",
    view: heldList,
    reading,
    get: {
      schema: shapes.listingHeld,
      async answer(request, viewer) {
        const { id } = await getHold(context, viewer, idIn(request, "id"));
        return listContent(request, {
          find: (cursor, limit) => listHeld(context.database, viewer, id, cursor, limit),
          present: (rows) => rows.map(presentHeld),
        });
      },
    },
  });
}
