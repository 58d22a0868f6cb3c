import { sql } from "kysely";
import { addRow } from "../src/database/rows.ts";
import { describe, expect, it } from "vitest";
import { guestCookie } from "../src/resources/guests/guest-viewer.ts";
import { digestOf } from "../src/secrets/digest.ts";
import { addDocuments, addProject } from "../src/testing/factories.ts";
import { addProduction } from "../src/testing/production-rows.ts";
import { estimateDocuments } from "../src/testing/estimates.ts";
import { type NewPerson, type Person, addPerson, beginSession } from "../src/testing/people.ts";
import { formatted, phrasesOf, statementsOf } from "../src/testing/statements.ts";
import { putFingerprint } from "../src/resources/documents/pages/fingerprint-store.ts";
import { addTexts } from "../src/testing/read-documents.ts";
import { type TestApp, engines, everyRoute, startTestApp } from "../src/testing/test-app.ts";
import { otherRequests, savedSearches } from "./statements/other-requests.ts";
import {
  type Asked,
  type ViewerName,
  documentRequests,
  filteredRequests,
  manyOrganizations,
  searchRequests,
} from "./statements/requests.ts";

/** The headers of each viewer's requests. */
type Viewers = Record<ViewerName, Record<string, string>>;

const timestamp = "2025-01-31T12:00:00.000000Z";
const readOrganization = 3;

/** A few documents, with what belongs to them, and a viewer of each kind. */
async function fill({ context }: TestApp): Promise<Viewers> {
  const { database } = context;
  const titles = ["a", "b", "c", "harbour", "port harbour", "of another owner"];
  const ids = await addDocuments(
    context,
    titles.map((title, index) => ({
      title,
      source: title,
      slug: "a",
      access: index === 4 ? "organization" : "public",
      user_id: index === 5 ? 2 : 1,
      organization_id: index === 5 ? 2 : 1,
      page_count: (index + 2) % 3,
      file_hash: "a".repeat(40),
      data: JSON.stringify(index === 0 ? {} : { k: [title, "z"], ...(index === 1 && { path: ["a/b"] }) }),
    })),
  );
  const recognised = { engine: null, confidence: null, layer: "", words: [] };
  await addTexts(context, 1, [{ text: "harbour", recognised }, "the port"]);
  const fingerprint = { words: 30, hashes: Buffer.alloc(256).toString("base64") };
  await database.write((writer) => putFingerprint(writer, 1, fingerprint));
  const shared = await addProject(context, { title: "a" }, ids);
  await addProject(context, {}, ids);
  await addProject(context, { private: true }, ids);
  await database.write(async (writer) => {
    for (const id of [readOrganization, ...manyOrganizations]) {
      const names = { name: `${id}`, slug: `${id}`, individual: false };
      await writer
        .insertInto("organizations")
        .values({ id, ...names, created_at: timestamp, updated_at: timestamp })
        .execute();
    }
    const entity = {
      user_id: null,
      wikidata_id: "Q1",
      name: "a",
      description: "",
      wikipedia_url: "",
      metadata: "{}",
    };
    const { id: entity_id } = await addRow(writer, "entities", {
      ...entity,
      created_at: timestamp,
      updated_at: timestamp,
    });
    const [document_id = 0, parent_id = 0, child_id = 0] = ids;
    const part = { child_id, parent_id, root_id: parent_id, position: 0, depth: 1, path: "a/c", bytes: 1 };
    await writer
      .insertInto("document_children")
      .values({ ...part, taken_from: "zip" })
      .execute();
    await addRow(writer, "entity_occurrences", { document_id, entity_id, relevance: 0, occurrences: "[]" });
  });
  const person = async (name: ViewerName, groups: Partial<NewPerson>): Promise<Person> =>
    addPerson(context, { username: name.replaceAll(" ", "-"), ...groups });
  const sessionOf = async (name: ViewerName, groups: Partial<NewPerson>) => ({
    ...(await beginSession(context, await person(name, groups))),
  });
  const viewers = {
    anonymous: {},
    user: await sessionOf("user", {}),
    collaborator: (await person("collaborator", { projects: { [shared]: "edit" } })).headers,
    administrator: await sessionOf("administrator", { organizations: [1], isAdministrator: true }),
    "member of many": await sessionOf("member of many", { organizations: manyOrganizations }),
    "reader of many": await sessionOf("reader of many", { organizations: [readOrganization] }),
    guest: { cookie: `${guestCookie}=guest` },
  };
  const { id: user_id } = await database.reader
    .selectFrom("users")
    .select("id")
    .where("username", "=", "administrator")
    .executeTakeFirstOrThrow();
  const hook = { name: "", url: "https://hooks.example.org/", types: "[]", secret: "", is_enabled: false };
  const times = { created_at: timestamp, updated_at: timestamp };
  await database.write((writer) =>
    writer
      .insertInto("webhooks")
      .values({ ...hook, ...times, user_id, transaction_id: null, event_id: null })
      .execute(),
  );
  const run = {
    kind: "files" as const,
    name: "",
    version: "1",
    started_at: timestamp,
    updated_at: timestamp,
  };
  await database.write((writer) =>
    writer
      .insertInto("imports")
      .values({ user_id, ...run })
      .execute(),
  );
  await database.write((writer) => addProduction(writer, { user: user_id, document: 1 }));
  const { id: reader } = await database.reader
    .selectFrom("users")
    .select("id")
    .where("username", "=", "user")
    .executeTakeFirstOrThrow();
  const search = { user_id: reader, name: "", alert: "page", ...times } as const;
  const find = { document_id: 1, found_at: timestamp, is_new: true };
  await database.write(async (writer) => {
    for (const [index, uuid] of savedSearches.entries()) {
      const query = ["harbour", "*:*"][index] ?? "";
      await writer
        .insertInto("saved_searches")
        .values({ id: index + 1, uuid, query, ...search })
        .execute();
      await writer
        .insertInto("saved_search_finds")
        .values({ search_id: index + 1, ...find })
        .execute();
    }
  });
  await addGuest(context, { user_id, project_id: shared });
  await addGuest(context, { user_id: reader, search_id: 1 });
  return viewers;
}

