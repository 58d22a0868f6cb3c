import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { DocumentMail, DocumentTable } from "../../../contract/document.ts";
import { extensionsWith } from "../../../file-kinds.ts";
import { maxTableRows } from "../../../contract/limits.ts";
import type { Context } from "../../../context.ts";
import type { Database } from "../../../database/database.ts";
import { actionRefused, notFound, tooBusy } from "../../../errors.ts";
import { documentFileKey } from "../../../files/keys.ts";
import { ownAddress } from "../../../http/answer.ts";
import { queryOf } from "../../../http/browsable/view.ts";
import { ErrorReason, integerParameter } from "../../../http/fields/schema-shapes.ts";
import type { Query } from "../../../http/request/query.ts";
import { resourceRoute } from "../../../http/resource-route.ts";
import type { FileToRead, MailParts } from "../../../processing/convert/converter.ts";
import { UnreadableFileError } from "../../../processing/unreadable-file.ts";
import { Semaphore, TooBusyError } from "../../../semaphore.ts";
import { askerOf } from "../../users/credentials/throttle-key.ts";
import { leavingOf } from "../../../http/response/leaving.ts";
import { documentIn } from "../file-routes.ts";
import type { DocumentRow } from "../store.ts";
import { KnownFailures } from "./known-failures.ts";
import { documentMail, documentTable } from "./views.ts";

/** Each reading runs in a separate process. */
const maxReadings = 2;
const maxWaiting = 32;
/** The maximum number of readings per user, or per address for anonymous clients. */
const maxRequestsOfClient = 8;

const usualLimit = 100;

const readingTable = {
  summary: "Rows of a document whose original is a table (CSV or XLSX)",
  query: {
    sheet: integerParameter("the first is 0, which is also the default", { minimum: 0 }),
    offset: integerParameter("the first row; the first of all is 0", { minimum: 0 }),
    limit: integerParameter(`the number of rows; ${usualLimit} if not given`, {
      minimum: 1,
      maximum: maxTableRows,
    }),
  },
  gives: DocumentTable,
  also: { 400: ErrorReason },
};

const readingMail = {
  summary: "The headers and attachments of a document whose original is a mail (EML)",
  gives: DocumentMail,
  also: { 400: ErrorReason },
};

/**
 * Serves tables and e-mails as data, besides the pages that they were converted to. Each request reads the original in
 * the process that converts files, with limits on time and memory. If the original is of another type, the response is
 * the same 404 as for a hidden document.
 */
export function originalRoutes(app: FastifyInstance, { database, files, converter }: Context): void {
  const semaphore = new Semaphore(maxReadings, maxWaiting);
  const failures = new KnownFailures();

  resourceRoute(app, {
    path: "/api/documents/:id/table/",
    view: documentTable,
    get: {
      schema: readingTable,
      async answer(request, _viewer, reply) {
        const document = await getDocument(database, request, extensionsWith("table"));
        const query = queryOf(request);
        const range = {
          sheet: numberIn(query, "sheet", 0),
          offset: numberIn(query, "offset", 0),
          limit: Math.min(maxTableRows, numberIn(query, "limit", usualLimit) || usualLimit),
        };
        const { sheets, rows, hasMore } = await read(request, reply, document, (file) =>
          converter.tableRows(file, range),
        );
        if (range.sheet >= sheets.length) throw notFound();
        const after = query.with("offset", String(range.offset + rows.length)).toString();
        const next = hasMore ? `${ownAddress(request)}${after}` : null;
        return { sheets, sheet: range.sheet, offset: range.offset, rows, next } satisfies DocumentTable;
      },
    },
  });

  resourceRoute(app, {
    path: "/api/documents/:id/mail/",
    view: documentMail,
    get: {
      schema: readingMail,
      async answer(request, _viewer, reply) {
        const document = await getDocument(database, request, extensionsWith("mail"));
        return presentMail(await read(request, reply, document, (file) => converter.mailParts(file)));
      },
    },
  });

  /** Reads the original, unless that failed within the last hour. */
  async function read<Part>(
    request: FastifyRequest,
    reply: FastifyReply,
    { id, slug, file_hash, original_extension: extension }: DocumentRow,
    use: (file: FileToRead) => Promise<Part>,
  ): Promise<Part> {
    const leaving = leavingOf(reply);
    const asker = { name: askerOf(request.viewer, request.ip), maxRequests: maxRequestsOfClient };
    const release = await semaphore
      .acquire([{ ...asker, maxHeld: 1 }], { signal: leaving })
      .catch((error: unknown): never => {
        throw error instanceof TooBusyError || leaving.aborted ? tooBusy(2) : error;
      });
    const subject = { file: `${id} ${file_hash}`, page: 0, width: null };
    try {
      failures.check(subject);
      await using file = await files.borrow(documentFileKey(id, slug, extension));
      if (file === null) throw notFound();
      return await use({ from: file.path, extension, signal: leaving });
    } catch (error) {
      if (leaving.aborted) throw tooBusy(2);
      failures.note(subject, error);
      throw error instanceof UnreadableFileError ? actionRefused(error.message) : error;
    } finally {
      release();
    }
  }
}

async function getDocument(
  database: Database,
  request: FastifyRequest,
  extensions: readonly string[],
): Promise<DocumentRow> {
  const document = await documentIn(request, database);
  if (document.asset_url !== null || !extensions.includes(document.original_extension)) throw notFound();
  return document;
}

/** A whole number from 0, or `usual` if the parameter is missing or anything else. */
function numberIn(query: Query, name: string, usual: number): number {
  const text = query.last(name) ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : usual;
}

function presentMail({ attachments, ...mail }: MailParts): DocumentMail {
  return {
    ...mail,
    attachments: attachments.map(({ name, contentType, size }) => ({
      name,
      content_type: contentType,
      size,
    })),
  };
}
