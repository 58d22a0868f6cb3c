import type { Terms } from "./terms.ts";

/**
 * Production sets: documents with numbers for each page, as one file. `bates_prefixes` has the next number of each
 * prefix, so that none is given twice. Numbers stay for ever: also when the files of a production are removed, and when
 * a document is gone.
 */
export const productions = ({ text, boolean, identity }: Terms): string[] => [
  `create table bates_prefixes (
    prefix ${text} primary key,
    next_number bigint not null
  )`,
  `create table productions (
    id ${identity},
    user_id bigint not null references users (id),
    name ${text} not null,
    prefix ${text} not null,
    digits bigint not null,
    first_number bigint not null,
    last_number bigint not null,
    documents bigint not null,
    left_out bigint not null,
    volume ${text} not null,
    endorsement ${text} not null,
    images ${text} not null,
    has_texts ${boolean} not null,
    has_natives ${boolean} not null,
    has_mark ${boolean} not null,
    state ${text} not null,
    reason ${text},
    created_at ${text} not null,
    ended_at ${text},
    expires_at ${text}
  )`,
  `create index productions_by_user on productions (user_id, id)`,
  `create table production_documents (
    id ${identity},
    production_id bigint not null references productions (id),
    document_id bigint not null,
    parent_id bigint,
    root_id bigint not null,
    first_number bigint not null,
    pages bigint not null,
    file_hash ${text} not null,
    state ${text} not null,
    reason ${text},
    fields ${text} not null,
    files ${text} not null
  )`,
  `create unique index production_documents_by_production on production_documents (production_id, first_number)`,
  `create index production_documents_by_document on production_documents (document_id, production_id)`,
];
