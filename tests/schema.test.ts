import { Readable } from "node:stream";
import { addRow } from "../src/database/rows.ts";
import { beforeAll, describe, expect, it } from "vitest";
import type { ApiOperation, OpenApiDocument } from "../src/http/schema/openapi-types.ts";
import { runFileKey } from "../src/resources/addons/run-files.ts";
import { addUser } from "../src/resources/users/add-user.ts";
import { addDocuments, addProject } from "../src/testing/factories.ts";
import { sessionIdOf } from "../src/resources/users/credentials/session-store.ts";
import { enqueue } from "../src/jobs/queue.ts";
import { measureJob } from "../src/resources/administration/measure-storage.ts";
import { queueMail } from "../src/resources/mails/mail-store.ts";
import { type Answer, answerFaults, answerOf, referred } from "../src/testing/published-answers.ts";
import { type Person, addPerson, beginSession } from "../src/testing/people.ts";
import { addMention, addProduction } from "../src/testing/production-rows.ts";
import { addAddonFolders } from "../src/testing/addon-folders.ts";
import { provider, times } from "../src/testing/request-things.ts";
import { selectionOn } from "../src/testing/runs.ts";
import { type TestApp, engines, everyRoute, startTestApp, useStarted } from "../src/testing/test-app.ts";

const credentials = { username: "mara", password: "correct horse battery staple" };

/** An application in which the number 1 names one of everything, as in the examples. */
/** Its answer ends after minutes: see events.test.ts. */
const endlessPath = "/api/events/stream/";

interface World extends AsyncDisposable {
  app: TestApp;
  /** A user who may do everything. */
  person: Person;
  /** Values of path parameters that are not numbers, by name. */
  named: Readonly<Record<string, string>>;
  /** Bodies sent in place of an example, by operation: passwords and tokens that the schema cannot contain. */
  secrets?: Readonly<Record<string, unknown>>;
}

const passwords = { current_password: "correct horse battery", password: "a lamp beside the harbour" };

