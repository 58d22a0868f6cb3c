import { bracketed, hexadecimalAt, plainString } from "./pdf-strings.ts";
import { plainName } from "./pdf-values.ts";

/** Where an operand may begin that is not a number, or an inline image. */
const startsOperand = /[(</%]|\bBI\b/g;
/** A part of drawing instructions that is no string. */
const instruction = /%[^\r\n]*|<<|>>|[^\s()<>[\]%]+|\s+|[^]/y;
/** The instructions that draw a string, and those that mark content. */
const drawsString = new Set(["Tj", "TJ", "'", '"']);
const marksContent = new Set(["BMC", "MP", "BDC", "DP"]);

interface Operand {
  kind: "string" | "name";
  text: string;
}

/** The strings that instructions do not draw, and the names in instructions that mark content. */
export function* undrawnOperandsIn(content: string): Generator<Operand> {
  const images = new InlineImages(content);
  let operands: Operand[] = [];
  let depth = 0;
  for (let at = 0; at < content.length;) {
    if (operands.length === 0 && depth === 0) {
      startsOperand.lastIndex = at;
      at = startsOperand.exec(content)?.index ?? content.length;
    }
    const string = content[at] === "(" ? bracketed(content, at) : hexadecimalAt(content, at);
    if (string !== "") {
      operands.push({ kind: "string", text: plainString(string) });
      at += string.length;
      continue;
    }
    instruction.lastIndex = at;
    const [token = ""] = instruction.exec(content) ?? [];
    at += token.length;
    if (token === "<<") depth += 1;
    else if (token === ">>") depth = Math.max(0, depth - 1);
    else if (token.startsWith("/")) {
      for (const name of token.slice(1).split("/"))
        operands.push({ kind: "name", text: plainName(`/${name}`) });
    } else if (marksContent.has(token) || (depth === 0 && /^[A-Za-z'"]/.test(token))) {
      const [marks, draws] = [marksContent.has(token), drawsString.has(token)];
      yield* operands.filter(({ kind }) => (kind === "name" ? marks : !draws));
      operands = [];
      depth = 0;
      if (token === "BI") at = images.after(at);
    }
  }
  yield* operands.filter(({ kind }) => kind === "string");
}

/** Finds the ends of inline images, whose data may look like anything. */
class InlineImages {
  readonly #content: string;
  #data = -1;

  constructor(content: string) {
    this.#content = content;
  }

  /** The position after the image whose dictionary begins here. Without data, nothing is skipped. */
  after(at: number): number {
    if (this.#data < at) this.#data = this.#next(/\sID\s/g, at);
    return this.#data - at > maxImageDictionary ? at : this.#next(/\sEI(?=\s|$)/g, this.#data);
  }

  #next(pattern: RegExp, at: number): number {
    pattern.lastIndex = at;
    return pattern.test(this.#content) ? pattern.lastIndex : Infinity;
  }
}

const maxImageDictionary = 2000;
