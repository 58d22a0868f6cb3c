import path from "node:path";
import { getLibFiles, libFolderInMemoryPath as libFolder, ts } from "@ts-morph/common";
import { beforeAll, expect, it } from "vitest";

/*
 * Each case is a source file in which a name of the contract is misspelt throughout, as if it had been renamed on that
 * side alone. The compiler has to refuse the file. `npm run types` shows that it accepts the files as they are.
 */
const cases: [file: string, name: string][] = [
  // The options of pages: what the server writes, and what the script reads.
  ["src/web/desk/desk-answer.ts", "trashDays"],
  ["src/web/desk/desk-routes.ts", "hasMail"],
  ["src/web/document-page.ts", "images"],
  ["src/web/embed-page.ts", "fragment"],
  ["src/desk/bulk-actions.tsx", "trashDays"],
  ["src/desk/admin/admin-app.tsx", "adminPage"],
  ["src/viewer/main.tsx", "images"],
  // Limits.
  ["src/resources/notes/fields.ts", "noteLimits"],
  ["src/viewer/editing/note-draft.ts", "noteLimits"],
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
  ["src/viewer/editing/document-draft.ts", "publish_at"],
  ["src/desk/model/desk-api.ts", "asset_url"],
  ["src/resources/documents/trash/trash-routes.ts", "removed_at"],
  ["src/desk/trash-page.tsx", "removed_at"],
  ["src/resources/documents/uploads/duplicate-routes.ts", "canonical_url"],
  ["src/resources/documents/search/present-found.ts", "highlights"],
  ["src/resources/documents/search/search-routes.ts", "wildcards_ignored"],
  ["src/web/document-lists.ts", "note_highlights"],
  ["src/desk/model/found-documents.ts", "wildcards_ignored"],
  ["src/desk/model/saved-searches.ts", "uuid"],
  ["src/resources/documents/processing/find-progress.ts", "pages_done"],
  ["src/viewer/progress.ts", "pages_done"],
  ["src/resources/documents/processing/present-receipts.ts", "milliseconds"],
  ["src/resources/documents/rewriting/rewrite-routes.ts", "pages_without_text"],
  ["src/viewer/model/mention-search.ts", "pages_without_text"],
  ["src/viewer/model/arrangement.ts", "modifications"],
];

const misspelt = (name: string): string => `${name}Misspelt`;

const renamed = (source: string, name: string): string =>
  source.replaceAll(new RegExp(`(?<!-)\\b${name}\\b`, "g"), misspelt(name));

/** The compiler's messages about each file, if every file of the cases is as its cases say. */
let messages: Map<string, string>;

beforeAll(() => {
  const casesOf = Map.groupBy(cases, ([file]) => path.resolve(file));
  const options = readOptions();
  const host = ts.createCompilerHost(options);
  const library = new Map(getLibFiles().map(({ fileName, text }) => [path.join(libFolder, fileName), text]));
  host.getDefaultLibLocation = () => libFolder;
  host.getDefaultLibFileName = () => path.join(libFolder, ts.getDefaultLibFileName(options));
  host.readFile = (file) => {
    const source = library.get(file) ?? ts.sys.readFile(file);
    return casesOf.get(file)?.reduce((text, [, name]) => renamed(text, name), source ?? "") ?? source;
  };
  const program = ts.createProgram([...casesOf.keys()], options, host);
  messages = new Map(
    Array.from(casesOf.keys(), (file) => [
      path.relative("", file),
      program
        .getSemanticDiagnostics(program.getSourceFile(file))
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))
        .join("\n"),
    ]),
  );
});

it.each(cases.map(([file, name]) => ({ file, name })))(
  "$file does not compile if it calls $name by another name",
  ({ file, name }) => {
    expect(messages.get(file)).toContain(misspelt(name));
  },
);

/** The options of one program of the server's and the browser's files. */
function readOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile("tsconfig.json", (file) => ts.sys.readFile(file)) as {
    config: { compilerOptions: object };
  };
  const changed = {
    lib: ["es2024", "dom", "dom.iterable", "esnext.array", "esnext.iterator"],
    module: "esnext",
    moduleResolution: "bundler",
    jsx: "react-jsx",
    jsxImportSource: "preact",
  };
  return ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, ...changed }, ".").options;
}
