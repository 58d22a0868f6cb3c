import { hash } from "node:crypto";
import type { Database } from "../../../database/database.ts";
import type { Links, Neighbours } from "../../../http/request/pagination.ts";
import { type Content, content, pageContent as jsonPage } from "../../../http/response/representation.ts";
import type { Expansion, Selection } from "../../../http/request/expansion.ts";
import { type Viewer, mayWrite } from "../../../http/request/viewer.ts";
import { type AccessFacts, mayEdit, mayShare } from "../access.ts";
import {
  type DocumentListQuery,
  type ListedDocument,
  findListedDocument,
  listDocumentRows,
  listDocuments,
} from "../list/list-store.ts";
import { type DocumentParts, expandedRecords } from "./expand.ts";
import { type Bases, recordText } from "./present.ts";
import type { RecordCache, Variant } from "./record-cache.ts";
import type { UploadAddresses } from "../files/upload-addresses.ts";
import { type DocumentRow, accessFacts, findDocument, findDocumentRows } from "../store.ts";

/**
 * A rendered record: its digest (SHA-1, 20 bytes), followed by its JSON. The entity tag of a page is made from the
 * digests of its records. That is as reliable as a digest of all its bytes and costs a twentieth of it.
 */
type Rendered = Buffer;
const digestBytes = 20;

export interface DocumentRecords {
  database: Database;
  cache: RecordCache;
  uploads: UploadAddresses;
  parts: DocumentParts;
}

/** The facts about a viewer and a request that rendering a record depends on. */
interface RenderContext {
  viewer: Viewer;
  bases: Bases;
  /** The cached variants for records that the viewer may edit, and for all others. */
  variants: Record<"edited" | "viewed", Variant>;
}

function renderContext({ cache }: DocumentRecords, viewer: Viewer, bases: Bases): RenderContext {
  const name = JSON.stringify(bases);
  const viewed = cache.variant(name);
  return {
    viewer,
    bases,
    variants: { viewed, edited: viewer.kind === "user" ? cache.variant(`${name} edited`) : viewed },
  };
}

/** One page of records as JSON. `linksTo` builds the links to the next and previous page. */
export async function listRecords(
  records: DocumentRecords,
  viewer: Viewer,
  query: DocumentListQuery,
  bases: Bases,
  linksTo: (neighbours: Neighbours) => Links,
  options: RecordOptions,
): Promise<Content & Links> {
  if (!isPlain(options)) return listExpandedRecords(records, viewer, query, bases, linksTo, options);
  const context = renderContext(records, viewer, bases);
  const listed = await listDocuments(records.database, viewer, query);
  const rendered = await renderedAsListed(records, context, listed.documents);
  if (rendered !== null) return pageContent(rendered, linksTo(listed.neighbours));
  // A row changed between the two statements. A single statement that reads whole rows is consistent.
  const whole = await listDocumentRows(records.database, viewer, query);
  const fresh = whole.documents.map((row) => keep(records, context, row));
  return pageContent(fresh, linksTo(whole.neighbours));
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
  return jsonPage(linksTo(neighbours), results);
}

/** One record as JSON. Null if the document does not exist or the viewer may not see it. */
export async function findRecord(
  records: DocumentRecords,
  viewer: Viewer,
  id: number,
  bases: Bases & { api: string },
  options: RecordOptions,
): Promise<Content | null> {
  if (!isPlain(options)) {
    const row = await findDocument(records.database, viewer, id);
    return row === null ? null : recordOf(records, viewer, row, bases, options);
  }
  const context = renderContext(records, viewer, bases);
  const listed = await findListedDocument(records.database, viewer, id);
  if (listed === null) return null;
  if (mayUpload(viewer, listed)) {
    const row = await findDocument(records.database, viewer, id);
    return row === null ? null : recordOf(records, viewer, row, bases, options);
  }
  const [rendered] = (await renderedAsListed(records, context, [listed])) ?? [];
  if (rendered === undefined) return findRecord(records, viewer, id, bases, options);
  return { ...contentOf(rendered), offers: offersTo(viewer, accessFacts(listed)) };
}

/** Whether the record shows an upload address. It does so only to the document's owner, and until the file is there. */
export function mayUpload(viewer: Viewer, { status, user_id }: ListedDocument | DocumentRow): boolean {
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
    return { ...contentOf(render(row, bases, mayEdit(viewer, facts))), offers };
  }
  const expandOptions = { ...options, inDetail: true, uploadTo, parts: records.parts };
  const [record] = await expandedRecords(records.database, viewer, [row], bases, expandOptions);
  return { ...content(record), offers };
}

