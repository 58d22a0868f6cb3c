import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JobRunner } from "../../src/jobs/runner.ts";
import { registerAddon } from "../../src/resources/addons/register.ts";
import { addDocuments } from "../../src/testing/factories.ts";
import { addPerson } from "../../src/testing/people.ts";
import { useApp } from "../../src/testing/test-app.ts";
import { useFolder } from "../../src/testing/use-folder.ts";
import { buildWorker } from "../../src/worker.ts";
import { looksRight, workAs } from "./desk.ts";
import { useBrowser } from "./reader.ts";
import { openViewer, viewers } from "./viewer.ts";

const config = `title: Lister
description: Writes a list of **titles**.
type: object
version: 2
documents: [selected, query]
required: [heading]
eventOptions: { name: site, events: [daily, upload] }
properties:
  heading: { title: Heading, type: string, enum: [Titles, Names] }
  numbers: { title: With numbers, type: boolean, default: true }
`;

/** Reads the titles of its documents, and leaves them in a file. */
const program = `
const { payload: task } = JSON.parse(process.argv.at(-1));
const headers = { authorization: "Bearer " + task.token, "content-type": "application/json" };
const send = async (path, method, value) => {
  const body = value === undefined ? undefined : JSON.stringify(value);
  const answer = await fetch(task.base_uri + path, { method, headers, body });
  if (!answer.ok) throw new Error(path + ": " + answer.status);
  return answer.json();
};
const own = "addon_runs/" + task.id + "/";
const found = [task.data.heading];
for (const id of task.documents) found.push((await send("documents/" + id + "/", "GET")).title);
const { presigned_url } = await send(own + "?upload_file=titles.txt", "GET");
await fetch(presigned_url, { method: "PUT", body: found.join("\\n") });
await send(own, "PATCH", { file_name: "titles.txt", progress: 100, message: "Listed " + task.documents.length });
`;

const browser = useBrowser();
const folder = useFolder("addons");
const app = useApp("sqlite", {
  QUIRE_ADDON_RUNNER: `"${process.execPath}" main.mjs`,
  QUIRE_ADDON_FOLDER: folder,
});
const mara = app.person("mara", { organizations: [1] });
let worker: JobRunner;
let document: number;
beforeAll(async () => {
  await mkdir(path.join(folder, "press", "lister"), { recursive: true });
  await writeFile(path.join(folder, "press", "lister", "config.yaml"), config);
  await writeFile(path.join(folder, "press", "lister", "main.mjs"), program);
  const own = { user_id: mara.id, access: "private" } as const;
  [document = 0] = await addDocuments(
    app.context,
    ["Harbour dues", "Lighthouse log", "Tide tables"].map((title) => Object.assign({ title }, own)),
  );
  await registerAddon(app.context, { repository: "press/lister", access: "public", user: null });
  worker = buildWorker({ ...app.context, config: { ...app.context.config, url: app.url } });
});
afterAll(() => worker.stop());

