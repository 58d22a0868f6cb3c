import words from "#words/spreadsheet.json" with { type: "json" };
import { byName, textsOf } from "../../texts/texts-of.ts";
import { formats } from "../../viewer/texts/formats.ts";

const values = {
  wouldChange: (count: number) => ({ count }),
  hasChanged: (count: number) => ({ count }),
  unchanged: (count: number) => ({ count }),
  conflicts: (count: number) => ({ count }),
  errors: (count: number) => ({ count }),
  ignored: (columns: readonly string[]) => ({ columns }),
  line: (line: number) => ({ line }),
  outcomes: byName,
  apply: (count: number) => ({ count }),
};

/** The texts of the page that imports an edited spreadsheet. */
export const spreadsheetTexts = textsOf(words, values, formats);
