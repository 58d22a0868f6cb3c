import { Readable } from "node:stream";
import { addRow } from "../src/database/rows.ts";
import { beforeAll, describe, it } from "vitest";
import { runFileKey } from "../src/resources/addons/run-files.ts";
import { addApiToken } from "../src/resources/users/credentials/api-token-store.ts";
import { digestOf } from "../src/secrets/digest.ts";
import { type Role, roles } from "../src/testing/access-rights.ts";
import { absentId, accessWorld } from "../src/testing/access-world.ts";
import { type Asker, ask } from "../src/testing/ask.ts";
import { markOf } from "../src/testing/marks.ts";
import type { MatrixRow } from "../src/testing/matrix.ts";
import { addProduction } from "../src/testing/production-rows.ts";
import { addPerson, beginSession } from "../src/testing/people.ts";
import { type Matrix, runOtherMethods, runRow } from "../src/testing/run-matrix.ts";
import { newRun } from "../src/testing/request-things.ts";
import { stateOf } from "../src/testing/state.ts";
import { engines, useStarted } from "../src/testing/test-app.ts";
import {
  type Belongings,
  belongingIds,
  belongingRequest,
  belongingRows,
  belongingWord,
  belongingWords,
  textOf,
} from "./rights/belongings.ts";

const moment = "2025-01-31T12:00:00.000000Z";

