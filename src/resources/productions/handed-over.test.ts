import { describe, expect, it } from "vitest";
import type { Production } from "./shapes.ts";
import { buildPdf } from "../../testing/pdf.ts";
import { addPerson } from "../../testing/people.ts";
import { type Reply, sendAs } from "../../testing/requests.ts";
import { sendFile } from "../../testing/sent-files.ts";
import { defaultEngines, useApp } from "../../testing/test-app.ts";
import { runJobs } from "../../testing/use-worker.ts";
import { enqueue } from "../../jobs/queue.ts";
import { makeJob } from "./make-production.ts";
import { removeEndedProductions } from "./remove-productions.ts";
import { setProduction } from "./store.ts";

const pdf = (...lines: string[]): Uint8Array =>
  buildPdf({ pages: lines.map((line) => ({ width: 240, height: 120, lines: [line] })) });

const box = { x1: 0, x2: 1, y1: 0, y2: 1, page_number: 0 };

describe.each(defaultEngines)("what a production hands over on %s", (engine) => {
  const app = useApp(engine);
  const ada = app.person("ada", { organizations: [1] });

  const send = (method: string, target: string, value?: unknown): Promise<Reply> =>
    sendAs(app, ada, method, target, value);
  const make = (documents: number[], more: object = {}): Promise<Reply> =>
    send("POST", "/api/productions/", { documents, prefix: "ABC", images: "none", ...more });
  const shown = async (id: number): Promise<Production> =>
    (await send("GET", `/api/productions/${id}/`)).body as Production;
  const zip = async (id: number): Promise<Response> =>
    app.fetch(`/api/productions/${id}/zip/`, { headers: ada.headers });

  const work = (): Promise<void> => runJobs(app.context);

  async function upload(extension: string, bytes: Uint8Array): Promise<number> {
    const id = await sendFile(app, ada, { extension, bytes });
    await work();
    return id;
  }

  it("waits for a redacted copy that is being made, and for one whose file is being worked on", async () => {
    const original = await upload("pdf", pdf("The witness", "Another page"));
    const { body, status } = await send("POST", `/api/documents/${original}/redacted_copies/`, {
      redactions: [box],
    });
    expect(status).toBe(201);
    const copy = body.id as number;
    expect((await make([original])).body).toEqual({
      documents: [`Document ${copy} is being worked on: wait until it is done.`],
    });
    await work();
    expect((await send("POST", `/api/documents/${copy}/process/`)).status).toBe(200);
    expect((await make([original])).body).toEqual({
      documents: [`Document ${copy} is being worked on: wait until it is done.`],
    });
    await work();
    expect((await make([original])).body).toMatchObject({ documents: 1, pages: 2 });
  });

  it("is removed within an hour once its maker may not see a document of it", async () => {
    const document = await upload("pdf", pdf("For a while"));
    const { body } = await make([document]);
    await work();
    expect((await zip(body.id)).status).toBe(200);
    const other = await addPerson(app.context, { username: "bob", organizations: [2] });
    await app.context.database.write((writer) =>
      writer
        .updateTable("documents")
        .set({ access: "private", user_id: other.id, organization_id: 2 })
        .where("id", "=", document)
        .execute(),
    );
    await removeEndedProductions(app.context);
    expect(await shown(body.id)).toMatchObject({ state: "withdrawn", expires_at: null });
    expect(await Array.fromAsync(app.context.files.list(`productions/${body.id}`))).toEqual([]);
  });

  it("is made again or no longer offered after a backup was restored, which has no files of it", async () => {
    const document = await upload("pdf", pdf("Kept elsewhere"));
    const { body } = await make([document]);
    await work();
    await app.context.files.deleteFolder(`productions/${body.id}`);
    // As a backup has it that was made before the last step of the work.
    await app.context.database.write(async (writer) => {
      await setProduction(writer, body.id, { state: "making", expires_at: null });
      await enqueue(writer, { kind: makeJob, subject: body.id });
    });
    await work();
    expect((await zip(body.id)).status).toBe(200);

    await app.context.files.deleteFolder(`productions/${body.id}`);
    const answer = await zip(body.id);
    expect([answer.status, await answer.json()]).toEqual([400, expect.anything()]);
    await removeEndedProductions(app.context);
    expect(await shown(body.id)).toMatchObject({ state: "deleted", zip_url: null });
  });

  it("has pages of any size, and is not given up for one that no image can have", async () => {
    const pages = [
      [14_400, 20],
      [20, 14_400],
      [240, 120],
    ].map(([width = 0, height = 0]) => ({ width, height, lines: ["A plan"] }));
    const plan = await upload("pdf", buildPdf({ pages }));
    const { body } = await make([plan], { images: "tiff", texts: false, natives: false });
    await work();
    expect(await shown(body.id)).toMatchObject({ state: "done", made: 1, pages: 3 });
    const { results } = (await send("GET", `/api/productions/${body.id}/documents/`)).body;
    expect(results).toMatchObject([{ state: "made", reason: null }]);
  });
});
