import type { FastifyInstance } from "fastify";
import type { MentionKind } from "../../contract/search.ts";
import type { Context } from "../../context.ts";
import { pageSecurityPolicy } from "../../http/browsable/page-shell.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { visitedSite } from "../../http/browsable/visited-site.ts";
import { decodeCursor } from "../../http/request/cursor.ts";
import { idNeighbours, pageLinks } from "../../http/request/pagination.ts";
import { sessionViewer } from "../../http/request/session-viewer.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { sendPage } from "../../http/response/representation.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { mayEdit } from "../../resources/documents/access.ts";
import { documentIn } from "../../resources/documents/file-routes.ts";
import { listMentions } from "../../resources/documents/mentioned/mentioned-store.ts";
import { answerValues, kindIn } from "../../resources/documents/mentioned/mentioned-values.ts";
import { findCorrections } from "../../resources/documents/pages/correction-store.ts";
import { hasUnreadMentions } from "../../resources/documents/pages/mention-store.ts";
import { documentAddress } from "../../resources/documents/present.ts";
import { accessFacts } from "../../resources/documents/store.ts";
import { searchedNotes } from "../../resources/notes/of-documents.ts";
import { readingAddress } from "../documents.ts";
import { correctionList } from "./correct-page.ts";
import { correctMentionRoutes } from "./correct-routes.ts";
import { timelinePageRoute } from "./timeline-page-routes.ts";
import { renderDocumentMentions, renderValues } from "./mentions-page.ts";

/** How many values, or mentions, a page has. */
const perPage = 100;

/** A search for the documents that mention a value. */
const mentioning = (kind: MentionKind, value: string): string =>
  `mention_${kind}:"${value.replaceAll(/["\\]/g, "\\$&")}"`;

export const mentionPagePaths = [
  "/mentioned/",
  "/mentioned/correct/",
  "/documents/:id/mentioned/",
  "/documents/:id/mentioned/correct/",
  "/timeline/",
] as const;

/** The pages of what documents mention: those of a search, and one of them. */
export function mentionsPageRoutes(app: FastifyInstance, context: Context): void {
  correctMentionRoutes(app, context);
  timelinePageRoute(app, context);
  valuesRoute(app, context);
  documentRoute(app, context);
}

function valuesRoute(app: FastifyInstance, { config, database }: Context): void {
  app.get("/mentioned/", { schema: {}, config: { takesLongQuery: true } }, async (request, reply) => {
    const sent = queryOf(request);
    const kind = kindIn(sent) ?? "email";
    const query = sent
      .with("kind", kind)
      .with("per_page", String(perPage))
      .with("ordering", kind === "date" ? "value" : (sent.last("ordering") ?? null));
    const answer = await answerValues(database, request.viewer, searchedNotes(database), query);
    if (answer.search.mayDependOnTime) request.dependsOnTime = true;
    const site = visitedSite(request);
    const { web } = addressesOf(config, request);
    const action = `${web}/mentioned/`;
    const words = sent.last("q") ?? "";
    const search = sent.with("kind", null).with("cursor", null).with("ordering", null);
    const finding = (value: string): string => {
      const q = words.trim() === "" ? mentioning(kind, value) : `+(${words}) +${mentioning(kind, value)}`;
      return `${site.home}${search.with("q", q).toString()}`;
    };
    const ofValue = (value: string): string =>
      `${action}correct/${search.with("kind", kind).with("value", value).toString()}`;
    const mayCorrect = sessionViewer(request) !== null;
    const markup = renderValues({
      site,
      kinds: { chosen: kind, linkTo: (other) => `${action}${search.with("kind", other).toString()}` },
      action,
      query: words,
      count: answer.count,
      unread: answer.unread,
      values: answer.values.map(({ value, documents }) => ({
        value,
        documents,
        href: finding(value),
        correct: mayCorrect ? ofValue(value) : null,
      })),
      next: answer.next === null ? null : `${action}${sent.with("cursor", answer.next).toString()}`,
    });
    return sendPage(reply.header("content-security-policy", pageSecurityPolicy), markup);
  });
  leadToSlash(app, "/mentioned/");
}

function documentRoute(app: FastifyInstance, { config, database }: Context): void {
  app.get("/documents/:id/mentioned/", { schema: {} }, async (request, reply) => {
    const document = await documentIn(request, database);
    const query = queryOf(request);
    const site = visitedSite(request);
    const { web } = addressesOf(config, request);
    const href = documentAddress(web, document);
    const cursor = decodeCursor(query.last("cursor"), null);
    const filters = { kind: kindIn(query), value: query.last("value") };
    const viewer = sessionViewer(request);
    const editor = viewer !== null && mayEdit(viewer, accessFacts(document)) ? viewer : null;
    const correcting = `${web}/documents/${document.id}/mentioned/correct/`;
    const page = await listMentions(database, document.id, filters, cursor, perPage);
    const markup = renderDocumentMentions({
      site,
      document: { title: document.title, href },
      isUnread: await hasUnreadMentions(database.reader, document.id),
      mentions: page.rows.map(({ kind, value, written, page: number }) => ({
        kind,
        value,
        text: written,
        page: number + 1,
        href: readingAddress(href, `"${written.replaceAll(/["\\]/g, " ")}"`, number + 1),
        others: `${site.home}?q=${encodeURIComponent(mentioning(kind, value))}`,
        correct: editor === null ? null : `${correcting}?${new URLSearchParams({ kind, value }).toString()}`,
      })),
      corrections:
        editor === null
          ? null
          : correctionList(
              site,
              { action: correcting, csrfToken: editor.csrfToken },
              await findCorrections(database.reader, document.id),
            ),
      ...pageLinks(`${web}/documents/${document.id}/mentioned/`, query, idNeighbours(page, cursor)),
    });
    return sendPage(reply.header("content-security-policy", pageSecurityPolicy), markup);
  });
  leadToSlash(app, "/documents/:id/mentioned/");
}
