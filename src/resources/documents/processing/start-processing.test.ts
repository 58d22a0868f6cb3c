import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addDocuments } from "../../../testing/factories.ts";
import { type Person, addPerson } from "../../../testing/people.ts";
import { sendAs } from "../../../testing/requests.ts";
import { type TestApp, engines, startTestApp } from "../../../testing/test-app.ts";

describe.each(engines)("processing several documents on %s", (engine) => {
  let app: TestApp;
  let owner: Person;
  let document: number;
  let hidden: number;
  beforeAll(async () => {
    app = await startTestApp(engine);
    await addDocuments(app.context, []);
    owner = await addPerson(app.context, { username: "owner", organizations: [1] });
    [document = 0, hidden = 0] = await addDocuments(app.context, [
      { user_id: owner.id, organization_id: 1 },
      { user_id: owner.id, organization_id: 1, access: "private" },
    ]);
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it("begins nothing with a document that is named twice", async () => {
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
