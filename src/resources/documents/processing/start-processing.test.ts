import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments } from "../../../testing/factories.ts";
import type { Person } from "../../../testing/people.ts";
import { buildPdf } from "../../../testing/pdf.ts";
import { sendAs } from "../../../testing/requests.ts";
import { addOwner } from "../../../testing/sent-files.ts";
import { engines, useApp } from "../../../testing/test-app.ts";
import { runJobs } from "../../../testing/use-worker.ts";

describe.each(engines)("processing several documents on %s", (engine) => {
  const app = useApp(engine);
  let owner: Person;
  let document: number;
  let hidden: number;
  beforeAll(async () => {
    owner = await addOwner(app.context);
    [document = 0, hidden = 0] = await addDocuments(app.context, [
      { user_id: owner.id, organization_id: 1 },
      { user_id: owner.id, organization_id: 1, access: "private" },
    ]);
  });

  it("processes those with a file, and gives the others an error with a reason", async () => {
    const made: { id: number; presigned_url: string }[] = [];
    for (let index = 0; index < 25; index++) {
      const { body } = await sendAs(app, owner, "POST", "/api/documents/", { title: `File ${index}` });
      made.push(body);
    }
    const bytes = buildPdf({ pages: [{ width: 72, height: 72, lines: ["Words"] }] });
    for (const [index, { presigned_url }] of made.entries()) {
      const put = await fetch(presigned_url, {
        method: "PUT",
        body: new Uint8Array(index === 7 ? [] : bytes),
      });
      expect(put.status).toBe(index === 7 ? 400 : 200);
    }
    const ids = made.map(({ id }) => id);
    expect(await sendAs(app, owner, "POST", "/api/documents/process/", { ids })).toMatchObject({
      status: 200,
      body: "OK",
    });
    await runJobs(app.context);
    const statuses: string[] = [];
    for (const id of ids) {
      statuses.push((await sendAs(app, owner, "GET", `/api/documents/${id}/`)).body.status);
    }
    expect(statuses).toEqual(ids.map((_, index) => (index === 7 ? "error" : "success")));
    expect((await sendAs(app, owner, "GET", `/api/documents/${ids[7]}/errors/`)).body.results).toMatchObject([
      { message: "There is no file to process: none was uploaded, or it was empty" },
    ]);
  });

  it("processes nothing if a document is named twice", async () => {
    for (const sent of [
      [{ id: document }, { id: document, force_ocr: true }],
      [{ id: document }, { id: hidden }, { id: document }],
      { ids: [document, document] },
      { ids: [document, String(document)] },
    ])
      expect(await sendAs(app, owner, "POST", "/api/documents/process/", sent)).toMatchObject({
        status: 400,
        body: ["Could not find all documents to process."],
      });
    for (const id of [document, hidden])
      expect((await sendAs(app, owner, "GET", `/api/documents/${id}/`)).body.status).toBe("success");
  });
});
