import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { addProject } from "../../../testing/factories.ts";
import { buildPdfWithFiles, packagedFile } from "../../../testing/inserted-files.ts";
import { buildDocx, docxParagraph } from "../../../testing/office.ts";
import { buildCompoundFile } from "../../../testing/outlook.ts";
import { type Person, addPerson } from "../../../testing/people.ts";
import { buildPdf } from "../../../testing/pdf.ts";
import { type Reply, sendAs } from "../../../testing/requests.ts";
import { endOf, sendFile } from "../../../testing/sent-files.ts";
import { engines, useApp } from "../../../testing/test-app.ts";
import { useWorker } from "../../../testing/use-worker.ts";
import { buildZip } from "../../../testing/zip.ts";

const forwarded = [
  "From: Otto <Otto@Example.org>",
  "Subject: The old offer",
  "Message-ID: <old@example.org>",
  "",
  "Seven barrels of herring.",
].join("\r\n");

const pdf = Buffer.from(
  buildPdf({ pages: [{ width: 300, height: 200, lines: ["The contract is signed in the lighthouse"] }] }),
);

/** A mail with a text, a PDF under another name, a message that it carries, an invitation, and something unknown. */
const mail = [
  "From: Zoe <Zoe@Example.org>",
  "To: Ada <ada@example.org>",
  "Cc: bob@example.org",
  "Date: Mon, 1 Jan 2024 10:00:00 +0100",
  "Subject: The offer",
  "Message-ID: <new@example.org>",
  "In-Reply-To: <old@example.org>",
  "References: <first@example.org> <old@example.org>",
  "MIME-Version: 1.0",
  'Content-Type: multipart/mixed; boundary="x"',
  "",
  "--x",
  "Content-Type: text/plain; charset=utf-8",
  "",
  "Please look at this.",
  "--x",
  'Content-Type: application/octet-stream; name="=?utf-8?Q?Vertr=C3=A4ge/M=C3=A4rz.dat?="',
  "Content-Transfer-Encoding: base64",
  "",
  pdf.toString("base64"),
  "--x",
  "Content-Type: message/rfc822",
  "",
  forwarded,
  "--x",
  "Content-Type: text/calendar; method=REQUEST; charset=utf-8",
  'Content-Disposition: attachment; filename="invite.ics"',
  "",
  "BEGIN:VCALENDAR\r\nSUMMARY:Regatta\r\nEND:VCALENDAR",
  "--x",
  "Content-Type: application/octet-stream",
  'Content-Disposition: attachment; filename="engine.sav"',
  "Content-Transfer-Encoding: base64",
  "",
  Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]).toString("base64"),
  "--x--",
].join("\r\n");

/** A mail with this id. */
const write = (id: string, day: number, more: string): string =>
  `From: ${id}@example.org\nMessage-ID: <${id}@talk>\nDate: Mon, ${day} Jan 2024 10:00:00 +0000\nSubject: ${id}\n${more}\n\nText`;

const unknownMethod = "broken: it is packed by a method that Quire does not know";

/** A ZIP file of these files, of which Quire cannot read `odd.txt`. */
function buildOddZip(files: Readonly<Record<string, string>>): Buffer {
  const bytes = buildZip(files);
  bytes.writeUInt16LE(98, bytes.indexOf("odd.txt") - 22);
  bytes.writeUInt16LE(98, bytes.lastIndexOf("odd.txt") - 36);
  return bytes;
}

