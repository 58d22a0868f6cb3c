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
 * A rendered record: its digest (SHA-1, 20 bytes), then its JSON. A page's tag is made from the digests of its
 * records, which says as much as the digest of its bytes and costs a twentieth of it.
 */
type Rendered = Buffer;
const digestBytes = 20;

export interface DocumentRecords {
  database: Database;
  cache: RecordCache;
  uploads: UploadAddresses;
  parts: DocumentParts;
}

/** What records look like to one viewer. */
interface RenderContext {
  viewer: Viewer;
  bases: Bases;
  /** Of those that the viewer may change, and of the others. */
  variants: Record<"edited" | "viewed", Variant>;
}

function lookOf({ cache }: DocumentRecords, viewer: Viewer, bases: Bases): RenderContext {
  const name = JSON.stringify(bases);
  const viewed = cache.variant(name);
  return {
    viewer,
    bases,
    variants: { viewed, edited: viewer.kind === "user" ? cache.variant(`${name} edited`) : viewed },
  };
}

/** One page of records as JSON. `linksTo` writes the addresses of the pages beside it. */
export async function listRecords(
  records: DocumentRecords,
  viewer: Viewer,
  query: DocumentListQuery,
  bases: Bases,
  linksTo: (neighbours: Neighbours) => Links,
  wanted: RecordOptions,
): Promise<Content & Links> {
  if (!isPlain(wanted)) return listExpandedRecords(records, viewer, query, bases, linksTo, wanted);
  const look = lookOf(records, viewer, bases);
  const listed = await listDocuments(records.database, viewer, query);
  const rendered = await renderedAsListed(records, look, listed.documents);
  if (rendered !== null) return pageContent(rendered, linksTo(listed.neighbours));
  // A row changed between the two statements. One statement that reads whole rows is of one moment.
  const whole = await listDocumentRows(records.database, viewer, query);
  const fresh = whole.documents.map((row) => keep(records, look, row));
  return pageContent(fresh, linksTo(whole.neighbours));
}

/** What a client wants of records besides what they have of themselves. */
export interface RecordOptions {
  expansion: Expansion;
  selection: Selection;
  /** Without where its file is to go, for one whose file is fetched. */
  withoutUpload?: boolean;
}

export function isPlain({ expansion, selection }: RecordOptions): boolean {
  return expansion.isEmpty && selection.isWhole;
}

/** One page of records with what is expanded in them. */
async function listExpandedRecords(
  { database, parts }: DocumentRecords,
  viewer: Viewer,
  query: DocumentListQuery,
  bases: Bases,
  linksTo: (neighbours: Neighbours) => Links,
  wanted: RecordOptions,
): Promise<Content & Links> {
  const { documents, neighbours } = await listDocumentRows(database, viewer, query);
  const options = { ...wanted, inDetail: false, parts };
  const results = await expandedRecords(database, viewer, documents, bases, options);
  return jsonPage(linksTo(neighbours), results);
}

/** One record as JSON; null when there is none that this viewer may see. */
export async function findRecord(
  records: DocumentRecords,
  viewer: Viewer,
  id: number,
  bases: Bases & { api: string },
  wanted: RecordOptions,
): Promise<Content | null> {
  if (!isPlain(wanted)) {
    const row = await findDocument(records.database, viewer, id);
    return row === null ? null : recordOf(records, viewer, row, bases, wanted);
  }
  const look = lookOf(records, viewer, bases);
  const listed = await findListedDocument(records.database, viewer, id);
  if (listed === null) return null;
  if (mayUpload(viewer, listed)) {
    const row = await findDocument(records.database, viewer, id);
    return row === null ? null : recordOf(records, viewer, row, bases, wanted);
  }
  const [rendered] = (await renderedAsListed(records, look, [listed])) ?? [];
  if (rendered === undefined) return findRecord(records, viewer, id, bases, wanted);
  return { ...contentOf(rendered), offers: offersTo(viewer, accessFacts(listed)) };
}