function uploadsBy({ uploads }: DocumentRecords, viewer: Viewer, api: string) {
  return (row: DocumentRow) =>
    viewer.kind === "user" && mayUpload(viewer, row) ? uploads.addressFor(api, viewer, row) : null;
}

/** The entity tag of a row's plain record. */
export function recordTag(viewer: Viewer, row: DocumentRow, bases: Bases): string {
  return contentOf(render(row, bases, mayEdit(viewer, accessFacts(row)))).etag;
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
  return content(await expandedRecords(records.database, viewer, rows, bases, expandOptions));
}

function contentOf(rendered: Rendered): Content {
  return {
    body: Buffer.from(rendered.subarray(digestBytes)),
    etag: `"${rendered.toString("base64url", 0, digestBytes)}"`,
  };
}

/** The records in exactly these revisions. Null if one of them no longer exists. */
async function renderedAsListed(
  records: DocumentRecords,
  context: RenderContext,
  listed: readonly ListedDocument[],
): Promise<Rendered[] | null> {
  const variants = listed.map((document) => variantOf(context, document));
  const cached = (document: ListedDocument, index: number): Rendered | undefined => {
    const variant = variants[index] ?? null;
    return variant === null ? undefined : records.cache.find(variant, document.id, document.revision);
  };
  const found = listed.map(cached);
  if (areAll(found)) return found;
  const missing = listed.filter((_, index) => found[index] === undefined).map(({ id }) => id);
  const fetched = new Map<number, Rendered>();
  const revisions = new Map(listed.map(({ id, revision }) => [id, revision]));
  for (const row of await findDocumentRows(records.database, context.viewer, missing)) {
    if (row.revision === revisions.get(row.id)) fetched.set(row.id, keep(records, context, row));
  }
  // Records found in the cache may have been overwritten meanwhile.
  const rendered = listed.map((document, index) => fetched.get(document.id) ?? cached(document, index));
  return areAll(rendered) ? rendered : null;
}

/** The cached variant of a document's record. Null if it shows private projects: such records are not cached. */
function variantOf(
  { viewer, variants }: RenderContext,
  document: ListedDocument | DocumentRow,
): Variant | null {
  if (viewer.kind === "anonymous") return variants.viewed;
  if ((document.private_projects ?? "") !== "") return null;
  return mayEdit(viewer, accessFacts(document)) ? variants.edited : variants.viewed;
}

function areAll(rendered: readonly (Rendered | undefined)[]): rendered is Rendered[] {
  return !rendered.includes(undefined);
}

const roomForDigest = " ".repeat(digestBytes);

function render(row: DocumentRow, bases: Bases, editAccess: boolean): Rendered {
  const rendered = Buffer.from(roomForDigest + recordText(row, bases, editAccess));
  hash("sha1", rendered.subarray(digestBytes), "buffer").copy(rendered);
  return rendered;
}

function keep({ cache }: DocumentRecords, context: RenderContext, row: DocumentRow): Rendered {
  const variant = variantOf(context, row);
  const rendered = render(row, context.bases, mayEdit(context.viewer, accessFacts(row)));
  if (variant !== null) cache.put(variant, row.id, row.revision, rendered);
  return rendered;
}

const comma = 0x2c;

/** Copies the records at once, because a view of the cache is valid only until the next `put`. */
function pageContent(rendered: readonly Rendered[], links: Links): Content & Links {
  const head = Buffer.from(
    `{"next":${JSON.stringify(links.next)},"previous":${JSON.stringify(links.previous)},"results":[`,
  );
  const foot = "]}";
  const commas = Math.max(0, rendered.length - 1);
  const records = rendered.reduce((sum, record) => sum + record.length - digestBytes, 0);
  const body = Buffer.allocUnsafe(head.length + records + commas + foot.length);
  const summary = Buffer.allocUnsafe(head.length + rendered.length * digestBytes);
  let at = head.copy(body);
  let digestAt = head.copy(summary);
  for (const [index, record] of rendered.entries()) {
    if (index > 0) body[at++] = comma;
    at += record.copy(body, at, digestBytes);
    digestAt += record.copy(summary, digestAt, 0, digestBytes);
  }
  body.write(foot, at);
  return { body, etag: `"${hash("sha1", summary, "base64url")}"`, ...links };
}

function offersTo(viewer: Viewer, facts: AccessFacts): NonNullable<Content["offers"]> {
  if (!mayWrite(viewer)) return [];
  return [
    ...(mayEdit(viewer, facts) ? (["PUT", "PATCH"] as const) : []),
    ...(mayShare(viewer, facts) ? (["DELETE"] as const) : []),
  ];
}
