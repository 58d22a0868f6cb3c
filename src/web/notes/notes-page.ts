import { maxQueryLength } from "../../contract/limits.ts";
import { type Site, pageButtons, renderPage } from "../../http/browsable/page-shell.ts";
import { type Html, html, markupFrom } from "../../http/text/html.ts";
import { pageTexts } from "../../texts/pages.ts";
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

/** Renders the list of notes on all documents. */
export function renderNotesPage(view: NotesPageView): string {
  const { site, notes, chosen, exports, previous, next } = view;
  const texts = pageTexts(site);
  const words = texts.noteList;
  const accessNames = Object.entries(words.access).map(([value, text]) => ({ value, text }));
  const isFiltered = Object.values(chosen).some((value) => value !== "");
  const main = html`
    <h1>${texts.notes}</h1>
    <form class="note-filters" method="get" action="${site.home}notes/" aria-label="${words.filter}">
      <p class="field">
        <label for="notes-q">${words.matching}</label>
        <input id="notes-q" type="search" name="q" value="${chosen.q}" maxlength="${maxQueryLength}" />
      </p>
      ${select("project", words.project, words.anyProject, view.projects, chosen.project)}
      ${select("user", words.author, words.anyone, view.people, chosen.user)}
      ${select("access", words.seenBy, words.anyone, accessNames, chosen.access)}
      <p class="buttons"><button class="button primary">${words.show}</button></p>
    </form>
    ${
      notes.length === 0
        ? html`<div class="empty">
            <p>${isFiltered ? words.noMatch : words.nothing}</p>
            ${!isFiltered && html`<p>${words.nothingHelp}</p>`}
          </div>`
        : html`<p class="buttons">
              <a class="button" href="${exports.csv}" download>${words.downloadCsv}</a>
              <a class="button" href="${exports.json}" download>${words.downloadJson}</a>
            </p>
            <ul class="documents">
              ${notes.map((note) => item(note, site))}
            </ul>`
    }
    ${pageButtons(previous, next, { locale: site })}
  `;
  return renderPage({ site, title: texts.notes, section: "notes", robots: "noindex", main });
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

function item(note: ListedNote, site: Site): Html {
  const { title, href, contentHtml, access, page, documentTitle, author, createdAt } = note;
  const texts = pageTexts(site);
  const words = texts.noteList;
  const restricted = access === "private" ? words.isPrivate : words.isShared;
  // The lines of a note without markup stay as they were typed.
  const isPlain = !contentHtml.includes("<");
  return html`<li>
    <h2 dir="auto"><a href="${href}">${title === "" ? texts.untitled : title}</a></h2>
    ${
      contentHtml !== "" &&
      html`<div class="note-text ${isPlain && "plain"}" dir="auto">${markupFrom(contentHtml)}</div>`
    }
    <ul class="facts">
      <li>${words.pageOf(page)} <bdi>${documentTitle === "" ? texts.untitled : documentTitle}</bdi></li>
      <li><bdi>${author}</bdi></li>
      <li><time datetime="${createdAt}">${dayInWords(createdAt, site)}</time></li>
      ${access !== "public" && html`<li><span class="restricted">${restricted}</span></li>`}
    </ul>
  </li>`;
}
