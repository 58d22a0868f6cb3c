import common from "#words/common.json" with { type: "json" };
import words from "#words/viewer.json" with { type: "json" };
import { commonTexts } from "../../texts/common.ts";
import { byName, textsOf } from "../../texts/texts-of.ts";
import { formats } from "./formats.ts";

/*
 * `#words/` is the folder of one language: see `imports` in package.json, and the conditions of the bundler in
 * web/viewer-bundle.ts. So a script has the words of its language alone. Outside a bundle, they are English.
 */

const values = {
  pageNotThere: (page: number) => ({ page }),
  pagesDone: (done: number, pages: number) => ({ done, pages }),
  // Requests that fail without an explanation from the API
  status: (code: number) => ({ code }),
  form: { conflict: (value: string) => ({ value }) },
  ofPages: (count: number) => ({ count }),
  downloadAs: (type: string) => ({ type }),
  zoomValue: (percent: number) => ({ percent }),
  rotated: (degrees: number) => ({ degrees }),
  /** The names of keys, as keyboards have them. */
  keyNames: byName,
  hits: (hits: number, pages: number) => ({ hits, pages }),
  hitsOnPages: (pages: number) => ({ pages }),
  hit: (number: number, count: number, page: number) => ({ number, count, page }),
  hitPage: (page: number, number: number, count: number) => ({ page, number, count }),
  sectionPage: (page: number) => ({ page }),
  quotation: (text: string, title: string, page: number) => ({ text, title, page }),
  noteTitled: (title: string) => ({ title }),
  rowNumber: (row: number) => ({ row }),
  column: (letters: string) => ({ letters }),
  ascending: (title: string) => ({ title }),
  descending: (title: string) => ({ title }),
  firstRows: (count: number) => ({ count }),
  rows: (count: number) => ({ count }),
  rowsSoFar: (count: number, max: number) => ({ count, max }),
  tableUnreadable: (reason: string) => ({ reason }),
  mailUnreadableBecause: (reason: string) => ({ reason }),
};

const viewer = textsOf(words, values, formats);

/**
 * The texts that every reader of the viewer may see, and those of the parts that the desk shares. Messages of the API
 * appear as the server wrote them.
 */
export const texts = {
  formats,
  ...commonTexts(common, formats),
  ...viewer,
  mailUnreadable: (reason: string | null) =>
    reason === null ? viewer.mailUnreadableNow : viewer.mailUnreadableBecause(reason),
};
