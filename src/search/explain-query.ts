import { mentionFieldName } from "./query-fields.ts";
import { isLoneLetter, isUnspaced } from "./words.ts";
import type { Bound, ExactField, Query, TextField, WordPattern } from "./query-tree.ts";

/** How a query was understood, in the query language and with everything that it leaves implicit. */
export function explainQuery(query: Query): string {
  switch (query.kind) {
    case "everything":
      return "*:*";
    case "nothing":
      return "NOT *:*";
    case "and":
    case "or":
      return `(${query.of.map(explainQuery).join(query.kind === "and" ? " AND " : " OR ")})`;
    case "not":
      return `NOT ${explainQuery(query.of)}`;
    case "words": {
      const { field, words, slop, boost, exact } = query;
      const isStart = words.some((word) => "start" in word && !isLoneLetter(word.start));
      // Quotes allow no wildcards: `new` followed by `yor*` is written `new-yor*`.
      const text =
        (words.length === 1 && exact !== true) || isStart
          ? textOf(words, "-")
          : `"${textOf(words.map(whole), " ")}"`;
      const near = slop === null ? "" : `~${slop}`;
      return `${textFieldName(field)}${text}${near}${boost === 1 ? "" : `^${boost}`}`;
    }
    case "has":
      return `${textFieldName(query.field)}*`;
    case "is":
      return `${exactFieldName(query.field)}:"${query.value.replaceAll(/["\\]/g, "\\$&")}"`;
    case "begins":
      return `${exactFieldName(query.field)}:${query.value.replaceAll(/[^\p{L}\p{N}]/gu, "\\$&")}*`;
    case "range": {
      const { field, from, to } = query;
      const opening = from?.isIncluded === false ? "{" : "[";
      const closing = to?.isIncluded === false ? "}" : "]";
      return `${field}:${opening}${boundText(from)} TO ${boundText(to)}${closing}`;
    }
  }
}

function textFieldName(field: TextField | null): string {
  if (field === null) return "";
  return typeof field === "string" ? `${field}:` : `page_no_${field.page}:`;
}

function exactFieldName(field: ExactField): string {
  if (typeof field === "string") return field;
  return "mention" in field ? mentionFieldName(field) : `data_${field.data}`;
}

/** Overlapping pairs of letters are joined to the original text: `東京` and `京都` become `東京都`. */
function textOf(words: readonly WordPattern[], separator: string): string {
  let text = "";
  let before: readonly string[] = [];
  for (const word of words) {
    const letters = Array.from(patternText(word));
    const isPair = before.length === 2 && isUnspaced(before.join(""));
    if (isPair && letters[0] === before[1]) text += letters.slice(1).join("");
    else text += (text === "" ? "" : separator) + letters.join("");
    before = letters;
  }
  return text;
}

function patternText(pattern: WordPattern): string {
  if ("word" in pattern) return pattern.word;
  if ("start" in pattern) return `${pattern.start}*`;
  return "pattern" in pattern ? pattern.pattern : `${pattern.like}~${pattern.edits}`;
}

/** Within quotes a lone letter is the start of a word even without a wildcard. */
function whole(pattern: WordPattern): WordPattern {
  return "start" in pattern ? { word: pattern.start } : pattern;
}

function boundText(bound: Bound | null): string {
  return bound === null ? "*" : String(bound.value);
}
