import words from "#words/formats.json" with { type: "json" };
import { Formats } from "../../texts/formats.ts";

/** The formats of the language of this script. */
export const formats = new Formats(words);
