import { UnreadableFileError } from "../unreadable-file.ts";
import type { AddText } from "./add-text.ts";
import { type OleFile, locked, tooOld } from "./ole-file.ts";

/*
 * A document of Word 97 to 2003, by [MS-DOC]. Its text is in pieces, which a table in another stream lists in their
 * order: first the text of the document, then of footnotes, headers, comments and the rest, one after the other.
 */

const firstOfWord97 = 0xc1;
const isEncryptedFlag = 0x0100;
const isInOtherTableFlag = 0x0200;
/** The offsets of the position and the length of the table of pieces. */
const piecesAt = 0x01a2;
const isEightBits = 0x4000_0000;

/** Adds a line for each paragraph and each table row, with tabs between the cells. */
export function readOldWordDocument(file: OleFile, add: AddText): void {
  const document = file.find("WordDocument");
  if (document === null || document.length < 0x01aa) throw noDocument(file);
  const [version, flags] = [document.readUInt16LE(2), document.readUInt16LE(10)];
  if ((flags & isEncryptedFlag) !== 0) throw locked();
  if (version < firstOfWord97) throw tooOld("Word");
  const table = file.find((flags & isInOtherTableFlag) === 0 ? "0Table" : "1Table");
  if (table === null) throw broken();
  const start = document.readUInt32LE(piecesAt);
  addText(textOfPieces(document, table.subarray(start, start + document.readUInt32LE(piecesAt + 4))), add);
}

function noDocument(file: OleFile): UnreadableFileError {
  return file.find("EncryptedPackage") === null ? broken() : locked();
}

const broken = (): UnreadableFileError =>
  new UnreadableFileError("broken", "broken: its text cannot be found in it");

function textOfPieces(document: Buffer, list: Buffer): string {
  // Properties of paragraphs come first.
  let at = 0;
  while (list[at] === 1) at += 3 + list.readUInt16LE(at + 1);
  if (list[at] !== 2 || at + 5 > list.length) throw broken();
  const pieces = list.subarray(at + 5, at + 5 + list.readUInt32LE(at + 1));
  // For n pieces, there are n + 1 positions in the text, and n descriptions of 8 bytes.
  const count = Math.floor((pieces.length - 4) / 12);
  let text = "";
  for (let index = 0; index < count; index++) {
    const length = pieces.readUInt32LE(4 * index + 4) - pieces.readUInt32LE(4 * index);
    const position = pieces.readUInt32LE(4 * (count + 1) + 8 * index + 2);
    if (length <= 0 || length > document.length) continue;
    text +=
      (position & isEightBits) === 0
        ? document.toString("utf16le", position, position + 2 * length)
        : western.decode(
            document.subarray((position & ~isEightBits) / 2, (position & ~isEightBits) / 2 + length),
          );
  }
  return text;
}

const western = new TextDecoder("windows-1252");

/** The characters that begin a field, end what it is made from, and end the field. */
const field = { begin: "\u0013", separator: "\u0014", end: "\u0015" };
const cellEnd = "\u0007";

function addText(text: string, add: AddText): void {
  let line = "";
  /** For each open field, whether its instructions are being read. */
  const fields: boolean[] = [];
  for (const character of text) {
    if (character === field.begin) fields.push(true);
    else if (character === field.end) fields.pop();
    else if (character === field.separator && fields.pop() !== undefined) fields.push(false);
    else if (fields.includes(true)) continue;
    else if (character === cellEnd) {
      // The end of a row looks like a cell without text.
      if (line.endsWith("\t") || line === "") {
        if (line !== "") add(line.trimEnd());
        line = "";
      } else line += "\t";
    } else if (character === "\r" || character === "\f") {
      add(line.trimEnd());
      line = "";
    } else line += shown(character);
  }
  if (line.trim() !== "") add(line.trimEnd());
}

/** Word has characters of its own for breaks, hyphens and objects. */
function shown(character: string): string {
  if (character === "\u000b") return "\n";
  if (character === "\u001e") return "\u2011";
  if (character === "\u00a0") return " ";
  return character === "\t" || character >= " " ? character : "";
}