describe.each(engines)("who may do what with the account and the belongings of a user on %s", (engine) => {
  const world = useStarted(() => accessWorld(engine));
  let matrix: Matrix<Role, Belongings>;
  let stranger: number;
  const strangersOrganization = 950_000;
  let entities = 1000;
  /** Six digits, like all ids of a world. Rows that requests add have the ids between. */
  let imports = 0;
  let production = 0;
  let webhooks = 300_500;
  let holds = 810_000;
  beforeAll(async () => {
    const { app, people, shown } = world;
    await addStranger();
    await hideAddresses();
    matrix = {
      app,
      people,
      words: belongingWords,
      things: [],
      nameOf: ({ owner }) => `what belongs to the ${owner}`,
      wordFor: belongingWord,
      askedOf: belongingRequest,
      unless: (row, role, things) => (isHidden(row, role, things) ? neverExisted(things) : null),
      idsOf: belongingIds,
      maySee: (_row, role, id) => shown.get(id)?.(role) === true,
      isSelected: () => true,
      copiesOf: (row, cells) =>
        Array.fromAsync(cells, ({ role }) => add(isOfOwner(row) ? ownerOf(row) : role, row)),
      mayChange: ({ path }, line) =>
        (isOwnAccount.test(path) && line.startsWith("users: ")) ||
        (isOfAllSessions.test(path) && line.startsWith("sessions: ")) ||
        (path.endsWith("/notifications/") && line.startsWith("notifications: ")),
      effectOf: (row, { role, thing }) => effectOf(row, role, thing),
    };
  });

  /** Adds a person whom only administrators know, with an organization. */
  async function addStranger(): Promise<void> {
    const { app, shown } = world;
    stranger = (await addPerson(app.context, { username: "stranger" })).id;
    for (const id of [stranger, strangersOrganization]) shown.set(id, (role) => role === "administrator");
    await app.context.database.write(async (writer) => {
      const { uuid } = await writer
        .updateTable("users")
        .set({ name: markOf(stranger) })
        .where("id", "=", stranger)
        .returning("uuid")
        .executeTakeFirstOrThrow();
      const times = { created_at: moment, updated_at: moment };
      const name = markOf(strangersOrganization);
      const row = { id: strangersOrganization, uuid, name, slug: "stranger", individual: true, ...times };
      await writer.insertInto("organizations").values(row).execute();
    });
  }

  /** Gives users addresses that only they and administrators may see. */
  async function hideAddresses(): Promise<void> {
    const { app, people, shown } = world;
    await app.context.database.write(async (writer) => {
      for (const role of roles) {
        const id = people[role]?.id ?? 0;
        shown.set(id, (viewer) => viewer === role || viewer === "administrator");
        const email = `${markOf(id)}@example.org`;
        await writer.updateTable("users").set({ email }).where("id", "=", id).execute();
      }
    });
  }

  /** Adds belongings of a role. All texts have the mark of the person, which nobody else may see. */
  async function add(owner: Role, row?: MatrixRow): Promise<Belongings> {
    const { app, people } = world;
    const { context } = app;
    const person = people[owner];
    if (person === null) throw new Error("Nobody has nothing");
    const mark = markOf(person.id);
    const times = { created_at: moment, updated_at: moment };
    const { cookie } = await beginSession(context, person);
    const uuid = crypto.randomUUID();
    const { webhook, delivery } = await addWebhook(person.id);
    const { addon, event } = await addAddon(person.id, uuid);
    const [token, entity] = await context.database.write(async (writer) => {
      const search = { uuid, user_id: person.id, name: mark, query: mark, new_count: 1 };
      await writer
        .insertInto("saved_searches")
        .values({ ...search, ...times })
        .execute();
      const { id: search_id } = await writer
        .selectFrom("saved_searches")
        .select("id")
        .where("uuid", "=", uuid)
        .executeTakeFirstOrThrow();
      await writer
        .insertInto("guest_links")
        .values({ uuid, user_id: person.id, search_id, name: mark, ...guestLink(uuid) })
        .execute();
      const run = { name: mark, version: "1", started_at: moment, updated_at: moment };
      await writer
        .insertInto("imports")
        .values({ id: (imports += 1000), user_id: person.id, kind: "upload", ...run })
        .execute();
      production = await addProduction(writer, { user: person.id, document: imports });
      const told = { user_id: person.id, kind: "shared" as const, subject: (entities += 1), count: 1 };
      await writer
        .insertInto("notifications")
        .values({ ...told, created_at: moment })
        .execute();
      const { id } = await addApiToken(writer, person.id, { name: mark, mayWrite: true, expiresAt: null });
      const said = { name: "An entity", description: "", wikipedia_url: "", metadata: "{}" };
      const entityRow = { user_id: person.id, wikidata_id: `Q${(entities += 1)}`, ...said, ...times };
      const added = await writer
        .insertInto("entities")
        .values(entityRow)
        .returning("id")
        .executeTakeFirstOrThrow();
      return [id, added.id] as const;
    });
    return {
      owner,
      import: imports,
      production,
      uuid,
      token,
      entity,
      hold:
        row?.path.startsWith("/api/holds/") === true ? await addHold(person.id, organizationOf(owner)) : 0,
      webhook,
      delivery,
      addon,
      event,
      upload: row?.path.startsWith("/uploads/") === true ? await begin(person) : `${person.id}-none`,
      session: digestOf(cookie.slice("sessionid=".length)).slice(0, 24),
      user: person.id,
      organization: organizationOf(owner),
      stranger,
      strangersOrganization,
    };
  }

  /** Adds a hold that covers nothing. */
  async function addHold(user_id: number, organization_id: number): Promise<number> {
    const mark = markOf(user_id);
    const hold = { user_id, organization_id, name: mark, reason: mark, query: "id:0", created_at: moment };
    holds += 1000;
    const { id } = await world.app.context.database.write((writer) =>
      addRow(writer, "holds", { id: holds, ...hold }),
    );
    return id;
  }

  /** Adds a webhook that is off, and something that it was told. */
  async function addWebhook(user_id: number): Promise<{ webhook: number; delivery: number }> {
    const mark = markOf(user_id);
    webhooks += 1000;
    const [webhook, delivery] = [webhooks, webhooks + 500];
    const event = { event_id: 1, type: "note.created", document_id: 1, project_id: null, object_id: null };
    const times = { created_at: moment, updated_at: moment };
    await world.app.context.database.write(async (writer) => {
      await writer
        .insertInto("webhooks")
        .values({
          id: webhook,
          user_id,
          name: mark,
          url: `https://${mark}.example.org/`,
          types: "[]",
          secret: mark,
          is_enabled: false,
          transaction_id: null,
          event_id: null,
          ...times,
        })
        .execute();
      await writer
        .insertInto("webhook_deliveries")
        .values({
          ...event,
          id: delivery,
          webhook_id: webhook,
          happened_at: moment,
          seen_by: null,
          subject: mark,
          state: "delivered",
          attempts: 1,
          due_at: moment,
          created_at: moment,
          problem: mark,
        })
        .execute();
    });
    return { webhook, delivery };
  }

  /** Adds an add-on that its owner alone sees, an event that does not start it, and a run with a file. */
  async function addAddon(user_id: number, uuid: string): Promise<{ addon: number; event: number }> {
    const { database, files } = world.app.context;
    const [addon, event, run] = [webhooks + 100, webhooks + 200, webhooks + 300];
    const name = markOf(user_id);
    const times = { created_at: moment, updated_at: moment };
    const flags = { is_default: false, is_featured: false, is_removed: false };
    const about = { repository: `addon-${addon}`, description: name, categories: "" };
    const later = "2999-01-31T12:00:00.000000Z";
    await database.write(async (writer) => {
      const row = { id: addon, user_id, access: "private", name, parameters: addonSchema } as const;
      await writer
        .insertInto("addons")
        .values({ ...row, ...about, ...flags, ...times })
        .execute();
      const own = { addon_id: addon, user_id, parameters: JSON.stringify({ name }), ...times };
      await writer
        .insertInto("addon_events")
        .values({ ...own, id: event, event: 0, scratch: "{}" })
        .execute();
      await writer
        .insertInto("addon_runs")
        .values({
          ...own,
          ...newRun,
          id: run,
          uuid,
          status: "queued",
          file_name: name,
          file_expires_at: later,
        })
        .execute();
    });
    await files.put(runFileKey(uuid, name), Readable.from([Buffer.from(name)]));
    return { addon, event };
  }

  /** Begins a resumable upload. Returns its name. */
  async function begin(person: Asker): Promise<string> {
    const metadata = `filename ${Buffer.from(`${markOf(person.id)}.pdf`).toString("base64")}`;
    const { headers } = await ask(world.app, person, {
      method: "POST",
      target: "/uploads/tus/",
      headers: { "tus-resumable": "1.0.0", "upload-length": "5", "upload-metadata": metadata },
    });
    return /^location: .*\/(.+)$/m.exec(headers)?.[1] ?? "";
  }

  /** Whether a change that was answered with success was made, and for the asker alone. */
  async function effectOf(row: MatrixRow, role: Role, things: Belongings): Promise<string> {
    const { method, path } = row;
    const isOfMail = /mailkey|\/account\/mail\//.test(path);
    const isOfUser = path.startsWith("/api/users/") && !isOfMail;
    if (method === "GET" || method === "HEAD" || isOfUser) return "done";
    const lines = (await stateOf(world.app)).split("\n");
    // The digest of another session, and the fraction of a second, may have the same digits as an id.
    const asker = new RegExp(`(?<![.\\w])${world.people[role]?.id}(?!\\w)`);
    const isOfAsker = (line: string): boolean => asker.test(line);
    if (isOfMail) {
      const isThere = lines.some((line) => line.startsWith("mail_keys: ") && isOfAsker(line));
      return isThere === (method === "POST" && !path.endsWith("/revoke/")) ? "done" : `a key: ${isThere}`;
    }
    const isEnding =
      method === "DELETE" ||
      path.endsWith("/delete/") ||
      /^\/account\/(?!webhooks\/|searches\/|addons\/).*:/.test(path);
    if (isOfAllSessions.test(path)) {
      const left = lines.filter((line) => line.startsWith("sessions: ") && isOfAsker(line));
      return left.length === 1 ? "done" : `${left.length} sessions`;
    }
    if (path === "/api/holds/:id/") {
      const line = lines.find((one) => one.startsWith("holds: ") && one.includes(String(things.hold))) ?? "";
      return /"released_at": ?"/.test(line) && isOfAsker(line) ? "done" : line;
    }
    if (/guest_links\/:uuid|\/revoke\//.test(path)) {
      const line = lines.find((one) => one.startsWith("guest_links: ") && one.includes(things.uuid)) ?? "";
      return /"revoked_at": ?"/.test(line) ? "done" : line;
    }
    if (path.startsWith("/api/addons/"))
      return lines.some((one) => one.startsWith("addon_pins: ") && isOfAsker(one)) ? "done" : "not pinned";
    if (path.startsWith("/account/addons/runs/") || (method === "DELETE" && path.includes("addon_runs"))) {
      const line = lines.find((one) => one.startsWith("addon_runs: ") && one.includes(things.uuid)) ?? "";
      const isDone = path.endsWith("/dismiss/") ? /"dismissed": ?(?:1|true)/ : /cancelled"/;
      return isDone.test(line) ? "done" : line;
    }
    if (path === "/account/addons/events/:id/remove/")
      return lines.some((one) => one.startsWith("addon_events: ") && one.includes(String(things.event)))
        ? "kept"
        : "done";
    if (path.includes("/productions/"))
      return lines.some((one) => one.startsWith("productions: ") && one.includes('"deleted"'))
        ? "done"
        : "kept";
    if (isEnding) {
      const [, name = ""] = /:(\w+)\/?(?:delete\/)?$/.exec(path) ?? [];
      const id = new RegExp(`(?<![.\\w])${belongingIds(row, things)[name]}`);
      const left = lines.filter((line) => id.test(line) && !/^(?:entity_|addon_runs)/.test(line));
      return left.length === 0 ? "done" : `still there: ${left.join()}`;
    }
    if (path.endsWith("/seen/")) {
      const line =
        lines.find((each) => each.startsWith("saved_searches: ") && each.includes(things.uuid)) ?? "";
      return /"new_count": ?0/.test(line) ? "done" : line;
    }
    if (path === "/api/imports/:id/files/") {
      const isNoted = lines.some(
        (line) => line.startsWith("import_files: ") && line.includes(textOf(row, role)),
      );
      return isNoted ? "done" : "not noted";
    }
    if (path.endsWith("/imports/:id/process/")) {
      const isQueued = lines.some(
        (line) => line.includes("process import again") && line.includes(String(things.import)),
      );
      return isQueued ? "done" : "not queued";
    }
    if (/secret|:delivery/.test(path)) {
      const name = path.includes("secret") ? "webhooks: " : "webhook_deliveries: ";
      const id = path.includes("secret") ? things.webhook : things.delivery;
      const line = lines.find((one) => one.startsWith(name) && one.includes(String(id))) ?? "";
      return /"rotated_at": ?"|"state": ?"waiting"/.test(line) ? "done" : line;
    }
    if (path.startsWith("/uploads/")) {
      const isThere = lines.some(
        (line) => line.startsWith("documents: ") && line.includes(markOf(things.user)),
      );
      return isThere ? "done" : "no document";
    }
    if (path.endsWith("/notifications/")) {
      const unread = lines
        .filter((line) => /^notifications: .*"seen_at": ?null/.test(line))
        .filter(isOfAsker);
      return unread.length === 0 ? "done" : `unread: ${unread.join()}`;
    }
    if (path === "/account/preferences/" || path === "/account/notices/") {
      const line = lines.find((one) => one.startsWith("users: ") && isOfAsker(one)) ?? "";
      const isDone = path.includes("notices") ? /"mail_notices": ?(?:0|false)/ : /"language": ?"de"/;
      return isDone.test(line) ? "done" : line;
    }
    const found = lines.filter((line) => line.includes(textOf(row, role)));
    const isOfEntity = (line: string): boolean => isOfOwner(row) && line.includes(String(things.entity));
    const isDone = found.length > 0 && found.every((line) => isOfAsker(line) || isOfEntity(line));
    return isDone ? "done" : `written: ${found.join()}`;
  }

  it.each(belongingRows)("$name", async (row) => {
    // A person may have few webhooks, open runs and events, and one key for mail: those of the rows before would be too many.
    await world.app.context.database.write(async (writer) => {
      for (const table of ["webhooks", "addon_runs", "addon_events", "mail_keys"] as const)
        await writer.deleteFrom(table).execute();
    });
    await runRow({ ...matrix, things: [await add(ownerOf(row), row)] }, row);
  });

  it("tells nothing by other methods", async () => {
    await runOtherMethods({ ...matrix, things: [await add("owner")] }, belongingRows);
  });
});

