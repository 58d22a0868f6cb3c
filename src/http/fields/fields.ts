import { ApiError, invalidFields, invalidWhole } from "../../errors.ts";
import { type Body, type Members, membersOf, nameOfType } from "../request/body.ts";
import { readTimestamp } from "../text/timestamp.ts";

/**
 * What a client may send, field by field. One table of these checks a body (every fault at once, in the words that
 * clients of that API know), tells OPTIONS and the schema what there is, and draws the form on the browsable page.
 */
export interface Field<T = unknown> {
  readonly type: FieldType;
  /** Checks and converts a value that was sent. Throws a {@link FieldError}. */
  readonly read: (value: unknown) => T;
  readonly label?: string;
  readonly help?: string;
  /** Whether it has to be there when the whole is sent. */
  readonly required?: boolean;
  /** What it is when the whole is sent without it; absent: it stays away. */
  readonly default?: T;
  readonly nullable?: boolean;
  readonly maxLength?: number;
  readonly choices?: readonly string[];
  /** A value that it takes, for the published schema; without one, the schema finds one by type. */
  readonly example?: T;
  /** What a list holds. */
  readonly item?: Field;
  /** For the published schema, where the type says too little: what stands in a JSON value, the format of a text. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Not shown to people or in the schema: it is there to be refused. */
  readonly hidden?: boolean;
}

export type FieldType =
  | "string"
  | "text"
  | "url"
  | "boolean"
  | "integer"
  | "number"
  | "choice"
  | "datetime"
  | "list"
  | "json";

export type FieldTable = Readonly<Record<string, Field>>;

/** What a table reads: every field is there or not, as it was sent. */
export type Values<Table extends FieldTable> = {
  -readonly [Name in keyof Table]?: Table[Name] extends Field<infer T>
    ? T | (Table[Name] extends { nullable: true } ? null : never)
    : never;
};

/** What is wrong with a value: messages, or for one that has parts, faults by part. */
export class FieldError extends Error {
  readonly messages: unknown;

  constructor(...messages: string[]) {
    super(messages.join(" "));
    this.messages = messages;
  }

  static nested(messages: unknown): FieldError {
    const fault = new FieldError();
    Object.assign(fault, { messages });
    return fault;
  }
}

/** All of it: what is missing takes its default, or is missed. A part: what is missing stays away. */
export type Extent = "whole" | "part";

/** Reads an object by a table; 400 with every message, by field. Members that no field has are passed over. */
export function readFields<Table extends FieldTable>(
  table: Table,
  members: Members,
  extent: Extent,
): Values<Table> {
  const values = new Map<string, unknown>();
  const faults = new Map<string, unknown>();
  for (const [name, field] of Object.entries(table)) {
    try {
      const value = readMember(field, members.get(name), extent);
      if (value !== undefined) values.set(name, value);
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      faults.set(name, error.messages);
    }
  }
  if (faults.size > 0) throw invalidFields(Object.fromEntries(faults));
  return Object.fromEntries(values) as Values<Table>;
}

function readMember(field: Field, value: unknown, extent: Extent): unknown {
  if (value === undefined) {
    if (extent === "part") return undefined;
    if (field.default !== undefined) return field.default;
    if (field.required === true) throw new FieldError("This field is required.");
    return undefined;
  }
  if (value !== null) return field.read(value);
  if (field.nullable === true) return field.hidden === true ? undefined : null;
  throw new FieldError("This field may not be null.");
}

