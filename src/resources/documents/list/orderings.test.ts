import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sortedColumns } from "../../../database/audiences/columns.ts";
import { encodeCursor, listStart } from "../../../http/request/cursor.ts";
import { defaultOrdering, orderingNames, readCursor, readOrdering } from "./orderings.ts";

describe("readOrdering", () => {
  it.each(Object.keys(sortedColumns))("reads %s in both directions", (column) => {
    expect(readOrdering(column)).toEqual({ name: column, by: { column }, descending: false });
    expect(readOrdering(`-${column}`)).toEqual({ name: `-${column}`, by: { column }, descending: true });
  });

  it("defaults to ascending id, and reads descending id", () => {
    expect(readOrdering(undefined)).toEqual(defaultOrdering);
    expect(readOrdering("id")).toEqual(defaultOrdering);
    expect(readOrdering("-id")).toEqual({ name: "-id", by: { column: "id" }, descending: true });
  });

  it("reads a data key in both directions", () => {
    const by = { dataKey: "a-Key_9" };
    expect(readOrdering("data_a-Key_9")).toEqual({ name: "data_a-Key_9", by, descending: false });
    expect(readOrdering("-data_a-Key_9")).toEqual({ name: "-data_a-Key_9", by, descending: true });
    expect(readOrdering("data__tag").by).toEqual({ dataKey: "_tag" });
  });

  it.each([
    "",
    "-",
    "--id",
    "ID",
    " id",
    "slug",
    "data",
    "data_",
    "-data_",
    "data_a b",
    "data_a'",
    `data_${"a".repeat(51)}`,
    "data_a\n",
    "title,-id",
    "constructor",
  ])("ignores the unknown ordering %j", (text) => {
    expect(readOrdering(text)).toEqual(defaultOrdering);
  });

  it("is documented", () => {
    const documentation = readFileSync("docs/list.md", "utf8");
    const [, names = ""] = /^`ordering` is one of (.*?) or `data_<key>`/m.exec(documentation) ?? [];
    expect(names.match(/\w+/g)).toEqual(["id", ...Object.keys(sortedColumns)]);
  });

  it("reads every name that a list offers", () => {
    expect(orderingNames).toHaveLength(2 + 2 * Object.keys(sortedColumns).length);
    for (const name of orderingNames) expect(readOrdering(name).name ?? "id").toBe(name);
  });
});

/** A cursor as a client sends it, in the ordering of this name, at a row with this value. */
const cursorAt = (name: string, value?: string | number | null): string =>
  encodeCursor({
    ...listStart,
    ordering: readOrdering(name).name,
    key: value === undefined ? { id: 1 } : { id: 1, value },
  });

describe("readCursor", () => {
  it.each<[string, (string | number | null | undefined)[]]>([
    ["id", [undefined]],
    ["-id", [null]],
    ["title", ["", "a"]],
    ["-created_at", ["2025"]],
    ["page_count", [0, 7]],
    ["data_a", ["", "a", null]],
  ])("accepts a key of %s", (name, values) => {
    for (const value of values)
      expect(readCursor(cursorAt(name, value), readOrdering(name)).key).toEqual({
        id: 1,
        ...(value !== undefined && { value }),
      });
  });

  it.each<[string, (string | number | null)[]]>([
    ["-id", ["a", 1]],
    ["title", [1, null]],
    ["source", [1, null]],
    ["-created_at", [1, null]],
    ["updated_at", [1, null]],
    ["page_count", ["1", null]],
    ["data_a", [1]],
  ])("refuses a key for %s of another type", (name, values) => {
    for (const value of values)
      expect(() => readCursor(cursorAt(name, value), readOrdering(name))).toThrow(
        expect.objectContaining({ status: 404, body: { detail: "Invalid cursor" } }),
      );
  });

  it("accepts a cursor without a key, as at the ends of a list", () => {
    expect(readCursor("cj0x", readOrdering("title"))).toMatchObject({ reverse: true, key: null });
    expect(readCursor(undefined, readOrdering("title"))).toMatchObject({ reverse: false, key: null });
  });
});
