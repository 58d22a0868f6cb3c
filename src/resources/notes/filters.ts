import type { Query } from "../../http/request/query.ts";
import { idsIn } from "../../http/request/list-filters.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import type { Query as SearchedQuery } from "../../search/query-tree.ts";
import { invalidChoice } from "../documents/list/filters.ts";
import { readQueryText } from "../documents/search/search-request.ts";

export const noteAccesses = ["public", "organization", "private"] as const;

/** The filters of the list of notes on all documents. Different filters are combined with "and". */
export interface NoteFilters {
  documents: readonly number[] | undefined;
  projects: readonly number[] | undefined;
  /** The authors. */
  users: readonly number[] | undefined;
  access: readonly string[] | undefined;
  /** The notes are on documents that this search finds. */
  search: SearchedQuery | undefined;
}

/** Reads the filters of a request. Throws 400 if one is invalid. Whether the projects can be seen is not checked. */
export function readNoteFilters(query: Query, viewer: Viewer): NoteFilters {
  const access = query.list("access");
  const unknown = access.find((value) => !noteAccesses.some((known) => known === value));
  if (unknown !== undefined) throw invalidChoice("access", unknown);
  const text = query.last("q") ?? "";
  return {
    documents: idsIn(query, "document"),
    projects: idsIn(query, "project"),
    users: idsIn(query, "user"),
    access: access.length === 0 ? undefined : [...new Set(access)],
    search: text.trim() === "" ? undefined : readQueryText(text, viewer).query,
  };
}
