import { type DocumentKind, type Role, columnOf, rightOf, sees } from "../../src/testing/access-rights.ts";
import { type FilledDocument, absentId, worldSlug } from "../../src/testing/access-world.ts";
import type { Asked } from "../../src/testing/ask.ts";
import { marksIn } from "../../src/testing/marks.ts";
import { type MatrixRow, targetOf } from "../../src/testing/matrix.ts";
import type { Words } from "../../src/testing/run-matrix.ts";
import { documentRequest, documentRows, documentWords } from "../rights/documents.ts";
import { fileRequest, fileRows, fileWords, hasAnswered } from "../rights/files.ts";
import { partRequest, partRows, partWords } from "../rights/parts.ts";
import type { Answer } from "./asker.ts";

/** The document that was changed, as its owner knows it. */
export interface Changed extends FilledDocument {
  project: number;
  /** The revision before the change. */
  revision: number;
}

/** A way in which a document is seen. */
export interface Way {
  name: string;
  asked(document: Changed): Asked;
  /** What is wrong with a role's answer; null if nothing is. */
  faultOf(role: Role, document: Changed, answer: Answer): string | null;
}

const get = (target: string): Asked => ({ method: "GET", target });

/** Whether an answer has the words of the document or of its note. */
const shows = ({ id, note }: FilledDocument, { text }: Answer): boolean =>
  marksIn(text).some((mark) => mark === id || mark === note);

/** An address whose answer has the words of the document exactly if the reader may see it. */
function listWay(name: string): Way {
  return {
    name,
    asked: (document) => {
      const [path = "", query] = name.split("?");
      const { id, project } = document;
      const variant = query === undefined ? "" : `?${query}`;
      return get(targetOf({ path, variant }, { id, project, slug: worldSlug }));
    },
    faultOf: (role, document, answer) => {
      const isShown = shows(document, answer);
      return isShown === sees(role, document) ? null : `${isShown ? "shows" : "hides"} it`;
    },
  };
}

/** The record, and the list, have the access that was given. */
const recordWay = listWay("/api/documents/:id/");
const listedWay = listWay("/api/documents/?id__in=:id");
/** The revision differs from the one before the change. */
const revisionWay = listWay("/api/quotations/?document=:id&quote=harbour");

interface Told {
  access?: string;
  results?: { access?: string }[];
  documents?: { revision?: number }[];
}

/** A way that also tells what the change has made of the document, to those who may see it. */
function tellingWay(way: Way, tells: (told: Told, document: Changed) => boolean): Way {
  return {
    ...way,
    faultOf: (role, document, answer) => {
      const fault = way.faultOf(role, document, answer);
      if (fault !== null || !sees(role, document)) return fault;
      return tells(JSON.parse(answer.text) as Told, document) ? null : "is out of date";
    },
  };
}

/** Every change is looked at in these ways. */
export const usualWays: readonly Way[] = [
  tellingWay(recordWay, ({ access }, document) => access === document.access),
  tellingWay(listedWay, ({ results }, document) => results?.[0]?.access === document.access),
  tellingWay(revisionWay, ({ documents }, { revision }) => documents?.[0]?.revision !== revision),
];

const listWays = [
  "/api/documents/?per_page=100&project=:project",
  "/api/documents/?per_page=100&project=:project&ordering=title",
  "/api/documents/search/?q=harbour&per_page=100",
  "/api/documents/search/?q=harbour&per_page=100&ordering=title&hl=true",
  "/api/documents/search/?folder=Leak&per_page=100",
  "/api/documents/search/?q=id::id",
  "/api/documents/:id/search/?q=harbour",
  "/api/documents/tree/?folder=Leak&per_page=100",
  "/api/documents/:id/notes/",
  "/api/notes/?per_page=100",
  "/api/notes/?per_page=100&expand=document",
  "/api/projects/:project/documents/?per_page=100&expand=document",
  "/files/documents/:id/pages/:slug-p1.txt",
  "/iiif/:id/notes/1.json",
  "/documents/:id-:slug/",
  "/embed/documents/:id/",
].map(listWay);

interface Matrix {
  rows: readonly MatrixRow[];
  words: Words;
  asked: (row: MatrixRow, document: Changed) => Asked;
}

/** The documents are neither tables nor mails. */
const isReading = ({ method, path, variant }: MatrixRow): boolean =>
  (method === "GET" || path === "/mcp") && !/\/(?:table|mail)\/|original\//.test(`${path}${variant}`);

/** Administrators read the history of what they do not see, too. */
const rightTo = (role: Role, document: DocumentKind, { path }: MatrixRow) =>
  path === "/api/documents/:id/history/" && role === "administrator" ? "E" : rightOf(role, document);

/** The rows of a matrix of rights that read: what they expect is the status. What is hidden is not in the answer. */
function matrixWays({ rows, words, asked }: Matrix): Way[] {
  return rows.filter(isReading).map((row) => ({
    name: row.name,
    asked: (document) => asked(row, document),
    faultOf: (role, document, answer) => {
      const word = row.words[columnOf(rightTo(role, document, row))] ?? "";
      const status = words[word]?.[0] ?? Number.parseInt(word, 10);
      const isHidden = !sees(role, document);
      if (answer.status !== status) return `gets ${answer.status}, not ${status}`;
      if (isHidden && shows(document, answer)) return "shows it";
      if (row.path === "/mcp" && hasAnswered(answer.text) === isHidden) return "is told something else";
      return null;
    },
  }));
}

/** The ways that take turns. `url` is the address of the cluster. */
export const otherWays = (url: string): readonly Way[] => [
  ...listWays,
  ...matrixWays({ rows: documentRows, words: documentWords, asked: documentRequest }),
  ...matrixWays({
    rows: fileRows,
    words: fileWords,
    asked: (row, document) => fileRequest(url, row, document),
  }),
  ...matrixWays({
    rows: partRows,
    words: partWords,
    asked: (row, document) => partRequest(row, document, absentId.entity),
  }),
];
