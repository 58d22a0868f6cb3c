import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { pageSecurityPolicy } from "../../http/browsable/page-shell.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { visitedSite } from "../../http/browsable/visited-site.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { sendPage } from "../../http/response/representation.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { answerTimeline } from "../../resources/documents/mentioned/timeline.ts";
import { searchedNotes } from "../../resources/notes/of-documents.ts";
import { pageTexts } from "../../texts/pages.ts";
import { renderTimeline } from "./timeline-page.ts";

/** How many dates a page has: more than a lifetime of years, and all days of a month. */
const perPage = 120;

/** The page with the dates of the documents of a search. */
export function timelinePageRoute(app: FastifyInstance, { config, database }: Context): void {
  app.get("/timeline/", { schema: {}, config: { takesLongQuery: true } }, async (request, reply) => {
    const sent = queryOf(request);
    const query = sent.with("by", null).with("per_page", String(perPage));
    const answer = await answerTimeline(database, request.viewer, searchedNotes(database), query);
    if (answer.search.mayDependOnTime) request.dependsOnTime = true;
    const site = visitedSite(request);
    const { web } = addressesOf(config, request);
    const action = `${web}/timeline/`;
    const { of, by, within } = answer;
    const words = sent.last("q") ?? "";
    const shown = sent.with("cursor", null).with("by", null);
    const search = shown.with("of", null).with("within", null);
    const field = of === "mentions" ? "mention_date" : "created_at";
    const finding = (date: string): string => {
      const dated = `${field}:${date}`;
      const q = words.trim() === "" ? dated : `+(${words}) +${dated}`;
      return `${site.home}${search.with("q", q).toString()}`;
    };
    const around = within.length === 7 ? within.slice(0, 4) : null;
    const markup = renderTimeline({
      site,
      action,
      query: words,
      hidden: { of },
      of: { chosen: of, linkTo: (dates) => `${action}${search.with("of", dates).toString()}` },
      within:
        within === ""
          ? null
          : {
              name: pageTexts(site).formats.date(within),
              around: `${action}${shown.with("within", around).toString()}`,
            },
      documents: answer.documents,
      unread: answer.unread,
      dates: answer.dates.map(({ date, documents }) => ({
        date,
        documents,
        href: finding(date),
        closer: by === "day" ? null : `${action}${shown.with("within", date).toString()}`,
      })),
      next: answer.next === null ? null : `${action}${sent.with("cursor", answer.next).toString()}`,
    });
    return sendPage(reply.header("content-security-policy", pageSecurityPolicy), markup);
  });
  leadToSlash(app, "/timeline/");
}
