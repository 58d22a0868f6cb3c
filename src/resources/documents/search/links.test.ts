import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments, addProject } from "../../../testing/factories.ts";
import { type Reply, sendAs } from "../../../testing/requests.ts";
import { defaultEngines, useApp } from "../../../testing/test-app.ts";

describe.each(defaultEngines)("a search on %s", (engine) => {
  const app = useApp(engine);
  let ids: number[];
  beforeAll(async () => {
    ids = await addDocuments(app.context, [{ title: "One" }, { title: "Two" }, { title: "Three" }]);
    await addProject(app.context, { title: "Fish" }, ids);
  });

  const search = async (query: string): Promise<Reply["body"]> =>
    (await sendAs(app, null, "GET", `/api/documents/search/?${query}`)).body;

  it("keeps the parameters in their original order in the link to the next page", async () => {
    const address = `${app.url}/api/documents/search/?`;
    const { next } = await search("sort=id&q=&zebra=a+b&per_page=1&access=public&zebra=c%20d&hl=true");
    const parameters = "sort=id&q=&zebra=a+b&zebra=c+d&per_page=1&access=public&hl=true";
    expect(next).toMatch(/&cursor=[\w-]+$/);
    expect(next.replace(/&cursor=[\w-]+$/, "")).toBe(address + parameters);
    const second = await search(next.slice(address.length).replace(/^(.*)&(cursor=.*)$/, "$2&$1"));
    expect(second.next.replace(/cursor=[\w-]+/, "cursor=x")).toBe(`${address}cursor=x&${parameters}`);
    expect(second.results).toMatchObject([{ id: String(ids[1]) }]);
    const numbered = await search("version=1.0&sort=id&page=2&per_page=1");
    expect([numbered.previous, numbered.next]).toEqual(
      [1, 3].map((page) => `${address}version=1.0&sort=id&page=${page}&per_page=1`),
    );
  });

  it.each(["~all", "*"])("expands only fields that are named, and ignores %s", async (all) => {
    const [plain] = (await search(`sort=id&expand=${all}`)).results;
    expect([typeof plain.user, typeof plain.organization, typeof plain.projects[0]]).toEqual(
      Array(3).fill("number"),
    );
    const [named] = (await search(`sort=id&expand=${all},projects`)).results;
    expect([typeof named.user, named.projects[0].title]).toEqual(["number", "Fish"]);
  });
});
