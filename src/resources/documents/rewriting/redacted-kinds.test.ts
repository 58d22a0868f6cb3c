import { describe, expect, it } from "vitest";
import { type Reply, sendAs } from "../../../testing/requests.ts";
import { defaultEngines, useApp } from "../../../testing/test-app.ts";
import { useWorker } from "../../../testing/use-worker.ts";

const record = (id: number): string => `/api/documents/${id}/`;

const line = "MOREAU, LUC of Paris wrote some words without a digit\n";
/** Three lines, and a second page, which no box touches. The first one is recognised, so it has no more lines. */
const rest = `${line.repeat(3)}${"\n".repeat(80)}${line}`;

/** A name as it stands in files of other kinds, beside numbers and punctuation. */
const files: readonly (readonly [extension: string, content: string])[] = [
  ["csv", `id,name,city\n2,"BYRON, ADA",London\n${rest.replaceAll(" of ", ",")}`],
  [
    "eml",
    `From: "Byron, Ada" <a1@example.org>\nSubject: 3\n\n7/BYRON wrote in 42 lines, see (1)BYRON.\n${rest}`,
  ],
];

describe.each(defaultEngines)("a redaction on %s of a file that is no PDF", (engine) => {
  const app = useApp(engine);
  const owner = app.person("owner", { organizations: [1] });
  const worker = useWorker(app);

  const send = (method: string, target: string, value?: unknown): Promise<Reply> =>
    sendAs(app, owner, method, target, value);

  async function receive({ id, presigned_url }: Reply["body"], content: string): Promise<void> {
    expect((await fetch(presigned_url, { method: "PUT", body: content })).status).toBe(200);
    await send("POST", `${record(id)}process/`, {});
    await worker.drain();
  }

  /** Redacts all places of a word. */
  async function hide(id: number, word: string): Promise<void> {
    const listed = (await send("GET", `${record(id)}mentions/?q=${word}`)).body.results;
    const boxes = listed.flatMap((page: Reply["body"]) =>
      page.mentions.flatMap((mention: Reply["body"]) =>
        mention.boxes.map((box: object) => ({ ...box, page_number: page.page_number })),
      ),
    );
    expect(boxes.length).toBeGreaterThan(0);
    expect((await send("POST", `${record(id)}redactions/`, boxes)).status).toBe(201);
    await worker.drain();
    const { results } = (await send("GET", `${record(id)}receipts/`)).body;
    expect(results.at(-1)).toMatchObject({ step: "redacted", outcome: "done" });
  }

  it.each(files)("hides a name beside numbers: %s", async (extension, content) => {
    const { body } = await send("POST", "/api/documents/", { title: "List", original_extension: extension });
    await receive(body, content);
    await hide(body.id, "byron");
    const text = await app.fetch(`/files/documents/${body.id}/list.txt`, { headers: owner.headers });
    expect(await text.text()).not.toMatch(/byron/i);
  });

  it("removes the corrections of mentions that tell what is hidden, and no others", async () => {
    const { body } = await send("POST", "/api/documents/", { title: "List", original_extension: "eml" });
    const [sender, phone, elsewhere] = ["a1@example.org", "+493012345678", "moreau@example.org"];
    const lines = `From: ${sender}\nSubject: 3\n\nBYRON wrote, call ${phone}.\n`;
    await receive(body, `${lines}${rest}${elsewhere}\n`);
    const mentioned = `${record(body.id)}mentioned/`;
    for (const [kind, value, becomes] of [
      ["email", sender, "byron@example.org"],
      ["phone", phone, null],
      ["email", elsewhere, "luc@example.org"],
    ])
      expect((await send("POST", mentioned, { kind, value, becomes })).status).toBe(200);
    await hide(body.id, "byron");
    const { results } = (await send("GET", `${mentioned}corrections/`)).body;
    expect(results).toEqual([{ kind: "email", value: elsewhere, becomes: "luc@example.org" }]);
    const listed = (await send("GET", mentioned)).body.results as Reply["body"][];
    expect(listed.map(({ value }) => value)).toContain("luc@example.org");
    expect(JSON.stringify(listed)).not.toMatch(/byron/i);
  });
});
