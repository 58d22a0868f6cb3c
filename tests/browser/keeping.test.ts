import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { addRow } from "../../src/database/rows.ts";
import { addDocuments, addProject } from "../../src/testing/factories.ts";
import { changeMember } from "../../src/resources/users/membership.ts";
import { addPerson, beginSession } from "../../src/testing/people.ts";
import { sendAs } from "../../src/testing/requests.ts";
import { useApp } from "../../src/testing/test-app.ts";
import { runJobs } from "../../src/testing/use-worker.ts";
import { focusedName, looksRight, workAs } from "./desk.ts";
import { useBrowser } from "./reader.ts";
import { viewers } from "./viewer.ts";

const browser = useBrowser();
const app = useApp("sqlite");
const boss = app.person("boss", { organizations: [1], isAdministrator: true });

describe("the page of legal holds", () => {
  it.each(viewers)("sets a hold and releases it, by $width pixels", async (reader) => {
    const [id = 0] = await addDocuments(app.context, [{ title: `Harbour ${reader.width}` }]);
    const remove = async (): Promise<number> =>
      (await sendAs(app, boss, "DELETE", `/api/documents/${id}/`)).status;
    await workAs({ browser, app, person: boss, reader }, "/admin/", async (page) => {
      await page.getByRole("link", { name: "Legal holds" }).click();
      await page.getByText("New hold").click();
      const form = page.getByRole("form", { name: "New hold" });
      await form.getByLabel("Name").fill("Inquiry");
      await form.getByLabel("Reason").fill("Letter of the court");
      await form.getByLabel("It covers").selectOption("Single documents");
      await form.getByLabel("Numbers of the documents").fill("999999");
      await form.getByRole("button", { name: "Set the hold" }).click();
      await form.getByText("object does not exist").waitFor();
      await expect.poll(() => focusedName(page)).toBe("Numbers of the documents");
      await looksRight(page, reader, "admin-hold");
      await form.getByLabel("It covers").selectOption("What a search finds");
      await form.getByLabel("Search").fill(`title:${reader.width}`);
      await form.getByRole("button", { name: "Set the hold" }).click();
      await page.getByRole("status").getByText("Inquiry is in force.").waitFor();
      const hold = page
        .getByRole("listitem", { name: "Inquiry" })
        .filter({ hasText: `title:${reader.width}` });
      await hold.getByText("1 document that you may see").waitFor();
      expect(await remove()).toBe(409);
      await hold.getByText("Documents", { exact: true }).click();
      await hold.getByRole("link", { name: `Harbour ${reader.width}` }).waitFor();
      await looksRight(page, reader, "admin-holds");
      await hold.getByRole("button", { name: /^Release/ }).click();
      const dialog = page.getByRole("dialog", { name: "Release Inquiry?" });
      await looksRight(page, reader, "admin-release");
      await dialog.getByRole("button", { name: "Release" }).click();
      await page.getByRole("status").getByText("Inquiry was released.").waitFor();
      await hold.getByText(/^Released/).waitFor();
      expect(await remove()).toBe(204);
    });
  });
});

