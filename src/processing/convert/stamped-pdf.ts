import { copyFileSync } from "node:fs";
import { dejavuFont } from "../fonts/dejavu.ts";
import { PdfFont } from "../fonts/pdf-font.ts";
import { visualOrder } from "../fonts/visual-order.ts";
import { type StripText, strip, stripTexts } from "../pdf/page-strip.ts";
import type { PageFrame } from "../pdfium/page-words.ts";
import { pagesOf } from "../prune/page-tree.ts";
import { PdfObjects } from "../prune/pdf-objects.ts";
import { PdfUpdate } from "../prune/pdf-update.ts";
import { writtenMembers } from "../prune/pdf-values.ts";
import type { Converted, Stamps } from "./conversion.ts";
import { matrixOf, shownSize } from "./invisible-words.ts";
import { ResourcesWithFont, contentsOf, frameOf } from "./page-additions.ts";

/**
 * Writes a copy of a PDF with a white strip more at the lower edge of each page, as the page is shown, which has words.
 * `from` has the form in which Quire itself writes PDFs. What lies outside of a page stays outside.
 */
export async function stampedPdf(from: string, to: string, { left, right }: Stamps): Promise<Converted> {
  copyFileSync(from, to);
  const source = new PdfObjects(to);
  const update = new PdfUpdate(to, source);
  try {
    const font = new PdfFont(dejavuFont("DejaVuSans-Bold"), update);
    const resources = new ResourcesWithFont(source, update, font.number);
    const before = new Map<string, number>();
    let index = 0;
    for (const page of pagesOf(source)) {
      const { name, value } = resources.of(page);
      const frame = frameOf(source, page);
      const clip = clipOf(frame);
      const opening = before.get(clip) ?? update.addDeflated(Buffer.from(clip));
      before.set(clip, opening);
      const words = { left: visualOrder(left), right: visualOrder(right[index] ?? "") };
      const texts = stripTexts(words, shownSize(frame).width, (text) => widthOf(font, text));
      const closing = update.addDeflated(Buffer.from(stripContent(frame, texts, font, name)));
      const members = new Map(page.members);
      members.set("Resources", value);
      members.set("Contents", [{ object: opening }, ...contentsOf(source, page), { object: closing }]);
      const box = boxWithStrip(frame);
      members.set("MediaBox", box);
      members.set("CropBox", box);
      update.add(`<< ${writtenMembers(members)} >>`, page.object);
      index += 1;
    }
    font.end();
    update.end();
  } catch (error) {
    update.close();
    throw error;
  } finally {
    source.close();
  }
  return { engine: "extract", notes: [] };
}

const written = (value: number): string => String(Number(value.toFixed(3)));

const widthOf = (font: PdfFont, text: string): number =>
  codePointsOf(text).reduce((sum, character) => sum + font.widthOf(character), 0) / 1000;

const codePointsOf = (text: string): number[] =>
  Array.from(text, (character) => character.codePointAt(0) ?? 0);

/** What the page draws beyond its edges must not show in the strip. */
function clipOf({ left, bottom, right, top }: PageFrame): string {
  const [x, y, width, height] = [left, bottom, right - left, top - bottom].map(written);
  return `q ${x} ${y} ${width} ${height} re W n q\n`;
}

function stripContent(frame: PageFrame, texts: readonly StripText[], font: PdfFont, name: string): string {
  const shown = texts.map(({ text, x, y, size }) => {
    const codes = codePointsOf(text)
      .map((character) => font.codeOf(character))
      .join("");
    return `BT /${name} ${written(size)} Tf ${written(x)} ${written(y - strip.height)} Td <${codes}> Tj ET`;
  });
  const width = written(shownSize(frame).width);
  return [
    "\nQ Q",
    `q ${matrixOf(frame).map(written).join(" ")} cm 1 g 0 ${-strip.height} ${width} ${strip.height} re f 0 g`,
    ...shown,
    "Q\n",
  ].join("\n");
}

/** The page's box, larger at the side that is shown below. */
function boxWithStrip({ left, bottom, right, top, quarterTurns }: PageFrame): string[] {
  const { height } = strip;
  const sides = [
    quarterTurns === 3 ? left - height : left,
    quarterTurns === 0 ? bottom - height : bottom,
    quarterTurns === 1 ? right + height : right,
    quarterTurns === 2 ? top + height : top,
  ];
  return sides.map(written);
}
