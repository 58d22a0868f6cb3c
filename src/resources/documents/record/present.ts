import { type DocumentRow, idsIn } from "../store.ts";

/** Where the addresses in a record begin. Both end without a slash, but for the files' base, which ends in one. */
export interface Bases {
  /** The pages for people. */
  web: string;
  /** The files of documents that are in our own store. */
  assets: string;
}

/**
 * A document as the API shows it: the text of a JSON object, members in the order of the contract. Written out by hand, since this is what most of a page's time goes into; what can only hold
 * letters that JSON leaves alone is not escaped.
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

/** Public ones, and private ones that the viewer collaborates in. */
function projectIds({ public_projects, private_projects }: DocumentRow): string {
  if (private_projects === undefined || private_projects === null || private_projects === "") {
    return public_projects ?? "";
  }
  return [...idsIn(public_projects), ...idsIn(private_projects)]
    .toSorted((one, other) => one - other)
    .join(",");
}

/** The document's page for people, `canonical_url`. An imported slug need not stand in a URL as it is. */
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
