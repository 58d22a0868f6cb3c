import {
  anyText,
  cookieDomain,
  didYouMean,
  host,
  hosts,
  httpBase,
  httpFolder,
  integer,
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
import type { HostAndPort, Kind } from "./value-kinds.ts";

export interface Config {
  data: string;
  host: string;
  port: number;
  databaseUrl: string | null;
  databaseWaitSeconds: number;
  databaseConnectLimitSeconds: number;
  databaseStatementLimitSeconds: number;
  /** Where the API's addresses begin, without a slash at the end; null: the request's own scheme and host. */
  url: string | null;
  /** Where the addresses of pages for people begin, like `url`, and null only when `url` is. */
  webUrl: string | null;
  /** Where the addresses of files begin, with a slash at the end; null only when `url` is: see {@link filesPath}. */
  assetUrl: string | null;
  /** True for any proxy, else the addresses and ranges of those that may say whom a request is from. */
  trustProxy: boolean | string[];
  /** For how long browsers are told to come by HTTPS alone; 0: they are not told. */
  hstsSeconds: number;
  /** The first signs, all are believed; null: those in the data folder. */
  secrets: readonly string[] | null;
  /** Whose pages may read what is answered to someone who has signed in; null: nobody's but our own. */
  allowedOrigins: readonly string[] | null;
  /** Of the cookies of a session; null: they are for the host that set them alone. */
  cookieDomain: string | null;
  samples: boolean;
  logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  recordCacheMb: number;
  /** Where files are kept; null: in the data folder. */
  s3Bucket: string | null;
  /** Null: Amazon's, for the region. */
  s3Endpoint: string | null;
  s3Region: string;
  s3AccessKeyId: string | null;
  s3SecretAccessKey: string | null;
  s3PathStyle: boolean;
  /** Without slashes at its ends. */
  s3Prefix: string | null;
  s3Redirect: boolean;
  s3CopiesMb: number;
  /** Of the images of pages on this machine's disk. */
  pageImagesMb: number;
  uploadLimitMb: number;
  /** Of one person, how many uploads in parts may be under way. */
  unfinishedUploads: number;
  uploadExpiryHours: number;
  /** Where files may be fetched from although it is not public; null: nowhere. */
  fetchAllowedHosts: readonly HostAndPort[] | null;
  fetchTimeLimitSeconds: number;
  processingWorkers: number;
  jobLeaseSeconds: number;
  pdfTimeLimitSeconds: number;
  pdfMemoryLimitMb: number;
  ocrTimeLimitSeconds: number;
  ocrMemoryLimitMb: number;
  /** Of all pages of one document together. */
  ocrDocumentLimitMinutes: number;
  /** Null: only what npm packages bring. */
  tessdata: string | null;
  conversionTimeLimitSeconds: number;
  conversionMemoryLimitMb: number;
  documentLimitMb: number;
  /** The path of LibreOffice's program; `auto`: where it usually is; `off`: without. */
  libreOffice: string;
  /** The path of qpdf; `auto`: where it usually is; `off`: without. */
  qpdf: string;
}

/** Where this server has its files, below the address that the API begins with. */
export const filesPath = "/files/";

/** Adding a setting is adding a row here, a member above, and a line in docs/configuration.md. */
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
    help: "The address to listen on: 0.0.0.0 or :: for every one of this machine.",
  },
  port: {
    variable: "QUIRE_PORT",
    kind: integer(0, 65_535),
    default: "8000",
    help: "The port to listen on; 0 takes any free one.",
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
    help: "How long a start waits for a PostgreSQL that does not answer or is starting itself, in seconds.",
  },
  databaseConnectLimitSeconds: {
    variable: "QUIRE_DATABASE_CONNECT_LIMIT_SECONDS",
    kind: integer(1, 300),
    default: "5",
    help: "How long connecting to PostgreSQL may take, or noticing that it has vanished, in seconds.",
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
    help: "Where this service is reached from outside: links in answers begin with it.",
  },
  webUrl: {
    variable: "QUIRE_WEB_URL",
    kind: httpBase,
    default: null,
    otherwise: "the same as QUIRE_URL",
    help: "Where the pages for people begin.",
  },
  assetUrl: {
    variable: "QUIRE_ASSET_URL",
    kind: httpFolder,
    default: null,
    otherwise: `QUIRE_URL and then ${filesPath}`,
    help: "Where the files of documents begin.",
  },
  trustProxy: {
    variable: "QUIRE_TRUST_PROXY",
    kind: trustedProxies,
    default: "off",
    help: "Proxies whose X-Forwarded-* headers count: on (any), off, or addresses and ranges with commas.",
  },
  hstsSeconds: {
    variable: "QUIRE_HSTS_SECONDS",
    kind: integer(0, 63_072_000),
    default: "0",
    help: "How long browsers that came by HTTPS are to come by HTTPS alone, in seconds; 0 does not tell them.",
  },
  secrets: {
    variable: "QUIRE_SECRET",
    kind: secrets,
    default: null,
    otherwise: "the file named secret in the data folder, which is made if need be",
    help: "What sign-ins are signed with, 32 characters or more; with commas several, of which the first signs.",
    secret: true,
  },
  allowedOrigins: {
    variable: "QUIRE_ALLOWED_ORIGINS",
    kind: origins,
    default: null,
    otherwise: "this service's own pages alone",
    help: "Whose pages may read answers to someone who has signed in: https://example.org, with commas several.",
  },
  cookieDomain: {
    variable: "QUIRE_COOKIE_DOMAIN",
    kind: cookieDomain,
    default: null,
    otherwise: "the host that people sign in at, alone",
    help: "The domain whose hosts share the cookies of a session, such as example.org for www and api below it.",
  },
  samples: {
    variable: "QUIRE_SAMPLES",
    kind: onOrOff,
    default: "on",
    help: "Whether a database without documents is given a few samples at the first start: on or off.",
  },
  logLevel: {
    variable: "QUIRE_LOG_LEVEL",
    kind: oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent"),
    default: "info",
    help: "The least that is logged: fatal, error, warn, info, debug, trace, or silent for nothing.",
  },
  recordCacheMb: {
    variable: "QUIRE_RECORD_CACHE_MB",
    kind: integer(0, 4096),
    default: "32",
    help: "Memory for records that are ready to send, in megabytes; 0 keeps none.",
  },
  s3Bucket: {
    variable: "QUIRE_S3_BUCKET",
    kind: matching(/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/, "the name of a bucket: a-z, 0-9, dots and hyphens"),
    default: null,
    otherwise: "files are in the data folder",
    help: "The bucket of an S3 store that files are kept in, instead of in the data folder.",
  },
  s3Endpoint: {
    variable: "QUIRE_S3_ENDPOINT",
    kind: httpBase,
    default: null,
    otherwise: "Amazon's, for the region",
    help: "Where the S3 store is, as https://s3.example.org.",
  },
  s3Region: {
    variable: "QUIRE_S3_REGION",
    kind: matching(/^[\w-]{1,64}$/, "the name of a region, such as eu-central-1"),
    default: "us-east-1",
    help: "The region of the bucket. A store that knows no regions takes any.",
  },
  s3AccessKeyId: {
    variable: "QUIRE_S3_ACCESS_KEY_ID",
    kind: anyText,
    default: null,
    otherwise: "needed where there is a bucket",
    help: "The id of the key that opens the bucket.",
  },
  s3SecretAccessKey: {
    variable: "QUIRE_S3_SECRET_ACCESS_KEY",
    kind: anyText,
    default: null,
    otherwise: "needed where there is a bucket",
    help: "The secret of the key that opens the bucket.",
    secret: true,
  },
  s3PathStyle: {
    variable: "QUIRE_S3_PATH_STYLE",
    kind: onOrOff,
    default: "on",
    help: "Whether the bucket is named in the path (on) or in the host name (off) of the store's addresses.",
  },
  s3Prefix: {
    variable: "QUIRE_S3_PREFIX",
    kind: matching(
      /^[\w-][\w.-]{0,63}(\/[\w-][\w.-]{0,63}){0,3}$/,
      "names such as quire or archive/quire, without a slash at the ends",
    ),
    default: null,
    otherwise: "the bucket is Quire's alone",
    help: "The folder in the bucket that files are kept in.",
  },
  s3Redirect: {
    variable: "QUIRE_S3_REDIRECT",
    kind: onOrOff,
    default: "off",
    help: "Whether readers are sent to the S3 store for files, with an address that is good for five minutes.",
  },
  s3CopiesMb: {
    variable: "QUIRE_S3_COPIES_MB",
    kind: integer(0, 1_048_576),
    default: "2048",
    help: "How much room copies of files in the S3 store may take on this machine's disk, in megabytes.",
  },
  pageImagesMb: {
    variable: "QUIRE_PAGE_IMAGES_MB",
    kind: integer(1, 1_048_576),
    default: "2048",
    help: "How much room the images of pages may take in the data folder, in megabytes.",
  },
  uploadLimitMb: {
    variable: "QUIRE_UPLOAD_LIMIT_MB",
    kind: integer(1, 2047),
    default: "501",
    help: "How large a file that is uploaded may be, in megabytes.",
  },
  unfinishedUploads: {
    variable: "QUIRE_UNFINISHED_UPLOADS",
    kind: integer(1, 1000),
    default: "25",
    help: "How many resumable uploads of one person may be unfinished.",
  },
  uploadExpiryHours: {
    variable: "QUIRE_UPLOAD_EXPIRY_HOURS",
    kind: integer(1, 8760),
    default: "24",
    help: "How long a resumable upload that nothing comes of is kept, in hours.",
  },
  fetchAllowedHosts: {
    variable: "QUIRE_FETCH_ALLOWED_HOSTS",
    kind: hosts,
    default: null,
    otherwise: "public addresses alone",
    help: "Hosts that files are fetched from though their addresses are not public: name or name:port, with commas.",
  },
  fetchTimeLimitSeconds: {
    variable: "QUIRE_FETCH_TIME_LIMIT_SECONDS",
    kind: integer(1, 86_400),
    default: "300",
    help: "How long fetching one file from its address may take, in seconds.",
  },
  processingWorkers: {
    variable: "QUIRE_PROCESSING_WORKERS",
    kind: integer(0, 64),
    default: "2",
    help: "How many documents the server processes at a time; 0 leaves them to others.",
  },
  jobLeaseSeconds: {
    variable: "QUIRE_JOB_LEASE_SECONDS",
    kind: integer(1, 3600),
    default: "60",
    help: "How long the work of a process that went away waits for another one, in seconds.",
  },
  pdfTimeLimitSeconds: {
    variable: "QUIRE_PDF_TIME_LIMIT_SECONDS",
    kind: integer(1, 86_400),
    default: "60",
    help: "How long reading one PDF may take, in seconds.",
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
    help: "How much memory recognising text may take, in megabytes, for each page that is being read.",
  },
  ocrDocumentLimitMinutes: {
    variable: "QUIRE_OCR_DOCUMENT_LIMIT_MINUTES",
    kind: integer(0, 100_000),
    default: "240",
    help: "How long recognising the text of one document may take altogether, in minutes; 0 recognises none.",
  },
  tessdata: {
    variable: "QUIRE_TESSDATA",
    kind: path,
    default: null,
    otherwise: "the npm packages @tesseract.js-data/<language>",
    help: "The folder of the *.traineddata files of the languages that text is recognised in.",
  },
  conversionTimeLimitSeconds: {
    variable: "QUIRE_CONVERSION_TIME_LIMIT_SECONDS",
    kind: integer(1, 86_400),
    default: "120",
    help: "How long turning one file into a PDF may take, in seconds.",
  },
  conversionMemoryLimitMb: {
    variable: "QUIRE_CONVERSION_MEMORY_LIMIT_MB",
    kind: integer(128, 16_384),
    default: "1024",
    help: "How much memory turning one file into a PDF may take, in megabytes.",
  },
  documentLimitMb: {
    variable: "QUIRE_DOCUMENT_LIMIT_MB",
    kind: integer(1, 501),
    default: "26",
    help: "How large a file that is no PDF may be to be turned into one, in megabytes.",
  },
  libreOffice: {
    variable: "QUIRE_LIBREOFFICE",
    kind: path,
    default: "auto",
    help: "Where LibreOffice's program soffice is; auto looks where it usually is, off is without.",
  },
  qpdf: {
    variable: "QUIRE_QPDF",
    kind: path,
    default: "auto",
    help: "Where qpdf is, which mends PDFs that cannot be opened; auto looks where it usually is, off is without.",
  },
};

