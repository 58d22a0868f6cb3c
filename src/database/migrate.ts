import { type Kysely, type QueryExecutorProvider, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { DatabaseUnavailableError } from "./database-unavailable.ts";
import type { Dialect } from "./dialect.ts";
import { dialectOf } from "./dialects.ts";
import { postgresDialect } from "./postgres/dialect.ts";
import { sqliteDialect } from "./sqlite/dialect.ts";
import { baseline } from "./migrations/0470-baseline.ts";
import { addRankedDocuments, rankedDocuments } from "./migrations/0480-add-ranked-documents.ts";
import { addFilteredDocuments, filteredDocuments } from "./migrations/0490-add-filtered-documents.ts";
import type { LargeIndex } from "./migrations/large-index.ts";
import type { Tables } from "./tables.ts";

export type Engine = "sqlite" | "postgres";

function migrationsFor(dialect: Dialect): Record<string, Migration> {
  return {
    [baselineName]: { up: (db) => baseline(db, dialect.engine) },
    "0480-add-ranked-documents": { up: (db) => addRankedDocuments(db, dialect, dialect.engine) },
    "0490-add-filtered-documents": { up: (db) => addFilteredDocuments(db, dialect.engine) },
  };
}

const baselineName = "0470-baseline";

/**
 * The migrations that the baseline replaces, from 0001-first-tables to 0470-add-fixed-account-history. A database in
 * which they have run has its schema, and keeps their names: a server that still has them may start again beside this
 * one.
 */
const replacedMigrations = 79;

/** It has the replaced migrations. */
const commitBeforeBaseline = "267a7cf2";

/** The indexes that migrations add with `addLargeIndex`, except for those that later migrations drop. */
export const largeIndexes: readonly LargeIndex[] = [rankedDocuments(postgresDialect), filteredDocuments];

/** The names of all migrations that this Quire knows, in the order in which they run. */
export const migrationNames: readonly string[] = Object.keys(migrationsFor(sqliteDialect));

export class NewerDatabaseError extends Error {
  override readonly name = "NewerDatabaseError";

  constructor(unknown: readonly string[]) {
    super(
      `The database belongs to a newer Quire: this one does not know its ${unknown.join(", ")}. ` +
        "Run the newer Quire, or restore a backup that was made before the upgrade",
    );
  }
}

export class OlderDatabaseError extends Error {
  override readonly name = "OlderDatabaseError";

  constructor(done: number) {
    super(
      `The database is older than the first release of Quire: it has ${done} of the ${replacedMigrations} migrations ` +
        `before that. Bring it up to date with commit ${commitBeforeBaseline} of Quire, which has them all ` +
        `(git checkout ${commitBeforeBaseline} && npm ci && npm run quire -- migrate), and then run this Quire again`,
    );
  }
}

/**
 * Whether a migration leaves everything as a Quire needs it that does not know the migration: `0480-add-…`. Such a
 * migration adds tables, indexes, and columns with defaults. One that removes or changes something has another name,
 * and comes a version later.
 */
export const onlyAdds = (name: string): boolean => /^\d+-add-/.test(name);

/**
 * Names of migrations that have run, with the baseline in place of those that it replaces.
 *
 * @throws {OlderDatabaseError} if some of them have not run
 */
function withBaseline(names: readonly string[]): string[] {
  const { length: replaced } = names.filter((name) => name < baselineName);
  if (replaced === 0) return [...names];
  if (replaced < replacedMigrations) throw new OlderDatabaseError(replaced);
  return [baselineName, ...names.filter((name) => name > baselineName)];
}

/**
 * @throws {NewerDatabaseError}
 * @throws {OlderDatabaseError}
 */
export function refuseUnknownMigrations(names: readonly string[]): void {
  const unknown = withBaseline(names).filter((name) => !migrationNames.includes(name));
  if (unknown.length > 0) throw new NewerDatabaseError(unknown);
}

/** The names that the database has, in order: also those of the migrations that the baseline replaces. */
async function findRecordedNames(database: QueryExecutorProvider): Promise<string[]> {
  const { rows: tables } = await dialectOf(database).tableNamed("kysely_migration").execute(database);
  if (tables.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
    database,
  );
  return rows.map(({ name }) => name);
}

/**
 * The names of the migrations that have run, in order; none in an empty database.
 *
 * @throws {OlderDatabaseError}
 */
export async function findMigrationsDone(database: QueryExecutorProvider): Promise<string[]> {
  return withBaseline(await findRecordedNames(database));
}

/**
 * The names of the migrations that have run, and of those that are pending. Unknown ones that only add are allowed.
 *
 * @throws {NewerDatabaseError}
 * @throws {OlderDatabaseError}
 */
export async function findSchemaState(
  database: QueryExecutorProvider,
): Promise<{ done: string[]; pending: string[] }> {
  const done = await findMigrationsDone(database);
  refuseUnknownMigrations(done.filter((name) => !onlyAdds(name)));
  return { done, pending: migrationNames.filter((name) => !done.includes(name)) };
}

/**
 * Runs all pending migrations, or only the named ones, in one transaction. Only one process migrates at a time.
 *
 * @throws {NewerDatabaseError}
 * @throws {OlderDatabaseError}
 */
export async function migrate(
  database: Kysely<Tables>,
  dialect: Dialect,
  names: readonly string[] = migrationNames,
): Promise<void> {
  // Kysely's migrator reads the schema of every table before it checks which migrations have run.
  const { pending } = await findSchemaState(database);
  const wanted = withBaseline(names);
  const missing = pending.filter((name) => wanted.includes(name));
  if (missing.length === 0) return;
  const all = migrationsFor(dialect);
  // Kysely refuses a database in which others have run than it is given: a newer Quire's, or those before the baseline.
  const done = await findRecordedNames(database);
  const migrations: Record<string, Migration> = Object.fromEntries(
    done.map((name) => [name, { up: () => Promise.resolve() }]),
  );
  for (const name of missing) migrations[name] = all[name] as Migration;
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: async () => migrations },
    // A newer Quire may have added to the database.
    allowUnorderedMigrations: true,
  });
  const { error } = await migrator.migrateToLatest();
  if (error instanceof DatabaseUnavailableError) throw error;
  if (error !== undefined)
    throw new Error("The database's schema could not be brought up to date", { cause: error });
}
