import { hash } from "node:crypto";
import { type MemberName, memberNames, quote, recordMembers } from "./record-members.ts";
import { type DocumentRow, type RenderedRow, idsIn } from "./store.ts";

/** The beginnings of the addresses in a record. */
export interface BaseUrls {
  /** Of the browsable pages. Does not end in a slash. */
  web: string;
  /** Of the files in Quire's own store. Ends in a slash. */
  assets: string;
}

/**
 * A record's JSON text in pieces. The values that depend on the viewer or on the server's addresses go between them:
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
 * Renders the members between two others, whose values depend on the viewer or on the server's addresses. In
 * measurements, rendering a record took as long as with one template of all members, within 4 %.
 */
function membersBetween(start: MemberName | null, end: MemberName | null): (row: RenderedRow) => string {
  const first = start === null ? 0 : memberNames.indexOf(start) + 1;
  const last = end === null ? memberNames.length : memberNames.indexOf(end);
  const members = memberNames.slice(first, last).map((name) => {
    const { json } = recordMembers[name];
    if (json === null) throw new Error(`The row alone does not decide ${name}`);
    return { label: `${name === "id" ? "" : ","}"${name}":`, json };
  });
  return (row) => {
    const parts: string[] = [];
    for (const { label, json } of members) parts.push(label, json(row));
    return parts.join("");
  };
}

const beforeAssetUrl = membersBetween(null, "asset_url");
const beforeEditAccess = membersBetween("canonical_url", "edit_access");
const beforeProjects = membersBetween("edit_access", "projects");
const afterProjects = membersBetween("projects", null);

/** A document as the API shows it: a JSON object with the members in DocumentCloud's order. */
export function recordPieces(row: RenderedRow): RecordPieces {
  return {
    opening: `{${beforeAssetUrl(row)},"asset_url":`,
    asset_url: row.asset_url === null ? null : quote(row.asset_url),
    until_edit_access: `${documentPath(row)}"${beforeEditAccess(row)},"edit_access":`,
    until_projects: `${beforeProjects(row)},"projects":[`,
    projects: row.public_projects ?? "",
    ending: `]${afterProjects(row)}}`,
  };
}

/** The texts between the pieces, for a server with these addresses. */
export function piecesBetween({ web, assets }: BaseUrls): { assets: string; web: string } {
  return { assets: JSON.stringify(assets), web: `,"canonical_url":${JSON.stringify(web).slice(0, -1)}` };
}

/** The record of a row. `editAccess` says whether the viewer may edit the document. */
export function recordText(row: DocumentRow, baseUrls: BaseUrls, editAccess: boolean): string {
  return putTogether(recordPieces(row), baseUrls, editAccess, projectIds(row));
}

export function putTogether(
  { opening, asset_url, until_edit_access, until_projects, ending }: RecordPieces,
  baseUrls: BaseUrls,
  editAccess: boolean,
  projects: string,
): string {
  const { assets, web } = piecesBetween(baseUrls);
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

const usual = /^[\w-]*$/;

/** An imported slug may contain characters that a URL must encode. */
function documentPath({ id, slug }: { id: number; slug: string }): string {
  return `/documents/${id}-${usual.test(slug) ? slug : encodeURIComponent(slug.toWellFormed())}/`;
}