/** Whether the record shows where its file is to go: to its owner, until the file is there. */
export function mayUpload(viewer: Viewer, { status, user_id }: ListedDocument | DocumentRow): boolean {
  return mayWrite(viewer) && status === "nofile" && user_id === viewer.id;
}

/** The record of a row, as `findRecord` would give it. */
export async function recordOf(
  records: DocumentRecords,
  viewer: Viewer,
  row: DocumentRow,
  bases: Bases & { api: string },
  wanted: RecordOptions,
): Promise<Content> {
  const facts = accessFacts(row);
  const offers = offersTo(viewer, facts);
  const uploadTo = wanted.withoutUpload === true ? undefined : uploadsBy(records, viewer, bases.api);
  if (isPlain(wanted) && (uploadTo === undefined || !mayUpload(viewer, row))) {
    return { ...contentOf(render(row, bases, mayEdit(viewer, facts))), offers };
  }
  const options = { ...wanted, inDetail: true, uploadTo, parts: records.parts };
  const [record] = await expandedRecords(records.database, viewer, [row], bases, options);
  return { ...content(record), offers };
}

function uploadsBy({ uploads }: DocumentRecords, viewer: Viewer, api: string) {
  return (row: DocumentRow) =>
    viewer.kind === "user" && mayUpload(viewer, row) ? uploads.addressFor(api, viewer, row) : null;
}

/** The tag of a row's plain record. */
export function recordTag(viewer: Viewer, row: DocumentRow, bases: Bases): string {
  return contentOf(render(row, bases, mayEdit(viewer, accessFacts(row)))).etag;
}

/** The records of these rows, as a list; of new ones, with where their files are to go. */
export async function recordsOf(
  records: DocumentRecords,
  viewer: Viewer,
  rows: readonly DocumentRow[],
  bases: Bases & { api: string },
  { areNew, ...wanted }: RecordOptions & { areNew: boolean },
): Promise<Content> {
  const uploadTo = areNew ? uploadsBy(records, viewer, bases.api) : undefined;
  const options = { ...wanted, inDetail: true, uploadTo, parts: records.parts };
  return content(await expandedRecords(records.database, viewer, rows, bases, options));
}

function contentOf(rendered: Rendered): Content {
  return {
    body: Buffer.from(rendered.subarray(digestBytes)),
    etag: `"${rendered.toString("base64url", 0, digestBytes)}"`,
  };
}

/** The records in these very revisions; null when one of them is not to be had any more. */
async function renderedAsListed(
  records: DocumentRecords,
  look: RenderContext,
  listed: readonly ListedDocument[],
): Promise<Rendered[] | null> {
  const variants = listed.map((document) => variantOf(look, document));
  const atHand = (document: ListedDocument, index: number): Rendered | undefined => {
    const variant = variants[index] ?? null;
    return variant === null ? undefined : records.cache.find(variant, document.id, document.revision);
  };
  const found = listed.map(atHand);
  if (areAll(found)) return found;
  const missing = listed.filter((_, index) => found[index] === undefined).map(({ id }) => id);
  const fetched = new Map<number, Rendered>();
  const revisions = new Map(listed.map(({ id, revision }) => [id, revision]));
  for (const row of await findDocumentRows(records.database, look.viewer, missing)) {
    if (row.revision === revisions.get(row.id)) fetched.set(row.id, keep(records, look, row));
  }
  // What was at hand may have been overwritten meanwhile.
  const rendered = listed.map((document, index) => fetched.get(document.id) ?? atHand(document, index));
  return areAll(rendered) ? rendered : null;
}

/** Where its record is kept; null for one that shows what only some may know, which is rendered for them each time. */
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

function keep({ cache }: DocumentRecords, look: RenderContext, row: DocumentRow): Rendered {
  const variant = variantOf(look, row);
  const rendered = render(row, look.bases, mayEdit(look.viewer, accessFacts(row)));
  if (variant !== null) cache.put(variant, row.id, row.revision, rendered);
  return rendered;
}

const comma = 0x2c;

/** Copies at once: a rendered record that is a view of the cache is good only until the next one is put there. */
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
