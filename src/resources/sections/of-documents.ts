import type { Section } from "../../contract/document.ts";
import type { Database } from "../../database/database.ts";
import type { DocumentPart } from "../documents/record/expand.ts";
import { presentSection } from "./present.ts";
import { findSectionsOf } from "./store.ts";

/** Sections as they appear expanded in their documents, in order of their pages. */
export function sectionsOf(database: Database): DocumentPart {
  return async (_viewer, documents) => {
    const byDocument = new Map<number, Section[]>(documents.map(({ id }) => [id, []]));
    for (const row of await findSectionsOf(database, [...byDocument.keys()])) {
      byDocument.get(row.document_id)?.push(presentSection(row));
    }
    return byDocument;
  };
}