export type SettingTable = { readonly [Name in keyof Config]: SettingOf<Config[Name]> };

export interface Setting {
  variable: `QUIRE_${string}`;
  kind: Kind<unknown>;
  /** As one would write it; null: none. */
  default: string | null;
  /** What holds where the setting is not given and has no default. */
  otherwise?: string;
  help: string;
  /** Its value is never shown to anyone. */
  secret?: true;
}

type SettingOf<Value> = Setting & { kind: Kind<NonNullable<Value>> } & (null extends Value
    ? { default: null; otherwise: string }
    : { default: string });

/** A setting given on the command line instead. */
export interface Override {
  variable: string;
  /** The option that gives it, such as `--port`. */
  option: string;
  text: string;
}

/**
 * Reads every setting and reports every fault at once. An empty variable is one that is not set. What a command
 * line overrides is not read from the environment at all.
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  overrides: readonly Override[] = [],
): { config: Config } | { problems: string[] } {
  const problems = unknownVariables(environment);
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries<Setting>(settings)) {
    const { variable, kind, secret } = setting;
    const override = overrides.find((one) => one.variable === variable);
    const text = override?.text ?? (environment[variable]?.trim() || setting.default);
    values[name] = text === null ? null : kind.parse(text);
    if (text === null || values[name] !== undefined) continue;
    const given = override?.option ?? variable;
    problems.push(secret ? `${given}: expected ${kind.expected}` : misread(given, text, kind));
  }
  if (problems.length === 0) problems.push(...halfGiven(values), ...foreignCookieDomain(values));
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

/** What a row reads is what the member of its name asks for: the type of the table holds them together. */
function isWhole(values: object): values is Config {
  return Object.values(values).every((value) => value !== undefined);
}

