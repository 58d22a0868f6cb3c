import { ApiError } from "../../../errors.ts";
import { nameOfType } from "../../../http/request/body.ts";
import { FieldError, type Field, readFields, readList } from "../../../http/fields/fields.ts";
import { checkLength, integer, number } from "../../../http/fields/field-kinds.ts";
import { tableSchema } from "../../../http/fields/field-schema.ts";
import { jsonObject } from "../../../http/fields/json-field.ts";
import { type PageWord, maxWordsOfPage } from "../../../processing/pdfium/page-words.ts";

/** The new text of a page. */
export interface PageChange {
  /** Counting from 0. */
  page: number;
  text: string;
  /** The name of the OCR engine. Null if unknown. */
  ocr: string | null;
  /** Null if the positions are unknown. */
  words: PageWord[] | null;
}

const maxPages = 50;

/** A text that keeps its leading and trailing white space. */
function wholeText(options: { required?: true; maxLength?: number }): Field<string> & { required?: true } {
  return {
    type: "text",
    read(value) {
      if (typeof value !== "string") throw new FieldError("Not a valid string.");
      if (value.includes("\0")) throw new FieldError("Null characters are not allowed.");
      if (options.maxLength !== undefined) checkLength(value, options.maxLength);
      return value.toWellFormed();
    },
    ...options,
  };
}

const fraction = { required: true, min: 0, max: 1 } as const;
const wordFields = {
  text: wholeText({ required: true }),
  x1: number(fraction),
  x2: number(fraction),
  y1: number(fraction),
  y2: number(fraction),
  metadata: jsonObject({ nullable: true }),
};

const positions: Field<PageWord[]> = {
  type: "json",
  schema: { type: "array", items: tableSchema(wordFields, false) },
  read: (value) =>
    listIn(value, maxWordsOfPage, (members) => {
      const { metadata, ...word } = readFields(wordFields, members, "whole");
      return { ...metadata, ...word, upright: true, direction: 1 } as PageWord;
    }),
};

const pageFields = {
  page_number: integer({ required: true, min: 0 }),
  text: wholeText({ required: true }),
  ocr: wholeText({ maxLength: 20 }),
  positions,
};

/** New texts of up to fifty pages. Null, which a form sends for an empty field, means no pages. */
export const pagesField: Field<PageChange[]> & { nullable: true } = {
  type: "json",
  schema: { type: "array", items: tableSchema(pageFields, false), maxItems: maxPages },
  nullable: true,
  label: "Pages",
  example: [],
  help: "New texts of pages, counted from 0",
  read(value) {
    if (Array.isArray(value) && value.length > maxPages)
      throw new FieldError(`\`pages\` length must be less than ${maxPages}`);
    const pages = listIn(value, maxPages, (members): PageChange => {
      const read = readFields(pageFields, members, "whole");
      const { page_number: page = 0, text = "", ocr = null, positions: words = null } = read;
      return { page, text, ocr, words };
    });
    const isInOrder = pages.every(
      ({ page }, index) => index === 0 || page === (pages[index - 1]?.page ?? 0) + 1,
    );
    if (!isInOrder && pages.some(({ words }) => words !== null)) {
      throw new FieldError("`pages` must contain consecutive page numbers if positions are present");
    }
    return pages;
  },
};

/** Like {@link readList}, for a list inside a field. */
function listIn<T>(value: unknown, max: number, read: Parameters<typeof readList<T>>[1]): T[] {
  if (!Array.isArray(value))
    throw new FieldError(`Expected a list of items but got type "${nameOfType(value)}".`);
  try {
    return readList(value, read, max);
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) throw FieldError.nested(error.body);
    throw error;
  }
}
