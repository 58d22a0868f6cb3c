import { UnreadableFileError } from "../unreadable-file.ts";
import type { AddText } from "./add-text.ts";

/*
 * RTF, by Microsoft's specification (version 1.9.1): groups in braces, control words, and text in the encoding of the
 * font that is set. A group that begins with a destination holds something else than the text of the document.
 */

/** Destinations whose contents are not shown, or are shown elsewhere. */
const notShown = new Set(
  (
    "fonttbl colortbl stylesheet info pict object objdata filetbl listtable listoverridetable revtbl rsidtbl " +
    "generator " +
    "fldinst themedata colorschememapping latentstyles datastore xmlnstbl mmathPr pgptbl datafield bkmkstart bkmkend " +
    "listtext pntext pnseclvl template passwordhash nonshppict sp sn sv panose falt atnid atnauthor atndate atnref " +
    "userprops wgrffmtfilter private fchars lchars upr"
  ).split(" "),
);

const characters: Readonly<Record<string, string>> = {
  emdash: "\u2014",
  endash: "\u2013",
  emspace: " ",
  enspace: " ",
  qmspace: " ",
  bullet: "\u2022",
  lquote: "\u2018",
  rquote: "\u2019",
  ldblquote: "\u201c",
  rdblquote: "\u201d",
  tab: "\t",
  line: "\n",
};

/** The control symbols that are characters. */
const symbols: Readonly<Record<string, string>> = { "~": " ", _: "\u2011", "\\": "\\", "{": "{", "}": "}" };

/** The code page of a font by its character set. */
const pagesOfCharsets: Readonly<Record<number, number>> = {
  0: 1252,
  77: 10_000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
};

const namesOfPages: Readonly<Record<number, string>> = {
  866: "ibm866",
  874: "windows-874",
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  10_000: "macintosh",
  10_007: "x-mac-cyrillic",
  65_001: "utf-8",
};

interface Group {
  /** Whether it is a destination that is not shown, or within one. */
  isAside: boolean;
  /** Whether its text is marked as hidden. */
  isHidden: boolean;
  /** Whether it stands apart from the text around it, as a header does. */
  isApart: boolean;
  /** How many characters stand in for one that is given by its number. */
  replacements: number;
  codePage: number;
}

const outermost: Group = { isAside: false, isHidden: false, isApart: false, replacements: 1, codePage: 1252 };

/** Destinations whose text is shown away from the text around it. */
const apart = /^(?:header|footer)[lrf]?$/;

const maxDepth = 10_000;

/** Adds a line for each paragraph and each table row, with tabs between the cells. */
export function readRichText(bytes: Uint8Array, add: AddText): void {
  const reader = new RichText(add);
  const text = Buffer.from(bytes).toString("latin1");
  const token = /\\([a-z]+)(-?\d+)? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/gi;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [, word, value, hex, symbol, brace, plain] = match;
    if (brace === "{") reader.open();
    else if (brace === "}") reader.close();
    else if (hex !== undefined) reader.byte(Number.parseInt(hex, 16));
    else if (plain !== undefined) for (const character of plain) reader.byte(character.charCodeAt(0));
    else if (symbol !== undefined) reader.symbol(symbol);
    else if (word === "bin") token.lastIndex += Math.max(0, Number(value ?? 0));
    else if (word !== undefined) reader.control(word, value === undefined ? null : Number(value));
  }
  reader.end();
}

class RichText {
  readonly #add: AddText;
  #line = "";
  /** Text in the encoding of its font, until it ends. */
  #bytes: number[] = [];
  #groups: Group[] = [outermost];
  /** How many of the next characters stand in for one that was given by its number. */
  #toSkip = 0;
  #isStarred = false;
  readonly #fonts = new Map<number, number>();
  #definedFont = 0;
  #usualPage = 1252;
  #isInTable = false;

  constructor(add: AddText) {
    this.#add = add;
  }