async function openWorld(engine: (typeof engines)[number]): Promise<World> {
  const app = await startTestApp(engine, everyRoute);
  const { context } = app;
  await addAddonFolders(context);
  const first = { data: JSON.stringify({ topic: ["budget"] }), page_count: 2 };
  const ids = await addDocuments(context, [first, {}]);
  const project = await addProject(context, {}, ids);
  await addDocuments(context, [{}]);
  const person = await addPerson(context, {
    username: "administrator",
    organizations: [1],
    projects: { [project]: "admin" },
    isAdministrator: true,
    password: passwords.current_password,
  });
  const session = await beginSession(context, person);
  const colleague = await addPerson(context, {
    username: "colleague",
    projects: { [project]: "view" },
    password: "any",
  });
  const { database } = context;
  const administered = await database.write(async (writer) => {
    await database.dialect.afterOwnIds("organizations")?.execute(writer);
    await addMention(writer);
    await enqueue(writer, { kind: measureJob, subject: 0 });
    await queueMail(writer, { kind: "invitation", userId: colleague.id });
    await writer
      .insertInto("identity_providers")
      .values({ ...provider, ...times })
      .execute();
    const idOf = async (table: "jobs" | "mails"): Promise<string> =>
      String((await writer.selectFrom(table).select("id").orderBy("id").executeTakeFirstOrThrow()).id);
    return { jobs: await idOf("jobs"), mails: await idOf("mails") };
  });
  await addPerson(context, { username: "someone" });
  const [table = 0, mail = 0] = await addDocuments(context, [
    { original_extension: "csv", slug: "a" },
    { original_extension: "eml", slug: "a" },
  ]);
  await context.files.put(`documents/${table}/original/a.csv`, Readable.from([Buffer.from("a,b")]));
  await context.files.put(
    `documents/${mail}/original/a.eml`,
    Readable.from([Buffer.from("To: a@b.org\n\nA")]),
  );
  const uuid = await addBelongings(app, person);
  const sessions = await context.database.reader.selectFrom("sessions").select("digest").execute();
  return {
    app,
    // A session may do everything. A personal token cannot manage the account.
    person: { ...person, headers: session as unknown as Person["headers"] },
    secrets: {
      patchAccount: { email: "owner@press.example", current_password: passwords.current_password },
      postAccountPassword: passwords,
      postAdminOrganizationsByIdMembers: { user: colleague.id, is_admin: true },
    },
    named: {
      key: "topic",
      path: "a-document.pdf",
      size: "max",
      user: String(colleague.id),
      entity: "2",
      uuid,
      table: String(table),
      mail: String(mail),
      ...administered,
      session: sessionIdOf(sessions[0] ?? { digest: "" }),
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

/**
 * Adds a note and a section on the first page of the first document, two entities, the second one in that document, a
 * webhook that is off with a delivery, a hold, a retention rule with a proposal, and a saved search. Returns the search's uuid.
 */
async function addBelongings(app: TestApp, person: Person): Promise<string> {
  const send = async (target: string, value: object): Promise<{ uuid: string }> => {
    const headers = { ...person.headers, "content-type": "application/json" };
    const answer = await app.fetch(target, { method: "POST", headers, body: JSON.stringify(value) });
    expect(answer.status).toBe(201);
    return (await answer.json()) as { uuid: string };
  };
  await send("/api/documents/1/notes/", { title: "A note", page_number: 0 });
  await send("/api/documents/1/sections/", { title: "A section", page_number: 0 });
  for (const wikidata_id of ["Q1", "Q2"]) await send("/api/entities/", { wikidata_id });
  await send("/api/documents/1/entities/", { entity: 2 });
  await send("/api/guest_links/", { document: 1 });
  await send("/api/webhooks/", { url: "https://hooks.example.org/", enabled: false });
  await app.context.database.write((writer) =>
    writer
      .insertInto("webhook_deliveries")
      .values({
        webhook_id: 1,
        event_id: 1,
        happened_at: "2025-01-31T12:00:00.000000Z",
        type: "document.created",
        document_id: 1,
        project_id: null,
        object_id: null,
        seen_by: null,
        subject: "document 1",
        state: "delivered",
        attempts: 1,
        due_at: "2025-01-31T12:00:00.000000Z",
        created_at: "2025-01-31T12:00:00.000000Z",
      })
      .execute(),
  );
  const moment = "2025-01-31T12:00:00.000000Z";
  const run = { name: "A folder", version: "1", started_at: moment, updated_at: moment };
  await app.context.database.write((writer) =>
    writer
      .insertInto("imports")
      .values({ kind: "upload", user_id: person.id, ...run })
      .execute(),
  );
  await app.context.database.write((writer) => addProduction(writer, { user: person.id, document: 1 }));
  await app.context.database.write((writer) =>
    writer
      .insertInto("addons")
      .values({
        name: "An add-on",
        repository: "owner/addon",
        access: "public",
        description: "",
        categories: "",
        parameters: "{}",
        is_default: false,
        is_featured: false,
        is_removed: false,
        ...times,
      })
      .execute(),
  );
  await send("/api/addon_events/", { addon: 1, event: 1 });
  await send("/api/addon_runs/", { addon: 1, parameters: {} });
  await app.context.database.write(async (writer) => {
    const made = { user_id: person.id, created_at: "2025-01-31T12:00:00.000000Z" };
    const rule = { name: "A rule", query: "id:0", period: 1, unit: "years", starts: "created_at" } as const;
    await writer
      .insertInto("holds")
      .values({ name: "A hold", reason: "", organization_id: 1, query: "id:0", ...made })
      .execute();
    const { id: rule_id } = await addRow(writer, "retention_rules", { ...rule, ...made });
    const proposal = { due_at: made.created_at, proposed_at: made.created_at, state: "proposed" } as const;
    await writer
      .insertInto("dispositions")
      .values({ document_id: 1, rule_id, ...proposal })
      .execute();
  });
  const { uuid } = await send("/api/documents/search/saved/", { name: "A search", query: "budget" });
  // Their addresses take a uuid too.
  await app.context.database.write(async (writer) => {
    for (const table of ["guest_links", "addon_runs"] as const)
      await writer.updateTable(table).set({ uuid }).execute();
  });
  return uuid;
}

async function worldWithFile(engine: (typeof engines)[number], isBusy: boolean): Promise<World> {
  const world = await openWorld(engine);
  const { database, files } = world.app.context;
  const file = new URL(import.meta.url).pathname;
  await files.put("documents/1/a-document.pdf", file);
  await files.put(runFileKey(world.named["uuid"] ?? "", "a.csv"), file);
  const named = { file_name: "a.csv", file_expires_at: "2999-01-31T12:00:00.000000Z" };
  await database.write((writer) => writer.updateTable("addon_runs").set(named).execute());
  if (isBusy) {
    await database.write((writer) =>
      writer
        .updateTable("documents")
        .set({ status: "pending", user_id: world.person.id })
        .where("id", "=", 1)
        .execute(),
    );
  }
  return world;
}

/** A world in which an operation can succeed. */
async function worldFor(engine: (typeof engines)[number], operation: string): Promise<World> {
  if (operation.startsWith("getFiles")) return worldWithFile(engine, false);
  if (operation.endsWith("Process")) return worldWithFile(engine, operation.startsWith("delete"));
  if (operation.includes("Trash")) return worldWithTrash(engine);
  if (!hasWorldWithSecrets(operation)) return openWorld(engine);
  const app = await startTestApp(engine);
  const nobody = { name: null, email: null, organization: null, isAdministrator: false };
  await addUser(app.context, { ...credentials, ...nobody });
  const person = { id: 1, username: credentials.username, headers: {} as Person["headers"] };
  const tokens = await app.fetch("/api/token/", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(credentials),
  });
  const { refresh } = (await tokens.json()) as { refresh: string };
  const secrets = { postToken: credentials, postRefresh: { refresh } };
  return { app, person, named: {}, secrets, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

const isRemoval = ({ method }: Documented): boolean => method === "DELETE";

/** Examples of the same kind of world are sent to the same ones. */
function kindOfWorld(operation: string, type: string): string {
  if (operation.startsWith("getFiles")) return "file";
  if (operation.endsWith("Process")) return operation.startsWith("delete") ? "busy" : "file";
  if (/^(?:delete|post).*Trash/.test(operation)) return "trash";
  return hasWorldWithSecrets(operation) ? "secrets" : type;
}

const hasWorldWithSecrets = (operation: string): boolean =>
  operation === "postToken" || operation === "postRefresh";

/** Nothing can be sent to their world afterwards. */
const endsSession = /^(?:postAccountPassword|deleteAccountSessions)/;

/** Document 1 is deleted. */
async function worldWithTrash(engine: (typeof engines)[number]): Promise<World> {
  const world = await openWorld(engine);
  await world.app.fetch("/api/documents/1/", { method: "DELETE", headers: world.person.headers });
  return world;
}

interface Documented {
  name: string;
  path: string;
  method: string;
  operation: ApiOperation;
}

function operationsOf({ paths }: OpenApiDocument): Documented[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: operation.operationId,
      path,
      method: method.toUpperCase(),
      operation,
    })),
  );
}

