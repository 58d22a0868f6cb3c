import type { FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { pageLimits } from "../../contract/limits.ts";
import { deskAttributes, firstAnswerId, firstPassages, listedFacets } from "../../contract/page-options.ts";
import type { FoundDocument, SearchResults } from "../../contract/search.ts";
import { ApiError } from "../../errors.ts";
import { type Site, documentsAddress, pageButtons, renderPage } from "../../http/browsable/page-shell.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { visitedSite } from "../../http/browsable/visited-site.ts";
import type { Query } from "../../http/request/query.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { type Html, attributesFrom, html, markupFrom } from "../../http/text/html.ts";
import type { SessionViewer } from "../../http/request/session-viewer.ts";
import { searchResults } from "../../resources/documents/search/search-routes.ts";
import { searchedNotes } from "../../resources/notes/of-documents.ts";
import { pageTexts } from "../../texts/pages.ts";
import { type ListedDocument, documentRow, listedResult } from "../document-rows.ts";
import { readingAddress } from "../documents.ts";
import { passage, searchBox } from "../search-page.ts";
import { deskOptions, sendDesk } from "./desk-answer.ts";

/**
 * The list of documents for people who have signed in. It contains what its script would ask the API for first, and the
 * rows as the script will show them, so that nothing jumps, and the list can be read before the script has arrived.
 */
export async function sendDocumentsDesk(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  viewer: SessionViewer,
): Promise<FastifyReply> {
  const site = visitedSite(request);
  const texts = pageTexts(site);
  const asked = queryOf(request);
  const found = await firstAnswer(context, request, viewer, asked);
  const addresses = addressesOf(context.config, request);
  const around = { addresses, home: site.home, organizations: new Map<number, string>() };
  const rows = found?.results ?? [];
  const query = asked.last("q") ?? "";
  // Mirrored documents have their images elsewhere.
  const images = [...new Set(rows.flatMap(({ asset_url: store }) => store ?? []))];
  const { stylesheet, script, chunks } = site.desk[site.language];
  const head = html`<link rel="stylesheet" href="${stylesheet}" />
    ${chunks.map((chunk) => html`<link rel="modulepreload" href="${chunk}" />`)}
    <script type="module" src="${script}"></script>`;
  const options = { ...deskOptions(context, request, viewer), images };
  const main = html`<h1 class="visually-hidden">${texts.documents}</h1>
    <div ${attributesFrom(deskAttributes({ name: "documents", own: {} }, options))}>
      <div class="desk">
        ${searchBox(documentsAddress(site), asked.last("q") ?? "", { label: texts.searchDocuments, locale: site })}
        <div class="listing">
          <div class="listing-side"></div>
          <div class="listing-main">
            <p class="list-bar">${found !== null && texts.documentsFound(found.count)}</p>
            <div></div>
            <section>
              <p class="select-all"></p>
              ${
                rows.length > 0 &&
                html`<ul class="documents">
                  ${rows.map((row) => rowToBe(row, listedResult(row, around), query, site))}
                </ul>`
              }
              ${found !== null && html`<noscript>${withoutScripts(found, asked, site)}</noscript>`}
            </section>
          </div>
        </div>
      </div>
    </div>
    ${found !== null && embedded(found)}`;
  const page = { site, title: texts.documents, section: "documents", robots: "noindex", head, main } as const;
  return sendDesk(context, request, reply, renderPage(page), images);
}

/** The ways to the other pages of the list, and to the page on which a search shows the words that it found. */
function withoutScripts({ count, next }: SearchResults, asked: Query, site: Site): Html {
  const number = Number(asked.last("page") ?? "1");
  const page = (to: number): string => `${documentsAddress(site)}${asked.with("page", String(to)).asSent()}`;
  const query = (asked.last("q") ?? "").trim();
  const previousPage = number > 1 ? page(number - 1) : null;
  const nextPage = next === null ? null : page(number + 1);
  return html`${pageButtons(previousPage, nextPage, { locale: site })}
  ${
    query !== "" &&
    count > 0 &&
    html`<p class="more">
      <a href="${site.home}?q=${encodeURIComponent(query)}">${pageTexts(site).showWhere}</a>
    </p>`
  }`;
}

/** A row with room for what the script adds to it. */
function rowToBe(result: FoundDocument, shown: ListedDocument, query: string, site: Site): Html {
  const { edit_access, status } = result;
  const isInTrouble = edit_access && ["error", "nofile"].includes(status);
  const below = html`${firstPassages(result).map(({ page, piece }) =>
    passage(pageTexts(site).page(page), {
      page,
      href: readingAddress(shown.href, query, page),
      fragment: piece,
    }),
  )}
  ${isInTrouble && html`<div class="row-trouble"></div>`}`;
  return documentRow(shown, site, below, html`<span class="row-check"></span>`);
}

/** What the script's first request would return; null if it would be refused, which the script then shows. */
async function firstAnswer(
  { config, database }: Context,
  request: FastifyRequest,
  viewer: SessionViewer,
  asked: Query,
): Promise<SearchResults | null> {
  const hasWords = (asked.last("q") ?? "").trim() !== "";
  const sort = hasWords ? "score" : "created_at";
  const query = asked
    .with("hl", String(hasWords))
    .with("sort", asked.last("sort") ?? sort)
    .with("page", asked.last("page") ?? "1")
    .with("per_page", String(pageLimits.usual))
    .with("version", "1.0")
    .with("explain", "true")
    .with("suggest", "true")
    .with("facets", [...listedFacets, "data"].join(","));
  const address = `${addressesOf(config, request).api}/api/documents/search/`;
  try {
    const notes = searchedNotes(database);
    return (await searchResults({ config, database }, notes, request, { viewer, asked: query, address }))
      .results;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** The answer as data for the script. Nothing in it can end the element. */
function embedded(found: SearchResults): Html {
  const json = JSON.stringify(found).replaceAll("<", "\\u003c");
  return html`<script type="application/json" id="${firstAnswerId}">
    ${markupFrom(json)}
  </script>`;
}
