import {
  anyText,
  contact,
  cookieDomain,
  didYouMean,
  host,
  hosts,
  httpBase,
  httpFolder,
  integer,
  mailSender,
  mailUrl,
  matching,
  misread,
  onOrOff,
  oneOf,
  origins,
  path,
  postgresUrl,
  secrets,
  trustedProxies,
} from "./value-kinds.ts";
import type { Config } from "./config-values.ts";
import { contradictions } from "./config-contradictions.ts";
import type { Kind } from "./value-kinds.ts";

export type { Config };

/** The path of the files on this server, relative to the base URL of the API. */
export const filesPath = "/files/";

/** To add a setting, add a row here, a member above, and a section in docs/configuration.md. */
export const settings: SettingTable = {
  data: {
    variable: "QUIRE_DATA",
    kind: path,
    default: "./data",
    help: "The folder for the files of documents and for the SQLite database.",
  },
  host: {
    variable: "QUIRE_HOST",
    kind: host,
    default: "127.0.0.1",
    help: "The address to listen on; 0.0.0.0 or :: listens on every address of this machine.",
  },
  port: {
    variable: "QUIRE_PORT",
    kind: integer(0, 65_535),
    default: "8000",
    help: "The port to listen on; 0 takes any free one.",
  },
  processes: {
    variable: "QUIRE_PROCESSES",
    kind: integer(1, 64),
    default: null,
    otherwise: "as many as there are cores, at most 8",
    help: "How many processes answer requests; with 1, the process that is started answers them itself.",
  },
  stopLimitSeconds: {
    variable: "QUIRE_STOP_LIMIT_SECONDS",
    kind: integer(1, 86_400),
    default: "9",
    help: "How long a server that is told to stop waits for the requests that it is answering, in seconds.",
  },
  databaseUrl: {
    variable: "QUIRE_DATABASE_URL",
    kind: postgresUrl,
    default: null,
    otherwise: "SQLite in the data folder",
    help: "The PostgreSQL database to use, as postgres://user:password@host:port/database.",
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
  url: {
    variable: "QUIRE_URL",
    kind: httpBase,
    default: null,
    otherwise: "each request's own scheme and host",
    help: "The public URL of this service, with which the links in responses begin.",
  },
  webUrl: {
    variable: "QUIRE_WEB_URL",
    kind: httpBase,
    default: null,
    otherwise: "the same as QUIRE_URL",
    help: "The public URL of the web pages.",
  },
  assetUrl: {
    variable: "QUIRE_ASSET_URL",
    kind: httpFolder,
    default: null,
    otherwise: `QUIRE_URL and then ${filesPath}`,
    help: "The public URL of the files of documents.",
  },
  trustProxy: {
    variable: "QUIRE_TRUST_PROXY",
    kind: trustedProxies,
    default: "off",
    help: "The proxies whose X-Forwarded-* headers are trusted: on (any), off, or comma-separated addresses and ranges.",
  },
  hstsSeconds: {
    variable: "QUIRE_HSTS_SECONDS",
    kind: integer(0, 63_072_000),
    default: "0",
    help: "How long a browser must use HTTPS after a visit by HTTPS, in seconds; 0 does not require it.",
  },
  secrets: {
    variable: "QUIRE_SECRET",
    kind: secrets,
    default: null,
    otherwise: "the file named secret in the data folder, which is created if necessary",
    help: "The secret that signs sessions, 32 characters or more; of several, separated by commas, the first one signs.",
    secret: true,
  },
  passwordSignIn: {
    variable: "QUIRE_PASSWORD_SIGN_IN",
    kind: oneOf("everyone", "administrators"),
    default: "everyone",
    help: "Who may sign in with a password; administrators leaves everyone else to the identity providers.",
  },
  allowedOrigins: {
    variable: "QUIRE_ALLOWED_ORIGINS",
    kind: origins,
    default: null,
    otherwise: "only this service's own pages",
    help: "The origins whose pages may read responses to signed-in users, such as https://example.org, separated by commas.",
  },
  cookieDomain: {
    variable: "QUIRE_COOKIE_DOMAIN",
    kind: cookieDomain,
    default: null,
    otherwise: "only the host that users sign in at",
    help: "The domain whose hosts share session cookies, such as example.org for www.example.org and api.example.org.",
  },
  samples: {
    variable: "QUIRE_SAMPLES",
    kind: onOrOff,
    default: "on",
    help: "Whether Quire adds a few sample documents to an empty database at the first start: on or off.",
  },
  logLevel: {
    variable: "QUIRE_LOG_LEVEL",
    kind: oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent"),
    default: "info",
    help: "The lowest level that is logged: fatal, error, warn, info, debug or trace; silent logs nothing.",
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
  uploadLimitMb: {
    variable: "QUIRE_UPLOAD_LIMIT_MB",
    kind: integer(1, 2047),
    default: "501",
    help: "The largest file that may be uploaded, in megabytes.",
  },
  unfinishedUploads: {
    variable: "QUIRE_UNFINISHED_UPLOADS",
    kind: integer(1, 1000),
    default: "25",
    help: "How many unfinished resumable uploads one user may have.",
  },
  uploadExpiryHours: {
    variable: "QUIRE_UPLOAD_EXPIRY_HOURS",
    kind: integer(1, 8760),
    default: "24",
    help: "How long an unfinished resumable upload is kept, in hours.",
  },
  trashDays: {
    variable: "QUIRE_TRASH_DAYS",
    kind: integer(0, 3650),
    default: "30",
    help: "How long deleted documents can be brought back, in days; 0 removes them at once, with their files.",
  },
  fetchAllowedHosts: {
    variable: "QUIRE_FETCH_ALLOWED_HOSTS",
    kind: hosts,
    default: null,
    otherwise: "only public addresses",
    help: "Hosts that files may be fetched from although their addresses are not public: name or name:port, separated by commas.",
  },
  fetchTimeLimitSeconds: {
    variable: "QUIRE_FETCH_TIME_LIMIT_SECONDS",
    kind: integer(1, 86_400),
    default: "300",
    help: "How long fetching one file from its URL may take, in seconds.",
  },
  processingWorkers: {
    variable: "QUIRE_PROCESSING_WORKERS",
    kind: integer(0, 64),
    default: "2",
    help: "How many documents the server processes at a time; 0 leaves them to other processes.",
  },
  jobLeaseSeconds: {
    variable: "QUIRE_JOB_LEASE_SECONDS",
    kind: integer(1, 3600),
    default: "60",
    help: "How long after a process has vanished another one takes over its jobs, in seconds.",
  },
  pdfTimeLimitSeconds: {
    variable: "QUIRE_PDF_TIME_LIMIT_SECONDS",
    kind: integer(1, 86_400),
    default: "60",
    help: "How long reading one PDF may take, in seconds.",
  },
  pageTimeLimitSeconds: {
    variable: "QUIRE_PAGE_TIME_LIMIT_SECONDS",
    kind: integer(1, 86_400),
    default: "5",
    help: "How long a reader's request for the image or the words of one page may take, in seconds.",
  },
  pdfMemoryLimitMb: {
    variable: "QUIRE_PDF_MEMORY_LIMIT_MB",
    kind: integer(64, 4096),
    default: "512",
    help: "How much memory reading one PDF may take, in megabytes.",
  },
  ocrTimeLimitSeconds: {
    variable: "QUIRE_OCR_TIME_LIMIT_SECONDS",
    kind: integer(1, 86_400),
    default: "120",
    help: "How long recognising the text of one page may take, in seconds.",
  },
  ocrMemoryLimitMb: {
    variable: "QUIRE_OCR_MEMORY_LIMIT_MB",
    kind: integer(256, 4096),
    default: "1024",
    help: "How much memory recognising the text of one page may take, in megabytes.",
  },
  ocrDocumentLimitMinutes: {
    variable: "QUIRE_OCR_DOCUMENT_LIMIT_MINUTES",
    kind: integer(0, 100_000),
    default: "240",
    help: "How long recognising the text of one document may take altogether, in minutes; 0 turns recognition off.",
  },
  tessdata: {
    variable: "QUIRE_TESSDATA",
    kind: path,
    default: null,
    otherwise: "the folder languages in the data folder, and npm packages",
    help: "A further folder of *.traineddata files, one for each language that text is recognised in.",
  },
  conversionTimeLimitSeconds: {
    variable: "QUIRE_CONVERSION_TIME_LIMIT_SECONDS",
    kind: integer(1, 86_400),
    default: "120",
    help: "How long converting one file to PDF may take, in seconds.",
  },
  conversionMemoryLimitMb: {
    variable: "QUIRE_CONVERSION_MEMORY_LIMIT_MB",
    kind: integer(128, 16_384),
    default: "1024",
    help: "How much memory converting one file to PDF may take, in megabytes.",
  },
  documentLimitMb: {
    variable: "QUIRE_DOCUMENT_LIMIT_MB",
    kind: integer(1, 501),
    default: "26",
    help: "The largest file that is converted to PDF, in megabytes.",
  },
  securityContact: {
    variable: "QUIRE_SECURITY_CONTACT",
    kind: contact,
    default: null,
    otherwise: "no /.well-known/security.txt",
    help: "Where to report faults of security: an email address or a URL.",
  },
  readOnly: {
    variable: "QUIRE_READ_ONLY",
    kind: onOrOff,
    default: "off",
    help: "Refuses every request that changes something, and lets jobs wait, as during a move: on or off.",
  },
  mailUrl: {
    variable: "QUIRE_MAIL_URL",
    kind: mailUrl,
    default: null,
    otherwise: "no mail is sent",
    help: "The mail server that sends invitations, password resets and notices, as smtp://user:password@host:port.",
    secret: true,
  },
  mailFrom: {
    variable: "QUIRE_MAIL_FROM",
    kind: mailSender,
    default: null,
    otherwise: "required with a mail server",
    help: "The sender of mails: an email address, or a name and an address as in Quire <quire@example.org>.",
  },
  libreOffice: {
    variable: "QUIRE_LIBREOFFICE",
    kind: path,
    default: "auto",
    help: "The path of LibreOffice's program soffice; auto searches the usual paths, off does without it.",
  },
  qpdf: {
    variable: "QUIRE_QPDF",
    kind: path,
    default: "auto",
    help: "The path of qpdf, which repairs PDFs that cannot be opened; auto searches the usual paths, off does without it.",
  },
};

export type SettingTable = { readonly [Name in keyof Config]: SettingOf<Config[Name]> };

export interface Setting {
  variable: `QUIRE_${string}`;
  kind: Kind<unknown>;
  /** As it would be written in the environment. Null if there is no default. */
  default: string | null;
  /** The behaviour if the setting is not given and has no default, in words. */
  otherwise?: string;
  help: string;
  /** Its value is never shown to anyone. */
  secret?: true;
}

type SettingOf<Value> = Setting & { kind: Kind<NonNullable<Value>> } & (null extends Value
    ? { default: null; otherwise: string }
    : { default: string });

/** A setting given on the command line, which replaces its variable. */
export interface Override {
  variable: string;
  /** The option that gives it, such as `--port`. */
  option: string;
  text: string;
}

/**
 * Reads every setting and reports all problems at once. An empty variable counts as not set. A variable that the
 * command line overrides is not read at all.
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  overrides: readonly Override[] = [],
): { config: Config } | { problems: string[] } {
  const problems = unknownVariables(environment);
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries<Setting>(settings)) {
    const { variable, kind, secret } = setting;
    const override = overrides.find((candidate) => candidate.variable === variable);
    const text = override?.text ?? (environment[variable]?.trim() || setting.default);
    values[name] = text === null ? null : kind.parse(text);
    if (text === null || values[name] !== undefined) continue;
    const source = override?.option ?? variable;
    problems.push(secret ? `${source}: expected ${kind.expected}` : misread(source, text, kind));
  }
  if (problems.length === 0) problems.push(...contradictions(values, settings));
  if (problems.length > 0 || !isWhole(values)) return { problems };
  const { url } = values;
  return {
    config: {
      ...values,
      webUrl: values.webUrl ?? url,
      assetUrl: values.assetUrl ?? (url === null ? null : url + filesPath),
    },
  };
}

/** The type of the table of settings guarantees that each value has the type of its member of {@link Config}. */
function isWhole(values: object): values is Config {
  return Object.values(values).every((value) => value !== undefined);
}

function unknownVariables(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known: string[] = Object.values<Setting>(settings).map((setting) => setting.variable);
  return Object.keys(environment)
    .filter((name) => name.startsWith("QUIRE_") && !known.includes(name))
    .map((name) => `${name}: no such setting${didYouMean(name, known)}`);
}
