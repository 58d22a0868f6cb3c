import { type PdfObject, writePdf } from "./pdf.ts";

/*
 * One page with form fields and other annotations, 600 points wide. The text of an annotation's appearance is drawn in
 * its rectangle.
 */

export interface AnnotationPlan {
  subtype: "Widget" | "FreeText" | "Stamp" | "Text" | "Highlight" | "Popup";
  /** Left, bottom, right, top. */
  rectangle: readonly [number, number, number, number];
  /** The text that its appearance stream draws. Without it, the annotation has no appearance stream. */
  appearance?: string;
  /** The value of the field. */
  value?: string;
  /** The type of the field: a text or a choice. A text if not given. */
  type?: "Tx" | "Ch";
  /** The sum of 2 for Hidden, 4 for Print, 32 for NoView; 4 if not given. */
  flags?: number;
  /** Whether it is on the layer of the plan. */
  isOnLayer?: boolean;
  /** More members of its dictionary. */
  more?: string;
}

export interface FormPlan {
  /** Text of the page itself, each line with its starting position. */
  lines: readonly { text: string; left: number; bottom: number }[];
  annotations: readonly AnnotationPlan[];
  /** Further drawing instructions of the page, after its text. */
  drawn?: string;
  needAppearances?: boolean;
  rotate?: 0 | 90 | 180 | 270;
  /** The height of each page in points; 800 if not given. */
  height?: number;
  /** An XFA form, as an XML document. */
  xfa?: string;
  /** The layer of annotations, object 4: switched off by default. */
  layer?: { setting: string; members: string };
  /** Pages of plain text that follow. */
  pagesAfter?: readonly string[];
}

const layerOff = { setting: "/OFF [4 0 R]", members: "" };

const escaped = (text: string): string => text.replaceAll(/[\\()]/g, String.raw`\$&`);
const stream = (text: string): Buffer => Buffer.from(text, "latin1");

export function buildFormPdf(plan: FormPlan): Uint8Array {
  const {
    lines,
    annotations,
    needAppearances = false,
    rotate = 0,
    height = 800,
    xfa,
    pagesAfter = [],
    layer = layerOff,
  } = plan;
  const objects: PdfObject[] = [];
  const add = (object: PdfObject): number => objects.push(object);
  // Placeholders for catalog, pages, font and layer, which are written at the end.
  for (let number = 1; number <= 4; number++) add("null");
  const numbers = annotations.map(({ rectangle, appearance, ...annotation }) => {
    const [left, bottom, right, top] = rectangle;
    const members = [
      `/Type /Annot /Subtype /${annotation.subtype} /Rect [${rectangle.join(" ")}] /F ${annotation.flags ?? 4}`,
    ];
    if (annotation.isOnLayer === true) members.push("/OC 4 0 R");
    if (annotation.subtype === "Widget") {
      members.push(`/FT /${annotation.type ?? "Tx"} /T (field ${objects.length}) /DA (/F1 12 Tf 0 g)`);
    }
    if (annotation.value !== undefined) members.push(`/V (${escaped(annotation.value)})`);
    if (appearance !== undefined) {
      const drawn = `/Tx BMC q BT /F1 12 Tf 0 g 2 5 Td (${escaped(appearance)}) Tj ET Q EMC`;
      const box = `/BBox [0 0 ${right - left} ${top - bottom}]`;
      const form = `/Type /XObject /Subtype /Form ${box} /Resources << /Font << /F1 3 0 R >> >>`;
      members.push(`/AP << /N ${add({ dictionary: form, stream: stream(drawn) })} 0 R >>`);
    }
    if (annotation.more !== undefined) members.push(annotation.more);
    return { number: add(`<< ${members.join(" ")} >>`), subtype: annotation.subtype };
  });
  const written = lines.map(
    ({ text, left, bottom }) => `BT /F1 12 Tf ${left} ${bottom} Td (${escaped(text)}) Tj ET`,
  );
  const page = (members: string, content: string): number =>
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 ${height}] /Resources << /Font << /F1 3 0 R >> >> ` +
        `/Contents ${add({ dictionary: "", stream: stream(content) })} 0 R ${members} >>`,
    );
  const annots = numbers.map(({ number }) => `${number} 0 R`).join(" ");
  const pages = [
    page(`/Rotate ${rotate} /Annots [${annots}]`, [...written, plan.drawn ?? ""].join("\n")),
    ...pagesAfter.map((text) => page("", `BT /F1 12 Tf 72 ${height - 100} Td (${escaped(text)}) Tj ET`)),
  ];
  const fields = numbers.flatMap(({ number, subtype }) => (subtype === "Widget" ? [`${number} 0 R`] : []));
  const packet = xfa === undefined ? "" : `/XFA ${add({ dictionary: "", stream: stream(xfa) })} 0 R`;
  objects[0] =
    `<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [4 0 R] /D << ${layer.setting} >> >> ` +
    `/AcroForm << /Fields [${fields.join(" ")}] /NeedAppearances ${needAppearances} ${packet} ` +
    "/DA (/F1 12 Tf 0 g) /DR << /Font << /F1 3 0 R >> >> >> >>";
  objects[1] = `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((one) => `${one} 0 R`).join(" ")}] >>`;
  objects[2] = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>";
  objects[3] = `<< /Type /OCG /Name (Hidden) ${layer.members} >>`;
  return writePdf(objects, "/Root 1 0 R");
}
