import { quotationLimits } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import { invalidFields, notFound } from "../../errors.ts";
import type { Query } from "../../http/request/query.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { findDocument } from "../documents/store.ts";
import type { QuotationRequest } from "./check-quotation.ts";
import { readQuotation } from "./find-quotation.ts";

/** Reads the parameters of a check. Throws 400 with the reason by parameter, and 404 for an unknown document. */
export async function readQuotationQuery(
  { database }: Pick<Context, "database">,
  viewer: Viewer,
  query: Query,
): Promise<Pick<QuotationRequest, "quotation" | "scope">> {
  const quote = query.last("quote") ?? "";
  if (quote.length > quotationLimits.quote) {
    throw invalidFields({
      quote: [`Ensure this field has no more than ${quotationLimits.quote} characters.`],
    });
  }
  const quotation = readQuotation(quote);
  if (quotation === null) throw invalidFields({ quote: ["Give the words to check."] });
  const document = query.last("document") ?? "";
  const page = query.last("page_number") ?? "";
  if (document === "") {
    if (page !== "") throw invalidFields({ page_number: ["A page needs a document."] });
    return { quotation, scope: "anywhere" };
  }
  if (!/^\d{1,15}$/.test(document)) throw invalidFields({ document: ["A valid integer is required."] });
  const row = await findDocument(database, viewer, Number(document));
  if (row === null) throw notFound();
  if (page === "") return { quotation, scope: { document: row.id, page: null } };
  if (!/^\d{1,9}$/.test(page)) throw invalidFields({ page_number: ["A valid integer is required."] });
  if (Number(page) >= row.page_count) {
    throw invalidFields({ page_number: [`The document has ${row.page_count} pages. The first one is 0.`] });
  }
  return { quotation, scope: { document: row.id, page: Number(page) } };
}
