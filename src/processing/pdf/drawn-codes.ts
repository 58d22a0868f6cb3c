import { dejavuFont } from "../fonts/dejavu.ts";
import { textPath, widthOfText } from "../fonts/glyph-paths.ts";
import { visualOrder } from "../fonts/visual-order.ts";

/** A box that is blackened, with the code that it shows, if any: in fractions of the page. */
interface CodedBox {
  x1: number;
  x2: number;
  y1: number;
  y2: number;
  code?: string | undefined;
}

/** In points. A smaller code could not be read, and so is left out. */
const size = { min: 3, max: 11 };
/** The height of a capital letter, in sizes of the font. */
const capital = 0.73;
/** The share of a box that its code fills at most. */
const filled = 0.9;

/** The operators that draw the codes of boxes in white, each within its box. They are shapes, not text. */
export function codesOn(boxes: readonly CodedBox[], page: { width: number; height: number }): string {
  const font = dejavuFont("DejaVuSans-Bold");
  const drawn = boxes.flatMap(({ x1, x2, y1, y2, code = "" }) => {
    const [width, height] = [(x2 - x1) * page.width, (y2 - y1) * page.height];
    const text = visualOrder(code.trim());
    const length = widthOfText(font, text);
    const fitting = Math.min(size.max, (filled * height) / capital, (filled * width) / length);
    if (length === 0 || fitting < size.min) return [];
    const x = x1 * page.width + (width - length * fitting) / 2;
    const y = page.height - y2 * page.height + (height - capital * fitting) / 2;
    return [textPath(font, text, { x, y, size: fitting })];
  });
  return drawn.length === 0 ? "" : `q 1 g ${drawn.join(" ")} Q`;
}
