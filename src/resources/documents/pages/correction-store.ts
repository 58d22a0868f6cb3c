import { type RawBuilder, type Selectable, sql } from "kysely";
import { type MentionKind, mentionKinds } from "../../../contract/search.ts";
import { BulkInsert } from "../../../database/bulk-insert.ts";
import type { Dialect } from "../../../database/dialect.ts";
import type { Reader, Writer } from "../../../database/database.ts";
import { dialectOf } from "../../../database/dialects.ts";
import type { MentionCorrectionsTable, MentionsTable } from "../../../database/tables.ts";
import { maxValueLength } from "../../../recognisers/values.ts";
import { plainWordsOf } from "../../../search/words.ts";

/*
 * What people say of the mentions of a document by hand: that a value is another one, or none at all. A correction
 * names the value that the recognisers find, so it holds for all places where the document has it, and for the same
 * text when it is read again. Rows of `mentions` have the corrected value, so facets and searches know nothing of this.
 */

type Mention = Selectable<MentionsTable>;

/** That a value of the recognisers is `becomes`. Null: that it is no mention. */
export interface Correction {
  kind: MentionKind;
  value: string;
  becomes: string | null;
}

/** Whether a value from elsewhere is a correction that can be stored. */
export function isCorrection(
  correction: Readonly<Record<keyof Correction, unknown>>,
): correction is Correction {
  const { kind, value, becomes } = correction;
  return (
    mentionKinds.some((known) => known === kind) && isValue(value) && (becomes === null || isValue(becomes))
  );
}

function isValue(value: unknown): value is string {
  if (typeof value !== "string" || value === "" || value.length > maxValueLength) return false;
  return value.isWellFormed() && !value.includes("\0");
}

/** The value that the recognisers have found. */
const recognised = sql`coalesce(recognised, value)`;

/** The key of a value among those of a document. */
export const valueKey = ({ kind, value }: Pick<Correction, "kind" | "value">): string => `${kind} ${value}`;

/** The corrections of a document, by kind and value. */
export function findCorrections(
  reader: Pick<Reader | Writer, "selectFrom">,
  documentId: number,
): Promise<Correction[]> {
  return reader
    .selectFrom("mention_corrections")
    .select(["kind", "value", "becomes"])
    .where("document_id", "=", documentId)
    .orderBy("kind")
    .orderBy("value")
    .execute();
}

/** Corrects what the recognisers have found in a document. */
export async function corrected(
  writer: Writer,
  documentId: number,
  found: readonly Mention[],
): Promise<readonly Mention[]> {
  const corrections = await findCorrections(writer, documentId);
  if (corrections.length === 0) return found;
  const known = new Map(corrections.map((correction) => [valueKey(correction), correction.becomes]));
  return found.flatMap((mention) => {
    const becomes = known.get(valueKey(mention));
    if (becomes === undefined) return [mention];
    return becomes === null ? [] : [{ ...mention, value: becomes, recognised: mention.value }];
  });
}

const insertion = new BulkInsert<Selectable<MentionCorrectionsTable>>(
  "mention_corrections",
  ["document_id", "kind", "value", "becomes"],
  {
    insert: sql`insert into`,
    otherwise: sql`on conflict (document_id, kind, value) do update set becomes = excluded.becomes`,
  },
);

/** Makes these the corrections of a document. Returns false if they are already. Its mentions remain as they were. */
export async function replaceCorrections(
  writer: Writer,
  documentId: number,
  corrections: readonly Correction[],
): Promise<boolean> {
  const before = await findCorrections(writer, documentId);
  const byKey = (each: readonly Correction[]) => new Map(each.map((one) => [valueKey(one), one]));
  const [old, wanted] = [byKey(before), byKey(corrections)];
  const isSame = (one: Correction): boolean => old.get(valueKey(one))?.becomes === one.becomes;
  if (old.size === wanted.size && [...wanted.values()].every(isSame)) return false;
  await forget(writer, documentId, before);
  const rows = Array.from(wanted.values(), (one) => ({ document_id: documentId, ...one }));
  if (rows.length > 0) await insertion.run(writer, rows);
  return true;
}

export interface CorrectedDocuments {
  /** Those that have the value. */
  changed: number[];
  /** Those in which a value that was no mention is one again, so that its mentions have to be found. */
  incomplete: number[];
}

/**
 * Corrects a value in documents, which the caller has locked, and their mentions with it. The value is one that the
 * recognisers find, or one that such a value has become. A value that becomes itself is as recognised again.
 */
