import { EventEmitter } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable, Writable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../config.ts";
import {
  linkOfFirstAdministrator,
  setPasswordByLink,
} from "../resources/users/credentials/password-links.ts";
import { addOwners } from "../testing/factories.ts";
import { isInFull } from "../testing/runs.ts";
import { type TestApp, type TestStorage, engines, startAppOn, testStorage } from "../testing/test-app.ts";
import { importDocuments } from "./import.ts";
import { organizationCommands } from "./organization.ts";
import { run } from "./run.ts";
import { tokenCommands } from "./token.ts";
import { userCommands } from "./user.ts";

class Output extends Writable {
  text = "";

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

const password = "a long enough one";

async function signInStatus(app: TestApp, username: string, guess: string): Promise<number> {
  const body = new URLSearchParams({ username, password: guess });
  return (await app.fetch("/api/token/", { method: "POST", body })).status;
}

describe.each(engines)("accounts from the command line on %s", (engine) => {
  let storage: TestStorage;
  let environment: Record<string, string>;

  beforeEach(async () => {
    storage = await testStorage(engine);
    const { data, databaseUrl } = storage.config;
    environment = { QUIRE_DATA: data, ...(databaseUrl === null ? {} : { QUIRE_DATABASE_URL: databaseUrl }) };
  });
  afterEach(() => storage[Symbol.asyncDispose]());

  async function quire(line: string, input = "") {
    const stdout = new Output();
    const stderr = new Output();
    const code = await run([importDocuments, ...userCommands, ...organizationCommands, ...tokenCommands], {
      args: line.split(" "),
      environment,
      stdin: Readable.from([Buffer.from(input)]),
      stdout,
      stderr,
      signals: new EventEmitter(),
      version: () => Promise.resolve("1.2.3"),
      nowMilliseconds: () => 0,
      exit: () => undefined,
    });
    return { code, stdout: stdout.text, stderr: stderr.text };
  }

  function startApp(): Promise<TestApp> {
    const read = readConfig(environment);
    if ("problems" in read) throw new Error(read.problems.join());
    return startAppOn(read.config);
  }

  it("are added with their organizations, and listed", async () => {
    const added = await quire(
      "user add Maria --name Lind --email m@example.org --organization Press --admin --password-stdin",
      `${password}\n`,
    );
    expect(added).toEqual({ code: 0, stdout: "Maria can sign in.\n", stderr: "" });
    expect((await quire("user add bob --organization Press --password-stdin", password)).code).toBe(0);
    expect((await quire("user list")).stdout).toMatch(
      /^\d+ {2}bob {4}bob {18}active {17}never signed in\n\d+ {2}Maria {2}Lind {2}m@example.org {2}active, administrator {2}never signed in\n$/,
    );
    expect((await quire("organization list")).stdout).toMatch(/^\d+ {2}Press {2}2 members\n$/);

    await using app = await startApp();
    expect(await signInStatus(app, "maria", password)).toBe(200);
    expect((await quire("user list")).stdout).toMatch(/ {2}signed in \d{4}-\d\d-\d\dT[\d:]{8}Z\n$/);
    const { reader } = app.context.database;
    const rows = await reader
      .selectFrom("users")
      .innerJoin("organization_members", "organization_members.user_id", "users.id")
      .innerJoin("organizations", "organizations.id", "organization_members.organization_id")
      .where("users.username", "=", "bob")
      .select([
        "users.uuid as user_uuid",
        "users.organization_id as active",
        "organizations.id",
        "organizations.uuid",
        "organizations.name",
        "organizations.individual",
        "organization_members.is_admin",
      ])
      .orderBy("organizations.name")
      .execute();
    const [press, own] = rows;
    expect(rows).toHaveLength(2);
    expect([press?.name, Boolean(press?.is_admin), press?.active]).toEqual(["Press", false, press?.id]);
    expect([own?.name, Boolean(own?.is_admin), Boolean(own?.individual)]).toEqual(["bob", true, true]);
    expect(own?.uuid).toBe(own?.user_uuid);
    expect(own?.uuid).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("can have the id by which records name a user, before and after the records are imported", async () => {
    const folder = environment["QUIRE_DATA"] ?? "";
    const file = path.join(folder, "records.ndjson");
    const people = { 5: "maria", 7: undefined, 9: "otto" };
    const records = Object.entries(people).map(([id, username]) => {
      const user = username === undefined ? Number(id) : { id: Number(id), username, name: username };
      return JSON.stringify({ id: Number(id), title: `Of ${id}`, access: "private", user, organization: 3 });
    });
    await writeFile(file, records.join("\n"));
    expect((await quire("user add maria --password-stdin", password)).code).toBe(0);
    expect((await quire("user add otto --id 9 --password-stdin", password)).code).toBe(0);
    const { stderr } = await quire(`import ${file}`);
    const account = Number((await quire("user list")).stdout.match(/^(\d+) {2}maria/m)?.[1]);
    expect(stderr).toContain(
      `user 5: the account maria has the id ${account} here, so it does not own the documents of user 5, ` +
        "who is called user-5. quire user add NAME --id 5 gives them an account",
    );
    expect(stderr).toContain("Added 1 user who has only an id and no account");
    expect(stderr).not.toContain("user 9");
    expect((await quire("user add maria.lind --id 5 --password-stdin", password)).code).toBe(0);
    expect((await quire("user add seven --id 7 --password-stdin", password)).code).toBe(0);
    expect((await quire(`import ${file}`)).stderr).not.toMatch(/user \d|Added/);
    for (const [line, reason] of [
      ["user add eight --id 7", "The user with the id 7 has an account already: seven"],
      ["user add otto --id 8", "There is a user otto already, with the id 9"],
      ["user add otto --id 8796093022208", "a whole number from 1 to 8796093022207"],
    ] as const) {
      expect((await quire(`${line} --password-stdin`, password)).stderr).toContain(reason);
    }
    expect((await quire("user add next --password-stdin", password)).code).toBe(0);
    await using app = await startApp();
    for (const [username, title] of [
      ["maria.lind", "Of 5"],
      ["seven", "Of 7"],
      ["otto", "Of 9"],
    ] as const) {
      const body = new URLSearchParams({ username, password });
      const { access } = (await (await app.fetch("/api/token/", { method: "POST", body })).json()) as {
        access: string;
      };
      const list = await app.fetch("/api/documents/", { headers: { authorization: `Bearer ${access}` } });
      const { results } = (await list.json()) as { results: { title: string }[] };
      expect([username, results.map((document) => document.title)]).toEqual([username, [title]]);
    }
  });

  it("join organizations and leave them", async () => {
    await quire("user add maria --organization Press --password-stdin", password);
    await quire("organization add Paper");
    const member = await quire("organization member Paper maria --admin");
    expect(member.stdout).toBe("maria is an admin of Paper.\n");
    expect((await quire("organization list")).stdout).toMatch(/Paper {2}1 member\n.*Press {2}1 member\n$/);
    const left = await quire("organization member Press maria --remove");
    expect(left.stdout).toBe("maria is no member of Press.\n");
    expect((await quire("organization member Press maria --remove")).code).toBe(1);
    const [paper = ""] = /^\d+(?= {2}Paper)/m.exec((await quire("organization list")).stdout) ?? [];
    expect(await quire(`organization member ${paper} maria`)).toMatchObject({
      code: 0,
      stdout: "maria is a member of Paper.\n",
    });
    // Names are searched before ids. A user's individual organization cannot be joined by others.
    await quire(`organization add ${paper}`);
    expect((await quire(`organization member ${paper} maria --remove`)).code).toBe(1);
    expect((await quire("organization member Paper maria --remove")).code).toBe(0);
    for (const id of Array.from({ length: 9 }, (_, index) => String(index + 1))) {
      const isListed = new RegExp(`^${id} `, "m").test((await quire("organization list")).stdout);
      expect([id, (await quire(`organization member ${id} maria`)).code]).toEqual([id, isListed ? 0 : 1]);
    }
    await using app = await startApp();
    const active = await app.context.database.reader
      .selectFrom("users")
      .innerJoin("organizations", "organizations.id", "users.organization_id")
      .select(["organizations.name", "organizations.individual"])
      .executeTakeFirstOrThrow();
    expect([active.name, Boolean(active.individual)]).toEqual(["maria", true]);
  });

  it("have personal tokens, shown once, until they are revoked", async () => {
    await quire("user add maria --password-stdin", password);
    const { stdout } = await quire("token add maria --name Nightly --read-only --expires-days 30");
    expect(stdout).toMatch(/^quire_[\w-]{40}\n$/);
    const token = stdout.trim();
    const listed = (await quire("token list maria")).stdout;
    expect(listed).toMatch(/^\d+ {2}quire_[\w-]{6} {2}Nightly {2}read {2}\d{4}-[\dT:-]+ {2}never used\n$/);
    expect(listed).not.toContain(token);
    await using app = await startApp();
    const status = async (): Promise<number> =>
      (await app.fetch("/api/documents/", { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await status()).toBe(200);
    expect((await quire(`token revoke ${token.slice(0, 12)}`)).stdout).toBe("1 token revoked.\n");
    expect(await status()).toBe(403);
  });

  it("begin with one administrator, even if two processes start at the same time", async () => {
    await using app = await startApp();
    await using other = await startApp();
    const links = await Promise.all([
      linkOfFirstAdministrator(app.context),
      linkOfFirstAdministrator(other.context),
    ]);
    expect(links.map((link) => link?.username)).toEqual(["admin", "admin"]);
    expect((await quire("user list")).stdout).toMatch(/^1 {2}admin {2}Administrator .*\n$/);
    expect(await setPasswordByLink(app.context, links[1]?.token ?? "", password)).not.toBeNull();
    expect(await signInStatus(app, "admin", password)).toBe(200);
    expect(await linkOfFirstAdministrator(app.context)).toBeNull();
  });

  // About the command line. Administrators' routes run the same statements on PostgreSQL.
  if (!isInFull(engine)) return;

  it("are refused with a reason, and leave nothing behind then", async () => {
    await quire("user add maria --email m@example.org --password-stdin", password);
    for (const [line, input, reason] of [
      ["user passwd maria", password, "Give the password on the standard input"],
      ["user add bob --password-stdin", "short", "A password has 10 to 1000 characters"],
      ["user add b/b --password-stdin", password, "b/b: a username has 1 to 150 letters"],
      ["user add MARIA --password-stdin", password, "There is a user maria already"],
      ["user add bob --email M@example.org --password-stdin", password, "with the email address"],
      ["user add bob --email nonsense --password-stdin", password, "nonsense: no email address"],
      ["user passwd bob --password-stdin", password, "There is no user bob with an account"],
      ["user disable bob", "", "There is no user bob with an account"],
      ["organization member Press maria", "", "There is no organization Press"],
      ["token add bob", "", "There is no user bob"],
      ["token revoke 77", "", "There is no token 77"],
    ] as const) {
      const { code, stderr } = await quire(line, input);
      expect([line, code]).toEqual([line, 1]);
      expect(stderr).toContain(reason);
    }
    expect((await quire("user list")).stdout).toMatch(
      /^\d+ {2}maria {2}maria {2}m@example.org {2}active {2}never signed in\n$/,
    );
    await quire("organization add Press");
    expect((await quire("organization add Press")).stderr).toContain(
      "There is an organization Press already",
    );
    expect((await quire("organization member Press bob")).stderr).toContain("There is no user bob");
  });

  it("can be added for a user that records name, who keeps their documents", async () => {
    {
      await using app = await startApp();
      const { database } = app.context;
      await database.write(async (writer) => {
        await addOwners(writer);
        await database.dialect.afterOwnIds("organizations")?.execute(writer);
      });
    }
    expect((await quire("user add User-1 --password-stdin", password)).code).toBe(0);
    await using app = await startApp();
    const { reader } = app.context.database;
    const user = await reader.selectFrom("users").selectAll().where("id", "=", 1).executeTakeFirstOrThrow();
    expect([user.username, user.name, user.password_hash === null]).toEqual(["user-1", "User 1", false]);
    const { individual } = await reader
      .selectFrom("organizations")
      .select("individual")
      .where("id", "=", user.organization_id ?? 0)
      .executeTakeFirstOrThrow();
    expect(Boolean(individual)).toBe(true);
    expect(await signInStatus(app, "user-1", password)).toBe(200);
  });

  it("have their passwords changed, are disabled and enabled", async () => {
    await quire("user add maria --password-stdin", password);
    expect((await quire("user passwd maria --password-stdin", "another long one")).code).toBe(0);
    await using app = await startApp();
    expect(await signInStatus(app, "maria", password)).toBe(401);
    expect(await signInStatus(app, "maria", "another long one")).toBe(200);
    expect((await quire("user disable maria")).stdout).toBe("maria is disabled.\n");
    expect((await quire("user list")).stdout).toContain("disabled");
    expect(await signInStatus(app, "maria", "another long one")).toBe(401);
    await quire("user enable maria");
    expect(await signInStatus(app, "maria", "another long one")).toBe(200);
  });

  it("belong to organizations with a picture, which the API shows", async () => {
    await quire("user add maria --organization Press --password-stdin", password);
    const address = "https://example.org/press.png";
    expect(await quire(`organization picture Press ${address}`)).toMatchObject({
      code: 0,
      stdout: `The picture of Press is ${address}\n`,
    });
    for (const line of [
      "organization picture Press javascript:alert(1)",
      "organization picture Press /press.png",
      `organization picture Press https://example.org/${"a".repeat(2000)}`,
      `organization picture Paper ${address}`,
      `organization picture maria ${address}`,
      `organization picture Press ${address} --remove`,
      "organization picture Press",
    ]) {
      expect([line, (await quire(line)).code]).toEqual([line, 1]);
    }
    const pictureOf = async (): Promise<unknown> => {
      await using app = await startApp();
      const body = new URLSearchParams({ username: "maria", password });
      const token = await app.fetch("/api/token/", { method: "POST", body });
      const { access } = (await token.json()) as { access: string };
      const headers = { authorization: `Bearer ${access}` };
      const list = await app.fetch("/api/organizations/?name=Press", { headers });
      const { results } = (await list.json()) as { results: { avatar_url: string }[] };
      return results.map(({ avatar_url }) => avatar_url);
    };
    expect(await pictureOf()).toEqual([address]);
    expect((await quire("organization picture Press --remove")).stdout).toBe("Press has no picture.\n");
    expect(await pictureOf()).toEqual([""]);
  });

  it("can be invited with a link, and get a link to reset their password", async () => {
    const invited = await quire("user add maria --email m@example.org");
    expect(invited.stdout).toMatch(
      /^With this link, maria can set a password, once, within a week:\nhttp:\/\/127.0.0.1:8000\/set-password\/\?token=[\w-]{32}\n$/,
    );
    await using app = await startApp();
    expect(await signInStatus(app, "maria", "unset")).toBe(401);
    const setPassword = (line: string, chosen: string) => {
      const token = /token=(\S+)/.exec(line)?.[1] ?? "";
      const body = new URLSearchParams({ token, password: chosen, repeated: chosen });
      return app.fetch("/set-password/", { method: "POST", body, redirect: "manual" });
    };
    expect((await setPassword(invited.stdout, password)).status).toBe(303);
    expect(await signInStatus(app, "maria", password)).toBe(200);
    const reset = await quire("user link maria");
    expect((await setPassword(reset.stdout, "another long one")).status).toBe(303);
    expect(await signInStatus(app, "maria", password)).toBe(401);
    expect(await signInStatus(app, "maria", "another long one")).toBe(200);
    const ended = await quire("user link maria");
    await quire("user disable maria");
    expect((await setPassword(ended.stdout, password)).status).toBe(404);
    await quire("user enable maria");
    expect((await setPassword(ended.stdout, password)).status).toBe(404);
    expect((await quire("user link nobody")).stderr).toContain("There is no user nobody with an account");
  });
});
