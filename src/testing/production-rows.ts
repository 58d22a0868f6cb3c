import type { Insertable } from "kysely";
import type { Writer } from "../database/database.ts";
import type { ProductionDocumentsTable, ProductionsTable } from "../database/tables.ts";

const moment = "2025-01-31T12:00:00.000000Z";

/** A production that is done, with the numbers ABC001 to ABC002. */
export const productionRow = (user_id: number, name = "To the court"): Insertable<ProductionsTable> => ({
  user_id,
  name,
  prefix: "ABC",
  digits: 3,
  first_number: 1,
  last_number: 2,
  documents: 1,
  left_out: 0,
  volume: "VOL001",
  endorsement: "",
  images: "tiff",
  has_texts: true,
  has_natives: true,
  has_mark: true,
  state: "done",
  created_at: moment,
  ended_at: moment,
  expires_at: "2099-01-31T12:00:00.000000Z",
});

/** Its document, without files. */
export const producedRow = (
  production_id: number,
  document_id: number,
): Insertable<ProductionDocumentsTable> => ({
  production_id,
  document_id,
  root_id: document_id,
  first_number: 1,
  pages: 2,
  file_hash: "",
  state: "made",
  fields: "{}",
  files: "[]",
});

/** Adds a production of a document. Returns its id. */
export async function addProduction(
  writer: Writer,
  { id, user, document }: { id?: number; user: number; document: number },
): Promise<number> {
  const row = id === undefined ? productionRow(user) : { id, ...productionRow(user) };
  const { id: added } = await writer
    .insertInto("productions")
    .values(row)
    .returning("id")
    .executeTakeFirstOrThrow();
  const produced = id === undefined ? {} : { id };
  await writer
    .insertInto("production_documents")
    .values({ ...produced, ...producedRow(added, document) })
    .execute();
  return added;
}

/** A mention in document 1. */
export async function addMention(writer: Writer): Promise<void> {
  const address = "ada@example.org";
  const position = { document_id: 1, page: 0, start: 0 };
  await writer
    .insertInto("mentions")
    .values({ ...position, kind: "email", value: address, written: address })
    .execute();
}