export async function correctValue(
  writer: Writer,
  documents: readonly number[],
  { kind, value, becomes }: Correction,
): Promise<CorrectedDocuments> {
  const dialect = dialectOf(writer);
  const sources = await findSources(writer, dialect, documents, { kind, value });
  const incomplete: number[] = [];
  for (const [source, ids] of sources) {
    const list = sql`${dialect.list(ids)}`;
    const isAmongThese = (table: "mentions" | "mention_corrections"): RawBuilder<unknown> =>
      sql`${dialect.isAmong(sql.ref(`${table}.document_id`), list)} and kind = ${kind}`;
    const { rows: rejected } = await sql<{ document_id: number }>`
      select document_id from mention_corrections
        where ${isAmongThese("mention_corrections")} and value = ${source} and becomes is null`.execute(
      writer,
    );
    if (becomes !== null) incomplete.push(...rejected.map(({ document_id }) => document_id));
    if (becomes === source)
      await sql`delete from mention_corrections
        where ${isAmongThese("mention_corrections")} and value = ${source}`.execute(writer);
    else
      await insertion.run(
        writer,
        ids.map((document_id) => ({ document_id, kind, value: source, becomes })),
      );
    const isMention = sql`${isAmongThese("mentions")} and ${recognised} = ${source}`;
    if (becomes === null) await sql`delete from mentions where ${isMention}`.execute(writer);
    else
      await sql`update mentions set value = ${becomes}, recognised = ${becomes === source ? null : source}
        where ${isMention}`.execute(writer);
  }
  return { changed: [...new Set([...sources.values()].flat())], incomplete: [...new Set(incomplete)] };
}

/** The values of the recognisers that are a value, or have become it, each with the documents that have them. */
async function findSources(
  writer: Writer,
  dialect: Dialect,
  documents: readonly number[],
  { kind, value }: Pick<Correction, "kind" | "value">,
): Promise<Map<string, number[]>> {
  const list = sql`${dialect.list(documents)}`;
  const { rows } = await sql<{ document_id: number; source: string }>`
    select document_id, ${recognised} as source from mentions
      where ${dialect.isAmong(sql.ref("mentions.document_id"), list)}
        and kind = ${kind} and (value = ${value} or recognised = ${value})
    union select document_id, value as source from mention_corrections
      where ${dialect.isAmong(sql.ref("mention_corrections.document_id"), list)}
        and kind = ${kind} and (value = ${value} or becomes = ${value})
    order by document_id, source`.execute(writer);
  const sources = new Map<string, number[]>();
  for (const { document_id, source } of rows) {
    const ids = sources.get(source);
    if (ids === undefined) sources.set(source, [document_id]);
    else ids.push(document_id);
  }
  return sources;
}

/** The condition on `documents` for those that mention a value, or in which it was corrected. */
export function withValue(
  { kind, value }: Pick<Correction, "kind" | "value">,
  state: "mentioned" | "corrected",
): RawBuilder<unknown> {
  const table = state === "mentioned" ? "mentions" : "mention_corrections";
  return sql`documents.id in (select document_id from ${sql.table(table)}
    where ${sql.ref(`${table}.kind`)} = ${kind} and ${sql.ref(`${table}.value`)} = ${value})`;
}

/** Removes the corrections of values that a document's texts no longer have. */
export async function forgetCorrectionsBeside(
  writer: Writer,
  documentId: number,
  mentions: () => readonly Mention[],
): Promise<void> {
  const corrections = await findCorrections(writer, documentId);
  if (corrections.length === 0) return;
  const known = new Set(mentions().map(valueKey));
  await forget(
    writer,
    documentId,
    corrections.filter((correction) => !known.has(valueKey(correction))),
  );
}

/** Removes the corrections that quote one of these mentions, or have one of these words in their searchable form. */
export async function forgetCorrectionsWith(
  writer: Writer,
  documentId: number,
  mentions: readonly Mention[],
  words: ReadonlySet<string>,
): Promise<void> {
  const corrections = await findCorrections(writer, documentId);
  const values = new Set(mentions.map(valueKey));
  const quoting = corrections.filter(
    ({ kind, value, becomes }) =>
      hasWord({ value, becomes }, words) ||
      [value, becomes].some((one) => one !== null && values.has(valueKey({ kind, value: one }))),
  );
  await forget(writer, documentId, quoting);
}

/** Whether any correction of a document has one of these words, in their searchable form. */
export async function isInCorrections(
  writer: Writer,
  documentId: number,
  words: ReadonlySet<string>,
): Promise<boolean> {
  return (await findCorrections(writer, documentId)).some((correction) => hasWord(correction, words));
}

const hasWord = ({ value, becomes }: Pick<Correction, "value" | "becomes">, words: ReadonlySet<string>) =>
  plainWordsOf(`${value} ${becomes ?? ""}`).some((word) => words.has(word));

async function forget(writer: Writer, documentId: number, corrections: readonly Correction[]): Promise<void> {
  for (const { kind, value } of corrections)
    await writer
      .deleteFrom("mention_corrections")
      .where("document_id", "=", documentId)
      .where("kind", "=", kind)
      .where("value", "=", value)
      .execute();
}
