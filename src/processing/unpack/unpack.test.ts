import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type * as PstExtractor from "pst-extractor";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { buildOutlookMessage } from "../../testing/outlook.ts";
import { buildZip } from "../../testing/zip.ts";
import { useFolder } from "../../testing/use-folder.ts";
import { headOf, readMail } from "./read-mail.ts";
import { unpack } from "./unpack.ts";
import type { Unpacked, Unpacking } from "./unpacking.ts";

/** A mailbox of a person who worked for Enron, as the package has it. */
const enron = path.join(
  path.dirname(createRequire(import.meta.url).resolve("pst-extractor")),
  "../example/testdata/enron.pst",
);

const folder = useFolder("unpack");
let count = 0;
const noLimits = { after: -1, maxFiles: 1000, maxBytes: 1e9, maxFileBytes: 1e9, password: "" };

async function fileOf(bytes: string | Uint8Array): Promise<string> {
  const file = path.join(folder, `file-${(count += 1)}`);
  await writeFile(file, bytes);
  return file;
}

async function unpacked(
  file: string,
  extension: string,
  limits: Partial<Unpacking> = {},
): Promise<Unpacked & { texts: string[] }> {
  const to = await mkdtemp(path.join(folder, "to-"));
  const found = await unpack(file, extension, { ...noLimits, folder: to, ...limits });
  const texts = await Promise.all(found.files.map((one) => readFile(path.join(to, one.file), "latin1")));
  return { ...found, texts };
}

const mailbox = [
  "From ada@example.org Mon Jan  1 10:00:00 2024",
  "Subject: One/Two",
  "",
  "The first text",
  ">From the harbour",
  "From here on it is no mail",
  "",
  "From bob@example.org Mon Jan  1 11:00:00 2024",
  "From: bob@example.org",
  "",
  "The second text",
  "",
].join("\n");

describe("a mailbox file", () => {
  it("holds mails, which begin after an empty line", async () => {
    const { files, texts } = await unpacked(await fileOf(mailbox), "mbox");
    expect(files.map(({ path: name, title, position }) => [name, title, position])).toEqual([
      ["000001 One_Two.eml", "One/Two", 0],
      ["000002 no subject.eml", "000002 no subject", 1],
    ]);
    expect(texts[0]).toBe(
      "Subject: One/Two\n\nThe first text\nFrom the harbour\nFrom here on it is no mail\n\n",
    );
    expect(texts[1]).toBe("From: bob@example.org\n\nThe second text\n");
  });

  it("is read in pieces, which may end anywhere", async () => {
    const line = `${"x".repeat(70)}\n`;
    const many = Array.from(
      { length: 40 },
      (_, index) =>
        `From a Mon Jan  1 10:00:00 2024\nSubject: Mail ${index}\n\n${line.repeat(900 + index * 7)}\n`,
    );
    const file = await fileOf(many.join(""));
    const { files, texts } = await unpacked(file, "mbox");
    expect(files.map(({ title }) => title)).toEqual(many.map((_, index) => `Mail ${index}`));
    expect(texts.join("").length).toBe(
      many.join("").length - 40 * "From a Mon Jan  1 10:00:00 2024\n".length,
    );
    const rest = await unpacked(file, "mbox", { after: 36 });
    expect(rest.files.map(({ title }) => title)).toEqual(["Mail 37", "Mail 38", "Mail 39"]);
  });
});

