import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments } from "../../../testing/factories.ts";
import type { Person } from "../../../testing/people.ts";
import { defaultEngines, useApp } from "../../../testing/test-app.ts";

describe.each(defaultEngines)("the browsable pages of a document's file work on %s", (engine) => {
  const app = useApp(engine);
  let document: number;
  let hidden: number;
  const owner = app.person("owner", { organizations: [1] });
  const stranger = app.person("stranger", { organizations: [2] });
  const reader = app.person("reader", { organizations: [1], mayWrite: false });
  beforeAll(async () => {
    [document = 0, hidden = 0] = await addDocuments(app.context, [
      { user_id: owner.id, organization_id: 1 },
      { user_id: owner.id, organization_id: 1, access: "private" },
    ]);
  });

  async function formsAt(
    target: string,
    person: Person | null,
  ): Promise<{ status: number; methods: string[] }> {
    const headers = { ...person?.headers, accept: "text/html" };
    const answer = await app.fetch(target, { headers });
    const page = await answer.text();
    const methods = Array.from(page.matchAll(/data-method="([A-Z]+)"/g), ([, method = ""]) => method);
    return { status: answer.status, methods: [...new Set(methods)].toSorted() };
  }

  it("have the form and the button of processing for editors", async () => {
    const target = `/api/documents/${document}/process/`;
    expect(await formsAt(target, owner)).toEqual({ status: 200, methods: ["DELETE", "POST"] });
    for (const person of [stranger, reader, null])
      expect(await formsAt(target, person)).toEqual({ status: 200, methods: [] });
  });

  it.each(["redactions", "modifications"])("have the form of %s for editors", async (work) => {
    expect(await formsAt(`/api/documents/${document}/${work}/`, owner)).toEqual({
      status: 405,
      methods: ["POST"],
    });
    for (const person of [stranger, reader, null])
      for (const id of [document, hidden, 987_654, "x"])
        expect(await formsAt(`/api/documents/${id}/${work}/`, person)).toEqual({ status: 405, methods: [] });
  });
});
