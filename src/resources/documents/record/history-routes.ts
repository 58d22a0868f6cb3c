import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../../context.ts";
import { notFound, permissionDenied } from "../../../errors.ts";
import { addressesOf } from "../../../http/text/addresses.ts";
import { decodeCursor } from "../../../http/request/cursor.ts";
import { idIn } from "../../../http/request/path-parameters.ts";
import { idNeighbours, pageLinks, perPage } from "../../../http/request/pagination.ts";
import { pageContent, send } from "../../../http/response/representation.ts";
import { resourceRoute } from "../../../http/resource-route.ts";
import { queryOf } from "../../../http/browsable/view.ts";
import { signedIn } from "../../../http/request/viewer.ts";
import { findProjectsFor } from "../../projects/list-store.ts";
import { mayEdit } from "../access.ts";
import { type HistoryRow, hasHistory, listHistory } from "../history-store.ts";
import { presentHistory, projectsIn } from "./present-history.ts";
import { accessFacts, findDocument } from "../store.ts";
import * as shapes from "./schema.ts";
import { historyList } from "./views.ts";

/** The history of a document: who changed what, and when. It outlives the document. */
export function documentHistoryRoutes(app: FastifyInstance, { config, database }: Context): void {
  resourceRoute(app, {
    path: "/api/documents/:id/history/",
    view: historyList,
    get: {
      schema: shapes.readingHistory,
      async handler(request, reply) {
        const id = idIn(request, "id");
        const hashes = await checkReader(request, id);
        const query = queryOf(request);
        const cursor = decodeCursor(query.last("cursor"), null);
        const page = await listHistory(database, id, cursor, perPage(query));
        const links = pageLinks(
          `${addressesOf(config, request).api}/api/documents/${id}/history/`,
          query,
          idNeighbours(page, cursor, "descending"),
        );
        const projects = await knownProjects(request, page.rows);
        const results = page.rows.map((row) => presentHistory(row, { projects, hashes }));
        return send(request, reply, await pageContent(links, results));
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
