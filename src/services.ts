import type { ChangeWatch } from "./http/response/change-watch.ts";
import type { DocumentParts } from "./resources/documents/record/expand.ts";
import type { DocumentRecords } from "./resources/documents/record/records.ts";
import type { PdfReadingQueue } from "./resources/documents/files/pdf-reading-queue.ts";
import type { Publisher } from "./resources/documents/record/publisher.ts";
import type { Branding } from "./resources/branding/branding.ts";
import type { SiteBrand } from "./web/style/site-brand.ts";
import type { StaticFiles } from "./web/static-routes.ts";
import type { UploadAddresses } from "./resources/documents/files/upload-addresses.ts";
import type { authenticator } from "./resources/users/credentials/authentication.ts";
import type { scheduleOf } from "./serving/schedule.ts";

/** Services that routes use in addition to the context. They are opened and closed with the application. */
export interface Services {
  readonly publisher: Publisher;
  /** Notices what any process has written. */
  readonly changes: ChangeWatch;
  readonly schedule: ReturnType<typeof scheduleOf>;
  readonly authenticate: ReturnType<typeof authenticator>;
  /** Signs the addresses that files are uploaded to. */
  readonly uploads: UploadAddresses;
  /** The sections and notes that a document's record may be expanded with. */
  readonly parts: DocumentParts;
  readonly records: DocumentRecords;
  /** Reads pages of documents, within a limit that all readers share. */
  readonly readings: PdfReadingQueue;
  readonly staticFiles: StaticFiles;
  /** What administrators say of the site, and whose site it is, as pages show it. */
  readonly branding: Branding;
  readonly brand: SiteBrand;
}
