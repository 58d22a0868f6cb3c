import { writeFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import type { UploadNote } from "../../../files/partial-files.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { buildPdf } from "../../../testing/pdf.ts";
import { sendAs } from "../../../testing/requests.ts";
import { defaultEngines, useApp } from "../../../testing/test-app.ts";
import { TusHand, tusEndpoint, tusMetadata } from "../../../testing/tus-hand.ts";
import { useWorker } from "../../../testing/use-worker.ts";
import { Publisher } from "../record/publisher.ts";
import { ResumableUploads } from "./resumable-uploads.ts";

/* What an upload in parts knows about itself until it is a document. */

const pdf = Buffer.from(buildPdf({ pages: [{ width: 612, height: 792, lines: ["Sent in parts"] }] }));
const list = "/api/documents/";

describe.each(defaultEngines)("an upload in parts on %s", (engine) => {
  const app = useApp(engine);
  const owner = app.person("owner", { organizations: [1] });
  const worker = useWorker(app);
  let hand: TusHand;
  beforeAll(() => {
    hand = new TusHand(app, owner.headers);
  });

  const noteOf = async (target: string): Promise<UploadNote | undefined> =>
    (await app.context.uploads.find(target.slice(tusEndpoint.length)))?.note;
  const sent = async (values: Record<string, string>): Promise<Record<string, unknown>> => {
    const last = await hand.append(await hand.begun(pdf.length, values), 0, pdf);
    expect([last.status, await last.text()]).toEqual([204, ""]);
    const { body } = await sendAs(app, owner, "GET", `${list}${last.headers.get("quire-document")}/`);
    return body;
  };
  const count = async (): Promise<number> =>
    (await app.context.database.reader.selectFrom("documents").select("id").execute()).length;

  const project = async (title: string): Promise<number> =>
    (await sendAs(app, owner, "POST", "/api/projects/", { title })).body.id;

  it("separates the values of a list by commas, and nothing else", async () => {
    const [one, other] = [await project("Harbour"), await project("Port")];
    const filename = "Minutes, 4 May.pdf";
    expect(await sent({ filename, projects: `${one} , ${other}`, source: "Harbour, port" })).toMatchObject({
      title: "Minutes, 4 May",
      projects: [one, other],
      source: "Harbour, port",
    });
    await worker.drain();
  });

  it("needs no file name if it has a title and a type, and one otherwise", async () => {
    expect(await sent({ title: "Named", original_extension: "pdf" })).toMatchObject({
      title: "Named",
      original_extension: "pdf",
    });
    const refused = await hand.begin(pdf.length, { source: "The port" });
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { title: ["This field may not be blank."], original_extension: ['"" is not a valid choice.'] },
    ]);
    const { body } = await sendAs(app, owner, "POST", list, { title: "Waits" });
    const replaced = await hand.begin(pdf.length, { document: String(body.id), replace: "true" });
    expect([replaced.status, await replaced.json()]).toEqual([
      400,
      { original_extension: ['"" is not a valid choice.'] },
    ]);
    await worker.drain();
  });

  it("takes metadata without a value for an empty one", async () => {
    const begun = await hand.send("POST", tusEndpoint, {
      "upload-length": String(pdf.length),
      "upload-metadata": `title,${tusMetadata({ filename: "named.pdf" })}`,
    });
    const last = await hand.append(new URL(begun.headers.get("location") ?? "").pathname, 0, pdf);
    const { body } = await sendAs(app, owner, "GET", `${list}${last.headers.get("quire-document")}/`);
    expect(body.title).toBe("named");
    await worker.drain();
  });

  it("stores a password encrypted, and stores nothing without one", async () => {
    const { id } = await sent({ filename: "first.pdf" });
    await worker.drain();
    const replacing = { document: String(id), replace: "true", filename: "second.pdf" };
    for (const values of [replacing, { ...replacing, password: "" }]) {
      expect(Object.keys((await noteOf(await hand.begun(pdf.length, values))) ?? {})).not.toContain(
        "sealedPassword",
      );
    }
    const target = await hand.begun(pdf.length, { ...replacing, password: "sesame" });
    const note = await noteOf(target);
    expect(note?.metadata).toEqual(replacing);
    expect(note?.sealedPassword).toMatch(/./);
    expect(JSON.stringify(note)).not.toContain("sesame");
    await hand.append(target, 0, pdf);
    expect((await noteOf(target))?.sealedPassword).toBeUndefined();
    await worker.drain();
  });

  it("fills the document that a process made before it died", async () => {
    const { id } = (await sendAs(app, owner, "POST", list, { title: "Begun" })).body;
    const before = await count();
    const target = await hand.begun(pdf.length);
    const name = target.slice(tusEndpoint.length);
    const note = await noteOf(target);
    await app.context.uploads.write(name, { ...note!, documentId: id });
    await writeFile(app.context.uploads.pathOf(name), pdf);
    const found = await hand.head(target);
    expect([found.headers.get("quire-document"), await count()]).toEqual([String(id), before]);
    await worker.drain();
    expect((await sendAs(app, owner, "GET", `${list}${id}/`)).body.status).toBe("success");
  });

  it("cannot be finished after it was removed", async () => {
    const uploads = new ResumableUploads(
      app.context,
      new Publisher(app.context.database, { isReadOnly: false }),
    );
    const viewer = { kind: "user", id: owner.id } as SignedInViewer;
    await expect(uploads.finish(viewer, uploads.newName(viewer))).rejects.toMatchObject({ status: 404 });
  });

  it("is not begun if it is empty", async () => {
    const refused = await hand.begin(0, { filename: "empty.pdf" });
    expect([refused.status, await refused.json()]).toEqual([400, ["The file is empty."]]);
  });
});
