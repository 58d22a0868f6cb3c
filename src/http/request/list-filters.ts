import { type ApiError, invalidFields } from "../../errors.ts";
import type { Query } from "./query.ts";

/**
 * The ids in a parameter, repeated or separated by commas; undefined if there are none. Throws 400 if a value is not
 * an id.
 */
export function idsIn(query: Query, name: string, message = "Enter a number."): number[] | undefined {
  const values = query.list(name);
  if (values.length === 0) return undefined;
  return values.map((text) => {
    if (!/^[+-]?\d+$/.test(text)) throw invalidFields({ [name]: [message.replace("%s", () => text)] });
    return idOf(text);
  });
}

/** No id exceeds the safe integers, so a larger number becomes -1, which no row has. */
function idOf(text: string): number {
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : -1;
}

/** A parameter's text; undefined if it is blank, which counts as missing. */
export function textIn(query: Query, name: string): string | undefined {
  const text = query.last(name);
  // NUL and lone surrogates cannot be stored, so they cannot be found.
  if (text === undefined || text === "") return undefined;
  return text.replaceAll("\0", "\uFFFD").toWellFormed();
}

/** A boolean parameter; any other text counts as missing. */
export function flagIn(query: Query, name: string): boolean | undefined {
  const text = query.last(name)?.trim();
  if (text === "true" || text === "True" || text === "2") return true;
  return text === "false" || text === "False" || text === "3" ? false : undefined;
}

export function uuidIn(query: Query, name: string): string | undefined {
  const text = textIn(query, name)?.trim().toLowerCase();
  if (text === undefined || text === "") return undefined;
  const digits = text.replaceAll(/[-{}]|^urn:uuid:/g, "");
  if (!/^[0-9a-f]{32}$/.test(digits)) throw invalidFields({ [name]: ["Enter a valid UUID."] });
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** A date, as `2025-01-31`; undefined if there is none. Throws 400 if it is invalid. */
export function dayIn(query: Query, name: string): string | undefined {
  const text = query.last(name)?.trim() ?? "";
  if (text === "") return undefined;
  const [, year = "", month = "", day = ""] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? [];
  const written = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const moment = new Date(`${written}T00:00:00Z`);
  // `Date` moves a day that its month does not have into the next month.
  if (Number.isNaN(moment.getTime()) || !moment.toISOString().startsWith(written)) {
    throw invalidFields({ [name]: ["Enter a valid date."] });
  }
  return written;
}

/** The error for an id of {@link idsIn} that no object visible to the viewer has. It quotes the id as it was sent. */
export function unknownChoice(query: Query, name: string, id: number): ApiError {
  const sent = query.list(name).find((text) => idOf(text) === id) ?? String(id);
  return invalidFields({ [name]: [`Select a valid choice. ${sent} is not one of the available choices.`] });
}
