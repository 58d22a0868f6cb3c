import { type QueryExecutorProvider, sql } from "kysely";
import type { Dialect } from "../dialect.ts";
import { isPublic } from "./conditions.ts";

type Engine = Dialect["engine"];

/*
 * The SQL of document_paths: see migrations/baseline/paths.ts. A key has no more than this number of bytes: an entry of
 * an index of PostgreSQL has room for 2,704, with the audience and the ids of containers within containers.
 */
const maxBytes = 2000;

const tab = "'\t'";

/** A path without empty names and without tabs, which end the name in a key. 512 slashes in a row become one. */
function cleaned(path: string): string {
  let text = `replace(${path}, ${tab}, ' ')`;
  for (let round = 0; round < 9; round += 1) text = `replace(${text}, '//', '/')`;
  return `ltrim(rtrim(${text}, '/'), '/')`;
}

/** The key of a document at this clean path, below that of its container, if it has one. */
function keyOf(path: string, id: string, container: string | null): string {
  const folders = `rtrim(${path}, replace(${path}, '/', ''))`;
  const inFolders = `case when ${folders} = '' then ''
    else '1' || replace(rtrim(${folders}, '/'), '/', '/1') || '/' end`;
  const whole = `${inFolders} || '2' || substr(${path}, length(${folders}) + 1) || ${tab} || ${id}`;
  const above = container === null ? "" : `${container} || '/' || `;
  return `${above}case when octet_length(${above}${whole}) > ${maxBytes} then ${shortKey(id)} else ${whole} end`;
}

const shortKey = (id: string): string => `'2' || ${tab} || ${id}`;

/** The positions that the paths in the data of documents name; `rows` is a source of documents that have some. */
function namedPositions(engine: Engine, rows: string, where: string): string {
  const items =
    engine === "postgres"
      ? `json_array_elements_text(d.data::json -> 'path') as item (value)`
      : `json_each(d.data, '$.path') as item`;
  // PostgreSQL reads the column's collation off the outermost expression.
  const value = engine === "postgres" ? `item.value collate "C"` : "item.value";
  return `select distinct n.id, ${keyOf("n.path", "n.id", null)} from (
      select d.id, ${cleaned(value)} as path from ${rows} d, ${items} where ${where}
    ) n where n.path <> ''`;
}

const mayHavePath = (row: string, engine: Engine): string =>
  engine === "postgres" ? `position('"path"' in ${row}.data) > 0` : `instr(${row}.data, '"path"') > 0`;

const isPart = (id: string): string => `exists (select 1 from document_children where child_id = ${id})`;
const isContainer = (id: string): string =>
  `exists (select 1 from document_children where parent_id = ${id})`;
const partKey = keyOf(cleaned("c.path"), "c.child_id", "placed.path");

/** Inserts the positions that `first` selects, and those of everything that is in these documents. */
const insertWithParts = (first: string): string => `insert into document_paths (document_id, path)
  with recursive placed (document_id, path) as (
    ${first}
    union all
    select c.child_id, ${partKey} from placed join document_children c on c.parent_id = placed.document_id
  ) select document_id, path from placed where true on conflict do nothing;`;

/** Computes the positions of a document again, and of everything that is in it. */
function replaced(engine: Engine, id: string): string {
  const inside = `with recursive inside (id) as (
      select ${id} union all select c.child_id from document_children c join inside on c.parent_id = inside.id
    ) select id from inside`;
  const named = namedPositions(
    engine,
    "documents",
    `d.id = ${id} and ${mayHavePath("d", engine)} and not ${isPart(id)}`,
  );
  return `delete from document_paths where document_id in (${inside});
  ${insertWithParts(`select * from (${named}) as named
    union all
    select c.child_id, ${partKey} from document_children c join document_paths placed
      on placed.document_id = c.parent_id where c.child_id = ${id}
    union all
    select id, ${shortKey("id")} from documents where id = ${id} and ${isContainer(id)} and not ${isPart(id)}
      and not exists (select 1 from (${named}) as named)`)}`;
}

/** Computes the positions of all documents. Triggers write those of the audiences. */
export async function fillPaths(db: QueryExecutorProvider, engine: Engine): Promise<void> {
  await sql`delete from document_paths`.execute(db);
  const named = namedPositions(engine, "documents", `${mayHavePath("d", engine)} and not ${isPart("d.id")}`);
  await sql.raw(`insert into document_paths (document_id, path) ${named}`).execute(db);
  const outermost = `select distinct c.root_id, ${shortKey("c.root_id")} from document_children c
    where not exists (select 1 from document_paths p where p.document_id = c.root_id)`;
  await sql.raw(`insert into document_paths (document_id, path) ${outermost}`).execute(db);
  const containers = `select document_id, path from document_paths where ${isContainer("document_id")}`;
  await sql.raw(insertWithParts(containers)).execute(db);
}

/** The statements that create the triggers. */
export function pathStatements(engine: Engine): string[] {
  return engine === "postgres" ? onPostgres() : onSqlite();
}

const ofAudiences = (audience: string, rows: string, where: string): string =>
  `insert into document_path_audiences (audience, path, document_id)
    select ${audience}, p.path, p.document_id from ${rows} where ${where} on conflict do nothing;`;

const withoutAudience = (audience: string, id: string): string => `delete from document_path_audiences
  where audience = ${audience} and path in (select path from document_paths where document_id = ${id});`;

const publicity = `${withoutAudience("'all'", "new.id")}
  ${ofAudiences("'all'", "document_paths p", `p.document_id = new.id and ${isPublic("new")}`)}`;