describe("add-ons", () => {
  it.each(viewers)("run on chosen documents, and leave a file, by $width pixels", async (reader) => {
    await worker.stop();
    await workAs({ browser, app, person: mara, reader }, "/documents/?sort=created_at", async (page) => {
      await page.getByLabel("Select Harbour dues").check();
      await page.getByLabel("Select Tide tables").check();
      await page.getByRole("link", { name: "Run an add-on…" }).click();
      await page.getByRole("link", { name: "Lister" }).click();
      const chosen = page.getByRole("group", { name: "Chosen documents" });
      await expect.poll(() => chosen.getByRole("checkbox").count()).toBe(2);
      await expect.poll(() => chosen.getByLabel("Tide tables").isChecked()).toBe(true);
      await page.getByLabel("Heading").selectOption("Titles");
      await looksRight(page, reader, "addon-form");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByRole("status").getByText("The add-on was started.").waitFor();
      await page.getByText("waits", { exact: true }).waitFor();
      await looksRight(page, reader, "addon-run");
      const address = page.url();
      await page.goto(`${app.url}/projects/`);
      const tray = page.getByRole("complementary", { name: "Running work" });
      await tray.getByText("1 add-on runs").click();
      await tray.getByRole("link", { name: "Lister" }).waitFor();
      await page.goto(address);
      worker.start();
      await worker.drain();
      await page.getByText("Listed 2").waitFor();
      await looksRight(page, reader, "addon-ended");
      const file = page.getByRole("link", { name: "Download the file" });
      const [download] = await Promise.all([page.waitForEvent("download"), file.click()]);
      expect(download.suggestedFilename()).toBe("titles.txt");
      expect(await readFile(await download.path(), "utf8")).toBe("Titles\nHarbour dues\nTide tables");
      await page.getByRole("button", { name: "Dismiss: Lister" }).click();
      await page.getByText("You have run no add-on, or have dismissed all runs.").waitFor();
      await openViewer(page, `${app.url}/documents/${document}/`);
      await page.getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole("button", { name: "Run an add-on…" }).click();
      await page.getByRole("link", { name: "Lister" }).click();
      await expect.poll(() => chosen.getByLabel("Harbour dues").isChecked()).toBe(true);
    });
  });

  it.each(viewers)("start by themselves until that is removed, by $width pixels", async (reader) => {
    await workAs({ browser, app, person: mara, reader }, "/account/addons/", async (page) => {
      await page.getByRole("link", { name: "Lister" }).click();
      await page.getByRole("link", { name: "Start it by itself" }).click();
      await page.getByLabel("When").selectOption("When a document of yours has been read");
      await page.getByLabel("Heading").selectOption("Names");
      await page.getByLabel("With numbers").uncheck();
      await looksRight(page, reader, "addon-event-new");
      await page.getByRole("button", { name: "Start by itself" }).click();
      await page.getByRole("status").getByText("The add-on starts by itself from now on.").waitFor();
      const events = page.getByRole("region", { name: "Started by themselves" });
      await events.getByText("When a document of yours has been read").waitFor();
      await looksRight(page, reader, "addons");
      await events.getByRole("link", { name: "Lister" }).click();
      await expect.poll(() => page.getByLabel("With numbers").isChecked()).toBe(false);
      await page.getByLabel("When").selectOption("Every day");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("status").getByText("It was saved.").waitFor();
      await page.getByText(/^Next on/).waitFor();
      await looksRight(page, reader, "addon-event");
      await page.getByRole("button", { name: "Remove" }).click();
      await page.getByRole("status").getByText("It was removed.").waitFor();
      await expect.poll(() => events.getByRole("link").count()).toBe(0);
    });
  });
});

describe("the page of add-ons for administrators", () => {
  it.each(viewers)("registers, changes, switches off and removes one, by $width pixels", async (reader) => {
    const name = `counter-${reader.width}`;
    await mkdir(path.join(folder, "press", name), { recursive: true });
    const boss = await addPerson(app.context, { username: `boss-${reader.width}`, isAdministrator: true });
    await workAs({ browser, app, person: boss, reader }, "/admin/", async (page) => {
      const said = (text: string) => page.getByRole("status").getByText(text).waitFor();
      await page.getByRole("navigation").getByRole("link", { name: "Add-ons" }).click();
      await page.getByText("Register an add-on").click();
      const form = page.getByRole("form", { name: "Register an add-on" });
      await form.getByLabel("Folder").fill(`press/${name}`);
      await form.getByLabel("Who may run it").selectOption("Everyone with an account");
      await form.getByLabel("Configuration").fill("title: Counter\nlist: [1");
      await form.getByRole("button", { name: "Register" }).click();
      await form.getByText(/^Line 2 cannot be read: /).waitFor();
      await looksRight(page, reader, "admin-addon-new");
      const upload = { name: "config.yaml", mimeType: "text/yaml", buffer: Buffer.from("title: Counter") };
      await form.getByLabel("Take it from a file").setInputFiles(upload);
      await form.getByRole("button", { name: "Register" }).click();
      await said("Counter is registered.");
      const row = page.getByRole("listitem", { name: "Counter" }).filter({ hasText: name });
      await row.getByText("Everyone with an account").waitFor();
      await row.getByRole("button", { name: /^Switch off/ }).click();
      await said("Counter is switched off.");
      await row.getByText("Switched off", { exact: true }).waitFor();
      await looksRight(page, reader, "admin-addons");
      await row.getByRole("button", { name: /^Change/ }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("People may run it").check();
      await dialog.getByLabel("Who may run it").selectOption("You alone");
      await looksRight(page, reader, "admin-addon-change");
      await dialog.getByRole("button", { name: "Save" }).click();
      await said("Counter was saved.");
      await row.getByText("You alone").waitFor();
      await expect.poll(() => row.getByText("Switched off", { exact: true }).count()).toBe(0);
      await row.getByRole("button", { name: /^Remove/ }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
      await said("Counter was removed.");
      await expect.poll(() => row.count()).toBe(0);
    });
  });
});