describe.each(engines)("containers on %s", (engine) => {
  const app = useApp(engine);
  let owner: Person;
  let project: number;
  const stranger = app.person("stranger");
  const worker = useWorker(app);
  beforeAll(async () => {
    project = await addProject(app.context, { title: "Harbour" }, []);
    owner = await addPerson(app.context, {
      username: "owner",
      organizations: [1],
      projects: { [project]: "admin" },
    });
  });

  const send = (
    method: string,
    target: string,
    value?: unknown,
    person: Person | null = owner,
  ): Promise<Reply> => sendAs(app, person, method, target, value);

  async function processed(
    extension: string,
    bytes: Uint8Array | string,
    title = "A container",
  ): Promise<number> {
    const id = await sendFile(app, owner, { extension, bytes: Buffer.from(bytes) }, title);
    await worker.drain();
    return id;
  }

  interface Child {
    id: number;
    title: string;
    path: string;
    status: string;
    original_extension: string;
    children: number;
  }

  async function childrenOf(id: number, person: Person | null = owner): Promise<Child[]> {
    const { status, body } = await send("GET", `/api/documents/${id}/family/`, undefined, person);
    return status === 200 ? body.children : [];
  }

  async function textOf(id: number): Promise<string> {
    const { body } = await send("GET", `/api/documents/${id}/`);
    const answer = await app.fetch(`/files/documents/${id}/${body.slug}.txt`, {
      headers: { ...owner.headers },
    });
    return answer.text();
  }

  const receiptsOf = async (id: number): Promise<Record<string, unknown>[]> =>
    (await send("GET", `/api/documents/${id}/receipts/`)).body.results;

  const page = async (of: number): Promise<string> => {
    const { body } = await send("GET", `/api/documents/${of}/`);
    const { pathname } = new URL(body.canonical_url);
    return (await app.fetch(pathname, { headers: { ...owner.headers, accept: "text/html" } })).text();
  };

  const front = async (query: string): Promise<string> =>
    (await app.fetch(`/${query}`, { headers: { ...owner.headers, accept: "text/html" } })).text();

  it("become a document for each thing in a mail, and what the mail says about itself is in its data", async () => {
    const id = await processed("eml", mail);
    const children = await childrenOf(id);
    const shown = children.map(({ title, path, status, original_extension: kind }) => [
      title,
      path,
      kind,
      status,
    ]);
    expect(shown).toEqual([
      ["März", "Verträge/März.dat", "pdf", "success"],
      ["The old offer", "The old offer.eml", "eml", "success"],
      ["invite", "invite.ics", "ics", "success"],
      ["engine", "engine.sav", "sav", "error"],
    ]);
    expect(await textOf(id)).toContain("Please look at this");
    expect(await textOf(id)).not.toContain("herring");
    expect(await textOf(children[1]?.id ?? 0)).toContain("Seven barrels of herring");
    const { body: record } = await send("GET", `/api/documents/${id}/`);
    expect(record.data).toEqual({
      mail_from: ["zoe@example.org"],
      mail_to: ["ada@example.org", "bob@example.org"],
      mail_subject: ["The offer"],
      mail_date: ["2024-01-01T09:00:00Z"],
      mail_message_id: ["new@example.org"],
      mail_in_reply_to: ["old@example.org"],
      mail_references: ["first@example.org", "old@example.org"],
      mail_topic: ["the offer"],
      mail_thread: ["first@example.org"],
    });
    const found = await send("GET", `/api/documents/search/?q=parent:${id}+lighthouse`);
    expect(found.body.results.map((one: { id: string }) => Number(one.id))).toEqual([children[0]?.id]);
    const senders = await send(
      "GET",
      "/api/documents/search/?q=data_mail_from:otto@example.org&facets=data_mail_from",
    );
    expect(senders.body.results.map((one: { id: string }) => Number(one.id))).toEqual([children[1]?.id]);
    const listed = await send("GET", `/api/documents/?parent=${id}`);
    expect(listed.body.results.map((one: { id: number }) => one.id)).toEqual(
      children.map((child) => child.id),
    );
    const top = await send("GET", "/api/documents/?parent=none");
    expect(top.body.results.map((one: { id: number }) => one.id)).toContain(id);
    expect(top.body.results.map((one: { id: number }) => one.id)).not.toContain(children[0]?.id);
    const reasons = await endOf(app, owner, children[3]?.id ?? 0);
    expect(reasons.reason).toBe("Quire cannot show files of the type SAV. The file is kept as it came");
    expect(await receiptsOf(id)).toContainEqual(expect.objectContaining({ step: "unpacked", documents: 4 }));
  });

  it("are listed on the page of what they contain, and lead down from their own", async () => {
    const id = await processed("zip", buildZip({ "Akten/mail.eml": forwarded, "b.txt": "Two" }));
    const [inner] = await childrenOf(id);
    const container = await page(id);
    expect(container).toContain("In this document");
    expect(container).toContain("Akten</h3>");
    expect(container).toContain("<bdi>mail.eml</bdi>");
    expect(container).toContain(`/documents/${inner?.id}-mail/`);
    expect(container).toContain("Redacting this document does not change them");
    const part = await page(inner?.id ?? 0);
    expect(part).toContain('aria-label="Part of"');
    expect(part).toContain(`/documents/${id}-a-container/`);
    expect(await front("")).toContain(`/documents/${id}-`);
    expect(await front("")).not.toContain(`/documents/${inner?.id}-`);
    expect(await front(`?parent=${id}`)).toContain(`/documents/${inner?.id}-`);
  });

  it("are unpacked through several levels, and each knows the way up", async () => {
    const inner = buildZip({ "deep/letter.eml": mail });
    const id = await processed("zip", buildZip({ "outer.zip": inner, "__MACOSX/x": "system", empty: "" }));
    const [archive, ...others] = await childrenOf(id);
    expect(others).toEqual([]);
    const [letter] = await childrenOf(archive?.id ?? 0);
    const [first] = await childrenOf(letter?.id ?? 0);
    const { body } = await send("GET", `/api/documents/${first?.id}/family/`);
    const ways = body.containers.map((one: { id: number }) => one.id);
    expect(ways).toEqual([id, archive?.id, letter?.id]);
    expect(body.path).toBe("Verträge/März.dat");
    const left = [{ path: "empty", reason: "empty" }];
    expect(await receiptsOf(id)).toContainEqual(expect.objectContaining({ documents: 1, left_out: left }));
  });

  it("give their own name to a file that has none", async () => {
    const id = await processed("gz", gzipSync("ship,year\nAda,1901\n"), "ships 1901.csv");
    const named = { path: "ships 1901.csv", title: "ships 1901", original_extension: "csv" };
    expect(await childrenOf(id)).toMatchObject([named]);
  });

  it("are mailboxes too, whose mails are documents with their attachments in them", async () => {
    const box = `From a Mon Jan  1 10:00:00 2024\n${mail}\n\nFrom b Mon Jan  1 11:00:00 2024\n${forwarded}\n`;
    const id = await processed("zip", buildZip({ "Profile/Inbox": box.replaceAll("\r\n", "\n") }));
    const [inbox] = await childrenOf(id);
    const mails = await childrenOf(inbox?.id ?? 0);
    expect([inbox?.original_extension, mails.map(({ title, children }) => [title, children])]).toEqual([
      "mbox",
      [
        ["The offer", 4],
        ["The old offer", 0],
      ],
    ]);
    expect(await textOf(inbox?.id ?? 0)).toContain("000002 The old offer.eml");
  });

  it("are PDFs with attached and pinned files, and office files with inserted ones", async () => {
    const report = buildPdfWithFiles({
      attached: { "Zahlen für Ägypten.txt": "In the list" },
      pinned: "On the page",
    });
    const native = packagedFile("minutes.txt", "In the package");
    const letter = buildDocx(docxParagraph("The letter"), {
      "word/embeddings/report.pdf": report,
      "word/embeddings/oleObject1.bin": buildCompoundFile({ "\u0001Ole10Native": native }),
    });
    const id = await processed("zip", buildZip({ "letter.docx": letter, "plain.pdf": pdf }));
    const [docx, plain] = await childrenOf(id);
    expect([docx?.children, plain?.children]).toEqual([2, 0]);
    const [inner, minutes] = await childrenOf(docx?.id ?? 0);
    expect([minutes?.path, await textOf(minutes?.id ?? 0)]).toEqual(["minutes.txt", "In the package"]);
    const files = await childrenOf(inner?.id ?? 0);
    expect(files.map(({ path, status }) => [path, status])).toEqual([
      ["Zahlen für Ägypten.txt", "success"],
      ["pin.txt", "success"],
    ]);
    expect(await Promise.all(files.map((one) => textOf(one.id)))).toEqual(["In the list", "On the page"]);
  });

  const whole = { x1: 0, x2: 1, y1: 0, y2: 1, page_number: 0 };

  async function redacted(id: number, boxes: readonly object[] = [whole]): Promise<Record<string, unknown>> {
    expect((await send("POST", `/api/documents/${id}/redactions/`, boxes)).status).toBe(201);
    await worker.drain();
    const receipts = await receiptsOf(id);
    return receipts.findLast(({ step }) => step === "redacted") ?? {};
  }

  it("lose what was made of their attachments when they are PDFs and redacted, whatever that was", async () => {
    const inner = [
      'Subject: Okonkwo\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="y"\r\n\r\n--y',
      'Content-Disposition: attachment; filename="Okonkwo.txt"\r\n\r\nOkonkwo was there\r\n--y--',
    ].join("\r\n");
    const attached = { "Okonkwo.txt": "Okonkwo signed", "mail.eml": inner };
    const id = await processed("pdf", buildPdfWithFiles({ attached, pinned: "Pinned by Okonkwo" }));
    const parts = await childrenOf(id);
    const below = await childrenOf(parts[1]?.id ?? 0);
    const gone = [...parts, ...below].map((part) => part.id);
    expect([parts.length, below.length]).toEqual([3, 1]);
    const family = (await send("GET", `/api/documents/${id}/family/`)).body;
    expect(family.redaction).toEqual({ removes: 4, keeps: 0 });
    const copy = await send("POST", `/api/documents/${id}/redacted_copies/`, { redactions: [whole] });
    await worker.drain();
    expect([(await childrenOf(id)).length, await childrenOf(copy.body.id)]).toEqual([3, []]);
    expect(await page(id)).toContain("Redacting this document removes them");
    expect(await redacted(id)).toMatchObject({ outcome: "done", attached_files: 4 });
    expect(await childrenOf(id)).toEqual([]);
    for (const one of gone) {
      expect((await send("GET", `/api/documents/${one}/`)).status).toBe(404);
      expect(await Array.fromAsync(app.context.files.list(`documents/${one}`))).toEqual([]);
    }
    expect((await send("GET", "/api/documents/search/?q=okonkwo")).body.results).toEqual([]);
    const { reader } = app.context.database;
    const history = await reader.selectFrom("document_history").selectAll().execute();
    const told = history.filter(({ document_id: of }) => gone.includes(of)).map(({ action }) => action);
    expect(told.toSorted()).toEqual(["created", "removed"].flatMap((action) => gone.map(() => action)));
    expect(JSON.stringify(history)).not.toContain("Okonkwo");
    const { results } = (await send("GET", `/api/documents/${id}/history/`)).body;
    expect(results).toContainEqual(
      expect.objectContaining({ changes: { attached_files: { from: 4, to: 0 } } }),
    );
    const events = await reader
      .selectFrom("events")
      .selectAll()
      .where("type", "=", "document.deleted")
      .execute();
    expect(events.map(({ document_id: of }) => of)).toEqual(expect.arrayContaining(gone));
    await send("POST", `/api/documents/${id}/process/`);
    await worker.drain();
    expect(await childrenOf(id)).toEqual([]);
  });

  it("say which of their parts still have the words when they are redacted, and let these be redacted", async () => {
    const letter = forwarded.replaceAll("herring", "lighthouse");
    const named = mail
      .replace("Please look at this.", "The contract of the lighthouse.")
      .replace(forwarded, letter);
    const id = await processed("eml", named);
    const [contract, older] = await childrenOf(id);
    const family = (await send("GET", `/api/documents/${id}/family/`)).body;
    expect(family.redaction).toEqual({ removes: 0, keeps: 4 });
    const { results } = (await send("GET", `/api/documents/${id}/mentions/?q=lighthouse`)).body;
    const boxes = results[0].mentions.flatMap((mention: { boxes: object[] }) =>
      mention.boxes.map((box) => ({ ...box, page_number: 0 })),
    );
    expect(await redacted(id, boxes)).toMatchObject({
      parts_count: 2,
      parts: [{ id: contract?.id }, { id: older?.id }],
    });
    expect((await childrenOf(id)).length).toBe(4);
    expect(await redacted(contract?.id ?? 0)).toMatchObject({ outcome: "done" });
    const found = await send("GET", `/api/documents/search/?q=parent:${id}+lighthouse`);
    expect(found.body.results.map((one: { id: string }) => Number(one.id))).toEqual([older?.id]);
  });

  it("show the conversation of a mail in order, to each person the part that they may see", async () => {
    const answer = "In-Reply-To: <start@talk>\nReferences: <start@talk>";
    const last = await processed("eml", write("last", 9, "References: <start@talk> <answer@talk>"));
    const first = await processed("eml", write("start", 1, "X: y"));
    const inner = await processed("zip", buildZip({ "answer.eml": write("answer", 3, answer) }));
    const [reply] = await childrenOf(inner);
    await processed("eml", write("other", 2, "X: y"));
    const thread = async (person: Person | null): Promise<unknown> => {
      const { body } = await send("GET", `/api/documents/${last}/family/`, undefined, person);
      return body.thread?.map((one: { id: number; from: string[] }) => [one.id, one.from]);
    };
    expect(await thread(owner)).toEqual([
      [first, ["start@example.org"]],
      [reply?.id, ["answer@example.org"]],
      [last, ["last@example.org"]],
    ]);
    await send("PATCH", `/api/documents/${last}/`, { access: "public" });
    expect(await thread(null)).toEqual([]);
    await send("PATCH", `/api/documents/${inner}/`, { access: "public" });
    expect(await thread(null)).toEqual([
      [reply?.id, ["answer@example.org"]],
      [last, ["last@example.org"]],
    ]);
    const { body } = await send("GET", `/api/documents/${last}/`);
    const shown = await (await app.fetch(new URL(body.canonical_url).pathname)).text();
    expect(shown).toContain("In this conversation");
    expect(shown).toContain(`/documents/${reply?.id}-`);
    expect(shown).not.toContain(`/documents/${first}-`);
  });

  const sent = (from: string, to: string, day: number, subject: string, more = ""): Promise<number> =>
    processed(
      "eml",
      `From: ${from}@x.org\nTo: ${to}@x.org\nDate: Mon, ${day} Jan 2024 10:00:00 +0000\n` +
        `Message-ID: <${from}-${day}@x>\nSubject: ${subject}\n${more}X: y\n\nText`,
    );

  const guessesFor = async (of: number): Promise<unknown> =>
    (await send("GET", `/api/documents/${of}/family/`)).body.thread.map(
      (one: { id: number; is_guessed: boolean }) => [one.id, one.is_guessed],
    );

  it("guess the place of a mail without references by its subject and participants, and say so", async () => {
    const first = await sent("ada", "bob", 1, "Herring prices");
    const lost = await sent("bob", "ada", 2, "AW: Re[2]: Herring  prices");
    const after = await sent("ada", "bob", 3, "Other", "References: <bob-2@x>\n");
    await sent("eve", "joe", 4, "Re: Herring prices");
    await sent("ada", "bob", 5, "Herring prices");
    expect(await guessesFor(first)).toEqual([
      [first, false],
      [lost, true],
    ]);
    expect(await guessesFor(lost)).toEqual([
      [first, true],
      [lost, false],
      [after, false],
    ]);
    expect(await page(first)).toContain("(guessed)");
  });

  it("give their rights to what is in them in the same moment, at any depth, and take them away again", async () => {
    const id = await processed("zip", buildZip({ "m.eml": mail }));
    const [letter] = await childrenOf(id);
    const [contract] = await childrenOf(letter?.id ?? 0);
    const of = [id, letter?.id ?? 0, contract?.id ?? 0];
    const seen = async (person: Person | null): Promise<number[]> => {
      const { body } = await send("GET", `/api/documents/?id__in=${of.join()}`, undefined, person);
      return body.results.map((one: { id: number }) => one.id);
    };
    expect(await seen(stranger)).toEqual([]);
    await send("PATCH", `/api/documents/${id}/`, { access: "public", noindex: true });
    expect([await seen(null), await seen(stranger)]).toEqual([of, of]);
    const { body } = await send("GET", `/api/documents/${contract?.id}/`);
    expect([body.access, body.noindex]).toEqual(["public", true]);
    await send("POST", `/api/projects/${project}/documents/`, { document: id });
    const inProject = await send("GET", `/api/documents/?project=${project}`);
    expect(inProject.body.results.map((one: { id: number }) => one.id)).toEqual(expect.arrayContaining(of));
    await send("PATCH", `/api/documents/${id}/`, { access: "private" });
    expect(await seen(null)).toEqual([]);
    await send("DELETE", `/api/projects/${project}/documents/${id}/`);
    const after = await send("GET", `/api/projects/${project}/documents/`);
    expect(after.body.results).toEqual([]);
  });

  it("refuse what would part their contents from them", async () => {
    const id = await processed("eml", mail);
    const [contract] = await childrenOf(id);
    const part = `/api/documents/${contract?.id}/`;
    const follows = `It follows document ${id}, which this document is part of: change it there.`;
    expect(await send("PATCH", part, { access: "public", title: "New" })).toMatchObject({
      status: 400,
      body: { access: [follows] },
    });
    expect((await send("PATCH", part, { access: "private", title: "New" })).status).toBe(200);
    expect(await send("PATCH", "/api/documents/", [{ id: contract?.id, noindex: true }])).toMatchObject({
      status: 400,
      body: [{ noindex: [follows] }],
    });
    expect(await send("DELETE", part)).toMatchObject({
      status: 400,
      body: [`Document ${contract?.id} is part of document ${id}, and is deleted with it.`],
    });
    const added = await send("POST", `/api/projects/${project}/documents/`, { document: contract?.id });
    expect(added).toMatchObject({ status: 400, body: { document: [expect.stringContaining("is part of")] } });
    const box = { x1: 0.1, x2: 0.5, y1: 0.1, y2: 0.2, page_number: 0 };
    expect(await send("POST", `${part}redactions/`, [box])).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("make a redacted copy instead") },
    });
    const copy = { redactions: [box], original_access: "private" };
    expect((await send("POST", `${part}redacted_copies/`, copy)).status).toBe(400);
    const made = await send("POST", `${part}redacted_copies/`, { redactions: [box] });
    expect(made.status).toBe(201);
    await worker.drain();
    expect((await send("GET", `/api/documents/${made.body.id}/family/`)).body.containers).toEqual([]);
    const replaced = await send("POST", `/api/documents/${id}/file/`, {
      file_url: "https://example.org/a.pdf",
    });
    expect(replaced).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("cannot be replaced") },
    });
  });

  it("take what is in them to the trash and back, and remove it for good with its files", async () => {
    const id = await processed("zip", buildZip({ "m.eml": mail }));
    const [letter] = await childrenOf(id);
    const below = await childrenOf(letter?.id ?? 0);
    const ids = [id, letter?.id ?? 0, ...below.map((child) => child.id)];
    const statuses = async (): Promise<unknown[]> => {
      const found: unknown[] = [];
      for (const one of ids) found.push((await send("GET", `/api/documents/${one}/`)).body.status ?? null);
      return found;
    };
    const before = await statuses();
    expect((await send("DELETE", `/api/documents/${id}/`)).status).toBe(204);
    expect(await statuses()).toEqual(ids.map(() => null));
    const trash = await send("GET", "/api/documents/trash/");
    expect(trash.body.results.map((one: { id: number }) => one.id)).toEqual([id]);
    expect((await send("POST", "/api/documents/trash/restore/", { ids: [id] })).status).toBeLessThan(300);
    expect(await statuses()).toEqual(before);
    await send("DELETE", `/api/documents/${id}/`);
    expect((await send("DELETE", `/api/documents/trash/?id__in=${id}`)).status).toBeLessThan(300);
    const { reader } = app.context.database;
    expect(await reader.selectFrom("documents").select("id").where("id", "in", ids).execute()).toEqual([]);
    for (const one of ids) {
      expect(await Array.fromAsync(app.context.files.list(`documents/${one}`))).toEqual([]);
    }
  });

  it("keep what was taken out before a limit, say why, and change nothing when they are read again", async () => {
    const bomb = buildZip({
      "first.txt": "Words",
      "bomb.txt": Buffer.alloc(40 * 1024 * 1024, "a"),
      "last.txt": "Never",
    });
    const id = await processed("zip", bomb);
    const paths = async (): Promise<string[]> => (await childrenOf(id)).map(({ path }) => path);
    expect(await paths()).toEqual(["first.txt"]);
    expect(await endOf(app, owner, id)).toMatchObject({
      status: "success",
      reason: "too large when unpacked: bomb.txt in it is more than 250 times as large as its packed form",
    });
    expect((await send("POST", `/api/documents/${id}/process/`)).status).toBe(200);
    await worker.drain();
    expect(await paths()).toEqual(["first.txt"]);
  });

  /** What is said of the files that the latest container could not give out. */
  async function leftOutOf(id: number): Promise<unknown> {
    const errors = await send("GET", `/api/documents/${id}/errors/`);
    const { body } = await send("GET", "/api/imports/");
    const run = body.results[0];
    const { body: files } = await send("GET", `/api/imports/${run.id}/files/?state=skipped`);
    return {
      errors: errors.body.results.map(({ message }: { message: string }) => message),
      skipped: run.skipped,
      files: files.results.map((file: Record<string, unknown>) => [file["path"], file["reason"]]),
    };
  }

  it("name what they could not give out in errors/, on their page and in their import, also when read again", async () => {
    const bytes = buildOddZip({
      "a.txt": "Words",
      "odd.txt": "Other words",
      empty: "",
      "z.txt": "Last words",
    });
    const id = await processed("zip", bytes, "With an odd file");
    const expected = {
      errors: [`2 files in it were left out: odd.txt (${unknownMethod}), empty (empty)`],
      skipped: 2,
      files: [
        ["odd.txt", unknownMethod],
        ["empty", "empty"],
      ],
    };
    expect(await leftOutOf(id)).toEqual(expected);
    const [, problems = ""] = /What went wrong(.*?)All steps/s.exec(await page(id)) ?? [];
    expect(problems).toContain("2 files in it became documents, 2 left out");
    expect(problems).toContain(`<bdi>odd.txt</bdi>: ${unknownMethod}`);
    expect(problems).toContain("What is in these files is in no document");
    await send("POST", `/api/documents/${id}/process/`);
    await worker.drain();
    expect(await leftOutOf(id)).toEqual(expected);
    // Of an empty file nothing is missing.
    const harmless = await processed("zip", buildZip({ "a.txt": "Words", empty: "" }));
    expect((await send("GET", `/api/documents/${harmless}/errors/`)).body.results).toEqual([]);
    expect(await page(harmless)).not.toContain("What went wrong");
  });

  it("have one account of everything, whichever attempt took it out or left it out", async () => {
    const names = Array.from({ length: 30 }, (_, index) => [`t${index}.txt`, `Words ${index}`] as const);
    const bytes = buildOddZip({ "odd.txt": "Other words", ...Object.fromEntries(names) });
    const put = app.context.files.put.bind(app.context.files);
    let isAway = true;
    const putting = vi.spyOn(app.context.files, "put").mockImplementation(async (key, content) => {
      if (isAway && key.endsWith("/t27.txt")) {
        isAway = false;
        throw new Error("The store is away");
      }
      return put(key, content);
    });
    const id = await processed("zip", bytes, "In two attempts").finally(() => putting.mockRestore());
    expect(await leftOutOf(id)).toEqual({
      errors: [`1 file in it was left out: odd.txt (${unknownMethod})`],
      skipped: 1,
      files: [["odd.txt", unknownMethod]],
    });
    const { body } = await send("GET", `/api/documents/${id}/receipts/`);
    expect(body.results.find(({ step }: { step: string }) => step === "unpacked")).toMatchObject({
      documents: 30,
      left_out: [{ path: "odd.txt", reason: unknownMethod }],
      left_out_count: 1,
      attempt: 2,
    });
  });

  it("end with a reason if they need a password", async () => {
    const bytes = buildZip({ "secret.txt": "A secret of some length" });
    // The flag for encryption, in the entry and in the directory.
    const directory = bytes.indexOf(Buffer.from("PK\u0001\u0002"));
    bytes.writeUInt16LE(1, 6);
    bytes.writeUInt16LE(1, directory + 8);
    const id = await processed("zip", bytes);
    expect(await endOf(app, owner, id)).toMatchObject({
      status: "error",
      reason: "encrypted: it opens with a password only",
    });
  });
});
