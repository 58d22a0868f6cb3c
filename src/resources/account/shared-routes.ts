import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { listContent } from "../../http/collection.ts";
import { type Expansion, expandMembers, readExpansion, readSelection } from "../../http/request/expansion.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { presentProject } from "../projects/present.ts";
import { type SharedProjectRow, listSharedProjects } from "../projects/shared-store.ts";
import { expandedUsers } from "../users/expand.ts";
import { listingShared } from "./schema.ts";
import { sharedListView } from "./views.ts";

/** The projects that others have shared with the viewer. It reveals no credentials, so a personal token may read it. */
export function sharedRoutes(app: FastifyInstance, context: Context): void {
  const { database } = context;

  resourceRoute(app, {
    path: "/api/account/shared/",
    view: sharedListView,
    reading: "signed in",
    get: {
      schema: listingShared,
      async answer(request, viewer) {
        const query = queryOf(request);
        const expansion = readExpansion(query, ["project", "added_by"]);
        const selection = readSelection(query);
        return listContent(request, {
          find: (cursor, limit) => listSharedProjects(database, viewer, cursor, limit),
          present: async (rows) =>
            (await present(rows, viewer, expansion)).map((record) => selection.of(record)),
        });
      },
    },
  });

  async function present(
    rows: readonly SharedProjectRow[],
    viewer: SignedInViewer,
    expansion: Expansion,
  ): Promise<Record<string, unknown>[]> {
    const shared = rows.map((row) => ({
      project: expansion.has("project") ? presentProject(row, viewer) : row.id,
      access: row.access,
      added_by: row.added_by,
      added_at: row.added_at,
    }));
    await expandMembers(shared, expansion, { added_by: expandedUsers(database, viewer) });
    return shared;
  }
}