  get #group(): Group {
    return this.#groups.at(-1) ?? outermost;
  }

  open(): void {
    this.#decode();
    this.#toSkip = 0;
    if (this.#groups.length > maxDepth)
      throw new UnreadableFileError("broken", "broken: it is nested too deeply");
    this.#groups.push({ ...this.#group, isApart: false });
  }

  close(): void {
    this.#decode();
    this.#toSkip = 0;
    if (this.#group.isApart && this.#line.trim() !== "") this.#endLine();
    if (this.#groups.length > 1) this.#groups.pop();
  }

  byte(code: number): void {
    if (this.#toSkip > 0) this.#toSkip -= 1;
    else if (this.#isShown) this.#bytes.push(code);
  }

  symbol(symbol: string): void {
    if (symbol === "*") this.#isStarred = true;
    else if (symbol === "\r" || symbol === "\n") this.control("par", null);
    else this.#put(symbols[symbol] ?? "");
  }

  control(word: string, value: number | null): void {
    const isStarred = this.#isStarred;
    this.#isStarred = false;
    this.#decode();
    const group = this.#group;
    if (word === "u") return this.#putUnicode(value ?? 0);
    if (word === "uc") group.replacements = Math.min(Math.max(0, value ?? 1), 100);
    else if (word === "ansicpg") group.codePage = this.#usualPage = value ?? 1252;
    else if (word === "mac") group.codePage = this.#usualPage = 10_000;
    else if (word === "f") this.#setFont(value ?? 0);
    else if (word === "fcharset") this.#setCharset(value ?? 0);
    else if (word === "v") group.isHidden = value !== 0;
    else if (word === "plain") group.isHidden = false;
    else if (word === "shptxt" || word === "ud") group.isAside = false;
    else if (notShown.has(word) || isStarred) group.isAside = true;
    else if (this.#isShown) this.#layOut(word);
  }

  get #isShown(): boolean {
    const { isAside, isHidden } = this.#group;
    return !isAside && !isHidden;
  }

  #layOut(word: string): void {
    if (word === "trowd" || word === "intbl") this.#isInTable = true;
    else if (word === "pard") this.#isInTable = false;
    else if (word === "cell" || word === "nestcell") this.#line = `${this.#line.trimEnd()}\t`;
    else if (word === "row" || word === "nestrow" || word === "page" || word === "sect") this.#endLine();
    else if (word === "par" && this.#isInTable) this.#line += " ";
    else if (word === "footnote") this.#line += " ";
    else if (apart.test(word)) this.#group.isApart = true;
    else if (word === "par") this.#endLine();
    else this.#line += characters[word] ?? "";
  }

  /** A number is that of a character, or half of one, in 16 bits with a sign. */
  #putUnicode(value: number): void {
    this.#put(String.fromCharCode(value & 0xffff));
    this.#toSkip = this.#group.replacements;
  }

  #put(text: string): void {
    this.#decode();
    if (this.#toSkip > 0) this.#toSkip -= 1;
    else if (this.#isShown) this.#line += text;
  }

  #setFont(font: number): void {
    this.#definedFont = font;
    this.#group.codePage = this.#fonts.get(font) ?? this.#usualPage;
  }

  /** A character set that is not known is the document's. */
  #setCharset(charset: number): void {
    const codePage = pagesOfCharsets[charset];
    if (codePage !== undefined) this.#fonts.set(this.#definedFont, codePage);
  }

  #decode(): void {
    if (this.#bytes.length === 0) return;
    const { codePage } = this.#group;
    const name = namesOfPages[codePage] ?? `windows-${codePage}`;
    this.#line += decoderOf(name).decode(Uint8Array.from(this.#bytes));
    this.#bytes = [];
  }

  #endLine(): void {
    this.#add(this.#line.trimEnd());
    this.#line = "";
  }

  end(): void {
    this.#decode();
    if (this.#line.trim() !== "") this.#endLine();
  }
}

const decoders = new Map<string, InstanceType<typeof TextDecoder>>();

function decoderOf(name: string): InstanceType<typeof TextDecoder> {
  let decoder = decoders.get(name);
  if (decoder === undefined) {
    try {
      decoder = new TextDecoder(name);
    } catch {
      decoder = new TextDecoder("windows-1252");
    }
    decoders.set(name, decoder);
  }
  return decoder;
}
