import { beforeAll, describe, expect, it } from "vitest";
import { partOfPage } from "../../../search/parts.ts";
import { forgetUnusedWords, lockVocabulary, wordsInIndex } from "../../../search/text-index.ts";
import { inflected } from "../../../testing/inflected.ts";
import { type Person, addPerson } from "../../../testing/people.ts";
import { buildPdf } from "../../../testing/pdf.ts";
import { addReadDocument, addReadDocuments } from "../../../testing/read-documents.ts";
import { sendAs } from "../../../testing/requests.ts";
import { engines, useApp } from "../../../testing/test-app.ts";
import { useWorker } from "../../../testing/use-worker.ts";
import { recogniseLater } from "../pages/language-store.ts";
import { replacePages } from "../pages/page-store.ts";

describe.each(engines)("texts in many languages on %s", (engine) => {
  const app = useApp(engine);
  let owner: Person;
  const ids = new Map<string, number>();
  const worker = useWorker(app);
  beforeAll(async () => {
    const texts = inflected.map(({ sentence }) => ({ title: "", pages: [sentence] }));
    const added = await addReadDocuments(app.context, texts);
    for (const [index, { sentence }] of inflected.entries()) ids.set(sentence, added[index] ?? 0);
    owner = await addPerson(app.context, { username: "owner", organizations: [1] });
    await recognise(added);
  });

  async function recognise(documents: readonly number[]): Promise<void> {
    await app.context.database.write((writer) => recogniseLater(writer, documents));
    app.context.jobs.notify();
    await worker.drain();
  }
  const search = async (q: string, more: Record<string, string> = {}, person: Person | null = null) => {
    const address = `/api/documents/search/?${new URLSearchParams({ q, per_page: "25", ...more }).toString()}`;
    const { status, body } = await sendAs(app, person, "GET", address);
    expect([q, status]).toEqual([q, 200]);
    return body;
  };
  const find = async (q: string, more: Record<string, string> = {}, person: Person | null = null) =>
    (await search(q, more, person)).results.map(({ id }: { id: string }) => Number(id));

  it("are found by the dictionary form of an inflected word: 41 of 43, in 17 languages", async () => {
    const missed: string[] = [];
    for (const { sentence, sought } of inflected) {
      if (!(await find(sought)).includes(ids.get(sentence))) missed.push(sought);
    }
    expect([inflected.length, new Set(inflected.map(({ language }) => language)).size]).toEqual([43, 17]);
    // The rules that the stems come from do not know these plurals.
    expect(missed).toEqual(["juez", "obra"]);
  });

  it("mark the form that stands there, and find it without its accents too", async () => {
    const { results } = await search("Vertrag", { hl: "true" });
    expect(results.map(({ highlights }: { highlights: unknown }) => highlights)).toEqual([
      {
        page_no_1: [
          "Die … Reederei gekündigt.".replace("Die …", "Der Stadtrat hat die <em>Verträge</em> mit der"),
        ],
      },
    ]);
    const id = ids.get(inflected.find(({ sought }) => sought === "licitación")?.sentence ?? "");
    expect(await find("licitacion")).toContain(id);
    const { body } = await sendAs(app, null, "GET", `/api/documents/${id}/search/?q=licitaci%C3%B3n`);
    expect(body).toEqual({ page_no_1: ["Las <em>licitaciones</em> fueron adjudicadas a la misma empresa."] });
  });

  it("are in their language as soon as an uploaded file has been read, and in it alone", async () => {
    const { body } = await sendAs(app, owner, "POST", "/api/documents/", { title: "Häuserlisten" });
    const lines = ["Die Schwimmerinnen baten die Gemeinden", "um ein neues Bad, und der Rat schwieg."];
    const bytes = buildPdf({ pages: [{ width: 612, height: 792, lines }] });
    await fetch(body.presigned_url, { method: "PUT", body: Buffer.from(bytes) });
    await sendAs(app, owner, "POST", `/api/documents/${body.id}/process/`, {});
    await worker.drain();
    const waiting = await app.context.database.reader
      .selectFrom("unrecognised_documents")
      .selectAll()
      .execute();
    expect(waiting).toEqual([]);
    const its = { id: String(body.id) };
    for (const q of ["Schwimmerin", "Gemeinde", "title:Häuserliste"])
      expect([q, await find(q, its, owner)]).toEqual([q, [body.id]]);
    const record = await sendAs(app, owner, "GET", `/api/documents/${body.id}/`);
    expect(record.body).toMatchObject({ status: "success", language: "eng" });
  });

  it("are found in quotes by the very word alone", async () => {
    expect(await find('"Vertrag"')).toEqual([]);
    expect(await find('"Verträge"')).toHaveLength(1);
  });

  it("do not lend their forms to documents in other languages", async () => {
    const [english = 0, german = 0] = await addReadDocuments(app.context, [
      { title: "", pages: ["They hoped that the new mayor would be kinder to the fishermen of the port."] },
      { title: "", pages: ["Die Kinder der Fischer warteten am Hafen auf den neuen Bürgermeister."] },
    ]);
    await recognise([english, german]);
    expect(await find("Kind")).toEqual([german]);
    expect(await find("kinder")).toEqual(expect.arrayContaining([english, german]));
  });

  it("are counted by language, and narrowed to one, while the record says what it said", async () => {
    const { facets } = await search("", { facets: "text_language,language" });
    const counts = new Map(
      facets.text_language.values.map(({ value, count }: { value: string; count: number }) => [value, count]),
    );
    expect([counts.get("rus"), counts.get("fin"), counts.get("heb")]).toEqual([4, 3, 1]);
    expect(facets.language.values.map(({ value }: { value: string }) => value)).toEqual(["eng"]);
    const { results } = await search("", { text_language: "heb" });
    expect(results).toMatchObject([{ language: "eng" }]);
  });

  it("are named on the page of the document, and in the language of its text for screen readers", async () => {
    const id = ids.get(inflected.find(({ sought }) => sought === "Vertrag")?.sentence ?? "");
    const page = await (await app.fetch(`/documents/${id}/`)).text();
    expect(page).toContain('data-language="deu"');
    expect(page).toMatch(/<dt>Language<\/dt>\s*<dd[^>]*>\s*German/);
  });

  it("are in the language that someone has chosen, from when the queue has seen it", async () => {
    const id = await addReadDocument(app.context, {
      title: "",
      user_id: owner.id,
      pages: ["Der Kapitän verkaufte das Boot an die Händlerinnen aus dem nächsten Dorf."],
    });
    await recognise([id]);
    expect(await find("Händlerin")).toEqual([id]);
    const patched = await sendAs(app, owner, "PATCH", `/api/documents/${id}/`, { language: "fra" });
    expect(patched).toMatchObject({ status: 200, body: { language: "fra" } });
    await worker.drain();
    expect(await find("Händlerin")).toEqual([]);
    expect(await find("", { text_language: "fra", id: String(id) })).toEqual([id]);
    await sendAs(app, owner, "PATCH", `/api/documents/${id}/`, { language: "eng" });
    await worker.drain();
    expect(await find("Händlerin")).toEqual([id]);
  });

  it("are not found by the words of hidden documents", async () => {
    const pages = ["Die Fährten im Schnee führten zum Ufer, und niemand wusste, von wem sie waren."];
    const hidden = await addReadDocument(app.context, { title: "", access: "private", pages });
    const shown = await addReadDocuments(app.context, [
      { title: "", pages: ["Die Fahrten über den Fluss waren den Fischern zu teuer geworden."] },
      { title: "", pages: ["The name of the ship was Fahrten, and she was lost with all of the crew."] },
    ]);
    await recognise(shown);
    const before = await find("Fahrt");
    await recognise([hidden]);
    expect([before, await find("Fahrt")]).toEqual([shown.slice(0, 1), shown.slice(0, 1)]);
  });

  it("lose the forms of redacted words in each language", async () => {
    const id = await addReadDocument(app.context, {
      title: "",
      pages: ["Die Richterinnen wurden im Keller des Rathauses befragt und dann entlassen."],
    });
    await recognise([id]);
    expect(await find("Richterin")).toEqual([id]);
    const words = ["richterinnen", "kellers"];
    await app.context.database.write(async (writer) => {
      await lockVocabulary(writer);
      await replacePages(writer, id, [{ text: "Die wurden im Keller befragt" }]);
      const part = { documentId: id, part: partOfPage(0) };
      await forgetUnusedWords(writer, words);
      expect(await wordsInIndex(writer, part, words)).toEqual([]);
    });
    const { reader } = app.context.database;
    const left = await reader
      .selectFrom("word_forms")
      .selectAll()
      .where("word", "=", "richterinnen")
      .execute();
    expect(left).toEqual([]);
  });
});
