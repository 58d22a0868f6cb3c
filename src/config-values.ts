import type { HostAndPort } from "./value-kinds.ts";

export interface Config {
  data: string;
  host: string;
  port: number;
  /** Null stands for the number of cores, but at most 8. */
  processes: number | null;
  stopLimitSeconds: number;
  drainSeconds: number;
  databaseUrl: string | null;
  /** The address of PostgreSQL itself. Null if `databaseUrl` is that, or leads to a pooler in session mode. */
  databaseDirectUrl: string | null;
  /** The standbys that may answer reads. Null leaves all reads to the primary. */
  databaseReadUrls: string | null;
  databaseWaitSeconds: number;
  databaseConnectLimitSeconds: number;
  databaseStatementLimitSeconds: number;
  /** The base of the API's URLs, without a slash at the end. Null stands for the request's own scheme and host. */
  url: string | null;
  /** The base of the URLs of web pages, in the form of `url`. Null only if `url` is null. */
  webUrl: string | null;
  /** The base of the URLs of files, with a slash at the end. Null only if `url` is null: see {@link filesPath}. */
  assetUrl: string | null;
  /** True trusts any proxy. Otherwise the addresses and ranges of the proxies that may name a request's client. */
  trustProxy: boolean | string[];
  /** The max-age of the Strict-Transport-Security header. 0 sends no such header. */
  hstsSeconds: number;
  /** The first one signs, and all of them verify. Null stands for the secrets in the data folder. */
  secrets: readonly string[] | null;
  /** The people who may sign in with a password. All others sign in at an identity provider. */
  passwordSignIn: "everyone" | "administrators";
  /** The people who need a second factor. With `off` nobody can have one. */
  secondFactor: "off" | "optional" | readonly string[];
  /**
   * Whether hosted assistants can have people sign in: not at all, if they like, or before anything else. An assistant
   * for which nobody has signed in sees what everybody sees.
   */
  assistantSignIn: "off" | "offered" | "required";
  /** The origins whose pages may read authenticated responses. Null allows only Quire's own pages. */
  allowedOrigins: readonly string[] | null;
  /** The Domain attribute of session cookies. Null leaves the cookies to the host that set them. */
  cookieDomain: string | null;
  samples: boolean;
  logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  /** The bucket that stores the files. Null stores them in the data folder. */
  s3Bucket: string | null;
  /** Null stands for Amazon's endpoint of the region. */
  s3Endpoint: string | null;
  s3Region: string;
  s3AccessKeyId: string | null;
  s3SecretAccessKey: string | null;
  s3PathStyle: boolean;
  /** Without slashes at either end. */
  s3Prefix: string | null;
  s3Redirect: boolean;
  s3CopiesMb: number;
  /** The endpoint of S3 stores that a command names. Null stands for the endpoint of the store of the files. */
  backupS3Endpoint: string | null;
  backupS3Region: string | null;
  backupS3AccessKeyId: string | null;
  backupS3SecretAccessKey: string | null;
  /** The key file of encrypted backups. Null stands for backups that are not encrypted. */
  backupKeyFile: string | null;
  /** The disk space on this machine for page images. */
  pageImagesMb: number;
  uploadLimitMb: number;
  /** How many unfinished resumable uploads one user may have. */
  unfinishedUploads: number;
  uploadExpiryHours: number;
  /** How long deleted documents can be brought back. 0 removes them at once. */
  trashDays: number;
  /** How long the feed keeps events. */
  eventDays: number;
  /** Hosts that files may be fetched from although their addresses are not public. Null allows none. */
  fetchAllowedHosts: readonly HostAndPort[] | null;
  fetchTimeLimitSeconds: number;
  processingWorkers: number;
  jobLeaseSeconds: number;
  pdfTimeLimitSeconds: number;
  pageTimeLimitSeconds: number;
  pdfMemoryLimitMb: number;
  ocrTimeLimitSeconds: number;
  ocrMemoryLimitMb: number;
  /** For all pages of one document together. */
  ocrDocumentLimitMinutes: number;
  /** Null leaves only the languages of the installed npm packages. */
  tessdata: string | null;
  /** The folder of the model by whose vectors results are sorted. Null sorts them by words alone. */
  embeddingModel: string | null;
  conversionTimeLimitSeconds: number;
  conversionMemoryLimitMb: number;
  documentLimitMb: number;
  /** The token with which programs read `/metrics`. */
  metricsToken: string | null;
  /** The addresses and ranges that may read `/metrics` without a token. */
  metricsAddresses: readonly string[] | null;
  /** The port at which `quire work` answers `/metrics`. Null answers nowhere. */
  workMetricsPort: number | null;
  /** The name of the site, and what it is in a sentence. Null says something general. */
  siteName: string | null;
  siteAbout: string | null;
  /** The path of an image beside the name. Null takes Quire's sign. */
  siteLogo: string | null;
  /** The colour of what acts, as `#8a1c2b`. Null takes Quire's blue. */
  siteColour: string | null;
  /** Addresses to which every page links at its end. Null sets no link. */
  imprintUrl: string | null;
  privacyUrl: string | null;
  /** A sentence at the top of every page. Null shows none. */
  banner: string | null;
  /** Whether the log names the client's address and the user of each request. */
  logVisitors: boolean;
  /** How many requests without credentials one network may send in a minute. 0 sets no limit. */
  requestsPerNetwork: number;
  /** How many requests a person may send in a minute. 0 sets no limit. */
  requestsPerPerson: number;
  /** How many requests may be sent with one personal token in a minute. 0 sets no limit. */
  requestsPerToken: number;
  /** How much the files of one person's documents may take. 0 sets no limit. */
  personStorageMb: number;
  /** How much the files of one organization's documents may take. 0 sets no limit. */
  organizationStorageMb: number;
  /** How many pages one person may add within 24 hours. 0 sets no limit. */
  personPagesPerDay: number;
  /** How many pages one organization may add within 24 hours. 0 sets no limit. */
  organizationPagesPerDay: number;
  /** Whether search engines and programs that train models may read public documents. */
  robots: "everyone" | "search" | "nobody";
  /** Whether there is `/llms.txt`. */
  llmsText: boolean;
  /** As a URL. Null leaves `/.well-known/security.txt` out. */
  securityContact: string | null;
  /** The command that runs an add-on. Null has no add-ons. */
  addonRunner: string | null;
  /** The folder of add-ons. Null stands for the folder `addons` in the data folder. */
  addonFolder: string | null;
  addonTimeLimitMinutes: number;
  addonMemoryLimitMb: number;
  /** Requests change nothing, and jobs wait. */
  readOnly: boolean;
  /** The domain of the addresses to which documents are mailed. Null has no such addresses. */
  mailInDomain: string | null;
  /** The port at which mails arrive by SMTP. Null listens at none. */
  mailInPort: number | null;
  mailInHost: string;
  /** The paths of the certificate and its key for STARTTLS. Null offers none. */
  mailInCertificate: string | null;
  mailInCertificateKey: string | null;
  mailInMaxMb: number;
  /** The mailbox that is read by IMAP. Null reads none. */
  mailInImap: string | null;
  /** Null sends no mail. */
  mailUrl: string | null;
  mailFrom: string | null;
  /** The path of LibreOffice's program, `auto` to search the usual paths, or `off`. */
  libreOffice: string;
  /** The paths of programs that repair PDFs, `auto` to search the usual paths, or `off`. */
  qpdf: string;
  mutool: string;
  pdftocairo: string;
}
