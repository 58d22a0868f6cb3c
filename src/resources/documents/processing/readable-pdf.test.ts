import { readFile, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RepairProgram, openConverter } from "../../../processing/convert/converter.ts";
import { type PdfReader, openPdfReader } from "../../../processing/pdf/pdf-pages.ts";
import { buildPdf } from "../../../testing/pdf.ts";
import type { Encryption, EncryptionKind } from "../../../testing/pdf-encryption.ts";
import { useFolder } from "../../../testing/use-folder.ts";
import { openReadablePdf } from "./readable-pdf.ts";

const folder = useFolder("readable");
let pdfs: PdfReader;
let files = 0;
beforeAll(async () => {
  pdfs = openPdfReader({ timeLimitSeconds: 60, memoryLimitMb: 256 });
});
afterAll(() => pdfs.close());

const whole = Buffer.from(
  buildPdf({ pages: [1, 2, 3].map((page) => ({ width: 600, height: 800, lines: [`Page ${page}`] })) }),
);
const locked = buildPdf({ pages: [{ width: 600, height: 800 }], encrypted: true });

async function fileOf(bytes: Uint8Array | string, mode = 0o644): Promise<string> {
  const file = path.join(folder, `${files++}`);
  await writeFile(file, bytes, { mode });
  return file;
}

/** Opens a file with other programs in place of those that repair PDFs. */
async function readWith(
  bytes: Uint8Array,
  { qpdf = "off", mutool = "off", pdftocairo = "off" }: Partial<Record<RepairProgram, string>>,
  password = "",
): Promise<{ text: string; engine: unknown; notes: unknown }> {
  const converter = openConverter({
    timeLimitSeconds: 60,
    memoryLimitMb: 256,
    libreOffice: "off",
    repair: { qpdf, mutool, pdftocairo },
    workFolder: folder,
  });
  const file = await fileOf(bytes);
  const { signal } = new AbortController();
  await using readable = await openReadablePdf({ pdfs, converter }, { path: file, password }, signal);
  const { text } = await readable.pdf.text(0);
  return { text, engine: readable.receipt?.details["engine"], notes: readable.receipt?.details["notes"] };
}

/** The text of the first page, with another program in place of qpdf. */
async function textOf(bytes: Uint8Array, qpdf = "off", password = ""): Promise<string> {
  return (await readWith(bytes, { qpdf }, password)).text;
}

const program = (lines: string): Promise<string> => fileOf(`#!/bin/sh\n${lines}\n`, 0o755);

describe.each<EncryptionKind>(["rc4-40", "rc4-128", "aes-128", "aes-256-r5", "aes-256"])(
  "a PDF encrypted by %s",
  (kind) => {
    const lockedWith = (encrypted: Omit<Encryption, "kind">): Uint8Array =>
      buildPdf({
        pages: [{ width: 600, height: 800, lines: ["The harbour"] }],
        title: "A title",
        encrypted: { kind, ...encrypted },
      });

    it("is read like any other if only changing it needs a password", async () => {
      expect(await textOf(lockedWith({ ownerPassword: "owner" }))).toBe("The harbour");
    });

    it("opens with its user password and with its owner password", async () => {
      const bytes = lockedWith({ userPassword: "geheim", ownerPassword: "of its owner" });
      expect(await textOf(bytes, "off", "geheim")).toBe("The harbour");
      expect(await textOf(bytes, "off", "of its owner")).toBe("The harbour");
      await expect(textOf(bytes, "off", "guessed")).rejects.toThrow(/the one that was given is wrong$/);
    });
  },
);

it("does not blame a file for a copy that the machine cannot write", async () => {
  const bytes = buildPdf({
    pages: [{ width: 600, height: 800 }],
    encrypted: { kind: "aes-256", userPassword: "geheim" },
  });
  const [from, to] = [await fileOf(bytes), path.join(folder, "no such folder", "copy.pdf")];
  const { signal } = new AbortController();
  await expect(pdfs.decrypt({ from, to, password: "geheim" }, signal)).rejects.toMatchObject({
    name: "Error",
    code: "ENOENT",
  });
});

