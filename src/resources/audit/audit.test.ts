import { Writable } from "node:stream";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import type { AuditEntry } from "../../contract/keeping.ts";
import { addDocuments } from "../../testing/factories.ts";
import { type Person, addPerson, beginSession } from "../../testing/people.ts";
import { sendAs } from "../../testing/requests.ts";
import { engines, useApp } from "../../testing/test-app.ts";
import { takeRoles } from "../identities/group-roles.ts";
import { addAccountHistory } from "../users/account-history-store.ts";
import { changeActive } from "../users/change-account.ts";
import { changeMember, makeOrganization } from "../users/membership.ts";
import { exportAudit } from "./export-audit.ts";

const keyOf = ({ at, source, id, action }: AuditEntry): string => [at, source, id, action].join(" ");

describe.each(engines)("the audit log on %s", (engine) => {
  const app = useApp(engine);
  const owner = app.person("owner", { organizations: [1], password: "correct horse" });
  const person = app.person("boss", { organizations: [2], isAdministrator: true });
  let boss: Person;
  let seen: number;
  let secret: number;
  beforeAll(async () => {
    boss = { ...person, headers: { ...(await beginSession(app.context, person)) } as never };
    [seen = 0, secret = 0] = await addDocuments(app.context, [
      { user_id: owner.id, organization_id: 1 },
      { user_id: owner.id, organization_id: 1, access: "private" },
    ]);
    for (const id of [seen, secret])
      await sendAs(app, owner, "PATCH", `/api/documents/${id}/`, { title: "=1+1" });
    await app.fetch("/api/token/", {
      method: "POST",
      body: new URLSearchParams({ username: "owner", password: "wrong" }),
    });
    await sendAs(app, owner, "POST", "/api/guest_links/", { document: seen, name: "=2+2" });
    const hold = { name: "Inquiry", reason: "x", documents: [seen] };
    const { body } = await sendAs(app, boss, "POST", "/api/holds/", hold);
    await sendAs(app, boss, "DELETE", `/api/holds/${body.id}/`);
  });

  async function exported(query = ""): Promise<string> {
    const answer = await app.fetch(`/api/admin/audit/?${query}`, { headers: boss.headers });
    expect(answer.status).toBe(200);
    // `text()` would remove the byte order mark.
    return Buffer.from(await answer.arrayBuffer()).toString();
  }
  const entries = async (query = ""): Promise<AuditEntry[]> =>
    (await exported(query))
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as AuditEntry);

  it("has what people did, and each export of itself", async () => {
    const all = await entries();
    const of = (name: string) => all.filter(({ source }) => source === name).map(({ action }) => action);
    expect(of("document")).toEqual(["changed", "changed", "changed", "held", "released"]);
    expect(of("hold")).toEqual(["set", "released"]);
    expect(of("sign_in")).toEqual(["wrong password"]);
    expect(of("guest_link")).toEqual(["made"]);
    expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted());
    expect(all.at(-1)).toMatchObject({ source: "audit_export", username: "boss" });
    const [before, now] = [await entries(), await entries()].map((one) =>
      one.filter(({ source }) => source === "audit_export"),
    );
    expect([before?.length, now?.length]).toEqual([2, 3]);
  });

  it("tells no more of documents than administrators may see", async () => {
    const changes = (await entries()).filter(({ action }) => action === "changed");
    expect(changes.map(({ document, details }) => [document, details])).toEqual([
      [seen, { title: ["A document", "=1+1"] }],
      [secret, { title: null }],
      [seen, { guest_link: [null, expect.any(String)], name: [null, "=2+2"] }],
    ]);
  });

  it("is exported by range of time and person", async () => {
    const all = await entries();
    const at = all.find(({ action }) => action === "held")?.at ?? "";
    const before = await entries(`until=${at}`);
    const after = await entries(`since=${at}`);
    expect(before.length).toBeGreaterThan(0);
    expect(before.every((entry) => entry.at < at)).toBe(true);
    expect(after.every((entry) => entry.at >= at)).toBe(true);
    const own = await entries(`user=${owner.id}`);
    expect(new Set(own.map(({ source }) => source))).toEqual(new Set(["document", "sign_in", "guest_link"]));
    expect(own.every(({ username }) => username === "owner")).toBe(true);
    for (const query of ["since=yesterday", "until=x", "user=x"])
      expect((await sendAs(app, boss, "GET", `/api/admin/audit/?${query}`)).status).toBe(400);
  });

  it("is a spreadsheet without formulas", async () => {
    const hold = { name: "x", reason: "x", documents: [seen] };
    await app.context.database.write((writer) =>
      sql`update users set username = '=owner' where id = ${owner.id}`.execute(writer),
    );
    expect((await sendAs(app, boss, "POST", "/api/holds/", hold)).status).toBe(201);
    const lines = (await exported("as=csv")).split("\r\n");
    expect(lines[0]).toBe("\uFEFFat,source,id,action,user,username,document,details");
    expect(lines.some((line) => line.includes(",'=owner,"))).toBe(true);
    expect(lines.filter((line) => /(?:^|,)"?[=+@-]/.test(line))).toEqual([]);
  });

  it("says who has revoked a guest link, if that was not its maker", async () => {
    const colleague = await addPerson(app.context, { username: "colleague", organizations: [1] });
    const { body: link } = await sendAs(app, owner, "POST", "/api/guest_links/", { document: seen });
    const revoked = await sendAs(app, colleague, "DELETE", `/api/guest_links/${link.uuid}/`);
    expect(revoked.status).toBe(204);
    const said = (await entries(`user=${colleague.id}`)).filter(({ source }) => source === "guest_link");
    expect(said).toMatchObject([{ action: "revoked", username: "colleague", details: { uuid: link.uuid } }]);
  });

  it("tells nothing more of a document that administrators could not see once it is deleted for good", async () => {
    const [gone = 0] = await addDocuments(app.context, [
      { user_id: owner.id, organization_id: 1, access: "private" },
    ]);
    const address = `/api/documents/${gone}/`;
    await sendAs(app, owner, "PATCH", address, { title: "The name of the source" });
    expect((await sendAs(app, owner, "DELETE", address)).status).toBe(204);
    await sendAs(app, owner, "DELETE", `/api/documents/trash/?id__in=${gone}`);
    const { reader } = app.context.database;
    const left = reader.selectFrom("documents").select("id").where("id", "=", gone).execute();
    expect(await left).toEqual([]);
    const said = (await entries()).filter(({ document }) => document === gone);
    expect(said.map(({ action }) => action)).toContain("changed");
    expect(JSON.stringify(said)).not.toContain("The name of the source");
  });

  it("has who became a member or a collaborator, by whom or by what, and who ceased to be", async () => {
    const [organization, someone] = [
      1,
      await addPerson(app.context, { username: "someone", password: "correct horse" }),
    ];
    const { database } = app.context;
    const [member, address] = ["/api/admin/organizations/1/members/", "/api/projects/"];
    for (const is_admin of [false, false, true])
      await sendAs(app, boss, "POST", member, { user: someone.id, is_admin });
    await sendAs(app, boss, "DELETE", `${member}${someone.id}/`);
    await changeMember(app.context, { organization: "1", username: "someone", role: "admin" });
    const groups = { id: 7, groups_claim: "groups", administrators_group: "" };
    const roles = JSON.stringify([{ group: "press", organization, is_admin: false }]);
    for (const held of [["press"], []])
      await database.write((writer) =>
        takeRoles(writer, { ...groups, group_roles: roles }, someone.id, new Set(held)),
      );
    const { body: project } = await sendAs(app, owner, "POST", address, { title: "Harbour" });
    const users = `${address}${project.id}/users/`;
    await sendAs(app, owner, "POST", users, { email: "someone@example.org", access: "view" });
    for (const access of ["edit", "edit"])
      await sendAs(app, owner, "PATCH", `${users}${someone.id}/`, { access });
    await sendAs(app, owner, "DELETE", `${users}${someone.id}/`);
    await sendAs(app, owner, "POST", users, { email: "someone@example.org", access: "admin" });
    expect((await sendAs(app, owner, "DELETE", `${address}${project.id}/`)).status).toBe(204);

    const said = (await entries(`source=membership&user=${someone.id}`)).map((entry) => {
      const { means, role_before, role_after, project_id, provider_id } = entry.details;
      return [entry.user, means, entry.action, role_before, role_after, project_id ?? provider_id];
    });
    expect(said).toEqual([
      [boss.id, "person", "added", null, "member", null],
      [boss.id, "person", "changed", "member", "admin", null],
      [boss.id, "person", "removed", "admin", null, null],
      [null, "command", "added", null, "admin", null],
      [null, "provider", "changed", "admin", "member", 7],
      [null, "provider", "removed", "member", null, 7],
      [owner.id, "person", "added", null, "view", project.id],
      [owner.id, "person", "changed", "view", "edit", project.id],
      [owner.id, "person", "removed", "edit", null, project.id],
      [owner.id, "person", "added", null, "admin", project.id],
      [owner.id, "person", "removed", "admin", null, project.id],
    ]);
    const change = database.write((writer) =>
      writer.updateTable("membership_history").set({ by_id: null }).execute(),
    );
    await expect(change).rejects.toThrow("history does not change");
  });

  it("says who has changed accounts, administrators and organizations, and by what means", async () => {
    const { database } = app.context;
    const users = "/api/admin/users/";
    const invited = await sendAs(app, boss, "POST", users, { username: "new", is_administrator: true });
    const { id } = invited.body;
    for (const change of [
      { is_active: false },
      { is_active: false },
      { is_active: true, is_administrator: false },
      { name: "Another" },
    ])
      expect((await sendAs(app, boss, "PATCH", `${users}${id}/`, change)).status).toBe(200);
    await changeActive(app.context, "new", false);
    const roles = { id: 7, groups_claim: "groups", group_roles: "[]", administrators_group: "admins" };
    await database.write((writer) => takeRoles(writer, roles, id, new Set(["admins"])));
    const organizations = "/api/admin/organizations/";
    const made = await sendAs(app, boss, "POST", organizations, { name: "Press" });
    for (const name of ["Press", "The Press"])
      await sendAs(app, boss, "PATCH", `${organizations}${made.body.id}/`, { name });
    await makeOrganization(app.context, "From the command line");

    const said = (await entries("source=administration")).map((entry) => {
      const { account, means, provider_id, name_before, name_after } = entry.details;
      return [entry.user, means, entry.action, account ?? name_after, provider_id ?? name_before];
    });
    expect(said).toEqual([
      [boss.id, "person", "account_added", id, null],
      [boss.id, "person", "administrator_made", id, null],
      [boss.id, "person", "account_disabled", id, null],
      [boss.id, "person", "account_enabled", id, null],
      [boss.id, "person", "administrator_ended", id, null],
      [null, "command", "account_disabled", id, null],
      [null, "provider", "administrator_made", id, 7],
      [boss.id, "person", "organization_added", "Press", null],
      [boss.id, "person", "organization_renamed", "The Press", "Press"],
      [null, "command", "organization_added", "From the command line", null],
    ]);
    expect((await entries(`source=administration&user=${id}`)).length).toBe(7);
    await database.write((writer) => addAccountHistory(writer, id, "second_factors_reset", boss.id));
    for (const table of ["administration_history", "account_history"] as const) {
      const change = database.write((writer) => writer.deleteFrom(table).execute());
      await expect(change).rejects.toThrow("history does not change");
    }
  });

  it("is one list by time, whose pages have each entry once", async () => {
    const everything = (await entries()).toReversed();
    // Entries of several sources with one time, and the pages' own walk among them.
    const same = "2025-06-30T12:00:00.000000Z";
    await app.context.database.write(async (writer) => {
      for (const user_id of [owner.id, boss.id, owner.id]) {
        const row = { at: same, user_id, action: "changed", changes: "{}", document_id: seen };
        await writer.insertInto("document_history").values(row).execute();
        const change = { user_id, by_id: null, means: "command", action: "added", at: same } as const;
        const none = { organization_id: 1, project_id: null, provider_id: null, role_before: null };
        await writer
          .insertInto("membership_history")
          .values({ ...change, ...none, role_after: "member" })
          .execute();
      }
    });
    const walk = async (start: string, way: "next" | "previous"): Promise<AuditEntry[]> => {
      const found: AuditEntry[] = [];
      for (let address: string | null = start; address !== null;) {
        const { status, body } = await sendAs(app, boss, "GET", address);
        expect(status).toBe(200);
        const results = body.results as AuditEntry[];
        found.push(...(way === "next" ? results : results.toReversed()));
        address = body[way] === null ? null : String(body[way]).replace(/^https?:\/\/[^/]*/, "");
      }
      return found;
    };
    const list = "/api/admin/audit_entries/";
    const found = await walk(`${list}?per_page=4`, "next");
    const all = (await entries()).toReversed().slice(1);
    expect(found.map(keyOf)).toEqual(all.map(keyOf));
    expect(found).toHaveLength(everything.length + 6);
    expect(new Set(found.map(keyOf)).size).toBe(found.length);
    expect(found.map(({ at }) => at)).toEqual(
      found
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    );
    const back = await walk(`${list}?per_page=4&cursor=${Buffer.from("r=1").toString("base64")}`, "previous");
    expect(back.map(keyOf).toReversed().slice(-found.length)).toEqual(found.map(keyOf));
    const some = await walk(`${list}?per_page=3&user=${owner.id}&since=${same}&source=document`, "next");
    expect(some.map(keyOf)).toEqual(
      found.filter(({ source, user }) => source === "document" && user === owner.id).map(keyOf),
    );
    for (const query of ["cursor=WyJhdCIsMCwxLG51bGxd", "cursor=x", "since=x"])
      expect((await sendAs(app, boss, "GET", `${list}?${query}`)).status).toBeGreaterThanOrEqual(400);
    expect((await sendAs(app, owner, "GET", list)).status).toBe(404);
  });

  it("is read a batch at a time", async () => {
    await app.context.database.write((writer) =>
      sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 1200)
        insert into document_history (document_id, at, user_id, action, changes)
        select ${seen}, '2026-01-31T12:00:00.000000Z', ${owner.id}, 'changed', '{}' from numbers`.execute(
        writer,
      ),
    );
    const sizes: number[] = [];
    const range = { since: null, until: null, person: null, source: null };
    const sink = new Writable({
      objectMode: true,
      write(text: string, _encoding, done) {
        sizes.push(text.split("\n").length - 1);
        done();
      },
    });
    for await (const text of await exportAudit(app.context, null, range, "jsonl")) sink.write(text);
    expect(Math.max(...sizes)).toBe(500);
  });
});
