import { type Terms, postgresTrigger } from "./terms.ts";

/**
 * Documents that are part of another: the attachments of a mail, the files in an archive. `root_id` is the container
 * that is part of no other document. A part has the access, the owner, the organization and the projects of the root.
 * Triggers see to that in the transaction that changes the root, whatever program makes the change. `taken_from` is the
 * type of the file that a part was taken out of: a container that was redacted has become a PDF, and if it was another
 * type before, its file no longer has the part.
 */
export const families = ({ engine, text }: Terms): string[] => [
  `create table document_children (
    child_id bigint primary key references documents (id) on delete cascade,
    parent_id bigint not null references documents (id) on delete cascade,
    root_id bigint not null references documents (id) on delete cascade,
    position bigint not null,
    depth bigint not null,
    path ${text} not null,
    bytes bigint not null,
    status_before ${text},
    taken_from ${text} not null default '',
    unique (parent_id, position)
  )`,
  // The sums of a family are read from this index alone.
  `create index document_children_by_root on document_children (root_id, bytes)`,
  // What is attached to PDFs is found without reading all that is in an archive.
  `create index document_children_attached on document_children (parent_id) where taken_from = 'pdf'`,
  ...(engine === "postgres" ? postgresTriggers : sqliteTriggers),
];

/** The columns in which a part follows its root. */
const followed = ["access", "user_id", "organization_id", "noindex", "admin_noindex"];

/** Also puts back what was changed in a part alone. */
const follow = `update documents set (${followed.join(", ")}, updated_at) = (
    select ${followed.map((column) => `root.${column}`).join(", ")}, root.updated_at
    from document_children c join documents root on root.id = c.root_id where c.child_id = documents.id)
  where id in (select child_id from document_children where root_id = new.id or child_id = new.id)
    and (${followed.join(", ")}) <> (
      select ${followed.map((column) => `root.${column}`).join(", ")}
      from document_children c join documents root on root.id = c.root_id where c.child_id = documents.id);`;

const isChanged = `(${followed.map((column) => `new.${column} <> old.${column}`).join(" or ")})`;

const join = (from: string, root: string): string => `insert into project_memberships
    (project_id, document_id, edit_access)
  select ${from}.project_id, c.child_id, ${from}.edit_access from ${root}
  on conflict (document_id, project_id) do update set edit_access = excluded.edit_access;`;

const children = (row: string): string =>
  `(select child_id from document_children where root_id = ${row}.document_id)`;

const share = `update project_memberships set edit_access = new.edit_access
  where project_id = new.project_id and document_id in ${children("new")};`;

const leave = `delete from project_memberships
  where project_id = old.project_id and document_id in ${children("old")};`;

const isSharedAgain = "new.edit_access <> old.edit_access";

const sqliteTriggers = [
  `create trigger document_children_follow after update of ${followed.join(", ")} on documents
    when ${isChanged} begin ${follow} end`,
  `create trigger document_children_join after insert on project_memberships begin
    ${join("new", "document_children c where c.root_id = new.document_id")} end`,
  `create trigger document_children_share after update of edit_access on project_memberships
    when ${isSharedAgain} begin ${share} end`,
  `create trigger document_children_leave after delete on project_memberships begin ${leave} end`,
];

const postgresTriggers = [
  ...postgresTrigger(
    "document_children_follow",
    `after update of ${followed.join(", ")} on documents for each row when ${isChanged}`,
    follow,
  ),
  // A trigger for a statement runs even if the statement has inserted nothing, and this one inserts.
  ...postgresTrigger(
    "document_children_join",
    "after insert on project_memberships referencing new table as added for each statement",
    `if exists (select 1 from added join document_children c on c.root_id = added.document_id) then
      ${join("added", "added join document_children c on c.root_id = added.document_id")}
    end if;`,
  ),
  ...postgresTrigger(
    "document_children_share",
    `after update of edit_access on project_memberships for each row when (${isSharedAgain})`,
    share,
  ),
  ...postgresTrigger("document_children_leave", "after delete on project_memberships for each row", leave),
];
