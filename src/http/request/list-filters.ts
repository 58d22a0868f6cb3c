import { type ApiError, invalidFields } from "../../errors.ts";
import type { Query } from "./query.ts";

/** The ids in a parameter, with commas or repeated; undefined where none is given. 400 for what is none. */
export function idsIn(query: Query, name: string, message = "Enter a number."): number[] | undefined {
  const values = query.list(name);
  if (values.length === 0) return undefined;
  return values.map((text) => {
    if (!/^[+-]?\d+$/.test(text)) throw invalidFields({ [name]: [message.replace("%s", () => text)] });
    return idOf(text);
  });
}

/** Beyond what a number holds exactly there is no id. */
function idOf(text: string): number {
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : -1;
}

/** A parameter's text; undefined where it is blank, which is as if it were not there. */
export function textIn(query: Query, name: string): string | undefined {
  const text = query.last(name);
  // Neither can be stored, so neither can be found.
  if (text === undefined || text === "") return undefined;
  return text.replaceAll("\0", "\uFFFD").toWellFormed();
}

/** A parameter that is true or false; any other text is as if it were not there. */
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

/** A day, as `2025-01-31`; undefined where none is given. 400 for what is none. */
export function dayIn(query: Query, name: string): string | undefined {
  const text = query.last(name)?.trim() ?? "";
  if (text === "") return undefined;
  const [, year = "", month = "", day = ""] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? [];
  const written = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const moment = new Date(`${written}T00:00:00Z`);
  // A day that its month has not is one of the next month.
  if (Number.isNaN(moment.getTime()) || !moment.toISOString().startsWith(written)) {
    throw invalidFields({ [name]: ["Enter a valid date."] });
  }
  return written;
}

/** What is said of an id of {@link idsIn} that names nothing which the viewer may know of: as it was sent. */
export function unknownChoice(query: Query, name: string, id: number): ApiError {
  const sent = query.list(name).find((text) => idOf(text) === id) ?? String(id);
  return invalidFields({ [name]: [`Select a valid choice. ${sent} is not one of the available choices.`] });
}
