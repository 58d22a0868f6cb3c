import type { Terms } from "./terms.ts";

/** The files of documents: how they arrive, how they are processed and rewritten, and how they go. */
export const files = (terms: Terms): string[] => [
  ...arriving(terms),
  ...processing(terms),
  ...rewriting(terms),
  ...redactions(terms),
];

const arriving = ({ text, boolean }: Terms): string[] => [
  // The uploaded file of a document: its hash identifies it when it is uploaded again, even if the document's file has
  // changed since.
  `create table received_files (
    document_id bigint primary key references documents (id) on delete cascade,
    sha1 ${text} not null,
    extension ${text} not null
  )`,
  `create index received_files_by_hash on received_files (sha1)`,

  // The address from which a document's file is to be fetched, until the fetch has ended. Such an address may grant
  // access to the file: so the row is deleted with the work, and the address appears in no history and no receipt.
  `create table remote_files (
    document_id bigint primary key references documents (id) on delete cascade,
    address ${text} not null,
    extension_is_known ${boolean} not null,
    process_options ${text} not null
  )`,

  // Uploads that arrive in parts at servers which share a bucket: their notes, the parts that are stored so far, and
  // who is turning a complete one into a document.
  `create table partial_uploads (
    name ${text} primary key,
    note ${text} not null,
    is_done ${boolean} not null,
    touched_at ${text} not null,
    holder ${text},
    held_until ${text}
  )`,
  `create table partial_upload_parts (
    upload ${text} not null references partial_uploads (name) on delete cascade,
    start bigint not null,
    size bigint not null,
    key ${text} not null,
    primary key (upload, start)
  )`,

  // See resources/documents/files/file-lock-store.ts.
  `create table file_locks (
    document_id bigint primary key references documents (id) on delete cascade,
    holder ${text} not null,
    expires_at ${text} not null
  )`,

  // The files of deleted documents, which are still to be removed. After a crash the row is still there.
  `create table file_removals (
    document_id bigint primary key,
    folder ${text} not null
  )`,
];

const processing = ({ text, identity }: Terms): string[] => [
  `create table document_receipts (
    id ${identity},
    document_id bigint not null references documents (id) on delete cascade,
    step ${text} not null,
    outcome ${text} not null check (outcome in ('done', 'failed')),
    at ${text} not null,
    milliseconds bigint not null,
    details ${text} not null
  )`,
  `create index document_receipts_by_document on document_receipts (document_id, id)`,

  // For clients that wait.
  `create table document_progress (
    document_id bigint primary key references documents (id) on delete cascade,
    step ${text} not null,
    done bigint not null,
    total bigint,
    at ${text} not null
  )`,
];

const rewriting = ({ text }: Terms): string[] => [
  // Pending rewrites of files: regions to redact, pages to move, a file that replaces it. The row is deleted with the
  // work. `result_hash` is stored before the new file replaces the old one: a worker that takes over can tell from it
  // that the file is already replaced. The document gets `status_before` back if the work is cancelled or fails.
  `create table document_rewrites (
    document_id bigint primary key references documents (id) on delete cascade,
    kind ${text} not null check (kind in ('redact', 'modify', 'replace')),
    user_id bigint not null,
    plan ${text} not null,
    result_hash ${text},
    status_before ${text} not null default 'error'
  )`,

  // Documents that are redacted copies of others, made or still to be made.
  `create table redacted_copies (
    copy_id bigint primary key references documents (id) on delete cascade,
    original_id bigint not null references documents (id) on delete cascade,
    original_hash ${text} not null,
    original_access ${text},
    made_at ${text}
  )`,
  `create index redacted_copies_by_original on redacted_copies (original_id)`,
];

/** The boxes that redactions have blackened, each with its reason, and the reasons that administrators have added. */
const redactions = ({ text, identity }: Terms): string[] => [
  `create table redaction_reasons (
    code ${text} primary key,
    label ${text} not null,
    position bigint not null
  )`,
  `create table redacted_boxes (
    id ${identity},
    document_id bigint not null references documents (id) on delete cascade,
    page bigint not null,
    x1 double precision not null,
    x2 double precision not null,
    y1 double precision not null,
    y2 double precision not null,
    code ${text},
    label ${text},
    redacted_at ${text} not null
  )`,
  `create index redacted_boxes_by_document on redacted_boxes (document_id, page)`,
];
