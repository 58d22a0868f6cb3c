import { type Site, pageButtons, renderPage } from "../../http/browsable/page-shell.ts";
import { type Html, html, markupFrom } from "../../http/text/html.ts";
import { dayInWords } from "../wording.ts";

export interface NotesPageView {
  site: Site;
  notes: readonly ListedNote[];
  /** The values of the filters, as the address has them. */
  chosen: { q: string; project: string; user: string; access: string };
  /** The projects and people that can be chosen. */
  projects: readonly Choice[];
  people: readonly Choice[];
  /** The addresses of all these notes as files. */
  exports: { csv: string; json: string };
  /** Addresses of the previous and the next page of the list; null at its ends. */
  previous: string | null;
  next: string | null;
}

export interface Choice {
  value: string;
  text: string;
}

export interface ListedNote {
  title: string;
  /** Where the note is open in its document. */
  href: string;
  /** Sanitised. */
  contentHtml: string;
  access: string;
  /** Counting from 1. */
  page: number;
  documentTitle: string;
  author: string;
  createdAt: string;
}

const accessNames: readonly Choice[] = [
  { value: "private", text: "Private: only their author" },
  { value: "organization", text: "Shared: people who may edit the document" },
  { value: "public", text: "Public: everyone who sees the document" },
];

/** Renders the list of notes on all documents. */
export function renderNotesPage(view: NotesPageView): string {
  const { site, notes, chosen, exports, previous, next } = view;
  const isFiltered = Object.values(chosen).some((value) => value !== "");
  const main = html`
    <h1>Notes</h1>
    <form class="note-filters" method="get" action="${site.home}notes/" aria-label="Filter the notes">
      <p class="field">
        <label for="notes-q">On documents that match</label>
        <input id="notes-q" type="search" name="q" value="${chosen.q}" maxlength="10000" />
      </p>
      ${select("project", "In the project", "Any project", view.projects, chosen.project)}
      ${select("user", "By", "Anyone", view.people, chosen.user)}
      ${select("access", "Seen by", "Anyone", accessNames, chosen.access)}
      <p class="buttons"><button class="button primary">Show</button></p>
    </form>
    ${
      notes.length === 0
        ? html`<p class="empty">
            ${isFiltered ? "No note matches." : "There are no notes that you may see."}
          </p>`
        : html`<p class="buttons">
              <a class="button" href="${exports.csv}" download>Download all as CSV</a>
              <a class="button" href="${exports.json}" download>Download all as JSON</a>
            </p>
            <ul class="documents">
              ${notes.map(item)}
            </ul>`
    }
    ${pageButtons(previous, next)}
  `;
  return renderPage({ site, title: "Notes", section: "notes", robots: "noindex", main });
}

function select(name: string, label: string, any: string, choices: readonly Choice[], chosen: string): Html {
  return html`<p class="field">
    <label for="notes-${name}">${label}</label>
    <select id="notes-${name}" name="${name}">
      <option value="">${any}</option>
      ${choices.map(
        ({ value, text }) =>
          html`<option value="${value}" ${value === chosen && html`selected`}>${text}</option>`,
      )}
    </select>
  </p>`;
}

function item({
  title,
  href,
  contentHtml,
  access,
  page,
  documentTitle,
  author,
  createdAt,
}: ListedNote): Html {
  // The lines of a note without markup stay as they were typed.
  const isPlain = !contentHtml.includes("<");
  return html`<li>
    <h2 dir="auto"><a href="${href}">${title === "" ? "Untitled" : title}</a></h2>
    ${contentHtml !== "" && html`<div class="note-text ${isPlain && "plain"}" dir="auto">${markupFrom(contentHtml)}</div>`}
    <ul class="facts">
      <li>page ${page} of <bdi>${documentTitle === "" ? "Untitled" : documentTitle}</bdi></li>
      <li><bdi>${author}</bdi></li>
      <li><time datetime="${createdAt}">${dayInWords(createdAt)}</time></li>
      ${access !== "public" && html`<li><span class="restricted">${access === "private" ? "Private" : "Shared"}</span></li>`}
    </ul>
  </li>`;
}
