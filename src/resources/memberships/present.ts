import type { Context } from "../../context.ts";
import type { Addresses } from "../../http/text/addresses.ts";
import { type Expansion, expandMembers, readExpansion, readSelection } from "../../http/request/expansion.ts";
import type { Query } from "../../http/request/query.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { type DocumentParts, expandedRecords, listExpansions } from "../documents/record/expand.ts";
import { findVisibleDocuments } from "../documents/store.ts";
import type { MembershipRow } from "./store.ts";

export interface Options {
  viewer: Viewer;
  query: Query;
  addresses: Addresses;
  /** A list allows fewer expansions than a single membership. */
  as: "list" | "one";
  parts: DocumentParts;
}

/** Memberships as the API shows them, with each document as an id or expanded. */
export async function presentMemberships(
  { database }: Pick<Context, "database">,
  rows: readonly MembershipRow[],
  { viewer, query, addresses, as, parts }: Options,
): Promise<Record<string, unknown>[]> {
  const expansion = expansionIn(query, as);
  const selection = readSelection(query);
  const plain = rows.map(({ id, edit_access }) => ({ document: id, edit_access: Boolean(edit_access) }));
  await expandMembers(plain, expansion, {
    async document(ids, within) {
      // A document may have been hidden since its membership was read.
      const documents = await findVisibleDocuments(database, viewer, ids);
      const records = await expandedRecords(database, viewer, documents, addresses, {
        expansion: within,
        selection: readSelection(query.with("fields", null).with("omit", null)),
        inDetail: as === "one",
        parts,
      });
      return new Map(documents.map(({ id }, index) => [id, records[index] ?? {}]));
    },
  });
  return plain.map((record) => selection.of(record));
}

function expansionIn(query: Query, as: Options["as"]): Expansion {
  const permitted = ["document", ...listExpansions.map((name) => `document.${name}`)];
  return readExpansion(query, as === "list" ? permitted : "any");
}
