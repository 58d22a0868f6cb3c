import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { isLanguageChosen } from "../../../contract/describing-fields.ts";
import type { Database, Reader, Writer } from "../../../database/database.ts";
import { dialectOf } from "../../../database/dialects.ts";
import { enqueue } from "../../../jobs/queue.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { workInBatches } from "../../../jobs/work-in-batches.ts";
import { type TextLanguage, languageOf } from "../../../processing/text-language.ts";
import { usualLanguage } from "../../../search/stems.ts";
import { addFormsOf } from "../../../search/text-index.ts";
import { putLanguage } from "../../../search/word-forms.ts";
import { noteTextsOf } from "./note-texts.ts";
import { textsOf } from "./page-texts.ts";

/*
 * The language of a document's texts. The record's own `language` is what a client has sent, or DocumentCloud's
 * default; it is never changed. Beside it stands what was recognised, and the language in which the words of the
 * document have forms: that of the record if someone has chosen another one than the default, otherwise the recognised
 * one.
 */

/** The job that recognises the language of the documents in `unrecognised_documents`. */
export const languageJob = "recognise languages";

/** Leaves it to the job to recognise the language of some documents. */
export async function recogniseLater(writer: Writer, documentIds: readonly number[]): Promise<void> {
  if (documentIds.length === 0) return;
  const dialect = dialectOf(writer);
  await sql`insert into unrecognised_documents (document_id)
    select * from (${dialect.valuesOf(sql`${dialect.list([...new Set(documentIds)])}`)}) as documents where true
    on conflict do nothing`.execute(writer);
  await enqueue(writer, { kind: languageJob, subject: 0 });
}

/** The same for rows of which some have another language than before. */
export async function recogniseChanged(
  writer: Writer,
  before: ReadonlyMap<number, { row: { language: string } }>,
  rows: readonly { id: number; language: string }[],
): Promise<void> {
  const changed = rows.filter(({ id, language }) => before.get(id)?.row.language !== language);
  await recogniseLater(
    writer,
    changed.map(({ id }) => id),
  );
}

/** The language of a document's texts: that of its record if somebody has chosen it, or else the recognised one. */
export async function textLanguageOf(
  reader: Pick<Reader, "selectFrom">,
  { id, language }: { id: number; language: string },
): Promise<string> {
  if (isLanguageChosen(language)) return language;
  const found = await reader
    .selectFrom("document_languages")
    .select("language")
    .where("document_id", "=", id)
    .executeTakeFirst();
  return found?.language ?? language;
}

export async function isLanguageRecognised(reader: Pick<Reader, "selectFrom">, id: number): Promise<boolean> {
  const found = await reader
    .selectFrom("document_languages")
    .select("recognised")
    .where("document_id", "=", id)
    .where("recognised", "is not", null)
    .execute();
  return found.length > 0;
}

/**
 * Records what was recognised of a document. The texts that it has already get forms in its language. `isSure` says
 * that these are all in its present language: then they need not be read unless that changes.
 */
export async function noteLanguage(
  writer: Writer,
  documentId: number,
  found: TextLanguage | null,
  { isSure }: { isSure: boolean },
): Promise<void> {
  const row = await writer
    .selectFrom("documents")
    .leftJoin("document_languages", "document_languages.document_id", "documents.id")
    .select(["documents.language", "title", "source", "description"])
    .select("document_languages.language as analysed")
    .where("documents.id", "=", documentId)
    .executeTakeFirst();
  if (row === undefined) return;
  const language = isLanguageChosen(row.language) ? row.language : (found?.language ?? usualLanguage);
  const { language: recognised = null, certainty = null } = found ?? {};
  await putLanguage(writer, documentId, { language, recognised, certainty });
  if (isSure && language === (row.analysed ?? usualLanguage)) return;
  const notes = (await noteTextsOf(writer, [documentId])).map(({ text }) => text);
  await addFormsOf(writer, language, [row.title, row.source, row.description, ...notes]);
  for await (const pages of textsOf(writer, documentId)) {
    await addFormsOf(
      writer,
      language,
      pages.map(({ text }) => text),
    );
  }
}

const maxSampledPages = 20;
const maxSampledLength = 20_000;

/** The texts of some pages of a document, from all of it, each without what is far from its beginning. */
async function sampleOf(reader: Reader | Writer, documentId: number): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`select substr(text, 1, ${sql.lit(maxSampledLength)}) as text
    from document_pages
    cross join (select count(*) as pages from document_pages where document_id = ${documentId}) as counted
    where document_id = ${documentId} and page % (1 + pages / ${sql.lit(maxSampledPages)}) = 0
    order by page`.execute(reader);
  return rows.map(({ text }) => text);
}

/** Recognises the language of the documents that wait for it, one by one. It may be interrupted at any time. */
export async function recogniseLanguages(
  database: Pick<Database, "reader" | "write">,
  job: Pick<Job, "complete">,
  signal: AbortSignal,
): Promise<void> {
  await workInBatches(database, job, signal, () => recogniseNext(database));
}

/** Recognises the language of the next document. Returns false if there are no more. */
async function recogniseNext(database: Pick<Database, "reader" | "write">): Promise<boolean> {
  const { reader } = database;
  const next = await reader
    .selectFrom("unrecognised_documents")
    .select("document_id")
    .orderBy("document_id")
    .limit(1)
    .executeTakeFirst();
  if (next === undefined) return false;
  const { document_id: id } = next;
  const sample = await sampleOf(reader, id);
  const found = await languageOf(sample);
  await database.write(async (writer) => {
    const dialect = dialectOf(writer);
    await sql`select 1 from documents where id = ${id} ${dialect.forUpdate}`.execute(writer);
    // Otherwise the texts have changed meanwhile, and the document is the next one again.
    if (!isDeepStrictEqual(await sampleOf(writer, id), sample)) return;
    await writer.deleteFrom("unrecognised_documents").where("document_id", "=", id).execute();
    await noteLanguage(writer, id, found, { isSure: false });
  });
  return true;
}
