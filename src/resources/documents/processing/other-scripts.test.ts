import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { type Reply, sendAs } from "../../../testing/requests.ts";
import { pdfOfScans, rasterOfScan, scanOfText } from "../../../testing/scan.ts";
import { defaultEngines, useApp } from "../../../testing/test-app.ts";
import { useWorker } from "../../../testing/use-worker.ts";

const russian = "Управление порта работало в прошлом году 312 дней. Из судов 87 привезли рыбу и лес.";
const polish =
  "Urząd portu był w zeszłym roku czynny przez trzysta dni. Wiele statków przywiozło ryby i żwir.";
const georgian =
  "ნავსადგურის სამმართველო შარშან სამას თორმეტი დღე მუშაობდა. გემებმა თევზი და ხე-ტყე ჩამოიტანეს.";

describe.each(defaultEngines)("a document in English with pages in other scripts on %s", (engine) => {
  const app = useApp(engine, { QUIRE_UPLOAD_LIMIT_MB: "10" });
  let id: number;
  const send = (method: string, target: string, value?: unknown): Promise<Reply> =>
    sendAs(app, owner, method, target, value);
  const owner = app.person("owner", { organizations: [1] });
  const worker = useWorker(app);
  beforeAll(async () => {
    const japanese = await readFile(new URL("../../../testing/scans/japanese.png", import.meta.url));
    const scans = [japanese, await scanOfText(georgian), await scanOfText(russian)];
    const bytes = pdfOfScans(await Promise.all(scans.map((scan) => rasterOfScan(scan))));
    const { body } = await send("POST", "/api/documents/", { title: "Scans" });
    id = body.id;
    await fetch(body.presigned_url, { method: "PUT", body: Buffer.from(bytes) });
    await send("POST", `/api/documents/${id}/process/`, {});
    await worker.drain();
  });

  it("has the text of pages whose script has data, and no text of the others", async () => {
    const { body } = await send("GET", `/files/documents/${id}/scans.txt.json`);
    const texts = body.pages.map(({ contents }: { contents: string }) => contents);
    expect(texts[0]).toMatch(/^港湾事務所は昨年、.*入港した\n/);
    expect(texts[1]).toBe("");
    expect(texts[2]).toContain("Управление порта работало в прошлом году 312 дней.");
  });

  it("is read again in its own language, if that is in the same letters", async () => {
    const bytes = pdfOfScans([await rasterOfScan(await scanOfText(polish))]);
    const { body } = await send("POST", "/api/documents/", { title: "Polish" });
    await fetch(body.presigned_url, { method: "PUT", body: Buffer.from(bytes) });
    await send("POST", `/api/documents/${body.id}/process/`, {});
    await worker.drain();
    const read = await send("GET", `/files/documents/${body.id}/polish.txt.json`);
    expect(read.body.pages[0].contents.replaceAll(/\s+/g, " ").trim()).toBe(polish);
    const found = await send("GET", "/api/documents/search/?q=statek+żwirem&text_language=pol");
    expect(found.body.results).toMatchObject([{ id: String(body.id), language: "eng" }]);
  });

  it.each(["事務所", "порта"])("is found by %s", async (word) => {
    const { body } = await send("GET", `/api/documents/search/?q=${encodeURIComponent(word)}`);
    expect(body.results.map((found: { id: string }) => Number(found.id))).toEqual([id]);
  });

  it("reports the language that each page was read in, and the data missing for the others", async () => {
    const { body } = await send("GET", `/api/documents/${id}/receipts/`);
    const receipts = new Map(body.results.map((one: { step: string }) => [one.step, one]));
    const reason = expect.stringMatching(/It may be in .* script.*quire languages add/);
    expect(receipts.get("read")).toMatchObject({ unread: [{ page: 2, reason }] });
    expect(receipts.get("recognised")).toMatchObject({
      pages: 2,
      language: "eng",
      by_page: [
        { page: 1, language: "jpn" },
        { page: 3, language: "rus" },
      ],
    });
    const page = await (await app.fetch(`/documents/${id}-scans/`, { headers: owner.headers })).text();
    expect(page).toContain("Page 2: Its text could not be recognised");
    expect(page).toContain("jpn, rus");
  });
});
