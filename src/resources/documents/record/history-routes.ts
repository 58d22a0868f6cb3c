import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../../context.ts";
import { notFound, permissionDenied } from "../../../errors.ts";
import { listContent } from "../../../http/collection.ts";
import { idIn } from "../../../http/request/path-parameters.ts";
import { resourceRoute } from "../../../http/resource-route.ts";
import { signedIn } from "../../../http/request/viewer.ts";
import { findProjectsFor } from "../../projects/list-store.ts";
import { mayEdit } from "../access.ts";
import { type HistoryRow, hasHistory, listHistory } from "../history-store.ts";
import { presentHistory, projectsIn } from "./present-history.ts";
import { accessFacts, findDocument } from "../store.ts";
import * as shapes from "./schema.ts";
import { historyList } from "./views.ts";

/** The history of a document: who changed what, and when. It outlives the document. */
export function documentHistoryRoutes(app: FastifyInstance, { database }: Context): void {
  resourceRoute(app, {
    path: "/api/documents/:id/history/",
    view: historyList,
    get: {
      schema: shapes.readingHistory,
      async answer(request) {
        const id = idIn(request, "id");
        const hashes = await checkReader(request, id);
        return listContent(request, {
          find: (cursor, limit) => listHistory(database, id, cursor, limit),
          async present(rows) {
            const projects = await knownProjects(request, rows);
            return rows.map((row) => presentHistory(row, { projects, hashes }));
          },
          way: "descending",
        });
      },
    },
  });

  /** The projects in these entries that the viewer may know about. Null means all of them. */
  async function knownProjects(
    { viewer }: FastifyRequest,
    rows: readonly HistoryRow[],
  ): Promise<ReadonlySet<number> | null> {
    if (viewer.kind === "user" && viewer.isAdministrator) return null;
    return new Set((await findProjectsFor(database, viewer, projectsIn(rows))).keys());
  }

  /**
   * Only users who may change the document, and administrators, may read its history. Returns whether the viewer may
   * change the document.
   */
  async function checkReader({ viewer }: FastifyRequest, id: number): Promise<boolean> {
    const document = await findDocument(database, viewer, id);
    const isAdministrator = viewer.kind === "user" && viewer.isAdministrator;
    if (document === null) {
      if (!isAdministrator || !(await hasHistory(database, id))) throw notFound();
      return false;
    }
    if (!mayEdit(signedIn(viewer), accessFacts(document))) throw permissionDenied();
    return true;
  }
}
