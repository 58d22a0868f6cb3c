import { type MentionKind, mentionKinds } from "../../contract/search.ts";
import { type Site, pageButtons, renderPage } from "../../http/browsable/page-shell.ts";
import { type Html, html } from "../../http/text/html.ts";
import { pageTexts } from "../../texts/pages.ts";
import { searchBox } from "../search-page.ts";

interface Kinds {
  chosen: MentionKind;
  /** The address of the same page for a kind. */
  linkTo: (kind: MentionKind) => string;
}

export interface ValuesView {
  site: Site;
  kinds: Kinds;
  /** The address of the page without its query, and the search as it was typed. */
  action: string;
  query: string;
  count: number;
  unread: number;
  values: readonly { value: string; documents: number; href: string; correct: string | null }[];
  next: string | null;
}

/** Renders the values of a kind in the documents of a search, each with a link to those that mention it. */
export function renderValues({
  site,
  kinds,
  action,
  query,
  count,
  unread,
  values,
  next,
}: ValuesView): string {
  const texts = pageTexts(site);
  const words = texts.mentions;
  const main = html`
    <h1>${words.title}</h1>
    ${searchBox(action, query, { label: texts.searchDocuments, locale: site, hidden: { kind: kinds.chosen } })}
    ${kindLinks(kinds, site)}
    ${
      kinds.chosen === "date" &&
      html`<p>
        <a class="button small" href="${site.home}timeline/?q=${encodeURIComponent(query)}"
          >${texts.timeline.title}</a
        >
      </p>`
    }
    <p role="status" class="mentioned-count">${words.values(count)} ${unread > 0 && words.unread(unread)}</p>
    ${
      values.length > 0 &&
      html`<div class="mentions">
        <div class="table-scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">${words.kinds[kinds.chosen]}</th>
                <th scope="col" class="number">${texts.documents}</th>
              </tr>
            </thead>
            <tbody>
              ${values.map(
                ({ value, documents, href, correct }) =>
                  html`<tr>
                    <td>
                      <a href="${href}"><bdi>${value}</bdi></a>
                      ${correctLink(correct, value, site)}
                    </td>
                    <td class="number">${texts.formats.number(documents)}</td>
                  </tr>`,
              )}
            </tbody>
          </table>
        </div>
      </div>`
    }
    ${pageButtons(null, next, { locale: site })}
  `;
  return renderPage({ site, title: words.title, section: "documents", robots: "noindex", main });
}

function correctLink(href: string | null, value: string, site: Site): Html | null {
  const words = pageTexts(site).mentions;
  if (href === null) return null;
  return html`<a class="correct" href="${href}" aria-label="${words.correctOf(value)}">${words.correct}</a>`;
}

function kindLinks({ chosen, linkTo }: Kinds, site: Site): Html {
  const words = pageTexts(site).mentions;
  return html`<nav class="tabs" aria-label="${words.kind}">
    ${mentionKinds.map(
      (kind) =>
        html`<a href="${linkTo(kind)}" ${kind === chosen && html`aria-current="page"`}
          >${words.kinds[kind]}</a
        >`,
    )}
  </nav>`;
}

export interface DocumentMentionsView {
  site: Site;
  document: { title: string; href: string };
  isUnread: boolean;
  mentions: readonly {
    kind: MentionKind;
    value: string;
    text: string;
    /** Counting from 1. */
    page: number;
    /** The page where it stands. */
    href: string;
    /** The documents that mention the same. */
    others: string;
    /** The page on which the value is corrected; null for people who may not change the document. */
    correct: string | null;
  }[];
  /** What people have corrected; null if it is nothing, or for others. */
  corrections: Html | null;
  previous: string | null;
  next: string | null;
}

/** Renders what a document mentions, in the order of its text. */
export function renderDocumentMentions(view: DocumentMentionsView): string {
  const { site, document, isUnread, mentions, corrections, previous, next } = view;
  const texts = pageTexts(site);
  const words = texts.mentions;
  const title = document.title === "" ? texts.untitled : document.title;
  const main = html`
    <h1>${words.inDocument}</h1>
    <p>
      <a href="${document.href}"><bdi>${title}</bdi></a>
    </p>
    <p role="status" class="mentioned-count">
      ${isUnread ? words.isUnread : mentions.length === 0 && words.nothing}
    </p>
    ${
      mentions.length > 0 &&
      html`<div class="mentions">
        <div class="table-scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">${words.asItStands}</th>
                <th scope="col">${words.kind}</th>
                <th scope="col" class="page-number">${words.pageNumber}</th>
                <th scope="col">${words.elsewhere}</th>
              </tr>
            </thead>
            <tbody>
              ${mentions.map(
                ({ kind, value, text, page, href, others, correct }) =>
                  html`<tr>
                    <td><bdi>${text}</bdi></td>
                    <td>${words.kinds[kind]}</td>
                    <td class="page-number"><a href="${href}">${texts.page(page)}</a></td>
                    <td>
                      <a href="${others}"><bdi>${value}</bdi></a>
                      ${correctLink(correct, value, site)}
                    </td>
                  </tr>`,
              )}
            </tbody>
          </table>
        </div>
      </div>`
    }
    ${pageButtons(previous, next, { locale: site })} ${corrections}
  `;
  return renderPage({
    site,
    title: `${words.inDocument} – ${title}`,
    section: "documents",
    robots: "noindex",
    main,
  });
}
