import {
  didYouMean,
  host,
  httpBase,
  httpFolder,
  integer,
  misread,
  onOrOff,
  oneOf,
  origins,
  path,
  postgresUrl,
  secrets,
  trustedProxies,
} from "./value-kinds.ts";
import type { Kind } from "./value-kinds.ts";

export interface Config {
  data: string;
  host: string;
  port: number;
  databaseUrl: string | null;
  /** Where the API's addresses begin, without a slash at the end; null: the request's own scheme and host. */
  url: string | null;
  /** Where the addresses of pages for people begin, like `url`, and null only when `url` is. */
  webUrl: string | null;
  /** Where the addresses of files begin, with a slash at the end; null only when `url` is: see {@link filesPath}. */
  assetUrl: string | null;
  /** True for any proxy, else the addresses and ranges of those that may say whom a request is from. */
  trustProxy: boolean | string[];
  /** The first signs, all are believed; null: those in the data folder. */
  secrets: readonly string[] | null;
  /** Whose pages may read what is answered to someone who has signed in; null: nobody's but our own. */
  allowedOrigins: readonly string[] | null;
  samples: boolean;
  logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  recordCacheMb: number;
  uploadLimitMb: number;
  processingWorkers: number;
  jobLeaseSeconds: number;
  pdfTimeLimitSeconds: number;
  pdfMemoryLimitMb: number;
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
  uploadLimitMb: {
    variable: "QUIRE_UPLOAD_LIMIT_MB",
    kind: integer(1, 2047),
    default: "501",
    help: "How large a file that is uploaded may be, in megabytes.",
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
    default: "1024",
    help: "How much memory reading one PDF may take, in megabytes.",
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

function unknownVariables(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known: string[] = Object.values<Setting>(settings).map((setting) => setting.variable);
  return Object.keys(environment)
    .filter((name) => name.startsWith("QUIRE_") && !known.includes(name))
    .map((name) => `${name}: no such setting${didYouMean(name, known)}`);
}
