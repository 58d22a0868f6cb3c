import { buildZip } from "./zip.ts";

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const package_ = "http://schemas.openxmlformats.org/package/2006";
const office = "http://schemas.openxmlformats.org/officeDocument/2006";

const types = (parts: string): string =>
  `${declaration}<Types xmlns="${package_}/content-types"><Default Extension="rels" ` +
  `ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ` +
  `ContentType="application/xml"/>${parts}</Types>`;

const part = (name: string, type: string): string =>
  `<Override PartName="${name}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`;

const relationships = (...them: [type: string, target: string][]): string =>
  `${declaration}<Relationships xmlns="${package_}/relationships">${them
    .map(
      ([type, target], index) =>
        `<Relationship Id="r${index + 1}" Type="${office}/relationships/${type}" Target="${target}"/>`,
    )
    .join("")}</Relationships>`;

/**
 * @param body the XML of the content: `<w:p>…</w:p>`.
 * @param more further files in it
 */
export function buildDocx(body: string, more: Readonly<Record<string, string | Uint8Array>> = {}): Buffer {
  return buildZip({
    "[Content_Types].xml": types(part("/word/document.xml", "wordprocessingml.document.main")),
    "_rels/.rels": relationships(["officeDocument", "word/document.xml"]),
    "word/document.xml":
      `${declaration}<w:document ` +
      `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body>` +
      "</w:document>",
    ...more,
  });
}

export const docxParagraph = (text: string): string =>
  `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

/** A workbook with one sheet, and `others` by name, each with the XML of its rows. Style 1 is a date. */
export function buildXlsx(
  sheet: string,
  rows: string,
  strings: readonly string[],
  others: Readonly<Record<string, string>> = {},
): Buffer {
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const worksheet = (xml: string): string =>
    `${declaration}<worksheet xmlns="${main}"><sheetData>${xml}</sheetData></worksheet>`;
  const more = Object.entries(others).map(([name, xml], index) => ({ name, xml, number: index + 2 }));
  return buildZip({
    "[Content_Types].xml": types(
      part("/xl/workbook.xml", "spreadsheetml.sheet.main") +
        [1, ...more.map(({ number }) => number)]
          .map((number) => part(`/xl/worksheets/sheet${number}.xml`, "spreadsheetml.worksheet"))
          .join("") +
        part("/xl/styles.xml", "spreadsheetml.styles") +
        part("/xl/sharedStrings.xml", "spreadsheetml.sharedStrings"),
    ),
    "_rels/.rels": relationships(["officeDocument", "xl/workbook.xml"]),
    "xl/workbook.xml":
      `${declaration}<workbook xmlns="${main}" xmlns:r="${office}/relationships">` +
      `<sheets><sheet name="${sheet}" sheetId="1" r:id="r1"/>` +
      more
        .map(({ name, number }) => `<sheet name="${name}" sheetId="${number}" r:id="r${number + 2}"/>`)
        .join("") +
      "</sheets></workbook>",
    "xl/_rels/workbook.xml.rels": relationships(
      ["worksheet", "worksheets/sheet1.xml"],
      ["sharedStrings", "sharedStrings.xml"],
      ["styles", "styles.xml"],
      ...more.map(({ number }): [string, string] => ["worksheet", `worksheets/sheet${number}.xml`]),
    ),
    ...Object.fromEntries(
      more.map(({ number, xml }) => [`xl/worksheets/sheet${number}.xml`, worksheet(xml)]),
    ),
    "xl/styles.xml":
      `${declaration}<styleSheet xmlns="${main}"><fonts count="1"><font/></fonts><fills count="1">` +
      `<fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/>` +
      `</cellStyleXfs><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/>` +
      "</cellXfs></styleSheet>",
    "xl/sharedStrings.xml":
      `${declaration}<sst xmlns="${main}">` +
      `${strings.map((text) => `<si><t>${text}</t></si>`).join("")}</sst>`,
    "xl/worksheets/sheet1.xml": worksheet(rows),
  });
}

const spaces = ["office", "text", "table", "draw", "style"]
  .map((name) => {
    const space = name === "draw" ? "drawing" : name;
    return `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${space}:1.0"`;
  })
  .concat('xmlns:xlink="http://www.w3.org/1999/xlink"')
  .join(" ");

/**
 * @param kind `text`, `spreadsheet` or `presentation`.
 * @param body the XML of the content: `<text:p>…</text:p>`.
 * @param more further files in it, or others in place of its own
 */
export function buildOpenDocument(
  kind: string,
  body: string,
  more: Readonly<Record<string, string>> = {},
): Buffer {
  const type = `application/vnd.oasis.opendocument.${kind}`;
  return buildZip({
    mimetype: type,
    "content.xml":
      `${declaration}<office:document-content ${spaces} office:version="1.2"><office:body>` +
      `<office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    "META-INF/manifest.xml":
      `${declaration}<manifest:manifest ` +
      `xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2">` +
      `<manifest:file-entry manifest:full-path="/" manifest:media-type="${type}"/><manifest:file-entry ` +
      `manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
    ...more,
  });
}

/** Slides with one text each. */
export function buildPptx(slides: readonly string[]): Buffer {
  const main = "http://schemas.openxmlformats.org/presentationml/2006/main";
  const drawing = "http://schemas.openxmlformats.org/drawingml/2006/main";
  const files: Record<string, string> = {
    "[Content_Types].xml": types(
      part("/ppt/presentation.xml", "presentationml.presentation.main") +
        slides
          .map((_text, index) => part(`/ppt/slides/slide${index + 1}.xml`, "presentationml.slide"))
          .join(""),
    ),
    "_rels/.rels": relationships(["officeDocument", "ppt/presentation.xml"]),
    "ppt/_rels/presentation.xml.rels": relationships(
      ...slides.map((_text, index): [string, string] => ["slide", `slides/slide${index + 1}.xml`]),
    ),
    "ppt/presentation.xml":
      `${declaration}<p:presentation xmlns:p="${main}" xmlns:r="${office}/relationships"><p:sldIdLst>` +
      `${slides.map((_text, index) => `<p:sldId id="${256 + index}" r:id="r${index + 1}"/>`).join("")}</p:sldIdLst>` +
      `<p:sldSz cx="9144000" cy="6858000"/></p:presentation>`,
  };
  for (const [index, text] of slides.entries()) {
    files[`ppt/slides/slide${index + 1}.xml`] =
      `${declaration}<p:sld xmlns:p="${main}" xmlns:a="${drawing}"><p:cSld><p:spTree><p:nvGrpSpPr>` +
      `<p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/><p:sp><p:nvSpPr>` +
      `<p:cNvPr id="2" name="t"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="100000" ` +
      `y="100000"/><a:ext cx="8000000" cy="1000000"/></a:xfrm><a:prstGeom prst="rect"/></p:spPr>` +
      `<p:txBody><a:bodyPr/><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree>` +
      "</p:cSld></p:sld>";
  }
  return buildZip(files);
}