/** The paths of everything that `$ref` points at. */
function references(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === "$ref" && typeof inner === "string" ? [inner] : references(inner),
  );
}

const typesOfSchema = new Set(["string", "integer", "number", "boolean", "array", "object", "null"]);

/** The errors in a JSON Schema (2020-12), each with its position. */
function schemaFaults(schema: unknown, location: string): string[] {
  if (typeof schema === "boolean") return [];
  if (typeof schema !== "object" || schema === null || Array.isArray(schema))
    return [`${location} is no schema`];
  const { type, properties, items, anyOf, oneOf, required } = schema as Record<string, unknown>;
  const types = type === undefined ? [] : [type].flat();
  return [
    ...(types.every((one) => typesOfSchema.has(one as string)) ? [] : [`${location}: type`]),
    ...Object.entries(properties ?? {}).flatMap(([name, inner]) =>
      schemaFaults(inner, `${location}.${name}`),
    ),
    ...(items === undefined ? [] : schemaFaults(items, `${location}[]`)),
    ...([anyOf ?? [], oneOf ?? []] as unknown[][])
      .flat()
      .flatMap((inner, index) => schemaFaults(inner, `${location}|${index}`)),
    ...(required === undefined || Array.isArray(required) ? [] : [`${location}: required`]),
  ];
}

