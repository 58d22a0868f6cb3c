import type { FastifyInstance } from "fastify";
import { pageLimits } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import { pageSecurityPolicy } from "../../http/browsable/page-shell.ts";
import { queryOf } from "../../http/browsable/view.ts";
import type { Locale } from "../../texts/formats.ts";
import { pageTexts } from "../../texts/pages.ts";
import { visitedSite } from "../../http/browsable/visited-site.ts";
import { decodeCursor } from "../../http/request/cursor.ts";
import { idNeighbours, pageLinks } from "../../http/request/pagination.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { sendPage } from "../../http/response/representation.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { findNotePage, presentFoundNotes, readNoteQuery } from "../../resources/notes/find-notes.ts";
import type { NoteFilters } from "../../resources/notes/filters.ts";
import { findProjectsFor } from "../../resources/projects/list-store.ts";
import { findUsers } from "../../resources/users/list-store.ts";
import { type Choice, renderNotesPage } from "./notes-page.ts";

/** The number of notes on a page. */

/** The page with the notes on all documents. */
export function notesPageRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context;

  app.get("/notes/", { schema: {}, config: { takesLongQuery: true } }, async (request, reply) => {
    const { viewer } = request;
    const query = queryOf(request);
    const { web } = addressesOf(config, request);
    const site = visitedSite(request);
    const noteQuery = await readNoteQuery(context, viewer, query, web);
    // A search may depend on the time.
    if (noteQuery.filters.search !== undefined) request.dependsOnTime = true;
    const cursor = decodeCursor(query.last("cursor"), null);
    const page = await findNotePage(context, noteQuery, cursor, pageLimits.usual);
    const shown = await presentFoundNotes(context, noteQuery, page.rows);
    const authors = await findUsers(database, [
      ...new Set([...page.rows.map(({ user_id }) => user_id), ...(noteQuery.filters.users ?? [])]),
    ]);
    const nameOf = (id: number): string => {
      const author = authors.get(id);
      return author === undefined || author.name === "" ? (author?.username ?? "") : author.name;
    };
    const exported = query.with("cursor", null);
    const markup = renderNotesPage({
      site,
      notes: page.rows.map((row, index) => ({
        title: row.title,
        href: String(shown[index]?.["canonical_url"]),
        contentHtml: row.content_html,
        access: row.access,
        page: row.page_number + 1,
        documentTitle: row.document_title,
        author: nameOf(row.user_id),
        createdAt: row.created_at,
      })),
      chosen: {
        q: query.last("q") ?? "",
        project: query.last("project") ?? "",
        user: query.last("user") ?? "",
        access: query.last("access") ?? "",
      },
      projects: await projectChoices(viewer, noteQuery.filters, site),
      people: peopleChoices(viewer, [...authors.keys()], nameOf, pageTexts(site).noteList.me),
      exports: {
        csv: `${site.api}notes/export/${exported.with("as", "csv").toString()}`,
        json: `${site.api}notes/export/${exported.with("as", "json").toString()}`,
      },
      ...pageLinks(`${web}/notes/`, query, idNeighbours(page, cursor, "descending")),
    });
    return sendPage(reply.header("content-security-policy", pageSecurityPolicy), markup);
  });
  leadToSlash(app, "/notes/");

  /** The viewer's projects, and those of the filter. */
  async function projectChoices(
    viewer: Viewer,
    { projects = [] }: NoteFilters,
    locale: Locale,
  ): Promise<Choice[]> {
    const { untitled } = pageTexts(locale);
    const own = viewer.kind === "user" ? [...viewer.projects.keys()] : [];
    const found = await findProjectsFor(database, viewer, [...new Set([...own, ...projects])]);
    return [...found.values()]
      .map(({ id, title }) => ({ value: String(id), text: title === "" ? untitled : title }))
      .toSorted((left, right) => left.text.localeCompare(right.text, locale.language));
  }
}

/** The viewer, and the authors of the notes on the page and of the filter. */
function peopleChoices(
  viewer: Viewer,
  ids: readonly number[],
  nameOf: (id: number) => string,
  me: string,
): Choice[] {
  const others = ids
    .filter((id) => viewer.kind === "anonymous" || id !== viewer.id)
    .map((id) => ({ value: String(id), text: nameOf(id) }))
    .toSorted((left, right) => left.text.localeCompare(right.text, "en"));
  return viewer.kind === "anonymous" ? others : [{ value: String(viewer.id), text: me }, ...others];
}
