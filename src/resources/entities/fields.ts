import { ApiError } from "../../errors.ts";
import { FieldError, type Field, readFields, readList } from "../../http/fields/fields.ts";
import { integer, key, number, text, url } from "../../http/fields/field-kinds.ts";
import type { ParentDocument } from "../documents/parent-document.ts";
import { tableSchema } from "../../http/fields/field-schema.ts";
import { checkSize, jsonObject } from "../../http/fields/json-field.ts";

export const changedEntityFields = {
  name: text({
    maxLength: 500,
    blank: true,
    label: "Name",
    help: "By default, the Wikidata id",
  }),
  description: text({ maxLength: 2000, blank: true, long: true, label: "Description" }),
  wikipedia_url: url({ blank: true, label: "Wikipedia URL" }),
  metadata: jsonObject({ label: "Metadata", help: "An object with any other facts" }),
};

export const replacedEntityFields = {
  name: { ...changedEntityFields.name, default: "" },
  description: { ...changedEntityFields.description, default: "" },
  wikipedia_url: { ...changedEntityFields.wikipedia_url, default: "" },
  metadata: { ...changedEntityFields.metadata, default: {} },
};

export const newEntityFields = { wikidata_id: wikidataId(), ...replacedEntityFields };

function wikidataId(): Field<string> & { required: true } {
  const plain = text({ maxLength: 16 });
  return {
    type: "string",
    required: true,
    label: "Wikidata id",
    maxLength: 16,
    example: "Q42",
    help: "Q and a number. Each entity can be added only once",
    read(value) {
      const read = plain.read(value);
      if (!/^Q[1-9]\d*$/.test(read)) throw new FieldError("A Wikidata id is Q and a number, as Q42.");
      return read;
    },
  };
}

/** A position in a document's text. */
export interface Occurrence {
  page: number;
  offset: number;
  page_offset: number;
  content: string;
}

const position = { required: true, min: 0 } as const;

const occurrenceFields = {
  page: integer(position),
  offset: integer(position),
  page_offset: integer(position),
  content: text({ required: true, maxLength: 200 }),
};

/** The maximum size of all positions, in bytes of JSON. */
const maxOccurrences = 128 * 1024;

function occurrencesOn(pageCount: number): Field<Occurrence[]> {
  const page = {
    ...occurrenceFields.page,
    read(value: unknown): number {
      const read = occurrenceFields.page.read(value);
      if (read >= pageCount) {
        throw new FieldError(`Page number greater then document page count: ${pageCount}`);
      }
      return read;
    },
  };
  const table = { ...occurrenceFields, page };
  return {
    type: "json",
    schema: { type: "array", items: tableSchema(occurrenceFields, false) },
    label: "Occurrences",
    example: [],
    help: 'Positions, counted from 0: [{"page": 0, "offset": 12, "page_offset": 12, "content": "Ada"}]',
    read(value) {
      const read = nested(() =>
        readList(value, (members) => readFields(table, members, "whole") as Occurrence, Infinity),
      );
      checkSize(read, maxOccurrences);
      return read;
    },
  };
}

/** Reports the errors of a part as an error of the whole field. */
function nested<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) throw FieldError.nested(error.body);
    throw error;
  }
}

const relevance = number({ label: "Relevance" });

/** The fields of a PATCH of an occurrence in a document with this number of pages. */
export function changedOccurrenceFields(
  { page_count }: Pick<ParentDocument, "page_count"> = { page_count: 0 },
) {
  return { relevance, occurrences: occurrencesOn(page_count) };
}

export function replacedOccurrenceFields(document?: Pick<ParentDocument, "page_count">) {
  const changed = changedOccurrenceFields(document);
  return {
    relevance: { ...changed.relevance, default: 0 },
    occurrences: { ...changed.occurrences, default: [] as Occurrence[] },
  };
}

export function newOccurrenceFields(document?: Pick<ParentDocument, "page_count">) {
  return {
    entity: key({
      required: true,
      label: "Entity",
      help: "The id of an entity of /api/entities/",
      example: 1,
    }),
    ...replacedOccurrenceFields(document),
  };
}
