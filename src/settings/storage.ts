import { anyText, httpBase, integer, matching, onOrOff, path, postgresUrl } from "../value-kinds.ts";
import type { SettingTable } from "./setting.ts";

/** Where data is: the database, the files, backups, and how long they are kept. */
export const storage = {
  databaseUrl: {
    variable: "QUIRE_DATABASE_URL",
    kind: postgresUrl,
    default: null,
    otherwise: "SQLite in the data folder",
    help:
      "The PostgreSQL database to use, as postgres://user:password@host:port/database. Commas separate a primary and " +
      "its standbys.",
    secret: true,
  },
  databaseDirectUrl: {
    variable: "QUIRE_DATABASE_DIRECT_URL",
    kind: postgresUrl,
    default: null,
    otherwise: "QUIRE_DATABASE_URL leads to PostgreSQL itself, or to a pooler in session mode",
    help:
      "The address of PostgreSQL itself, if QUIRE_DATABASE_URL leads to a pooler in transaction mode: for " +
      "migrations, and for the connection on which a process listens to the others.",
    secret: true,
  },
  databaseReadUrls: {
    variable: "QUIRE_DATABASE_READ_URLS",
    kind: postgresUrl,
    default: null,
    otherwise: "the primary answers all reads",
    help: "The PostgreSQL standbys that may answer lists, searches and records, in the form of QUIRE_DATABASE_URL.",
    secret: true,
  },
  databaseWaitSeconds: {
    variable: "QUIRE_DATABASE_WAIT_SECONDS",
    kind: integer(0, 86_400),
    default: "60",
    help: "How long Quire waits at its start for a PostgreSQL that does not answer or is still starting, in seconds.",
  },
  databaseConnectLimitSeconds: {
    variable: "QUIRE_DATABASE_CONNECT_LIMIT_SECONDS",
    kind: integer(1, 300),
    default: "5",
    help: "How long Quire waits for a connection to PostgreSQL, or for one that has gone silent, in seconds.",
  },
  databaseStatementLimitSeconds: {
    variable: "QUIRE_DATABASE_STATEMENT_LIMIT_SECONDS",
    kind: integer(1, 3600),
    default: "30",
    help: "How long PostgreSQL may take over one statement that a request waits for, in seconds.",
  },
  s3Bucket: {
    variable: "QUIRE_S3_BUCKET",
    kind: matching(/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/, "the name of a bucket: a-z, 0-9, dots and hyphens"),
    default: null,
    otherwise: "files are in the data folder",
    help: "The S3 bucket that stores files, instead of the data folder.",
  },
  s3Endpoint: {
    variable: "QUIRE_S3_ENDPOINT",
    kind: httpBase,
    default: null,
    otherwise: "Amazon's, for the region",
    help: "The URL of the S3 store, such as https://s3.example.org.",
  },
  s3Region: {
    variable: "QUIRE_S3_REGION",
    kind: matching(/^[\w-]{1,64}$/, "the name of a region, such as eu-central-1"),
    default: "us-east-1",
    help: "The region of the bucket. A store without regions accepts any.",
  },
  s3AccessKeyId: {
    variable: "QUIRE_S3_ACCESS_KEY_ID",
    kind: anyText,
    default: null,
    otherwise: "required with a bucket",
    help: "The id of the access key for the bucket.",
  },
  s3SecretAccessKey: {
    variable: "QUIRE_S3_SECRET_ACCESS_KEY",
    kind: anyText,
    default: null,
    otherwise: "required with a bucket",
    help: "The secret of the access key for the bucket.",
    secret: true,
  },
  s3PathStyle: {
    variable: "QUIRE_S3_PATH_STYLE",
    kind: onOrOff,
    default: "on",
    help: "Whether the store's URLs name the bucket in the path (on) or in the host name (off).",
  },
  s3Prefix: {
    variable: "QUIRE_S3_PREFIX",
    kind: matching(
      /^[\w-][\w.-]{0,63}(\/[\w-][\w.-]{0,63}){0,3}$/,
      "names such as quire or archive/quire, without a slash at the ends",
    ),
    default: null,
    otherwise: "the bucket is Quire's alone",
    help: "The folder in the bucket that stores the files.",
  },
  s3Redirect: {
    variable: "QUIRE_S3_REDIRECT",
    kind: onOrOff,
    default: "off",
    help: "Whether requests for files are redirected to the S3 store, with a URL that is valid for five minutes.",
  },
  s3CopiesMb: {
    variable: "QUIRE_S3_COPIES_MB",
    kind: integer(0, 1_048_576),
    default: "2048",
    help: "Disk space on this machine for copies of files in the S3 store, in megabytes.",
  },
  backupS3Endpoint: {
    variable: "QUIRE_BACKUP_S3_ENDPOINT",
    kind: httpBase,
    default: null,
    otherwise: "as QUIRE_S3_ENDPOINT",
    help: "The URL of the S3 store that an s3:// address on the command line of backup, restore or move means.",
  },
  backupS3Region: {
    variable: "QUIRE_BACKUP_S3_REGION",
    kind: matching(/^[\w-]{1,64}$/, "the name of a region, such as eu-central-1"),
    default: null,
    otherwise: "as QUIRE_S3_REGION",
    help: "The region of that store.",
  },
  backupS3AccessKeyId: {
    variable: "QUIRE_BACKUP_S3_ACCESS_KEY_ID",
    kind: anyText,
    default: null,
    otherwise: "as QUIRE_S3_ACCESS_KEY_ID",
    help: "The id of the access key for that store.",
  },
  backupS3SecretAccessKey: {
    variable: "QUIRE_BACKUP_S3_SECRET_ACCESS_KEY",
    kind: anyText,
    default: null,
    otherwise: "as QUIRE_S3_SECRET_ACCESS_KEY",
    help: "The secret of the access key for that store.",
    secret: true,
  },
  backupKeyFile: {
    variable: "QUIRE_BACKUP_KEY_FILE",
    kind: path,
    default: null,
    otherwise: "backups are not encrypted",
    help: "The file with the key that encrypts backups, as key-file writes it.",
  },
  pageImagesMb: {
    variable: "QUIRE_PAGE_IMAGES_MB",
    kind: integer(1, 1_048_576),
    default: "2048",
    help: "Disk space in the data folder for page images, in megabytes.",
  },
  trashDays: {
    variable: "QUIRE_TRASH_DAYS",
    kind: integer(0, 3650),
    default: "30",
    help: "How long deleted documents can be brought back, in days; 0 removes them at once, with their files.",
  },
  eventDays: {
    variable: "QUIRE_EVENT_DAYS",
    kind: integer(1, 3650),
    default: "30",
    help: "How long the feed keeps what happened, in days.",
  },
} satisfies Partial<SettingTable>;
