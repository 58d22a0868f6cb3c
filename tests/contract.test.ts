import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

/*
 * Each case is a source file in which a name of the contract is misspelt throughout, as if it had been renamed on that
 * side alone. The compiler has to refuse the file, and to accept it as it is.
 */
const cases: [file: string, name: string][] = [
  // The options of pages: what the server writes, and what the script reads.
  ["src/web/desk/desk-answer.ts", "trashDays"],
  ["src/web/desk/desk-routes.ts", "hasMail"],
  ["src/web/document-page.ts", "images"],
  ["src/web/embed-page.ts", "place"],
  ["src/desk/bulk-actions.tsx", "trashDays"],
  ["src/desk/admin/admin-app.tsx", "hasMail"],
  ["src/viewer/main.tsx", "images"],
  // Limits.
  ["src/resources/notes/fields.ts", "noteLimits"],
  ["src/viewer/editing/note-form.tsx", "noteLimits"],
  // What the API shows.
  ["src/resources/notes/present.ts", "content_html"],
  ["src/resources/notes/find-notes.ts", "document_title"],
  ["src/viewer/notes.tsx", "content_html"],
  ["src/resources/sections/present.ts", "page_number"],
  ["src/viewer/editing/section-editor.tsx", "page_number"],
  ["src/resources/projects/present.ts", "add_remove_access"],
  ["src/desk/model/desk-api.ts", "add_remove_access"],
  ["src/resources/users/present.ts", "username"],
  ["src/desk/model/project.ts", "username"],
  ["src/resources/documents/record-members.ts", "original_extension"],
  ["src/viewer/model/api.ts", "file_hash"],
  ["src/viewer/model/document-draft.ts", "published_url"],
  ["src/desk/model/desk-api.ts", "asset_url"],
  ["src/resources/documents/trash/trash-routes.ts", "removed_at"],
  ["src/desk/trash-page.tsx", "removed_at"],
  ["src/resources/documents/uploads/duplicate-routes.ts", "canonical_url"],
  ["src/resources/documents/search/present-found.ts", "highlights"],
  ["src/resources/documents/search/search-routes.ts", "wildcards_ignored"],
  ["src/web/documents.ts", "note_highlights"],
  ["src/desk/model/document-list.ts", "wildcards_ignored"],
  ["src/desk/model/saved-searches.ts", "uuid"],
  ["src/resources/documents/processing/find-progress.ts", "pages_done"],
  ["src/viewer/progress.ts", "pages_done"],
  ["src/resources/documents/processing/present-receipts.ts", "milliseconds"],
  ["src/resources/documents/rewriting/rewrite-routes.ts", "pages_without_text"],
  ["src/viewer/model/mention-search.ts", "pages_without_text"],
  ["src/viewer/model/arrangement.ts", "modifications"],
];

const misspelt = (name: string): string => `${name}Misspelt`;
const folderOf = (index: number): string => `case-${index}`;
const original = "original";

/** The messages of the compiler about each of these files, by the folder in which its copy is. */
let messages: Map<string | undefined, string[]>;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "quire-contract-"));
  const files = new Set(cases.map(([file]) => file));
  const copies = await Promise.all([
    ...cases.map(async ([file, name], index) => {
      const source = await readFile(file, "utf8");
      const wrong = source.replaceAll(new RegExp(`(?<!-)\\b${name}\\b`, "g"), misspelt(name));
      return copyAmongLinks(folderOf(index), file, wrong);
    }),
    ...Array.from(files, async (file, index) =>
      copyAmongLinks(`${original}-${index}`, file, await readFile(file, "utf8")),
    ),
  ]);
  messages = Map.groupBy(await compile(copies), (message) => /^(?:original|case-\d+)/.exec(message)?.[0]);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it("the compiler accepts the files as they are", () => {
  expect(messages.get(original)).toBeUndefined();
});

it.each(cases.map(([file, name], index) => ({ file, name, index })))(
  "$file does not compile if it calls $name by another name",
  ({ name, index }) => {
    expect(messages.get(folderOf(index))?.join("\n")).toContain(misspelt(name));
  },
);

/** Writes a file into a folder in which everything else is a link to the real source. Returns its path there. */
async function copyAmongLinks(root: string, file: string, source: string): Promise<string> {
  let real = process.cwd();
  let copy = path.join(folder, root);
  const parts = file.split("/");
  for (const part of parts) {
    await mkdir(copy, { recursive: true });
    const others = (await readdir(real)).filter((name) => name !== part);
    await Promise.all(others.map((name) => symlink(path.join(real, name), path.join(copy, name))));
    [real, copy] = [path.join(real, part), path.join(copy, part)];
  }
  await writeFile(copy, source);
  return path.join(root, file);
}

/** Compiles files of the server and of browsers as one program. Returns the messages about them, a line each. */
async function compile(files: readonly string[]): Promise<string[]> {
  const settings = {
    extends: path.resolve("tsconfig.json"),
    compilerOptions: {
      lib: ["es2024", "dom", "dom.iterable", "esnext.array", "esnext.iterator"],
      module: "esnext",
      moduleResolution: "bundler",
      jsx: "react-jsx",
      jsxImportSource: "preact",
      typeRoots: [path.resolve("node_modules/@types")],
    },
    files,
    include: [],
    exclude: [],
  };
  await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify(settings));
  const compiler = path.resolve("node_modules/typescript/bin/tsc");
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, "--pretty", "false"], {
    cwd: folder,
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: { stdout: string }) => error);
  return stdout.split("\n").filter((line) => /^(?:original|case)-/.test(line));
}
