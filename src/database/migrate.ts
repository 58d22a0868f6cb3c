import { type Kysely, type QueryExecutorProvider, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { DatabaseUnavailableError } from "./database-unavailable.ts";
import type { Dialect } from "./dialect.ts";
import { dialectOf } from "./dialects.ts";
import { postgresDialect } from "./postgres/dialect.ts";
import { sqliteDialect } from "./sqlite/dialect.ts";
import { firstTables } from "./migrations/0001-first-tables.ts";
import { accounts } from "./migrations/0002-accounts.ts";
import { jobs } from "./migrations/0003-jobs.ts";
import { processing } from "./migrations/0004-processing.ts";
import { pageTexts } from "./migrations/0005-page-texts.ts";
import { notes } from "./migrations/0006-notes.ts";
import { search } from "./migrations/0007-search.ts";
import { remoteFiles } from "./migrations/0008-remote-files.ts";
import { progress } from "./migrations/0009-progress.ts";
import { redactions } from "./migrations/0010-redactions.ts";
import { fileAccount } from "./migrations/0011-file-account.ts";
import { entities } from "./migrations/0012-entities.ts";
import { noteWords } from "./migrations/0013-note-words.ts";
import { signIns } from "./migrations/0014-sign-ins.ts";
import { wordsAlike } from "./migrations/0015-words-alike.ts";
import { fairJobs } from "./migrations/0016-fair-jobs.ts";
import { pageLanguages } from "./migrations/0017-page-languages.ts";
import { locksAndCancelledJobs } from "./migrations/0019-locks-and-cancelled-jobs.ts";
import { storedRecords } from "./migrations/0020-stored-records.ts";
import { wordCounts } from "./migrations/0021-word-counts.ts";
import { passwordLinks } from "./migrations/0026-password-links.ts";
import { recordTexts } from "./migrations/0027-record-texts.ts";
import { writingManyRows } from "./migrations/0028-writing-many-rows.ts";
import { countedWords } from "./migrations/0029-counted-words.ts";
import { mirrors } from "./migrations/0032-mirrors.ts";
import { deletedDocuments } from "./migrations/0033-deleted-documents.ts";
import { sharingAndPreferences } from "./migrations/0035-sharing-and-preferences.ts";
import { administration } from "./migrations/0036-administration.ts";
import { mails } from "./migrations/0040-mails.ts";
import { mailNotices } from "./migrations/0043-mail-notices.ts";
import { truncatedMemberships } from "./migrations/0041-truncated-memberships.ts";
import { replacedFiles } from "./migrations/0042-replaced-files.ts";
import { importingRecords } from "./migrations/0045-importing-records.ts";
import { backupRuns } from "./migrations/0048-backup-runs.ts";
import { indexConditions } from "./migrations/0049-index-conditions.ts";
import { audienceTriggers } from "./migrations/0055-audience-triggers.ts";
import { relevance } from "./migrations/0065-relevance.ts";
import { statusBeforeRewriting } from "./migrations/0080-status-before-rewriting.ts";
import { redactedCopies } from "./migrations/0081-redacted-copies.ts";
import { languages } from "./migrations/0090-languages.ts";
import { documentPaths } from "./migrations/0340-add-document-paths.ts";
import { documentChildren } from "./migrations/0100-document-children.ts";
import { identityProviders } from "./migrations/0120-identity-providers.ts";
import { storageLimits } from "./migrations/0130-storage-limits.ts";
import { partialUploads } from "./migrations/0160-partial-uploads.ts";
import { events } from "./migrations/0170-events.ts";
import { webhooks } from "./migrations/0171-webhooks.ts";
import { secondFactors } from "./migrations/0180-second-factors.ts";
import { wordsOfPages } from "./migrations/0190-words-of-pages.ts";
import { mentions } from "./migrations/0370-add-mentions.ts";
import { fingerprints } from "./migrations/0191-fingerprints.ts";
import { watchedFiles } from "./migrations/0192-watched-files.ts";
import { withheld } from "./migrations/0200-withheld.ts";
import { notifications } from "./migrations/0220-notifications.ts";
import { alerts } from "./migrations/0230-alerts.ts";
import { noticeChoices } from "./migrations/0240-notice-choices.ts";
import { guests } from "./migrations/0250-guests.ts";
import { takenFrom } from "./migrations/0260-taken-from.ts";
import { holds } from "./migrations/0270-holds.ts";
import { retention } from "./migrations/0271-retention.ts";
import { auditExports } from "./migrations/0272-audit-exports.ts";
import { addons } from "./migrations/0280-addons.ts";
import { addonStarts } from "./migrations/0281-addon-starts.ts";
import { siteBranding } from "./migrations/0290-site-branding.ts";
import { imports } from "./migrations/0300-imports.ts";
import { mailIn } from "./migrations/0320-add-mail-in.ts";
import { familySums } from "./migrations/0321-add-family-sums.ts";
import { productions } from "./migrations/0310-add-productions.ts";
import { findsByDocument } from "./migrations/0330-add-finds-by-document.ts";
import { runScopes } from "./migrations/0331-add-run-scopes.ts";
import { addonSwitch } from "./migrations/0350-add-addon-switch.ts";
import { linkRevokers } from "./migrations/0385-add-link-revokers.ts";
import { administrationHistory } from "./migrations/0420-add-administration-history.ts";
import { membershipHistory } from "./migrations/0390-add-membership-history.ts";
import { examinationPosition } from "./migrations/0400-add-examination-position.ts";
import { mentionCorrections } from "./migrations/0410-add-mention-corrections.ts";
import { embeddings } from "./migrations/0430-add-embeddings.ts";
import { assistants } from "./migrations/0440-add-assistants.ts";
import { fixedAccountHistory } from "./migrations/0470-add-fixed-account-history.ts";
import { addRankedDocuments, rankedDocuments } from "./migrations/0480-add-ranked-documents.ts";
import type { LargeIndex } from "./migrations/large-index.ts";
import type { Tables } from "./tables.ts";

export type Engine = "sqlite" | "postgres";

function migrationsFor(dialect: Dialect, engine: Engine): Record<string, Migration> {
  const migrations: Record<string, Migration> = {
    "0001-first-tables": { up: (db) => firstTables(db, dialect, engine) },
    "0002-accounts": { up: (db) => accounts(db, dialect, engine) },
    "0003-jobs": { up: (db) => jobs(db, dialect, engine) },
    "0004-processing": { up: (db) => processing(db, dialect, engine) },
    "0005-page-texts": { up: (db) => pageTexts(db, dialect) },
    "0006-notes": { up: (db) => notes(db, dialect) },
    "0007-search": { up: (db) => search(db, dialect, engine) },
    "0008-remote-files": { up: (db) => remoteFiles(db, dialect) },
    "0009-progress": { up: (db) => progress(db, dialect) },
    "0010-redactions": { up: (db) => redactions(db, dialect) },
    "0011-file-account": { up: (db) => fileAccount(db, dialect) },
    "0012-entities": { up: (db) => entities(db, dialect) },
    "0013-note-words": { up: (db) => noteWords(db, engine) },
    "0014-sign-ins": { up: (db) => signIns(db, dialect, engine) },
    "0015-words-alike": { up: (db) => wordsAlike(db, engine) },
    "0016-fair-jobs": { up: (db) => fairJobs(db, dialect, engine) },
    "0017-page-languages": { up: (db) => pageLanguages(db, dialect) },
    "0019-locks-and-cancelled-jobs": { up: (db) => locksAndCancelledJobs(db, dialect, engine) },
    "0020-stored-records": { up: (db) => storedRecords(db, dialect, engine) },
    "0021-word-counts": { up: (db) => wordCounts(db, engine) },
    "0026-password-links": { up: (db) => passwordLinks(db, dialect) },
    "0027-record-texts": { up: (db) => recordTexts(db, dialect, engine) },
    "0028-writing-many-rows": { up: (db) => writingManyRows(db, engine) },
    "0029-counted-words": { up: (db) => countedWords(db, engine) },
    "0032-mirrors": { up: (db) => mirrors(db, dialect) },
    "0033-deleted-documents": { up: (db) => deletedDocuments(db, dialect, engine) },
    "0035-sharing-and-preferences": { up: (db) => sharingAndPreferences(db, dialect) },
    "0036-administration": { up: (db) => administration(db, dialect, engine) },
    "0040-mails": { up: (db) => mails(db, dialect) },
    "0041-truncated-memberships": { up: (db) => truncatedMemberships(db, engine) },
    "0042-replaced-files": { up: (db) => replacedFiles(db, dialect, engine) },
    "0043-mail-notices": { up: (db) => mailNotices(db, dialect, engine) },
    "0045-importing-records": { up: (db) => importingRecords(db, engine) },
    "0048-backup-runs": { up: (db) => backupRuns(db, dialect) },
    "0049-index-conditions": { up: (db) => indexConditions(db, engine) },
    "0055-audience-triggers": { up: (db) => audienceTriggers(db, engine) },
    "0065-relevance": { up: (db) => relevance(db, dialect, engine) },
    "0080-status-before-rewriting": { up: (db) => statusBeforeRewriting(db, dialect, engine) },
    "0081-redacted-copies": { up: (db) => redactedCopies(db, dialect) },
    "0090-languages": { up: (db) => languages(db, dialect, engine) },
    "0100-document-children": { up: (db) => documentChildren(db, dialect, engine) },
    "0120-identity-providers": { up: (db) => identityProviders(db, dialect) },
    "0130-storage-limits": { up: storageLimits },
    "0160-partial-uploads": { up: (db) => partialUploads(db, dialect) },
    "0170-events": { up: (db) => events(db, dialect, engine) },
    "0171-webhooks": { up: (db) => webhooks(db, dialect) },
    "0180-second-factors": { up: (db) => secondFactors(db, dialect) },
    "0190-words-of-pages": { up: wordsOfPages },
    "0191-fingerprints": { up: (db) => fingerprints(db, dialect, engine) },
    "0192-watched-files": { up: (db) => watchedFiles(db, dialect) },
    "0200-withheld": { up: (db) => withheld(db, dialect) },
    "0220-notifications": { up: (db) => notifications(db, dialect) },
    "0230-alerts": { up: (db) => alerts(db, dialect) },
    "0240-notice-choices": { up: (db) => noticeChoices(db, dialect) },
    "0250-guests": { up: (db) => guests(db, dialect) },
    "0260-taken-from": { up: (db) => takenFrom(db, dialect) },
    "0270-holds": { up: (db) => holds(db, dialect) },
    "0271-retention": { up: (db) => retention(db, dialect) },
    "0272-audit-exports": { up: (db) => auditExports(db, dialect) },
    "0280-addons": { up: (db) => addons(db, dialect) },
    "0281-addon-starts": { up: (db) => addonStarts(db, dialect) },
    "0290-site-branding": { up: (db) => siteBranding(db, dialect) },
    ...latestMigrations(dialect, engine),
  };
  return migrations;
}

function latestMigrations(dialect: Dialect, engine: "sqlite" | "postgres"): Record<string, Migration> {
  return {
    "0300-imports": { up: (db) => imports(db, dialect) },
    "0310-add-productions": { up: (db) => productions(db, dialect) },
    "0320-add-mail-in": { up: (db) => mailIn(db, dialect) },
    "0321-add-family-sums": { up: familySums },
    "0330-add-finds-by-document": { up: findsByDocument },
    "0331-add-run-scopes": { up: (db) => runScopes(db, dialect) },
    "0340-add-document-paths": { up: (db) => documentPaths(db, dialect) },
    "0350-add-addon-switch": { up: (db) => addonSwitch(db, dialect) },
    "0370-add-mentions": { up: (db) => mentions(db, dialect, engine) },
    "0385-add-link-revokers": { up: linkRevokers },
    "0390-add-membership-history": { up: (db) => membershipHistory(db, dialect, engine) },
    "0400-add-examination-position": { up: examinationPosition },
    "0410-add-mention-corrections": { up: (db) => mentionCorrections(db, dialect) },
    "0420-add-administration-history": { up: (db) => administrationHistory(db, dialect, engine) },
    "0430-add-embeddings": { up: (db) => embeddings(db, dialect, engine) },
    "0440-add-assistants": { up: (db) => assistants(db, dialect) },
    "0470-add-fixed-account-history": { up: (db) => fixedAccountHistory(db, engine) },
    "0480-add-ranked-documents": { up: (db) => addRankedDocuments(db, dialect, engine) },
  };
}

/** The indexes that migrations add with `addLargeIndex`, except for those that later migrations drop. */
export const largeIndexes: readonly LargeIndex[] = [rankedDocuments(postgresDialect)];

/** The names of all migrations that this Quire knows, in the order in which they run. */
export const migrationNames: readonly string[] = Object.keys(migrationsFor(sqliteDialect, "sqlite"));

export class NewerDatabaseError extends Error {
  override readonly name = "NewerDatabaseError";

  constructor(unknown: readonly string[]) {
    super(
      `The database belongs to a newer Quire: this one does not know its ${unknown.join(", ")}. ` +
        "Run the newer Quire, or restore a backup that was made before the upgrade",
    );
  }
}

/**
 * Whether a migration leaves everything as a Quire needs it that does not know the migration: `0310-add-…`. Such a
 * migration adds tables, indexes, and columns with defaults. One that removes or changes something has another name,
 * and comes a version later.
 */
export const onlyAdds = (name: string): boolean => /^\d+-add-/.test(name);

/** @throws {NewerDatabaseError} */
export function refuseUnknownMigrations(names: readonly string[]): void {
  const unknown = names.filter((name) => !migrationNames.includes(name));
  if (unknown.length > 0) throw new NewerDatabaseError(unknown);
}

/** The names of the migrations that have run, in order; none in an empty database. */
export async function findMigrationsDone(database: QueryExecutorProvider): Promise<string[]> {
  const { rows: tables } = await dialectOf(database).tableNamed("kysely_migration").execute(database);
  if (tables.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
    database,
  );
  return rows.map(({ name }) => name);
}

/**
 * The names of the migrations that have run, and of those that are pending. Unknown ones that only add are allowed.
 *
 * @throws {NewerDatabaseError}
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
 */
export async function migrate(
  database: Kysely<Tables>,
  dialect: Dialect,
  engine: Engine,
  names: readonly string[] = migrationNames,
): Promise<void> {
  // Kysely's migrator reads the schema of every table before it checks which migrations have run.
  const { pending } = await findSchemaState(database);
  if (!pending.some((name) => names.includes(name))) return;
  const all = migrationsFor(dialect, engine);
  const migrations = Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: async () => migrations },
    // A database may have later migrations but not 0006-notes, which was added afterwards and which no other migration
    // needs.
    allowUnorderedMigrations: true,
  });
  const { error } = await migrator.migrateToLatest();
  if (error instanceof DatabaseUnavailableError) throw error;
  if (error !== undefined)
    throw new Error("The database's schema could not be brought up to date", { cause: error });
}
