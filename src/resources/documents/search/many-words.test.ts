import { beforeAll, describe, expect, it } from "vitest";
import { addReadDocuments } from "../../../testing/read-documents.ts";
import { sendAs } from "../../../testing/requests.ts";
import { statementsOf } from "../../../testing/statements.ts";
import { engines, useApp } from "../../../testing/test-app.ts";

const six = "one OR two OR three OR four OR five OR six";

describe.each(engines)("a search for six words on %s", (engine) => {
  const app = useApp(engine);
  const owner = app.person("owner");
  const other = app.person("other");
  beforeAll(async () => {
    await addReadDocuments(app.context, [
      { title: "First", user_id: owner.id, pages: ["one two"] },
      { title: "Second", user_id: other.id, pages: ["six harbour"] },
      { title: "Third", user_id: owner.id, pages: ["harbour"] },
      { title: "Fourth", user_id: owner.id, pages: ["one two three four five six"] },
    ]);
  });

  it.each([
    ["SIX", "in rows", ["First", "Second", "Fourth"]],
    ["(SIX) AND user:OWNER", "in rows", ["First", "Fourth"]],
    ["user:OWNER AND (SIX)", "in rows", ["First", "Fourth"]],
    ["(SIX) AND NOT user:OWNER", "in rows", ["Second"]],
    ["(SIX) AND user:OWNER AND NOT title:*", "in rows", []],
    ["(SIX) AND (user:OWNER OR id:2)", "in rows", ["First", "Second", "Fourth"]],
    ["(one AND two AND three AND four AND five AND six) AND user:OWNER", "in columns", ["Fourth"]],
    ["(SIX) AND NOT harbour", "in columns", ["First", "Fourth"]],
    ["(SIX) AND harbour", "in columns", ["Second"]],
    ["(SIX) AND (user:OWNER OR harbour)", "in columns", ["First", "Second", "Fourth"]],
    ["(SIX) AND (user:OWNER AND harbour)", "in columns", []],
    ["(SIX) OR user:OWNER", "in columns", ["First", "Second", "Third", "Fourth"]],
    ["NOT (SIX)", "in columns", ["Third"]],
  ])("%s reads their weights %s", async (query, where, titles) => {
    const q = query.replace("SIX", six).replaceAll("OWNER", String(owner.id));
    const found: string[] = [];
    const statements = await statementsOf(async () => {
      const target = `/api/documents/search/?${new URLSearchParams({ q, sort: "id" }).toString()}`;
      const { status, body } = await sendAs(app, null, "GET", target);
      expect(status).toBe(200);
      found.push(...body.results.map(({ title }: { title: string }) => title));
    });
    const areInRows = statements.some((statement) => statement.includes("hits_by_word"));
    expect([areInRows ? "in rows" : "in columns", found]).toEqual([where, titles]);
  });
});