/** The members of a body that is one object: as JSON, or as a form whose texts stand for the table's values. */
export function membersIn(table: FieldTable, body: Body): Members {
  if ("json" in body) return membersOf(body.json);
  return new Map(
    Object.entries(table).flatMap(([name, field]) => {
      const texts = body.form.get(name);
      const value = texts === undefined ? undefined : valueOfTexts(field, texts);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** A form has no null and no "not there" for an empty control: an empty text is one of these where it can be. */
function valueOfTexts(field: Field, texts: readonly string[]): unknown {
  const [last = ""] = texts.slice(-1);
  if (field.type === "list") return texts.filter((one) => one !== "");
  if (last === "" && field.nullable === true) return null;
  if (last === "" && !["string", "text", "url", "choice"].includes(field.type)) return undefined;
  if (field.type !== "json") return last;
  try {
    return JSON.parse(last) as unknown;
  } catch {
    // Read as what it is, a text; the field says what it wants instead.
    return last;
  }
}

/** The limit of every request that names many things. */
export const bulkLimit = 25;

/** Whoever gets so many items of a list wrong is not told of the others: a megabyte holds half a million of them. */
const maxFaults = 100;

/**
 * Reads each item of a list; 400 with a list of faults in the order of the request, `{}` for what is good, as far as
 * the hundredth that is not. `read` throws an ApiError (400) for an item that is not good.
 */
export function readList<T>(
  value: unknown,
  read: (members: Members, index: number) => T,
  most = bulkLimit,
): T[] {
  if (!Array.isArray(value)) {
    throw invalidWhole(`Expected a list of items but got type "${nameOfType(value)}".`);
  }
  if (value.length > most) throw tooMany();
  const faults: unknown[] = [];
  let wrong = 0;
  const items = value.map((item: unknown, index) => {
    try {
      faults.push({});
      return read(membersOf(item), index);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) throw error;
      faults[index] = error.body;
      wrong += 1;
      if (wrong === maxFaults) throw new ApiError(400, faults);
      return undefined;
    }
  });
  if (wrong > 0) throw new ApiError(400, faults);
  return items as T[];
}

export const tooManyMessage = `Bulk API operations are limited to ${bulkLimit} at a time`;

export function tooMany(): ApiError {
  return invalidWhole(tooManyMessage);
}

type Options<T> = Omit<Partial<Field<T>>, "type" | "read">;

/** A text, without the white space around it. */
export function text<const O extends Options<string> & { blank?: boolean; long?: boolean }>(
  options: O,
): Field<string> & O {
  const { maxLength = Infinity, blank = false, long = false } = options;
  return {
    type: long ? "text" : "string",
    read: (value) => {
      const read = readText(value).trim();
      if (read === "" && !blank) throw new FieldError("This field may not be blank.");
      checkLength(read, maxLength);
      return read;
    },
    ...options,
  };
}

/** Any text that can be kept; numbers count as their digits. */
export function readText(value: unknown): string {
  if (typeof value !== "string" && !(typeof value === "number" && Number.isFinite(value))) {
    throw new FieldError("Not a valid string.");
  }
  const read = String(value);
  if (read.includes("\0")) throw new FieldError("Null characters are not allowed.");
  if (!read.isWellFormed()) {
    const half =
      /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.exec(read)?.[0] ?? "";
    const code = half.charCodeAt(0).toString(16).toUpperCase();
    throw new FieldError(`Surrogate characters are not allowed: U+${code}.`);
  }
  return read;
}

/** In characters, as a person counts them, not in UTF-16's halves. */
export function checkLength(read: string, maxLength: number): void {
  if (read.length > maxLength && Array.from(read).length > maxLength) {
    throw new FieldError(`Ensure this field has no more than ${maxLength} characters.`);
  }
}

/** An address that a page may link to, or nothing where `blank` says so. */
export function url<const O extends Options<string> & { blank?: boolean }>(options: O): Field<string> & O {
  const { maxLength = 1024, blank = false } = options;
  return {
    type: "url",
    maxLength,
    read: (value) => {
      const read = readText(value).trim();
      if (read === "" && !blank) throw new FieldError("This field may not be blank.");
      // First: reading a long host name of many different letters takes time that grows with the square of its length.
      checkLength(read, maxLength);
      if (read !== "" && !isAddress(read)) throw new FieldError("Enter a valid URL.");
      return read;
    },
    ...options,
  };
}

function isAddress(address: string): boolean {
  if (!/^(https?|ftps?):\/\/[^\s\p{Cc}<>"]+$/iu.test(address) || !URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  return hostname === "localhost" || hostname.startsWith("[") || /[^.]\.[^.]/.test(hostname);
}

const truths: ReadonlySet<unknown> = new Set(["t", "y", "yes", "true", "on", "1", 1, true]);
const untruths: ReadonlySet<unknown> = new Set(["f", "n", "no", "false", "off", "0", 0, false]);

export function boolean<const O extends Options<boolean>>(options: O): Field<boolean> & O {
  return {
    type: "boolean",
    read: (value) => {
      const plain = typeof value === "string" ? value.trim().toLowerCase() : value;
      if (truths.has(plain)) return true;
      if (untruths.has(plain)) return false;
      throw new FieldError("Must be a valid boolean.");
    },
    ...options,
  };
}

export function integer<const O extends Options<number> & { least?: number; most?: number }>(
  options: O,
): Field<number> & O {
  const { least = -Infinity, most = Infinity } = options;
  return {
    type: "integer",
    read: (value) => {
      const read = readInteger(value);
      if (read > most) throw new FieldError(`Ensure this value is less than or equal to ${most}.`);
      if (read < least) throw new FieldError(`Ensure this value is greater than or equal to ${least}.`);
      return read;
    },
    ...options,
  };
}

export function readInteger(value: unknown): number {
  const isText = typeof value === "string" && /^\s*[+-]?\d{1,15}(\.0*)?\s*$/.test(value);
  const read = isText ? Number(value) : value;
  if (typeof read !== "number" || !Number.isSafeInteger(read))
    throw new FieldError("A valid integer is required.");
  return read;
}

/** A number that need not be whole, also as a text. */
export function number<const O extends Options<number> & { least?: number; most?: number }>(
  options: O,
): Field<number> & O {
  const { least = -Infinity, most = Infinity } = options;
  return {
    type: "number",
    read: (value) => {
      const read = readNumber(value);
      if (read > most) throw new FieldError(`Ensure this value is less than or equal to ${decimal(most)}.`);
      if (read < least)
        throw new FieldError(`Ensure this value is greater than or equal to ${decimal(least)}.`);
      return read;
    },
    ...options,
  };
}

function readNumber(value: unknown): number {
  const isText = typeof value === "string" && value.length <= 1000 && decimalText.test(value);
  const read = isText ? Number(value) : value;
  if (typeof read !== "number" || !Number.isFinite(read)) throw new FieldError("A valid number is required.");
  return read === 0 ? 0 : read;
}

const decimalText = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;

function decimal(limit: number): string {
  return Number.isInteger(limit) ? `${limit}.0` : String(limit);
}

/** The id of something that is there: whether it is, is for whoever can ask. */
export function key<const O extends Options<number>>(options: O): Field<number> & O {
  return { type: "integer", schema: { format: "int64" }, read: readKey, ...options };
}

function readKey(value: unknown): number {
  if (typeof value === "string" && /^\s*[+-]?\d{1,15}\s*$/.test(value)) return Number(value);
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  if (typeof value === "number" || (typeof value === "string" && /^\s*[+-]?\d+\s*$/.test(value))) {
    throw unknownKey(value);
  }
  throw new FieldError(`Incorrect type. Expected pk value, received ${nameOfType(value)}.`);
}

export function unknownKey(value: string | number): FieldError {
  return new FieldError(
    `Invalid pk "${typeof value === "number" ? digitsOf(value) : value}" - object does not exist.`,
  );
}

/** A large number as people send one: without an exponent. */
function digitsOf(value: number): string {
  const [, sign = "", first = "", more = "", exponent] =
    /^(-?)(\d)(?:\.(\d+))?e\+(\d+)$/.exec(String(value)) ?? [];
  return exponent === undefined ? String(value) : sign + (first + more).padEnd(Number(exponent) + 1, "0");
}

/** One of a few; `blank` allows nothing besides. */
export function choice<const Choice extends string, const O extends Options<Choice> & { blank?: boolean }>(
  choices: readonly Choice[],
  options: O,
): Field<Choice> & O {
  return {
    type: "choice",
    choices,
    read: (value) => {
      if (value === "" && options.blank === true) return "" as Choice;
      const found = choices.find((one) => one === value);
      if (found === undefined) throw new FieldError(`"${shown(value)}" is not a valid choice.`);
      return found;
    },
    ...options,
  };
}

/** A value within a message: short, and a text that JSON can hold. */
function shown(value: unknown): string {
  const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  const whole = isPlain ? String(value) : nameOfType(value);
  return whole.slice(0, 200).toWellFormed();
}

export function dateTime<const O extends Options<string>>(options: O): Field<string> & O {
  return {
    type: "datetime",
    read: (value) => {
      const read = typeof value === "string" && value.length < 100 ? readTimestamp(value.trim()) : null;
      if (read === null)
        throw new FieldError(`Datetime has wrong format. Use one of these formats instead: ${formats}.`);
      return read;
    },
    ...options,
  };
}

const formats = "YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z]";

/** Items of one kind; faults come by the place of their item. */
export function listOf<T, const O extends Options<T[]>>(item: Field<T>, options: O): Field<T[]> & O {
  return {
    type: "list",
    item,
    read: (value) => {
      if (!Array.isArray(value)) {
        throw new FieldError(`Expected a list of items but got type "${nameOfType(value)}".`);
      }
      return value.map((one: unknown) => (one === null ? readNull(item) : item.read(one)));
    },
    ...options,
  };
}

function readNull<T>(item: Field<T>): T {
  if (item.nullable === true) return null as T;
  throw new FieldError("This field may not be null.");
}
