import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments } from "../../../testing/factories.ts";
import {
  type ListJson,
  answerAt,
  idsAt,
  idsOf,
  pageAt,
  pagesFrom,
  walkedIds,
} from "../../../testing/lists.ts";
import { defaultEngines, useApp } from "../../../testing/test-app.ts";

const base64 = (text: string): string => encodeURIComponent(Buffer.from(text).toString("base64"));

const withIds = (page: ListJson): unknown => ({
  next: page.next,
  previous: page.previous,
  results: idsOf(page),
});

describe.each(defaultEngines)("cursors of the document list on %s", (engine) => {
  const app = useApp(engine);
  const list = "/api/documents/?per_page=2&user=1&zzz=1&a=b c";
  const at = (cursor: string): string => `${list}&cursor=${cursor}`;
  const link = (cursor: string): string =>
    `${app.url}/api/documents/?a=b+c&cursor=${cursor}&per_page=2&user=1&zzz=1`;
  beforeAll(async () => {
    await addDocuments(
      app.context,
      Array.from({ length: 7 }, (_, index) => ({ title: `${index}` })),
    );
  });

  it("equal those of Django REST framework on every page", async () => {
    const pages = await Array.fromAsync(pagesFrom(app, list));
    expect(pages.map(withIds)).toEqual([
      { next: link("cD0y"), previous: null, results: [1, 2] },
      { next: link("cD00"), previous: link("cj0xJnA9Mw%3D%3D"), results: [3, 4] },
      { next: link("cD02"), previous: link("cj0xJnA9NQ%3D%3D"), results: [5, 6] },
      { next: null, previous: link("cj0xJnA9Nw%3D%3D"), results: [7] },
    ]);
  });

  it("lead back over the same pages", async () => {
    const pages = await Array.fromAsync(pagesFrom(app, at("cj0x"), "previous"));
    expect(pages.map(withIds)).toEqual([
      { next: null, previous: link("cj0xJnA9Ng%3D%3D"), results: [6, 7] },
      { next: link("cD01"), previous: link("cj0xJnA9NA%3D%3D"), results: [4, 5] },
      { next: link("cD0z"), previous: link("cj0xJnA9Mg%3D%3D"), results: [2, 3] },
      { next: link("cD0x"), previous: null, results: [1] },
    ]);
  });

  it.each([
    ["p=2", [3, 4]],
    ["r=1&p=3", [1, 2]],
    ["r=0&p=2", [3, 4]],
    ["p=2&r=1", [1]],
    ["o=2&p=1", [4, 5]],
    ["o=1", [2, 3]],
    ["o=1&r=1&p=6", [3, 4]],
    ["o=9", []],
    ["p=-5", [1, 2]],
    ["p=7", []],
    ["p=9999999999999999999", []],
    ["r=1&p=9223372036854775807", [6, 7]],
    ["r=1&p=-9223372036854775808", []],
    ["", [1, 2]],
  ])("with the content %j come before %j", async (text, expected) => {
    expect(await idsAt(app, at(base64(text)))).toEqual(expected);
  });

  it("with an offset lead back to the rows that they skip, and on to those after them", async () => {
    const all = [1, 2, 3, 4, 5, 6, 7];
    for (const reverse of [false, true]) {
      const order = reverse ? all.toReversed() : all;
      for (const key of [null, ...all]) {
        const beyond = key === null ? order : order.slice(order.indexOf(key) + 1);
        for (const offset of [0, 1, 2, 6]) {
          const rows = beyond.slice(offset, offset + 2);
          if (rows.length === 0) continue;
          const text = [
            `o=${offset}`,
            ...(reverse ? ["r=1"] : []),
            ...(key === null ? [] : [`p=${key}`]),
          ].join("&");
          const page = await pageAt(app, at(base64(text)));
          const shown = reverse ? rows.toReversed() : rows;
          const [first = 0, last = 0] = [shown[0], shown.at(-1)];
          const follow = async (target: string | null): Promise<number[]> =>
            target === null ? [] : idsAt(app, target);
          const found = [idsOf(page), await follow(page.previous), await follow(page.next)];
          const before = all.filter((id) => id < first).slice(-2);
          const after = all.filter((id) => id > last).slice(0, 2);
          expect([text, ...found]).toEqual([text, shown, before, after]);
        }
      }
    }
  });

  it("stay valid when the row that they name is deleted", async () => {
    const [gone = 0, last = 0] = await addDocuments(app.context, [{}, {}]);
    const { database } = app.context;
    await database.write((writer) => writer.deleteFrom("documents").where("id", "=", gone).execute());
    const page = await pageAt(app, at(base64(`p=${gone}`)));
    expect(idsOf(page)).toEqual([last]);
    expect(idsOf(await pageAt(app, page.previous ?? ""))).toEqual([6, 7]);
    await database.write((writer) => writer.deleteFrom("documents").where("id", "=", last).execute());
  });

  it("beyond the end of the list show an empty page with a link back to the last rows", async () => {
    const after = await pageAt(app, at(base64("p=7")));
    expect(after).toMatchObject({ next: null, results: [] });
    expect(await idsAt(app, after.previous ?? "")).toEqual([6, 7]);
    const before = await pageAt(app, at(base64("r=1&p=1")));
    expect(before).toMatchObject({ previous: null, results: [] });
    expect(await idsAt(app, before.next ?? "")).toEqual([1, 2]);
  });

  it("beyond the only document of a list lead back to it", async () => {
    for (const [cursor, way] of [
      ["p=3", "previous"],
      ["r=1&p=3", "next"],
    ] as const) {
      const beyond = await pageAt(app, `${list}&id__in=3&cursor=${base64(cursor)}`);
      expect(beyond.results).toEqual([]);
      expect(await idsAt(app, beyond[way] ?? "")).toEqual([3]);
    }
  });

  it.each(["", "!!!", "%21%21%21"])("are ignored if they have no content: %j", async (cursor) => {
    expect(await idsAt(app, at(cursor))).toEqual([1, 2]);
  });

  it.each([
    "bad",
    "cD0y%C3%A9",
    "zzzz",
    base64("p=abc"),
    base64("p="),
    base64("p=1e3"),
    base64("p=0x1"),
    base64("o=x"),
    base64("r=x&p=1"),
    base64('["title",0,1,"1"]'),
    base64("["),
  ])("that cannot be parsed return 404: %s", async (cursor) => {
    for (let time = 0; time < 3; time++) {
      const answer = await answerAt(app, at(cursor));
      expect(answer.status).toBe(404);
      expect(await answer.text()).toBe('{"detail":"Invalid cursor"}');
      expect(answer.headers.get("content-type")).toBe("application/json");
    }
  });

  it("use the last one if a query has several", async () => {
    expect(await idsAt(app, `${at("cD0y")}&cursor=cD00`)).toEqual([5, 6]);
  });

  it("of one ordering are invalid for another", async () => {
    const orderings = ["id", "-id", "title", "-title", "page_count", "data_cid", "-data_cid"];
    for (const ordering of orderings) {
      const { next } = await pageAt(app, `${list}&ordering=${ordering}`);
      for (const other of orderings) {
        const { status } = await answerAt(
          app,
          (next ?? "").replace(`ordering=${ordering}`, `ordering=${other}`),
        );
        expect([ordering, other, status]).toEqual([ordering, other, other === ordering ? 200 : 404]);
      }
    }
  });

  it("can contain keys as long as the longest title", async () => {
    const titles = ["\u{1F600}".repeat(1000), "\u0001".repeat(1000), '"\\'.repeat(500)];
    const ids = await addDocuments(
      app.context,
      titles.map((title) => ({ title, user_id: 2 })),
    );
    const walked = await walkedIds(app, "/api/documents/?ordering=title&per_page=1&user=2");
    expect(walked).toEqual([ids[1], ids[2], ids[0]]);
  });
});
