import { type DocumentRow, idsIn } from "../store.ts";

/** The beginnings of the addresses in a record. */
export interface Bases {
  /** Of the browsable pages. Does not end in a slash. */
  web: string;
  /** Of the files in Quire's own store. Ends in a slash. */
  assets: string;
}

/**
 * A document as the API shows it: a JSON object with the fields in DocumentCloud's order. It is written out by hand,
 * because a page spends most of its time here. Columns that never contain characters to escape are not escaped.
 */
export function recordText(row: DocumentRow, bases: Bases, editAccess: boolean): string {
  return (
    `{"id":${row.id},"access":"${row.access}","admin_noindex":${flag(row.admin_noindex)},` +
    `"asset_url":${quote(row.asset_url ?? bases.assets)},` +
    `"canonical_url":${quote(documentAddress(bases.web, row))},` +
    `"created_at":"${row.created_at}","data":${row.data},"description":${quote(row.description)},` +
    `"edit_access":${editAccess},"file_hash":"${row.file_hash}","noindex":${flag(row.noindex)},` +
    `"language":${quote(row.language)},"organization":${row.organization_id},` +
    `"original_extension":${quote(row.original_extension)},"page_count":${row.page_count},` +
    `"page_spec":${quote(row.page_spec)},"projects":[${projectIds(row)}],` +
    `"publish_at":${row.publish_at === null ? "null" : `"${row.publish_at}"`},` +
    `"published_url":${quote(row.published_url)},"related_article":${quote(row.related_article)},` +
    `"revision_control":${flag(row.revision_control)},"slug":${quote(row.slug)},"source":${quote(row.source)},` +
    `"status":"${row.status}","title":${quote(row.title)},"updated_at":"${row.updated_at}","user":${row.user_id}}`
  );
}

/** Public projects, and private ones that the viewer collaborates in. */
function projectIds({ public_projects, private_projects }: DocumentRow): string {
  if (private_projects === undefined || private_projects === null || private_projects === "") {
    return public_projects ?? "";
  }
  return [...idsIn(public_projects), ...idsIn(private_projects)].toSorted((a, b) => a - b).join(",");
}

/** The document's web page, `canonical_url`. An imported slug may contain characters that a URL must encode. */
export function documentAddress(web: string, { id, slug }: { id: number; slug: string }): string {
  return `${web}/documents/${id}-${encodeURIComponent(slug.toWellFormed())}/`;
}

function flag(value: boolean | number): string {
  return value ? "true" : "false";
}

const plain = /^[ !#-[\]-~]*$/;

function quote(text: string): string {
  return plain.test(text) ? `"${text}"` : JSON.stringify(text);
}