/** A link that the guest has opened, and the document that it opened before. */
async function addGuest(
  { database }: TestApp["context"],
  link: { user_id: number; project_id?: number; search_id?: number },
): Promise<void> {
  const later = "2999-01-31T12:00:00.000000Z";
  const digest = digestOf("guest");
  await database.write(async (writer) => {
    const uuid = crypto.randomUUID();
    const { id: link_id } = await writer
      .insertInto("guest_links")
      .values({
        ...link,
        uuid,
        digest: uuid,
        name: "",
        may_download: true,
        uses: 1,
        expires_at: later,
        created_at: timestamp,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const session = { digest, link_id, created_at: timestamp, expires_at: later };
    await writer.insertInto("guest_sessions").values(session).execute();
    await writer.insertInto("guest_openings").values({ digest, link_id, document_id: 1 }).execute();
  });
}

/** As many documents of one organization as a list finds from its ordering instead of from its viewers. */
async function addMany({ context: { database } }: TestApp): Promise<void> {
  await database.write((writer) =>
    sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 5000)
      insert into documents (access, status, created_at, updated_at, data, organization_id, page_count, slug, source,
        title, user_id)
      select 'organization', 'success', ${timestamp}, ${timestamp}, '{}', 3, 0, 'a', 'a', 'a', 1 from numbers`.execute(
      writer,
    ),
  );
}

/** Searches read the counts of words only up to some document while the words of the others are counted. */
async function beginCounting({ context: { database } }: TestApp): Promise<void> {
  await database.write((writer) =>
    writer.insertInto("word_count_progress").values({ counted_to: 1 }).execute(),
  );
}

interface Executed extends Asked {
  statement: string;
}

/** The statements that the answers to some requests need. */
async function executed(app: TestApp, viewers: Viewers, requests: readonly Asked[]): Promise<Executed[]> {
  const all: Executed[] = [];
  for (const { viewer, address } of requests) {
    const statements = await statementsOf(async () => {
      const answer = await app.fetch(address, { headers: viewers[viewer] });
      const text = await answer.text();
      expect([viewer, address, answer.status, text]).toEqual([viewer, address, 200, expect.any(String)]);
    });
    all.push(...statements.map((statement) => ({ viewer, address, statement })));
  }
  return all;
}

/**
 * The text of a golden file: from short to long, each statement with a phrase that none before it has. The others run
 * as well, but are too many for a review.
 */
function goldenText(statements: readonly Executed[]): string {
  const known = new Set<string>();
  const shortestFirst = statements.toSorted((one, other) => one.statement.length - other.statement.length);
  const kept = shortestFirst.filter(({ statement }) => {
    const { size } = known;
    for (const phrase of phrasesOf(statement)) known.add(phrase);
    return known.size > size;
  });
  return kept
    .map(({ viewer, address, statement }) => `-- ${viewer}: GET ${address}\n${formatted(statement)}\n`)
    .join("\n");
}

/** The statements for which SQLite's planner chooses `documents_filtered`, though they do not ask for it. */
async function readFiltered(
  { context: { database } }: TestApp,
  statements: readonly Executed[],
): Promise<string[]> {
  const others = statements
    .map(({ statement }) => statement)
    .filter((text) => !/documents_filtered/.test(text));
  const found: string[] = [];
  for (const statement of new Set(others)) {
    const plan = await sql<{ detail: string }>`${sql.raw(`explain query plan ${statement}`)}`.execute(
      database.reader,
    );
    if (plan.rows.some(({ detail }) => detail.includes("documents_filtered"))) found.push(statement);
  }
  return found;
}

describe.each(engines)("the statements on %s", (engine) => {
  it.each([
    ["documents", documentRequests()],
    ["search", searchRequests()],
    ["others", otherRequests()],
  ])(
    "for %s are those of the golden file, and read documents_filtered only where they ask for it",
    async (name, requests) => {
      await using app = await startTestApp(engine, everyRoute);
      const viewers = await fill(app);
      if (name === "documents") await addMany(app);
      const statements = await executed(app, viewers, requests);
      if (name === "search") {
        await beginCounting(app);
        statements.push(...(await executed(app, viewers, requests.slice(0, 1))));
        const withFacets = requests.filter(({ address }) => /q=harbour&.*facets=/.test(address)).slice(0, 1);
        for (const rows of [100, 500_000]) {
          await estimateDocuments(app, rows);
          statements.push(...(await executed(app, viewers, withFacets)));
        }
        await addMany(app);
        statements.push(...(await executed(app, viewers, filteredRequests)));
      }
      const text = goldenText(statements);
      await expect(text).toMatchFileSnapshot(`statements/${name}.${engine}.sql`);
      expect(engine === "sqlite" ? await readFiltered(app, statements) : []).toEqual([]);
    },
  );
});
