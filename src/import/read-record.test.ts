import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxPages } from "../processing/page-spec.ts";
import { recordOf } from "../testing/records.ts";
import { readRecord } from "./read-record.ts";
import { RecordError } from "./record-fields.ts";

const whole = recordOf({
  id: 282753,
  data: { email: ["a@example.org"], _tag: [] },
  file_hash: "0123456789abcdef0123456789abcdef01234567",
  organization: 7,
  original_extension: "xlsx",
  page_count: 3,
  page_spec: "612.0x792.0:0,2;595.28x841.89:1",
  projects: [12, 3],
  related_article: "https://news.example.org/1",
  source: "A county clerk",
  updated_at: "2020-02-29T00:00:00Z",
  user: 9,
});

const faultOf = (record: unknown): string => {
  try {
    readRecord(record);
    return "none";
  } catch (error) {
    if (error instanceof RecordError) return error.message;
    throw error;
  }
};
const faultWith = (change: object): string => faultOf({ ...whole, ...change });

const bare = { isExpanded: false, created_at: null, updated_at: null };

describe("a record", () => {
  it("has no more pages than a document may have", () => {
    const page_spec = `612.0x792.0:0-${maxPages - 1}`;
    expect(readRecord({ ...whole, page_count: maxPages, page_spec }).values.page_count).toBe(maxPages);
    for (const page_count of [maxPages + 1, 1_000_000_000, 2 ** 53 - 1])
      for (const spec of ["", `612.0x792.0:0-${page_count - 1}`])
        expect(faultWith({ page_count, page_spec: spec })).toBe(
          `page_count: expected a whole number from 0 to ${maxPages}`,
        );
  });

  it("is read with every field, and times to the microsecond", () => {
    const { id: _, user: _user, organization: _organization, projects: _projects, ...shown } = whole;
    const { canonical_url: _address, edit_access: _edit, ...kept } = shown;
    expect(readRecord(whole)).toEqual({
      values: {
        ...kept,
        id: 282753,
        data: '{"email":["a@example.org"],"_tag":[]}',
        updated_at: "2020-02-29T00:00:00.000000Z",
      },
      unnamed: [],
      user: { id: 9, username: null, name: null, uuid: null, avatar_url: null, ...bare },
      organization: {
        id: 7,
        name: null,
        slug: null,
        individual: false,
        uuid: null,
        avatar_url: null,
        ...bare,
      },
      projects: [
        { id: 12, title: null, slug: null, description: "", private: false, user: null, ...bare },
        { id: 3, title: null, slug: null, description: "", private: false, user: null, ...bare },
      ],
      notes: [],
      sections: [],
      leftOut: [],
    });
  });

  it("may have only an id and a title; all other members get the API's defaults", () => {
    const { values, user, organization, projects } = readRecord({ id: 1, title: "Straße, 2nd part" });
    expect(values).toMatchObject({
      access: "private",
      status: "nofile",
      language: "eng",
      original_extension: "pdf",
      data: "{}",
      page_count: 0,
      page_spec: "",
      asset_url: null,
      publish_at: null,
      slug: "strasse-2nd-part",
    });
    expect(values.created_at).toMatch(/^20\d\d-.*\.\d{6}Z$/);
    expect(values.updated_at).toBe(values.created_at);
    expect([user, organization, projects]).toEqual([null, null, []]);
  });

  it("may have an expanded user, organization and projects, and unknown members", () => {
    const read = readRecord({
      ...whole,
      user: { id: 9, username: "ada", name: "Ada L.", avatar_url: "" },
      organization: { id: 7, name: "The Paper", slug: "the-paper", individual: true, uuid: "x" },
      projects: [{ id: 3, title: "Roads", slug: "roads", description: "All", private: true, user: 4 }],
      presigned_url: "https://s3.example.org/put",
    });
    expect(read.user).toMatchObject({ id: 9, username: "ada", name: "Ada L.", isExpanded: true });
    const paper = { id: 7, name: "The Paper", slug: "the-paper", individual: true, uuid: null };
    expect(read.organization).toMatchObject(paper);
    expect(read.projects.map(({ id, user }) => [id, user?.id])).toEqual([[3, 4]]);
    expect(read.leftOut).toEqual(["presigned_url", "organization.uuid"]);
  });

  it.each([
    [null, "not a record: expected a JSON object"],
    [[], "not a record: expected a JSON object"],
    [{ title: "x" }, "id: expected a whole number from 1 to 8796093022207"],
    [{ id: 1 }, "title: expected a text that is not blank"],
  ])("is not %j", (record, fault) => {
    expect(faultOf(record)).toBe(fault);
  });

  it.each([
    [{ id: 0 }, "id: expected a whole number from 1 to 8796093022207"],
    [{ id: 1e15 }, "id: expected a whole number from 1 to 8796093022207"],
    [{ id: "7" }, "id: expected a whole number from 1 to 8796093022207"],
    [{ title: " \n" }, "title: expected a text that is not blank"],
    [{ title: "x".repeat(1001) }, "title: longer than 1000 characters"],
    [{ title: "a\0b" }, "title: has a character that cannot be stored"],
    [{ title: "a\ud800b" }, "title: has a character that cannot be stored"],
    [{ title: 7 }, "title: expected a text"],
    [{ description: "x".repeat(4001) }, "description: longer than 4000 characters"],
    [{ source: "x".repeat(1001) }, "source: longer than 1000 characters"],
    [{ published_url: "x".repeat(1025) }, "published_url: longer than 1024 characters"],
    [{ related_article: "x".repeat(1025) }, "related_article: longer than 1024 characters"],
    [{ access: "everyone" }, "access: expected one of public, organization, private, invisible"],
    [{ status: "deleted" }, "status: expected one of success, readable, pending, error, nofile"],
    [{ noindex: 1 }, "noindex: expected true or false"],
    [{ created_at: "2012-02-30T00:00:00Z" }, "created_at: expected a date and time in ISO 8601"],
    [{ updated_at: 0 }, "updated_at: expected a date and time in ISO 8601"],
    [{ file_hash: "ABC" }, "file_hash: expected 40 hexadecimal digits in lower case, or nothing"],
    [{ language: "xxx" }, "language: expected the code of a language, such as eng"],
    [{ page_count: -1 }, `page_count: expected a whole number from 0 to ${maxPages}`],
    [{ page_spec: "letter" }, 'page_spec has "letter" where <width>x<height>:<pages> belongs'],
    [{ page_spec: "612x792:0-1" }, "page_spec gives page 2 of 3 no size, counting from 0"],
    [{ slug: "../x" }, "slug: expected letters, digits, - and _, at most 255"],
    [{ slug: "" }, "slug: expected letters, digits, - and _, at most 255"],
    [{ data: [] }, "data: expected an object of arrays of texts"],
    [{ data: { "a b": [] } }, "data: a key may have letters, digits, - and _, at most 50"],
    [{ data: { a: "b" } }, "data.a: expected an array of texts"],
    [{ data: { a: [1] } }, "data.a: expected an array of texts"],
    [{ data: { a: ["x".repeat(301)] } }, "data.a: longer than 300 characters"],
    [{ data: { a: ["\0"] } }, "data.a: has a character that cannot be stored"],
    [
      { asset_url: "javascript:x/" },
      "asset_url: expected an http:// or https:// address that ends in a slash",
    ],
    [
      { asset_url: "https://x.example" },
      "asset_url: expected an http:// or https:// address that ends in a slash",
    ],
    [{ user: "ada" }, "user: expected an id"],
    [{ user: { username: "ada" } }, "user: expected an id"],
    [{ projects: 3 }, "projects: expected an array of ids"],
    [{ projects: [0] }, "projects: expected an id"],
  ])("is refused for %j", (change, fault) => {
    expect(faultWith(change)).toBe(fault);
  });

  it("counts characters, not UTF-16 code units", () => {
    expect(faultWith({ title: "😀".repeat(1000) })).toBe("none");
    expect(faultWith({ title: "😀".repeat(1001) })).toBe("title: longer than 1000 characters");
  });

  it("keeps a data key that is also a member of Object.prototype", () => {
    const data = JSON.parse('{"__proto__":["a"],"constructor":[]}') as unknown;
    expect(readRecord({ ...whole, data }).values.data).toBe('{"__proto__":["a"],"constructor":[]}');
    expect(faultWith({ data: JSON.parse('{"__proto__":{"a":[]}}') as unknown })).toBe(
      "data.__proto__: expected an array of texts",
    );
  });

  it("is always either read or refused with a reason", () => {
    const anyChange = fc.dictionary(fc.constantFrom(...Object.keys(whole)), fc.jsonValue());
    fc.assert(
      fc.property(anyChange, (change) => {
        expect(faultWith(change)).not.toBe("");
      }),
    );
  });
});
