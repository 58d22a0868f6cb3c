import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ApiError } from "../../../errors.ts";
import { Query } from "../../../http/request/query.ts";
import { anyText } from "../../../testing/texts.ts";
import { type DocumentFilters, readFilters } from "./filters.ts";
import { runs } from "../../../testing/runs.ts";

const read = (query: string): DocumentFilters => readFilters(Query.parse(query));

/** The filters, or an empty object if they are refused. */
function attempt(query: string): DocumentFilters {
  try {
    return read(query);
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return {};
    throw error;
  }
}

function faultsOf(query: string): unknown {
  try {
    read(query);
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return error.body;
    throw error;
  }
  throw new Error("It was not refused.");
}

describe("readFilters", () => {
  it.each<[string, DocumentFilters]>([
    ["", {}],
    ["user=1", { user: [1] }],
    ["user=1,2&user=3&user[]=4", { user: [1, 2, 3, 4] }],
    ["organization=7&project=8,9", { organization: [7], project: [8, 9] }],
    ["id__in=3,1,99", { ids: [3, 1, 99] }],
    ["id__in=1.0,2.5,1e1", { ids: [1, 10] }],
    ["access=public,private", { access: ["public", "private"] }],
    ["access=invisible", { access: ["invisible"] }],
    ["status=success&status=deleted", { status: ["success", "deleted"] }],
    ["created_at__lt=2025-01-31", { createdBefore: "2025-01-31T00:00:00.000000Z" }],
    ["created_at__gt=2025-01-31T12:00:00.5%2B01:00", { createdAfter: "2025-01-31T11:00:00.500000Z" }],
    ["created_at__gt=2025-01-31T12:00:00+01:00", { createdAfter: "2025-01-31T11:00:00.000000Z" }],
    ["page_count=3", { pageCount: 3 }],
    ["page_count=3.0", { pageCount: 3 }],
    ["page_count=+4&page_count=5", { pageCount: 5 }],
    ["page_count__lt=2.5", { pageCountBelow: 3 }],
    ["page_count__gt=2.5", { pageCountAbove: 2 }],
    ["page_count__lt=3&page_count__gt=-1", { pageCountBelow: 3, pageCountAbove: -1 }],
  ])("reads ?%s", (query, expected) => {
    expect(read(query)).toEqual(expected);
  });

  it("turns a fractional page count into one that matches no document", () => {
    expect(read("page_count=2.5").pageCount).toBeLessThan(0);
  });

  it.each([
    "user=&organization=,&project=+&id__in=&access=&status=,,",
    "created_at__lt=&created_at__gt=+&page_count=&page_count__lt=&page_count__gt=",
    "title=a&data_cid=1&language=deu&source=a&noindex=true",
    "page_count__gte=1&page_count__lte=1&created_at=2025&created_at__gte=no&id=1&user__in=x",
    "zzz=1&User=x",
  ])("ignores blank and unknown parameters: ?%s", (query) => {
    expect(read(query)).toEqual({});
  });

  it.each([
    ["user=abc", { user: ["“abc” is not a valid value."] }],
    ["user=1,x", { user: ["“x” is not a valid value."] }],
    ["organization=1.5", { organization: ["“1.5” is not a valid value."] }],
    ["project=<script>", { project: ["“<script>” is not a valid value."] }],
    [
      "user=99999999999999999999",
      { user: ["Select a valid choice. 99999999999999999999 is not one of the available choices."] },
    ],
    ["access=secret", { access: ["Select a valid choice. secret is not one of the available choices."] }],
    ["access=public,0", { access: ["Select a valid choice. 0 is not one of the available choices."] }],
    ["access=Public", { access: ["Select a valid choice. Public is not one of the available choices."] }],
    ["status=done", { status: ["Select a valid choice. done is not one of the available choices."] }],
    ["status=1", { status: ["Select a valid choice. 1 is not one of the available choices."] }],
    ["created_at__lt=yesterday", { created_at__lt: ["Enter a valid date/time."] }],
    ["created_at__gt=2025-02-30", { created_at__gt: ["Enter a valid date/time."] }],
    ["page_count=many", { page_count: ["Enter a number."] }],
    ["page_count__lt=1,2", { page_count__lt: ["Enter a number."] }],
    ["page_count__gt=NaN", { page_count__gt: ["Enter a number."] }],
    ["id__in=1,x,y", { id__in: ["Enter a number."] }],
  ])("refuses ?%s with a reason", (query, faults) => {
    expect(faultsOf(query)).toEqual(faults);
  });

  it("reports all errors at once", () => {
    expect(faultsOf("user=a&status=b&page_count=c&access=public&created_at__lt=d")).toEqual({
      user: ["“a” is not a valid value."],
      status: ["Select a valid choice. b is not one of the available choices."],
      page_count: ["Enter a number."],
      created_at__lt: ["Enter a valid date/time."],
    });
  });

  it("accepts only numbers that a database can compare, for any input", () => {
    const name = fc.constantFrom(
      "user",
      "project",
      "id__in",
      "access",
      "status",
      "created_at__lt",
      "page_count",
      "page_count__lt",
      "page_count__gt",
    );
    const piece = fc.constantFrom(
      "9",
      "0",
      ".",
      "-",
      "+",
      "e",
      "1e400",
      "99999999999999999999",
      ",",
      "T",
      ":",
      "Z",
    );
    const value = fc.oneof(
      anyText,
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 4 }), (pairs) => {
        const query = pairs
          .map(([key, text]) => `${key}=${encodeURIComponent(text.toWellFormed())}`)
          .join("&");
        const { user = [], organization = [], project = [], ids = [], ...filters } = attempt(query);
        const numbers = Object.values(filters).filter((one) => typeof one === "number");
        const all = [...user, ...organization, ...project, ...ids, ...numbers];
        expect(all.filter((one) => !Number.isSafeInteger(one))).toEqual([]);
      }),
      { numRuns: runs(200) },
    );
  });
});
