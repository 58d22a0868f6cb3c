import { mkdir } from "node:fs/promises";
import { addRow } from "../src/database/rows.ts";
import { join } from "node:path";
import { beforeAll, describe, it } from "vitest";
import { processJob } from "../src/resources/documents/file-facts-store.ts";
import { addAsker, accessWorld } from "../src/testing/access-world.ts";
import { markOf } from "../src/testing/marks.ts";
import type { MatrixRow } from "../src/testing/matrix.ts";
import { type Matrix, runOtherMethods, runRow } from "../src/testing/run-matrix.ts";
import { stateOf } from "../src/testing/state.ts";
import { engines, useStarted } from "../src/testing/test-app.ts";
import { enqueue } from "../src/jobs/queue.ts";
import {
  type Administered,
  type AdministrationRole,
  administeredIds,
  administrationRequest,
  administrationRows,
  administrationWord,
  administrationWords,
  writtenName,
} from "./rights/administration.ts";

const moment = "2025-01-31T12:00:00.000000Z";
/** When the jobs are due. */
const later = "2999-01-31T12:00:00.000000Z";

describe.each(engines)("who may administer a server on %s", (engine) => {
  const world = useStarted(() => accessWorld(engine));
  let matrix: Matrix<AdministrationRole, Administered>;
  let people = 0;
  beforeAll(async () => {
    const { app, shown } = world;
    matrix = {
      app,
      people: { ...world.people, "administrator by token": world.people.administrator },
      words: administrationWords,
      things: [await add()],
      nameOf: () => "the server",
      wordFor: administrationWord,
      askedOf: administrationRequest,
      unless: (_row, role, things) => (role === "administrator" ? null : { ...things, isNowhere: true }),
      idsOf: administeredIds,
      maySee: (_row, role, id) => role === "administrator" || shown.get(id)?.(role as never) === true,
      isSelected: () => true,
      copiesOf: (_row, cells) => Array.fromAsync(cells, add),
      effectOf: (row, { thing }) => effectOf(row, thing),
    };
  });

  /** Adds a user, an organization, a job and a mail. */
  async function add(): Promise<Administered> {
    const { app } = world;
    const { database } = app.context;
    const [document, failed] = await world.add([
      { access: "public", status: "pending" },
      { access: "public", status: "error" },
    ]);
    const user = (await addAsker(app, { username: `administered-${(people += 1)}`, password: "any" })).id;
    const outsider = (await addAsker(app, { username: `administered-${(people += 1)}`, password: "any" })).id;
    const email = `${markOf(user)}@example.org`;
    const addon = await addAddon();
    return database.write(async (writer) => {
      await writer.updateTable("users").set({ email }).where("id", "=", user).execute();
      const times = { created_at: moment, updated_at: moment };
      const named = { name: `Organization ${markOf(user)}`, slug: `o-${user}`, individual: false };
      const { id: organization } = await writer
        .insertInto("organizations")
        .values({ id: 450_000 + people, ...named, ...times })
        .returning("id")
        .executeTakeFirstOrThrow();
      await writer
        .insertInto("organization_members")
        .values({ organization_id: organization, user_id: user, is_admin: false })
        .execute();
      await enqueue(writer, { kind: processJob, subject: document?.id ?? 0 });
      await writer
        .updateTable("jobs")
        .set({ due_at: later })
        .where("subject", "=", document?.id ?? 0)
        .execute();
      const { id: mail } = await writer
        .insertInto("mails")
        .values({
          kind: "invitation",
          user_id: user,
          details: "{}",
          created_at: moment,
          sent_at: null,
          problem: "x",
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      const { id: provider } = await writer
        .insertInto("identity_providers")
        .values({
          name: `Provider ${markOf(user)}`,
          issuer: "http://127.0.0.1:9/",
          client_id: "quire",
          client_secret: "",
          scopes: "openid",
          groups_claim: "",
          group_roles: "[]",
          administrators_group: "",
          creates_accounts: true,
          links_by_email: false,
          is_enabled: true,
          ...times,
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      const { id: job } = await writer
        .selectFrom("jobs")
        .select("id")
        .where("subject", "=", document?.id ?? 0)
        .executeTakeFirstOrThrow();
      const { id: rule } = await addRow(writer, "retention_rules", {
        id: 450_000 + people,
        name: `Rule ${markOf(user)}`,
        query: "id:0",
        period: 1,
        unit: "years",
        starts: "created_at",
        user_id: user,
        created_at: moment,
      });
      const { id: disposition } = await writer
        .insertInto("dispositions")
        .values({
          document_id: document?.id ?? 0,
          rule_id: rule,
          state: "proposed",
          due_at: moment,
          proposed_at: moment,
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      const things = { user, organization, outsider, job, mail, provider, rule, disposition, addon };
      return { ...things, failed: failed?.id ?? 0 };
    });
  }

  /** Adds an add-on, and the folders of two. */
  async function addAddon(): Promise<number> {
    const { config, database } = world.app.context;
    const id = 450_000 + people;
    for (const name of ["owner", "other"])
      await mkdir(join(config.data, "addons", name, String(id)), { recursive: true });
    const flags = { is_default: false, is_featured: false, is_removed: false };
    const about = { name: "An add-on", description: "", categories: "", parameters: "{}" };
    const times = { created_at: moment, updated_at: moment };
    const row = { id, repository: `owner/${id}`, access: "private", config: "title: x" } as const;
    await database.write((writer) =>
      writer
        .insertInto("addons")
        .values({ ...row, ...flags, ...about, ...times })
        .execute(),
    );
    return id;
  }

  async function effectOf({ method, path, name }: MatrixRow, things: Administered): Promise<string> {
    if (method === "GET") return "done";
    const { user, organization, outsider, job, mail, provider, failed, rule, disposition, addon } = things;
    // PostgreSQL writes a space after each colon and comma.
    const state = (await stateOf(world.app)).replaceAll(/(?<=[:,]) /g, "").split("\n");
    const lines = (start: string, ...parts: (string | number)[]): number =>
      state.filter(
        (line) => line.startsWith(`${start}:`) && parts.every((part) => line.includes(String(part))),
      ).length;
    /** The lines of the row with an id. */
    const rows = (table: string, id: number, member = ""): number => lines(table, `"id":${id},`, member);
    const dones: Record<string, boolean> = {
      "POST /api/admin/users/": lines("users", writtenName, `written-${job}`) === 1,
      "PATCH /api/admin/users/:id/": lines("users", writtenName, user) === 1,
      "POST /api/admin/users/:id/link/": lines("password_links", user) === 1,
      "DELETE /api/admin/users/:id/second_factors/": lines("second_factors", `"user_id":${user},`) === 0,
      "POST /api/admin/organizations/": lines("organizations", writtenName) === 1,
      "PATCH /api/admin/organizations/:id/": lines("organizations", writtenName, organization) === 1,
      "POST /api/admin/organizations/:id/members/":
        lines("organization_members", organization, outsider) === 1,
      "PATCH /api/admin/organizations/:id/members/:user/":
        lines("organization_members", organization, user, '"is_admin":1') +
          lines("organization_members", organization, user, '"is_admin":true') ===
        1,
      "DELETE /api/admin/organizations/:id/members/:user/":
        lines("organization_members", organization, user) === 0,
      "POST /api/admin/addons/": lines("addons", writtenName, `other/${addon}`) === 1,
      "PUT /api/admin/addons/:id/": lines("addons", writtenName, `owner/${addon}`) === 1,
      "PATCH /api/admin/addons/:id/":
        lines("addons", `owner/${addon}`, '"is_enabled":0') +
          lines("addons", `owner/${addon}`, '"is_enabled":false') ===
        1,
      "DELETE /api/admin/addons/:id/":
        lines("addons", `owner/${addon}`, '"is_removed":1') +
          lines("addons", `owner/${addon}`, '"is_removed":true') ===
        1,
      "PUT /api/admin/redaction_reasons/": lines("redaction_reasons", writtenName) === 1,
      "POST /api/admin/retention_rules/": lines("retention_rules", writtenName) === 1,
      "DELETE /api/admin/retention_rules/:id/": rows("retention_rules", rule, '"ended_at":"') === 1,
      "POST /api/admin/dispositions/": rows("dispositions", disposition, '"state":"kept"') === 1,
      "PATCH /api/admin/branding/": lines("site_branding", writtenName) === 1,
      "POST /api/admin/identity_providers/": lines("identity_providers", writtenName) === 1,
      "PUT /api/admin/identity_providers/:id/": rows("identity_providers", provider, writtenName) === 1,
      "PATCH /api/admin/identity_providers/:id/": rows("identity_providers", provider, writtenName) === 1,
      "DELETE /api/admin/identity_providers/:id/": rows("identity_providers", provider) === 0,
      "POST /api/admin/jobs/:id/": rows("jobs", job) === 1 && rows("jobs", job, later) === 0,
      "DELETE /api/admin/jobs/:id/": rows("jobs", job) === 0,
      "POST /api/admin/failures/": lines("jobs", failed) === 1,
      "POST /api/admin/storage/": lines("jobs", "measure") === 1,
      "POST /api/admin/examination/": lines("jobs", "examine") === 1,
      "POST /api/admin/mails/:id/": rows("mails", mail, '"problem":null') === 1,
      "DELETE /api/admin/mails/:id/": rows("mails", mail) === 0,
    };
    return dones[`${method} ${path}`] === true ? "done" : `${name} was not done`;
  }

  it.each(administrationRows)("$name", (row) => runRow(matrix, row));

  it("tells nothing by other methods", () => runOtherMethods(matrix, administrationRows));
});
