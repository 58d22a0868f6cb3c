import { type Terms, postgresTrigger } from "./terms.ts";

/**
 * The texts of pages, and what is read from them. Texts are in the database, not in files, so that a document that is
 * processed again changes from the old text to the new one in one commit, and its text is deleted with it.
 */
export const pages = (terms: Terms): string[] => [
  ...texts(terms),
  ...mentions(terms),
  ...embeddings(terms),
  ...(terms.engine === "postgres" ? postgresTriggers : sqliteTriggers),
];

/**
 * With OCR, a page has the engine, the confidence, the positions of the words, and the text in the file if it was
 * unusable (`layer`). For other pages the positions of words are in the file. `ocr_language` is the language of a page,
 * if it is not its document's. The error of an unreadable page (`fault`) is stored with the page, for any worker that
 * takes over. Pages of a document that is processed again wait in `reread_pages` until all of them are complete.
 */
const texts = ({ text, withoutRowid }: Terms): string[] => [
  `create table document_pages (
    document_id bigint not null references documents (id) on delete cascade,
    page bigint not null,
    text ${text} not null,
    ocr ${text},
    confidence double precision,
    layer ${text},
    words ${text},
    fault ${text},
    ocr_language ${text},
    primary key (document_id, page)
  ) ${withoutRowid}`,
  // Few pages of most documents have words with positions of their own.
  `create index document_pages_with_words on document_pages (document_id, page) where words is not null`,
  `create table reread_pages (
    document_id bigint not null references documents (id) on delete cascade,
    page bigint not null,
    content ${text} not null,
    primary key (document_id, page)
  )`,
];

/**
 * What the recognisers have found in the texts: e-mail addresses, account numbers and so on
 * (resources/documents/pages/mention-store.ts). `unread_mentions` says from which page on a document is still to be
 * read. `mention_corrections` is what people say by hand, in one document: that a value is another one, or (`becomes`
 * is null) that it is no mention at all. `mentions.recognised` is the value of the recognisers where a correction has
 * replaced it.
 */
const mentions = ({ text, id }: Terms): string[] => [
  `create table mentions (
    document_id bigint not null references documents (id) on delete cascade,
    page bigint not null,
    start bigint not null,
    kind ${text} not null,
    value ${text} not null,
    written ${text} not null,
    recognised ${text},
    primary key (document_id, page, start)
  )`,
  `create index mentions_by_value on mentions (kind, value, document_id)`,
  `create index mentions_by_document on mentions (document_id, kind, value)`,
  `create table unread_mentions (
    document_id ${id} primary key references documents (id) on delete cascade,
    from_page bigint not null
  )`,
  `create table mention_corrections (
    document_id bigint not null references documents (id) on delete cascade,
    kind ${text} not null,
    value ${text} not null,
    becomes ${text},
    primary key (document_id, kind, value)
  )`,
  `create index mention_corrections_by_value on mention_corrections (kind, value)`,
];

/**
 * The vectors of passages (resources/documents/embeddings/). `embedded_documents` has the documents all of whose pages
 * have those of a model.
 */
const embeddings = ({ text, id }: Terms): string[] => [
  `create table page_embeddings (
    document_id bigint not null references documents (id) on delete cascade,
    page bigint not null,
    model ${text} not null,
    vectors ${text} not null,
    primary key (document_id, page)
  )`,
  `create table embedded_documents (
    document_id ${id} primary key references documents (id) on delete cascade,
    model ${text} not null
  )`,
];

/*
 * Triggers remove what was read from a page in the transaction that changes or removes its text, and note that it is
 * still to be read. So servers of an earlier version may write texts, too.
 */
const unreadFrom = (page: string): string => `insert into unread_mentions (document_id, from_page) ${page}
  on conflict (document_id) do update set from_page = excluded.from_page
    where excluded.from_page < unread_mentions.from_page;`;
const unreadNew = unreadFrom("values (new.document_id, new.page)");
const oldMentions = "delete from mentions where document_id = old.document_id and page = old.page;";
const notEmbedded = "delete from embedded_documents where document_id = new.document_id;";
const oldEmbeddings = `delete from page_embeddings where document_id = old.document_id and page = old.page;
  delete from embedded_documents where document_id = old.document_id;`;

interface Bodies {
  ofNew: string;
  ofChanged: string;
  ofRemoved: string;
}

const onSqlite = (prefix: string, bodies: Bodies): string[] => [
  `create trigger ${prefix}_of_new_pages after insert on document_pages begin ${bodies.ofNew} end`,
  `create trigger ${prefix}_of_changed_pages after update of text on document_pages
    when old.text is not new.text begin ${bodies.ofChanged} end`,
  `create trigger ${prefix}_of_removed_pages after delete on document_pages begin ${bodies.ofRemoved} end`,
];

const sqliteTriggers = [
  ...onSqlite("mentions", {
    ofNew: unreadNew,
    ofChanged: `${oldMentions} ${unreadNew}`,
    ofRemoved: oldMentions,
  }),
  ...onSqlite("embeddings", { ofNew: notEmbedded, ofChanged: oldEmbeddings, ofRemoved: oldEmbeddings }),
];

/** New and removed pages once for each statement. */
const onPostgres = (prefix: string, bodies: Bodies): string[] => [
  ...postgresTrigger(
    `${prefix}_of_new_pages`,
    "after insert on document_pages referencing new table as added for each statement",
    bodies.ofNew,
  ),
  ...postgresTrigger(
    `${prefix}_of_changed_pages`,
    "after update of text on document_pages for each row when (old.text is distinct from new.text)",
    bodies.ofChanged,
  ),
  ...postgresTrigger(
    `${prefix}_of_removed_pages`,
    "after delete on document_pages referencing old table as removed for each statement",
    bodies.ofRemoved,
  ),
];

const postgresTriggers = [
  ...onPostgres("mentions", {
    ofNew: unreadFrom("select document_id, min(page) from added group by document_id order by document_id"),
    ofChanged: `${oldMentions} ${unreadNew}`,
    ofRemoved: `delete from mentions using removed
      where mentions.document_id = removed.document_id and mentions.page = removed.page;`,
  }),
  ...onPostgres("embeddings", {
    ofNew: "delete from embedded_documents where document_id in (select document_id from added);",
    ofChanged: oldEmbeddings,
    ofRemoved: `delete from page_embeddings using removed
        where page_embeddings.document_id = removed.document_id and page_embeddings.page = removed.page;
      delete from embedded_documents where document_id in (select document_id from removed);`,
  }),
];
