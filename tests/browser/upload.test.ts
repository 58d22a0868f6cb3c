import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { addDocuments } from "../../src/testing/factories.ts";
import { buildDocx, docxParagraph } from "../../src/testing/office.ts";
import { buildPdf } from "../../src/testing/pdf.ts";
import { type Person, addPerson, beginSession } from "../../src/testing/people.ts";
import { startRemoteServer } from "../../src/testing/remote-server.ts";
import { sendAs } from "../../src/testing/requests.ts";
import { startTestApp, useApp, useStarted } from "../../src/testing/test-app.ts";
import { useFolder } from "../../src/testing/use-folder.ts";
import { useWorker } from "../../src/testing/use-worker.ts";
import { focusedName, looksRight, workAs } from "./desk.ts";
import { type Reader, atDesk, onPhone, open, keepScreenshot, useBrowser } from "./reader.ts";
import { onPhoneWithScripts } from "./viewer.ts";

const password = "open sesame";
const pdfOf = (line: string, userPassword?: string): Buffer =>
  Buffer.from(
    buildPdf({
      pages: [{ width: 612, height: 792, lines: [line] }],
      ...(userPassword !== undefined && { encrypted: { kind: "aes-256", userPassword } }),
    }),
  );

const browser = useBrowser();
const folder = useFolder("brought");

/** Drops files and folders onto the middle of the page, as a person does. */
async function drop(page: Page, files: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await session.send("Input.dispatchDragEvent", { type, x: width / 2, y: height / 2, data });
  await session.detach();
}

/** The widths of the windows in which every state of the page has to fit. */
const widths = [atDesk.width, onPhone.width];

const row = (page: Page, name: string) => page.getByRole("listitem", { name, exact: true });

const choose = (page: Page, name = ""): Promise<void> =>
  page.getByLabel("Choose the new file").setInputFiles(name);

