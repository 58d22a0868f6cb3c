import type { RecognisedKind } from "../contract/search.ts";
import { accountRules } from "./accounts.ts";
import { addressRules } from "./addresses.ts";
import { birthDateRules } from "./dates-of-birth.ts";
import { moneyRules } from "./money.ts";
import { dateRules } from "./dates.ts";
import { phoneRules } from "./phones.ts";
import { plateRules } from "./plates.ts";
import type { Rule, Span } from "./rule.ts";
import { socialSecurityRules } from "./social-security.ts";
import { taxRules } from "./tax-numbers.ts";

/*
 * Finds numbers and addresses in texts by rules: what has a form of its own, a check digit, or words beside it. Each
 * rule names the document in which the form is laid down. `labelled.ts` has texts that people have marked, by which
 * `recognise.test.ts` measures precision and recall.
 */

/** Something that a rule has found in a text. */
export interface Recognised extends Span {
  kind: RecognisedKind;
  rule: string;
}

/** All rules. What an earlier rule has found, no later one finds: the stricter come first. */
export const rules: readonly Rule[] = [
  ...addressRules,
  ...accountRules,
  ...socialSecurityRules,
  ...taxRules,
  ...birthDateRules,
  ...phoneRules,
  ...moneyRules,
  ...dateRules,
  ...plateRules,
];

/** What the text has of these kinds, in its order. Nothing overlaps. */
export function recognise(text: string, kinds: ReadonlySet<RecognisedKind>): Recognised[] {
  const last = rules.findLastIndex(({ kind }) => kinds.has(kind));
  const found: Recognised[] = [];
  const isTaken = new Uint8Array(text.length);
  for (const { name, kind, find } of rules.slice(0, last + 1)) {
    for (const { start, end } of find(text)) {
      if (isTaken.subarray(start, end).includes(1)) continue;
      isTaken.fill(1, start, end);
      found.push({ start, end, kind, rule: name });
    }
  }
  return found.filter(({ kind }) => kinds.has(kind)).toSorted((one, other) => one.start - other.start);
}
