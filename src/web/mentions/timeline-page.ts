import { type TimelineDates, timelineDates } from "../../contract/search.ts";
import { type Site, pageButtons, renderPage } from "../../http/browsable/page-shell.ts";
import { type Html, html } from "../../http/text/html.ts";
import { pageTexts } from "../../texts/pages.ts";
import { searchBox } from "../search-page.ts";
import { positionsOf } from "./timeline-bars.ts";

export interface TimelineView {
  site: Site;
  /** The address of the page without its query, the search as it was typed, and the other parameters to keep. */
  action: string;
  query: string;
  hidden: Readonly<Record<string, string>>;
  of: { chosen: TimelineDates; linkTo: (dates: TimelineDates) => string };
  /** The year or month that is shown, with the address of what is around it. Null for all years. */
  within: { name: string; around: string } | null;
  documents: number;
  unread: number;
  dates: readonly {
    date: string;
    documents: number;
    /** The search for its documents. */
    href: string;
    /** The months of a year, or the days of a month. Null for a day. */
    closer: string | null;
  }[];
  next: string | null;
}

/** Renders the dates of the documents of a search: as a picture whose bars are links, and as a table. */
export function renderTimeline(view: TimelineView): string {
  const { site, action, query, hidden, of, within, documents, unread, dates, next } = view;
  const texts = pageTexts(site);
  const words = texts.timeline;
  const main = html`
    <h1>${words.title}</h1>
    ${searchBox(action, query, { label: texts.searchDocuments, locale: site, hidden })}
    <nav class="tabs" aria-label="${words.dates}">
      ${timelineDates.map(
        (one) =>
          html`<a href="${of.linkTo(one)}" ${one === of.chosen && html`aria-current="page"`}
            >${words.of[one]}</a
          >`,
      )}
    </nav>
    ${
      within !== null &&
      html`<p class="timeline-within">
        <strong>${within.name}</strong> <a class="chip" href="${within.around}">${words.around}</a>
      </p>`
    }
    <p role="status" class="mentioned-count">
      ${documents === 0 ? words.nothing : words.found(documents)}
      ${of.chosen === "mentions" && unread > 0 && texts.mentions.unread(unread)}
    </p>
    ${dates.length > 0 && html`${picture(view)} ${table(view)}`} ${pageButtons(null, next, { locale: site })}
  `;
  return renderPage({ site, title: words.title, section: "documents", robots: "noindex", main });
}

const height = 160;
const width = 1000;

/** Each bar is a link to what is closer, or to the documents of its day. */
function picture({ site, dates }: TimelineView): Html {
  const texts = pageTexts(site);
  const words = texts.timeline;
  const max = Math.max(...dates.map(({ documents }) => documents));
  const { bars, first, last } = positionsOf(
    dates.map(({ date }) => date),
    width,
  );
  return html`<figure class="timeline">
    <p><a class="skip-picture" href="#dates">${words.toTable}</a></p>
    <svg
      viewBox="0 0 ${width} ${height}"
      preserveAspectRatio="none"
      role="group"
      aria-label="${words.picture}"
    >
      ${dates.map(({ date, documents, href, closer }, index) => {
        const bar = bars[index] ?? { x: 0, width: 0 };
        const tall = Math.max(3, Math.round((documents / max) * height));
        const label = words.bar(texts.formats.date(date), documents);
        return html`<a href="${closer ?? href}" aria-label="${label}"
          ><title>${label}</title
          ><rect class="space" x="${bar.x}" y="0" width="${bar.width}" height="${height}" /><rect
            class="bar"
            x="${bar.x}"
            y="${height - tall}"
            width="${bar.width}"
            height="${tall}"
        /></a>`;
      })}
    </svg>
    <figcaption>
      <span>${texts.formats.date(first)}</span>
      ${last !== first && html`<span>${texts.formats.date(last)}</span>`}
    </figcaption>
  </figure>`;
}

function table({ site, dates, of }: TimelineView): Html {
  const texts = pageTexts(site);
  const words = texts.timeline;
  return html`<div class="mentions" id="dates">
    <div class="table-scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">${words.of[of.chosen]}</th>
            <th scope="col" class="number">${texts.documents}</th>
          </tr>
        </thead>
        <tbody>
          ${dates.map(({ date, documents, href, closer }) => {
            const name = texts.formats.date(date);
            return html`<tr>
              <td>${closer === null ? name : html`<a href="${closer}">${name}</a>`}</td>
              <td class="number">
                <a href="${href}" aria-label="${words.bar(name, documents)}"
                  >${texts.formats.number(documents)}</a
                >
              </td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>
  </div>`;
}