describe("the page for uploads", () => {
  const remote = useStarted(() =>
    startRemoteServer((request, response) => {
      const isThere = request.url?.startsWith("/minutes") === true;
      response.writeHead(isThere ? 200 : 404, { "content-type": "application/pdf" });
      response.end(isThere ? pdfOf("From far away") : "");
    }),
  );
  const app = useApp("sqlite", { QUIRE_FETCH_ALLOWED_HOSTS: "127.0.0.1" });
  const worker = useWorker(app);
  const owner = app.person("owner", { organizations: [1] });

  const work = (reader: Reader, body: (page: Page) => Promise<void>): Promise<void> =>
    workAs({ browser, app, person: owner, reader }, "/upload/", body);
  const listOf = async (person: Person, query = ""): Promise<Record<string, unknown>[]> => {
    const target = `/api/documents/?per_page=100&user=${person.id}${query}`;
    return (await sendAs(app, person, "GET", target)).body.results;
  };

  it("gives a document another file", async () => {
    const reader = atDesk;
    const form = new FormData();
    const old = buildPdf({
      pages: [1, 2].map((page) => ({ width: 400, height: 300, lines: [`Old ${page}`] })),
    });
    form.set("title", "Tide tables");
    form.set("file", new Blob([new Uint8Array(old)]), "old.pdf");
    const made = await app.fetch("/api/documents/", { method: "POST", headers: owner.headers, body: form });
    const { id } = (await made.json()) as { id: number };
    await worker.drain();
    await sendAs(app, owner, "POST", `/api/documents/${id}/notes/`, { title: "Low water", page_number: 1 });
    const [broken, locked] = ["broken.pdf", "better.pdf"].map((name) => path.join(folder, name));
    await writeFile(broken ?? "", "%PDF-1.7 and nothing else");
    await writeFile(locked ?? "", pdfOf("The new tides", password));
    await workAs({ browser, app, person: owner, reader }, `/documents/${id}/`, async (page) => {
      await page.getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole("button", { name: "Replace the file" }).click();
      await page.getByRole("heading", { name: "Replace the file" }).waitFor();
      await page.getByRole("link", { name: "Tide tables" }).waitFor();
      await page.getByText("Only its owner and the members of its projects will see the new file.").waitFor();
      await page.getByText("Its note or section stays on its page", { exact: false }).waitFor();
      await choose(page, path.join(folder, "broken.pdf"));
      const replace = page.getByRole("button", { name: "Replace the file", exact: true });
      await replace.click();
      const kept = "The file was not replaced, and the document still has its old file:";
      await row(page, "broken.pdf").getByText(kept, { exact: false }).waitFor();
      await page.getByRole("button", { name: "By web address" }).click();
      const byAddress = async (address: string): Promise<void> => {
        await page.getByLabel("Web address of the new file").fill(address);
        await page.getByRole("button", { name: "Use this address" }).click();
      };
      await byAddress("tides.pdf");
      await page.getByText("This is not a web address: tides.pdf").waitFor();
      await byAddress(`${remote.url}/gone.pdf`);
      await replace.click();
      const gone = `${kept} The address of the file answered with HTTP status 404`;
      await row(page, `${remote.url}/gone.pdf`).getByText(gone).waitFor();
      await looksRight(page, reader, "replace-failed", widths);
      await choose(page, locked);
      await replace.click();
      const item = row(page, "better.pdf");
      await item.getByLabel("Password: better.pdf").fill(password);
      await item.getByRole("button", { name: "Open the PDF" }).click();
      await item.getByText("The file was replaced: 1 page. One note or section has no page now.").waitFor();
      await byAddress(`${remote.url}/minutes.pdf`);
      await replace.click();
      const fetched = row(page, `${remote.url}/minutes.pdf`);
      await fetched.getByText("The file was replaced: 1 page.", { exact: false }).waitFor();
      await looksRight(page, reader, "replaced", widths);
      await fetched.getByRole("link", { name: "Open Tide tables" }).click();
      await page.getByRole("button", { name: "Notes" }).click();
      await page.getByText("Page 2, which this file does not have").waitFor();
      await open(page, `${app.url}/documents/`);
      await page.getByRole("button", { name: "More: Tide tables" }).click();
      await page.getByRole("button", { name: "Replace the file" }).click();
      await page.getByRole("heading", { name: "Replace the file" }).waitFor();
    });
    const { body } = await sendAs(app, owner, "GET", `/api/documents/${id}/`);
    expect(body).toMatchObject({ status: "success", page_count: 1, title: "Tide tables" });
  });

  it("takes forty mixed files in a folder at once", async () => {
    const reader = onPhoneWithScripts;
    const person = await addPerson(app.context, { username: "bringer", organizations: [1] });
    const known = pdfOf("Known before");
    const form = new FormData();
    form.set("file", new Blob([new Uint8Array(known)]), "known.pdf");
    await app.fetch("/api/documents/", { method: "POST", headers: person.headers, body: form });
    const { body: project } = await sendAs(app, person, "POST", "/api/projects/", { title: "Council" });
    const brought = path.join(folder, "Harbour");
    await mkdir(path.join(brought, "Letters", "2024"), { recursive: true });
    const put = (name: string, bytes: Buffer | string): Promise<void> =>
      writeFile(path.join(brought, name), bytes);
    for (let number = 1; number <= 24; number++)
      await put(`Letters/2024/letter-${number}.pdf`, pdfOf(`Letter ${number}`));
    for (let number = 1; number <= 6; number++) await put(`note-${number}.txt`, `Note ${number}`);
    for (let number = 1; number <= 2; number++)
      await put(`report-${number}.docx`, buildDocx(docxParagraph(`Report ${number}`)));
    await put("mail.eml", "From: a@example.org\nSubject: Tides\n\nHigh at noon.\n");
    await put("locked.pdf", pdfOf("Locked", password));
    await put("known again.pdf", known);
    await put("twin.pdf", pdfOf("Letter 1"));
    await put("program.exe", "MZ");
    await put("empty.pdf", "");
    await put("picture.pdf", "GIF89a");
    await put(".DS_Store", "what a system puts there");
    await workAs({ browser, app, person, reader }, "/upload/", async (page) => {
      await looksRight(page, reader, "upload-empty", widths);
      await page.getByRole("group", { name: "For all files" }).getByLabel("Source").fill("Harbour office");
      await drop(page, [brought, path.join(brought, "note-1.txt")]);
      await page.getByRole("button", { name: "Upload 34 files" }).waitFor();
      expect(
        await page
          .getByRole("list")
          .filter({ has: page.getByText("program.exe") })
          .getByRole("listitem")
          .count(),
      ).toBe(40);
      const at = (name: string) => row(page, `Harbour/${name}`);
      await page.getByText("1 hidden file was skipped.").waitFor();
      await at("program.exe").getByText("files of type EXE are not supported").waitFor();
      await at("empty.pdf").getByText("the file is empty").waitFor();
      await at("picture.pdf").getByText("it is not a PDF").waitFor();
      const same = at("known again.pdf").getByText("You already have this:");
      await same.getByRole("link", { name: "known" }).waitFor();
      const twins = page.getByText("It is the same file as");
      await expect.poll(() => twins.count()).toBe(2);

      await page.getByRole("group", { name: "For all files" }).getByLabel("Project").selectOption("Council");
      const letter = at("Letters/2024/letter-3.pdf");
      await letter.getByRole("button", { name: /^Settings/ }).click();
      await letter.getByLabel("Title").fill("The third letter");
      await letter.getByLabel("Who can see it").selectOption({ label: "Organization: all its members" });
      await looksRight(page, reader, "upload-list", widths);
      await page.getByRole("button", { name: "Upload 34 files" }).press("Enter");
      await page.getByRole("button", { name: "Upload", exact: true }).waitFor();
      await expect.poll(() => focusedName(page)).toBe("Upload");

      const watched = page.getByRole("link", { name: "Watch the import: Harbour" });
      await watched.waitFor();
      const locked = at("locked.pdf");
      await locked.getByText("This PDF needs a password.").waitFor({ timeout: 120_000 });
      await locked.getByLabel(/^Password/).fill("not this one");
      await page.keyboard.press("Enter");
      await locked.getByText("This password is wrong.").waitFor({ timeout: 120_000 });
      await looksRight(page, reader, "upload-password", widths);
      // Who typed it can type the right one at once.
      await expect.poll(() => focusedName(page)).toMatch(/^Password/);
      await locked.getByLabel(/^Password/).fill(password);
      await locked.getByRole("button", { name: "Open the PDF" }).click();
      await page.getByRole("status").getByText("34 ready").waitFor({ timeout: 240_000 });
      await looksRight(page, reader, "upload-done", widths);
      const address = `/api${await watched.getAttribute("href")}`;
      await expect
        .poll(async () => (await sendAs(app, person, "GET", address)).body, { timeout: 20_000 })
        .toMatchObject({ state: "done", seen: 39, added: 34, known: 2, skipped: 3, failed: 0 });
      await page.getByRole("link", { name: "Open The third letter" }).click();
      await page.getByRole("heading", { name: "The third letter", level: 1 }).waitFor();
    });
    const made = await listOf(person, `&project=${project.id}`);
    expect(made).toHaveLength(34);
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set(["success"]));
    const third = made.find(({ title }) => title === "The third letter");
    expect(third).toMatchObject({
      access: "organization",
      source: "Harbour office",
      data: { path: ["Harbour/Letters/2024/letter-3.pdf"] },
    });
    expect(made.filter(({ access }) => access === "private")).toHaveLength(33);
  }, 600_000);

  it("continues after an unavailable server, a closed page, and another sign-in in another tab", async () => {
    const file = path.join(folder, "interrupted.pdf");
    const bytes = pdfOf("Interrupted");
    await writeFile(file, bytes);
    await work(atDesk, async (page) => {
      let target = "";
      let isAway = true;
      await page.route("**/uploads/tus/*", async (route, request) => {
        if (request.method() !== "PATCH" || !isAway) return route.continue();
        target = new URL(request.url()).pathname;
        return route.fulfill({ status: 503, body: "" });
      });
      await page.getByLabel("Choose files").last().setInputFiles(file);
      await page.getByRole("group", { name: "For all files" }).getByLabel("Source").fill("The first visit");
      await page.getByRole("button", { name: "Upload 1 file" }).click();
      await page.getByText("The connection was lost. The upload will continue automatically.").waitFor();
      const part = await app.fetch(target, {
        method: "PATCH",
        headers: {
          ...owner.headers,
          "tus-resumable": "1.0.0",
          "upload-offset": "0",
          "content-type": "application/offset+octet-stream",
        },
        body: new Uint8Array(bytes.subarray(0, Math.ceil(bytes.length / 2))),
      });
      expect(part.status).toBe(204);

      page.removeAllListeners("dialog");
      page.once("dialog", (dialog) => void dialog.accept());
      await open(page, `${app.url}/upload/`);
      await page.getByText("One upload was interrupted.").waitFor();
      await looksRight(page, atDesk, "upload-unfinished", widths);
      await page.getByLabel("Choose files").last().setInputFiles(file);
      const found = row(page, path.basename(file));
      await found.getByText("50 % of it was uploaded before.").waitFor();
      // The page has the CSRF token of the session before.
      const session = await beginSession(app.context, owner);
      await page.context().addCookies([
        { name: "sessionid", value: session.cookie.replace("sessionid=", ""), url: app.url },
        { name: "csrftoken", value: session["x-csrftoken"], url: app.url },
      ]);
      await expect.poll(() => page.getByText("One upload was interrupted.").count()).toBe(0);
      await page.getByRole("button", { name: "Upload 1 file" }).click();
      await found.getByText("The connection was lost.").waitFor();
      isAway = false;
      await found.getByText("Ready, 1 page").waitFor({ timeout: 120_000 });
    });
    const [made] = await listOf(owner, "&ordering=-created_at");
    expect(made).toMatchObject({
      title: "interrupted",
      source: "The first visit",
      access: "private",
    });
  });

  it("has the server fetch files from web addresses, one on each line", async () => {
    await work(atDesk, async (page) => {
      await page.getByRole("button", { name: "By web address" }).click();
      const lines = page.getByLabel("Web addresses, one on each line");
      await lines.fill(`${remote.url}/minutes-a.pdf\nminutes\n\n ${remote.url}/gone.pdf `);
      await page.getByRole("button", { name: "Add these addresses" }).click();
      await page.getByRole("alert").getByText("This is not a web address: minutes").waitFor();
      await expect.poll(() => lines.inputValue()).toBe("minutes");
      await looksRight(page, atDesk, "upload-addresses", widths);
      await page.getByRole("button", { name: "Upload 2 files" }).click();
      await row(page, `${remote.url}/minutes-a.pdf`).getByText("Ready, 1 page").waitFor({ timeout: 120_000 });
      const gone = row(page, `${remote.url}/gone.pdf`);
      await gone.getByText(/^Failed: .*404/).waitFor({ timeout: 120_000 });
      const before = remote.requests.length;
      await gone.getByRole("button", { name: /^Try again/ }).click();
      await expect.poll(() => remote.requests.length).toBeGreaterThan(before);
      await gone.getByText(/^Failed: .*404/).waitFor({ timeout: 120_000 });
    });
    expect((await listOf(owner)).map(({ title }) => title)).toContain("minutes-a");
  });

  it("stops an upload when it is cancelled, and says why a file could not be read", async () => {
    const [slow, broken] = [path.join(folder, "slow.pdf"), path.join(folder, "broken.pdf")];
    await writeFile(slow, pdfOf("Slow"));
    await writeFile(broken, "%PDF-1.4\nnothing");
    await work(atDesk, async (page) => {
      await page.route("**/uploads/tus/*", (route, request) =>
        request.method() === "PATCH" ? route.fulfill({ status: 503, body: "" }) : route.continue(),
      );
      await page.getByLabel("Choose files").last().setInputFiles(slow);
      await page.getByRole("button", { name: "Upload 1 file" }).click();
      await row(page, "slow.pdf").getByText("The connection was lost.").waitFor();
      await row(page, "slow.pdf")
        .getByRole("button", { name: /^Cancel/ })
        .click();
      await row(page, "slow.pdf").getByText("Cancelled").waitFor();
      await expect.poll(async () => (await app.context.uploads.listUnfinished()).length).toBe(0);
      await page.unrouteAll();
      await page.getByLabel("Choose files").last().setInputFiles(broken);
      await page.getByRole("button", { name: "Upload 1 file" }).click();
      await row(page, "broken.pdf")
        .getByText(/^The file cannot be read: .* upload the new file\./)
        .waitFor({ timeout: 120_000 });
      await row(page, "broken.pdf")
        .getByRole("button", { name: /^Remove/ })
        .press("Enter");
      await expect.poll(() => page.getByRole("listitem", { name: "broken.pdf" }).count()).toBe(0);
      await expect.poll(() => focusedName(page)).toBe("Try again: slow.pdf");
    });
  });
});

