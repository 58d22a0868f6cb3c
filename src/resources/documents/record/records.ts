import { hash } from "node:crypto";
import type { Database } from "../../../database/database.ts";
import type { Cursor } from "../../../http/request/cursor.ts";
import type { Links, Neighbours } from "../../../http/request/pagination.ts";
import { type Content, longContent, pageContent, tagged } from "../../../http/response/representation.ts";
import type { Expansion, Selection } from "../../../http/request/expansion.ts";
import { type Viewer, mayWrite } from "../../../http/request/viewer.ts";
import { type AccessFacts, mayEdit, mayShare } from "../access.ts";
import {
  type DocumentList,
  type DocumentListQuery,
  listDocumentRows,
  storedRecordPages,
} from "../list/list-store.ts";
import { type DocumentParts, expandedRecords } from "./expand.ts";
import { type Bases, recordText } from "../present.ts";
import { type TaggedRecord, renderedRecord } from "../record-store.ts";
import type { UploadAddresses } from "../files/upload-addresses.ts";
import { type DocumentRow, accessFacts, findDocument } from "../store.ts";

export interface DocumentRecords {
  database: Database;
  uploads: UploadAddresses;
  parts: DocumentParts;
}

/** The pages of a list as JSON. `linksTo` builds the links to the next and previous page. */
export function recordPages(
  records: DocumentRecords,
  viewer: Viewer,
  list: DocumentList,
  bases: Bases,
  linksTo: (neighbours: Neighbours) => Links,
  options: RecordOptions,
): (cursor: Cursor) => Promise<Content & Links> {
  const { database } = records;
  if (!isPlain(options)) {
    return (cursor) => listExpandedRecords(records, viewer, { ...list, cursor }, bases, linksTo, options);
  }
  const storedAt = storedRecordPages(database, viewer, list, bases);
  return async (cursor) => {
    const stored = await storedAt(cursor);
    if (stored.documents.every(({ start, end }) => end > start)) {
      return pageOf(bases, stored.documents, linksTo(stored.neighbours));
    }
    // Some records are not stored. A single statement reads whole rows, so that the page is consistent.
    const rows = await listDocumentRows(database, viewer, { ...list, cursor });
    const rendered = rows.documents.map((row) => renderedRecord(viewer, bases, row));
    return pageOf(bases, rendered, linksTo(rows.neighbours));
  };
}

const comma = 0x2c;
const foot = "]}";

/** The entity tag of the page is a digest of the tags of its records, which are a thirtieth as long as they are. */
function pageOf({ web, assets }: Bases, records: readonly TaggedRecord[], links: Links): Content & Links {
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

/** Options of a request that change what records contain. */
export interface RecordOptions {
  expansion: Expansion;
  selection: Selection;
  /** Leaves out the upload address, for a document whose file is fetched. */
  withoutUpload?: boolean;
}

export function isPlain({ expansion, selection }: RecordOptions): boolean {
  return expansion.isEmpty && selection.isWhole;
}

/** One page of records with expansions. */
async function listExpandedRecords(
  { database, parts }: DocumentRecords,
  viewer: Viewer,
  query: DocumentListQuery,
  bases: Bases,
  linksTo: (neighbours: Neighbours) => Links,
  options: RecordOptions,
): Promise<Content & Links> {
  const { documents, neighbours } = await listDocumentRows(database, viewer, query);
  const expandOptions = { ...options, inDetail: false, parts };
  const results = await expandedRecords(database, viewer, documents, bases, expandOptions);
  return pageContent(linksTo(neighbours), results);
}

/** One record as JSON. Null if the document does not exist or the viewer may not see it. */
export async function findRecord(
  records: DocumentRecords,
  viewer: Viewer,
  id: number,
  bases: Bases & { api: string },
  options: RecordOptions,
): Promise<Content | null> {
  const row = await findDocument(records.database, viewer, id);
  return row === null ? null : recordOf(records, viewer, row, bases, options);
}

/** Whether the record shows an upload address. It does so only to the document's owner, until a file has arrived. */
export function mayUpload(viewer: Viewer, { status, user_id }: DocumentRow): boolean {
  return mayWrite(viewer) && status === "nofile" && user_id === viewer.id;
}

/** The record of a row, as {@link findRecord} would return it. */
export async function recordOf(
  records: DocumentRecords,
  viewer: Viewer,
  row: DocumentRow,
  bases: Bases & { api: string },
  options: RecordOptions,
): Promise<Content> {
  const facts = accessFacts(row);
  const offers = offersTo(viewer, facts);
  const uploadTo = options.withoutUpload === true ? undefined : uploadsBy(records, viewer, bases.api);
  if (isPlain(options) && (uploadTo === undefined || !mayUpload(viewer, row))) {
    return { ...plainContent(viewer, row, bases), offers };
  }
  const expandOptions = { ...options, inDetail: true, uploadTo, parts: records.parts };
  const [record] = await expandedRecords(records.database, viewer, [row], bases, expandOptions);
  return { ...(await longContent(record)), offers };
}

function uploadsBy({ uploads }: DocumentRecords, viewer: Viewer, api: string) {
  return (row: DocumentRow) =>
    viewer.kind === "user" && mayUpload(viewer, row) ? uploads.addressFor(api, viewer, row) : null;
}

/** The entity tag of a row's plain record. */
export function recordTag(viewer: Viewer, row: DocumentRow, bases: Bases): string {
  return plainContent(viewer, row, bases).etag;
}

/** The records of these rows as a list. Records of new documents include the upload address. */
export async function recordsOf(
  records: DocumentRecords,
  viewer: Viewer,
  rows: readonly DocumentRow[],
  bases: Bases & { api: string },
  { areNew, ...options }: RecordOptions & { areNew: boolean },
): Promise<Content> {
  const uploadTo = areNew ? uploadsBy(records, viewer, bases.api) : undefined;
  const expandOptions = { ...options, inDetail: true, uploadTo, parts: records.parts };
  return longContent(await expandedRecords(records.database, viewer, rows, bases, expandOptions));
}

function plainContent(viewer: Viewer, row: DocumentRow, bases: Bases): Content {
  return tagged(Buffer.from(recordText(row, bases, mayEdit(viewer, accessFacts(row)))));
}

function offersTo(viewer: Viewer, facts: AccessFacts): NonNullable<Content["offers"]> {
  if (!mayWrite(viewer)) return [];
  return [
    ...(mayEdit(viewer, facts) ? (["PUT", "PATCH"] as const) : []),
    ...(mayShare(viewer, facts) ? (["DELETE"] as const) : []),
  ];
}
