import { type Insertable, type Updateable, sql } from "kysely";
import type { Writer } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import type { ProjectsTable } from "../../database/tables.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { byPerson, endCollaborations } from "../organizations/membership-history-store.ts";
import { type ProjectRow, projectColumns } from "./list-store.ts";
import { hasRow, setRows } from "../../database/rows.ts";

/**
 * Locks the project until the transaction ends and returns it as the viewer sees it. Every change of a project, its
 * collaborators or its documents locks it first.
 */
export async function lockProject(
  writer: Writer,
  dialect: Dialect,
  viewer: SignedInViewer,
  id: number,
): Promise<ProjectRow | null> {
  // The lock is a separate statement: a statement that waits for a lock may read other data from before the wait.
  await sql`select id from projects where id = ${id} ${dialect.forUpdate}`.execute(writer);
  return findForWriting(writer, viewer, id);
}

export async function findForWriting(
  writer: Writer,
  viewer: SignedInViewer,
  id: number,
): Promise<ProjectRow | null> {
  const columns = projectColumns(sql`${viewer.id}`);
  const { rows } = await sql<ProjectRow>`select ${columns} from projects where projects.id = ${id}`.execute(
    writer,
  );
  return rows[0] ?? null;
}

/**
 * Locks the project's documents in order of ids, as all changes of several documents do. When a project's privacy
 * changes or the project is deleted, triggers update its documents in no particular order and could deadlock otherwise.
 */
export async function lockDocumentsOf(writer: Writer, dialect: Dialect, id: number): Promise<void> {
  await sql`select count(*) from (
    select id from documents where id in (select document_id from project_memberships where project_id = ${id})
    order by id ${dialect.forUpdate}) as locked`.execute(writer);
}

export async function insertProject(
  writer: Writer,
  project: Omit<Insertable<ProjectsTable>, "id" | "created_at" | "updated_at">,
): Promise<number> {
  const now = timestampNow();
  const { id } = await writer
    .insertInto("projects")
    .values({ ...project, created_at: now, updated_at: now })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateProject(
  writer: Writer,
  id: number,
  values: Updateable<ProjectsTable>,
): Promise<void> {
  await setRows(writer, "projects", { id }, { ...values, updated_at: timestampNow() });
}

/** Whether a legal hold covers the documents of this project. */
export async function isHeld(writer: Writer, id: number): Promise<boolean> {
  return hasRow(writer, "holds", { project_id: id, released_at: null });
}

/**
 * Deletes the project but not its documents. Their histories record that they are no longer shared with the project.
 */
export async function deleteProject(writer: Writer, viewer: SignedInViewer, id: number): Promise<void> {
  await sql`insert into document_history (document_id, at, user_id, action, changes)
    select document_id, ${timestampNow()}, ${viewer.id}, 'unshared', ${JSON.stringify({ project: [id, null] })}
    from project_memberships where project_id = ${id} order by document_id`.execute(writer);
  await endCollaborations(writer, id, byPerson(viewer.id));
  await writer.deleteFrom("projects").where("id", "=", id).execute();
}

export async function setPinned(
  writer: Writer,
  pin: { user_id: number; project_id: number },
  isPinned: boolean,
): Promise<void> {
  if (isPinned) {
    await writer
      .insertInto("project_pins")
      .values(pin)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return;
  }
  await writer
    .deleteFrom("project_pins")
    .where("user_id", "=", pin.user_id)
    .where("project_id", "=", pin.project_id)
    .execute();
}
