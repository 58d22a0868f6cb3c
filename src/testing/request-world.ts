import { Readable } from "node:stream";
import { sql } from "kysely";
import type { Writer } from "../database/database.ts";
import type { Tables } from "../database/tables.ts";
import { hasIdentity } from "../database/transfer/snapshot.ts";
import { copiedTables } from "../database/transfer/tables.ts";
import { documentFileKey } from "../files/keys.ts";
import { addApiToken } from "../resources/users/credentials/api-token-store.ts";
import { Passwords } from "../secrets/passwords.ts";
import { plainFetch } from "./ask.ts";
import { addDocuments } from "./factories.ts";
import { addPerson, beginSession, cheapPasswords } from "./people.ts";
import { processorTimer } from "./processor-time.ts";
import type { PublishedOperation, WrittenOperation } from "./published.ts";
import { isRefusal } from "./refusals.ts";
import { addThings, fitting, search, times } from "./request-things.ts";
import { dumpOf } from "./state.ts";
import { addAddonFolders } from "./addon-folders.ts";
import { type TestApp, type TestEngine, everyRoute, startTestApp } from "./test-app.ts";

/** The credentials of a request: all but nobody's and the program's are a browser's, with the CSRF token. */
export const senders = ["owner", "administrator", "stranger", "nobody", "program of owner"] as const;
export type Sender = (typeof senders)[number];

/** A limit for requests whose time grows with their input. A request that is fine takes less than a second. */
const patienceMilliseconds = 5000;

/** The example of a text in the published document is the owner's password. */
const password = "An example";

/** Parameters of addresses that are not 1, the id of everything that there is one of. */
const parameters: Readonly<Record<string, string>> = {
  uuid: search,
  key: "topic",
  session: "x",
  upload: "x",
};

/** Rows that refused requests may write, how often a password was tried, and those that say who has read what. */
const counted: ReadonlySet<keyof Tables> = new Set(["sign_in_attempts", "sign_in_events", "audit_exports"]);
/** The history of what was deleted stays, so only its end is compared. */
const histories = ["document_history", "membership_history", "administration_history"] as const;
const compared = copiedTables
  .map(({ name }) => name)
  .filter((name) => !counted.has(name) && !histories.some((history) => history === name));
/** The tables of people, whose rows are stored again as they were. */
const ofPeople = [
  "organization_members",
  "sessions",
  "password_links",
  "refresh_tokens",
  "api_tokens",
] as const;
/** All others but the histories, each before those that its rows refer to. */
const ofThings = compared
  .filter((name) => !["organizations", "users", "account_history", ...ofPeople].includes(name))
  .toReversed();
type Row = Record<string, unknown>;

interface ForeignKey {
  parent: keyof Tables;
  on_delete: string;
  is_nullable: number | boolean;
}

/** The tables of things that have to be emptied: the rows of all others go with those that they belong to. */
async function emptiedTables({ context }: TestApp): Promise<(keyof Tables)[]> {
  const { dialect, reader } = context.database;
  const emptied: (keyof Tables)[] = [];
  for (const table of ofThings) {
    const { rows } = await dialect.foreignKeys(table).execute(reader);
    const keys = (rows as ForeignKey[]).filter(({ parent }) => ofThings.includes(parent));
    const goes = keys.every((key) => key.on_delete === "cascade") && keys.some((key) => !key.is_nullable);
    if (!goes) emptied.push(table);
  }
  return emptied;
}

/**
 * One of everything that addresses can name, with the id 1: the owner, a project, a document with a note and so on. The
 * examples of the published document are accepted in it. After a request that changed something it is made again.
 */
export class RequestWorld implements AsyncDisposable {
  readonly app: TestApp;
  readonly #headers: Readonly<Record<Sender, Record<string, string>>>;
  readonly #people: ReadonlyMap<string, Row[]>;
  readonly #fitting: typeof fitting;
  #emptied: readonly (keyof Tables)[] = [];
  #before = "";
  #history = "";
  #version: string | number = "";