describe("a mailbox of Outlook", () => {
  it("holds mails with their folders, headers and attachments", async () => {
    const { files, failure } = await unpacked(enron, "pst");
    expect([files.length, failure]).toEqual([71, null]);
    const one = files.find(({ title }) => title === "New OBA's");
    expect(one?.path).toBe(
      "Top of Personal Folders/lokay-m/MLOKAY (Non-Privileged)/TW-Commercial Group/00001 New OBA's.eml",
    );
  });

  it("has mails that are read like others", async () => {
    const to = await mkdtemp(path.join(folder, "to-"));
    const { files } = await unpack(enron, "pst", { ...noLimits, folder: to });
    const one = files.find(({ title }) => title === "New OBA's");
    const mail = await readMail(path.join(to, one?.file ?? ""), "eml");
    expect(headOf(mail)).toMatchObject({
      from: ["dennis.lee@enron.com"],
      subject: "New OBA's",
      date: "2001-10-22T20:06:22Z",
    });
    expect(mail.attachments.length).toBe(11);
    const [first] = mail.attachments;
    expect([
      first?.filename,
      Buffer.from(first?.content as ArrayBuffer)
        .subarray(0, 4)
        .toString("hex"),
    ]).toEqual(["OBA_27602_Citizens.doc", "d0cf11e0"]);
  });

  it("has appointments with their time and location", async () => {
    const { PSTFile } = createRequire(import.meta.url)("pst-extractor") as typeof PstExtractor;
    // The mailbox has none. The properties of its mails are in place of those of an appointment.
    const ids = new Map([
      [0x82_08, 0x0e_1d],
      [0x82_0d, 0x00_39],
      [0x82_0e, 0x0e_06],
    ]);
    const appointmentSet = 4;
    const named = vi
      .spyOn(PSTFile.prototype, "getNameToIdMapItem")
      .mockImplementation((name, set) => (set === appointmentSet ? (ids.get(name) ?? -1) : -1));
    const { files, texts } = await unpacked(enron, "pst");
    named.mockRestore();
    const text = texts[files.findIndex(({ title }) => title === "New OBA's")] ?? "";
    expect(/X-Appointment-Start: (.*)/.exec(text)?.[1]?.trim()).toBe("Mon, 22 Oct 2001 20:06:22 +0000");
    expect(text).toMatch(/X-Appointment-End: .* 2001 .* \+0000\r\nX-Appointment-Location: New OBA's\r\n/);
  });

  it("is refused if it is cut off", async () => {
    const bytes = await readFile(enron);
    const file = await fileOf(bytes.subarray(0, 200_000));
    await expect(unpacked(file, "pst")).rejects.toThrow("Unable to find node");
  });
});

describe("a mail of Outlook", () => {
  it("has its texts, people and attachments, also those of a mail within it", async () => {
    const inner = { subject: "Inner", body: "Seven barrels", attachments: [] };
    const bytes = buildOutlookMessage({
      subject: "Übergröße",
      body: "The outer text",
      senderName: "Zoë",
      senderAddress: "Zoe@Example.org",
      to: [{ name: "Ada", address: "ada@example.org" }],
      attachments: [{ name: "März.txt", bytes: Buffer.from("Words of March") }, { mail: inner }],
    });
    const file = await fileOf(bytes);
    const { files, texts, mail } = await unpacked(file, "msg");
    expect(mail).toMatchObject({ from: ["zoe@example.org"], to: ["ada@example.org"], subject: "Übergröße" });
    expect(files.map(({ path: name, title }) => [name, title])).toEqual([
      ["März.txt", "März"],
      ["Inner.eml", "Inner"],
    ]);
    expect(texts[0]).toBe("Words of March");
    expect((await readMail(file, "msg")).text?.trim()).toBe("The outer text");
    expect(texts[1]).toContain(Buffer.from("Seven barrels").toString("base64"));
  });
});

describe("a TAR archive", () => {
  let archive: Buffer;
  const long = `${"folder/".repeat(30)}a long name.txt`;
  beforeAll(async () => {
    const from = await mkdtemp(path.join(folder, "tar-"));
    await mkdir(path.join(from, path.dirname(long)), { recursive: true });
    await writeFile(path.join(from, long), "Long");
    await writeFile(path.join(from, "grüße.txt"), "x".repeat(70_000));
    await symlink("/etc/passwd", path.join(from, "link"));
    // The tar of macOS writes such a file beside each other one.
    await writeFile(path.join(from, "._grüße.txt"), "of macOS");
    const names = ["grüße.txt", "._grüße.txt", "link", "folder"];
    archive = execFileSync("tar", ["-C", from, "-cf", "-", ...names], { maxBuffer: 1e8 });
  });

  it("made by another program has its files, also with long names, and no links", async () => {
    for (const [extension, bytes] of [
      ["tar", archive],
      ["tgz", gzipSync(archive)],
    ] as const) {
      const { files, texts } = await unpacked(await fileOf(bytes), extension);
      expect(files.map(({ path: name }) => name)).toEqual(["grüße.txt", long]);
      expect(texts).toEqual(["x".repeat(70_000), "Long"]);
    }
  });

  it("has no file that is cut off", async () => {
    const { files, leftOut } = await unpacked(await fileOf(archive.subarray(0, 50_000)), "tar");
    expect([files, leftOut]).toEqual([[], [{ path: "grüße.txt", reason: "broken: it ends early" }]]);
  });
});

describe("a file packed with gzip", () => {
  it("has the name that its header states, or none", async () => {
    const from = path.join(await mkdtemp(path.join(folder, "gz-")), "Akte.txt");
    await writeFile(from, "Words");
    execFileSync("gzip", [from]);
    const { files, texts } = await unpacked(`${from}.gz`, "gz");
    expect([files.map(({ path: name }) => name), texts]).toEqual([["Akte.txt"], ["Words"]]);
    expect((await unpacked(await fileOf(gzipSync("Words")), "gz")).files[0]?.path).toBe("contents");
  });

  it("ends with a reason if it is a bomb", async () => {
    const { files, failure } = await unpacked(await fileOf(gzipSync(Buffer.alloc(40 * 1024 * 1024))), "gz");
    expect([files, failure?.kind]).toEqual([[], "too-large"]);
  });

  it("may be in parts, and ends before what is no part", async () => {
    const one = "The first words.\n".repeat(50_000);
    const two = Array.from({ length: 30_000 }, (_, index) => `${index ** 3}\n`).join("");
    const parts = Buffer.concat([gzipSync(one), gzipSync(two)]);
    for (const junk of ["", "\0\0\0", "\n", "Here begins something else. ".repeat(20_000)]) {
      const from = await fileOf(Buffer.concat([parts, Buffer.from(junk)]));
      expect((await unpacked(from, "gz")).texts).toEqual([one + two]);
    }
    const cut = await unpacked(await fileOf(parts.subarray(0, -1)), "gz");
    expect(cut.leftOut).toEqual([{ path: "contents", reason: "broken: it ends early" }]);
  });
});

describe("an archive", () => {
  it("has names in UTF-8 or in the code page of DOS, and none leads out of it", async () => {
    const names = {
      "../../etc/passwd": "a",
      "C:\\Akten\\b.txt": "b",
      "Straße/ü.txt": "c",
      "gr\u0001\u0002.txt": "d",
    };
    const bytes = buildZip(names);
    const dos = Buffer.from("gr\u0001\u0002", "latin1");
    for (let at = bytes.indexOf(dos); at >= 0; at = bytes.indexOf(dos, at + 1))
      bytes.write("gr\x81\xe1", at, "latin1");
    const { files } = await unpacked(await fileOf(bytes), "zip");
    expect(files.map(({ path: name }) => name)).toEqual([
      "etc/passwd",
      "C:/Akten/b.txt",
      "Straße/ü.txt",
      "grüß.txt",
    ]);
  });

  it("ends where a limit on files or bytes is reached, and continues where it ended", async () => {
    const file = await fileOf(buildZip({ a: "12345", b: "12345", c: "12345", d: "12345" }));
    const few = await unpacked(file, "zip", { maxFiles: 2 });
    expect([few.texts.length, few.failure?.reason]).toEqual([
      2,
      "too large when unpacked: it holds more than the 2 files that may still be taken out",
    ]);
    const small = await unpacked(file, "zip", { maxBytes: 12 });
    expect([small.texts.length, small.failure?.kind]).toEqual([2, "too-large"]);
    const large = await unpacked(file, "zip", { maxFileBytes: 4 });
    expect(large.leftOut.map(({ path: name }) => name)).toEqual(["a", "b", "c", "d"]);
    expect((await unpacked(file, "zip", { after: 1 })).files.map(({ position }) => position)).toEqual([2, 3]);
  });

  it("of more files than one go takes is taken out in several", async () => {
    const names = Array.from({ length: 1100 }, (_, index) => [`${index}.txt`, "words"] as const);
    const file = await fileOf(buildZip(Object.fromEntries(names)));
    const seen: string[] = [];
    for (let after: number | null = -1; after !== null;) {
      const go = await unpacked(file, "zip", { after, maxFiles: 5000 });
      seen.push(...go.files.map(({ path: name }) => name));
      ({ after } = go);
    }
    expect(seen.length).toBe(1100);
    expect(new Set(seen).size).toBe(1100);
  });
});

function attribute(level: number, id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUInt8(level, 0);
  head.writeUInt16LE(id, 1);
  head.writeUInt32LE(data.length, 5);
  return Buffer.concat([head, data, Buffer.alloc(2)]);
}

/** A winmail.dat with a text, and an attachment that has a short and a long name. */
function winmail(text: string, longName: string, bytes: string): Buffer {
  const wide = Buffer.from(`${longName}\0`, "utf16le");
  const [total, kind, one, length] = [Buffer.alloc(4), Buffer.alloc(4), Buffer.alloc(4), Buffer.alloc(4)];
  total.writeUInt32LE(1);
  kind.writeUInt32LE((0x3707 << 16) | 0x1f);
  one.writeUInt32LE(1);
  length.writeUInt32LE(wide.length);
  const properties = Buffer.concat([total, kind, one, length, wide, Buffer.alloc(-wide.length & 3)]);
  return Buffer.concat([
    Buffer.from("789f3e220100", "hex"),
    attribute(1, 0x800c, Buffer.from(`${text}\0`)),
    attribute(2, 0x9002, Buffer.alloc(14)),
    attribute(2, 0x800f, Buffer.from(bytes)),
    attribute(2, 0x8010, Buffer.from("SHORT~1.TXT\0")),
    attribute(2, 0x9005, properties),
    Buffer.from("more after the end"),
  ]);
}

describe("a winmail.dat", () => {
  it("holds the text of its mail and the attachments, with their long names", async () => {
    const { files, texts, failure } = await unpacked(
      await fileOf(winmail("Hello", "Übersicht.txt", "abc")),
      "dat",
    );
    expect([files.map((one) => one.path), texts, failure]).toEqual([
      ["message.txt", "Übersicht.txt"],
      ["Hello", "abc"],
      null,
    ]);
  });

  it("that is cut off gives what it has, and the reason", async () => {
    const whole = winmail("Hello", "a.txt", "abc");
    const { files, failure } = await unpacked(await fileOf(whole.subarray(0, 58)), "dat");
    expect([files.map((one) => one.path), failure]).toEqual([
      ["message.txt"],
      { kind: "broken", reason: "broken: it ends early" },
    ]);
  });
});
