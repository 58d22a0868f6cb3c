import { asyncProperty, assert, array, constantFrom, oneof, record, constant } from "fast-check";
import { describe, expect, it } from "vitest";
import type { MentionCorrection, MentionedValue } from "../../../contract/search.ts";
import type { Person } from "../../../testing/people.ts";
import { addReadDocuments, replaceTexts } from "../../../testing/read-documents.ts";
import { sendAs } from "../../../testing/requests.ts";
import { runsOn } from "../../../testing/runs.ts";
import { engines, useApp } from "../../../testing/test-app.ts";
import { forgetHiddenCorrections, mentionsOf } from "../pages/mention-store.ts";

const [national, international] = ["030 123456-78", "+49 30 12345678"];
const [asDigits, asNumber] = ["03012345678", "+493012345678"];
const text = `Call ${national} or ${international}, or write to ada@example.org.`;

describe.each(engines)("corrections of what documents mention, on %s", (engine) => {
  const app = useApp(engine);
  const owner = app.person("owner");
  const reader = app.person("reader");

  const add = (...pages: string[][]): Promise<number[]> =>
    addReadDocuments(
      app.context,
      pages.map((texts) => ({
        user_id: owner.id,
        access: "private",
        title: "Letter",
        slug: "x",
        pages: texts,
      })),
    );
  const correct = (person: Person | null, id: number, value: Record<string, unknown>) =>
    sendAs(app, person, "POST", `/api/documents/${id}/mentioned/`, value);
  const mentioned = async (id: number): Promise<[string, string | null][]> => {
    const { body } = await sendAs(app, owner, "GET", `/api/documents/${id}/mentioned/`);
    return (body.results as MentionedValue[]).map(({ value, recognised }) => [value, recognised]);
  };
  const corrections = async (id: number): Promise<MentionCorrection[]> => {
    const { body } = await sendAs(app, owner, "GET", `/api/documents/${id}/mentioned/corrections/`);
    return body.results as MentionCorrection[];
  };
  const found = async (q: string, facets = "mention_phone") => {
    const query = new URLSearchParams({ q, facets }).toString();
    const { body } = await sendAs(app, owner, "GET", `/api/documents/search/?${query}`);
    const facet = (body.facets as Record<string, { values: { value: string; count: number }[] }>)[facets];
    return { count: body.count, values: facet?.values.map(({ value, count }) => [value, count]) };
  };
  const phone = { kind: "phone", value: asDigits, becomes: international };

  it("make two spellings one value, in lists, facets and searches, until that is undone", async () => {
    const [id = 0] = await add([text]);
    expect(await mentioned(id)).toEqual([
      [asDigits, null],
      [asNumber, null],
      ["ada@example.org", null],
    ]);
    expect((await correct(owner, id, phone)).body).toEqual({ documents: 1, more: false });
    expect((await mentioned(id)).slice(0, 2)).toEqual([
      [asNumber, asDigits],
      [asNumber, null],
    ]);
    expect(await found(`id:${id}`)).toEqual({ count: 1, values: [[asNumber, 1]] });
    expect((await found(`+id:${id} +mention_phone:"${asDigits}"`)).count).toBe(0);
    expect(await corrections(id)).toEqual([{ kind: "phone", value: asDigits, becomes: asNumber }]);
    await correct(owner, id, { ...phone, becomes: asDigits });
    expect((await mentioned(id)).slice(0, 2)).toEqual([
      [asDigits, null],
      [asNumber, null],
    ]);
    expect(await corrections(id)).toEqual([]);
    const { body } = await sendAs(app, owner, "GET", `/api/documents/${id}/history/`);
    const [undone, merged] = body.results as { changes: unknown }[];
    expect([merged?.changes, undone?.changes]).toEqual([
      { mentions: { from: "phone", to: "merged" } },
      { mentions: { from: "phone", to: "recognised" } },
    ]);
    expect(JSON.stringify(body)).not.toContain(asDigits);
  });

  it("reject a value, with all that has become it, and bring it back", async () => {
    const [id = 0] = await add([text]);
    await correct(owner, id, phone);
    await correct(owner, id, { kind: "phone", value: asNumber, becomes: null });
    expect(await mentioned(id)).toEqual([["ada@example.org", null]]);
    expect(await found(`id:${id}`)).toEqual({ count: 1, values: [] });
    await correct(owner, id, { kind: "phone", value: asDigits, becomes: asDigits });
    expect((await mentioned(id)).map(([value]) => value)).toEqual([asDigits, "ada@example.org"]);
  });

  it("stay when the text is read again, and go with the last text that has the value", async () => {
    const [id = 0] = await add([text, "Nothing"]);
    await correct(owner, id, phone);
    await correct(owner, id, { kind: "email", value: "ada@example.org", becomes: null });
    await replaceTexts(app.context, id, ["Nothing", text]);
    expect(await mentioned(id)).toEqual([
      [asNumber, asDigits],
      [asNumber, null],
    ]);
    await replaceTexts(app.context, id, [`Call ${international}`]);
    expect(await corrections(id)).toEqual([]);
  });

  it("that may tell what a redaction hides go with it", async () => {
    const [id = 0] = await add([text, `Call ${national}`]);
    await correct(owner, id, phone);
    await correct(owner, id, { kind: "email", value: "ada@example.org", becomes: "lovelace@example.org" });
    const hide = (page: string, words: string[]) =>
      app.context.database.write((writer) =>
        forgetHiddenCorrections(writer, id, [{ page: 1, text: page }], new Set(words)),
      );
    await hide("Nothing", ["lovelace"]);
    expect(await corrections(id)).toHaveLength(1);
    await hide(`Call ${international}`, ["call"]);
    expect(await corrections(id)).toEqual([]);
  });

  it("are for people who may change the document", async () => {
    const [id = 0] = await add([text]);
    expect((await correct(reader, id, phone)).status).toBe(404);
    expect((await correct(null, id, phone)).status).toBe(403);
    await sendAs(app, owner, "PATCH", `/api/documents/${id}/`, { access: "public" });
    const [open = 0] = await addReadDocuments(app.context, [
      { user_id: reader.id, access: "public", slug: "x", pages: [text] },
    ]);
    expect((await correct(owner, open, phone)).status).toBe(403);
    expect((await sendAs(app, owner, "GET", `/api/documents/${open}/mentioned/corrections/`)).status).toBe(
      403,
    );
  });

  it.each([
    [{ kind: "colour", value: "x", becomes: null }, "kind"],
    [{ kind: "phone", value: asDigits }, "becomes"],
    [{ kind: "phone", value: asDigits, becomes: "no digits" }, "becomes"],
    [{ kind: "date", value: "2024-03-09", becomes: "3/4/2020" }, "becomes"],
    [{ kind: "birth_date", value: "2024-03-09", becomes: "spring" }, "becomes"],
    [{ kind: "phone", value: "12345", becomes: null }, "value"],
    [{ kind: "phone", value: "a\0", becomes: null }, "value"],
  ])("refuse %j", async (value, member) => {
    const [id = 0] = await add([text]);
    const { status, body } = await correct(owner, id, value);
    expect([status, Object.keys(body)]).toEqual([400, [member]]);
  });

  it("reach the documents of a search that one may change, and no others", async () => {
    const ids = await add([`Dredging ${national}`], [`Dredging, ${national}`], [`Elsewhere ${national}`]);
    const [foreign = 0] = await addReadDocuments(app.context, [
      { user_id: reader.id, access: "public", slug: "x", pages: [`Dredging ${national}`] },
    ]);
    const correctAll = async (becomes: string | null, q = "dredging") => {
      const target = `/api/documents/mentioned/?q=${q}`;
      const value = { kind: "phone", value: asDigits, becomes };
      return (await sendAs(app, owner, "POST", target, value)).body;
    };
    const values = async () => {
      const each = await Promise.all([...ids, foreign].map(mentioned));
      return each.map(([first]) => first?.[0] ?? null);
    };
    expect(await correctAll(international)).toEqual({ documents: 2, more: false });
    expect(await values()).toEqual([asNumber, asNumber, asDigits, asDigits]);
    expect(await correctAll(international)).toEqual({ documents: 0, more: false });
    expect(await correctAll(null, "elsewhere")).toEqual({ documents: 1, more: false });
    expect(await values()).toEqual([asNumber, asNumber, null, asDigits]);
    expect(await correctAll(asDigits, "dredging+OR+elsewhere")).toEqual({ documents: 3, more: false });
    expect(await values()).toEqual([asDigits, asDigits, asDigits, asDigits]);
  });

  it("are the same whether the text is read before them or after them", async () => {
    const values = ["a@example.org", "b@example.org", "c@example.org"] as const;
    const pages = ["a@example.org, b@example.org", "b@example.org, c@example.org"];
    const value = constantFrom(...values);
    const step = oneof(
      record({ value, becomes: oneof(value, constant(null)) }),
      constant({ value: "", becomes: null }),
    );
    await assert(
      asyncProperty(array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const [id = 0] = await add(pages);
        for (const { value: one, becomes } of steps) {
          if (one === "") await replaceTexts(app.context, id, pages);
          else await correct(owner, id, { kind: "email", value: one, becomes });
        }
        const known = new Map((await corrections(id)).map((each) => [each.value, each.becomes]));
        const expected = pages
          .flatMap((page, index) => mentionsOf(id, { page: index, text: page }))
          .map((mention) => (known.has(mention.value) ? known.get(mention.value) : mention.value))
          .filter((one) => one !== null);
        expect((await mentioned(id)).map(([one]) => one)).toEqual(expected);
      }),
      { numRuns: runsOn(engine, 30) },
    );
  });
});
