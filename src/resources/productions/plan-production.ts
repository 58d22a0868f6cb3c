import type { Context } from "../../context.ts";
import { invalidFields } from "../../errors.ts";
import { readFields } from "../../http/fields/fields.ts";
import type { Members } from "../../http/request/body.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { enqueue } from "../../jobs/queue.ts";
import { productionFields } from "./fields.ts";
import { makeJob } from "./make-production.ts";
import { written } from "./numbers.ts";
import { type Selected, selectDocuments } from "./select-documents.ts";
import { type ProductionRow, insertProduction, lockNextNumber, setNextNumber } from "./store.ts";

/**
 * Begins a production: chooses the documents, gives each of their pages a number, and queues the work. The numbers are
 * given in one transaction, and never change.
 */
export async function createProduction(
  context: Pick<Context, "database" | "jobs">,
  viewer: SignedInViewer,
  members: Members,
): Promise<ProductionRow> {
  const { database, jobs } = context;
  const values = readFields(productionFields, members, "whole");
  const { prefix = "", digits = 7, volume = "VOL001", endorsement = "", images = "tiff", name = "" } = values;
  const { texts = true, natives = true, bom = true } = values;
  const asked = { documents: values.documents, query: values.query ?? "", families: values.families ?? true };
  const { documents, leftOut } = await selectDocuments(context, viewer, asked);
  if (documents.length === 0) throw invalidFields({ query: ["It finds no document that you may edit."] });
  const numbers = documents.reduce((sum, { row }) => sum + pagesOf(row), 0);
  const production = await database.write(async (writer) => {
    const next = await lockNextNumber(writer, database, prefix);
    const first = values.first ?? next;
    const last = first + numbers - 1;
    if (first < next) {
      const given = written({ prefix, digits }, next - 1);
      throw invalidFields({
        first: [`The numbers up to ${given} have been given: begin with ${next} or later.`],
      });
    }
    if (String(last).length > digits)
      throw invalidFields({ digits: [`The last number is ${last}, which has more digits.`] });
    await setNextNumber(writer, prefix, last + 1);
    const made = await insertProduction(
      writer,
      {
        user_id: viewer.id,
        name,
        prefix,
        digits,
        first_number: first,
        last_number: last,
        documents: documents.length,
        left_out: leftOut,
        volume,
        endorsement,
        images,
        has_texts: texts,
        has_natives: natives,
        has_mark: bom,
        state: "making",
        created_at: timestampNow(),
      },
      numbered(documents, first),
    );
    await enqueue(writer, { kind: makeJob, subject: made.id, owner: viewer.id });
    return made;
  });
  jobs.notify();
  return production;
}

/** How many numbers a document needs: a sheet takes the place of one that has no pages. */
const pagesOf = ({ page_count: pages, status }: Selected["row"]): number =>
  status === "success" ? Math.max(1, pages) : 1;

function numbered(documents: readonly Selected[], first: number) {
  let next = first;
  return documents.map(({ row, parent, root }) => {
    const [first_number, pages] = [next, pagesOf(row)];
    next += pages;
    const { id: document_id, file_hash } = row;
    const state = "waiting" as const;
    const family = { parent_id: parent, root_id: root };
    return { document_id, ...family, first_number, pages, file_hash, state, fields: "{}", files: "[]" };
  });
}
