import { access, mkdir } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";
import type { Config } from "./config.ts";
import { type Database, type Opening, workStatementSeconds } from "./database/database.ts";
import { openDatabase } from "./database/open-database.ts";
import type { FileStore } from "./files/file-store.ts";
import type { KeptImages } from "./files/kept-images.ts";
import { keptImagesOf, openFiles } from "./files/open-files.ts";
import { UploadFolder } from "./files/upload-folder.ts";
import { removeAbandonedWork } from "./work-folders.ts";
import { JobSignal } from "./jobs/job-signal.ts";
import { RequestLimits } from "./http/request/request-limits.ts";
import { hasMetrics } from "./metrics/access.ts";
import { measuredDatabase, measuredFiles } from "./metrics/measured.ts";
import { Metrics } from "./metrics/metrics.ts";
import { type Converter, openConverter } from "./processing/convert/converter.ts";
import { ocrFolders } from "./processing/ocr/ocr-data.ts";
import { type OcrReader, openOcr } from "./processing/ocr/ocr.ts";
import { type PdfReader, openPdfReader } from "./processing/pdf/pdf-pages.ts";
import { LocalSemaphores, type Semaphores } from "./semaphore.ts";
import { type PasswordCost, Passwords } from "./secrets/passwords.ts";
import { Secrets } from "./secrets/secrets.ts";

/** The services that handlers and commands use. It is opened once and passed as an argument. */
export interface Context {
  readonly config: Config;
  readonly database: Database;
  readonly files: FileStore;
  /** The cache of page images. Null if the store of the files takes care of them. */
  readonly images: KeptImages | null;
  /** Files that are being uploaded. */
  readonly uploads: UploadFolder;
  readonly secrets: Secrets;
  readonly passwords: Passwords;
  readonly pdfs: PdfReader;
  /** Recognises the text of images. */
  readonly ocr: OcrReader;
  /** Converts other file types to PDF. */
  readonly converter: Converter;
  /** Wakes the worker in this process when a job is queued, and on PostgreSQL those of others. */
  readonly jobs: JobSignal;
  /** Limits and locks that hold for all processes of a server. */
  readonly semaphores: Semaphores;
  /** The number of processes that serve together, including this one. */
  readonly processes: number;
  /** How many requests each client has sent to this process, and how many it may send. */
  readonly limits: RequestLimits;
  /** Null if nobody may read metrics, or if this process is short-lived. */
  readonly metrics: Metrics | null;
  readonly log: Logger;
  close(): Promise<void>;
}

export interface ContextOptions extends Partial<Pick<Opening, "signal">> {
  /** Whether this process serves requests. If so, database statements have the time limit of a request. */
  servesRequests?: boolean;
  /**
   * The number of processes that serve together, including this one. Limits for the whole server are divided among
   * them.
   */
  processes?: number;
  /** Whether this process measures its work, if the settings say that anyone may read metrics. */
  measures?: boolean;
  /** By default, this process shares its limits with no other process. */
  semaphores?: Semaphores;
  /**
   * Whether this process joins a server that has opened its data already. If so, it creates nothing where the data
   * folder has vanished.
   */
  joins?: boolean;
  /** Whether it opens its data while the store of the files does not answer: what needs a file waits or is refused. */
  startsWithoutFiles?: boolean;
  /** The cost of the password hashes that it makes; by default the present one. */
  passwordCost?: PasswordCost;
}

/** Where requests read, and how long they wait at most. Work on documents reads the primary, and waits longer. */
const forRequests = (config: Config) => ({
  databaseReadUrls: config.databaseReadUrls,
  freeConnectionSeconds: config.databaseConnectLimitSeconds,
  statementSeconds: config.databaseStatementLimitSeconds,
});

const forWork = {
  databaseReadUrls: null,
  freeConnectionSeconds: null,
  statementSeconds: workStatementSeconds,
};

/**
 * Opens everything that the settings name, and creates what is missing. If it is given a signal, it waits for a
 * PostgreSQL that does not answer; the signal ends the wait.
 */
export async function openContext(
  config: Config,
  log: Logger,
  {
    signal,
    servesRequests = false,
    processes = 1,
    semaphores = new LocalSemaphores(),
    joins = false,
    startsWithoutFiles = false,
    measures = servesRequests,
    passwordCost,
  }: ContextOptions = {},
): Promise<Context> {
  await (joins ? access(config.data) : mkdir(config.data, { recursive: true }));
  const metrics = measures && hasMetrics(config) ? await Metrics.open() : null;
  const opened = await openDatabase(
    {
      dataFolder: config.data,
      databaseUrl: config.databaseUrl,
      databaseDirectUrl: config.databaseDirectUrl,
      mustExist: joins,
      waitSeconds: signal === undefined ? 0 : config.databaseWaitSeconds,
      connectSeconds: config.databaseConnectLimitSeconds,
      ...(servesRequests ? forRequests(config) : forWork),
      processes,
      semaphores,
    },
    { log, ...(signal !== undefined && { signal }) },
  );
  const database = measuredDatabase(opened, metrics);
  if (database.standbys !== null) metrics?.countStandbyReads(database.standbys.counts);
  try {
    const isAway = (message: string): void => log.warn(message);
    const opening = { processes, ...(startsWithoutFiles && { isAway }) };
    const files = measuredFiles(await openFiles(config, opening), metrics);
    const uploads = await UploadFolder.open(path.join(config.data, "uploads"));
    await removeAbandonedWork();
    const jobs = new JobSignal();
    jobs.onNotify(() => database.hints?.send("jobs"));
    const secrets = await Secrets.open(config.data, config.secrets);
    const readers = openReaders(config);
    const close = async (): Promise<void> => {
      await Promise.all(Object.values(readers).map((reader) => reader.close()));
      await files.close();
      await database.close();
    };
    return {
      config,
      database,
      files,
      images: keptImagesOf(config, log, processes),
      uploads,
      secrets,
      passwords: new Passwords(passwordCost, semaphores),
      ...readers,
      jobs,
      semaphores,
      processes,
      limits: new RequestLimits(config, processes),
      metrics,
      log,
      close,
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** What reads the files of documents. Their processes start when there is something to read. */
function openReaders(config: Config): Pick<Context, "pdfs" | "ocr" | "converter"> {
  return {
    pdfs: openPdfReader({
      timeLimitSeconds: config.pdfTimeLimitSeconds,
      pageTimeLimitSeconds: config.pageTimeLimitSeconds,
      memoryLimitMb: config.pdfMemoryLimitMb,
      fileLimitMb: config.uploadLimitMb,
    }),
    ocr: openOcr({
      timeLimitSeconds: config.ocrTimeLimitSeconds,
      memoryLimitMb: config.ocrMemoryLimitMb,
      atOnce: Math.max(1, config.processingWorkers),
      dataFolders: ocrFolders(config),
    }),
    converter: openConverter({
      timeLimitSeconds: config.conversionTimeLimitSeconds,
      memoryLimitMb: config.conversionMemoryLimitMb,
      fileLimitMb: config.documentLimitMb,
      outputLimitMb: config.uploadLimitMb,
      libreOffice: config.libreOffice,
      repair: { qpdf: config.qpdf, mutool: config.mutool, pdftocairo: config.pdftocairo },
      hidden: [config.data],
    }),
  };
}
