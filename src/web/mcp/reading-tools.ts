import type { Document } from "../../contract/document.ts";
import type { Note } from "../../contract/note.ts";
import type { Project } from "../../contract/project.ts";
import { quotationLimits } from "../../contract/limits.ts";
import type { Quotation } from "../../contract/quotation.ts";
import type { FoundDocument } from "../../contract/search.ts";
import { Type } from "../../contract/shape.ts";
import { ApiRefusalError, type AskApi } from "./ask-api.ts";
import { type Tool, cursor, cursorIn, documentId, optional, pageAddress, tool } from "./tool.ts";

interface Listed<Item> {
  next: string | null;
  results: Item[];
}

const maxListed = 25;
const limit = optional(
  Type.Integer({ minimum: 1, maximum: maxListed, description: `how many, at most ${maxListed}` }),
);

/** What a list shows of a document. */
function summaryOf({ id, title, canonical_url, page_count, status, access, created_at, source }: Document) {
  return { id, title, url: canonical_url, page_count, status, access, created_at, source };
}

const recordOf = (ask: AskApi, id: number): Promise<Document> =>
  ask({ path: `/api/documents/${id}/` }) as Promise<Document>;

const search = tool(
  {
    name: "search_documents",
    title: "Search the documents",
    description:
      'Finds documents by their words and metadata. Understands "phrases", AND, OR, NOT, and fields such as ' +
      "title:budget or user:5. Each result has the pages that match, with pieces of their text.",
    input: { query: Type.String({ description: "what to look for" }), limit, cursor },
  },
  async ({ query, limit: perPage = 10, cursor: at }, ask) => {
    const asked = { q: query, per_page: perPage, hl: "true", cursor: at };
    const found = (await ask({ path: "/api/documents/search/", query: asked })) as Listed<
      FoundDocument & Document
    > & { count: number };
    return {
      count: found.count,
      results: found.results.map((document) => ({
        ...summaryOf(document),
        id: Number(document.id),
        matching_pages: Object.entries(document.highlights ?? {}).map(([name, fragments]) => {
          const page = Number(name.replace("page_no_", ""));
          return { page, url: pageAddress(document.canonical_url, page), fragments };
        }),
      })),
      next_cursor: cursorIn(found.next),
    };
  },
);

const list = tool(
  {
    name: "list_documents",
    title: "List documents",
    description: "Lists the documents that you may see, the newest first; perhaps only those of a project.",
    input: {
      project: optional(Type.Integer({ minimum: 1, description: "only documents of this project" })),
      limit,
      cursor,
    },
  },
  async ({ project, limit: perPage = 25, cursor: at }, ask) => {
    const query = { project, per_page: perPage, ordering: "-created_at", cursor: at };
    const { results, next } = (await ask({ path: "/api/documents/", query })) as Listed<Document>;
    return { results: results.map(summaryOf), next_cursor: cursorIn(next) };
  },
);

const read = tool(
  {
    name: "get_document",
    title: "Look up a document",
    description: "Everything that is known about a document, without its text, and its table of contents.",
    input: { document: documentId },
  },
  async ({ document: id }, ask) => {
    const query = { expand: "sections,projects" };
    const record = (await ask({ path: `/api/documents/${id}/`, query })) as Document & { sections?: unknown };
    const { description, language, data, projects, published_url, related_article, sections } = record;
    const more = { description, language, data, published_url, related_article, projects, sections };
    return { ...summaryOf(record), file_hash: record.file_hash, ...more };
  },
);

const maxPagesRead = 20;
const maxCharactersRead = 100_000;

const readPages = tool(
  {
    name: "read_pages",
    title: "Read pages",
    description:
      "The text of pages of a document. Pages count from 1. The answer says where to go on if it is not all. " +
      "The text of scans was recognised and may have errors: compare with the page at url where it matters.",
    input: {
      document: documentId,
      first_page: Type.Integer({ minimum: 1, description: "the first page to read" }),
      last_page: optional(
        Type.Integer({ minimum: 1, description: `the last one; ${maxPagesRead} pages at most` }),
      ),
    },
  },
  async ({ document: id, first_page: first, last_page: last = first }, ask) => {
    const record = await recordOf(ask, id);
    const end = Math.min(last, first + maxPagesRead - 1, record.page_count);
    const pages: { page: number; url: string; text: string }[] = [];
    let characters = 0;
    for (let page = first; page <= end && characters < maxCharactersRead; page++) {
      const text = await pageText(ask, record, page);
      characters += text.length;
      pages.push({ page, url: pageAddress(record.canonical_url, page), text });
    }
    const next = first + pages.length;
    const hasMore = next <= Math.min(last, record.page_count);
    return { ...summaryOf(record), pages, next_page: hasMore ? next : null };
  },
);

