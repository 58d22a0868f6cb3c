import { type ReasonKey, knownReasons } from "../contract/reasons.ts";
import type english from "./en/reasons.json";
import type { Formats } from "./formats.ts";
import { textsOf } from "./texts-of.ts";

const values = {
  madeOn: (day: string) => ({ day }),
  onPage: (page: number, boxes: number, reason: string) => ({ page, boxes, reason }),
  coded: (code: string, label: string) => ({ code, label }),
};

const keys = new Map<string, ReasonKey>(knownReasons.map(({ code, key }) => [code, key]));

/** The texts about reasons for redactions, and about what was withheld for them. */
export function reasonTexts(words: typeof english, formats: Formats) {
  const texts = textsOf(words, values, formats);
  const labels: Readonly<Record<ReasonKey, string>> = texts.labels;
  /** What a code means, in this language if every installation has it. */
  const labelOf = (code: string, label: string): string => {
    const key = keys.get(code);
    return key === undefined ? label : labels[key];
  };
  return {
    ...texts,
    labels,
    /** "(b)(6): Personal privacy"; null stands for no reason. */
    reason: (code: string | null, label: string | null): string =>
      code === null ? texts.noReason : texts.coded(code, labelOf(code, label ?? "")),
  };
}
