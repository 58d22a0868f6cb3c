import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readConfig, settings } from "./config.ts";
import type { Config, Override } from "./config.ts";
import type { Setting } from "./settings/setting.ts";
import { postgresAddresses } from "./value-kinds.ts";

type Environment = Record<string, string | undefined>;

function configOf(environment: Environment, overrides: Override[] = []): Config {
  const read = readConfig(environment, overrides);
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  return read.config;
}

function problemsOf(environment: Environment, overrides: Override[] = []): string[] {
  const read = readConfig(environment, overrides);
  return "problems" in read ? read.problems : [];
}

const rows = Object.values<Setting>(settings);

describe("the settings", () => {
  it("have defaults that need no environment", () => {
    expect(configOf({ PATH: "/bin" })).toEqual({
      data: "./data",
      addonRunner: null,
      addonFolder: null,
      addonTimeLimitMinutes: 60,
      addonMemoryLimitMb: 1024,
      metricsToken: null,
      metricsAddresses: null,
      workMetricsPort: null,
      siteName: null,
      siteAbout: null,
      siteLogo: null,
      siteColour: null,
      imprintUrl: null,
      privacyUrl: null,
      banner: null,
      logVisitors: false,
      requestsPerNetwork: 3000,
      requestsPerPerson: 12_000,
      requestsPerToken: 12_000,
      personStorageMb: 0,
      organizationStorageMb: 0,
      personPagesPerDay: 0,
      organizationPagesPerDay: 0,
      robots: "everyone",
      llmsText: false,
      host: "127.0.0.1",
      port: 8000,
      processes: null,
      stopLimitSeconds: 9,
      drainSeconds: 0,
      databaseUrl: null,
      databaseDirectUrl: null,
      databaseReadUrls: null,
      databaseWaitSeconds: 60,
      databaseConnectLimitSeconds: 5,
      databaseStatementLimitSeconds: 30,
      url: null,
      webUrl: null,
      assetUrl: null,
      trustProxy: false,
      hstsSeconds: 0,
      secrets: null,
      passwordSignIn: "everyone",
      secondFactor: "off",
      assistantSignIn: "off",
      allowedOrigins: null,
      cookieDomain: null,
      samples: true,
      logLevel: "info",
      s3Bucket: null,
      s3Endpoint: null,
      s3Region: "us-east-1",
      s3AccessKeyId: null,
      s3SecretAccessKey: null,
      s3PathStyle: true,
      s3Prefix: null,
      s3Redirect: false,
      s3CopiesMb: 2048,
      backupS3Endpoint: null,
      backupS3Region: null,
      backupS3AccessKeyId: null,
      backupS3SecretAccessKey: null,
      backupKeyFile: null,
      pageImagesMb: 2048,
      uploadLimitMb: 501,
      unfinishedUploads: 25,
      uploadExpiryHours: 24,
      trashDays: 30,
      eventDays: 30,
      fetchAllowedHosts: null,
      fetchTimeLimitSeconds: 300,
      processingWorkers: 2,
      jobLeaseSeconds: 60,
      pdfTimeLimitSeconds: 60,
      pageTimeLimitSeconds: 5,
      pdfMemoryLimitMb: 512,
      ocrTimeLimitSeconds: 120,
      ocrMemoryLimitMb: 1024,
      ocrDocumentLimitMinutes: 240,
      tessdata: null,
      embeddingModel: null,
      conversionTimeLimitSeconds: 120,
      conversionMemoryLimitMb: 1024,
      documentLimitMb: 26,
      securityContact: null,
      readOnly: false,
      mailUrl: null,
      mailFrom: null,
      mailInDomain: null,
      mailInPort: null,
      mailInHost: "127.0.0.1",
      mailInCertificate: null,
      mailInCertificateKey: null,
      mailInMaxMb: 50,
      mailInImap: null,
      libreOffice: "auto",
      qpdf: "auto",
      mutool: "auto",
      pdftocairo: "auto",
    });
  });

  it("are read from their variables", () => {
    expect(
      configOf({
        QUIRE_DATA: "/srv/quire",
        QUIRE_HOST: "::1",
        QUIRE_PORT: "0",
        QUIRE_PROCESSES: "3",
        QUIRE_STOP_LIMIT_SECONDS: "120",
        QUIRE_DRAIN_SECONDS: "3",
        QUIRE_METRICS_TOKEN: "0123456789abcdef",
        QUIRE_METRICS_ADDRESSES: "127.0.0.1, 10.0.0.0/8",
        QUIRE_WORK_METRICS_PORT: "9100",
        QUIRE_SITE_NAME: "Harbour News",
        QUIRE_SITE_ABOUT: "The papers behind our reporting",
        QUIRE_SITE_LOGO: "/etc/quire/logo.svg",
        QUIRE_SITE_COLOUR: "#8A1C2B",
        QUIRE_IMPRINT_URL: "https://example.org/imprint",
        QUIRE_PRIVACY_URL: "https://example.org/privacy?of=papers",
        QUIRE_BANNER: "Down at noon",
        QUIRE_LOG_VISITORS: "on",
        QUIRE_REQUESTS_PER_NETWORK: "0",
        QUIRE_REQUESTS_PER_PERSON: "20",
        QUIRE_REQUESTS_PER_TOKEN: "30",
        QUIRE_PERSON_STORAGE_MB: "100",
        QUIRE_ORGANIZATION_STORAGE_MB: "1000",
        QUIRE_PERSON_PAGES_PER_DAY: "500",
        QUIRE_ORGANIZATION_PAGES_PER_DAY: "5000",
        QUIRE_ROBOTS: "search",
        QUIRE_LLMS_TXT: "on",
        QUIRE_DATABASE_URL: "postgresql://quire:s%23cret@db.example.org:5433/quire?sslmode=require",
        QUIRE_DATABASE_DIRECT_URL: "postgresql://quire:s%23cret@db.example.org:5432/quire",
        QUIRE_DATABASE_READ_URLS: "postgres://quire@db2.example.org,db3.example.org/quire",
        QUIRE_DATABASE_WAIT_SECONDS: "0",
        QUIRE_DATABASE_CONNECT_LIMIT_SECONDS: "2",
        QUIRE_DATABASE_STATEMENT_LIMIT_SECONDS: "120",
        QUIRE_URL: "https://api.example.org",
        QUIRE_WEB_URL: "https://www.example.org/reading/",
        QUIRE_ASSET_URL: "https://files.example.org/all",
        QUIRE_TRUST_PROXY: "127.0.0.1, 10.0.0.0/8,fd00::/8",
        QUIRE_HSTS_SECONDS: "31536000",
        QUIRE_SECRET: `${"a".repeat(32)}, ${"b".repeat(40)}`,
        QUIRE_PASSWORD_SIGN_IN: "administrators",
        QUIRE_SECOND_FACTOR: "administrators,organization:3",
        QUIRE_ASSISTANT_SIGN_IN: "required",
        QUIRE_ALLOWED_ORIGINS: "https://www.example.org, http://localhost:3000/",
        QUIRE_COOKIE_DOMAIN: "example.org",
        QUIRE_SAMPLES: "off",
        QUIRE_LOG_LEVEL: "silent",
        QUIRE_S3_BUCKET: "docs.example.org",
        QUIRE_S3_ENDPOINT: "https://s3.example.org:9000/",
        QUIRE_S3_REGION: "eu-central-1",
        QUIRE_S3_ACCESS_KEY_ID: "quire",
        QUIRE_S3_SECRET_ACCESS_KEY: "a secret/+",
        QUIRE_S3_PATH_STYLE: "off",
        QUIRE_S3_PREFIX: "archive/quire",
        QUIRE_S3_REDIRECT: "on",
        QUIRE_S3_COPIES_MB: "0",
        QUIRE_BACKUP_S3_ENDPOINT: "https://s3.example.net/",
        QUIRE_BACKUP_S3_REGION: "us-west-2",
        QUIRE_BACKUP_S3_ACCESS_KEY_ID: "backup",
        QUIRE_BACKUP_S3_SECRET_ACCESS_KEY: "another",
        QUIRE_BACKUP_KEY_FILE: "/etc/quire/backup.key",
        QUIRE_PAGE_IMAGES_MB: "64",
        QUIRE_UPLOAD_LIMIT_MB: "2047",
        QUIRE_FETCH_ALLOWED_HOSTS: "Archive.example.org, 0x0a000005:8080,[FD12:0::5]:80",
        QUIRE_FETCH_TIME_LIMIT_SECONDS: "7",
        QUIRE_PROCESSING_WORKERS: "0",
        QUIRE_JOB_LEASE_SECONDS: "3600",
        QUIRE_PDF_TIME_LIMIT_SECONDS: "5",
        QUIRE_PAGE_TIME_LIMIT_SECONDS: "2",
        QUIRE_PDF_MEMORY_LIMIT_MB: "256",
        QUIRE_OCR_TIME_LIMIT_SECONDS: "40",
        QUIRE_OCR_MEMORY_LIMIT_MB: "2048",
        QUIRE_TESSDATA: "/usr/share/tesseract-ocr/5/tessdata",
        QUIRE_EMBEDDING_MODEL: "/srv/model",
        QUIRE_CONVERSION_TIME_LIMIT_SECONDS: "30",
        QUIRE_CONVERSION_MEMORY_LIMIT_MB: "512",
        QUIRE_DOCUMENT_LIMIT_MB: "100",
        QUIRE_LIBREOFFICE: "/opt/office/soffice",
        QUIRE_QPDF: "off",
        QUIRE_MUTOOL: "/opt/mutool",
        QUIRE_PDFTOCAIRO: "off",
        QUIRE_OCR_DOCUMENT_LIMIT_MINUTES: "90",
        QUIRE_SECURITY_CONTACT: "security@example.org",
        QUIRE_READ_ONLY: "on",
        QUIRE_MAIL_URL: "smtp://quire:s%23cret@mail.example.org:2525",
        QUIRE_MAIL_FROM: "Quire <quire@example.org>",
        QUIRE_MAIL_IN_DOMAIN: "In.Example.org",
        QUIRE_MAIL_IN_PORT: "2525",
        QUIRE_MAIL_IN_HOST: "::",
        QUIRE_MAIL_IN_CERTIFICATE: "/etc/in.pem",
        QUIRE_MAIL_IN_CERTIFICATE_KEY: "/etc/in.key",
        QUIRE_MAIL_IN_MAX_MB: "25",
        QUIRE_MAIL_IN_IMAP: "imaps://in:s%23cret@mail.example.org/INBOX",
      }),
    ).toEqual({
      data: "/srv/quire",
      addonRunner: null,
      addonFolder: null,
      addonTimeLimitMinutes: 60,
      addonMemoryLimitMb: 1024,
      metricsToken: "0123456789abcdef",
      metricsAddresses: ["127.0.0.1", "10.0.0.0/8"],
      workMetricsPort: 9100,
      siteName: "Harbour News",
      siteAbout: "The papers behind our reporting",
      siteLogo: "/etc/quire/logo.svg",
      siteColour: "#8A1C2B",
      imprintUrl: "https://example.org/imprint",
      privacyUrl: "https://example.org/privacy?of=papers",
      banner: "Down at noon",
      logVisitors: true,
      requestsPerNetwork: 0,
      requestsPerPerson: 20,
      requestsPerToken: 30,
      personStorageMb: 100,
      organizationStorageMb: 1000,
      personPagesPerDay: 500,
      organizationPagesPerDay: 5000,
      robots: "search",
      llmsText: true,
      host: "::1",
      port: 0,
      processes: 3,
      stopLimitSeconds: 120,
      drainSeconds: 3,
      databaseUrl: "postgresql://quire:s%23cret@db.example.org:5433/quire?sslmode=require",
      databaseDirectUrl: "postgresql://quire:s%23cret@db.example.org:5432/quire",
      databaseReadUrls: "postgres://quire@db2.example.org,db3.example.org/quire",
      databaseWaitSeconds: 0,
      databaseConnectLimitSeconds: 2,
      databaseStatementLimitSeconds: 120,
      url: "https://api.example.org",
      webUrl: "https://www.example.org/reading",
      assetUrl: "https://files.example.org/all/",
      trustProxy: ["127.0.0.1", "10.0.0.0/8", "fd00::/8"],
      hstsSeconds: 31_536_000,
      secrets: ["a".repeat(32), "b".repeat(40)],
      passwordSignIn: "administrators",
      secondFactor: ["administrators", "organization:3"],
      assistantSignIn: "required",
      allowedOrigins: ["https://www.example.org", "http://localhost:3000"],
      cookieDomain: "example.org",
      samples: false,
      logLevel: "silent",
      s3Bucket: "docs.example.org",
      s3Endpoint: "https://s3.example.org:9000",
      s3Region: "eu-central-1",
      s3AccessKeyId: "quire",
      s3SecretAccessKey: "a secret/+",
      s3PathStyle: false,
      s3Prefix: "archive/quire",
      s3Redirect: true,
      s3CopiesMb: 0,
      backupS3Endpoint: "https://s3.example.net",
      backupS3Region: "us-west-2",
      backupS3AccessKeyId: "backup",
      backupS3SecretAccessKey: "another",
      backupKeyFile: "/etc/quire/backup.key",
      pageImagesMb: 64,
      uploadLimitMb: 2047,
      unfinishedUploads: 25,
      uploadExpiryHours: 24,
      trashDays: 30,
      eventDays: 30,
      fetchAllowedHosts: [
        { host: "archive.example.org", port: null },
        { host: "10.0.0.5", port: 8080 },
        { host: "[fd12::5]", port: 80 },
      ],
      fetchTimeLimitSeconds: 7,
      processingWorkers: 0,
      jobLeaseSeconds: 3600,
      pdfTimeLimitSeconds: 5,
      pageTimeLimitSeconds: 2,
      pdfMemoryLimitMb: 256,
      ocrTimeLimitSeconds: 40,
      ocrMemoryLimitMb: 2048,
      ocrDocumentLimitMinutes: 90,
      tessdata: "/usr/share/tesseract-ocr/5/tessdata",
      embeddingModel: "/srv/model",
      conversionTimeLimitSeconds: 30,
      conversionMemoryLimitMb: 512,
      documentLimitMb: 100,
      securityContact: "mailto:security@example.org",
      readOnly: true,
      mailUrl: "smtp://quire:s%23cret@mail.example.org:2525",
      mailFrom: "Quire <quire@example.org>",
      mailInDomain: "in.example.org",
      mailInPort: 2525,
      mailInHost: "::",
      mailInCertificate: "/etc/in.pem",
      mailInCertificateKey: "/etc/in.key",
      mailInMaxMb: 25,
      mailInImap: "imaps://in:s%23cret@mail.example.org/INBOX",
      libreOffice: "/opt/office/soffice",
      qpdf: "off",
      mutool: "/opt/mutool",
      pdftocairo: "off",
    });
  });

  it("let the pages and the files follow QUIRE_URL", () => {
    expect(configOf({ QUIRE_URL: "https://example.org/quire//" })).toMatchObject({
      url: "https://example.org/quire",
      webUrl: "https://example.org/quire",
      assetUrl: "https://example.org/quire/files/",
    });
    expect(configOf({ QUIRE_ASSET_URL: "https://cdn.example.org" })).toMatchObject({
      url: null,
      webUrl: null,
      assetUrl: "https://cdn.example.org/",
    });
  });

  it("trust any proxy, some or none", () => {
    expect(configOf({ QUIRE_TRUST_PROXY: "on" }).trustProxy).toBe(true);
    expect(configOf({ QUIRE_TRUST_PROXY: "off" }).trustProxy).toBe(false);
    expect(configOf({ QUIRE_TRUST_PROXY: "::1" }).trustProxy).toEqual(["::1"]);
  });

  it("count an empty variable as not set", () => {
    const empty = Object.fromEntries(rows.map(({ variable }, index) => [variable, " ".repeat(index % 2)]));
    expect(configOf(empty)).toEqual(configOf({}));
  });

  it.each([
    ["QUIRE_DATA", "a\0b"],
    ["QUIRE_HOST", "127.0.0.1:8000"],
    ["QUIRE_HOST", "http://localhost"],
    ["QUIRE_HOST", "256.0.0.1"],
    ["QUIRE_PORT", "65536"],
    ["QUIRE_PORT", "-1"],
    ["QUIRE_PORT", "80.5"],
    ["QUIRE_PORT", "0x50"],
    ["QUIRE_PORT", "1e3"],
    ["QUIRE_PORT", "99999999999999999999"],
    ["QUIRE_URL", "documents.example.org"],
    ["QUIRE_URL", "ftp://example.org"],
    ["QUIRE_URL", "http:example.org"],
    ["QUIRE_URL", "https://example.org/?"],
    ["QUIRE_URL", "https://example.org/#top"],
    ["QUIRE_URL", "https://"],
    ["QUIRE_WEB_URL", "//example.org"],
    ["QUIRE_ASSET_URL", "https://example.org/files?a=b"],
    ["QUIRE_TRUST_PROXY", "yes"],
    ["QUIRE_TRUST_PROXY", "127.0.0.1,"],
    ["QUIRE_TRUST_PROXY", "10.0.0.0/33"],
    ["QUIRE_TRUST_PROXY", "10.0.0.0/0"],
    ["QUIRE_TRUST_PROXY", "10.0.0.0/8/8"],
    ["QUIRE_TRUST_PROXY", "proxy.example.org"],
    ["QUIRE_SAMPLES", "true"],
    ["QUIRE_COOKIE_DOMAIN", "org"],
    ["QUIRE_COOKIE_DOMAIN", ".example.org"],
    ["QUIRE_COOKIE_DOMAIN", "127.0.0.1"],
    ["QUIRE_COOKIE_DOMAIN", "https://example.org"],
    ["QUIRE_COOKIE_DOMAIN", "example.org:8000"],
    ["QUIRE_COOKIE_DOMAIN", "example.org; Secure"],
    ["QUIRE_COOKIE_DOMAIN", "-example.org"],
    ["QUIRE_LOG_LEVEL", "verbose"],
    ["QUIRE_S3_BUCKET", "https://s3.example.org/documents"],
    ["QUIRE_S3_ENDPOINT", "s3.example.org"],
    ["QUIRE_S3_REGION", "eu central"],
    ["QUIRE_S3_PATH_STYLE", "path"],
    ["QUIRE_S3_PREFIX", "/quire"],
    ["QUIRE_S3_PREFIX", "quire/"],
    ["QUIRE_S3_PREFIX", "a/../b"],
    ["QUIRE_S3_REDIRECT", "yes"],
    ["QUIRE_S3_COPIES_MB", "2G"],
    ["QUIRE_UPLOAD_LIMIT_MB", "0"],
    ["QUIRE_FETCH_ALLOWED_HOSTS", "https://archive.example.org"],
    ["QUIRE_FETCH_ALLOWED_HOSTS", "archive.example.org/files"],
    ["QUIRE_FETCH_ALLOWED_HOSTS", "archive.example.org:0"],
    ["QUIRE_FETCH_ALLOWED_HOSTS", "fd12::5"],
    ["QUIRE_FETCH_ALLOWED_HOSTS", "a.example.org,"],
    ["QUIRE_FETCH_TIME_LIMIT_SECONDS", "0"],
    ["QUIRE_PROCESSES", "0"],
    ["QUIRE_PROCESSES", "65"],
    ["QUIRE_PROCESSING_WORKERS", "65"],
    ["QUIRE_JOB_LEASE_SECONDS", "0"],
    ["QUIRE_PDF_TIME_LIMIT_SECONDS", "0"],
    ["QUIRE_PDF_MEMORY_LIMIT_MB", "1GB"],
  ])("refuse %s=%j, naming the variable, the value and what is expected", (variable, value) => {
    const problems = problemsOf({ [variable]: value });
    expect(problems).toHaveLength(1);
    const setting = rows.find((row) => row.variable === variable);
    expect(problems[0]).toBe(`${variable}=${JSON.stringify(value)}: expected ${setting?.kind.expected}`);
  });

  it("require a bucket and its key together", () => {
    const key = { QUIRE_S3_ACCESS_KEY_ID: "quire", QUIRE_S3_SECRET_ACCESS_KEY: "hunter2" };
    expect(problemsOf({ QUIRE_S3_BUCKET: "documents", ...key })).toEqual([]);
    expect(problemsOf({ QUIRE_S3_BUCKET: "documents" })).toEqual([
      "QUIRE_S3_ACCESS_KEY_ID: needed, since QUIRE_S3_BUCKET is set",
      "QUIRE_S3_SECRET_ACCESS_KEY: needed, since QUIRE_S3_BUCKET is set",
    ]);
    expect(problemsOf({ QUIRE_S3_ENDPOINT: "http://127.0.0.1:9000", QUIRE_S3_PREFIX: "a", ...key })).toEqual([
      "QUIRE_S3_ENDPOINT: of no use, since QUIRE_S3_BUCKET is not set",
      "QUIRE_S3_ACCESS_KEY_ID: of no use, since QUIRE_S3_BUCKET is not set",
      "QUIRE_S3_SECRET_ACCESS_KEY: of no use, since QUIRE_S3_BUCKET is not set",
      "QUIRE_S3_PREFIX: of no use, since QUIRE_S3_BUCKET is not set",
    ]);
  });

  it("require a mail server, a sender and QUIRE_URL together, and do not show the server's password", () => {
    expect(problemsOf({ QUIRE_MAIL_IN_PORT: "25", QUIRE_MAIL_IN_CERTIFICATE: "a.pem" })).toEqual([
      "QUIRE_MAIL_IN_PORT: of no use, since QUIRE_MAIL_IN_DOMAIN is not set",
      "QUIRE_MAIL_IN_CERTIFICATE_KEY: needed, since QUIRE_MAIL_IN_CERTIFICATE is set",
    ]);
    const QUIRE_MAIL_URL = "smtp://quire:hunter2@mail.example.org";
    const QUIRE_MAIL_FROM = "quire@example.org";
    const QUIRE_URL = "https://example.org";
    expect(problemsOf({ QUIRE_MAIL_URL, QUIRE_MAIL_FROM, QUIRE_URL })).toEqual([]);
    expect(problemsOf({ QUIRE_MAIL_URL })).toEqual([
      "QUIRE_MAIL_FROM: needed, since QUIRE_MAIL_URL is set",
      "QUIRE_URL: needed, since QUIRE_MAIL_URL is set",
    ]);
    expect(problemsOf({ QUIRE_MAIL_FROM })).toEqual([
      "QUIRE_MAIL_FROM: of no use, since QUIRE_MAIL_URL is not set",
    ]);
    for (const url of [
      "http://u:hunter2@a.example",
      "smtp://",
      "smtp://u:hunter2@a.example/path",
      "a.example:25",
    ]) {
      const problems = problemsOf({ QUIRE_MAIL_URL: url, QUIRE_MAIL_FROM, QUIRE_URL });
      expect([url, problems]).toEqual([url, [expect.stringMatching(/^QUIRE_MAIL_URL: expected smtp/)]]);
      expect(problems.join("")).not.toContain("hunter2");
    }
    for (const from of ["quire", "Quire <quire>", "a@b <c@d>", "a@b\nBcc: c@d"]) {
      const problems = problemsOf({ QUIRE_MAIL_URL, QUIRE_MAIL_FROM: from, QUIRE_URL });
      expect([from, problems.length]).toEqual([from, 1]);
    }
  });

  it("accept only a cookie domain that includes the host of QUIRE_URL, and lower-case it", () => {
    const QUIRE_COOKIE_DOMAIN = "Example.org";
    for (const url of ["https://example.org", "https://api.example.org/quire"]) {
      expect(configOf({ QUIRE_COOKIE_DOMAIN, QUIRE_URL: url }).cookieDomain).toBe("example.org");
    }
    for (const url of ["https://notexample.org", "https://example.org.evil.example", "http://[::1]"]) {
      expect(problemsOf({ QUIRE_COOKIE_DOMAIN, QUIRE_URL: url })).toEqual([
        `QUIRE_COOKIE_DOMAIN: example.org is not the domain of ${new URL(url).hostname}, the host of QUIRE_URL`,
      ]);
    }
  });

  it("report all problems at once", () => {
    const problems = problemsOf({
      QUIRE_PORT: "http",
      QUIRE_SAMPLES: "maybe",
      QUIRE_DATABASE_URL: "mysql://x",
      QUIRE_COLOUR: "blue",
    });
    expect(problems.map((problem) => /^\w+/.exec(problem)?.[0])).toEqual([
      "QUIRE_COLOUR",
      "QUIRE_PORT",
      "QUIRE_SAMPLES",
      "QUIRE_DATABASE_URL",
    ]);
  });

  it("name several hosts of a database as libpq does", () => {
    const both = ["postgres://q:p%40@a:1/d?x=y", "postgres://q:p%40@b/d?x=y"];
    expect(postgresAddresses("postgres://q:p%40@a:1,b/d?x=y")).toEqual(both);
    const sockets = ["postgres://q@localhost/d?host=%2Fa&x=y", "postgres://q@localhost/d?host=%2Fb&x=y"];
    expect(postgresAddresses("postgres://q@localhost/d?host=%2Fa,%2Fb&x=y")).toEqual(sockets);
    for (const url of [...both, ...sockets]) expect(postgresAddresses(url)).toEqual([url]);
    expect(problemsOf({ QUIRE_DATABASE_URL: "postgres://q@a,b:x/d" })).toHaveLength(1);
  });

  it("never reveal the database's address", () => {
    for (const address of ["mysql://u:hunter2@h/d", "postgres://u:hunter2#1@h/d", "hunter2"]) {
      expect(problemsOf({ QUIRE_DATABASE_URL: address })).toHaveLength(1);
      expect(problemsOf({ QUIRE_DATABASE_URL: address }).join()).not.toContain("hunter2");
    }
    const elsewhere = { QUIRE_URL: "postgres://u:hunter2@h/d", QUIRE_DATABASE: "postgres://u:hunter2@h/d" };
    expect(problemsOf(elsewhere)).toHaveLength(2);
    expect(problemsOf(elsewhere).join()).not.toContain("hunter2");
  });

  it("refuse an unknown QUIRE_ variable, and suggest the name that was probably meant", () => {
    expect(problemsOf({ QUIRE_PROT: "80" })).toEqual([
      "QUIRE_PROT: no such setting; did you mean QUIRE_PORT?",
    ]);
    expect(problemsOf({ QUIRE_DATABSE_URL: "" })).toEqual([
      "QUIRE_DATABSE_URL: no such setting; did you mean QUIRE_DATABASE_URL?",
    ]);
    expect(problemsOf({ QUIRE_SERVICE_ACCOUNT: "x" })).toEqual(["QUIRE_SERVICE_ACCOUNT: no such setting"]);
    expect(problemsOf({ XQUIRE_PORT: "x", SQUIRE_PORT: "x" })).toEqual([]);
  });

  it("are overridden by command-line options, and name the option whose value is invalid", () => {
    const port = { variable: "QUIRE_PORT", option: "--port" };
    expect(configOf({ QUIRE_PORT: "nonsense" }, [{ ...port, text: "9000" }]).port).toBe(9000);
    expect(problemsOf({ QUIRE_PORT: "80" }, [{ ...port, text: "nonsense" }])).toEqual([
      '--port="nonsense": expected a whole number from 0 to 65535',
    ]);
    expect(problemsOf({}, [{ ...port, text: "" }])).toHaveLength(1);
  });

  it("parse any text without throwing, and accept only base URLs to which a path can be appended", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...rows.map((row) => row.variable)),
        fc.oneof(fc.string({ unit: "binary" }), fc.webUrl({ withQueryParameters: true }), fc.ipV6()),
        (variable, text) => {
          const read = readConfig({ [variable]: text });
          if ("problems" in read) return;
          const { url, assetUrl } = read.config;
          for (const address of [url === null ? null : `${url}/api/?a=b`, assetUrl]) {
            if (address === null) continue;
            expect(new URL(address).href).toBe(address);
            expect(address).not.toMatch(/[^:]\/\/(api|files)/);
          }
        },
      ),
    );
  });
});

describe("docs/configuration.md", () => {
  const page = readFileSync(new URL("../docs/configuration.md", import.meta.url), "utf8");

  it.each(rows.map((row) => [row.variable, row] as const))("states the default of %s", (variable, row) => {
    const [, section = ""] = page.split(`\n### ${variable}\n\n`);
    const preset = row.default === null ? `none (${row.otherwise})` : row.default;
    expect(section.split("\n")[0]?.replaceAll("`", "")).toBe(`Default: ${preset}.`);
  });

  it("has no section for a setting that does not exist", () => {
    const documented = Array.from(page.matchAll(/^### (QUIRE_\w+)/gm), (match) => match[1]);
    expect(new Set(documented)).toEqual(new Set(rows.map((row) => row.variable)));
  });
});