/** A link that works. */
const guestLink = (uuid: string) => ({
  digest: digestOf(uuid),
  may_download: false,
  uses: 0,
  expires_at: "2999-01-31T12:00:00.000000Z",
  created_at: moment,
});

/** Changes of the account itself, of which there are no copies. */
const isOwnAccount = /^\/api\/account\/$|^\/account\/(?:preferences\/|notices\/)?$|^\/api\/users\//;

/** Of an add-on whose form has one text. */
const addonSchema = JSON.stringify({ properties: { text: { type: "string" } } });

const isOfAllSessions = /\/account\/sessions\/$/;

/** Administrators may change the entities of others, and release their holds. */
const isOfOwner = ({ path }: MatrixRow): boolean => /^\/api\/(?:entities|holds)\//.test(path);

const ownerOf = ({ path }: MatrixRow): Role =>
  path.startsWith("/api/holds/") ? "organization admin" : "owner";

const organizationOf = (role: Role): number =>
  ["owner", "member", "organization admin"].includes(role) ? 1 : 2;

function isHidden(row: MatrixRow, role: Role, things: Belongings): boolean {
  return ["nothing", "none", "leadback"].includes(belongingWord(row, role, things));
}

function neverExisted(things: Belongings): Belongings {
  return {
    ...things,
    uuid: "00000000-0000-4000-8000-000000000001",
    token: absentId.token,
    hold: absentId.token,
    webhook: absentId.token,
    addon: absentId.token,
    event: absentId.token,
    delivery: absentId.note,
    session: "0".repeat(24),
    upload: things.upload.replace(/[0-9a-f]{8}$/, "00000000"),
    entity: absentId.entity,
    user: absentId.user,
    stranger: absentId.user,
    strangersOrganization: absentId.entity,
  };
}
