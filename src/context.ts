import path from "node:path";
import type { Logger } from "pino";
import type { Config } from "./config.ts";
import { type Database, openDatabase } from "./database/database.ts";
import type { FileStore } from "./files/file-store.ts";
import { LocalFileStore } from "./files/local-file-store.ts";
import { Bell } from "./jobs/bell.ts";
import { type PdfReader, openPdfReader } from "./processing/pdf-pages.ts";
import { Passwords } from "./secrets/passwords.ts";
import { Secrets } from "./secrets/secrets.ts";

/** What handlers and commands may use. Opened once, passed as an argument. */
export interface Context {
  readonly config: Config;
  readonly database: Database;
  readonly files: FileStore;
  readonly secrets: Secrets;
  readonly passwords: Passwords;
  readonly pdfs: PdfReader;
  /** For whoever does what is queued, in this process. */
  readonly jobs: Bell;
  readonly log: Logger;
  close(): Promise<void>;
}

/** Opens (or makes) everything that the settings name. */
export async function openContext(config: Config, log: Logger): Promise<Context> {
  const database = await openDatabase({ dataFolder: config.data, databaseUrl: config.databaseUrl });
  try {
    const files = await LocalFileStore.open(path.join(config.data, "files"));
    const secrets = await Secrets.open(config.data, config.secrets);
    const pdfs = openPdfReader({
      timeLimitSeconds: config.pdfTimeLimitSeconds,
      memoryLimitMb: config.pdfMemoryLimitMb,
      fileLimitMb: config.uploadLimitMb,
    });
    const close = async (): Promise<void> => {
      await pdfs.close();
      await files.close();
      await database.close();
    };
    return {
      config,
      database,
      files,
      secrets,
      passwords: new Passwords(),
      pdfs,
      jobs: new Bell(),
      log,
      close,
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
