import { isPublic } from "../../audiences/conditions.ts";
import { postgresTrigger, triggerFunction, usingIndexes } from "./terms.ts";

/** A transaction has announced that it writes itself what follows. */
const isComplete = "coalesce(current_setting('quire.writes_all', true), '') = 'on'";

/** The tables whose rows `documents_forget` removes. */
const forgotten = ["document_data", "document_audiences", "document_words", "word_counts"];

const lowestAndHighest = `min(item.value collate "C"), max(item.value collate "C")`;

/**
 * The triggers of documents, memberships and projects that keep what documents.ts says. A trigger or a foreign key that
 * runs for each row takes more time than the row:
 *
 * - What follows from new documents is derived once for each statement.
 * - A trigger deletes rows of `document_data`, `document_audiences`, `document_words` and `word_counts` with their
 *   document; they have no foreign key. Triggers of the document itself write the first two. Words are only indexed in
 *   transactions that have written the document, or its pages or notes, which have foreign keys.
 * - A document that is added to a project gets a new revision, which rewrites all its index entries. A document
 *   inserted in the same transaction needs no new revision, because no other transaction has seen it: only its record's
 *   text is emptied.
 */
export const documentsOnPostgres: readonly string[] = [
  ...ofDocuments(),
  ...ofRecords(),
  ...ofMemberships(),
  ...postgresTrigger(
    "projects_privacy",
    "after update of private on projects for each row when (new.private <> old.private)",
    `update documents set revision = nextval('document_revisions')
      where id in (select document_id from project_memberships where project_id = new.id);`,
  ),
];

function ofDocuments(): string[] {
  return [
    ...postgresTrigger(
      "documents_revise",
      "before update on documents for each row",
      "if new.revision = old.revision then new.revision := nextval('document_revisions'); end if;",
      { result: "new" },
    ),
    ...postgresTrigger(
      "documents_publish",
      `after update of access, status on documents for each row when (${isPublic("new")} <> ${isPublic("old")})`,
      `update project_memberships set is_public = ${isPublic("new")} where document_id = new.id;
      update document_data set is_public = ${isPublic("new")} where document_id = new.id;`,
    ),
    triggerFunction(
      "documents_data",
      `if tg_op = 'UPDATE' then delete from document_data where document_id = new.id; end if;
      insert into document_data (document_id, key, lowest, highest, is_public)
        select new.id, entry.key, ${lowestAndHighest}, ${isPublic("new")}
        from json_each(new.data::json) entry, json_array_elements_text(entry.value) item group by entry.key;`,
    ),
    `create trigger documents_data_changed after update of data on documents
      for each row when (new.data <> old.data) execute function documents_data()`,
    ...postgresTrigger(
      "documents_added",
      "after insert on documents referencing new table as added for each statement",
      `if ${isComplete} then return null; end if;
      insert into document_records (document_id) select id from added
        on conflict (document_id) do update set rest = null where document_records.rest is not null;
      insert into document_data (document_id, key, lowest, highest, is_public)
        select added.id, entry.key, ${lowestAndHighest},
            bool_and${isPublic("added")}
        from added, json_each(added.data::json) entry, json_array_elements_text(entry.value) item
        where added.data <> '{}' group by added.id, entry.key;`,
    ),
    ...postgresTrigger(
      "documents_forget",
      "after delete on documents for each row",
      forgotten.map((table) => `delete from ${table} where document_id = old.id;`).join("\n    "),
    ),
  ];
}

function ofRecords(): string[] {
  return [
    ...postgresTrigger(
      "document_records_outdated",
      "after update on documents for each row",
      `insert into document_records (document_id) values (new.id)
        on conflict (document_id) do update set rest = null where document_records.rest is not null;`,
    ),
    ...postgresTrigger(
      "document_records_of_deleted",
      "after delete on documents for each row",
      "delete from document_records where document_id = old.id;",
    ),
    // `truncate` runs no trigger for each row: without this one, documents would also stay visible to, and editable by,
    // the collaborators of projects that they were shared with.
    ...postgresTrigger(
      "document_records_all_outdated",
      "after truncate on project_memberships for each statement",
      `update document_records set rest = null where rest is not null;
      delete from document_audiences where audience like 'project:%';`,
    ),
  ];
}

function ofMemberships(): string[] {
  return [
    // Without the locks, a concurrent publication or change of the project's privacy could miss this row.
    ...postgresTrigger(
      "project_memberships_publish",
      `before insert on project_memberships for each row when (not ${isComplete})`,
      `perform from projects where id = new.project_id for share;
      new.is_public := coalesce(
        (select ${isPublic("documents")} from documents where id = new.document_id for no key update), false);`,
      { result: "new" },
    ),
    `create trigger project_memberships_publish_moved before update of project_id, document_id on project_memberships
      for each row execute function project_memberships_publish()`,
    // Whether a membership shares the document decides who may see it, so this also takes the document's lock.
    `create trigger project_memberships_share before update of edit_access on project_memberships
      for each row execute function project_memberships_publish()`,
    ...postgresTrigger(
      "project_memberships_added",
      "after insert on project_memberships referencing new table as added for each statement",
      `if ${isComplete} then return null; end if;
      insert into document_records (document_id) select distinct document_id from added
        on conflict (document_id) do update set rest = null where document_records.rest is not null;
      update documents set revision = nextval('document_revisions')
        where id in (select document_id from added) and xmin <> pg_current_xact_id()::xid;`,
      usingIndexes,
    ),
    ...postgresTrigger(
      "project_memberships_revise",
      "after delete or update of project_id, document_id on project_memberships for each row",
      `update documents set revision = nextval('document_revisions')
        where id in (old.document_id, new.document_id);`,
    ),
  ];
}
