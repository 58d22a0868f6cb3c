import { execFile, spawn } from "node:child_process";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { crc32, deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { buildDocx, buildOpenDocument, buildPptx, buildXlsx, docxParagraph } from "../../testing/office.ts";
import { readGif } from "../../testing/gif.ts";
import { buildOldWord, buildOldWorkbook } from "../../testing/old-office.ts";
import { buildCompoundFile, buildOutlookMessage } from "../../testing/outlook.ts";
import { buildZip } from "../../testing/zip.ts";
import { useFolder } from "../../testing/use-folder.ts";
import { type ConversionResult, type Converter, type ConverterOptions, openConverter } from "./converter.ts";
import { Sandbox } from "./sandbox.ts";
import { findLibreOffice } from "./libreoffice.ts";
import { type PdfDocument, type PdfReader, openPdfReader } from "../pdf/pdf-pages.ts";

const folder = useFolder("converter");
let workFolder: string;
let reader: PdfReader;
/** For files with the usual limits: it keeps its process, as for the files of one owner. */
let usualConverter: Converter;

beforeAll(async () => {
  workFolder = path.join(folder, "work");
  await mkdir(workFolder);
  reader = openPdfReader({ timeLimitSeconds: 20, memoryLimitMb: 512 });
  usualConverter = openConverterWith({});
});

afterAll(async () => {
  await usualConverter.close();
  await reader.close();
});

const memoryLimitMb = 384;
let fileCount = 0;

function openConverterWith(options: Partial<ConverterOptions>): Converter {
  return openConverter({ timeLimitSeconds: 30, memoryLimitMb, libreOffice: "off", workFolder, ...options });
}

/** With options of its own, a file gets its own process. */
async function convert(
  extension: string,
  bytes: string | Uint8Array,
  options: Partial<ConverterOptions> & { signal?: AbortSignal } = {},
): Promise<ConversionResult & { path: string }> {
  const { signal, ...others } = options;
  const from = path.join(folder, `${(fileCount += 1)}.${extension}`);
  const to = `${from}.pdf`;
  await writeFile(from, bytes);
  const isUsual = Object.keys(options).length === 0;
  const converter = isUsual ? usualConverter : openConverterWith(others);
  try {
    const owner = isUsual ? 1 : undefined;
    const result = await converter.toPdf({
      from,
      extension,
      to,
      owner,
      ...(signal !== undefined && { signal }),
    });
    return { ...result, path: to };
  } finally {
    await nothingIsLeft();
  }
}

async function nothingIsLeft(): Promise<void> {
  const left = await readdir(workFolder);
  if (left.length > 0) throw new Error(`a conversion left ${left.join(", ")}`);
}

async function opened<Found>(file: string, look: (pdf: PdfDocument) => Promise<Found>): Promise<Found> {
  await using pdf = await reader.open(file);
  return await look(pdf);
}

const textOf = (file: string): Promise<string> => opened(file, async (pdf) => (await pdf.text(0)).text);

const plain = (width: number, height: number, background = "red"): Sharp =>
  sharp({ create: { width, height, channels: 3, background }, limitInputPixels: false });

/** An image of four quarters: red and green above blue and white. */
const quarters = (): Sharp =>
  sharp(Buffer.from("ff000000ff000000ffffffff", "hex"), { raw: { width: 2, height: 2, channels: 3 } }).resize(
    240,
    120,
    {
      kernel: "nearest",
      fit: "fill",
    },
  );

/** The colors in the middle of the four quarters of the first page, by their highest bits. */
async function cornersOf(file: string): Promise<string> {
  const { width, height, colors } = await opened(file, async (pdf) => readGif(await pdf.image(0, 200)));
  const at = (x: number, y: number): string => {
    const color = colors[Math.floor(height * y) * width + Math.floor(width * x)] ?? 0;
    return [16, 8, 0].map((shift) => (((color >> shift) & 0xff) > 127 ? "1" : "0")).join("");
  };
  return [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)].join(" ");
}

