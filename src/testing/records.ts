import type { Document } from "../contract/document.ts";

type DocumentRecord = Omit<Document, "notes" | "sections" | "presigned_url">;

/**
 * A whole record, with its members in the order of the API: a public document with a PDF of one page and no metadata.
 * `changes` replaces and adds members, also by values that the API would never send.
 */
export function recordOf<Changes extends object>(
  changes: Changes,
): Omit<DocumentRecord, keyof Changes> & Changes {
  const record: DocumentRecord = {
    id: 1,
    access: "public",
    admin_noindex: false,
    asset_url: "https://s3.example.org/",
    canonical_url: "https://docs.example.org/documents/1-a-report/",
    created_at: "2012-01-31T12:34:56.000001Z",
    data: {},
    description: "",
    edit_access: false,
    file_hash: "",
    noindex: false,
    language: "eng",
    organization: 1,
    original_extension: "pdf",
    page_count: 1,
    page_spec: "",
    projects: [],
    publish_at: null,
    published_url: "",
    related_article: "",
    revision_control: false,
    slug: "a-report",
    source: "",
    status: "success",
    title: "A report",
    updated_at: "2012-01-31T12:34:56.000002Z",
    user: 1,
  };
  return { ...record, ...changes };
}
