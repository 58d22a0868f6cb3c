import { hash } from "node:crypto";
import type { Database } from "../../../database/database.ts";
import { readingAnywhere } from "../../../database/prepared-queries.ts";
import { type Cursor, decodeCursor } from "../../../http/request/cursor.ts";
import type { Links, Neighbours } from "../../../http/request/pagination.ts";
import type { Content } from "../../../http/response/representation.ts";
import type { PageAt } from "../../../http/response/tagged-responses.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { kindOf, mayEdit } from "../access.ts";
import { type BaseUrls, digestOf, projectIds, putTogether, recordPieces } from "../present.ts";
import { type DocumentRow, accessFacts } from "../store.ts";
import { type DocumentList, listDocumentRows, storedRecordPages } from "./list-store.ts";
import { type Ordering, orderingInCursors } from "./orderings.ts";
import type { TaggedRecord } from "./stored-page-store.ts";

/** The pages of a list as JSON. `linksTo` builds the links to the next and previous page. */
export function listPages(
  database: Database,
  viewer: Viewer,
  list: DocumentList,
  baseUrls: BaseUrls,
  linksTo: (neighbours: Neighbours) => Links,
): (cursor: Cursor) => Promise<Content & Links> {
  const storedAt = storedRecordPages(database, viewer, list, baseUrls);
  return async (cursor) => {
    const stored = await storedAt(cursor);
    if (stored.documents.every(({ start, end }) => end > start)) {
      return pageOf(baseUrls, stored.documents, linksTo(stored.neighbours));
    }
    // Some records are not stored. A single statement reads whole rows, so that the page is consistent.
    const rows = await listDocumentRows(database, viewer, { ...list, cursor });
    const rendered = rows.documents.map((row) => renderedRecord(viewer, baseUrls, row));
    return pageOf(baseUrls, rendered, linksTo(rows.neighbours));
  };
}

/** The same pages for the cursors of requests, once everything is public whose time has come. */
export function pagesAtCursors(
  database: Database,
  pages: (cursor: Cursor) => Promise<Content>,
  ordering: Ordering,
  publisher: { caughtUp<T>(query: () => T): T | Promise<Awaited<T>> },
): PageAt {
  const inCursors = orderingInCursors(ordering);
  return async (encoded) =>
    publisher.caughtUp(() => {
      const cursor = decodeCursor(encoded, inCursors);
      return readingAnywhere(database, () => pages(cursor));
    });
}

/** Renders the record of a row as it would be stored. */
function renderedRecord(viewer: Viewer, baseUrls: BaseUrls, row: DocumentRow): TaggedRecord {
  const pieces = recordPieces(row);
  const mayBeEdited = mayEdit(viewer, accessFacts(row));
  const projects = projectIds(row);
  const tag = [
    digestOf(pieces),
    ...(viewer.kind === "anonymous" ? [] : [mayBeEdited]),
    ...(kindOf(viewer) === "collaborator" ? [projects] : []),
  ];
  const bytes = Buffer.from(putTogether(pieces, baseUrls, mayBeEdited, projects));
  return { tag: tag.join("/"), bytes, start: 0, end: bytes.length };
}

const comma = 0x2c;
const foot = "]}";

/** The entity tag of the page is a digest of the tags of its records, which are a thirtieth as long as they are. */
function pageOf({ web, assets }: BaseUrls, records: readonly TaggedRecord[], links: Links): Content & Links {
  const head = `{"next":${JSON.stringify(links.next)},"previous":${JSON.stringify(links.previous)},"results":[`;
  let tags = `${web}\n${assets}\n${head}`;
  for (const { tag } of records) tags += `\n${tag}`;
  const body = completed(head, records) ?? joined(head, records);
  return { body, etag: `"${hash("sha1", tags, "base64url")}"`, ...links };
}

/** Writes the rest of the body around the records, where they are. Null if they are scattered or there is no room. */
function completed(head: string, records: readonly TaggedRecord[]): Buffer | null {
  const [first] = records;
  if (first === undefined) return null;
  const { bytes } = first;
  let { start: next } = first;
  for (const record of records) {
    if (record.bytes !== bytes || record.start !== next) return null;
    next = record.end + 1;
  }
  const start = first.start - Buffer.byteLength(head);
  const end = next - 1 + foot.length;
  if (start < 0 || end > bytes.length) return null;
  for (const record of records) bytes[record.end] = comma;
  bytes.write(head, start);
  bytes.write(foot, next - 1);
  return bytes.subarray(start, end);
}

/** Copies the records into a body. */
function joined(head: string, records: readonly TaggedRecord[]): Buffer {
  const separated = records.flatMap(({ bytes, start, end }, index) => [
    Buffer.from(index === 0 ? "" : ","),
    bytes.subarray(start, end),
  ]);
  return Buffer.concat([Buffer.from(head), ...separated, Buffer.from(foot)]);
}
