import { asciiLower } from "../database/ascii-lower.ts";
import type { Reader } from "../database/database.ts";
import { rowsWithNumbers, rowsWithTexts } from "../database/transfer/added-rows.ts";
import type { CopiedRow } from "../database/transfer/snapshot.ts";
import type { Tables } from "../database/tables.ts";
import { isFields, isId } from "../import/record-fields.ts";
import type { Archive } from "./archive.ts";
import { batchesOf } from "../batches.ts";
import { readEntity, readOrganization, readPerson, readProject } from "./lists.ts";

/** An id or a name in an archive already belongs to something else here. */
export class TakenError extends Error {
  override readonly name = "TakenError";
}

type Lookup = Pick<Reader, "getExecutor">;

const atOnce = 500;
const maxNamed = 5;

/**
 * Refuses an archive if one of its ids, usernames, email addresses or Wikidata ids belongs to something else here. Rows
 * that an earlier import of the same archive has made do not conflict.
 *
 * @throws {TakenError} that names the first few conflicts.
 */
export async function refuseTaken(reader: Lookup, archive: Archive, signal: AbortSignal): Promise<void> {
  const named: string[] = [];
  let others = 0;
  for await (const conflict of conflictsOf(reader, archive)) {
    signal.throwIfAborted();
    if (named.length < maxNamed) named.push(conflict);
    else others += 1;
  }
  if (named.length === 0) return;
  const more = others === 0 ? "" : `; and ${others} more`;
  throw new TakenError(
    `Nothing was imported, because something else is here already: ${named.join("; ")}${more}`,
  );
}

async function* conflictsOf(reader: Lookup, archive: Archive): AsyncGenerator<string> {
  for await (const people of batchesOf(archive.list("people", readPerson), atOnce))
    yield* conflictsOfPeople(reader, people);
  for await (const organizations of batchesOf(archive.list("organizations", readOrganization), atOnce))
    yield* conflictsOfOrganizations(reader, organizations);
  for await (const projects of batchesOf(archive.list("projects", readProject), atOnce))
    yield* conflictsOfProjects(reader, projects);
  for await (const entities of batchesOf(archive.list("entities", readEntity), atOnce))
    yield* conflictsOfEntities(reader, entities);
  for await (const ids of batchesOf(archive.documents(), atOnce))
    yield* conflictsOfDocuments(reader, archive, ids);
}

async function* conflictsOfPeople(
  reader: Lookup,
  people: readonly ReturnType<typeof readPerson>[],
): AsyncGenerator<string> {
  const here = await rowsWithNumbers(reader, "users", "id", idsOf(people));
  for (const [row, { id, uuid, username }] of paired(here, "id", people, "id"))
    if (row["uuid"] !== uuid)
      yield `user ${id} is ${shown(row["username"])}, and in the archive ${shown(username)}`;
  const lowered = people.map(({ id, uuid, username, email }) => ({
    id,
    uuid,
    username: asciiLower(username),
    email: asciiLower(email),
  }));
  for (const [column, what] of [
    ["uuid", "UUID"],
    ["username", "username"],
    ["email", "email address"],
  ] as const) {
    const texts = lowered.map((person) => person[column]).filter((text) => text !== "");
    const rows = await rowsWithTexts(reader, "users", column, texts, { ignoringCase: column !== "uuid" });
    const found = rows.map(
      ({ id, [column]: value }) => ({ id, [column]: asciiLower(String(value)) }) as CopiedRow,
    );
    for (const [row, { id, ...person }] of paired(found, column, lowered, column)) {
      const isOther = row["id"] !== id;
      if (isOther)
        yield (
          `the ${what} ${shown(person[column])} is that of user ${String(row["id"])}, and in the ` +
            `archive of user ${id}`
        );
    }
  }
}