/** A part of a PNG file. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

describe("an image", () => {
  it.each(["png", "gif", "tif"] as const)("becomes one page: %s", async (extension) => {
    const format = extension === "tif" ? "tiff" : extension;
    const { path: file, engine, pages } = await convert(extension, await quarters()[format]().toBuffer());
    expect({ engine, pages }).toEqual({ engine: "image", pages: 1 });
    expect(await cornersOf(file)).toBe("100 010 001 111");
  });

  it("is embedded unchanged if it is a JPEG", async () => {
    const jpeg = await quarters().withMetadata({ density: 240 }).jpeg().toBuffer();
    const { path: file } = await convert("jpg", jpeg);
    expect((await readFile(file)).includes(jpeg)).toBe(true);
    expect(await opened(file, async (pdf) => pdf.facts.pageSizes)).toEqual([
      { width: "72.00", height: "36.00" },
    ]);
  });

  it.each([
    [2, "010 100 111 001"],
    [3, "111 001 010 100"],
    [4, "001 111 100 010"],
    [5, "100 001 010 111"],
    [6, "001 100 111 010"],
    [7, "111 010 001 100"],
    [8, "010 111 100 001"],
  ])("is rotated by its EXIF orientation: %i", async (orientation, corners) => {
    const jpeg = await quarters().jpeg({ quality: 100 }).withMetadata({ orientation }).toBuffer();
    expect(await cornersOf((await convert("jpg", jpeg)).path)).toBe(corners);
  });

  it("has a white background where it is transparent", async () => {
    const clear = sharp({
      create: { width: 50, height: 50, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    });
    expect(await cornersOf((await convert("png", await clear.png().toBuffer())).path)).toBe(
      "111 111 111 111",
    );
  });

  it("becomes a page for each image in a TIFF", async () => {
    const pages = await sharp(
      await Promise.all([plain(60, 40), plain(60, 40, "blue")].map((one) => one.png().toBuffer())),
      {
        join: { animated: true },
      },
    )
      .tiff()
      .toBuffer();
    const { path: file, pages: count } = await convert("tiff", pages);
    expect(count).toBe(2);
    const last = await opened(file, async (pdf) => readGif(await pdf.image(1, 20)));
    expect((last.colors[50] ?? 0) & 0xff).toBeGreaterThan(127);
  });

  it("is read from a BMP whose rows run from the bottom up", async () => {
    const head = Buffer.alloc(54);
    head.write("BM");
    head.writeUInt32LE(54, 10);
    head.writeUInt32LE(40, 14);
    head.writeInt32LE(2, 18);
    head.writeInt32LE(2, 22);
    head.writeUInt16LE(24, 28);
    const rows = Buffer.from("ff0000ffffff00000000ff00ff000000", "hex");
    const bmp = Buffer.concat([head, rows.subarray(0, 8), Buffer.from("0000ff00ff000000", "hex")]);
    expect(await cornersOf((await convert("bmp", bmp)).path)).toBe("100 010 001 111");
    await expect(convert("bmp", bmp.subarray(0, 60))).rejects.toMatchObject({ kind: "broken" });
  });

  it("of 20,000 pixels square stays below the memory limit and is scaled down", async () => {
    // One bit a pixel, each of them red.
    const header = Buffer.from("00004e2000004e200103000000", "hex");
    const png = Buffer.concat([
      Buffer.from("89504e470d0a1a0a", "hex"),
      chunk("IHDR", header),
      chunk("PLTE", Buffer.from("ff0000", "hex")),
      chunk("IDAT", deflateSync(Buffer.alloc(20_000 * (1 + 20_000 / 8)))),
      chunk("IEND", Buffer.alloc(0)),
    ]);
    const { notes, memoryMb, path: file } = await convert("png", png);
    expect(notes).toEqual(["Page 1 has 20000 × 20000 pixels and is shown smaller"]);
    expect(memoryMb).toBeGreaterThan(20);
    expect(memoryMb).toBeLessThan(memoryLimitMb);
    expect(await cornersOf(file)).toBe("100 100 100 100");
  });

  it("that claims to be 100,000 pixels square is refused", async () => {
    const header = Buffer.from("000186a0000186a00802000000", "hex");
    const png = Buffer.concat([
      Buffer.from("89504e470d0a1a0a", "hex"),
      chunk("IHDR", header),
      chunk("IDAT", deflateSync(Buffer.alloc(1000))),
      chunk("IEND", Buffer.alloc(0)),
    ]);
    await expect(convert("png", png)).rejects.toMatchObject({ kind: "too-large" });
  });

  it("that needs more memory than its limit fails with that reason and leaves nothing behind", async () => {
    const progressive = await plain(7000, 7000).jpeg({ progressive: true }).toBuffer();
    await expect(convert("jpg", progressive, { memoryLimitMb: 128 })).rejects.toMatchObject({
      kind: "too-much-memory",
    });
  });
});

describe("a text", () => {
  it.each([
    ["Cyrillic and Greek", "Привет, мир! Καλημέρα κόσμε"],
    ["accents", "Übergrößen, façade, Łódź"],
    ["Arabic", "مرحبا بالعالم"],
    ["Hebrew", "שלום עולם"],
    ["Chinese, Japanese, Korean", "中文字符 日本語 한국어"],
    ["what is beyond the first plane", "smile 😀 end"],
  ])("can be extracted again from its pages: %s", async (_what, text) => {
    expect(await textOf((await convert("txt", text)).path)).toBe(text);
  });

  it.each([
    ["UTF-8 with a mark", Buffer.from("\ufeffGrüße")],
    ["UTF-16", Buffer.from("\ufeffGrüße", "utf16le")],
    ["UTF-16 from the big end", Buffer.from("\ufeffGrüße", "utf16le").swap16()],
    ["Latin-1", Buffer.from("Grüße", "latin1")],
  ])("is decoded from %s", async (_what, bytes) => {
    expect(await textOf((await convert("txt", bytes)).path)).toBe("Grüße");
  });

  it("reports characters that no font can draw", async () => {
    expect((await convert("txt", "中文")).notes).toHaveLength(1);
    expect((await convert("txt", "text")).notes).toEqual([]);
  });

  it("is wrapped and paginated without losing a word", async () => {
    const words = Array.from({ length: 5000 }, (_, index) => `word${index}`);
    const { path: file, pages = 0 } = await convert("txt", words.join(" "));
    expect(pages).toBeGreaterThan(3);
    const texts = await opened(file, (pdf) =>
      Promise.all(Array.from({ length: pages }, async (_, page) => (await pdf.text(page)).text)),
    );
    expect(texts.join(" ").split(/\s+/)).toEqual(words);
  });

  it("of 6 MB stays below the memory limit", async () => {
    const line = `${"Words that fill a line of a page. ".repeat(3)}\n`;
    const { memoryMb, pages } = await convert("txt", line.repeat((6 * 1024 * 1024) / line.length), {
      memoryLimitMb,
    });
    expect(pages).toBeGreaterThan(700);
    expect(memoryMb).toBeLessThan(memoryLimitMb);
  });

  it("is refused if it is too long", async () => {
    await expect(convert("txt", "\n".repeat(2_000_000))).rejects.toMatchObject({ kind: "too-large" });
    await expect(convert("txt", "a".repeat(2_000_000), { fileLimitMb: 1 })).rejects.toMatchObject({
      kind: "too-large",
    });
  });
});

describe("an e-mail", () => {
  it("becomes its headers, its text and the names of its attachments", async () => {
    const mail = [
      "From: =?utf-8?Q?Zo=C3=AB?= <zoe@example.org>",
      "To: Team: a@example.org, B <b@example.org>;",
      'Cc: "Jane Roe"',
      "Date: Mon, 1 Jan 2024 10:00:00 +0000",
      "Subject: =?utf-8?B?R3LDvMOfZQ==?=",
      "MIME-Version: 1.0",
      'Content-Type: multipart/mixed; boundary="x"',
      "",
      "--x",
      "Content-Type: text/html; charset=utf-8",
      "",
      "<style>p{}</style><p>Dear &amp; near</p><table><tr><td>a<td>b</table><script>evil()</script>",
      "--x",
      "Content-Type: application/pdf",
      'Content-Disposition: attachment; filename="minutes.pdf"',
      "Content-Transfer-Encoding: base64",
      "",
      Buffer.alloc(3000).toString("base64"),
      "--x--",
    ].join("\r\n");
    const { path: file, engine } = await convert("eml", mail);
    const text = await textOf(file);
    expect(engine).toBe("mail");
    for (const part of [
      "From: Zoë <zoe@example.org>",
      "To: Team: a@example.org, B <b@example.org>",
      "Cc: Jane Roe",
      "Subject: Grüße",
      "Dear & near",
      "a b",
      "- minutes.pdf (application/pdf, 3 KB)",
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toMatch(/evil|style/);
  });
});

describe("an appointment of Outlook", () => {
  it("has its time and location on its page", async () => {
    const appointment = {
      start: new Date("2021-10-13T09:30:00Z"),
      end: new Date("2021-10-13T10:00:00Z"),
      location: "Großer Saal im zweiten Stock",
    };
    const mail = { subject: "Council", body: "Bring the minutes", appointment, attachments: [] };
    const { path: file } = await convert("msg", buildOutlookMessage(mail));
    expect((await textOf(file)).split(/\r?\n/)).toEqual([
      "Subject: Council",
      "Start: Wed, 13 Oct 2021 09:30:00 +0000",
      "End: Wed, 13 Oct 2021 10:00:00 +0000",
      "Location: Großer Saal im zweiten Stock",
      "Bring the minutes",
    ]);
  });
});

const table =
  '<table:table table:name="Sums"><table:table-row><table:table-cell office:value-type="string"><text:p>left</text:p></table:table-cell>' +
  '<table:table-cell table:number-columns-repeated="16000"/></table:table-row></table:table>';
const offices: [extension: string, make: () => Buffer, words: string[]][] = [
  [
    "docx",
    () =>
      buildDocx(
        `${docxParagraph("First &amp; foremost")}<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid><w:tr><w:tc>${docxParagraph("a1")}</w:tc><w:tc>${docxParagraph("b1")}</w:tc></w:tr></w:tbl>`,
      ),
    ["First & foremost", "a1 b1"],
  ],
  [
    "xlsx",
    () =>
      buildXlsx(
        "Budget",
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row><row r="2"><c r="A2" s="1"><v>45000</v></c><c r="B2"><v>12.5</v></c></row>',
        ["Name", "Amount"],
      ),
    ["Name", "Amount", "2023", "12.5"],
  ],
  ["pptx", () => buildPptx(["Opening words", "Closing words"]), ["Opening words"]],
  [
    "odt",
    () => buildOpenDocument("text", "<text:h>Head</text:h><text:p>Para<text:span>graph</text:span></text:p>"),
    ["Head", "Paragraph"],
  ],
  ["ods", () => buildOpenDocument("spreadsheet", table), ["Sums", "left"]],
];

describe("an office file", () => {
  it.each(offices)(
    "is converted to its text if there is no LibreOffice: %s",
    async (extension, make, words) => {
      const { path: file, engine, notes } = await convert(extension, make());
      expect(engine).toBe("office-text");
      expect(notes).toEqual(["Converted without LibreOffice: its text is here, not its looks"]);
      const text = await textOf(file);
      for (const word of words) expect(text).toContain(word);
    },
  );

  it("has the same words if LibreOffice converts it", async () => {
    const isThere = (await findLibreOffice("auto")) !== null;
    const [, make = () => Buffer.alloc(0), words = []] = offices[0] ?? [];
    const result = await convert("docx", make(), { libreOffice: "auto", memoryLimitMb: 1024 });
    expect(result.engine).toBe(isThere ? "libreoffice" : "office-text");
    const text = await textOf(result.path);
    for (const word of words) expect(text).toContain(word);
  });

  it("cannot include other files of the machine, whichever program converts it", async () => {
    const hidden = path.join(folder, "hidden");
    await mkdir(hidden);
    await writeFile(path.join(hidden, "secret.txt"), "the very secret words");
    const link = `<text:section text:name="s"><text:section-source xlink:href="file://${hidden}/secret.txt"/><text:p>shown</text:p></text:section>`;
    const file = buildOpenDocument("text", `<text:p>Own words</text:p>${link}`);
    const result = await convert("odt", file, { libreOffice: "auto", memoryLimitMb: 1024, hidden: [hidden] });
    const text = await textOf(result.path);
    expect(text).toContain("Own words");
    expect(text).not.toContain("secret");
  });

  it("of a type that only LibreOffice reads is converted, or names the program to install", async () => {
    await expect(convert("ppt", slides)).rejects.toMatchObject({
      kind: "no-converter",
      message:
        "Turning PPT files into pages needs LibreOffice: install it (Debian: apt-get install libreoffice) and process the document again",
    });
  });

  it("from before 2007 is converted to its text if there is no LibreOffice, and so are RTF and books", async () => {
    const rtf = "{\\rtf1 Rich words}";
    for (const [extension, bytes, words] of [
      ["rtf", rtf, "Rich words"],
      ["doc", buildOldWord("Old words\r", ""), "Old words"],
      ["xls", buildOldWorkbook(["Name", "Amount"]), "Amount"],
    ] as const) {
      const { path: file, engine } = await convert(extension, bytes);
      expect([engine, await textOf(file)]).toEqual(["office-text", expect.stringContaining(words)]);
    }
    const found = await convert("rtf", rtf, { libreOffice: "auto", memoryLimitMb: 1024 });
    expect(await textOf(found.path)).toContain("Rich words");
  });

  it("becomes its text if LibreOffice fails", async () => {
    const [, make = () => Buffer.alloc(0)] = offices[0] ?? [];
    const { engine, notes } = await convert("docx", make(), { libreOffice: "/bin/false" });
    expect(engine).toBe("office-text");
    expect(notes[0]).toContain("LibreOffice did not convert it");
  });

  it("that unpacks to more than the limit is refused", async () => {
    const bomb = buildZip({
      "[Content_Types].xml": "<a/>",
      "word/document.xml": Buffer.alloc(100_000_000, 32),
    });
    await expect(convert("docx", bomb)).rejects.toMatchObject({ kind: "too-large" });
  });

  it("whose ZIP directory lies about sizes is refused", async () => {
    const lie = buildZip({ "[Content_Types].xml": "<a/>", "word/document.xml": Buffer.alloc(1_000_000, 32) });
    lie.writeUInt32LE(10, lie.lastIndexOf("PK\u0001\u0002", undefined, "latin1") + 24);
    await expect(convert("docx", lie)).rejects.toMatchObject({ kind: "broken" });
  });

  it.each([
    [
      "entities that grow",
      `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;">]><w:document>&b;</w:document>`,
    ],
    ["nesting without end", "<w:p>".repeat(100_000)],
    ["no XML at all", "words"],
  ])("with %s is refused", async (_what, xml) => {
    const file = buildZip({ "[Content_Types].xml": "<a/>", "word/document.xml": xml });
    await expect(convert("docx", file)).rejects.toMatchObject({ kind: "broken" });
  });
});

/** A program in place of LibreOffice. It starts a child that would outlive it, and waits. */
async function waitingProgram(mark: string): Promise<string> {
  const program = path.join(folder, `program-${mark}`);
  await writeFile(program, `#!/bin/sh\nsleep ${mark} &\nsleep ${mark}\n`, { mode: 0o755 });
  return program;
}

