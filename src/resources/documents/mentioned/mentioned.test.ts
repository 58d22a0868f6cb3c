import { beforeAll, describe, expect, it } from "vitest";
import type { MentionedValue, MentionedValues } from "../../../contract/search.ts";
import type { Person } from "../../../testing/people.ts";
import { addReadDocuments } from "../../../testing/read-documents.ts";
import { sendAs } from "../../../testing/requests.ts";
import { engines, useApp } from "../../../testing/test-app.ts";
import { addUnrecognisedPages } from "../pages/page-store.ts";

const iban = "DE89 3704 0044 0532 0130 00";
const other = "GB82 WEST 1234 5698 7654 32";

/** The address without its host. */
const targetOf = (address: string): string => address.replace(/^https?:\/\/[^/]+/, "");

const counts = ({ results }: MentionedValues) => results.map(({ value, documents }) => [value, documents]);

describe.each(engines)("what documents mention, on %s", (engine) => {
  const app = useApp(engine);
  let ids: number[];
  const owner = app.person("owner");
  beforeAll(async () => {
    const row = { access: "public", user_id: owner.id, slug: "x" };
    ids = await addReadDocuments(app.context, [
      {
        ...row,
        title: "One",
        pages: ["Nothing.", `Pay to ${iban}, or write to Ada@Example.org.`, `${iban} again`],
      },
      {
        ...row,
        title: "Two",
        pages: [
          `From ${iban.replaceAll(" ", "")} to ${other} on 9 March 2024, by Ada Byron, born on 10 December 1815`,
        ],
      },
      { ...row, title: "Hidden", access: "private", pages: [`${iban}, FR14 2004 1010 0505 0001 3M02 606`] },
      { ...row, title: "Waiting" },
    ]);
    await app.context.database.write((writer) =>
      addUnrecognisedPages(writer, ids[3] ?? 0, 0, [{ text: `A late ${other}` }]),
    );
  });

  const values = async (person: Person | null, query: string): Promise<MentionedValues> =>
    (await sendAs(app, person, "GET", `/api/documents/mentioned/?${query}`)).body as MentionedValues;
  const found = async (person: Person | null, q: string): Promise<string[]> => {
    const { body } = await sendAs(
      app,
      person,
      "GET",
      `/api/documents/search/?q=${encodeURIComponent(q)}&sort=id`,
    );
    return (body.results as { title: string }[]).map(({ title }) => title);
  };

  it("is listed for a document in the order of its text, with where it stands", async () => {
    const list = async (query = "") => {
      const { body } = await sendAs(app, null, "GET", `/api/documents/${ids[0]}/mentioned/?${query}`);
      return body as { next: string | null; results: MentionedValue[] };
    };
    const email = { recognised: null, kind: "email", value: "ada@example.org", text: "Ada@Example.org" };
    const account = { recognised: null, kind: "iban", value: "DE89370400440532013000", text: iban };
    const all = [
      { ...account, page_number: 1, offset: 7 },
      { ...email, page_number: 1, offset: 48 },
      { ...account, page_number: 2, offset: 0 },
    ];
    expect((await list()).results).toEqual(all);
    expect((await list("kind=email")).results).toEqual([all[1]]);
    expect((await list(`value=${account.value}`)).results).toEqual([all[0], all[2]]);
    const { next, results } = await list("per_page=2");
    expect(results).toEqual(all.slice(0, 2));
    const { body } = await sendAs(app, null, "GET", targetOf(next ?? ""));
    expect(body.results).toEqual(all.slice(2));
    expect((await sendAs(app, null, "GET", `/api/documents/${ids[2]}/mentioned/`)).status).toBe(404);
  });

  it("is counted by the documents that the viewer finds, and tells nothing of others", async () => {
    const answer = await values(null, "kind=iban");
    expect(answer).toMatchObject({ count: 2, unread: 1, next: null, previous: null });
    expect(counts(answer)).toEqual([
      ["DE89370400440532013000", 2],
      ["GB82WEST12345698765432", 1],
    ]);
    expect(counts(await values(owner, "kind=iban"))).toEqual([
      ["DE89370400440532013000", 3],
      ["FR1420041010050500013M02606", 1],
      ["GB82WEST12345698765432", 1],
    ]);
    expect(counts(await values(null, "kind=iban&q=title:two"))).toEqual([
      ["DE89370400440532013000", 1],
      ["GB82WEST12345698765432", 1],
    ]);
    expect(await values(null, "kind=card")).toMatchObject({ count: 0, unread: 1, results: [] });
  });

  it.each(["-documents", "value"])("is walked by pages in the order %s", async (ordering) => {
    const walked: unknown[] = [];
    let next: string | null = `/api/documents/mentioned/?kind=iban&per_page=1&ordering=${ordering}`;
    while (next !== null) {
      const { body }: { body: MentionedValues } = await sendAs(app, owner, "GET", targetOf(next));
      walked.push(...body.results);
      next = body.next;
    }
    expect(walked).toEqual((await values(owner, `kind=iban&ordering=${ordering}`)).results);
    expect(walked).toHaveLength(3);
  });

  it("is found by a search, however the value is written", async () => {
    const both = ["Two", "One"];
    expect((await found(null, `mention:"${iban}"`)).toSorted()).toEqual(both.toSorted());
    expect((await found(null, "mention_iban:de89370400440532013000")).toSorted()).toEqual(both.toSorted());
    expect(await found(null, "mention_email:*")).toEqual(["One"]);
    expect(await found(null, "mention_date:2024-03")).toEqual(["Two"]);
    expect(await found(null, "mention_date:[2024 TO 2024] -mention_email:*")).toEqual(["Two"]);
    expect(await found(null, "mention_birth_date:1815")).toEqual(["Two"]);
    expect(await found(null, "mention_date:1815")).toEqual([]);
    expect(await found(null, "mention_iban:FR*")).toEqual([]);
    expect(await found(owner, "mention_iban:FR*")).toEqual(["Hidden"]);
  });

  it.each([
    ["", 400],
    ["kind=colour", 400],
    ["kind=iban&cursor=x", 404],
    ["kind=iban&cursor=WzEsMV0", 404],
    ["kind=iban&cursor=WyJ4IiwiXHUwMDAwIl0", 404],
  ])("refuses %s", async (query, status) => {
    expect((await sendAs(app, null, "GET", `/api/documents/mentioned/?${query}`)).status).toBe(status);
  });
});