describe("the way to the page for uploads", () => {
  it("is in the header for users who may upload", async () => {
    await using app = await startTestApp("sqlite");
    await addDocuments(app.context, []);
    const writer = await addPerson(app.context, { username: "writer", organizations: [1] });
    const homeless = await addPerson(app.context, { username: "homeless" });
    await workAs({ browser, app, person: writer, reader: atDesk }, "/", async (page) => {
      await page.getByRole("banner").getByRole("link", { name: "Upload" }).click();
      await page.getByRole("heading", { name: "Upload", level: 1 }).waitFor();
    });
    await workAs({ browser, app, person: homeless, reader: atDesk }, "/", async (page) => {
      await expect.poll(() => page.getByRole("link", { name: "Upload" }).count()).toBe(0);
      expect((await open(page, `${app.url}/upload/`)).status()).toBe(403);
      await page.getByText("You do not belong to an organization").waitFor();
    });
  });

  it("works for one file without scripts", async () => {
    await using app = await startTestApp("sqlite", { QUIRE_UPLOAD_LIMIT_MB: "1" });
    await addDocuments(app.context, []);
    const person = await addPerson(app.context, { username: "writer", organizations: [1] });
    const [large, file] = [path.join(folder, "large.pdf"), path.join(folder, "plain.pdf")];
    await writeFile(large, new Uint8Array(20 * 1024 * 1024));
    await writeFile(file, pdfOf("Without scripts"));
    await workAs({ browser, app, person, reader: onPhone }, "/upload/", async (page) => {
      await page.getByLabel("File").setInputFiles(large);
      await page.getByRole("button", { name: "Upload the file" }).click();
      await page.getByRole("alert").getByText("The file is larger than this server accepts.").waitFor();
      await keepScreenshot(page, "upload-plain-refused", "window");
      await page.getByLabel("File").setInputFiles(file);
      await page.getByRole("button", { name: "Upload the file" }).click();
      await page.getByRole("heading", { level: 1, name: "plain" }).waitFor();
      const { body } = await sendAs(app, person, "GET", `/api/documents/?user=${person.id}`);
      expect(body.results).toMatchObject([{ title: "plain", access: "private" }]);
    });
  });
});
