import words from "#words/batch-redaction.json" with { type: "json" };
import { textsOf } from "../../texts/texts-of.ts";
import { formats } from "../../viewer/texts/formats.ts";

/** The texts of the page that redacts words in several documents. */
export const batchRedactionTexts = textsOf(
  words,
  {
    documents: (count: number) => ({ count }),
    cut: (max: number) => ({ max }),
    notYours: (count: number) => ({ count }),
    withoutPages: (count: number) => ({ count }),
    ticked: (places: number, documents: number) => ({ places, documents }),
    ask: (places: number, documents: number) => ({ places, documents }),
    refused: (reason: string) => ({ reason }),
  },
  formats,
);
