import { crc32, deflateSync } from "node:zlib";
import { buildDocx, buildXlsx, docxParagraph } from "./office.ts";
import { buildZip } from "./zip.ts";

/** The bytes are made when they are asked for: those of a bomb take a second. */
type Hostile = [
  what: string,
  extension: string,
  bytes: () => Uint8Array,
  end: "document" | "reason" | "either",
];

function chunk(kind: string, body: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(kind), body]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** A black-and-white PNG whose header claims this size. Without `pixels` it contains none. */
export function pngOf(width: number, height: number, pixels = true): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1;
  const rows = pixels ? deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height, 0)) : Buffer.alloc(10);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))]);
}

/** A small DOCX file that unpacks to this many bytes of text. */
function docxBomb(megabytes: number): Buffer {
  return buildDocx(docxParagraph(" ".repeat(megabytes * 1024 * 1024)));
}

/** `address` must never be requested. */
export function hostileOthers(address: string): Hostile[] {
  const entities = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 12 }, (_, index) => {
    const [name, of] = [String.fromCodePoint(98 + index), String.fromCodePoint(97 + index)];
    return `<!ENTITY ${name} "${`&${of};`.repeat(10)}">`;
  }).join("")}]><x>&m;</x>`;
  const reaching =
    `<html><head><link rel=stylesheet href="${address}/style.css"><meta http-equiv=refresh ` +
    `content="0;url=${address}/"></head>` +
    `<body><p>Only this</p><img src="${address}/image.png"><img src="file:///etc/hostname"><iframe ` +
    `src="${address}/frame"></iframe>` +
    `<object data="file:///etc/passwd"></object><script src="${address}/script.js"></script></body></html>`;
  return [
    ["is a ZIP bomb of a text", "docx", () => docxBomb(300), "either"],
    ["is a ZIP bomb of a sheet", "xlsx", sheetBomb, "either"],
    ["is a ZIP of 50,000 files", "docx", manyFiles, "either"],
    ["is a ZIP cut off", "docx", () => docxBomb(1).subarray(0, 900), "reason"],
    ["is an image of 100,000 × 100,000", "png", () => pngOf(100_000, 100_000, false), "reason"],
    ["is a scan of 20,000 × 20,000", "png", () => pngOf(20_000, 20_000), "either"],
    ["is an image cut off", "png", () => pngOf(2000, 2000).subarray(0, 100), "either"],
    ["is a text of 26 MB", "txt", () => Buffer.from("A line of words.\n".repeat(1_600_000)), "either"],
    ["is a text in one line", "txt", () => Buffer.alloc(5_000_000, "a"), "either"],
    ["refers to the server's own addresses and files", "html", () => Buffer.from(reaching), "either"],
    ["is nested without end", "html", () => Buffer.from("<div>".repeat(500_000)), "either"],
    ["is XML whose entities multiply", "xml", () => Buffer.from(entities), "either"],
    ["is an SVG that refers to files", "svg", () => svg(`<image href="file:///etc/hostname"/>`), "either"],
    ["is an SVG of a billion shapes", "svg", () => svg(multiplied()), "either"],
    ["is mail in mail in mail", "eml", () => Buffer.from(nestedMail(2000)), "either"],
  ];
}

const svg = (inside: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100" ` +
      `height="100">${inside}</svg>`,
  );

function multiplied(): string {
  const levels = Array.from({ length: 9 }, (_, index) => {
    const use = `<use xlink:href="#s${index}"/>`.repeat(10);
    return `<g id="s${index + 1}">${use}</g>`;
  });
  return `<defs><rect id="s0" width="9" height="9"/>${levels.join("")}</defs><use xlink:href="#s9"/>`;
}

function sheetBomb(): Buffer {
  const row = `<row r="1">${'<c t="inlineStr"><is><t>aaaaaaaaaaaaaaaa</t></is></c>'.repeat(100)}</row>`;
  return buildXlsx("Bomb", row.repeat(40_000), []);
}

function manyFiles(): Buffer {
  const files = Array.from({ length: 50_000 }, (_, index) => [`word/media/${index}.bin`, "x"] as const);
  return buildZip({ ...Object.fromEntries(files), "word/document.xml": "<x/>" });
}

function nestedMail(levels: number): string {
  let mail = "Subject: The innermost\n\nText";
  for (let level = 0; level < levels; level++)
    mail = `Content-Type: multipart/mixed; boundary=b${level}\n\n--b${level}\nContent-Type: message/rfc822\n\n${mail}`;
  return mail;
}
