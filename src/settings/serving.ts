import {
  contact,
  cookieDomain,
  host,
  httpBase,
  httpFolder,
  integer,
  mailSender,
  mailUrl,
  onOrOff,
  oneOf,
  origins,
  path,
  secondFactor,
  secrets,
  trustedProxies,
} from "../value-kinds.ts";
import type { SettingTable } from "./setting.ts";

/** The path of the files on this server, relative to the base URL of the API. */
export const filesPath = "/files/";

/** What a server is: its addresses, whom it trusts, what it logs, and its mails. */
export const serving = {
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
  drainSeconds: {
    variable: "QUIRE_DRAIN_SECONDS",
    kind: integer(0, 3600),
    default: "0",
    help: "How long a server that is told to stop goes on taking connections, while /readyz says so, in seconds.",
  },
  readOnly: {
    variable: "QUIRE_READ_ONLY",
    kind: onOrOff,
    default: "off",
    help: "Refuses every request that changes something, and lets jobs wait, as during a move: on or off.",
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
    help:
      "The proxies whose X-Forwarded-* headers are trusted: on (any), off, or comma-separated " +
      "addresses and ranges.",
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
    help:
      "The secret that signs sessions, 32 characters or more; of several, separated by commas, the " +
      "first one signs.",
    secret: true,
  },
  passwordSignIn: {
    variable: "QUIRE_PASSWORD_SIGN_IN",
    kind: oneOf("everyone", "administrators"),
    default: "everyone",
    help: "The people who may sign in with a password; administrators leaves all others to the identity providers.",
  },
  secondFactor: {
    variable: "QUIRE_SECOND_FACTOR",
    kind: secondFactor,
    default: "off",
    help:
      "The people who need a second factor to sign in with a password: off (nobody can have one), optional, or " +
      "everyone, administrators and organization:<id> with commas between them.",
  },
  assistantSignIn: {
    variable: "QUIRE_ASSISTANT_SIGN_IN",
    kind: oneOf("off", "offered", "required"),
    default: "off",
    help:
      "Whether hosted assistants can have people sign in at /mcp: off, required, or offered (without it, an " +
      "assistant sees what everybody sees).",
  },
  allowedOrigins: {
    variable: "QUIRE_ALLOWED_ORIGINS",
    kind: origins,
    default: null,
    otherwise: "only this service's own pages",
    help:
      "The origins whose pages may read responses to signed-in users, such as https://example.org, " +
      "separated by commas.",
  },
  cookieDomain: {
    variable: "QUIRE_COOKIE_DOMAIN",
    kind: cookieDomain,
    default: null,
    otherwise: "only the host that users sign in at",
    help: "The domain whose hosts share session cookies, such as example.org for www.example.org and api.example.org.",
  },
  securityContact: {
    variable: "QUIRE_SECURITY_CONTACT",
    kind: contact,
    default: null,
    otherwise: "no /.well-known/security.txt",
    help: "Where to report faults of security: an email address or a URL.",
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
} satisfies Partial<SettingTable>;
