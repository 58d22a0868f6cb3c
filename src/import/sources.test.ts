import { execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, it } from "vitest";
import { bytesOf, findSources } from "./sources.ts";
import { useFolder } from "../testing/use-folder.ts";

const find = (...words: string[]): ReturnType<typeof findSources> =>
  findSources(words, Readable.from([Buffer.from("from outside")]));

describe("a source on the command line", () => {
  const folder = useFolder("sources");
  const at = (...names: string[]): string => path.join(folder, ...names);

  beforeAll(async () => {
    await mkdir(at("inbox", "b folder"), { recursive: true });
    await mkdir(at("inbox", ".git"));
    await mkdir(at("elsewhere"));
    const names = [
      "inbox/z.PDF",
      "inbox/a.docx",
      "inbox/b folder/é.tif",
      "inbox/notes.md",
      "inbox/none",
      "inbox/.hidden.pdf",
      "inbox/.git/x.pdf",
      "elsewhere/secret.pdf",
    ];
    for (const name of names) await writeFile(at(name), "x");
    await writeFile(at("records.jsonl"), ' \n{"id":1}\n');
    await writeFile(at("page"), '\ufeff[{"id":1}]');
    await writeFile(at("records.txt"), '{"id":1}');
    await symlink(at("elsewhere"), at("inbox", "out"));
    await symlink(at("elsewhere", "secret.pdf"), at("inbox", "out.pdf"));
    await symlink(at("inbox", "z.PDF"), at("link.pdf"));
    execFileSync("mkfifo", [at("pipe")]);
  });

  it("may be a folder: all files in it that can be documents, in order, and none outside", async () => {
    const { sources, others } = await find(at("inbox"));
    expect(sources).toEqual([
      { kind: "file", path: at("inbox", "a.docx"), extension: "docx", relativePath: "inbox/a.docx" },
      {
        kind: "file",
        path: at("inbox", "b folder", "é.tif"),
        extension: "tif",
        relativePath: "inbox/b folder/é.tif",
      },
      { kind: "file", path: at("inbox", "z.PDF"), extension: "pdf", relativePath: "inbox/z.PDF" },
    ]);
    expect(others.map(({ name, reason, isNamed }) => [path.relative(folder, name), reason, isNamed])).toEqual(
      [
        ["inbox/.git", "hidden", false],
        ["inbox/.hidden.pdf", "hidden", false],
        ["inbox/none", "not a kind of file that can be a document", false],
        ["inbox/notes.md", "not a kind of file that can be a document (.md)", false],
        ["inbox/out", "a link", false],
        ["inbox/out.pdf", "a link", false],
      ],
    );
  });

  it("may be a file, records, a pipe, the standard input or a list; the order is kept", async () => {
    const words = [
      "-",
      at("link.pdf"),
      at("records.jsonl"),
      at("page"),
      at("records.txt"),
      at("pipe"),
      "HTTPS://docs.example.org/api/documents/?user=1",
    ];
    const { sources, others } = await find(...words);
    expect(others).toEqual([]);
    expect(sources.map((source) => source.kind)).toEqual([
      "records",
      "file",
      "records",
      "records",
      "file",
      "records",
      "list",
    ]);
    expect(sources.at(-1)).toEqual({ kind: "list", url: "https://docs.example.org/api/documents/?user=1" });
    const [input, , records] = sources;
    expect(input?.kind === "records" && (await text(input.open()))).toBe("from outside");
    expect(records?.kind === "records" && (await text(records.open()))).toBe(' \n{"id":1}\n');
    expect(bytesOf(sources)).toBeNull();
    expect(bytesOf(records === undefined ? [] : [records, records])).toBe(22);
  });

  it("is reported if it cannot be imported", async () => {
    const { sources, others } = await find(
      at("inbox", "notes.md"),
      at("inbox", "none"),
      at("absent.pdf"),
      "http://",
      "https://ada:secret@docs.example.org/",
    );
    expect(sources).toEqual([]);
    expect(others.map(({ name, reason, isNamed }) => [path.basename(name), reason, isNamed])).toEqual([
      ["notes.md", "neither records nor a kind of file that can be a document (.md)", true],
      ["none", "neither records nor a kind of file that can be a document", true],
      ["absent.pdf", "cannot be opened (ENOENT)", true],
      ["http:", "not an address", true],
      ["docs.example.org", "an address with a user name or a password cannot be asked", true],
    ]);
  });
});
