import { maxAddressLength } from "../../contract/limits.ts";
import { nameOfType } from "../request/body.ts";
import { readTimestamp } from "../text/timestamp.ts";
import { type Field, FieldError } from "./fields.ts";

/*
 * The kinds of fields. Each reads a value as Django REST framework does, and says in its words what is wrong.
 */

type Options<T> = Omit<Partial<Field<T>>, "type" | "read">;

/** A text, trimmed. */
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

/** Reads a text that can be stored; a number becomes its digits. */
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

/** Counts characters as people do, not UTF-16 code units. */
export function checkLength(read: string, maxLength: number): void {
  if (read.length > maxLength && Array.from(read).length > maxLength) {
    throw new FieldError(`Ensure this field has no more than ${maxLength} characters.`);
  }
}

/** An address to which a page may link; empty if `blank` is set. */
export function url<const O extends Options<string> & { blank?: boolean }>(options: O): Field<string> & O {
  const { maxLength = maxAddressLength, blank = false } = options;
  return {
    type: "url",
    maxLength,
    read: (value) => {
      const read = readText(value).trim();
      if (read === "" && !blank) throw new FieldError("This field may not be blank.");
      // Checked first: parsing a long host name of many different letters takes quadratic time.
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

const trueValues: ReadonlySet<unknown> = new Set(["t", "y", "yes", "true", "on", "1", 1, true]);
const falseValues: ReadonlySet<unknown> = new Set(["f", "n", "no", "false", "off", "0", 0, false]);

export function boolean<const O extends Options<boolean>>(options: O): Field<boolean> & O {
  return {
    type: "boolean",
    read: (value) => {
      const plain = typeof value === "string" ? value.trim().toLowerCase() : value;
      if (trueValues.has(plain)) return true;
      if (falseValues.has(plain)) return false;
      throw new FieldError("Must be a valid boolean.");
    },
    ...options,
  };
}

export function integer<const O extends Options<number> & { min?: number; max?: number }>(
  options: O,
): Field<number> & O {
  const { min = -Infinity, max = Infinity } = options;
  return {
    type: "integer",
    read: (value) => {
      const read = readInteger(value);
      if (read > max) throw new FieldError(`Ensure this value is less than or equal to ${max}.`);
      if (read < min) throw new FieldError(`Ensure this value is greater than or equal to ${min}.`);
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

/** A number, whole or not; also accepted as a text. */
export function number<const O extends Options<number> & { min?: number; max?: number }>(
  options: O,
): Field<number> & O {
  const { min = -Infinity, max = Infinity } = options;
  return {
    type: "number",
    read: (value) => {
      const read = readNumber(value);
      if (read > max) throw new FieldError(`Ensure this value is less than or equal to ${decimal(max)}.`);
      if (read < min) throw new FieldError(`Ensure this value is greater than or equal to ${decimal(min)}.`);
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

/** The id of an existing object: the caller checks that it exists. */
export function key<const O extends Options<number>>(options: O): Field<number> & O {
  return { type: "integer", schema: { format: "int64", minimum: 1 }, read: readKey, ...options };
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

/** A large number written as clients send it: without an exponent. */
function digitsOf(value: number): string {
  const [, sign = "", first = "", more = "", exponent] =
    /^(-?)(\d)(?:\.(\d+))?e\+(\d+)$/.exec(String(value)) ?? [];
  return exponent === undefined ? String(value) : sign + (first + more).padEnd(Number(exponent) + 1, "0");
}

/** One of several choices; `blank` also allows an empty text. */
export function choice<const Choice extends string, const O extends Options<Choice> & { blank?: boolean }>(
  choices: readonly Choice[],
  options: O,
): Field<Choice> & O {
  return {
    type: "choice",
    choices,
    read: (value) => {
      if (value === "" && options.blank === true) return "" as Choice;
      const found = choices.find((option) => option === value);
      if (found === undefined) throw new FieldError(`"${shown(value)}" is not a valid choice.`);
      return found;
    },
    ...options,
  };
}

/** A value for use in a message: shortened, and valid in JSON. */
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

/** Items of one kind; errors are listed by the index of their item. */
export function listOf<T, const O extends Options<T[]>>(item: Field<T>, options: O): Field<T[]> & O {
  return {
    type: "list",
    item,
    read: (value) => {
      if (!Array.isArray(value)) {
        throw new FieldError(`Expected a list of items but got type "${nameOfType(value)}".`);
      }
      return value.map((element: unknown) => (element === null ? readNull(item) : item.read(element)));
    },
    ...options,
  };
}

function readNull<T>(item: Field<T>): T {
  if (item.nullable === true) return null as T;
  throw new FieldError("This field may not be null.");
}
