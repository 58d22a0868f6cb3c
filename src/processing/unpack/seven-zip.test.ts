import { mkdtemp, readFile, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { crc32 } from "node:zlib";
import SevenZip from "7z-wasm";
import { describe, expect, it } from "vitest";
import { smallEnough } from "./limits.ts";
import { unpack } from "./unpack.ts";
import type { Unpacked, Unpacking } from "./unpacking.ts";
import { buildZip } from "../../testing/zip.ts";
import { useFolder } from "../../testing/use-folder.ts";

const folder = useFolder("seven-zip");
let count = 0;
const oddNames = ["\u00c4/\u00f6 \u6587.txt", "-p", "@list", "a*b?.txt", "\u{1F600}.txt", "empty", "z.txt"];

/** An archive that 7-Zip writes itself, with these arguments. */
async function archive(
  name: string,
  files: Record<string, string | Uint8Array>,
  ...args: string[]
): Promise<string> {
  const sevenZip = await SevenZip.default({ print: () => undefined, printErr: () => undefined });
  const { FS } = sevenZip;
  FS.mkdir("/in");
  FS.chdir("/in");
  for (const [file, text] of Object.entries(files)) {
    for (const [index] of file.matchAll(/\//g)) {
      const parent = file.slice(0, file.indexOf(index));
      if (!FS.readdir("/in").includes(parent)) FS.mkdir(`/in/${parent}`);
    }
    FS.writeFile(`/in/${file}`, text);
  }
  // The quickest level has the same methods, and needs no memory for large dictionaries.
  sevenZip.callMain(["a", "-mx=1", ...args, `/${name}`, "."]);
  const to = path.join(folder, `${(count += 1)}-${name}`);
  await writeFile(to, FS.readFile(`/${name}`));
  return to;
}

async function unpacked(
  file: string,
  go: Partial<Unpacking> = {},
): Promise<Unpacked & { texts: Record<string, string> }> {
  const to = await mkdtemp(path.join(folder, "to-"));
  const limits = { after: -1, maxFiles: 1000, maxBytes: 1e9, maxFileBytes: 1e9, password: "" };
  const result = await unpack(file, path.extname(file).slice(1), { ...limits, folder: to, ...go });
  const texts: Record<string, string> = {};
  for (const one of result.files) texts[one.path] = await readFile(path.join(to, one.file), "utf8");
  const written = result.files.map((one) => one.file).toSorted();
  const left = (await readdir(to)).toSorted();
  // Nothing else may be left in the folder. After a failure, it is removed as a whole.
  expect(result.failure === null ? left : written).toEqual(written);
  return { ...result, texts };
}

const odd = Object.fromEntries(oddNames.map((name) => [name, name === "empty" ? "" : `text of ${name}`]));
const present = Object.fromEntries(Object.entries(odd).filter(([, text]) => text !== ""));

describe("archives that 7-Zip reads", () => {
  it.each([
    ["solid.7z", "-ms=on"],
    ["single.7z", "-ms=off"],
    ["encrypted.zip", "-psecret", "-mem=AES256"],
  ])("hold files of any name: %s", async (name, ...args) => {
    const found = await unpacked(await archive(name, odd, ...args), { password: "secret" });
    expect([found.failure, found.texts]).toEqual([null, present]);
    expect(found.leftOut).toEqual([{ path: "empty", reason: "empty" }]);
  });

  it("are read in several goes, each from where the last one ended", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 1200 }, (_, index) => [`${1000 + index}.txt`, `text ${index}`]),
    );
    const file = await archive("many.7z", many);
    const texts: Record<string, string> = {};
    let goes = 0;
    for (let after: number | null = -1; after !== null; goes += 1) {
      const found: Awaited<ReturnType<typeof unpacked>> = await unpacked(file, { after });
      Object.assign(texts, found.texts);
      after = found.after;
    }
    expect([goes, texts]).toEqual([3, many]);
  });

  it("that need a password say so, also if even their list does, or if it is wrong", async () => {
    const plain = await archive("plain.7z", odd, "-psecret");
    expect((await unpacked(plain)).failure).toMatchObject({ kind: "encrypted" });
    expect((await unpacked(plain, { password: "other" })).failure?.kind).toBe("encrypted");
    const hidden = await archive("hidden.7z", odd, "-psecret", "-mhe=on");
    await expect(unpacked(hidden)).rejects.toThrow("encrypted: it opens with a password only");
    await expect(unpacked(hidden, { password: "x" })).rejects.toThrow("is wrong");
    expect((await unpacked(hidden, { password: "secret" })).texts).toEqual(present);
  });

  it("that are ZIP archives locked by a method of PKWARE ask for a password, or name the method as unknown", async () => {
    const zip = buildZip({ "plain.txt": "Words", "locked.txt": "\0".repeat(80) });
    const flags = 0x41;
    zip.writeUInt16LE(flags, zip.lastIndexOf("PK\u0003\u0004", undefined, "latin1") + 6);
    zip.writeUInt16LE(flags, zip.lastIndexOf("PK\u0001\u0002", undefined, "latin1") + 8);
    const file = path.join(folder, "strong.zip");
    await writeFile(file, zip);
    const closed = await unpacked(file);
    expect([closed.texts, closed.failure?.reason]).toEqual([
      { "plain.txt": "Words" },
      "encrypted: it opens with a password only",
    ]);
    const opened = await unpacked(file, { password: "secret" });
    expect([opened.texts, opened.leftOut]).toEqual([
      { "plain.txt": "Words" },
      [{ path: "locked.txt", reason: "broken: it is encrypted by a method that Quire does not know" }],
    ]);
  });

  it("lack only the files that cannot be read, whatever follows them", async () => {
    const zip = buildZip({
      "plain.txt": "Words",
      "locked.txt": "\0".repeat(80),
      nothing: "",
      "odd.txt": "Of another method",
      "later.txt": "More words",
      "torn.txt": "x".repeat(200),
      "last.txt": "The last words",
    });
    const change = (name: string, offset: number, value: number): void => {
      zip.writeUInt16LE(value, zip.indexOf(name) - 30 + offset);
      zip.writeUInt16LE(value, zip.lastIndexOf(name) - 46 + offset + 2);
    };
    change("locked.txt", 6, 0x41);
    change("odd.txt", 8, 77);
    // A block of a kind that DEFLATE does not have.
    zip.writeUInt8(0xff, zip.indexOf("torn.txt") + "torn.txt".length);
    const file = path.join(folder, "odd.zip");
    await writeFile(file, zip);
    const { texts, leftOut, failure } = await unpacked(file, { password: "secret" });
    expect([texts, failure]).toEqual([
      { "plain.txt": "Words", "later.txt": "More words", "last.txt": "The last words" },
      null,
    ]);
    expect(leftOut).toEqual([
      { path: "locked.txt", reason: "broken: it is encrypted by a method that Quire does not know" },
      { path: "nothing", reason: "empty" },
      { path: "odd.txt", reason: "broken: it is packed by a method that Quire does not know" },
      { path: "torn.txt", reason: "broken: Data Error" },
    ]);
  });

  it("keep to the limits, and end with a reason where they are broken", async () => {
    const large = await archive("large.7z", { "a.txt": "a", "b.txt": "b".repeat(3000), "c.txt": "c" });
    const found = await unpacked(large, { maxFileBytes: 2000 });
    expect([found.texts, found.leftOut]).toEqual([
      { "a.txt": "a", "c.txt": "c" },
      [{ path: "b.txt", reason: "larger than 0 MB" }],
    ]);
    const bomb = await archive("bomb.xz", { zeros: new Uint8Array(smallEnough + 1) }, "-txz");
    expect((await unpacked(bomb)).failure?.reason).toMatch(/more than 250 times as large/);
    const bytes = await readFile(large);
    const broken = path.join(folder, "broken.7z");
    await writeFile(broken, bytes.subarray(0, bytes.length - 40));
    await expect(unpacked(broken)).rejects.toThrow(/^broken: /);
  });

  it("may have one file alone, without a name", async () => {
    const found = await unpacked(await archive("notes.txt.bz2", { "notes.txt": "only" }, "-tbzip2"));
    expect(found.texts).toEqual({ contents: "only" });
    expect(found.files.map(({ isUnnamed }) => isUnnamed)).toEqual([true]);
  });

  it("may be RAR archives", async () => {
    const file = path.join(folder, "stored.rar");
    await writeFile(file, storedRar({ "a.txt": "first", "b/c.txt": "second" }));
    expect((await unpacked(file)).texts).toEqual({ "a.txt": "first", "b/c.txt": "second" });
  });
});

