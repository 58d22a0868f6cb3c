import { type Terms, postgresTrigger } from "./terms.ts";

/** What people and programs say about documents: notes, sections, and entities. */
export const notes = (terms: Terms): string[] => [...notesAndSections(terms), ...entities(terms)];

/**
 * Notes and sections of documents, by page (from 0). A note's coordinates are fractions of its page's width and height;
 * without coordinates it is about the page. `content_html` is the sanitized `content`, computed on write: sanitizing a
 * page of a thousand notes would take half a second. `part` is the note's number in the index of words. However a note
 * is deleted, its words are deleted with it.
 */
const notesAndSections = ({ engine, text, identity }: Terms): string[] => [
  `create table notes (
    id ${identity},
    document_id bigint not null references documents (id) on delete cascade,
    user_id bigint not null references users (id) on delete cascade,
    organization_id bigint references organizations (id),
    page_number bigint not null,
    access ${text} not null check (access in ('public', 'organization', 'private', 'invisible')),
    title ${text} not null,
    content ${text} not null,
    content_html ${text} not null,
    x1 double precision,
    x2 double precision,
    y1 double precision,
    y2 double precision,
    created_at ${text} not null,
    updated_at ${text} not null,
    part bigint,
    check ((x1 is null) = (x2 is null) and (x1 is null) = (y1 is null) and (x1 is null) = (y2 is null))
  )`,
  `create index notes_by_document on notes (document_id, id)`,
  `create index notes_by_user on notes (user_id)`,
  `create unique index notes_by_part on notes (document_id, part)`,
  ...(engine === "postgres"
    ? postgresTrigger(
        "notes_forget_words",
        "after delete on notes for each row",
        `delete from document_words where document_id = old.document_id and part = old.part;
        delete from word_counts where document_id = old.document_id and block = old.part;`,
      )
    : [
        `create trigger notes_forget_words before delete on notes begin
          delete from document_words where rowid = old.document_id * 1048576 + old.part;
          delete from word_counts where rowid = old.part * 1099511627776 + old.document_id;
        end`,
      ]),
  `create table sections (
    id ${identity},
    document_id bigint not null references documents (id) on delete cascade,
    page_number bigint not null,
    title ${text} not null,
    unique (document_id, page_number)
  )`,
  `create index sections_by_document on sections (document_id, id)`,
];

/** People, places and organizations by Wikidata id, shared by all documents, and their occurrences in each document. */
const entities = ({ text, identity }: Terms): string[] => [
  `create table entities (
    id ${identity},
    user_id bigint references users (id) on delete set null,
    wikidata_id ${text} not null unique,
    name ${text} not null,
    description ${text} not null,
    wikipedia_url ${text} not null,
    metadata ${text} not null,
    created_at ${text} not null,
    updated_at ${text} not null
  )`,
  `create index entities_by_name on entities (name, id)`,
  `create table entity_occurrences (
    id ${identity},
    document_id bigint not null references documents (id) on delete cascade,
    entity_id bigint not null references entities (id),
    relevance double precision not null,
    occurrences ${text} not null,
    unique (document_id, entity_id)
  )`,
  `create index entity_occurrences_by_document on entity_occurrences (document_id, id)`,
  `create index entity_occurrences_by_entity on entity_occurrences (entity_id)`,
];