/** Empty for a page that has not been read. */
async function pageText(ask: AskApi, { id, slug }: Document, page: number): Promise<string> {
  try {
    const name = `${encodeURIComponent(slug)}-p${page}.txt`;
    return String(await ask({ path: `/files/documents/${id}/pages/${name}` }));
  } catch (error) {
    if (error instanceof ApiRefusalError && error.status === 404) return "";
    throw error;
  }
}

const readNotes = tool(
  {
    name: "read_notes",
    title: "Read notes",
    description: "The notes on a document that you may see, with their pages.",
    input: { document: documentId, cursor },
  },
  async ({ document: id, cursor: at }, ask) => {
    const record = await recordOf(ask, id);
    const query = { cursor: at, per_page: 100 };
    const path = `/api/documents/${id}/notes/`;
    const { results, next } = (await ask({ path, query })) as Listed<Note>;
    const notes = results.map((note) => presentNote(note, record.canonical_url));
    return { document: summaryOf(record), notes, next_cursor: cursorIn(next) };
  },
);

/** A note as assistants see it. */
export function presentNote(note: Note, canonical: string): object {
  const { id, title, content, access, page_number, user, created_at, x1, x2, y1, y2 } = note;
  const page = page_number + 1;
  const box = x1 === null ? null : { x1, x2, y1, y2 };
  const url = `${pageAddress(canonical, page)}/a${id}`;
  return { id, title, content, access, page, box, user, created_at, url };
}

const readTable = tool(
  {
    name: "read_table",
    title: "Read a table",
    description: "Rows of a document whose file is a table: CSV or XLSX. Rows and sheets count from 0.",
    input: {
      document: documentId,
      sheet: optional(Type.Integer({ minimum: 0 })),
      offset: optional(Type.Integer({ minimum: 0, description: "the first row" })),
      limit: optional(
        Type.Integer({ minimum: 1, maximum: 1000, description: "how many rows; 100 if not given" }),
      ),
    },
  },
  async ({ document: id, ...range }, ask) => {
    const record = await recordOf(ask, id);
    const table = (await ask({ path: `/api/documents/${id}/table/`, query: range })) as {
      next: string | null;
      offset: number;
      rows: unknown[];
    };
    const next_offset = table.next === null ? null : table.offset + table.rows.length;
    return { document: summaryOf(record), ...table, next: undefined, next_offset };
  },
);

const verifyQuote = tool(
  {
    name: "verify_quote",
    title: "Check a quotation",
    description:
      "Whether these words stand in a document, exactly, now. Use it before you quote. Spaces, hyphens and quotation " +
      "marks may differ; every letter and digit counts. If verified is false, do not quote: read the page again.",
    input: {
      quote: Type.String({ minLength: 1, maxLength: quotationLimits.quote, description: "the words" }),
      document: optional(Type.Integer({ minimum: 1, description: "the id of a document; all if not given" })),
      page: optional(Type.Integer({ minimum: 1, description: "a page of it, from 1; all if not given" })),
    },
  },
  async ({ quote, document, page }, ask) => {
    const query = { quote, document, page_number: page === undefined ? undefined : page - 1 };
    const { documents, ...answer } = (await ask({ path: "/api/quotations/", query })) as Quotation;
    return {
      ...answer,
      documents: documents.map(presentQuoted),
    };
  },
);

function presentQuoted({ canonical_url, matches, ...about }: Quotation["documents"][number]): object {
  const shown = matches.map(({ page_number, text, boxes, canonical_url: url }) => ({
    page: page_number + 1,
    url,
    text,
    boxes,
  }));
  return { ...about, url: canonical_url, matches: shown };
}

const listProjects = tool(
  {
    name: "list_projects",
    title: "List projects",
    description: "The projects that you may see: collections of documents.",
    input: { cursor },
  },
  async ({ cursor: at }, ask) => {
    const query = { cursor: at, per_page: 100 };
    const { results, next } = (await ask({ path: "/api/projects/", query })) as Listed<Project>;
    return {
      results: results.map((project) => presentProject(project, ask.web)),
      next_cursor: cursorIn(next),
    };
  },
);

/** A project as assistants see it. */
export function presentProject(
  { id, slug, title, description, private: isPrivate }: Project,
  web: string,
): object {
  const name = slug === "" ? String(id) : `${id}-${encodeURIComponent(slug)}`;
  return { id, title, description, private: isPrivate, url: `${web}/projects/${name}/` };
}

export const readingTools: readonly Tool[] = [
  search,
  list,
  read,
  readPages,
  readNotes,
  readTable,
  verifyQuote,
  listProjects,
];
