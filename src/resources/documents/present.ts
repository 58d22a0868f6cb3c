import { hash } from "node:crypto";
import { type DocumentRow, idsIn } from "./store.ts";

/** The beginnings of the addresses in a record. */
export interface Bases {
  /** Of the browsable pages. Does not end in a slash. */
  web: string;
  /** Of the files in Quire's own store. Ends in a slash. */
  assets: string;
}

/**
 * A record's JSON text in pieces. Between them is what depends on the viewer or on the server's addresses:
 *
 *     opening, asset_url or the server's own, the address of its pages, until_edit_access, whether the viewer may edit,
 *     until_projects, projects, ending
 */
export interface RecordPieces {
  opening: string;
  /** JSON. Null if the files are in Quire's own store. */
  asset_url: string | null;
  until_edit_access: string;
  until_projects: string;
  /** The ids of its public projects, ascending and separated by commas. */
  projects: string;
  ending: string;
}

/** Equal digests mean equal pieces. Letters, digits, `-` and `_`. */
export function digestOf(pieces: RecordPieces): string {
  const { opening, asset_url, until_edit_access, until_projects, projects, ending } = pieces;
  const all = [opening, asset_url ?? "", until_edit_access, until_projects, projects, ending];
  return hash("sha1", all.join("\n"), "base64url");
}

/**
 * Stored pieces of another format are not used: increase the number whenever {@link recordPieces} gives another text for the
 * same row.
 */
export const recordFormat = 1;

/** What a record is rendered from. */
export type RenderedRow = Omit<DocumentRow, "revision">;

/**
 * A document as the API shows it: a JSON object with the fields in DocumentCloud's order. Columns that never contain
 * characters to escape are not escaped.
 */
export function recordPieces(row: RenderedRow): RecordPieces {
  return {
    opening: `{"id":${row.id},"access":"${row.access}","admin_noindex":${flag(row.admin_noindex)},"asset_url":`,
    asset_url: row.asset_url === null ? null : quote(row.asset_url),
    until_edit_access:
      `${documentPath(row)}","created_at":"${row.created_at}","data":${row.data},` +
      `"description":${quote(row.description)},"edit_access":`,
    until_projects:
      `,"file_hash":"${row.file_hash}","noindex":${flag(row.noindex)},"language":${quote(row.language)},` +
      `"organization":${row.organization_id},"original_extension":${quote(row.original_extension)},` +
      `"page_count":${row.page_count},"page_spec":${quote(row.page_spec)},"projects":[`,
    projects: row.public_projects ?? "",
    ending:
      `],"publish_at":${row.publish_at === null ? "null" : `"${row.publish_at}"`},` +
      `"published_url":${quote(row.published_url)},"related_article":${quote(row.related_article)},` +
      `"revision_control":${flag(row.revision_control)},"slug":${quote(row.slug)},"source":${quote(row.source)},` +
      `"status":"${row.status}","title":${quote(row.title)},"updated_at":"${row.updated_at}","user":${row.user_id}}`,
  };
}

/** The texts between the pieces, for a server with these addresses. */
export function piecesBetween({ web, assets }: Bases): { assets: string; web: string } {
  return { assets: quote(assets), web: `,"canonical_url":${quote(web).slice(0, -1)}` };
}

/** The record of a row for a viewer who may edit it, or may not. */
export function recordText(row: DocumentRow, bases: Bases, editAccess: boolean): string {
  return putTogether(recordPieces(row), bases, editAccess, projectIds(row));
}

export function putTogether(
  { opening, asset_url, until_edit_access, until_projects, ending }: RecordPieces,
  bases: Bases,
  editAccess: boolean,
  projects: string,
): string {
  const { assets, web } = piecesBetween(bases);
  return `${opening}${asset_url ?? assets}${web}${until_edit_access}${editAccess}${until_projects}${projects}${ending}`;
}

/** Public projects, and private ones that the viewer collaborates in. */
export function projectIds({ public_projects, private_projects }: DocumentRow): string {
  if (private_projects === undefined || private_projects === null || private_projects === "") {
    return public_projects ?? "";
  }
  return [...idsIn(public_projects), ...idsIn(private_projects)].toSorted((a, b) => a - b).join(",");
}

/** The document's web page, `canonical_url`. */
export function documentAddress(web: string, document: { id: number; slug: string }): string {
  return `${web}${documentPath(document)}`;
}

/** An imported slug may contain characters that a URL must encode. */
function documentPath({ id, slug }: { id: number; slug: string }): string {
  return `/documents/${id}-${encodeURIComponent(slug.toWellFormed())}/`;
}

function flag(value: boolean | number): string {
  return value ? "true" : "false";
}

const plain = /^[ !#-[\]-~]*$/;

function quote(text: string): string {
  return plain.test(text) ? `"${text}"` : JSON.stringify(text);
}
