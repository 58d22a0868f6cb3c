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
    tickedOf: (ticked: number, found: number) => ({ ticked, found }),
    ask: (places: number, documents: number) => ({ places, documents }),
    /** `kinds` has the number and the type of files: "2 XLSX". */
    originalsGo: (kinds: readonly string[], count: number) => ({ kinds, count }),
    counts: (running: number, waiting: number, ended: number) => ({ running, waiting, ended }),
    pagesDone: (done: number, pages: number) => ({ done, pages }),
    cancelAll: (count: number) => ({ count }),
    askCancel: (count: number) => ({ count }),
    confirmCancel: (count: number) => ({ count }),
    notCancelled: (title: string, reason: string) => ({ title, reason }),
    refused: (reason: string) => ({ reason }),
  },
  formats,
);