/** Sends an operation's example as it is documented; the status of the answer. */
async function sendExample(
  { app, person, named, secrets }: World,
  { path, method, operation }: Documented,
  mediaType: string | null,
  besides: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const wanted = operation.parameters
    .filter((one) => one.in === "query" && (one.required || one.example !== undefined))
    .map(({ name, example }): [string, string] => [
      name,
      name === "url" ? `${app.url}/documents/${named["id"] ?? "1"}/` : String(example ?? "1"),
    ]);
  const query = new URLSearchParams([...wanted, ...Object.entries(besides)]).toString();
  // Users can be changed only by themselves.
  const itself = path.startsWith("/api/users/") ? String(person.id) : undefined;
  const [, administered = ""] = /^\/api\/admin\/(users|jobs|mails)\//.exec(path) ?? [];
  const id =
    itself ??
    named[administered === "users" ? "user" : administered] ??
    named[/\/(table|mail)\/$/.exec(path)?.[1] ?? ""];
  const own: Record<string, string> = {
    ...(id !== undefined && { id }),
    ...(path.startsWith("/api/admin/organizations/") && { user: String(person.id) }),
  };
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => own[name] ?? named[name] ?? "1");
  const answer = await app.fetch(`${target}${query === "" ? "" : `?${query}`}`, {
    method,
    redirect: "manual",
    ...bodyOf(operation, mediaType, person, secrets?.[operation.operationId]),
  });
  return answerOf(answer);
}

function bodyOf(
  { requestBody }: ApiOperation,
  mediaType: string | null,
  { headers }: Person,
  secret: unknown,
): RequestInit {
  if (mediaType === null) return { headers };
  const example = secret ?? requestBody?.content[mediaType]?.example;
  if (mediaType === "application/json") {
    return { headers: { ...headers, "content-type": mediaType }, body: JSON.stringify(example) };
  }
  const form = mediaType === "multipart/form-data" ? new FormData() : new URLSearchParams();
  for (const [name, value] of Object.entries(example as object)) {
    if (name === "file" && form instanceof FormData) {
      form.append(name, new Blob([String(value)]), "example.pdf");
      continue;
    }
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (one !== null) form.append(name, typeof one === "object" ? JSON.stringify(one) : String(one));
    }
  }
  return { headers, body: form };
}

/** Tells whether a status is documented and means success; a refusal, of an operation that never succeeds. */
function expected({ responses }: ApiOperation): (status: number) => boolean {
  const statuses = Object.keys(responses);
  const successes = statuses.filter((status) => /^[23]/.test(status));
  const good = new Set(successes.length > 0 ? successes : statuses);
  return (status) => good.has(String(status)) || (good.has("2XX") && status >= 200 && status < 300);
}

