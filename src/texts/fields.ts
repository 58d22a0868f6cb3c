import type { DescribingName } from "../contract/describing-fields.ts";
import type english from "./en/fields.json";

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

/** The words for each text that describes a document. */
export function fieldTexts(words: typeof english): Readonly<Record<DescribingName, FieldWords>> {
  return words;
}
