import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments } from "../../../testing/factories.ts";
import type { Person } from "../../../testing/people.ts";
import { type Reply, sendAs } from "../../../testing/requests.ts";
import { addReadDocuments } from "../../../testing/read-documents.ts";
import { engines, useApp } from "../../../testing/test-app.ts";

type Parameters = Record<string, string>;

const many = (count: number): string => `xx ${"between ".repeat(count)}yy`;

describe.each(engines)("the query language on %s", (engine) => {
  const app = useApp(engine);
  const person = app.person("someone");
  beforeAll(async () => {
    await addReadDocuments(app.context, [
      { title: "Described", description: "On dredging", pages: ["", "", "One word"] },
      { title: "Read", source: "Port", description: "…", pages: ["Two words"] },
      { title: "An op", source: "b", pages: [""] },
      { title: "", pages: [] },
    ]);
  });

  const get = (parameters: Parameters, by: Person | null): Promise<Reply> =>
    sendAs(app, by, "GET", `/api/documents/search/?${new URLSearchParams(parameters).toString()}`);
  const found = async (parameters: Parameters, by: Person | null = person): Promise<Reply["body"]> => {
    const { status, body } = await get({ sort: "id", explain: "true", ...parameters }, by);
    expect([status, body]).toEqual([200, expect.anything()]);
    return body;
  };
  const titles = async (parameters: Parameters, by: Person | null = person): Promise<string[]> =>
    (await found(parameters, by)).results.map(({ title }: { title: string }) => title);

  const [described, read, op, untitled] = ["Described", "Read", "An op", ""];
  const all = [described, read, op, untitled];
  it.each<[Parameters, string[], string]>([
    [{ q: "title:*" }, [described, read, op], "title:*"],
    [{ q: "-title:*" }, [untitled], "NOT title:*"],
    [{ q: "source:*" }, [read, op], "source:*"],
    // Punctuation is text, although it contains no words.
    [{ q: "description:*" }, [described, read], "description:*"],
    [{ q: "-description:*" }, [op, untitled], "NOT description:*"],
    [{ q: "text:*" }, [described, read], "text:*"],
    [{ q: "NOT doctext:*" }, [op, untitled], "NOT text:*"],
    [{ q: "page_no_1:*" }, [read], "page_no_1:*"],
    [{ q: "page_no_3:*" }, [described], "page_no_3:*"],
    [{ q: "-page_no_3:*" }, [read, op, untitled], "NOT page_no_3:*"],
    [{ source: "*" }, [read, op], "source:*"],
    [{ "-description": "*" }, [op, untitled], "NOT description:*"],
    [{ "-text": "*", q: "title:*" }, [op], "(title:* AND NOT text:*)"],
    [{ q: "title:(*)" }, [described, read, op], "title:*"],
    [{ q: "title:**" }, [described, read, op], "title:*"],
    [{ q: "-title:[* TO *]" }, [untitled], "NOT title:*"],
    [{ q: "source:*^3 AND NOT (description:*)^2" }, [op], "(source:* AND NOT description:*)"],
    [{ q: "+title:* -source:* " }, [described], "(title:* AND NOT source:*)"],
    [{ q: "NOT NOT source:*" }, [read, op], "source:*"],
  ])("%j tests whether a field has text", async (parameters, expected, explain) => {
    expect(await found(parameters)).toMatchObject({ explain, escaped: false });
    for (const by of [person, null]) expect(await titles(parameters, by)).toEqual(expected);
    expect(await titles({ q: explain }, null)).toEqual(expected);
  });

  it("matches everything with a wildcard without a field", async () => {
    for (const q of ["*", "*:*", "**", "absent OR *"]) expect(await titles({ q })).toEqual(all);
    expect(await titles({ q: "*" }, null)).toEqual([]);
  });

  it.each([
    ["title:??", [op], "title:??"],
    ["title:(?? op)", [op], "(title:?? OR title:op)"],
    ["title:????", [read], "title:????"],
    ["source:?", [op], "source:?"],
    ["???", [described, read], "???"],
    ["title:?????*", [described], "title:?????*"],
    ["title:*?", [described, read, op], "title:*?"],
    ["title:* NOT title:??", [described, read], "(title:* AND NOT title:??)"],
    // With a space before it, as some people write it.
    ["op ?", [op], "op"],
    ["?", [], "NOT *:*"],
  ])("%s matches one character for each ?", async (q, expected, explain) => {
    expect(await found({ q })).toMatchObject({ explain, escaped: false });
    for (const again of [q, explain]) expect(await titles({ q: again })).toEqual(expected);
  });

  it("limits the distance of words, and reports the limit if a query exceeds it", async () => {
    await addDocuments(app.context, [{ title: many(20) }, { title: many(21) }]);
    for (const slop of ["20", "21", "30", "99999999999"]) {
      const { explain, results } = await found({ q: `"xx yy"~${slop}` });
      expect([explain, results]).toEqual(['"xx yy"~20', [expect.objectContaining({ title: many(20) })]]);
      expect(await titles({ q: explain })).toEqual([many(20)]);
    }
  });

  it.each<[Parameters, string]>([
    [{ title: "(" }, "*:*"],
    [{ title: "op)", q: "absent" }, "(absent OR title:op)"],
    [{ "-title": "(described" }, "NOT title:described"],
    [{ title: "op AND" }, "(title:op OR title:and)"],
    [{ user: "1 AND" }, "(user:[1 TO 1] OR NOT *:*)"],
    // OR is also the abbreviation of a US state.
    [{ data_state: "OR" }, 'data_state:"OR"'],
  ])("reports that %j could only be read as text", async (parameters, explain) => {
    expect(await found(parameters)).toMatchObject({ explain, escaped: true });
    expect(await found({ q: "described", title: "op", user: "1,2" })).toMatchObject({ escaped: false });
  });

  it.each(["99999999999999999999", "9007199254740993", "1000000000", "0001001", "9".repeat(50)])(
    "returns 400 for page %s",
    async (page) => {
      const limits = [
        [person, 1000],
        [null, 100],
      ] as const;
      for (const [by, limit] of limits) {
        const digits = page.replace(/^0+/, "");
        const error = `The selected \`page\` value of ${digits} is over the limit of ${limit}`;
        const answer = await get({ version: "1.0", page }, by);
        expect([answer.status, answer.body]).toEqual([400, { error, code: "max_page" }]);
        // A page may contain fewer words.
        expect((await get({ version: "1.0", per_page: page }, by)).status).toBe(200);
      }
    },
  );

  it("returns the maximum number of results on a page if more are requested", async () => {
    await addDocuments(
      app.context,
      Array.from({ length: 26 }, () => ({ title: "Series" })),
    );
    expect(await titles({ q: "series", per_page: "99999999999999999999" })).toHaveLength(26);
    expect(await titles({ q: "series", per_page: "99999999999999999999" }, null)).toHaveLength(25);
  });
});
