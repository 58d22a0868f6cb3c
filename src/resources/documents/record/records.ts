import type { Database } from "../../../database/database.ts";
import type { Cursor } from "../../../http/request/cursor.ts";
import type { Links, Neighbours } from "../../../http/request/pagination.ts";
import { type Content, longContent, pageContent, tagged } from "../../../http/response/representation.ts";
import { type Expansion, type Selection, isPlain } from "../../../http/request/expansion.ts";
import { type Viewer, mayWrite } from "../../../http/request/viewer.ts";
import { type AccessFacts, mayEdit, mayShare } from "../access.ts";
import { type DocumentList, listDocumentRows } from "../list/list-store.ts";
import { type DocumentParts, expandedRecords } from "./expand.ts";
import { type BaseUrls, recordText } from "../present.ts";
import type { UploadAddresses } from "../files/upload-addresses.ts";
import { type DocumentRow, accessFacts, findDocument } from "../store.ts";

export interface DocumentRecords {
  database: Database;
  uploads: UploadAddresses;
  parts: DocumentParts;
}

/** Options of a request that change what records contain. */
export interface RecordOptions {
  expansion: Expansion;
  selection: Selection;
  /** Leaves out the upload address, for a document whose file is fetched. */
  withoutUpload?: boolean;
}

/** The pages of a list as JSON, with records that are not plain. */
export function expandedPages(
  { database, parts }: DocumentRecords,
  viewer: Viewer,
  list: DocumentList,
  baseUrls: BaseUrls,
  linksTo: (neighbours: Neighbours) => Links,
  options: RecordOptions,
): (cursor: Cursor) => Promise<Content & Links> {
  return async (cursor) => {
    const { documents, neighbours } = await listDocumentRows(database, viewer, { ...list, cursor });
    const expandOptions = { ...options, inDetail: false, parts };
    const results = await expandedRecords(database, viewer, documents, baseUrls, expandOptions);
    return pageContent(linksTo(neighbours), results);
  };
}

/** One record as JSON. Null if the document does not exist or the viewer may not see it. */
export async function findRecord(
  records: DocumentRecords,
  viewer: Viewer,
  id: number,
  baseUrls: BaseUrls & { api: string },
  options: RecordOptions,
): Promise<Content | null> {
  const row = await findDocument(records.database, viewer, id);
  return row === null ? null : recordOf(records, viewer, row, baseUrls, options);
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
  baseUrls: BaseUrls & { api: string },
  options: RecordOptions,
): Promise<Content> {
  const facts = accessFacts(row);
  const offers = offersTo(viewer, facts);
  const uploadTo = options.withoutUpload === true ? undefined : uploadsBy(records, viewer, baseUrls.api);
  if (isPlain(options) && (uploadTo === undefined || !mayUpload(viewer, row))) {
    return { ...plainContent(viewer, row, baseUrls), offers };
  }
  const expandOptions = { ...options, inDetail: true, uploadTo, parts: records.parts };
  const [record] = await expandedRecords(records.database, viewer, [row], baseUrls, expandOptions);
  return { ...(await longContent(record)), offers };
}

function uploadsBy({ uploads }: DocumentRecords, viewer: Viewer, api: string) {
  return (row: DocumentRow) =>
    viewer.kind === "user" && mayUpload(viewer, row) ? uploads.addressFor(api, viewer, row) : null;
}

/** The entity tag of a row's plain record. */
export function recordTag(viewer: Viewer, row: DocumentRow, baseUrls: BaseUrls): string {
  return plainContent(viewer, row, baseUrls).etag;
}

/** The records of these rows as a list. Records of new documents include the upload address. */
export async function recordsOf(
  records: DocumentRecords,
  viewer: Viewer,
  rows: readonly DocumentRow[],
  baseUrls: BaseUrls & { api: string },
  { areNew, ...options }: RecordOptions & { areNew: boolean },
): Promise<Content> {
  const uploadTo = areNew ? uploadsBy(records, viewer, baseUrls.api) : undefined;
  const expandOptions = { ...options, inDetail: true, uploadTo, parts: records.parts };
  return longContent(await expandedRecords(records.database, viewer, rows, baseUrls, expandOptions));
}

function plainContent(viewer: Viewer, row: DocumentRow, baseUrls: BaseUrls): Content {
  return tagged(Buffer.from(recordText(row, baseUrls, mayEdit(viewer, accessFacts(row)))));
}

function offersTo(viewer: Viewer, facts: AccessFacts): NonNullable<Content["offers"]> {
  if (!mayWrite(viewer)) return [];
  return [
    ...(mayEdit(viewer, facts) ? (["PUT", "PATCH"] as const) : []),
    ...(mayShare(viewer, facts) ? (["DELETE"] as const) : []),
  ];
}
