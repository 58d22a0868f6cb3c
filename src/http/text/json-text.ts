export interface JsonToken {
  /** A mark is a bracket, a comma, a colon or the white space between tokens. */
  kind: "key" | "string" | "number" | "literal" | "mark";
  text: string;
}

/** A string (even an unterminated one), a mark, white space, or any text between those. */
const tokens = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|[{}[\],:]|[ \t\n\r]+|[^ \t\n\r"{}[\],:]+/g;

/**
 * The tokens of a JSON text, indented as `JSON.stringify` would with this many spaces. Only the white space between
 * tokens changes: parsing and serializing the values would make 1 of 1.0 and round long numbers.
 */
export function* laidOut(json: string, spaces: number): Generator<JsonToken> {
  const open: string[] = [];
  const newLine = (): JsonToken => ({ kind: "mark", text: `\n${" ".repeat(spaces * open.length)}` });
  let previous = "";
  for (const [text] of json.matchAll(tokens)) {
    if (/^[ \t\n\r]/.test(text)) continue;
    if (text === "}" || text === "]") {
      open.pop();
      if (previous !== "{" && previous !== "[") yield newLine();
    } else if (previous === "{" || previous === "[" || previous === ",") {
      yield newLine();
    }
    const isKey = open.at(-1) === "{" && previous !== ":";
    if (text === "{" || text === "[") open.push(text);
    yield { kind: kindOf(text, isKey), text: text === ":" ? ": " : text };
    previous = text;
  }
}

export function indentJson(json: string, spaces: number): string {
  return Array.from(laidOut(json, spaces), ({ text }) => text).join("");
}

/** The same in parts. */
export async function* indentedParts(json: string, spaces: number): AsyncGenerator<Buffer> {
  let part = "";
  for (const { text } of laidOut(json, spaces)) {
    part += text;
    if (part.length < partLength) continue;
    yield Buffer.from(part);
    part = "";
  }
  yield Buffer.from(part);
}

const partLength = 64 * 1024;

function kindOf(text: string, isKey: boolean): JsonToken["kind"] {
  if (text.startsWith('"')) return isKey ? "key" : "string";
  if (/^[-\d]/.test(text)) return "number";
  return /^\w/.test(text) ? "literal" : "mark";
}
