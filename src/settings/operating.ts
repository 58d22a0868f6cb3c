import { addresses, anyText, integer, matching, onOrOff, oneOf, path } from "../value-kinds.ts";
import type { SettingTable } from "./setting.ts";

/** How a server is watched, and what it takes from strangers and from members. */
export const operating = {
  metricsToken: {
    variable: "QUIRE_METRICS_TOKEN",
    kind: matching(/^[\x21-\x7e]{16,}$/, "16 characters or more without spaces"),
    default: null,
    otherwise: "no token reads /metrics",
    help: "The token with which programs read /metrics, sent as Authorization: Bearer and the token.",
    secret: true,
  },
  metricsAddresses: {
    variable: "QUIRE_METRICS_ADDRESSES",
    kind: addresses,
    default: null,
    otherwise: "no address reads /metrics without a token",
    help: "The addresses and ranges from which programs read /metrics without a token, separated by commas.",
  },
  workMetricsPort: {
    variable: "QUIRE_WORK_METRICS_PORT",
    kind: integer(1, 65_535),
    default: null,
    otherwise: "quire work shows no metrics",
    help: "The port at which quire work answers /metrics, at the address QUIRE_HOST.",
  },
  banner: {
    variable: "QUIRE_BANNER",
    kind: matching(/^[^\p{Cc}]{1,500}$/u, "a text of at most 500 characters on one line"),
    default: null,
    otherwise: "no banner, except on a read-only server",
    help: "A sentence that every page shows at its top, such as when the server will be maintained.",
  },
  logVisitors: {
    variable: "QUIRE_LOG_VISITORS",
    kind: onOrOff,
    default: "off",
    help: "Whether the log's line about a request names the client's address and the signed-in user: on or off.",
  },
  requestsPerNetwork: {
    variable: "QUIRE_REQUESTS_PER_NETWORK",
    kind: integer(0, 1_000_000),
    default: "3000",
    help: "How many requests without credentials one network may send in a minute; 0 sets no limit.",
  },
  requestsPerPerson: {
    variable: "QUIRE_REQUESTS_PER_PERSON",
    kind: integer(0, 1_000_000),
    default: "12000",
    help: "How many requests one signed-in person may send in a minute; 0 sets no limit.",
  },
  requestsPerToken: {
    variable: "QUIRE_REQUESTS_PER_TOKEN",
    kind: integer(0, 1_000_000),
    default: "12000",
    help: "How many requests may be sent with one personal token in a minute; 0 sets no limit.",
  },
  personStorageMb: {
    variable: "QUIRE_PERSON_STORAGE_MB",
    kind: integer(0, 1_000_000_000),
    default: "0",
    help: "How much the files of one person's documents may take, in megabytes; 0 sets no limit.",
  },
  organizationStorageMb: {
    variable: "QUIRE_ORGANIZATION_STORAGE_MB",
    kind: integer(0, 1_000_000_000),
    default: "0",
    help: "How much the files of one organization's documents may take, in megabytes; 0 sets no limit.",
  },
  personPagesPerDay: {
    variable: "QUIRE_PERSON_PAGES_PER_DAY",
    kind: integer(0, 1_000_000_000),
    default: "0",
    help: "How many pages one person may add within 24 hours; 0 sets no limit.",
  },
  organizationPagesPerDay: {
    variable: "QUIRE_ORGANIZATION_PAGES_PER_DAY",
    kind: integer(0, 1_000_000_000),
    default: "0",
    help: "How many pages one organization may add within 24 hours; 0 sets no limit.",
  },
  robots: {
    variable: "QUIRE_ROBOTS",
    kind: oneOf("everyone", "search", "nobody"),
    default: "everyone",
    help:
      "The robots that robots.txt lets in: everyone, search (search engines, but no programs that collect " +
      "texts to train models), or nobody.",
  },
  llmsText: {
    variable: "QUIRE_LLMS_TXT",
    kind: onOrOff,
    default: "off",
    help: "Whether /llms.txt tells language models what they find here: on or off.",
  },
  addonRunner: {
    variable: "QUIRE_ADDON_RUNNER",
    kind: anyText,
    default: null,
    otherwise: "there are no add-ons",
    help:
      "The command that runs an add-on, such as python3 main.py. Quire starts it in a copy of the add-on's folder " +
      "and appends the task as JSON, or puts it where the command has {json}; {folder} is that copy.",
  },
  addonFolder: {
    variable: "QUIRE_ADDON_FOLDER",
    kind: path,
    default: null,
    otherwise: "the folder addons in the data folder",
    help: "The folder in which each add-on has a folder of its own, with a config.yaml.",
  },
  addonTimeLimitMinutes: {
    variable: "QUIRE_ADDON_TIME_LIMIT_MINUTES",
    kind: integer(1, 1440),
    default: "60",
    help: "How long one run of an add-on may take, in minutes.",
  },
  addonMemoryLimitMb: {
    variable: "QUIRE_ADDON_MEMORY_LIMIT_MB",
    kind: integer(64, 65_536),
    default: "1024",
    help: "How much memory each process of an add-on may take, in megabytes.",
  },
} satisfies Partial<SettingTable>;
