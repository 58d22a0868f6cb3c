import words from "#words/actions.json" with { type: "json" };
import { textsOf } from "../../texts/texts-of.ts";
import { formats } from "./formats.ts";

const values = {
  person: { done: (mail: string) => ({ mail }) },
  duplicate: { titleOf: (title: string) => ({ title }) },
};

/** The texts of what people do with a document as a whole. */
export const actionTexts = textsOf(words, values, formats);
