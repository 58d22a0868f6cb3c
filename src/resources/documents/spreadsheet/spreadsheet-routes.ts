import type { FastifyInstance } from "fastify";
import { SpreadsheetImport } from "../../../contract/spreadsheet.ts";
import type { Context } from "../../../context.ts";
import { invalidRequest } from "../../../errors.ts";
import { type View, queryOf } from "../../../http/browsable/view.ts";
import { membersIn, readFields } from "../../../http/fields/fields.ts";
import { boolean, text } from "../../../http/fields/field-kinds.ts";
import { ErrorReason, ValidationError, inTypes, textParameter } from "../../../http/fields/schema-shapes.ts";
import { Type } from "../../../http/fields/json-schema.ts";
import { fileRoute } from "../../../http/file-route.ts";
import { bodyOf, jsonBody } from "../../../http/request/body.ts";
import { readExpansion } from "../../../http/request/expansion.ts";
import { mayWrite } from "../../../http/request/viewer.ts";
import { resourceRoute } from "../../../http/resource-route.ts";
import { byteOrderMark, csvLine } from "../../../http/text/csv.ts";
import { addressesOf } from "../../../http/text/addresses.ts";
import { type SearchedNotes, answerSearch } from "../search/search-documents.ts";
import { readSearch } from "../search/search-request.ts";
import { type DocumentRow, findVisibleDocuments } from "../store.ts";
import { cellOf, columnsFor } from "./cells.ts";
import { importSheet } from "./import-sheet.ts";
import { maxSheetLines } from "./read-sheet.ts";

const bodyLimit = 16 * 1024 * 1024;
const documentsAtOnce = 500;

const importFields = {
  csv: text({
    required: true,
    long: true,
    example: "id,title\n1,Minutes",
    label: "File",
    help: "The text of the edited CSV file",
  }),
  apply: boolean({
    default: false,
    label: "Apply",
    help: "Change the documents, and do not only say what would change",
  }),
  overwrite: boolean({
    default: false,
    label: "Overwrite",
    help: "Also change documents that others have changed after the export",
  }),
};

const sheetExport: View = {
  name: "Spreadsheet",
  description: "The metadata of the documents that a search finds, as a CSV file.",
};

const sheetImport: View = {
  name: "Spreadsheet import",
  description: "Changes the metadata of documents as an edited CSV file says, or says what it would change.",
  parses: [jsonBody],
  fields: { POST: importFields },
  leadsTo: "/api/documents/",
};

const exporting = {
  summary: "The metadata of the documents that a search finds, as a CSV file",
  query: {
    q: textParameter("a search, as in /api/documents/search/; all documents that you may see if not given"),
  },
  gives: inTypes(["text/csv"], Type.String({ description: `at most ${maxSheetLines} documents` })),
  also: { 400: ErrorReason, 503: ErrorReason },
};

const importing = {
  summary: "Preview or apply an edited CSV file",
  gives: SpreadsheetImport,
  status: 200,
  also: { 400: ValidationError },
};

export function spreadsheetRoutes(app: FastifyInstance, context: Context, notes: SearchedNotes): void {
  const { config, database } = context;

  fileRoute(app, {
    path: "/api/documents/spreadsheet/export/",
    view: sheetExport,
    published: exporting,
    takesLongQuery: true,
    async handler(request, reply) {
      const { viewer } = request;
      const asked = readSearch(queryOf(request).with("per_page", "1").with("cursor", null), viewer);
      if (asked.mayDependOnTime) request.dependsOnTime = true;
      reply.headers({
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": 'attachment; filename="documents.csv"',
        "cache-control": "private, no-store",
      });
      if (request.method === "HEAD") return reply.send();
      const rows: DocumentRow[] = [];
      const options = { expansion: readExpansion(queryOf(request), [], "named"), notes };
      const search = { ...asked, isHighlighted: false, facets: [], spelling: null, perPage: documentsAtOnce };
      for (let start: typeof asked.start | null = { after: null }; start !== null;) {
        const addresses = addressesOf(config, request);
        const found = await answerSearch(database, viewer, { ...search, start }, addresses, options);
        if (found.total > maxSheetLines) throw tooMany(found.total);
        const ids = found.results.map(({ id }) => Number(id));
        const byId = new Map((await findVisibleDocuments(database, viewer, ids)).map((row) => [row.id, row]));
        for (const id of ids) rows.push(...[byId.get(id)].filter((row) => row !== undefined));
        start = found.last === null ? null : { after: found.last };
      }
      const columns = columnsFor(rows);
      const lines = rows.map((row) => csvLine(columns.map((column) => cellOf(row, column))));
      return reply.send(byteOrderMark + csvLine(columns) + lines.join(""));
    },
  });

  resourceRoute(app, {
    path: "/api/documents/spreadsheet/",
    view: sheetImport,
    invites: async ({ viewer }) => mayWrite(viewer),
    post: {
      schema: importing,
      bodyLimit,
      async answer(request, viewer) {
        const read = readFields(importFields, membersIn(importFields, bodyOf(request)), "whole");
        const { csv = "", apply = false, overwrite = false } = read;
        return importSheet(context, viewer, { csv, apply, overwrite });
      },
    },
  });
}

const tooMany = (count: number): Error =>
  invalidRequest(
    `The search finds ${count} documents. A file has ${maxSheetLines} at most: search for fewer.`,
  );
