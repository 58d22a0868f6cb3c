import { type Static, Type, enumeration, id, nullable } from "./shape.ts";

/** A cell of a spreadsheet that differs from what the document has. */
export const CellChange = Type.Object(
  {
    field: Type.String({ description: "the name of the column" }),
    from: Type.String({ description: "what the document has, as a cell" }),
    to: Type.String({ description: "what the file has" }),
  },
  { $id: "CellChange" },
);

/** What a line of a spreadsheet would change, or has changed. */
export const LineChange = Type.Object(
  {
    line: Type.Integer({ minimum: 1, description: "its number in the file; the heading is line 1" }),
    id: nullable(id()),
    title: Type.String({ description: "of the document, as it is now" }),
    changes: Type.Array(CellChange),
    outcome: enumeration(
      ["change", "conflict", "error"],
      "conflict: the document was changed after the export",
    ),
    reason: nullable(Type.String({ description: "of an error" })),
  },
  { $id: "LineChange" },
);
export type LineChange = Static<typeof LineChange>;

export const SpreadsheetImport = Type.Object(
  {
    is_applied: Type.Boolean(),
    changed: Type.Integer({ minimum: 0 }),
    unchanged: Type.Integer({ minimum: 0 }),
    conflicts: Type.Integer({ minimum: 0 }),
    errors: Type.Integer({ minimum: 0 }),
    ignored_columns: Type.Array(Type.String()),
    lines: Type.Array(LineChange, { description: "those that differ; at most 1000" }),
    undo: nullable(Type.String({ description: "a file that changes everything back; null for a preview" })),
  },
  { $id: "SpreadsheetImport" },
);
export type SpreadsheetImport = Static<typeof SpreadsheetImport>;
