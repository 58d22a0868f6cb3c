import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";
import { isShared } from "./conditions.ts";

type Engine = Dialect["engine"];

/**
 * The statements that create the triggers which keep `document_audiences`, in place of the former ones. A migration
 * calls it with the columns that the table has from then on, besides `audience` and `document_id`.
 * migrations/baseline/audiences.ts says what audiences are.
 */
export function audienceStatements(engine: Engine, columns: readonly string[]): string[] {
  const names = ["audience", "document_id", ...columns].join(", ");
  const valuesOf = (row: string): string =>
    [`${row}.id`, ...columns.map((column) => `${row}.${column}`)].join(", ");
  /** The owner of a row, and the members of its organization. */
  const ofRow = (
    row: string,
    from = "",
  ): string => `select 'user:' || ${row}.user_id, ${valuesOf(row)} ${from}
      where ${isShared(row)}
    union all select 'organization:' || ${row}.organization_id, ${valuesOf(row)} ${from}
      where ${isShared(row)} and ${row}.access = 'organization'`;
  const ofNew = `insert into document_audiences (${names}) ${ofRow("new")}
    union all select 'project:' || m.project_id, ${valuesOf("new")} from project_memberships m
      where m.document_id = new.id and m.edit_access and ${isShared("new")};`;
  const ofMember = `insert into document_audiences (${names})
    select 'project:' || new.project_id, ${valuesOf("d")} from documents d
      where d.id = new.document_id and new.edit_access and ${isShared("d")};`;
  const ofFormerMember = `delete from document_audiences
    where document_id = old.document_id and audience = 'project:' || old.project_id;`;
  const decisive = ["access", "status", "user_id", "organization_id"];
  const changed = [...decisive, ...columns.filter((column) => !decisive.includes(column))].join(", ");
  const isConcerned = `(${isShared("new")} or ${isShared("old")})`;
  const parts = { names, ofRow, ofNew, ofMember, ofFormerMember, changed, isConcerned };
  return engine === "postgres" ? onPostgres(parts) : onSqlite(parts);
}

interface Parts {
  names: string;
  ofRow: (row: string, from?: string) => string;
  ofNew: string;
  ofMember: string;
  ofFormerMember: string;
  /** The columns whose change concerns the audiences. */
  changed: string;
  isConcerned: string;
}

function onSqlite({ ofNew, ofMember, ofFormerMember, changed, isConcerned }: Parts): string[] {
  return Object.entries({
    document_audiences_of_new: [`insert on documents when ${isShared("new")}`, ofNew],
    document_audiences_of_changed: [
      `update of ${changed} on documents when ${isConcerned}`,
      `delete from document_audiences where document_id = new.id; ${ofNew}`,
    ],
    document_audiences_of_member: ["insert on project_memberships when new.edit_access", ofMember],
    document_audiences_of_changed_member: [
      "update of project_id, document_id, edit_access on project_memberships",
      `${ofFormerMember} ${ofMember}`,
    ],
    document_audiences_of_former_member: ["delete on project_memberships", ofFormerMember],
  }).flatMap(([name, [when, body]]) => [
    `drop trigger if exists ${name}`,
    `create trigger ${name} after ${when} begin ${body} end`,
  ]);
}

function onPostgres({
  names,
  ofRow,
  ofNew,
  ofMember,
  ofFormerMember,
  changed,
  isConcerned,
}: Parts): string[] {
  const functions = Object.entries({
    // New documents are in no project yet.
    document_audiences_of_added: `insert into document_audiences (${names}) ${ofRow("added", "from added")};`,
    document_audiences_of_document: `delete from document_audiences where document_id = new.id; ${ofNew}`,
    // The document's row is already locked: see project_memberships_publish.
    document_audiences_of_membership: `if tg_op <> 'INSERT' then ${ofFormerMember} end if;
      if tg_op <> 'DELETE' then ${ofMember} end if;`,
  });
  const triggers = Object.entries({
    document_audiences_of_added: [
      "documents",
      "insert on documents referencing new table as added for each statement",
      "document_audiences_of_added",
    ],
    document_audiences_of_changed: [
      "documents",
      `update of ${changed} on documents for each row when ${isConcerned}`,
      "document_audiences_of_document",
    ],
    document_audiences_of_membership: [
      "project_memberships",
      "delete or update of project_id, document_id, edit_access on project_memberships for each row",
      "document_audiences_of_membership",
    ],
    document_audiences_of_new_membership: [
      "project_memberships",
      "insert on project_memberships for each row when (new.edit_access)",
      "document_audiences_of_membership",
    ],
  });
  return [
    ...functions.map(
      ([name, body]) => `create or replace function ${name}() returns trigger language plpgsql as $$ begin
        ${body}
        return null;
      end $$`,
    ),
    ...triggers.flatMap(([name, [table, when, run]]) => [
      `drop trigger if exists ${name} on ${table}`,
      `create trigger ${name} after ${when} execute function ${run}()`,
    ]),
  ];
}

/**
 * Makes lists sortable by a column of documents: adds it to the audiences, and an index to both tables. `columns` are
 * those that `document_audiences` has afterwards, as for {@link audienceStatements}.
 */
export async function addSortedColumn(
  db: Kysely<unknown>,
  dialect: Dialect,
  column: string,
  kind: "string" | "number",
  columns: readonly string[],
): Promise<void> {
  const { engine, text } = dialect;
  const name = sql.id(column);
  const type = kind === "string" ? sql`${text} not null default ''` : sql`bigint not null default 0`;
  // For the id in the index, see migrations/baseline/documents.ts.
  const id = engine === "postgres" ? sql`, (id + 0)` : sql``;
  const isListed = dialect.conditionOfIndex(
    sql.raw("access = 'public' and status in ('success', 'readable')"),
  );
  await sql`alter table document_audiences add column ${name} ${type}`.execute(db);
  await sql`update document_audiences set ${name} =
    (select documents.${name} from documents where documents.id = document_id)`.execute(db);
  await sql`create index ${sql.id(`documents_by_${column}`)} on documents (${name}${id})
    where ${isListed}`.execute(db);
  await sql`create index ${sql.id(`document_audiences_by_${column}`)}
    on document_audiences (audience, ${name}, document_id)`.execute(db);
  for (const statement of audienceStatements(engine, columns)) await sql.raw(statement).execute(db);
}
