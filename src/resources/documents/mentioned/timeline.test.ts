import { beforeAll, describe, expect, it } from "vitest";
import type { Timeline } from "../../../contract/search.ts";
import type { Person } from "../../../testing/people.ts";
import { addReadDocuments } from "../../../testing/read-documents.ts";
import { sendAs } from "../../../testing/requests.ts";
import { engines, useApp } from "../../../testing/test-app.ts";

const dates = ({ results }: Timeline) => results.map(({ date, documents }) => [date, documents]);

describe.each(engines)("the timeline of documents, on %s", (engine) => {
  const app = useApp(engine);
  const owner = app.person("owner");
  beforeAll(async () => {
    const row = { access: "public", slug: "x", user_id: owner.id, created_at: "2025-06-01T00:00:00.000000Z" };
    await addReadDocuments(app.context, [
      { ...row, pages: ["Dredging from 9 March 2024", "until 10 March 2024 and 1 May 2024"] },
      { ...row, pages: ["Dredging on 9 March 2024, planned on 1 December 2019"] },
      { ...row, pages: ["No date"], created_at: "2026-01-01T00:00:00.000000Z" },
      { ...row, pages: ["Dredging on 2 March 2024 and 3 April 1999"], access: "private" },
    ]);
  });

  const timeline = async (person: Person | null, query: string): Promise<Timeline> => {
    const { status, body } = await sendAs(app, person, "GET", `/api/documents/timeline/?${query}`);
    expect([query, status]).toEqual([query, 200]);
    return body as Timeline;
  };

  it("counts each document once for a year, a month or a day, and tells nothing of hidden documents", async () => {
    const years = await timeline(null, "q=dredging");
    expect(years).toMatchObject({ of: "mentions", by: "year", count: 2, documents: 2, unread: 0 });
    expect(dates(years)).toEqual([
      ["2019", 1],
      ["2024", 2],
    ]);
    expect(dates(await timeline(null, "within=2024"))).toEqual([
      ["2024-03", 2],
      ["2024-05", 1],
    ]);
    expect(dates(await timeline(null, "within=2024-03"))).toEqual([
      ["2024-03-09", 2],
      ["2024-03-10", 1],
    ]);
    expect(dates(await timeline(owner, "within=2024-03&by=month"))).toEqual([["2024-03", 3]]);
    expect((await timeline(owner, "")).results[0]).toEqual({ date: "1999", documents: 1 });
  });

  it("has the documents that a search for the date finds", async () => {
    for (const by of ["year", "month", "day"])
      for (const { date, documents } of (await timeline(owner, `by=${by}`)).results) {
        const { body } = await sendAs(app, owner, "GET", `/api/documents/search/?q=mention_date:${date}`);
        expect([date, body.count]).toEqual([date, documents]);
      }
    for (const { date, documents } of (await timeline(owner, "of=created_at&by=month")).results) {
      const { body } = await sendAs(app, owner, "GET", `/api/documents/search/?q=created_at:${date}`);
      expect([date, body.count]).toEqual([date, documents]);
    }
  });

  it("is walked by pages", async () => {
    const all = dates(await timeline(owner, "by=day"));
    const walked: unknown[] = [];
    let query = "by=day&per_page=2";
    for (let page = 0; page < 10 && query !== ""; page++) {
      const answer = await timeline(owner, query);
      walked.push(...dates(answer));
      query = answer.next?.split("?")[1] ?? "";
    }
    expect(walked).toEqual(all);
  });

  it.each(["of=x", "by=week", "within=2024-3", "within=2024'", "cursor=x", "page_count=[1 TO"])(
    "answers %s without an error of its own",
    async (query) => {
      const { status } = await sendAs(app, null, "GET", `/api/documents/timeline/?${query}`);
      expect([query, status < 500]).toEqual([query, true]);
    },
  );
});