/** What an S3 store needs, or what only one has a use for. */
function halfGiven(values: Readonly<Record<string, unknown>>): string[] {
  const needed = ["s3AccessKeyId", "s3SecretAccessKey"] as const;
  const bucket = settings.s3Bucket.variable;
  const isGiven = (name: keyof Config): boolean => values[name] !== null;
  if (isGiven("s3Bucket")) {
    const missing = needed.filter((name) => !isGiven(name));
    return missing.map((name) => `${settings[name].variable}: needed, since ${bucket} is set`);
  }
  const useless = (["s3Endpoint", ...needed, "s3Prefix"] as const).filter(isGiven);
  return useless.map((name) => `${settings[name].variable}: of no use, since ${bucket} is not set`);
}

/** Browsers drop a cookie whose domain is not that of the host which sets it. */
function foreignCookieDomain({ cookieDomain: domain, url }: Readonly<Record<string, unknown>>): string[] {
  if (typeof domain !== "string" || typeof url !== "string") return [];
  const { hostname } = new URL(url);
  if (hostname === domain || hostname.endsWith(`.${domain}`)) return [];
  return [
    `${settings.cookieDomain.variable}: ${domain} is not the domain of ${hostname}, the host of QUIRE_URL`,
  ];
}

function unknownVariables(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known: string[] = Object.values<Setting>(settings).map((setting) => setting.variable);
  return Object.keys(environment)
    .filter((name) => name.startsWith("QUIRE_") && !known.includes(name))
    .map((name) => `${name}: no such setting${didYouMean(name, known)}`);
}