describe("the page of legal holds for an admin of an organization", () => {
  it.each(viewers)("sets and releases those of the organization, by $width pixels", async (reader) => {
    const press = { name: `Press ${reader.width}`, slug: "press", individual: false };
    const organization = await app.context.database.write((writer) =>
      addRow(writer, "organizations", { ...press, created_at: "2025-01-31", updated_at: "2025-01-31" }),
    );
    const own = { organizations: [organization.id], administers: [organization.id] };
    const admin = await addPerson(app.context, { username: `editor ${reader.width}`, ...own });
    await addDocuments(app.context, [
      { title: `Quay ${reader.width}`, organization_id: organization.id, user_id: admin.id },
    ]);
    await workAs({ browser, app, person: admin, reader }, "/account/", async (page) => {
      await page.getByRole("link", { name: "Legal holds" }).click();
      await page.getByText("New hold").click();
      const form = page.getByRole("form", { name: "New hold" });
      await form.getByLabel("Name").fill("Suit");
      await form.getByLabel("Reason").fill("Our lawyer");
      await form.getByLabel("Search").fill("title:Quay");
      await looksRight(page, reader, "own-hold");
      await form.getByRole("button", { name: "Set the hold" }).click();
      await page.getByRole("status").getByText("Suit is in force.").waitFor();
      const hold = page.getByRole("listitem", { name: "Suit" });
      await hold.getByText("Documents", { exact: true }).click();
      await hold.getByRole("link", { name: `Quay ${reader.width}` }).waitFor();
      await expect.poll(() => page.getByRole("link", { name: "Retention" }).count()).toBe(0);
      await looksRight(page, reader, "own-holds");
      await hold.getByRole("button", { name: /^Release/ }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Release" }).click();
      await page.getByRole("status").getByText("Suit was released.").waitFor();
      expect((await page.goto(`${app.url}/admin/retention/`))?.status()).toBe(404);
    });
  });
});

describe("the page of retention", () => {
  it.each(viewers)("makes a rule, and decides about what has run out, by $width pixels", async (reader) => {
    const old = { created_at: "2005-01-31T12:00:00.000000Z" };
    const names = ["kept", "gone"].map((name) => `Form ${reader.width} ${name}`);
    await addDocuments(
      app.context,
      names.map((title) => ({ title, ...old })),
    );
    await workAs({ browser, app, person: boss, reader }, "/admin/", async (page) => {
      await page.getByRole("link", { name: "Retention" }).click();
      await page.getByText("New rule").click();
      const form = page.getByRole("form", { name: "New rule" });
      await form.getByLabel("Name").fill(`Forms ${reader.width}`);
      await form.getByLabel("Search").fill(`title:${reader.width}`);
      await form.getByLabel("The period begins").selectOption("At a date in its data");
      await form.getByLabel("Key of the date").waitFor();
      await looksRight(page, reader, "admin-retention-rule");
      await form.getByLabel("The period begins").selectOption("When the document was made");
      await form.getByRole("button", { name: "Make the rule" }).click();
      await page.getByRole("status").getByText(`Forms ${reader.width} is in force.`).waitFor();
      await runJobs(app.context);
      await page.reload();
      const [kept, gone] = names.map((name) => page.getByRole("listitem", { name, exact: true }));
      await looksRight(page, reader, "admin-retention");
      await kept?.getByRole("button", { name: /^Keep/ }).click();
      await page.getByRole("status").getByText("It is kept").waitFor();
      await gone?.getByRole("button", { name: /^Delete/ }).click();
      const dialog = page.getByRole("dialog", { name: "Delete 1 document for good?" });
      await looksRight(page, reader, "admin-approve");
      await dialog.getByRole("button", { name: "Delete" }).click();
      await page.getByRole("status").getByText("1 document is being deleted.").waitFor();
      await runJobs(app.context);
      await page.reload();
      const certificates = page.getByRole("region", { name: "Certificates" });
      const certificate = certificates.getByRole("listitem", { name: names[1] ?? "", exact: true });
      await certificate.waitFor();
      await expect.poll(() => certificate.textContent()).toContain(`Rule: Forms ${reader.width}`);
    });
  });
});

describe("the page of the audit log", () => {
  it.each(viewers)("downloads who did what, by $width pixels", async (reader) => {
    const { id } = await addPerson(app.context, { username: `member ${reader.width}`, password: "any" });
    const session = { ...boss, headers: { ...(await beginSession(app.context, boss)) } as never };
    const member = { organization: "1", username: `member ${reader.width}`, role: "member" } as const;
    await changeMember(app.context, member);
    await workAs({ browser, app, person: boss, reader }, "/admin/", async (page) => {
      await page.getByRole("link", { name: "Audit" }).click();
      await page.getByLabel("From", { exact: true }).fill("2020-01-01");
      await page.getByLabel("Format", { exact: true }).selectOption("JSON Lines, for programs");
      await page.getByLabel("About", { exact: true }).selectOption("Memberships");
      await page.getByRole("button", { name: "Show" }).click();
      const begun = page.getByRole("listitem", { name: "Membership begun, by Quire" }).first();
      await begun.getByText("Details").click();
      await begun.getByText("Role after: member").waitFor();
      await expect.poll(() => page.getByRole("listitem", { name: /^Document/ }).count()).toBe(0);
      await looksRight(page, reader, "admin-audit-members");
      await sendAs(app, session, "PATCH", `/api/admin/users/${id}/`, { is_administrator: true });
      await page.getByLabel("About", { exact: true }).selectOption("Accounts and organizations");
      await page.getByRole("button", { name: "Show" }).click();
      await page.getByRole("listitem", { name: "Made an administrator, by boss" }).first().waitFor();
      await page.getByLabel("About", { exact: true }).selectOption("Everything");
      await looksRight(page, reader, "admin-audit");
      const link = page.getByRole("link", { name: "Download" });
      const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
      expect(download.suggestedFilename()).toBe("audit.jsonl");
      const [line = ""] = (await readFile(await download.path(), "utf8")).trim().split("\n").slice(-1);
      expect(JSON.parse(line)).toMatchObject({ source: "audit_export", username: "boss" });
    });
  });
});

describe("the page of all guest links", () => {
  it.each(viewers)("lets an administrator revoke those of others, by $width pixels", async (reader) => {
    const name = `To the project ${reader.width}`;
    const project = await addProject(app.context, { title: "Harbour" }, []);
    const projects = { [project]: "admin" } as const;
    const maker = await addPerson(app.context, { username: `maker ${reader.width}`, projects });
    await sendAs(app, maker, "POST", "/api/guest_links/", { project, name });
    await workAs({ browser, app, person: maker, reader }, "/account/guests/", async (page) => {
      await page.getByRole("link", { name: "The project “Harbour”" }).click();
      await page.getByRole("heading", { name: "Guest links to this project" }).waitFor();
      await page.getByText(name).waitFor();
      await looksRight(page, reader, "guests-of-project");
    });
    await workAs({ browser, app, person: boss, reader }, "/account/guests/", async (page) => {
      await page.getByText("You have made no guest links.").waitFor();
      await page.getByRole("link", { name: "All guest links of this server" }).click();
      await looksRight(page, reader, "guests-of-everyone");
      await page.getByRole("button", { name: `Revoke: ${name}` }).focus();
      await page.keyboard.press("Enter");
      await page.getByText("The link was revoked.").waitFor();
    });
    const { results } = (await sendAs(app, maker, "GET", "/api/guest_links/")).body;
    expect(results).toEqual([expect.objectContaining({ name, revoked_at: expect.any(String) })]);
  });
});