  static async open(engine: TestEngine): Promise<RequestWorld> {
    const app = await startTestApp(engine, everyRoute);
    const { database, files } = app.context;
    await addAddonFolders(app.context);
    await addDocuments(app.context, []);
    const passwordHash = await new Passwords(cheapPasswords).hash(password);
    const token = await database.write(async (writer) => {
      for (const [id, username, email] of [
        [1, "owner", "owner@example.org"],
        [2, "stranger", "someone@example.org"],
      ] as const) {
        const account = { username, email, password_hash: passwordHash, organization_id: id };
        await writer.updateTable("users").set(account).where("id", "=", id).execute();
      }
      for (const [user_id, organization_id] of [
        [1, 1],
        [1, 2],
        [2, 2],
      ] as const) {
        const member = { user_id, organization_id, is_admin: false };
        await writer.insertInto("organization_members").values(member).execute();
      }
      await writer
        .insertInto("organizations")
        .values({ id: 3, name: "Harbour Press", slug: "harbour-press", individual: false, ...times })
        .execute();
      await database.dialect.afterOwnIds("organizations")?.execute(writer);
      return (await addApiToken(writer, 1, { name: "a program", mayWrite: true, expiresAt: null })).token;
    });
    const administrator = await addPerson(app.context, { username: "administrator", isAdministrator: true });
    const sessionOf = async (id: number) => ({ ...(await beginSession(app.context, { id })) });
    for (const id of [1, 2, 3]) {
      const key = documentFileKey(id, "a-document", "pdf");
      await files.put(key, Readable.from([Buffer.from("%PDF-")]));
    }
    const headers = {
      nobody: {},
      owner: await sessionOf(1),
      stranger: await sessionOf(2),
      administrator: await sessionOf(administrator.id),
      "program of owner": { authorization: `Bearer ${token}` },
    };
    const { refresh } = (await (
      await app.fetch("/api/token/", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ username: "owner", password }),
      })
    ).json()) as { refresh: string };
    const people = new Map<string, Row[]>();
    for (const table of ["organizations", "users", ...ofPeople] as const) {
      const { rows } = await sql<Row>`select * from ${sql.table(table)}`.execute(database.reader);
      people.set(table, rows);
    }
    const world = new RequestWorld(app, headers, people, refresh);
    world.#emptied = await emptiedTables(app);
    await world.makeAgain();
    for (const { name } of copiedTables.filter(hasIdentity))
      await database.write(async (writer) =>
        database.dialect.afterOwnIds(name as "documents")?.execute(writer),
      );
    world.#version = await database.version();
    world.#before = await world.#state();
    return world;
  }

  private constructor(
    app: TestApp,
    headers: Readonly<Record<Sender, Record<string, string>>>,
    people: ReadonlyMap<string, Row[]>,
    refresh: string,
  ) {
    this.app = app;
    this.#headers = headers;
    this.#people = people;
    this.#fitting = { ...fitting, "POST /api/refresh/": { refresh } };
  }

  /** The sender who may do most at an address. */
  static senderFor({ path }: Pick<PublishedOperation, "path">): Sender {
    return /^\/api\/(?:admin|holds|statistics)\//.test(path) ? "administrator" : "owner";
  }

  /** The address of an operation, about what is there. */
  static targetOf({ path }: Pick<PublishedOperation, "path">): string {
    return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? "1");
  }

  /** The operation with an example that is accepted in this world. */
  fitted(operation: WrittenOperation): WrittenOperation {
    const { method, path, example } = operation;
    return { ...operation, example: { ...example, ...this.#fitting[`${method} ${path}`] } };
  }

  /** Restores everything, or all but people and organizations. */
  async makeAgain({ withPeople = true }: { withPeople?: boolean } = {}): Promise<void> {
    const { database } = this.app.context;
    await database.write(async (writer) => {
      for (const table of this.#emptied) await writer.deleteFrom(table).execute();
      if (withPeople) await this.#restorePeople(writer);
      await addThings(writer);
    });
    this.#history = await this.#lastOfHistory();
    this.#version = await database.version();
  }

  async #restorePeople(writer: Writer): Promise<void> {
    for (const table of [...ofPeople, "known_networks", "sign_in_attempts"] as const)
      await writer.deleteFrom(table).execute();
    for (const table of ["users", "organizations"] as const) {
      const rows = this.#people.get(table) ?? [];
      const ids = rows.map(({ id }) => Number(id));
      await writer.deleteFrom(table).where("id", "not in", ids).execute();
      for (const { id, ...row } of rows)
        await writer.updateTable(table).set(row).where("id", "=", Number(id)).execute();
    }
    for (const table of ofPeople) {
      const rows = this.#people.get(table) ?? [];
      if (rows.length > 0)
        await writer
          .insertInto(table)
          .values(rows as never)
          .execute();
    }
  }

  /** Sends a request and describes what is wrong with the answer, if anything. */
  async judge(sender: Sender, method: string, target: string, init: RequestInit): Promise<string> {
    const spent = processorTimer();
    const { body, headers: own = {} } = init;
    // What is sent at once cannot be refused while it is being sent.
    const isPlain =
      body === undefined || ((typeof body === "string" || Buffer.isBuffer(body)) && body.length < 10_000);
    const headers = { ...this.#headers[sender], ...(own as Record<string, string>) };
    const answer = await (isPlain
      ? plainFetch(`${this.app.url}${target}`, { method, headers, body })
      : this.send(sender, method, target, init));
    // A stream ends after minutes.
    const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (isStream) await answer.body?.cancel();
    const said = isStream ? "" : await answer.text();
    const took = spent();
    if (took > patienceMilliseconds) return `took ${took} ms of processor time`;
    // oEmbed has 501 for a format that is not offered.
    if (answer.status >= 500 && answer.status !== 501) return `${answer.status}: ${said}`;
    if (answer.status < 300) {
      const hasChanged = (await this.app.context.database.version()) !== this.#version;
      if (hasChanged)
        await this.makeAgain({ withPeople: /^\/api\/(account|admin|refresh|token|users)\//.test(target) });
      return "fine";
    }
    // Otherwise all later attempts would be refused for that.
    if (answer.status === 429) await this.makeAgain();
    if (!isRefusal(said)) return `${answer.status}: ${said.slice(0, 500)}`;
    if (!(await this.isUnchanged())) return `${answer.status}, but something changed: ${said.slice(0, 500)}`;
    return "fine";
  }

  judgeJson(sender: Sender, { method, path }: WrittenOperation, body: string): Promise<string> {
    const headers = { "content-type": "application/json" };
    const target = RequestWorld.targetOf({ path });
    return this.judge(sender, method, target, { body, headers });
  }

  send(sender: Sender, method: string, target: string, init: RequestInit): Promise<Response> {
    const headers = { ...this.#headers[sender], ...(init.headers as Record<string, string> | undefined) };
    return this.app.fetch(target, { method, redirect: "manual", ...init, headers });
  }

  /** Whether requests have changed nothing. If the version is the same, the tables need not be compared. */
  async isUnchanged(): Promise<boolean> {
    const version = await this.app.context.database.version();
    if (version === this.#version) return true;
    if ((await this.#lastOfHistory()) !== this.#history || (await this.#state()) !== this.#before)
      return false;
    this.#version = version;
    return true;
  }

  async #state(): Promise<string> {
    return (await dumpOf(this.app, compared)).replaceAll(/"revision": ?"?\d+"?/g, '"revision":0');
  }

  async #lastOfHistory(): Promise<string> {
    const { reader } = this.app.context.database;
    const lasts = histories.map(async (table) =>
      reader
        .selectFrom(table)
        .select(({ fn }) => fn.max("id").as("last"))
        .executeTakeFirstOrThrow(),
    );
    return JSON.stringify(await Promise.all(lasts));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app[Symbol.asyncDispose]();
  }
}
