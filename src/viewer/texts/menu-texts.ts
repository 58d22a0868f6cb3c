import words from "#words/menu.json" with { type: "json" };
import { textsOf } from "../../texts/texts-of.ts";
import { formats } from "./formats.ts";

/** The texts of the document's menu that nothing loads which comes at once with the desk. */
export const menuTexts = textsOf(words, {}, formats);