/** Of a kind that only LibreOffice reads. */
const slides = buildCompoundFile({ "PowerPoint Document": Buffer.alloc(100) });

const processesWith = async (mark: string): Promise<string[]> => {
  const { stdout } = await promisify(execFile)("ps", ["-eo", "args"]);
  return stdout.split("\n").filter((line) => line.includes(`sleep ${mark}`));
};

describe("a conversion", () => {
  it("ends with all its processes at its time limit", async () => {
    const libreOffice = await waitingProgram("7301");
    await expect(convert("ppt", slides, { libreOffice, timeLimitSeconds: 1 })).rejects.toMatchObject({
      kind: "too-slow",
    });
    await expect.poll(() => processesWith("7301")).toEqual([]);
  });

  it("ends with all its processes when it is aborted", async () => {
    const libreOffice = await waitingProgram("7302");
    const signal = AbortSignal.timeout(500);
    await expect(convert("ppt", slides, { libreOffice, signal })).rejects.toThrow(/abort|timeout/i);
    await expect.poll(() => processesWith("7302")).toEqual([]);
  });

  it("ends with all its processes when the server is killed", async () => {
    const libreOffice = await waitingProgram("7303");
    const from = path.join(folder, "killed.rtf");
    await writeFile(from, "{\\rtf1 }");
    const options = { timeLimitSeconds: 60, memoryLimitMb, libreOffice, workFolder: folder };
    const task = { from, extension: "rtf", to: `${from}.pdf` };
    const module = new URL("./converter.ts", import.meta.url).href;
    const code = `const { openConverter } = await import(${JSON.stringify(module)});
      await openConverter(${JSON.stringify(options)}).toPdf(${JSON.stringify(task)});`;
    const server = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: "ignore" });
    await vi.waitFor(async () => expect(await processesWith("7303")).not.toEqual([]), { timeout: 60_000 });
    server.kill("SIGKILL");
    await vi.waitFor(async () => expect(await processesWith("7303")).toEqual([]), { timeout: 60_000 });
  });

  it("has no network if the kernel allows namespaces", async () => {
    const sandbox = new Sandbox();
    const limits = { timeLimitSeconds: 5, memoryLimitMb, outputLimitMb: 1 };
    const { output } = await sandbox.run(["cat", "/proc/net/dev"], { folder, limits });
    const interfaces = Array.from(output.matchAll(/^ *(\S+):/gm), ([, name]) => name);
    const isAlone = interfaces.join(" ") === "lo";
    expect(isAlone || (await sandbox.walls()) === "none").toBe(true);
  });

  it("passes no environment of the server to programs", async () => {
    const seen = path.join(folder, "environment");
    const libreOffice = path.join(folder, "program-environment");
    await writeFile(libreOffice, `#!/bin/sh\nenv > ${seen}\n`, { mode: 0o755 });
    await expect(convert("ppt", slides, { libreOffice })).rejects.toMatchObject({ kind: "broken" });
    const names = (await readFile(seen, "utf8")).split("\n").map((line) => line.split("=")[0]);
    expect(new Set(names)).toEqual(
      new Set(["", "HOME", "LANG", "OLDPWD", "PATH", "PWD", "TMPDIR"].filter((name) => names.includes(name))),
    );
  });

  it("refuses a file whose bytes do not match its extension", async () => {
    await expect(convert("docx", await plain(3, 3).png().toBuffer())).rejects.toMatchObject({
      kind: "wrong-kind",
    });
    await expect(convert("txt", "")).rejects.toMatchObject({ kind: "empty" });
  });
});
