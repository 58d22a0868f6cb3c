import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments } from "../../../testing/factories.ts";
import { type Person, addPerson } from "../../../testing/people.ts";
import { type Reply, sendAs } from "../../../testing/requests.ts";
import { addReadDocuments } from "../../../testing/read-documents.ts";
import { defaultEngines, useApp } from "../../../testing/test-app.ts";

describe.each(defaultEngines)("changing page texts on %s", (engine) => {
  const app = useApp(engine);
  let owner: Person;
  let [id, busy] = [0, 0];
  beforeAll(async () => {
    const row = { access: "organization", slug: "x" };
    [id = 0, busy = 0] = await addReadDocuments(app.context, [
      { ...row, pages: ["one", "two", "three"] },
      { ...row, status: "readable", page_count: 3 },
    ]);
    owner = await addPerson(app.context, { username: "owner", organizations: [1] });
  });

  const send = (pages: unknown, document = id): Promise<Reply> =>
    sendAs(app, owner, "PATCH", `/api/documents/${document}/`, { pages });
  const asset = (name: string): Promise<Response> =>
    app.fetch(`/files/documents/${id}/${name}`, { headers: { ...owner.headers } });
  const found = async (q: string): Promise<number> =>
    (await sendAs(app, owner, "GET", `/api/documents/search/?q=${q}`)).body.count;

  it("replaces them, in the index too, and records it in the history", async () => {
    const box = { x1: 0.1, x2: 0.2, y1: 0.3, y2: 0.4 };
    const metadata = { confidence: 99, type: "w", text: "not this", in: { "\u00e9": [null] } };
    const words = [
      { text: "zwei", ...box, metadata },
      { text: "more", ...box, metadata: null },
    ];
    const answer = await send([{ page_number: 1, text: "  zwei\n", ocr: "hand", positions: words }]);
    expect([answer.status, answer.body.status]).toEqual([200, "success"]);
    expect(await (await asset("x.txt")).text()).toBe("one\n\n  zwei\n\n\nthree");
    const json = (await (await asset("x.txt.json")).json()) as { pages: object[] };
    expect(json.pages[1]).toMatchObject({ page: 1, contents: "  zwei\n", ocr: "hand" });
    const turned = { upright: true, direction: 1 };
    expect(await (await asset("pages/x-p2.position.json")).json()).toEqual([
      { ...metadata, text: "zwei", ...box, ...turned },
      { text: "more", ...box, ...turned },
    ]);
    expect([await found("two"), await found("page_no_2:zwei"), await found("three")]).toEqual([0, 1, 1]);
    const { body } = await sendAs(app, owner, "GET", `/api/documents/${id}/history/`);
    expect(JSON.stringify(body.results)).toContain('"pages":{"from":null,"to":[1]}');
    expect((await send([])).status).toBe(200);
  });

  it("accepts fifty pages at a time with the positions of all words", async () => {
    const [large = 0] = await addDocuments(app.context, [{ user_id: owner.id, page_count: 50 }]);
    const word = { text: "harbourmaster", x1: 0.123456, x2: 0.234567, y1: 0.345678, y2: 0.456789 };
    const positions = Array.from({ length: 500 }, () => word);
    const text = "harbourmaster ".repeat(500);
    const pages = Array.from({ length: 50 }, (_, page_number) => ({ page_number, text, positions }));
    expect((await send(pages, large)).status).toBe(200);
    expect(await found(`id:${large}+page_no_50:harbourmaster`)).toBe(1);
  });

  it.each([
    [[{ page_number: 3, text: "" }], ["`page_number` must be less than 3"]],
    [
      [{ page_number: -1, text: "" }],
      [{ page_number: ["Ensure this value is greater than or equal to 0."] }],
    ],
    [
      [{ page_number: 0, text: "" }, {}],
      [{}, { page_number: ["This field is required."], text: ["This field is required."] }],
    ],
    [{}, ['Expected a list of items but got type "dict".']],
    [
      Array.from({ length: 51 }, (_, page_number) => ({ page_number, text: "" })),
      ["`pages` length must be less than 50"],
    ],
    [
      [2, 0].map((page_number) => ({ page_number, text: "", positions: [] })),
      ["`pages` must contain consecutive page numbers if positions are present"],
    ],
    [[{ page_number: 0, text: "a\0" }], [{ text: ["Null characters are not allowed."] }]],
    [
      [{ page_number: 0, text: "", ocr: "x".repeat(21) }],
      [{ ocr: ["Ensure this field has no more than 20 characters."] }],
    ],
    [
      [{ page_number: 0, text: "", positions: [{ text: "a", x1: 2, x2: 1, y1: 0, y2: 1 }] }],
      [{ positions: [{ x1: ["Ensure this value is less than or equal to 1.0."] }] }],
    ],
    [
      [
        {
          page_number: 0,
          text: "",
          positions: [{ text: "a", x1: 0, x2: 1, y1: 0, y2: 1, metadata: [] }],
        },
      ],
      [{ positions: [{ metadata: ["Value must be a JSON object."] }] }],
    ],
  ])("changes nothing for %j", async (pages, faults) => {
    expect(await send(pages)).toMatchObject({ status: 400, body: { pages: faults } });
  });

  it("is refused while the document is processed", async () => {
    expect(await send([{ page_number: 0, text: "" }], busy)).toMatchObject({
      status: 400,
      body: ["You may not update `pages` while the document is processing"],
    });
  });
});
