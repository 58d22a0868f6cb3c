import type { Bound, ExactField, Query, TextField, WordPattern } from "./query-tree.ts";

/** How a query was understood, in its own language and with all that it leaves unsaid. */
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
      const { field, words, slop, boost } = query;
      const text = words.map(patternText).join(" ");
      const several = `"${text}"${slop === null ? "" : `~${slop}`}`;
      return `${textFieldName(field)}${words.length > 1 ? several : text}${boost === 1 ? "" : `^${boost}`}`;
    }
    case "is":
      return `${exactFieldName(query.field)}:${JSON.stringify(query.value)}`;
    case "begins":
      return `${exactFieldName(query.field)}:${query.value.replaceAll(/[\s()"[\]{}~^\\*?]/g, "\\$&")}*`;
    default: {
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
  return typeof field === "string" ? field : `data_${field.data}`;
}

function patternText(pattern: WordPattern): string {
  if ("word" in pattern) return pattern.word;
  if ("start" in pattern) return `${pattern.start}*`;
  return "pattern" in pattern ? pattern.pattern : `${pattern.like}~${pattern.edits}`;
}

function boundText(bound: Bound | null): string {
  return bound === null ? "*" : String(bound.value);
}
