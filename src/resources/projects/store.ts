import { BulkInsert } from "../../database/bulk-insert.ts";
import type { Writer } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import { withoutRow } from "../../database/missing-rows.ts";
import { timestampNow } from "../../http/text/timestamp.ts";

/** A project that a record names by id, with the other facts that the record has about it. */
export interface NamedProject {
  id: number;
  title: string | null;
  slug: string | null;
  description: string;
  private: boolean;
  user_id: number;
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

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Existing projects are not changed. The users of new ones must exist. */
  async addMissing(writer: Writer, projects: readonly NamedProject[]): Promise<void> {
    const missing = await withoutRow(writer, this.#dialect, "projects", projects);
    if (missing.length === 0) return;
    const now = timestampNow();
    const rows = missing.map(({ id, title, slug, description, private: isPrivate, user_id }) => ({
      id,
      title: title ?? `Project ${id}`,
      slug: slug ?? `project-${id}`,
      description,
      private: isPrivate,
      user_id,
      created_at: now,
      updated_at: now,
    }));
    await this.#insert.run(writer, rows);
    await this.#dialect.afterOwnIds("projects")?.execute(writer);
  }
}

export async function projectExists(writer: Writer, id: number): Promise<boolean> {
  const found = await writer.selectFrom("projects").select("id").where("id", "=", id).executeTakeFirst();
  return found !== undefined;
}
