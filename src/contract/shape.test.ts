import { describe, expect, expectTypeOf, it } from "vitest";
import {
  type Expanded,
  type Page,
  type Static,
  Type,
  dictionary,
  enumeration,
  expandable,
  id,
  listOf,
  nullable,
  oneOf,
} from "./shape.ts";

const Owner = Type.Object({ id: id(), name: Type.String() }, { $id: "Owner" });
const Book = Type.Object(
  {
    id: id(),
    state: enumeration(["lent", "in place"], "where it is"),
    owner: expandable(Owner),
    shelf: nullable(Type.Integer({ minimum: 0 })),
    tags: dictionary(Type.Array(Type.String())),
    previous: oneOf([id(), Owner, Type.Null()]),
    remark: Type.Optional(Type.String()),
  },
  { $id: "Book" },
);
type Book = Static<typeof Book>;

describe("a shape", () => {
  it("is the type of its values", () => {
    const book: Book = {
      id: 1,
      state: "lent",
      owner: 2,
      shelf: null,
      tags: { topic: ["sea"] },
      previous: null,
    };
    expect(Object.keys(book)).toEqual(Book["required"]);
    expectTypeOf<Book>().toEqualTypeOf<
      {
        id: number;
        state: "lent" | "in place";
        owner: number | Static<typeof Owner>;
        shelf: number | null;
        tags: Record<string, string[]>;
        previous: number | Static<typeof Owner> | null;
      } & { remark?: string }
    >();
    expectTypeOf<Expanded<Book, "owner">["owner"]["name"]>().toEqualTypeOf<string>();
  });

  it("is a JSON Schema whose optional members are not required", () => {
    expect(Book).toEqual({
      $id: "Book",
      type: "object",
      required: ["id", "state", "owner", "shelf", "tags", "previous"],
      properties: {
        id: { type: "integer", format: "int64", minimum: 1 },
        state: { type: "string", enum: ["lent", "in place"], description: "where it is" },
        owner: { oneOf: [{ type: "integer", format: "int64", minimum: 1 }, Owner] },
        shelf: { type: ["integer", "null"], minimum: 0 },
        tags: { type: "object", additionalProperties: { type: "array", items: { type: "string" } } },
        previous: { oneOf: [{ type: "integer", format: "int64", minimum: 1 }, Owner, { type: "null" }] },
        remark: { type: "string" },
      },
    });
  });

  it("of a list has a page of its items, and what else the list shows", () => {
    const list = listOf("BookList", Owner, { count: Type.Integer() });
    expectTypeOf<Static<typeof list>>().toExtend<Page<Static<typeof Owner>> & { count: number }>();
    expect(list["required"]).toEqual(["count", "next", "previous", "results"]);
  });

  it("with additional members may have any others", () => {
    const open = Type.Object({ id: id() }, { additionalProperties: true });
    expect(open["additionalProperties"]).toBe(true);
    expectTypeOf<Static<typeof open>["id"]>().toEqualTypeOf<number>();
    expectTypeOf<Static<typeof open>["other"]>().toEqualTypeOf<unknown>();
  });
});