const isPublished = `${isPublic("new")} <> ${isPublic("old")}`;

/** A container without a path is where containers without a folder are, as long as something is in it. */
const containerPlaced = `insert into document_paths (document_id, path)
  select new.parent_id, ${shortKey("new.parent_id")}
    where not exists (select 1 from document_paths where document_id = new.parent_id)
  on conflict do nothing;`;
const partGone = `delete from document_paths where document_id = old.child_id;
  delete from document_paths where document_id = old.parent_id and path = ${shortKey("old.parent_id")}
    and not ${isContainer("old.parent_id")};`;

const positionGone = `delete from document_path_audiences where path = old.path and audience in (
  select 'all' union all select audience from document_audiences where document_id = old.document_id);`;

const pathOnSqlite = (row: string): string => `json_extract(${row}.data, '$.path')`;

function onSqlite(): string[] {
  const added = namedPositions("sqlite", "(select new.id as id, new.data as data)", "true");
  return Object.entries({
    document_paths_of_new: [
      `insert on documents when ${mayHavePath("new", "sqlite")}`,
      `insert into document_paths (document_id, path) select * from (${added}) where true on conflict do nothing;`,
    ],
    document_paths_of_changed: [
      `update of data on documents when new.data <> old.data
        and (${mayHavePath("new", "sqlite")} or ${mayHavePath("old", "sqlite")})
        and ${pathOnSqlite("new")} is not ${pathOnSqlite("old")}`,
      replaced("sqlite", "new.id"),
    ],
    document_paths_published: [`update of access, status on documents when ${isPublished}`, publicity],
    document_paths_of_deleted: [
      "delete on documents",
      "delete from document_paths where document_id = old.id;",
    ],
    document_paths_of_part: [
      "insert on document_children",
      `${containerPlaced} ${replaced("sqlite", "new.child_id")}`,
    ],
    document_paths_of_moved_part: [
      "update of parent_id, path on document_children",
      replaced("sqlite", "new.child_id"),
    ],
    document_paths_of_former_part: ["delete on document_children", partGone],
    document_paths_shown: [
      "insert on document_paths",
      ofAudiences(
        "a.audience",
        `(select new.path as path, new.document_id as document_id) p, (
          select audience from document_audiences where document_id = new.document_id
          union all select 'all' from documents where id = new.document_id and ${isPublic("documents")}) a`,
        "true",
      ),
    ],
    document_paths_hidden: ["delete on document_paths", positionGone],
    document_paths_of_audience: [
      "insert on document_audiences",
      ofAudiences("new.audience", "document_paths p", "p.document_id = new.document_id"),
    ],
    document_paths_of_former_audience: [
      "delete on document_audiences",
      withoutAudience("old.audience", "old.document_id"),
    ],
  }).map(([name, [when, body]]) => `create trigger ${name} after ${when} begin ${body} end`);
}

const pathOnPostgres = (row: string): string => `(${row}.data::json -> 'path')::text`;

function onPostgres(): string[] {
  const added = namedPositions("postgres", "added", mayHavePath("d", "postgres"));
  const functions = Object.entries({
    document_paths_of_new: `insert into document_paths (document_id, path) ${added};`,
    document_paths_of_changed: `if ${pathOnPostgres("new")} is distinct from ${pathOnPostgres("old")} then
      ${replaced("postgres", "new.id")} end if;`,
    document_paths_published: publicity,
    document_paths_of_deleted: "delete from document_paths where document_id = old.id;",
    document_paths_of_part: `${containerPlaced} ${replaced("postgres", "new.child_id")}`,
    document_paths_of_moved_part: replaced("postgres", "new.child_id"),
    document_paths_of_former_part: partGone,
    document_paths_shown: `${ofAudiences(
      "a.audience",
      "added p join document_audiences a on a.document_id = p.document_id",
      "true",
    )} ${ofAudiences("'all'", "added p join documents d on d.id = p.document_id", isPublic("d"))}`,
    document_paths_hidden: positionGone,
    document_paths_of_audience: ofAudiences(
      "a.audience",
      "added a join document_paths p on p.document_id = a.document_id",
      "true",
    ),
    document_paths_of_former_audience: withoutAudience("old.audience", "old.document_id"),
  });
  const forAll = "referencing new table as added for each statement";
  const triggers = {
    document_paths_of_new: `insert on documents ${forAll}`,
    document_paths_of_changed: `update of data on documents for each row when (new.data <> old.data
      and (${mayHavePath("new", "postgres")} or ${mayHavePath("old", "postgres")}))`,
    document_paths_published: `update of access, status on documents for each row when (${isPublished})`,
    document_paths_of_deleted: "delete on documents for each row",
    document_paths_of_part: "insert on document_children for each row",
    document_paths_of_moved_part: "update of parent_id, path on document_children for each row",
    document_paths_of_former_part: "delete on document_children for each row",
    document_paths_shown: `insert on document_paths ${forAll}`,
    document_paths_hidden: "delete on document_paths for each row",
    document_paths_of_audience: `insert on document_audiences ${forAll}`,
    document_paths_of_former_audience: "delete on document_audiences for each row",
  };
  return [
    // A session keeps the plan of a query in a function. A plan made while there were few rows would read all of them.
    ...functions.map(
      ([name, body]) => `create function ${name}() returns trigger language plpgsql
        set enable_seqscan = off as $$ begin
        ${body}
        return null;
      end $$`,
    ),
    ...Object.entries(triggers).map(
      ([name, when]) => `create trigger ${name} after ${when} execute function ${name}()`,
    ),
  ];
}
