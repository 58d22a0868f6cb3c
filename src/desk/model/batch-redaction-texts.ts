import words from "#words/batch-redaction.json" with { type: "json" };
import { textsOf } from "../../texts/texts-of.ts";
import { formats } from "../../viewer/texts/formats.ts";
import { redactingTexts } from "../../viewer/texts/redacting-texts.ts";

const values = {
  documents: (count: number) => ({ count }),
  cut: (max: number) => ({ max }),
  notYours: (count: number) => ({ count }),
  withoutPages: (count: number) => ({ count }),
  ticked: (marks: number, documents: number) => ({ marks, documents }),
  tickedOf: (ticked: number, found: number) => ({ ticked, found }),
  ask: (marks: number, documents: number) => ({ marks, documents }),
  /** `kinds` has the number and the type of files: "2 XLSX". */
  originalsGo: (kinds: readonly string[], count: number) => ({ kinds, count }),
  attachedGo: (count: number) => ({ count }),
  partsStay: (count: number) => ({ count }),
  counts: (running: number, waiting: number, ended: number) => ({ running, waiting, ended }),
  cancelAll: (count: number) => ({ count }),
  askCancel: (count: number) => ({ count }),
  confirmCancel: (count: number) => ({ count }),
  notCancelled: (title: string, reason: string) => ({ title, reason }),
  refused: (reason: string) => ({ reason }),
};

const { redact } = redactingTexts;

/** The texts of the page that redacts words in several documents. Some are those of a redaction in one. */
export const batchRedactionTexts = {
  ...textsOf(words, values, formats),
  wordsHelp: redact.wordsHelp,
  find: redact.findAll,
  apply: redact.apply,
  openCopy: redact.target.open,
  running: redact.working,
  pagesDone: redact.recognised,
};
