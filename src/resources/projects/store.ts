import { sql } from "kysely";
import { BulkInsert } from "../../database/bulk-insert.ts";
import type { Writer } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import type { ProjectCollaboratorsTable } from "../../database/tables.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { lockDocumentsOf } from "./change-store.ts";
import { withoutRow } from "../../database/missing-rows.ts";
import { hasRow } from "../../database/rows.ts";

/** A project that a record names by id, with the other facts that the record has about it. */
export interface NamedProject {
  id: number;
  title: string | null;
  slug: string | null;
  description: string;
  private: boolean;
  /** The owner's id. The owner becomes an admin of the project only if `isOwnerNamed`. */
  user_id: number;
  isOwnerNamed: boolean;
  /** Whether the record contains it as an object, not only as an id. */
  isExpanded: boolean;
  created_at: string | null;
  updated_at: string | null;
}

interface NewProject {
  id: number;
  title: string;
  slug: string;
  description: string;
  private: boolean;
  user_id: number;
  created_at: string;
  updated_at: string;
}

/** Adds the projects that imported records name. */
export class ProjectPlaceholders {
  readonly #dialect: Dialect;
  readonly #insert = new BulkInsert<NewProject>("projects", [
    "id",
    "title",
    "slug",
    "description",
    "private",
    "user_id",
    "created_at",
    "updated_at",
  ]);

  readonly #insertAdmin = new BulkInsert<
    Pick<ProjectCollaboratorsTable, "project_id" | "user_id" | "access">
  >("project_collaborators", ["project_id", "user_id", "access"]);

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /**
   * Adds those that do not exist yet. Existing ones stay as they are, except that those of which only the id was known
   * get their names. The owners must exist.
   */
  async addMissing(writer: Writer, projects: readonly NamedProject[]): Promise<void> {
    await this.#introduce(writer, projects);
    const missing = await withoutRow(writer, this.#dialect, "projects", projects);
    if (missing.length === 0) return;
    const now = timestampNow();
    const rows = missing.map((project) => newProject(project, now));
    await this.#insert.run(writer, rows);
    await this.#addAdmins(writer, missing);
    await this.#dialect.afterOwnIds("projects")?.execute(writer);
  }

  /** Names the projects that were added when only their id was known. */
  async #introduce(writer: Writer, projects: readonly NamedProject[]): Promise<void> {
    const named = projects.filter(({ isExpanded, title }) => isExpanded && title !== null);
    if (named.length === 0) return;
    const unnamed = await writer
      .selectFrom("projects")
      .select("id")
      .where(this.#dialect.isAmong(sql.ref("id"), sql`${this.#dialect.list(named.map(({ id }) => id))}`))
      .where("title", "=", sql<string>`'Project ' || id`)
      .where("slug", "=", sql<string>`'project-' || id`)
      .execute();
    const ids = new Set(unnamed.map(({ id }) => id));
    const introduced = named.filter(({ id }) => ids.has(id)).toSorted((one, other) => one.id - other.id);
    const now = timestampNow();
    for (const project of introduced) {
      const { id, user_id, ...values } = newProject(project, now);
      // A trigger copies the project's privacy to its documents.
      await lockDocumentsOf(writer, this.#dialect, id);
      await writer
        .updateTable("projects")
        .set({ ...values, ...(project.isOwnerNamed && { user_id }) })
        .where("id", "=", id)
        .execute();
    }
    await this.#addAdmins(writer, introduced);
  }

  async #addAdmins(writer: Writer, projects: readonly NamedProject[]): Promise<void> {
    const owned = projects.filter(({ isOwnerNamed }) => isOwnerNamed);
    const admins = owned.map(({ id, user_id }) => ({ project_id: id, user_id, access: "admin" as const }));
    await this.#insertAdmin.run(writer, admins);
  }
}

function newProject(
  { id, title, slug, description, private: isPrivate, user_id, ...times }: NamedProject,
  now: string,
): NewProject {
  const created_at = times.created_at ?? now;
  return {
    id,
    title: title ?? `Project ${id}`,
    slug: slug ?? `project-${id}`,
    description,
    private: isPrivate,
    user_id,
    created_at,
    updated_at: times.updated_at ?? created_at,
  };
}

export async function projectExists(writer: Writer, id: number): Promise<boolean> {
  return hasRow(writer, "projects", { id });
}
