import { isPublic } from "../../audiences/conditions.ts";

/** No transaction has announced that it writes itself what follows. */
const isUsual = "not exists (select 1 from complete_writes)";

const newRevision = "random() & 9007199254740991";

const newRevisions = (project: string): string => `update documents set revision = ${newRevision}
  where id in (select document_id from project_memberships where project_id = ${project});`;

const dataRows = `insert into document_data (document_id, key, lowest, highest, is_public)
  select new.id, entry.key, min(item.value), max(item.value), ${isPublic("new")}
  from json_each(new.data) entry, json_each(entry.value) item group by entry.key;`;

const emptied = `insert into document_records (document_id) values (new.id)
  on conflict (document_id) do update set rest = null where document_records.rest is not null;`;

const publishedMembership = `update project_memberships set is_public =
    (select ${isPublic("documents")} from documents where id = new.document_id)
  where document_id = new.document_id and project_id = new.project_id;`;

/** The triggers of documents, memberships and projects that keep what documents.ts says. */
export const documentsOnSqlite: readonly string[] = [
  `create trigger documents_revise after update on documents when new.revision = old.revision begin
    update documents set revision = ${newRevision} where id = new.id;
  end`,
  `create trigger documents_publish after update of access, status on documents
  when ${isPublic("new")} <> ${isPublic("old")} begin
    update project_memberships set is_public = ${isPublic("new")} where document_id = new.id;
    update document_data set is_public = ${isPublic("new")} where document_id = new.id;
  end`,
  `create trigger documents_data_inserted after insert on documents when new.data <> '{}' and ${isUsual} begin
    ${dataRows}
  end`,
  `create trigger documents_data_changed after update of data on documents when new.data <> old.data begin
    delete from document_data where document_id = new.id;
    ${dataRows}
  end`,
  `create trigger document_records_of_new after insert on documents when ${isUsual} begin ${emptied} end`,
  `create trigger document_records_outdated after update of revision on documents begin ${emptied} end`,
  `create trigger document_records_of_deleted after delete on documents begin
    delete from document_records where document_id = old.id;
  end`,

  `create trigger project_memberships_inserted after insert on project_memberships when ${isUsual} begin
    ${publishedMembership}
    update documents set revision = ${newRevision} where id = new.document_id;
  end`,
  `create trigger project_memberships_moved after update of project_id, document_id on project_memberships begin
    ${publishedMembership}
    update documents set revision = ${newRevision} where id in (old.document_id, new.document_id);
  end`,
  `create trigger project_memberships_deleted after delete on project_memberships begin
    update documents set revision = ${newRevision} where id = old.document_id;
  end`,

  `create trigger projects_privacy after update of private on projects when new.private <> old.private begin
    ${newRevisions("new.id")}
  end`,
  // At these moments a project has members only if it is replaced, or if a program has its foreign keys off.
  `create trigger projects_inserted after insert on projects begin ${newRevisions("new.id")} end`,
  `create trigger projects_deleted after delete on projects begin ${newRevisions("old.id")} end`,
  `create trigger projects_renumbered after update of id on projects when new.id <> old.id begin
    ${newRevisions("old.id")}
    ${newRevisions("new.id")}
  end`,
];
