import { hash } from "node:crypto";
import type { Database } from "../../database/database.ts";
import type { Links, Neighbours } from "../../http/pagination.ts";
import type { Content } from "../../http/representation.ts";
import type { Viewer } from "../../http/viewer.ts";
import { type Bases, recordText } from "./present.ts";
import type { RecordCache, Variant } from "./record-cache.ts";
import {
  type DocumentListQuery,
  type DocumentRow,
  type ListedDocument,
  findDocumentRows,
  findListedDocument,
  listDocumentRows,
  listDocuments,
} from "./list-store.ts";

/**
 * A rendered record: its digest (SHA-1, 20 bytes), then its JSON. A page's tag is made from the digests of its
 * records, which says as much as the digest of its bytes and costs a twentieth of it.
 */
type Rendered = Buffer;
const digestBytes = 20;

export interface DocumentRecords {
  database: Database;
  cache: RecordCache;
}

/** One page of records as JSON. `linksTo` writes the addresses of the pages beside it. */
export async function listRecords(
  records: DocumentRecords,
  viewer: Viewer,
  query: DocumentListQuery,
  bases: Bases,
  linksTo: (neighbours: Neighbours) => Links,
): Promise<Content & Links> {
  const variant = records.cache.variant(JSON.stringify(bases));
  const listed = await listDocuments(records.database, viewer, query);
  const rendered = await renderedAsListed(records, variant, listed.documents, bases);
  if (rendered !== null) return pageContent(rendered, linksTo(listed.neighbours));
  // A row changed between the two statements. One statement that reads whole rows is of one moment.
  const whole = await listDocumentRows(records.database, viewer, query);
  const fresh = whole.documents.map((row) => keep(records, variant, row, bases));
  return pageContent(fresh, linksTo(whole.neighbours));
}

/** One record as JSON; null when there is none that this viewer may see. */
export async function findRecord(
  records: DocumentRecords,
  viewer: Viewer,
  id: number,
  bases: Bases,
): Promise<Content | null> {
  const variant = records.cache.variant(JSON.stringify(bases));
  const listed = await findListedDocument(records.database, viewer, id);
  if (listed === null) return null;
  const [rendered] = (await renderedAsListed(records, variant, [listed], bases)) ?? [];
  if (rendered === undefined) return findRecord(records, viewer, id, bases);
  return {
    body: Buffer.from(rendered.subarray(digestBytes)),
    etag: `"${rendered.toString("base64url", 0, digestBytes)}"`,
  };
}

/** The records in these very revisions; null when one of them is not to be had any more. */
async function renderedAsListed(
  records: DocumentRecords,
  variant: Variant,
  listed: readonly ListedDocument[],
  bases: Bases,
): Promise<Rendered[] | null> {
  const atHand = listed.map(({ id, revision }) => records.cache.find(variant, id, revision));
  if (areAll(atHand)) return atHand;
  const missing = listed.filter((_, index) => atHand[index] === undefined).map(({ id }) => id);
  const fetched = new Map<number, Rendered>();
  const revisions = new Map(listed.map(({ id, revision }) => [id, revision]));
  for (const row of await findDocumentRows(records.database, missing)) {
    if (row.revision === revisions.get(row.id)) fetched.set(row.id, keep(records, variant, row, bases));
  }
  // What was at hand may have been overwritten meanwhile.
  const rendered = listed.map(
    ({ id, revision }) => fetched.get(id) ?? records.cache.find(variant, id, revision),
  );
  return areAll(rendered) ? rendered : null;
}

function areAll(rendered: readonly (Rendered | undefined)[]): rendered is Rendered[] {
  return !rendered.includes(undefined);
}

const roomForDigest = " ".repeat(digestBytes);

function keep({ cache }: DocumentRecords, variant: Variant, row: DocumentRow, bases: Bases): Rendered {
  const rendered = Buffer.from(roomForDigest + recordText(row, bases));
  hash("sha1", rendered.subarray(digestBytes), "buffer").copy(rendered);
  cache.put(variant, row.id, row.revision, rendered);
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