async function* conflictsOfOrganizations(
  reader: Lookup,
  organizations: readonly ReturnType<typeof readOrganization>[],
): AsyncGenerator<string> {
  const here = await rowsWithNumbers(reader, "organizations", "id", idsOf(organizations));
  for (const [row, { id, uuid, name }] of paired(here, "id", organizations, "id"))
    if (row["uuid"] !== uuid)
      yield `organization ${id} is ${shown(row["name"])}, and in the archive ${shown(name)}`;
  const uuids = organizations.map(({ uuid }) => uuid);
  const same = await rowsWithTexts(reader, "organizations", "uuid", uuids);
  for (const [row, { id, name }] of paired(same, "uuid", organizations, "uuid"))
    if (row["id"] !== id)
      yield `organization ${String(row["id"])} has the UUID of organization ${id} (${shown(name)}) in the archive`;
}

async function* conflictsOfProjects(
  reader: Lookup,
  projects: readonly ReturnType<typeof readProject>[],
): AsyncGenerator<string> {
  const here = await rowsWithNumbers(reader, "projects", "id", idsOf(projects));
  for (const [row, { id, created_at, title }] of paired(here, "id", projects, "id"))
    if (row["created_at"] !== created_at)
      yield `project ${id} is ${shown(row["title"])}, and in the archive ${shown(title)}`;
}

async function* conflictsOfEntities(
  reader: Lookup,
  entities: readonly ReturnType<typeof readEntity>[],
): AsyncGenerator<string> {
  const here = await rowsWithNumbers(reader, "entities", "id", idsOf(entities));
  for (const [row, { id, wikidata_id }] of paired(here, "id", entities, "id"))
    if (row["wikidata_id"] !== wikidata_id)
      yield `entity ${id} is ${String(row["wikidata_id"])}, and in the archive ${wikidata_id}`;
  const named = entities.map(({ wikidata_id }) => wikidata_id);
  const same = await rowsWithTexts(reader, "entities", "wikidata_id", named);
  for (const [row, { id, wikidata_id }] of paired(same, "wikidata_id", entities, "wikidata_id"))
    if (row["id"] !== id)
      yield `${wikidata_id} is entity ${String(row["id"])}, and in the archive entity ${id}`;
}

async function* conflictsOfDocuments(
  reader: Lookup,
  archive: Archive,
  ids: readonly number[],
): AsyncGenerator<string> {
  const here = new Map(
    (await rowsWithNumbers(reader, "documents", "id", ids)).map((row) => [row["id"], row]),
  );
  for (const row of await rowsWithNumbers(reader, "file_removals", "document_id", ids))
    yield `files of a deleted document ${String(row["document_id"])}, which a server removes within an hour`;
  const parts = { notes: [] as number[], sections: [] as number[] };
  for (const id of ids) {
    const row = here.get(id);
    if (row !== undefined) {
      const { created_at, title } = await archive.fields(id, "record");
      if (row["created_at"] !== created_at)
        yield `document ${id} is ${shown(row["title"])}, and in the archive ${shown(title)}`;
      continue;
    }
    for (const part of ["notes", "sections"] as const)
      for await (const value of archive.part(id, part))
        if (isFields(value) && isId(value["id"])) parts[part].push(value["id"]);
  }
  for (const table of ["notes", "sections"] as const satisfies readonly (keyof Tables)[])
    for (const batch of chunked(parts[table]))
      for (const row of await rowsWithNumbers(reader, table, "id", batch))
        yield (
          `${table.slice(0, -1)} ${String(row["id"])} belongs to document ` +
            `${String(row["document_id"])}, and in the archive to another`
        );
}

function idsOf(items: readonly { id: number }[]): number[] {
  return items.map(({ id }) => id);
}

function* chunked<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += atOnce) yield items.slice(start, start + atOnce);
}

/** Each row with the item that has its value. */
function paired<Item extends object>(
  rows: readonly CopiedRow[],
  column: string,
  items: readonly Item[],
  member: keyof Item,
): [CopiedRow, Item][] {
  const byValue = new Map(items.map((item) => [item[member] as unknown, item]));
  return rows.flatMap((row) => {
    const item = byValue.get(row[column]);
    return item === undefined ? [] : [[row, item] as [CopiedRow, Item]];
  });
}

function shown(value: unknown): string {
  const text = String(value);
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
