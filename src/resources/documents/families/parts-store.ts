import { type RawBuilder, sql } from "kysely";
import type { Reader } from "../../../database/database.ts";

type Parts = "all" | "attached";

/** The ids of everything in a container, at any depth; `attached`: of that which was taken out of a PDF. */
export async function findParts(
  reader: Pick<Reader, "getExecutor">,
  id: number,
  of: Parts = "all",
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`${partsOf(id, of)} select id from parts order by id`.execute(
    reader,
  );
  return rows.map((row) => row.id);
}

const partsOf = (id: number, of: Parts) => sql`with recursive parts (id) as (
    select child_id from document_children where parent_id = ${id}
      ${of === "all" ? sql`` : sql`and taken_from = 'pdf'`}
    union all
    select c.child_id from document_children c join parts on c.parent_id = parts.id
  )`;

/** How many documents a redaction in place of this one removes with it, and how many it leaves as they are. */
export async function countRedacted(
  reader: Pick<Reader, "getExecutor">,
  id: number,
): Promise<{ removes: number; keeps: number }> {
  const removes = await countOf(reader, sql`${partsOf(id, "attached")} select count(*) as count from parts`);
  // Everything that is in a root names it, whatever is in what.
  const inRoot = sql`select count(*) as count from document_children where root_id = ${id}`;
  const all =
    (await countOf(reader, inRoot)) ||
    (await countOf(reader, sql`${partsOf(id, "all")} select count(*) as count from parts`));
  return { removes, keeps: all - removes };
}

async function countOf(reader: Pick<Reader, "getExecutor">, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await (query as RawBuilder<{ count: number | string }>).execute(reader);
  return Number(rows[0]?.count ?? 0);
}