const cut = (at: string): Uint8Array => whole.subarray(0, whole.indexOf(at));

describe("a truncated PDF", () => {
  it("is read as far as possible, without another program", async () => {
    for (const bytes of [
      cut("xref\n0"),
      cut("trailer"),
      Buffer.concat([cut("trailer"), Buffer.from("startxref\n0")]),
    ]) {
      expect(await textOf(bytes)).toBe("Page 1");
    }
  });

  it("is read if it ends within a string, an array or a dictionary", async () => {
    const start = cut("trailer");
    for (const rest of ["trailer\n<< /ID [<904e5a", "trailer\n<< /Info (a \\( b", "9 0 obj\n[ 1 [ 2 << /A"])
      expect(await textOf(Buffer.concat([start, Buffer.from(rest)]))).toBe("Page 1");
  });

  it("ends with a reason if too much is lost, which says what might help", async () => {
    const lost = whole.subarray(0, 30);
    await expect(textOf(lost)).rejects.toThrow(
      /^broken: its structure cannot be made out\. If another program opens it, qpdf may repair it here \(Debian/,
    );
    await expect(textOf(lost, await program("exit 2"))).rejects.toThrow(
      /^broken: its structure cannot be made out$/,
    );
  });
});

describe("a PDF without its first line", () => {
  const headless = Buffer.concat([Buffer.from([0, 1, 2, 10]), whole.subarray(whole.indexOf("1 0 obj"))]);

  it("is read, and the receipt says so", async () => {
    const { text, engine, notes } = await readWith(headless, {});
    expect([text, engine]).toEqual(["Page 1", "quire"]);
    expect(notes).toEqual([expect.stringMatching(/^The first line of the file was missing/)]);
  });

  it("is told from a file that is no PDF", async () => {
    await expect(textOf(Buffer.from("a text\n"), await program("echo >&2; exit 0"))).rejects.toThrow(
      /^This is not a PDF file: it looks like plain text$/,
    );
  });
});

describe("a PDF that cannot be opened", () => {
  it.each([
    ["fails", "exit 2"],
    ["makes nothing", "exit 0"],
    ["makes something else", 'for made; do :; done; echo nothing >"$made"'],
  ])("keeps its reason where another program %s", async (_what, lines) => {
    await expect(textOf(locked, await program(lines))).rejects.toThrow(
      /^encrypted: it opens with a password only$/,
    );
    await expect(textOf(locked, await program(lines), "guessed")).rejects.toThrow(
      /the one that was given is wrong$/,
    );
    const left = (await readdir(folder)).filter((name) => name.startsWith("quire-conversion-"));
    expect(left).toEqual([]);
  });

  it("is tried with one program after another, and only by those that hide a password", async () => {
    const sound = await fileOf(whole);
    const copies = (name: string): Promise<string> =>
      program(`for made; do :; done\ncp ${sound} "$made"; echo ${name} >> ${folder}/log`);
    const fails = await program("exit 2");
    const [mutool, pdftocairo] = [await copies("mutool"), await copies("pdftocairo")];
    expect((await readWith(locked, { qpdf: fails, mutool, pdftocairo })).engine).toBe("mutool");
    expect((await readWith(locked, { mutool: fails, pdftocairo })).engine).toBe("pdftocairo");
    await expect(readWith(locked, { mutool, pdftocairo }, "guessed")).rejects.toThrow(/is wrong$/);
    expect(await readFile(path.join(folder, "log"), "utf8")).toBe("mutool\npdftocairo\n");
  });

  it("is read after another program has rewritten it, which never gets the password as an argument", async () => {
    const sound = await fileOf(whole);
    const qpdf = await program(
      `for made; do :; done
case "$*" in *guessed*) exit 2;; esac
for one; do case "$one" in --password-file=*) read -r word <"\${one#*=}"; [ "$word" = guessed ] || exit 2;; esac; done
cp ${sound} "$made"; exit 3`,
    );
    expect(await textOf(locked, qpdf, "guessed")).toBe("Page 1");
    await expect(textOf(locked, qpdf)).rejects.toThrow(/it opens with a password only/);
  });
});