describe.each(engines)("the published schema on %s", (engine) => {
  const world = useStarted(() => openWorld(engine));
  let document: OpenApiDocument;
  beforeAll(async () => {
    document = (await (await world.app.fetch("/api/schema/")).json()) as OpenApiDocument;
  });

  it("is an OpenAPI 3.1 document of this service", () => {
    expect(document.openapi).toBe("3.1.0");
    expect(document.info).toMatchObject({ title: "Quire", version: expect.stringMatching(/./) });
    expect(document.servers).toEqual([{ url: world.app.url }]);
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(["/api/", "/api/documents/", "/api/documents/{id}/", "/api/schema/", "/livez"]),
    );
    expect(Object.keys(document.paths)).not.toContain("/");
  });

  it("has no dangling references", () => {
    for (const reference of references(document)) {
      expect([reference, referred(document, reference)]).not.toEqual([reference, undefined]);
    }
    const operations = operationsOf(document);
    const names = operations.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const tags = document.tags.map(({ name }) => name);
    for (const { path, operation } of operations) {
      const declared = operation.parameters.filter((one) => one.in === "path");
      const named = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
      expect(declared.map(({ name }) => name)).toEqual(named);
      expect(declared.every(({ required }) => required)).toBe(true);
      expect(Object.keys(operation.responses).length).toBeGreaterThan(0);
      for (const [status, response] of Object.entries(operation.responses)) {
        expect(status).toMatch(/^([1-5]\d\d|[1-5]XX|default)$/);
        expect("$ref" in response || typeof response.description === "string").toBe(true);
      }
      for (const tag of operation.tags) expect(tags).toContain(tag);
      for (const scheme of operation.security.flatMap((one) => Object.keys(one))) {
        expect(document.components["securitySchemes"]).toHaveProperty(scheme);
      }
      const schemas = [
        ...operation.parameters.map(({ schema }) => schema),
        ...Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema),
        ...Object.values(operation.responses).flatMap(({ content = {} }) =>
          Object.values(content).map(({ schema }) => schema),
        ),
      ];
      expect(schemas.flatMap((schema) => schemaFaults(schema, operation.operationId))).toEqual([]);
    }
    const bodies = Object.entries(document.components["schemas"] ?? {});
    expect(bodies.flatMap(([name, schema]) => schemaFaults(schema, name))).toEqual([]);
  });

  it("has every method of every path, and describes its body", async () => {
    for (const [path, item] of Object.entries(document.paths)) {
      if (!path.startsWith("/api/")) continue;
      const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => world.named[name] ?? "1");
      const answer = await world.app.fetch(target, { method: "OPTIONS", headers: world.person.headers });
      const allowed = (answer.headers.get("allow") ?? "").split(", ");
      const documented = Object.keys(item).map((method) => method.toUpperCase());
      expect([path, ...documented].toSorted()).toEqual(
        [path, ...allowed.filter((one) => one !== "HEAD" && one !== "OPTIONS")].toSorted(),
      );
      const { get: _get, delete: _delete, ...sending } = item;
      const bodiless = Object.keys(sending).filter((method) => item[method]?.requestBody === undefined);
      expect([path, bodiless]).toEqual([path, []]);
    }
  });

  it("has examples that are accepted as they stand", async () => {
    const refused: unknown[] = [];
    let sent = 0;
    await using opened = new AsyncDisposableStack();
    const worlds = new Map<string, World[]>();
    // A request that creates something is often refused the second time. So each media type has its own world, and an
    // example that an earlier one prevents goes to the next world.
    const send = async (documented: Documented, type: string | null): Promise<Answer> => {
      const { name, operation } = documented;
      const kind = kindOfWorld(name, type ?? "application/json");
      const known = worlds.get(kind) ?? [];
      for (const one of endsSession.test(name) ? [] : known) {
        const answer = await sendExample(one, documented, type);
        if (expected(operation)(answer.status)) return answer;
      }
      const own = opened.use(await worldFor(engine, name));
      if (!endsSession.test(name)) worlds.set(kind, [...known, own]);
      return sendExample(own, documented, type);
    };
    const operations = selectionOn(engine, operationsOf(document), 6);
    // Objects within a document or a project are deleted before it.
    const removals = operations.filter(isRemoval).toReversed();
    for (const documented of [...operations.filter((one) => !isRemoval(one)), ...removals]) {
      const { name, operation, path } = documented;
      // Bytes have addresses and headers of their own: see published-uploads.test.ts.
      if (path.startsWith("/uploads/")) continue;
      if (path === endlessPath) continue;
      // These need a document with a PDF: see redact-document.test.ts and modify-document.test.ts.
      if (/\/(?:redactions|redacted_copies|modifications)\//.test(path)) continue;
      for (const mediaType of Object.keys(operation.requestBody?.content ?? { none: null })) {
        const type = mediaType === "none" ? null : mediaType;
        const result = await send(documented, type);
        const { status, answer } = result;
        sent++;
        if (!expected(operation)(status)) refused.push([name, type, status, answer.slice(0, 300)]);
        else refused.push(...answerFaults(document, operation, result));
      }
    }
    expect(refused).toEqual([]);
    expect(sent).toBeGreaterThan(8);
  });

  it("describes expanded answers and refusals correctly", async () => {
    const faults: unknown[] = [];
    let expanded = 0;
    for (const documented of operationsOf(document)) {
      const { operation, method, path } = documented;
      if (method !== "GET" || !path.startsWith("/api/")) continue;
      const isExpanding = operation.parameters.some(({ name }) => name === "expand");
      const everything = { expand: path.endsWith("/search/") ? "user,organization,projects" : "~all" };
      const ways: Readonly<Record<string, string>>[] = isExpanding
        ? [everything, { expand: "user.organization,organization,projects,entity.user,document.user" }]
        : [];
      for (const way of ways) {
        const answer = await sendExample(world, documented, null, way);
        expect([path, answer.status]).toEqual([path, 200]);
        faults.push(...answerFaults(document, operation, answer));
        expanded++;
      }
      const nowhere = { ...world, named: { id: "999999", uuid: "1" } };
      if (path !== endlessPath)
        faults.push(...answerFaults(document, operation, await sendExample(nowhere, documented, null)));
      const narrowed = operation.parameters.filter(
        ({ name, in: location }) => location === "query" && name !== "fields" && name !== "omit",
      );
      const wrong = Object.fromEntries(narrowed.map(({ name }) => [name, "?"]));
      faults.push(...answerFaults(document, operation, await sendExample(world, documented, null, wrong)));
    }
    expect(faults).toEqual([]);
    expect(expanded).toBeGreaterThan(15);
  });

  it("defines each record once, for types in every language", () => {
    const records = [
      "Document",
      "Note",
      "Section",
      "Project",
      "User",
      "Organization",
      "Entity",
      "SavedSearch",
    ];
    const uses = references(document.paths).concat(references(document.components));
    for (const name of records) expect(uses).toContain(`#/components/schemas/${name}`);
    for (const { name, operation } of operationsOf(document)) {
      const numbers = operation.parameters.filter(({ name: parameter }) =>
        /^(?:id|per_page|page_number)$/.test(parameter),
      );
      expect([name, numbers.filter(({ schema }) => schema["type"] !== "integer")]).toEqual([name, []]);
      const refusals = Object.entries(operation.responses).filter(([status]) => !/^[23]/.test(status));
      const types = refusals.flatMap(([, { content = {} }]) => Object.keys(content));
      expect([name, types.filter((type) => type !== "application/json")]).toEqual([name, []]);
    }
    expect(document.paths["/api/documents/"]?.["post"]?.description).not.toBe(
      document.paths["/api/documents/"]?.["get"]?.description,
    );
  });

  it("has a page for people, and is shown like every other answer", async () => {
    const page = await world.app.fetch("/api/schema/docs/");
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const markup = await page.text();
    for (const { name, path } of operationsOf(document)) {
      expect(markup).toContain(`id="${name}"`);
      expect(markup).toContain(path);
    }
    const links = Array.from(markup.matchAll(/href="#([^"]+)"/g), ([, id]) => id);
    expect(links.filter((id) => !markup.includes(`id="${id}"`))).toEqual([]);
    expect(links).toContain("record-Document");
    expect(markup).not.toMatch(/<script (?!type="module" src="\/static\/)|<link[^>]*href="http/);
    const browsable = await world.app.fetch("/api/schema/?format=api");
    expect(await browsable.text()).toContain("<title>Schema – Quire</title>");
  });
});
