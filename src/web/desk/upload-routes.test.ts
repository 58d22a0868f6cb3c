import { readdir } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments } from "../../testing/factories.ts";
import { buildPdf } from "../../testing/pdf.ts";
import { type Session, addPerson, beginSession } from "../../testing/people.ts";
import { sendAs } from "../../testing/requests.ts";
import { defaultEngines, useApp } from "../../testing/test-app.ts";
import { useWorker } from "../../testing/use-worker.ts";

const pdf = buildPdf({ pages: [{ width: 300, height: 200, lines: ["Tides"] }] });

describe.each(defaultEngines)("the form of the page for uploads on %s", (engine) => {
  const app = useApp(engine, { QUIRE_UPLOAD_LIMIT_MB: "1" });
  let session: Session;
  const person = app.person("writer", { organizations: [1] });
  const worker = useWorker(app);
  beforeAll(async () => {
    session = await beginSession(app.context, person);
  });

  /** Sends the form as a browser does, and returns where it leads, or the page that it shows. */
  async function submit(
    fields: Record<string, string | { name: string; bytes: Uint8Array }>,
    { query = "", language = "en", cookie = session.cookie, token = session["x-csrftoken"] } = {},
  ): Promise<{ status: number; location: string | null; page: string }> {
    const form = new FormData();
    form.set("csrfmiddlewaretoken", token);
    for (const [name, value] of Object.entries(fields)) {
      if (typeof value === "string") form.set(name, value);
      else form.set(name, new Blob([new Uint8Array(value.bytes)]), value.name);
    }
    const headers = { cookie, accept: "text/html", "accept-language": language };
    const reply = await app.fetch(`/upload/${query}`, {
      method: "POST",
      body: form,
      headers,
      redirect: "manual",
    });
    return { status: reply.status, location: reply.headers.get("location"), page: await reply.text() };
  }
  const uploads = async (): Promise<string[]> =>
    (await readdir(path.join(app.context.config.data, "uploads"), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  const kept = async (): Promise<unknown> =>
    (await sendAs(app, person, "GET", `/api/documents/?user=${person.id}`)).body.results;

  it("leads to the page of the new document, and to that of a document with a new file", async () => {
    const made = await submit({ access: "organization", file: { name: "tides.pdf", bytes: pdf } });
    const [, id = ""] = /^\/documents\/(\d+)-tides\/$/.exec(made.location ?? "") ?? [];
    expect([made.status, id]).toEqual([303, expect.stringMatching(/\d/)]);
    expect(await kept()).toMatchObject([{ id: Number(id), title: "tides", access: "organization" }]);
    await worker.drain();
    const file = { name: "better.pdf", bytes: pdf };
    expect(await submit({ file }, { query: `?replace=${id}` })).toMatchObject({
      status: 303,
      location: `/documents/${id}-tides/`,
    });
    await worker.drain();
    const { body } = await sendAs(app, person, "GET", `/api/documents/${id}/history/`);
    expect(body.results[0].action).toBe("replaced");
    const byAddress = (file_url: string, fields = {}) =>
      submit({ file_url, ...fields }, { query: `?replace=${id}` });
    const refused = await byAddress("tides.pdf");
    expect([refused.status, refused.page]).toEqual([400, expect.stringContaining('value="tides.pdf"')]);
    expect(refused.page).toContain('aria-describedby="file_url-problem"');
    expect(refused.page).toContain("This is not a web address.");
    expect((await byAddress("http://10.1.2.3/", { file })).page).toContain("not both");
    expect((await byAddress("")).page).toContain("Choose a file.");
    expect(await byAddress("http://10.1.2.3/")).toMatchObject({ status: 303 });
    await worker.drain();
    const { body: errors } = await sendAs(app, person, "GET", `/api/documents/${id}/errors/`);
    expect(errors.results.at(-1).message).toContain("leads to nothing on the public internet");
    await sendAs(app, person, "DELETE", `/api/documents/${id}/`);
  });

  it("says at the field what is wrong, and keeps nothing", async () => {
    const bytes = new Uint8Array(2 * 1024 * 1024);
    const faults = [
      [{}, 400, "Choose a file.", "Wählen Sie eine Datei."],
      [
        { file: { name: "a.pdf", bytes: new Uint8Array() } },
        400,
        "The file is empty.",
        "Die Datei ist leer.",
      ],
      [{ file: { name: "a.exe", bytes: pdf } }, 400, "Files of this type", "Dateien dieser Art"],
      [{ file: { name: "a.pdf", bytes } }, 413, "The file is larger", "Die Datei ist größer"],
    ] as const;
    for (const [fields, status, english, german] of faults)
      for (const [language, message] of [
        ["en", english],
        ["de", german],
      ] as const) {
        const answer = await submit({ access: "public", ...fields }, { language });
        const hasAccess = answer.page.includes('value="public" selected');
        expect([answer.status, answer.page.includes(message), hasAccess]).toEqual([
          status,
          true,
          status === 400,
        ]);
        expect(answer.page).toContain('aria-describedby="file-problem"');
      }
    const wrong = await submit({ access: "everyone", file: { name: "a.pdf", bytes: pdf } });
    expect(wrong.page).toContain('aria-describedby="access-problem"');
    expect(await kept()).toEqual([]);
    expect(await uploads()).toEqual([]);
  });

  it("is refused without the token of the page, and to people who may not upload", async () => {
    const file = { name: "tides.pdf", bytes: pdf };
    expect((await submit({ file }, { token: "another" })).status).toBe(403);
    const signedOut = await submit({ file }, { cookie: "" });
    expect(signedOut).toMatchObject({
      status: 403,
      page: expect.stringContaining("/sign-in/?next=%2Fupload%2F"),
    });
    const homeless = await addPerson(app.context, { username: "homeless" });
    const { cookie, "x-csrftoken": token } = await beginSession(app.context, homeless);
    const [id] = await addDocuments(app.context, [{}]);
    for (const query of ["", `?replace=${id}`, "?replace=999999"])
      expect([403, 404]).toContain((await submit({ file }, { cookie, token, query })).status);
    expect(await kept()).toEqual([]);
    expect(await uploads()).toEqual([]);
  });
});
