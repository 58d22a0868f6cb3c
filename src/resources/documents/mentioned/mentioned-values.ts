import { type MentionKind, mentionKinds } from "../../../contract/search.ts";
import type { Database } from "../../../database/database.ts";
import { invalidCursor, invalidFields } from "../../../errors.ts";
import { perPage } from "../../../http/request/pagination.ts";
import type { Query } from "../../../http/request/query.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { planSearch } from "../../../search/plan.ts";
import { type SearchedNotes, orUnavailable, timeLimitSeconds } from "../search/search-documents.ts";
import { type SearchRequest, readSearch } from "../search/search-request.ts";
import {
  type FoundValues,
  type MentionedCount,
  type ValueOrdering,
  findValues,
  valueOrderings,
} from "./mentioned-store.ts";

/** The kind that a parameter names; undefined without the parameter. @throws {ApiError} 400 for any other text. */
export function kindIn(query: Query): MentionKind | undefined {
  const name = query.last("kind") ?? "";
  const kind = mentionKinds.find((one) => one === name);
  if (kind === undefined && name !== "") {
    throw invalidFields({ kind: [`"${name}" is no kind of mention: ${mentionKinds.join(", ")}`] });
  }
  return kind;
}

function orderingIn(query: Query): ValueOrdering {
  return valueOrderings.find((one) => one === query.last("ordering")) ?? "-documents";
}

/** A page of the values of a kind. */
export interface ValuesPage extends FoundValues {
  kind: MentionKind;
  search: SearchRequest;
  /** The cursor of the next page. Null at the end. */
  next: string | null;
}

/** Answers a request for the values of a kind in the documents that a search finds. Throws 503 if it takes too long. */
export async function answerValues(
  database: Database,
  viewer: Viewer,
  notes: SearchedNotes,
  query: Query,
): Promise<ValuesPage> {
  const kind = kindIn(query);
  if (kind === undefined) throw invalidFields({ kind: [`Give a kind: ${mentionKinds.join(", ")}`] });
  const search = readSearch(query.with("cursor", null), viewer);
  const after = decoded(query.last("cursor"));
  const limit = perPage(query);
  return orUnavailable(async () => {
    const plan = await planSearch(search.query);
    const request = { kind, ordering: orderingIn(query), after, limit: limit + 1 };
    const found = await findValues(database, viewer, notes.condition, plan, request, timeLimitSeconds);
    const values = found.values.slice(0, limit);
    const last = found.values.length > limit ? values.at(-1) : undefined;
    return { ...found, values, kind, search, next: last === undefined ? null : encoded(last) };
  });
}

function encoded({ documents, value }: MentionedCount): string {
  return Buffer.from(JSON.stringify([documents, value])).toString("base64url");
}

function decoded(cursor: string | undefined): MentionedCount | null {
  if (cursor === undefined || cursor === "") return null;
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    throw invalidCursor();
  }
  const [documents, value] = Array.isArray(parts) ? (parts as unknown[]) : [];
  const isValue = typeof value === "string" && value.isWellFormed() && !value.includes("\0");
  if (!isValue || !Number.isSafeInteger(documents)) throw invalidCursor();
  return { documents: documents as number, value };
}
