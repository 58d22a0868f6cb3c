import { hosts, integer, path } from "../value-kinds.ts";
import type { SettingTable } from "./setting.ts";

/** Taking files in and reading them: limits, and the programs that help. */
export const processing = {
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
  fetchAllowedHosts: {
    variable: "QUIRE_FETCH_ALLOWED_HOSTS",
    kind: hosts,
    default: null,
    otherwise: "only public addresses",
    help:
      "Hosts that files may be fetched from although their addresses are not public: name or " +
      "name:port, separated by commas.",
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
  embeddingModel: {
    variable: "QUIRE_EMBEDDING_MODEL",
    kind: path,
    default: null,
    otherwise: "words alone",
    help: "A folder with a model of sentences, by which the best results of a search are sorted as well.",
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
    help:
      "The path of qpdf, which repairs PDFs that cannot be opened; auto searches the usual paths, off " +
      "does without it.",
  },
  mutool: {
    variable: "QUIRE_MUTOOL",
    kind: path,
    default: "auto",
    help:
      "The path of mutool, which repairs PDFs that qpdf does not; auto searches the usual paths, off " +
      "does without it.",
  },
  pdftocairo: {
    variable: "QUIRE_PDFTOCAIRO",
    kind: path,
    default: "auto",
    help:
      "The path of pdftocairo, which draws PDFs again that nothing else repairs; auto searches the usual " +
      "paths, off does without it.",
  },
} satisfies Partial<SettingTable>;
