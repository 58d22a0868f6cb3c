import type { Insertable } from "kysely";
import { type SortedColumn, sortedColumns } from "../../src/database/audiences/columns.ts";
import type { Database, Writer } from "../../src/database/database.ts";
import type { DocumentsTable } from "../../src/database/tables.ts";
import { defaultColumns } from "../../src/resources/documents/record-members.ts";
import type { Chance } from "../chance.ts";

/** The documents that stay in place, and those that move. */
export interface Population {
  /** Documents that nobody writes to. */
  pillars: number[];
  /** Documents of each writer whose members change, but nothing that a list is sorted by. */
  edited: number[][];
  /** Documents of each writer that may change in any way. */
  drifters: number[][];
}

/** The columns that lists are sorted by, with values that many documents share. */
export type SortColumns = Pick<DocumentsTable, SortedColumn | "data">;

export const projectIds = [1, 2, 3];

/** Fills an empty database: every third document is a pillar, every sixth is edited, the others drift. */
export async function populate(
  database: Database,
  chance: Chance,
  documents: number,
  writers: number,
): Promise<Population> {
  const population: Population = {
    pillars: [],
    edited: Array.from({ length: writers }, () => []),
    drifters: Array.from({ length: writers }, () => []),
  };
  await database.write(async (writer) => {
    await addOwners(writer);
    for (let index = 0; index < documents; index++) {
      const id = await addDocument(writer, chance);
      const kind = index % 6;
      const ofWriter = Math.floor(index / 6) % writers;
      if (kind < 2) population.pillars.push(id);
      else (kind === 2 ? population.edited : population.drifters)[ofWriter]?.push(id);
    }
  });
  return population;
}

export async function addDocument(writer: Writer, chance: Chance): Promise<number> {
  const usual = {
    ...defaultColumns,
    access: "public",
    admin_noindex: false,
    asset_url: null,
    file_hash: "",
    organization_id: 1,
    page_spec: "",
    publish_at: null,
    slug: "a-document",
    status: "success",
    user_id: 1,
  };
  const row: Insertable<DocumentsTable> = Object.assign(usual, sortColumns(chance));
  const { id } = await writer.insertInto("documents").values(row).returning("id").executeTakeFirstOrThrow();
  return id;
}

export function sortColumns(chance: Chance): SortColumns {
  const valueOf = (column: string, kind: "string" | "number"): string | number => {
    if (kind === "number") return chance.below(8);
    if (column.endsWith("_at")) return moment(chance);
    return chance.pick(column === "title" ? titles : ["", "", "a", "A", "b"]);
  };
  const values = Object.entries(sortedColumns).map(([column, kind]) => [column, valueOf(column, kind)]);
  return { ...Object.fromEntries(values), data: JSON.stringify(data(chance)) } as SortColumns;
}

function moment(chance: Chance): string {
  return `2025-01-${10 + chance.below(20)}T12:00:00.00000${chance.below(10)}Z`;
}

function data(chance: Chance): Record<string, string[]> {
  const values = (): string[] => Array.from({ length: chance.below(4) }, () => chance.pick(titles));
  return { ...(chance.is(0.6) ? { case: values() } : {}), ...(chance.is(0.05) ? { cid: ["1"] } : {}) };
}

const plainTitles = [
  "",
  " ",
  "A",
  "a",
  "aa",
  "a'b",
  'a"b',
  "%",
  "_",
  "z",
  "Zz",
  "\\",
  "null",
  "0",
  "10",
  "9",
];
const titles = [...plainTitles, "Ä", "ä", "ß", "日本", "日", "\uFFFD", "\u{1F600}", "\u{1F600}a"];

async function addOwners(writer: Writer): Promise<void> {
  const times = { created_at: "2025-01-01T00:00:00.000000Z", updated_at: "2025-01-01T00:00:00.000000Z" };
  await writer
    .insertInto("users")
    .values({ id: 1, username: "walker", name: "Walker", ...times })
    .execute();
  await writer
    .insertInto("organizations")
    .values({ id: 1, name: "Walkers", slug: "walkers", individual: false, ...times })
    .execute();
  for (const id of projectIds) {
    const project = { id, title: "A walk", slug: "a-walk", description: "", private: false, user_id: 1 };
    await writer
      .insertInto("projects")
      .values({ ...project, ...times })
      .execute();
  }
}
