import type { Database } from "../database/database.ts";
import type { Viewer } from "../http/request/viewer.ts";
import { type Html, html } from "../http/text/html.ts";
import { childrenShown } from "../resources/documents/families/family-routes.ts";
import { findChildren, findContainers } from "../resources/documents/families/family-store.ts";
import { findThread } from "../resources/documents/families/thread-store.ts";
import { findEqual } from "../resources/documents/comparing/equal-store.ts";
import { similarDocuments } from "../resources/documents/comparing/similar-documents.ts";
import { mayKnowPeople } from "../resources/documents/access.ts";
import { namesInKey } from "../resources/documents/branches.ts";
import { findKey } from "../resources/documents/tree/tree-store.ts";
import { findImportOf } from "../resources/documents/import-run-store.ts";
import { documentAddress } from "../resources/documents/present.ts";
import { type DocumentRow, findVisibleDocuments } from "../resources/documents/store.ts";
import type { Locale } from "../texts/formats.ts";
import { pageTexts } from "../texts/pages.ts";
import { treeAddress } from "./searching/branch-of-search.ts";
import { bytesInWords, momentInWords, pagesInWords, statusInWords } from "./wording.ts";

interface Titled {
  title: string;
  href: string;
}

/** A document in another one. */
interface Child extends Titled {
  /** Its folders within the container, and its name. */
  path: string;
  bytes: number;
  pageCount: number;
  status: string;
  /** How many documents are in it. */
  children: number;
}

/** The documents around a document and in it, as its page shows them. */
export interface ShownFamily {
  /** The outermost first. */
  containers: readonly Titled[];
  children: readonly Child[];
  /** The folder that it, or its outermost container, is in; null if it is in none. */
  folder: Titled | null;
  /** The page on which one browses what is in it. */
  contents: string;
  /** Whether the children were attached to a PDF: a redaction of that removes them. */
  areAttached: boolean;
  /** The list of all children; null if all are shown. */
  all: string | null;
  /** The page of the import that took them out; null without one. */
  imported: string | null;
  /** The mails of its conversation, the oldest first; empty without others. */
  thread: readonly (Titled & {
    from: readonly string[];
    date: string;
    isThis: boolean;
    /** Whether it belongs to the conversation by its subject and its participants only. */
    isGuessed: boolean;
  })[];
  /** The documents with the same file: how many with this one, in how many locations, and some of the others. */
  equal: { count: number; locations: number; others: readonly Titled[] };
  /** Documents whose texts are nearly equal, with the share in percent and the comparison with this one. */
  similar: readonly (Titled & { percent: number; comparison: string })[];
}

/** The number of copies and of similar documents that a page shows. */
const maxCopiesShown = 5;

export async function familyShown(
  database: Database,
  viewer: Viewer,
  document: Pick<DocumentRow, "id" | "data" | "file_hash">,
  web: string,
): Promise<ShownFamily> {
  const titled = (row: DocumentRow): Titled => ({ title: row.title, href: documentAddress(web, row) });
  const { id } = document;
  const thread = await findThread(database, viewer, document);
  const containers = await findContainers(database, viewer, id);
  const { children, next } = await findChildren(database, viewer, id, { after: -1, limit: childrenShown });
  const equal = await findEqual(database, viewer, document, maxCopiesShown);
  const others = (await findVisibleDocuments(database, viewer, equal.others)).map(titled);
  const importId = children.length === 0 ? null : await findImportOf(database.reader, id);
  const max = maxCopiesShown + equal.others.length;
  const similar = await similarDocuments(database, viewer, id, { web, max });
  return {
    equal: { ...equal, others },
    similar: similar
      .filter((one) => !equal.others.includes(one.id))
      .slice(0, maxCopiesShown)
      .map(({ id: other, title, canonical_url: href, similarity }) => {
        const comparison = `${web}/documents/${id}/comparison/${other}/`;
        return { title, href, percent: Math.round(similarity * 100), comparison };
      }),
    containers: containers.map(titled),
    folder: mayKnowPeople(viewer) ? await folderOf(database, id, web) : null,
    contents: treeAddress(`${web}/`, { kind: "container", id, names: [] }),
    children: children.map(({ row, path, bytes, children: count }) => {
      const { page_count: pageCount, status } = row;
      return Object.assign(titled(row), { path, bytes, pageCount, status, children: count });
    }),
    areAttached: children.some(({ isAttached }) => isAttached),
    all: next === null ? null : `${web}/?parent=${id}`,
    imported: importId === null ? null : `${web}/imports/${importId}/`,
    thread: thread.map(({ row, from, date, isGuessed }) =>
      Object.assign(titled(row), { from, date, isThis: row.id === id, isGuessed }),
    ),
  };
}

async function folderOf(database: Database, id: number, web: string): Promise<Titled | null> {
  const inKey = namesInKey((await findKey(database, id)) ?? "");
  const end = inKey.findIndex(({ kind }) => kind === "document");
  const names = inKey.slice(0, Math.max(0, end)).map(({ name }) => name);
  if (names.length === 0) return null;
  return { title: names.join(" / "), href: treeAddress(`${web}/`, { kind: "folder", names }) };
}

/** The way back up from a document that is in a folder, or part of others. */
export function wayUp({ containers: around, folder }: ShownFamily, locale: Locale): Html | null {
  const containers = [...(folder === null ? [] : [folder]), ...around];
  if (containers.length === 0) return null;
  const texts = pageTexts(locale);
  return html`<nav class="way-up" aria-label="${texts.document.family.wayUp}">
    <ol>
      ${containers.map(
        ({ title, href }) =>
          html`<li>
            <a href="${href}"><bdi>${title === "" ? texts.untitled : title}</bdi></a>
          </li>`,
      )}
    </ol>
  </nav>`;
}

