import type { ZipEntries } from "../unpack/zip-entries.ts";
import { relationshipsOf } from "./relationships.ts";
import { localName, readXml } from "./xml-reading.ts";

/*
 * The comments on the cells of a sheet. Excel since 2018 has threads of them in files of their own, and beside each
 * thread a comment for older programs, which repeats it after an explanation.
 */

interface CellComment {
  cell: string;
  author: string;
  text: string;
}

/** The comments on a sheet, each as a line with its cell and author: `B2, Ada: too high`. */
export async function commentLines(zip: ZipEntries, sheet: string): Promise<string[]> {
  const parts = await relationshipsOf(zip, sheet);
  const threads: CellComment[] = [];
  for (const part of parts.filter(({ type }) => type === "threadedComment"))
    threads.push(...(await threadedComments(zip, part.path)));
  const comments: CellComment[] = [];
  for (const part of parts.filter(({ type }) => type === "comments"))
    comments.push(...(await plainComments(zip, part.path)));
  const inThread = new Set(threads.map(({ cell }) => cell));
  const others = comments.filter(({ cell, author }) => !(author.startsWith("tc=") && inThread.has(cell)));
  return [...others, ...threads].flatMap(({ cell, author, text }) => {
    const words = text.replaceAll(/\s+/g, " ").trim();
    // Excel begins a comment with its author's name.
    const own =
      author !== "" && words.startsWith(`${author}:`) ? words.slice(author.length + 1).trim() : words;
    return own === "" ? [] : [`${[cell, author].filter((part) => part !== "").join(", ")}: ${own}`];
  });
}

async function plainComments(zip: ZipEntries, path: string): Promise<CellComment[]> {
  const authors: string[] = [];
  const comments: CellComment[] = [];
  let text = "";
  let isText = false;
  let phonetic = 0;
  await readXml(zip.read(path), {
    open(tag, { ref = "", authorId = "" }) {
      const name = localName(tag);
      if (name === "comment") comments.push({ cell: ref, author: authors[Number(authorId)] ?? "", text: "" });
      if (name === "comment" || name === "author") text = "";
      else if (name === "rPh") phonetic += 1;
      isText = name === "author" || (name === "t" && phonetic === 0);
    },
    text(part) {
      if (isText) text += part;
    },
    close(tag) {
      const name = localName(tag);
      isText = false;
      const last = comments.at(-1);
      if (name === "rPh") phonetic -= 1;
      else if (name === "author") authors.push(text.trim());
      else if (name === "comment" && last !== undefined) last.text = text;
    },
  });
  return comments;
}

async function threadedComments(zip: ZipEntries, path: string): Promise<CellComment[]> {
  const persons = await namesOfPersons(zip);
  const comments: CellComment[] = [];
  let isText = false;
  await readXml(zip.read(path), {
    open(tag, { ref = "", personId = "" }) {
      const name = localName(tag);
      if (name === "threadedComment")
        comments.push({ cell: ref, author: persons.get(personId) ?? "", text: "" });
      isText = name === "text";
    },
    text(part) {
      const last = comments.at(-1);
      if (isText && last !== undefined) last.text += part;
    },
    close() {
      isText = false;
    },
  });
  return comments;
}

async function namesOfPersons(zip: ZipEntries): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const path of zip.names.filter((name) => /^xl\/persons\/[^/]+\.xml$/.test(name))) {
    await readXml(zip.read(path), {
      open(tag, { id = "", displayName = "" }) {
        if (localName(tag) === "person") names.set(id, displayName);
      },
    });
  }
  return names;
}
