import { describe, expect, it } from "vitest";
import { addDocuments } from "../../../testing/factories.ts";
import { type Person, addPerson, beginSession } from "../../../testing/people.ts";
import { sendAs } from "../../../testing/requests.ts";
import { TusHand } from "../../../testing/tus-hand.ts";
import { type TestApp, engines, startTestApp } from "../../../testing/test-app.ts";
import { runJobs } from "../../../testing/use-worker.ts";
import { timestampNow } from "../../../http/text/timestamp.ts";

interface Answer {
  status: number;
  detail: string | undefined;
  retryAfter: string | null;
}

/** Uploads a file of so many bytes in the form that creates its document. */
async function upload(app: TestApp, { headers }: Person, bytes: number): Promise<Answer> {
  const form = new FormData();
  // Whatever is in it: it cannot be read.
  form.append("file", new Blob([new Uint8Array(bytes).fill(65)]), "a.pdf");
  const answer = await app.fetch("/api/documents/", { method: "POST", body: form, headers });
  const { detail } = (await answer.json()) as { detail?: string };
  return { status: answer.status, detail, retryAfter: answer.headers.get("retry-after") };
}

const work = ({ context }: TestApp): Promise<void> =>
  runJobs(context, { lookEverySeconds: 0.01, backoffSeconds: () => 0 });

const measure = async (app: TestApp, administrator: Person): Promise<void> => {
  const session = await beginSession(app.context, administrator);
  expect((await sendAs(app, null, "POST", "/api/admin/storage/", {}, { ...session })).status).toBe(202);
  await work(app);
};

const kilobyte = 1024;

const daysAgo = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().replace("Z", "000Z");

describe.each(engines)("limits on what people may store on %s", (engine) => {
  it("hold for a person from the first measurement on, and leave others alone", async () => {
    await using app = await startTestApp(engine, { QUIRE_PERSON_STORAGE_MB: "1" });
    await addDocuments(app.context, []);
    const boss = await addPerson(app.context, { username: "boss", isAdministrator: true });
    const [keeper, other] = [
      await addPerson(app.context, { username: "keeper", organizations: [1] }),
      await addPerson(app.context, { username: "other", organizations: [1] }),
    ];
    expect((await upload(app, keeper, 700 * kilobyte)).status).toBe(201);
    await measure(app, boss);
    expect(await upload(app, keeper, 400 * kilobyte)).toMatchObject({
      status: 507,
      detail:
        "Your documents take 1 MB, and with this file they would take more than the 1 MB that they may. " +
        "Delete some, or ask an administrator.",
    });
    expect((await upload(app, other, 400 * kilobyte)).status).toBe(201);
    expect((await upload(app, keeper, 200 * kilobyte)).status).toBe(201);
    // Files that have arrived since the measurement count too.
    expect((await upload(app, keeper, 200 * kilobyte)).status).toBe(507);
    const hand = new TusHand(app, keeper.headers);
    const { id } = (await sendAs(app, keeper, "POST", "/api/documents/", { title: "Waits" })).body;
    for (const values of [{ filename: "parts.pdf" }, { document: String(id) }]) {
      const refused = await hand.begin(200 * kilobyte, values);
      expect([refused.status, await refused.text()]).toEqual([
        507,
        expect.stringContaining("Your documents take"),
      ]);
      expect((await hand.begin(50 * kilobyte, values)).status).toBe(201);
    }
    expect((await sendAs(app, keeper, "DELETE", `/api/documents/${id}/`)).status).toBe(204);
    const list = await sendAs(app, keeper, "GET", "/api/documents/?ordering=id");
    expect(list.body.results.filter(({ user }: { user: number }) => user === keeper.id)).toHaveLength(2);
  });

  it("hold for an organization, whichever member uploads, and for files that arrive in parts", async () => {
    await using app = await startTestApp(engine, { QUIRE_ORGANIZATION_STORAGE_MB: "1" });
    await addDocuments(app.context, []);
    const boss = await addPerson(app.context, { username: "boss", isAdministrator: true });
    const one = await addPerson(app.context, { username: "one", organizations: [1] });
    const two = await addPerson(app.context, { username: "two", organizations: [1] });
    await measure(app, boss);
    expect((await upload(app, one, 900 * kilobyte)).status).toBe(201);
    expect((await upload(app, two, 900 * kilobyte)).detail).toContain(
      "The documents of your organization take",
    );
    const hand = new TusHand(app, two.headers);
    const begin = (kilobytes: number): Promise<Response> =>
      hand.begin(kilobytes * kilobyte, { title: "Two", filename: "two.pdf" });
    expect((await begin(50)).status).toBe(201);
    const refused = await begin(900);
    expect([refused.status, await refused.text()]).toEqual([
      507,
      expect.stringContaining("The documents of your organization take"),
    ]);
  });

  it("hold for the pages of a day, and say when to go on", async () => {
    await using app = await startTestApp(engine, {
      QUIRE_PERSON_PAGES_PER_DAY: "10",
      QUIRE_ORGANIZATION_PAGES_PER_DAY: "1000",
    });
    await addDocuments(app.context, []);
    const keeper = await addPerson(app.context, { username: "keeper", organizations: [1] });
    const added = { user_id: keeper.id, organization_id: 1, page_spec: "" };
    await addDocuments(app.context, [
      { ...added, page_count: 500, created_at: daysAgo(2) },
      { ...added, page_count: 9, created_at: timestampNow() },
    ]);
    expect((await upload(app, keeper, kilobyte)).status).toBe(201);
    await addDocuments(app.context, [{ ...added, page_count: 1, created_at: timestampNow() }]);
    expect(await upload(app, keeper, kilobyte)).toEqual({
      status: 429,
      detail:
        "Your documents of the last 24 hours have 10 pages, and may have 10. Go on later, or ask an administrator.",
      retryAfter: "3600",
    });
    const page = await app.fetch("/account/", { headers: { ...(await beginSession(app.context, keeper)) } });
    const text = await page.text();
    expect(text).toContain("In the last 24 hours you have added 10 of 10 pages.");
    expect(text).toContain("In the last 24 hours your organization has added 10 of 1,000 pages.");
    expect(text).not.toContain("Your documents take");
  });

  it("do not exist by default, and the account does not mention them", async () => {
    await using app = await startTestApp(engine);
    await addDocuments(app.context, []);
    const keeper = await addPerson(app.context, { username: "keeper", organizations: [1] });
    expect((await upload(app, keeper, 3000 * kilobyte)).status).toBe(201);
    const page = await app.fetch("/account/", { headers: { ...(await beginSession(app.context, keeper)) } });
    expect(await page.text()).not.toContain('id="storage"');
  });
});