/** The list of what is in a document, by folder. `mayEdit` adds what people who change it have to know. */
export function familyList(
  { children, all, imported, areAttached, contents }: ShownFamily,
  mayEdit: boolean,
  locale: Locale,
): Html | null {
  if (children.length === 0) return null;
  const { family } = pageTexts(locale).document;
  const byFolder = Map.groupBy(children, ({ path }) => path.slice(0, path.lastIndexOf("/") + 1));
  return html`<section class="family" aria-labelledby="family">
    <h2 id="family">${family.heading}</h2>
    ${Array.from(
      byFolder,
      ([folder, inFolder]) => html`
        ${folder !== "" && html`<h3 dir="auto">${folder.slice(0, -1).replaceAll("/", " / ")}</h3>`}
        <ol class="family-list">
          ${inFolder.map((child) => childItem(child, locale))}
        </ol>
      `,
    )}
    ${all !== null && html`<p><a href="${all}">${family.all}</a></p>`}
    <p><a href="${contents}">${pageTexts(locale).tree.browse}</a></p>
    ${
      mayEdit &&
      imported !== null &&
      html`<p><a href="${imported}">${pageTexts(locale).imports.ofArchive}</a></p>`
    }
    ${
      mayEdit &&
      html`<p class="quiet">
        ${family.follows} ${areAttached ? family.redactionRemoves : family.redactionKeeps}
      </p>`
    }
  </section>`;
}

function childItem({ title, href, path, bytes, pageCount, status, children }: Child, locale: Locale): Html {
  const texts = pageTexts(locale);
  const facts = [
    bytesInWords(bytes, locale),
    ...(pageCount > 0 ? [pagesInWords(pageCount, locale)] : []),
    ...(children > 0 ? [texts.document.family.documentsInIt(children)] : []),
    ...(status === "success" ? [] : [statusInWords(status, locale)]),
  ];
  return html`<li>
    <a href="${href}"><bdi>${title === "" ? texts.untitled : title}</bdi></a>
    <span class="quiet"><bdi>${path.slice(path.lastIndexOf("/") + 1)}</bdi>, ${facts.join(", ")}</span>
  </li>`;
}

/** The documents with the same file, and those with nearly the same text. */
export function copiesList({ equal, similar }: ShownFamily, locale: Locale): Html | null {
  if (equal.others.length === 0 && similar.length === 0) return null;
  const texts = pageTexts(locale);
  const { comparing } = texts.document;
  const link = ({ title, href }: Titled): Html =>
    html`<a href="${href}"><bdi>${title === "" ? texts.untitled : title}</bdi></a>`;
  return html`<section class="family" aria-labelledby="copies">
    <h2 id="copies">${comparing.copies}</h2>
    ${
      equal.others.length > 0 &&
      html`<p>${comparing.equalFiles(equal.count, equal.locations)}</p>
        <ol class="family-list">
          ${equal.others.map((other) => html`<li>${link(other)}</li>`)}
        </ol>`
    }
    ${
      similar.length > 0 &&
      html`<p>${comparing.similar}</p>
        <ol class="family-list">
          ${similar.map(
            ({ percent, comparison, ...other }) =>
              html`<li>
                ${link(other)}
                <span class="quiet">${comparing.percent(percent)}</span>
                <a href="${comparison}">${comparing.compare}</a>
              </li>`,
          )}
        </ol>`
    }
  </section>`;
}

/** A longer conversation is folded: only the mails around this one are seen at once. */
const maxThreadUnfolded = 12;
const shownAround = 5;

/** The conversation that a mail belongs to, in order. */
export function threadList({ thread }: ShownFamily, locale: Locale): Html | null {
  if (thread.length === 0) return null;
  const { family } = pageTexts(locale).document;
  const isLong = thread.length > maxThreadUnfolded;
  const own = thread.findIndex(({ isThis }) => isThis);
  const around = thread.slice(Math.max(0, own - shownAround), own + shownAround + 1);
  return html`<section class="family" aria-labelledby="thread">
    <h2 id="thread">${family.thread}</h2>
    ${mailList(isLong ? around : thread, locale)}
    ${
      isLong &&
      html`<details>
        <summary>${family.allMails(thread.length)}</summary>
        ${mailList(thread, locale)}
      </details>`
    }
    ${thread.some(({ isGuessed }) => isGuessed) && html`<p class="quiet">${family.guessedMeans}</p>`}
  </section>`;
}

function mailList(mails: ShownFamily["thread"], locale: Locale): Html {
  const texts = pageTexts(locale);
  return html`<ol class="family-list">
    ${mails.map(({ title, href, from, date, isThis, isGuessed }) => {
      const name = html`<bdi>${title === "" ? texts.untitled : title}</bdi>`;
      const facts = [...from, ...(date === "" ? [] : [momentInWords(date, locale)])];
      return html`<li>
        ${isThis ? html`<strong aria-current="page">${name}</strong>` : html`<a href="${href}">${name}</a>`}
        <span class="quiet"
          ><bdi>${facts.join(", ")}</bdi>${isGuessed && ` (${texts.document.family.guessed})`}</span
        >
      </li>`;
    })}
  </ol>`;
}