function rarBlock(type: number, flags: number, fields: Buffer): Buffer {
  const head = Buffer.alloc(7);
  head.writeUInt8(type, 2);
  head.writeUInt16LE(flags, 3);
  head.writeUInt16LE(7 + fields.length, 5);
  const whole = Buffer.concat([head, fields]);
  whole.writeUInt16LE(crc32(whole.subarray(2)) & 0xffff, 0);
  return whole;
}

/** A RAR archive of version 4 whose files are stored without compression. */
function storedRar(files: Record<string, string>): Buffer {
  const parts = Object.entries(files).flatMap(([name, text]) => {
    const bytes = Buffer.from(text);
    const fields = Buffer.alloc(25);
    fields.writeUInt32LE(bytes.length, 0);
    fields.writeUInt32LE(bytes.length, 4);
    fields.writeUInt8(3, 8);
    fields.writeUInt32LE(crc32(bytes), 9);
    fields.writeUInt32LE(0x58210000, 13);
    fields.writeUInt8(20, 17);
    fields.writeUInt8(0x30, 18);
    fields.writeUInt16LE(name.length, 19);
    fields.writeUInt32LE(0o100644, 21);
    return [rarBlock(0x74, 0x8000, Buffer.concat([fields, Buffer.from(name)])), bytes];
  });
  return Buffer.concat([
    Buffer.from("Rar!\x1a\x07\0", "latin1"),
    rarBlock(0x73, 0, Buffer.alloc(6)),
    ...parts,
  ]);
}
