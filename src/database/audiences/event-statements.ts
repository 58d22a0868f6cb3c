import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/** Whether an update changes any of these columns. */
export const differs = (columns: readonly string[]): string =>
  columns.map((column) => `new.${column} is distinct from old.${column}`).join(" or ");

const pagesDiffer = `(${differs(["page_count", "page_spec"])}) and new.status = old.status
  and new.status not in ('nofile', 'pending')`;

const decisive = ["access", "file_hash", "status"];
/** They are watched besides the columns of which a change is told as such. */
const others = ["asset_url", "publish_at", "page_count", "page_spec"];

/**
 * The statements that create the trigger which writes the events of a changed document, in place of the former one.
 * `columns` are those that describe documents from then on. migrations/baseline/events.ts says what events are.
 */
export function documentEventStatements(engine: Dialect["engine"], columns: readonly string[]): string[] {
  const name = "events_of_changed_document";
  /** The events of a change of a document that is not in the trash, each with its condition. */
  const changes = {
    "document.restored": "old.status = 'deleted'",
    "document.access_changed": "new.access <> old.access",
    "document.file_changed": "new.file_hash <> old.file_hash",
    "document.processed": "new.status = 'success' and old.status not in ('success', 'deleted')",
    "document.failed": "new.status = 'error' and old.status not in ('error', 'deleted')",
    "document.changed": `${differs([...columns, "asset_url", "publish_at"])} or (${pagesDiffer})`,
  };
  const body = `insert into events (type, document_id) select type, new.id from (
    ${Object.entries(changes)
      .map(([type, condition]) => `select '${type}' as type where ${condition}`)
      .join(" union all ")}) as happened;`;
  const watched = [...decisive, ...columns, ...others];
  const head = `create trigger ${name} after update of ${watched.join(", ")} on documents`;
  const condition = `new.status <> 'deleted' and (${differs(watched)})`;
  if (engine === "sqlite")
    return [`drop trigger if exists ${name}`, `${head} when ${condition} begin ${body} end`];
  return [
    `create or replace function ${name}() returns trigger language plpgsql as $$ begin
      ${body}
      return null;
    end $$`,
    `drop trigger if exists ${name} on documents`,
    `${head} for each row when (${condition}) execute function ${name}()`,
  ];
}

/** Adds a text that describes documents. `columns` are those that do so afterwards. */
export async function addDescribingColumn(
  db: Kysely<unknown>,
  { engine, text }: Pick<Dialect, "engine" | "text">,
  name: string,
  columns: readonly string[],
): Promise<void> {
  await sql`alter table documents add column ${sql.id(name)} ${text} not null default ''`.execute(db);
  for (const statement of documentEventStatements(engine, columns)) await sql.raw(statement).execute(db);
}
