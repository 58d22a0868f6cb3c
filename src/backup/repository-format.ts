/*
 * A repository holds any number of backups:
 *
 *   config.json                 only in an encrypted repository: how it is encrypted
 *   backups/2026-11-22T05-20-00Z.json   the manifest of a finished backup: written last
 *   files/ab/ab12…              a file of a document, under the SHA-256 of its content
 *   rows/cd/cd34….ndjson.gz     some rows of a table, under the SHA-256 of the uncompressed text
 *   locks/<id>.json             a run that uses the repository
 *   damage/<id>.json            objects whose content was found to be wrong
 *   checks.json                 when the objects were last read back
 *   unfinished.json             the progress of an unfinished backup
 *
 * An object is a file in `files` or `rows`. Objects never change, and backups share equal ones. In an encrypted
 * repository everything but `config.json` and the locks is encrypted and has `.age` at the end of its name, and the
 * names of objects are keyed hashes: see encryption.ts.
 */

/**
 * The version of the layout. Encrypted repositories have another one, so that an older Quire finds no backups in them.
 */
export const format = 1;

/**
 * Some rows of a table, stored as text: one line with the names of the columns, and one line of values for each row.
 */
export interface RowsChunk {
  /** Of the text. */
  sha256: string;
  rows: number;
  /** The size of the compressed text. Missing in backups of earlier versions. */
  bytes?: number;
}

export interface BackedUpTable {
  rows: number;
  chunks: RowsChunk[];
}

/** The manifest of a finished backup: its contents, and their number and size. */
export interface Manifest {
  format: typeof format;
  /** The version of Quire that made it. */
  quire: string;
  /** The moment, in UTC, whose contents the backup has. */
  at: string;
  /** The engine of the database. A backup can be restored into either. */
  engine: string;
  migrations: string[];
  lastIds: Record<string, number>;
  tables: Record<string, BackedUpTable>;
  /** Whether it has no tables, because the database is backed up by its engine's own means. Otherwise missing. */
  isFilesOnly?: true;
  files: BackedUpTable & { bytes: number };
  /** The SHA-256 of the data folder's secret, which is among the files; null if the secret is a setting. */
  secret: string | null;
  /** The size of that file. Missing in backups of earlier versions. */
  secretBytes?: number;
  /** The settings that the service had, by their variables, without values. Missing in backups of earlier versions. */
  settings?: string[];
}

/** The progress of an unfinished backup: lists of the files that it has copied. */
export interface UnfinishedBackup {
  began_at: string;
  files: RowsChunk[];
}

/** The folders of objects. */
export const objectFolders = ["files", "rows"] as const;
export type ObjectFolder = (typeof objectFolders)[number];

/** The size of a file whose content has a SHA-256 hash; null if a backup of an earlier version does not say. */
export interface ObjectId {
  folder: ObjectFolder;
  sha256: string;
  bytes: number | null;
}

/** All objects of a backup except its files. */
export function* objectsOf({ tables, files, secret, secretBytes }: Manifest): Generator<ObjectId> {
  for (const { chunks } of [...Object.values(tables), files])
    for (const { sha256, bytes = null } of chunks) yield { folder: "rows", sha256, bytes };
  if (secret !== null) yield { folder: "files", sha256: secret, bytes: secretBytes ?? null };
}

const namePattern = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z$/;

/** The name of the backup of a moment: `2026-11-22T05-20-00Z`. */
export const nameOfBackup = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(":", "-")}Z`;

/** The moment in the name of a backup; null for a name of another form. */
export function momentOfName(name: string): Date | null {
  const [, day, hours, minutes, seconds] = namePattern.exec(name) ?? [];
  return day === undefined ? null : new Date(`${day}T${hours}:${minutes}:${seconds}Z`);
}
