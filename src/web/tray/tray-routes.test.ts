import { beforeAll, describe, expect, it } from "vitest";
import { timestampIn } from "../../http/text/timestamp.ts";
import { enqueue } from "../../jobs/queue.ts";
import { processJob } from "../../resources/documents/file-facts-store.ts";
import { beginImport } from "../../resources/documents/import-run-store.ts";
import { makeJob } from "../../resources/productions/make-production.ts";
import { redactJob } from "../../resources/documents/processing/rewrite-store.ts";
import { addDocuments } from "../../testing/factories.ts";
import { addPerson, beginSession } from "../../testing/people.ts";
import { defaultEngines, useApp } from "../../testing/test-app.ts";

describe.each(defaultEngines)("the tray of running work on %s", (engine) => {
  const app = useApp(engine);
  let headers: Record<string, string>;
  const ada = app.person("ada", { password: "any" });
  beforeAll(async () => {
    const { cookie } = await beginSession(app.context, ada);
    headers = { cookie, "accept-language": "en" };
  });

  const get = (path: string): Promise<Response> => app.fetch(path, { headers, redirect: "manual" });
  const words = async (path: string): Promise<string> =>
    (await (await get(path)).text()).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  const add = (status: string, minutesAgo: number, title = status): Promise<number[]> =>
    addDocuments(app.context, [
      { user_id: ada.id, access: "private", status, title, created_at: timestampIn(-60 * minutesAgo) },
    ]);

  it("adds nothing to pages while nothing runs, nor to those of strangers", async () => {
    for (const path of ["/notifications/", "/projects/"]) {
      const page = await get(path);
      expect(page.headers.get("content-security-policy")).not.toContain("connect-src");
      expect(await page.text()).not.toMatch(/tray|<script /);
    }
    expect(await words("/running/")).toContain("Nothing runs for you.");
    const stranger = await app.fetch("/running/", { redirect: "manual" });
    expect([stranger.status, stranger.headers.get("location")]).toEqual([
      302,
      "/sign-in/?next=%2Frunning%2F",
    ]);
  });

  it("counts what was put in together, and names what runs and what needs the person", async () => {
    await add("success", 26 * 60);
    await add("success", 30);
    await add("success", 20);
    await add("error", 20, "Broken");
    const [reading = 0] = await add("pending", 10, "Minutes");
    const [redacted = 0] = await add("success", 3000, "Old report");
    await app.context.database.write(async (writer) => {
      await enqueue(writer, { kind: processJob, subject: reading, owner: ada.id });
      await enqueue(writer, { kind: redactJob, subject: redacted, owner: ada.id });
      // Its subject is a production that has the id of a document.
      await enqueue(writer, { kind: makeJob, subject: reading, owner: ada.id });
      const folder = {
        kind: "upload",
        name: "Council",
        seen: 4,
        user_id: ada.id,
        document_id: null,
      } as const;
      await beginImport(writer, folder);
    });
    const tray = await words("/running/?part=tray&held=1");
    expect(tray).toContain("2 of 4 read · 1 needs you · 1 is being changed · 1 held back as duplicate");
    expect(tray).toContain("Council Uploaded folder");
    expect(tray).toContain("Minutes waits to be read");
    expect(tray).not.toContain("Minutes waits to be changed");
    expect(tray).toContain("Old report waits to be redacted");
    expect(tray).toContain("Broken could not be read: needs you");
    const page = await get("/notifications/");
    expect(page.headers.get("content-security-policy")).toContain(" 'self'; connect-src 'self'");
    expect(await page.text()).toMatch(/<aside class="tray"[^]*<script type="module" src="\/static\/tray-/);
    expect(await (await app.fetch("/projects/")).text()).not.toContain("tray");

    // Nobody else learns of it, and what has ended is no longer there.
    const bob = await addPerson(app.context, { username: "bob", password: "any" });
    const { cookie } = await beginSession(app.context, bob);
    expect(await (await app.fetch("/running/", { headers: { cookie } })).text()).not.toContain("Minutes");
    await app.context.database.write((writer) => writer.deleteFrom("jobs").execute());
    expect(await (await get("/running/?part=tray")).text()).toContain("data-ended");
    expect(await (await get("/notifications/")).text()).not.toContain("tray");
  });
});
