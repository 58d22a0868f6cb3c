import type { DescribingName } from "../contract/describing-fields.ts";

/** What pages call a text that describes a document. */
export interface FieldWords {
  /** Above its input. */
  readonly label: string;
  /** Beside its value on the document's page, if that is not the label. */
  readonly fact?: string;
  /** As the object of a sentence: "removed the source". */
  readonly object: string;
  /** The action that sets it in several documents. */
  readonly set: string;
}

export const fieldsEnglish: Readonly<Record<DescribingName, FieldWords>> = {
  description: { label: "Description", object: "the description", set: "Set the description" },
  source: { label: "Source", object: "the source", set: "Set the source" },
  related_article: {
    label: "Related article",
    object: "the related article",
    set: "Set the related article",
  },
  published_url: {
    label: "Published at this address",
    fact: "Published at",
    object: "the address of its publication",
    set: "Set where they are published",
  },
};
