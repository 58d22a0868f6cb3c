import {
  PageSpecError,
  checkPageSpec,
  formatPageSpec,
  maxPageSpecLength,
  pageSides,
  pageSizes,
  parsePageSpec,
} from "../processing/page-spec.ts";
import { maxData } from "../resources/documents/data-field.ts";
import { maxRecordId } from "../search/parts.ts";
import { readTimestamp } from "../http/text/timestamp.ts";

/** A record is invalid. The message names the field and the reason. */
export class RecordError extends Error {
  override readonly name = "RecordError";
}

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isId(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= maxRecordId;
}

export function idIn(fields: Fields, name: string): number {
  const value = fields[name];
  if (!isId(value)) throw expected(name, `a whole number from 1 to ${maxRecordId}`);
  return value;
}

export function countIn(fields: Fields, name: string, missing: number, max?: number): number {
  const value = fields[name] ?? missing;
  if (!Number.isSafeInteger(value) || (value as number) < 0 || (value as number) > (max ?? Infinity))
    throw expected(name, max === undefined ? "a whole number, 0 or more" : `a whole number from 0 to ${max}`);
  return value as number;
}

export function flagIn(fields: Fields, name: string): boolean {
  const value = fields[name] ?? false;
  if (typeof value !== "boolean") throw expected(name, "true or false");
  return value;
}

/** A text of at most `maxLength` characters. Empty if the field is missing. */
export function textIn(fields: Fields, name: string, maxLength: number): string {
  const value = fields[name] ?? "";
  if (typeof value !== "string") throw expected(name, "a text");
  checkText(name, value, maxLength);
  return value;
}

export function choiceIn(
  fields: Fields,
  name: string,
  { missing, idMatches, what }: { missing: string; idMatches: (text: string) => boolean; what: string },
): string {
  const value = fields[name] ?? missing;
  if (typeof value !== "string" || !idMatches(value)) throw expected(name, what);
  return value;
}

/** Nearly all times have the stored format, and a day that the month has in every year. They need no further check. */
const keptMoment = new RegExp(
  String.raw`^(?!0000)\d{4}-(?:${[
    String.raw`(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])`,
    String.raw`(?:0[13-9]|1[0-2])-(?:29|30)`,
    String.raw`(?:0[13578]|1[02])-31`,
  ].join("|")})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z$`,
);

/** A time in the stored format. Null if the field is missing. */
export function momentIn(fields: Fields, name: string): string | null {
  const value = fields[name] ?? null;
  if (value === null) return null;
  if (typeof value === "string" && keptMoment.test(value)) return value;
  const moment = typeof value === "string" ? readTimestamp(value) : null;
  if (moment === null) throw expected(name, "a date and time in ISO 8601");
  return moment;
}

/** Free-form metadata, as JSON text. */
export function dataIn(fields: Fields, name: string): string {
  const value = fields[name] ?? {};
  if (!isFields(value)) throw expected(name, "an object of arrays of texts");
  for (const key in value) {
    if (!/^[A-Za-z0-9_-]{1,50}$/.test(key)) {
      throw new RecordError(`${name}: a key may have letters, digits, - and _, at most 50`);
    }
    const texts = value[key];
    if (!Array.isArray(texts)) throw expected(`${name}.${key}`, "an array of texts");
    for (const text of texts as unknown[]) {
      if (typeof text !== "string") throw expected(`${name}.${key}`, "an array of texts");
      checkText(`${name}.${key}`, text, 300);
    }
  }
  const text = JSON.stringify(value);
  if (text.length > maxData / 4 && Buffer.byteLength(text) > maxData)
    throw new RecordError(`${name}: more than ${maxData} bytes altogether`);
  return text;
}

/** Most documents have pages of one size. */
const specOfOneSize = new RegExp(String.raw`^${pageSides}:0(?:-(\d{1,15}))?$`);

/** A valid spec that is too long is shortened like that of a file: see {@link formatPageSpec}. */
export function pageSpecIn(fields: Fields, name: string, pageCount: number): string {
  const value = fields[name] ?? "";
  if (typeof value !== "string") throw expected(name, "a text");
  const ofOneSize = specOfOneSize.exec(value);
  if (ofOneSize !== null && Number(ofOneSize[3] ?? "0") === pageCount - 1) return value;
  try {
    const groups = parsePageSpec(value);
    checkPageSpec(groups, pageCount);
    if (value.length <= maxPageSpecLength) return value;
    return formatPageSpec([...pageSizes(groups, pageCount)].filter((size) => size !== undefined));
  } catch (error) {
    if (error instanceof PageSpecError) throw new RecordError(`${name} ${error.message}`);
    throw error;
  }
}

export function expected(name: string, what: string): RecordError {
  return new RecordError(`${name}: expected ${what}`);
}

/** PostgreSQL cannot store NUL, and neither engine can store half of a surrogate pair. */
function checkText(name: string, text: string, maxLength: number): void {
  if (text.length > maxLength && (text.length > 2 * maxLength || Array.from(text).length > maxLength)) {
    throw new RecordError(`${name}: longer than ${maxLength} characters`);
  }
  if (text.includes("\0") || !text.isWellFormed()) {
    throw new RecordError(`${name}: has a character that cannot be stored`);
  }
}
