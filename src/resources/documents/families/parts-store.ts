import { sql } from "kysely";
import type { Reader } from "../../../database/database.ts";

/** The ids of everything in a container, at any depth; `attached`: of that which was taken out of a PDF. */
export async function findParts(
  reader: Pick<Reader, "getExecutor">,
  id: number,
  of: "all" | "attached" = "all",
): Promise<number[]> {
  const isAmong = of === "all" ? sql`` : sql`and taken_from = 'pdf'`;
  const { rows } = await sql<{ id: number }>`
    with recursive parts (id) as (
      select child_id from document_children where parent_id = ${id} ${isAmong}
      union all
      select c.child_id from document_children c join parts on c.parent_id = parts.id
    ) select id from parts order by id`.execute(reader);
  return rows.map((row) => row.id);
}

/** How many documents a redaction in place of this one removes with it, and how many it leaves as they are. */
export async function countRedacted(
  reader: Pick<Reader, "getExecutor">,
  id: number,
): Promise<{ removes: number; keeps: number }> {
  const removes = (await findParts(reader, id, "attached")).length;
  return { removes, keeps: (await findParts(reader, id)).length - removes };
}
