import type { AuditEntry } from "../../contract/keeping.ts";
import { momentInWords } from "../../viewer/texts/moments.ts";
import { adminTexts } from "./admin-texts.ts";

const words = adminTexts.audit;

/** The members whose values are words of the API. */
const worded: ReadonlySet<string> = new Set([
  "access",
  "means",
  "role_before",
  "role_after",
  "unit",
  "starts",
]);

/** What an entry says besides who did what, a line for each member. What is empty, or hidden, is left out. */
export function detailsInWords({ source, details }: Pick<AuditEntry, "source" | "details">): string[] {
  return Object.entries(details).flatMap(([name, value]) => {
    const label = words.members[name] ?? name;
    if (source !== "document" || !Array.isArray(value) || value.length !== 2)
      return isEmpty(value) ? [] : [words.member(label, inWords(name, value))];
    const [from, to] = value as [unknown, unknown];
    if (isEmpty(from)) return isEmpty(to) ? [] : [words.member(label, inWords(name, to))];
    if (isEmpty(to)) return [words.memberGone(label, inWords(name, from))];
    return [words.memberChanged(label, inWords(name, from), inWords(name, to))];
  });
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === "";

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

function inWords(name: string, value: unknown): string {
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (typeof value !== "string") return JSON.stringify(value);
  if (worded.has(name)) return words.values[value] ?? value;
  return timestamp.test(value) ? momentInWords(value) : value;
}
