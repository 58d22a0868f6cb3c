import { sql } from "kysely";
import type { Database } from "../../database/database.ts";
import { loadStemmer } from "../../search/stems.ts";
import { noteTextsOf } from "../documents/pages/note-texts.ts";
import { TouchedWords } from "./touched-words.ts";

/** Few enough that a long document is never in memory as a whole. */
const pagesAtOnce = 200;

/** The words of some documents, as the index has them. */
export async function readWords(
  { reader }: Pick<Database, "reader">,
  documents: readonly number[],
): Promise<TouchedWords> {
  await loadStemmer();
  const { rows: analysed } = await sql<{ language: string }>`select language from analysed_languages`.execute(
    reader,
  );
  const words = new TouchedWords(analysed.map(({ language }) => language));
  for (const id of documents) {
    const row = await reader
      .selectFrom("documents")
      .select(["title", "source", "description"])
      .where("id", "=", id)
      .executeTakeFirst();
    if (row === undefined) continue;
    for (const text of Object.values(row)) words.add(id, text);
    for (const { text } of await noteTextsOf(reader, [id])) words.add(id, text);
    for (let after: number | null = -1; after !== null;) {
      const pages: { page: number; text: string }[] = await reader
        .selectFrom("document_pages")
        .select(["page", "text"])
        .where("document_id", "=", id)
        .where("page", ">", after)
        .orderBy("page")
        .limit(pagesAtOnce)
        .execute();
      for (const { text } of pages) words.add(id, text);
      after = pages.length < pagesAtOnce ? null : (pages.at(-1)?.page ?? null);
    }
  }
  return words;
}
