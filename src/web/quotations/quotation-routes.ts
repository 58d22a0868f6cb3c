import type { FastifyInstance } from "fastify";
import { quotationLimits } from "../../contract/limits.ts";
import type { Quotation } from "../../contract/quotation.ts";
import type { Context } from "../../context.ts";
import { ApiError, notFound } from "../../errors.ts";
import { pageSecurityPolicy } from "../../http/browsable/page-shell.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { visitedSite } from "../../http/browsable/visited-site.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { leavingOf } from "../../http/response/leaving.ts";
import { sendPage } from "../../http/response/representation.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import type { PdfReadingQueue } from "../../resources/documents/files/pdf-reading-queue.ts";
import { documentAddress } from "../../resources/documents/present.ts";
import { findDocument } from "../../resources/documents/store.ts";
import { searchedNotes } from "../../resources/notes/of-documents.ts";
import { checkQuotation } from "../../resources/quotations/check-quotation.ts";
import { readQuotationQuery } from "../../resources/quotations/read-request.ts";
import { quotationCheckRoute } from "../../resources/quotations/routes.ts";
import { askerOf } from "../../resources/users/credentials/throttle-key.ts";
import { type QuotationFault, renderQuotationPage } from "./quotation-page.ts";

/** The check of a quotation, for programs and as a page. People count pages from 1 on the page. */
export function quotationRoutes(
  app: FastifyInstance,
  context: Context,
  { readings }: { readings: PdfReadingQueue },
): void {
  const notes = searchedNotes(context.database).condition;
  quotationCheckRoute(app, context, readings, notes);

  app.get("/quotations/", { schema: {}, config: { takesLongQuery: true } }, async (request, reply) => {
    const { viewer } = request;
    const query = queryOf(request);
    const { web } = addressesOf(context.config, request);
    const named = query.last("document") ?? "";
    const row = /^\d{1,15}$/.test(named) ? await findDocument(context.database, viewer, Number(named)) : null;
    if (named !== "" && row === null) throw notFound();
    const page = query.last("page")?.trim() ?? "";
    const quote = query.last("quote");
    const asked = query.with("page_number", /^\d+$/.test(page) ? String(Number(page) - 1) : page || null);
    let answer: Quotation | null = null;
    let fault: QuotationFault | null = null;
    if (quote !== undefined) {
      try {
        const read = await readQuotationQuery(context, viewer, asked);
        const pdfs = readings.of(askerOf(viewer, request.ip), leavingOf(reply));
        answer = await checkQuotation(context, pdfs, { ...read, viewer, web, notes });
      } catch (error) {
        fault = faultOf(error, quote);
      }
    }
    const markup = renderQuotationPage({
      site: visitedSite(request),
      asked: { quote: quote ?? "", page },
      document: row === null ? null : { id: row.id, title: row.title, href: documentAddress(web, row) },
      answer,
      fault,
    });
    if (fault !== null) reply.code(400);
    return sendPage(reply.header("content-security-policy", pageSecurityPolicy), markup);
  });
  leadToSlash(app, "/quotations/");
}

/** The field that an error is about. Throws any other error. */
function faultOf(error: unknown, quote: string): QuotationFault {
  if (!(error instanceof ApiError) || error.status !== 400) throw error;
  if (Object.hasOwn(error.body as object, "page_number")) return "noSuchPage";
  return quote.length > quotationLimits.quote ? "tooLong" : "noWords";
}
