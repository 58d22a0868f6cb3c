import { maxAddressLength } from "./limits.ts";

/**
 * A text that describes a document. People may leave it empty. The record, request bodies, imports, forms, bulk
 * changes, the facts on the document's page, the words of its history and the notice after a redaction follow from the
 * table below; the catalogue `fields` of each language has the words for it.
 */
export interface DescribingField {
  /** One line, several lines, or the address of a page on the web. */
  readonly kind: "line" | "lines" | "address";
  /** In characters. */
  readonly maxLength: number;
}

/** In the order of forms. Their names are those of the API, and of the columns. */
export const describingFields = {
  description: { kind: "lines", maxLength: 4000 },
  source: { kind: "line", maxLength: 1000 },
  related_article: { kind: "address", maxLength: maxAddressLength },
  published_url: { kind: "address", maxLength: maxAddressLength },
} as const satisfies Readonly<Record<string, DescribingField>>;

export type DescribingName = keyof typeof describingFields;

export const describingNames = Object.keys(describingFields) as readonly DescribingName[];

export const isDescribing = (name: string): name is DescribingName => Object.hasOwn(describingFields, name);

/** The texts of a document by name. */
export type DescribingTexts = Readonly<Record<DescribingName, string>>;

/** The describing texts among the members of a record or the columns of a row. */
export function describingTexts(of: DescribingTexts): DescribingTexts {
  return Object.fromEntries(describingNames.map((name) => [name, of[name]])) as Record<
    DescribingName,
    string
  >;
}

/** The language of a record for which nobody has named one, as at DocumentCloud. */
export const defaultLanguage = "eng";

/** Whether somebody has chosen the language of a record: it is not the default, and not left open. */
export const isLanguageChosen = (language: string): boolean =>
  language !== "" && language !== defaultLanguage;
