import * as fc from "fast-check";
import Papa from "papaparse";
import { beforeAll, describe, expect, it } from "vitest";
import type { SpreadsheetImport } from "../../../contract/spreadsheet.ts";
import { addReadDocuments } from "../../../testing/read-documents.ts";
import { sendAs } from "../../../testing/requests.ts";
import { defaultEngines, useApp } from "../../../testing/test-app.ts";
import { storableText } from "../../../testing/texts.ts";
import { csvLine } from "../../../http/text/csv.ts";
import type { DocumentRow } from "../store.ts";
import { cellOf, dataColumn, textOfCell, valuesOfCell } from "./cells.ts";

const hostile = fc.oneof(
  storableText,
  fc.constantFrom("=1+1", "'=1", "''-x", "+49 30", "@a", "[x", '["a"]', "\tx", "a\nb", " "),
);

describe("cells", () => {
  it("always stand for the text and the values that they were made of, and never begin like a formula", () => {
    fc.assert(
      fc.property(hostile, fc.array(hostile, { maxLength: 4 }), (title, values) => {
        const row = { title, data: JSON.stringify({ k: values }) } as DocumentRow;
        const [text, list] = [cellOf(row, "title"), cellOf(row, dataColumn("k"))];
        expect([textOfCell(text), valuesOfCell(list)]).toEqual([title, values]);
        const { data } = Papa.parse<string[]>(csvLine([text, list, "end"]), { delimiter: "," });
        expect(data[0]).toEqual([text, list, "end"]);
        for (const cell of [text, list]) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
      }),
    );
  });
});

describe.each(defaultEngines)("metadata in a spreadsheet on %s", (engine) => {
  const app = useApp(engine);
  let ids: number[];
  const owner = app.person("owner", { organizations: [1] });
  beforeAll(async () => {
    const row = { access: "public", slug: "x", pages: ["harbour"] };
    ids = await addReadDocuments(app.context, [
      {
        ...row,
        title: "=One",
        user_id: owner.id,
        data: JSON.stringify({ tag: ["a", "b"], "old-key": ["c"] }),
      },
      { ...row, title: "Two", user_id: owner.id },
      { ...row, title: "Foreign", user_id: 2, organization_id: 2 },
      { ...row, title: "Hidden", access: "private", user_id: 2, organization_id: 2 },
    ]);
  });

  const send = async (csv: string, options: object = {}): Promise<SpreadsheetImport> => {
    const { status, body } = await sendAs(app, owner, "POST", "/api/documents/spreadsheet/", {
      csv,
      ...options,
    });
    expect([status, body]).toEqual([200, expect.anything()]);
    return body;
  };
  const exported = async (): Promise<string> => {
    const path = "/api/documents/spreadsheet/export/?q=harbour&sort=created_at";
    const answer = await app.fetch(path, { headers: { ...owner.headers } });
    return Buffer.from(await answer.arrayBuffer()).toString();
  };
  const titleOf = async (id: number | undefined): Promise<[string, object]> => {
    const { body } = await sendAs(app, owner, "GET", `/api/documents/${id}/`);
    return [body.title, body.data];
  };

  it("is exported, edited, previewed, imported, and brought back", async () => {
    const csv = await exported();
    expect(csv.charCodeAt(0)).toBe(0xfeff);
    const { data } = Papa.parse<Record<string, string>>(csv.slice(1), { header: true, skipEmptyLines: true });
    expect(data.map(({ title = "" }) => title).toSorted()).toEqual(["'=One", "Foreign", "Two"]);
    expect((await send(csv)).changed).toBe(0);
    const edited = data.map((line) => {
      if (line["title"] === "'=One")
        return { ...line, title: "First", "data:tag": "b\nz", "data:old-key": "" };
      return line["title"] === "Two" ? { ...line, "data:tag": "new" } : { ...line, title: "Stolen" };
    });
    const hidden = { id: String(ids[3]), title: "x" };
    const file = Papa.unparse([...edited, hidden], { columns: Object.keys(data[0] ?? {}), delimiter: ";" });
    const preview = await send(file);
    expect([preview.is_applied, preview.changed, preview.errors, preview.undo]).toEqual([false, 2, 2, null]);
    const reasons = preview.lines.map(({ reason }) => reason).filter((reason) => reason !== null);
    expect(reasons).toEqual([
      "You may not edit this document.",
      "There is no such document, or you may not see it.",
    ]);
    expect(await titleOf(ids[0])).toEqual(["=One", { tag: ["a", "b"], "old-key": ["c"] }]);
    const done = await send(file, { apply: true });
    expect([done.is_applied, done.changed]).toEqual([true, 2]);
    expect(await titleOf(ids[0])).toEqual(["First", { tag: ["b", "z"] }]);
    expect(await titleOf(ids[1])).toEqual(["Two", { tag: ["new"] }]);
    // The file was exported before these changes.
    expect((await send(file.replace("First", "Third"), { apply: true })).conflicts).toBe(1);
    const undone = await send(done.undo ?? "", { apply: true });
    expect([undone.changed, undone.conflicts]).toEqual([2, 0]);
    expect(await titleOf(ids[0])).toEqual(["=One", { tag: ["a", "b"], "old-key": ["c"] }]);
    expect(await titleOf(ids[1])).toEqual(["Two", {}]);
    expect((await send(file, { apply: true, overwrite: true })).changed).toBe(2);
  });

  it("refuses a file that is not an exported spreadsheet", async () => {
    const refused = async (csv: string): Promise<unknown> =>
      (await sendAs(app, owner, "POST", "/api/documents/spreadsheet/", { csv })).body;
    expect(await refused("a,b\n1,2")).toEqual({
      csv: ["It has no column `id`: export the documents first."],
    });
    expect(await refused("id,title,title\n1,2,3")).toEqual({ csv: ["It has two columns `title`."] });
    const { lines } = await send(`id,title,updated_at,more\n${ids[1]},"",x,y\n${ids[1]},"Again",x,y\nx,"",,`);
    expect(lines.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ["error", "title: This field may not be blank."],
      ["error", "Another line has the same `id`."],
      ["error", "There is no number in the column `id`."],
    ]);
    expect((await sendAs(app, null, "POST", "/api/documents/spreadsheet/", { csv: "id" })).status).toBe(403);
  });
});
