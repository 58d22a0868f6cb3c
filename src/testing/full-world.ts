import { createHash, randomUUID } from "node:crypto";
import * as fc from "fast-check";
import type { Context } from "../context.ts";
import type { Tables } from "../database/tables.ts";
import { documentFileKey } from "../files/keys.ts";
import { htmlCleaner } from "../resources/notes/clean-html.ts";
import { indexDocumentsAfter } from "../resources/documents/search/index-store.ts";
import { addMissingRows } from "./drawn-rows.ts";
import { credentialRows } from "./full-credentials.ts";
import { followerRows } from "./full-followers.ts";
import { documentRow, projectRow } from "./factories.ts";
import { withheldRows } from "./withheld-rows.ts";

const arrivedFile = (id: number) => ({ sha1: `${id}`.padStart(40, "0"), extension: "pdf" });

/** Draws a value, as `fc.gen()` passes it to a property. */
type Draw = fc.GeneratorValue;

/** Any text that both engines can store: without NUL and without half of a surrogate pair. */
export const storableText = fc
  .string({ unit: "binary", maxLength: 40 })
  .map((text) => text.replaceAll("\0", "␀").toWellFormed());

const moments = fc
  .date({ min: new Date("2001-01-01"), max: new Date("2039-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().replace("Z", "123Z"));

const jsonTexts = fc
  .dictionary(storableText, storableText, { maxKeys: 3 })
  .map((value) => JSON.stringify(value));

/** `data` as the API has it. */
const dataTexts = fc
  .dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.array(storableText, { minLength: 1, maxLength: 3 }), {
    maxKeys: 3,
  })
  .map((value) => JSON.stringify(value));

const pairs = fc
  .dictionary(fc.constantFrom("title", "access", "source"), fc.tuple(storableText, storableText), {
    maxKeys: 2,
  })
  .map((value) => JSON.stringify(value));

const fractions = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0);
/** Positions of words on a page. */
const wordTexts = fc
  .array(
    fc.record({
      text: storableText,
      x1: fractions,
      y1: fractions,
      x2: fractions,
      y2: fractions,
      upright: fc.boolean(),
      direction: fc.constantFrom(1, -1),
    }),
    { maxLength: 2 },
  )
  .map((value) => JSON.stringify(value));

const pagesInDocument = 12;

/** Positions of an entity in a document. */
const occurrenceTexts = fc
  .array(
    fc.record({
      page: fc.nat({ max: pagesInDocument - 1 }),
      offset: fc.nat(),
      page_offset: fc.nat(),
      content: fc.constantFrom("Ada", "Grace Hopper"),
    }),
    { maxLength: 2 },
  )
  .map((value) => JSON.stringify(value));

const ofDocument = (document_id: number) => ({ document_id });
const withBand = (row: object) => ({ ...row, band: 2 ** 52 - 1 });
const isoLanguage = fc.constantFrom("eng", "deu", "fra");

/**
 * Fills a database with rows in every table, and the store with the files that they name: ids with gaps, texts of all
 * kinds, and nulls wherever a column may be null.
 */
export async function addFullWorld(context: Pick<Context, "database" | "files">, draw: Draw): Promise<void> {
  const { database, files } = context;
  const contents: [key: string, content: string][] = [];
  const cleaned = await htmlCleaner("<");
  const clean = (text: string): string => (/[<>&]/.test(text) ? cleaned(text) : text);
  const texts = (): string => draw(() => storableText);
  /** A text as the API's fields accept it: not blank, without spaces around it. */
  const label = (): string => `${texts()}.`.trim();
  const picture = (): string => (flag() ? "" : `https://pictures.example.org/${draw(fc.nat)}.png`);
  const moment = (): string => draw(() => moments);
  const flag = (): boolean => draw(fc.boolean);
  const maybe = <T>(value: T): T | null => (flag() ? value : null);
  const times = () => ({ created_at: moment(), updated_at: moment() });
  const some = <T>(items: readonly T[]): T => items[draw(fc.nat, { max: items.length - 1 })] as T;
  /** Ascending ids with gaps. */
  const ids = (maxLength = 4, minLength = 1): number[] =>
    draw(() => fc.uniqueArray(fc.integer({ min: 1, max: 3000 }), { minLength, maxLength }));
  const figures = (kind: "user" | "project", subject: number) => ({
    kind,
    subject,
    documents: draw(fc.nat),
    pages: draw(fc.nat),
    bytes: draw(fc.nat),
    measured_at: moment(),
  });

  await database.write(async (writer) => {
    const add = async (table: keyof Tables, rows: readonly object[]): Promise<void> => {
      for (const row of rows) await writer.insertInto(table).values(row).execute();
    };
    const organizations = ids();
    await add(
      "organizations",
      organizations.map((id) => ({
        id,
        uuid: randomUUID(),
        avatar_url: picture(),
        name: texts(),
        slug: `o-${id}`,
        individual: flag(),
        ...times(),
      })),
    );
    const users = ids();
    await add(
      "users",
      users.map((id) => ({
        id,
        uuid: randomUUID(),
        username: `user-${id}`,
        name: texts(),
        email: `${id}@example.org`,
        avatar_url: picture(),
        password_hash: maybe(texts()),
        is_active: flag(),
        is_administrator: flag(),
        organization_id: maybe(some(organizations)),
        token_generation: draw(fc.nat),
        language: some(["", "de"]),
        time_zone: some(["", "Europe/Berlin"]),
        mail_notices: flag(),
        ...times(),
      })),
    );
    await add(
      "organization_members",
      users.map((user_id) => ({ user_id, organization_id: some(organizations), is_admin: flag() })),
    );
    const draws = { texts, moment, flag, maybe, some, number: () => draw(fc.nat) };
    for (const rowsOf of [credentialRows, followerRows])
      for (const [table, rows] of rowsOf(users, draws)) await add(table, rows);
    const projects = ids();
    await add(
      "projects",
      projects.map((id) =>
        projectRow({
          id,
          title: texts(),
          description: texts(),
          private: flag(),
          user_id: some(users),
          ...times(),
        }),
      ),
    );
    await add(
      "project_collaborators",
      projects.map((project_id) => ({
        project_id,
        user_id: some(users),
        access: some(["view", "edit", "admin"] as const),
        added_by: maybe(some(users)),
        added_at: maybe(moment()),
      })),
    );
    const documents = ids(6, 2);
    for (const [index, id] of documents.entries()) {
      const content = texts() + id;
      const sha1 = createHash("sha1").update(content).digest("hex");
      // The first document has the states for which triggers create rows.
      const isFirst = index === 0;
      const status = isFirst
        ? "success"
        : some(["success", "readable", "pending", "error", "nofile", "deleted"]);
      const extension = some(["pdf", "docx"]);
      const isElsewhere = id % 5 === 0;
      await add("documents", [
        documentRow({
          id,
          access: isFirst ? "private" : some(["public", "organization", "private", "invisible"]),
          admin_noindex: flag(),
          asset_url: isElsewhere ? "https://files.example.org/" : null,
          data: isFirst ? JSON.stringify({ kind: [texts(), texts()] }) : draw(() => dataTexts),
          description: texts(),
          file_hash: status === "success" ? sha1 : "",
          language: draw(() => isoLanguage),
          noindex: flag(),
          organization_id: some(organizations),
          original_extension: extension,
          page_count: pagesInDocument,
          page_spec: `612.00x792.00:0-${pagesInDocument - 1}`,
          publish_at: maybe("2999-01-01T00:00:00.000000Z"),
          published_url: texts(),
          related_article: texts(),
          revision_control: flag(),
          slug: `d-${id}`,
          source: texts(),
          status,
          title: label(),
          user_id: some(users),
          ...times(),
        }),
      ]);
      if (!isElsewhere && status !== "nofile") {
        contents.push([documentFileKey(id, `d-${id}`, "pdf"), content]);
        if (extension !== "pdf") contents.push([documentFileKey(id, `d-${id}`, extension), texts()]);
      }
    }
    const perDocument = (row: (document_id: number) => object): object[] =>
      documents.map((document_id) => ({ document_id, ...row(document_id) }));
    const membership = () => ({ project_id: some(projects), edit_access: flag() });
    await add("project_memberships", perDocument(membership));
    await add("document_pages", [
      ...perDocument(() => ({ page: 0, text: texts() })),
      ...perDocument(() => ({
        page: 1 + draw(fc.nat, { max: 9 }),
        text: texts(),
        ocr: maybe("tesseract"),
        confidence: maybe(draw(() => fractions) * 100),
        ocr_language: maybe("deu"),
        layer: maybe(texts()),
        words: maybe(draw(() => wordTexts)),
        fault: maybe(texts()),
      })),
    ]);
    await add(
      "reread_pages",
      perDocument(() => ({ page: draw(fc.nat), content: draw(() => jsonTexts) })),
    );
    await add("received_files", perDocument(arrivedFile));
    await add(
      "document_receipts",
      perDocument(() => ({
        step: texts(),
        outcome: some(["done", "failed"]),
        at: moment(),
        milliseconds: draw(fc.nat),
        details: draw(() => jsonTexts),
      })),
    );
    const who = () => ({ at: moment(), user_id: maybe(some(users)), action: texts() });
    await add(
      "document_history",
      perDocument(() => ({ ...who(), changes: draw(() => pairs) })),
    );
    const progress = () => ({ step: texts(), done: draw(fc.nat), total: maybe(draw(fc.nat)), at: moment() });
    await add("document_progress", perDocument(progress));
    await add(
      "document_rewrites",
      perDocument(() => ({
        kind: some(["redact", "modify", "replace"]),
        user_id: some(users),
        plan: draw(() => jsonTexts),
        result_hash: maybe(texts()),
      })),
    );
    await add(
      "remote_files",
      perDocument(() => ({
        address: texts(),
        extension_is_known: flag(),
        process_options: draw(() => jsonTexts),
      })),
    );
    await add(
      "deleted_documents",
      perDocument(() => ({
        status: some(["success", "error"]),
        user_id: some(users),
        organization_id: some(organizations),
        deleted_at: moment(),
        deleted_by: some(users),
      })),
    );
    await add("file_removals", [{ document_id: 5000, folder: "documents/5000" }]);
    await add(
      "notes",
      perDocument((id) => {
        const before = (): number => draw(() => fractions) * 0.4;
        const after = (): number => 1 - before();
        const box = maybe({ x1: before(), x2: after(), y1: before(), y2: after() });
        const content = texts().trim();
        return {
          user_id: some(users),
          organization_id: maybe(some(organizations)),
          page_number: draw(fc.nat, { max: pagesInDocument - 1 }),
          access: some(["public", "organization", "private"]),
          title: label(),
          content,
          content_html: clean(content),
          part: 524_288 + (id % 7),
          ...box,
          ...times(),
        };
      }),
    );
    await add(
      "sections",
      perDocument(() => ({ page_number: draw(fc.nat, { max: pagesInDocument - 1 }), title: label() })),
    );
    await add("entities", [
      {
        id: 17,
        user_id: maybe(some(users)),
        wikidata_id: "Q1",
        name: label(),
        description: texts().trim(),
        wikipedia_url: "https://en.wikipedia.org/wiki/Ada",
        metadata: draw(() => jsonTexts),
        ...times(),
      },
    ]);
    await add(
      "entity_occurrences",
      perDocument(() => ({
        entity_id: 17,
        relevance: draw(() => fractions),
        occurrences: draw(() => occurrenceTexts),
      })),
    );
    for (const [table, rows] of withheldRows(users, documents, draws)) await add(table, rows);
    const made = () => ({ requests: 1, words: maybe(9), hashes: maybe(texts()) });
    await add("document_fingerprints", perDocument(made));
    await add("fingerprint_bands", documents.map(ofDocument).map(withBand));
    const [root = 0, ...others] = documents;
    const inRoot = { parent_id: root, root_id: root, depth: 1, taken_from: "eml" };
    const child = (child_id: number, position: number) =>
      Object.assign({ child_id, position, path: texts(), bytes: 9, status_before: maybe("error") }, inRoot);
    await add("document_children", others.map(child));
    await add(
      "mails",
      users.map((user_id) => ({
        kind: some(["invitation", "reset", "shared project", "failed documents"]),
        user_id: maybe(user_id),
        details: draw(() => jsonTexts),
        created_at: moment(),
        sent_at: maybe(moment()),
        problem: maybe(texts()),
      })),
    );
    const ofUsers = users.map((subject) => figures("user", subject));
    await add("storage_figures", ofUsers.concat(projects.map((subject) => figures("project", subject))));
    await add("examinations", [
      {
        id: 7,
        repairs: flag(),
        hashes: flag(),
        requested_at: moment(),
        ended_at: maybe(moment()),
        ...numbers(draw, "documents", "examined", "position", "found", "mended"),
        problem: maybe(texts()),
      },
    ]);
    await add("findings", [
      { examination_id: 7, what: texts(), outcome: some(["repairable", "mended"]), problem: maybe(texts()) },
    ]);
    await add(
      "jobs",
      documents.map((subject) => ({
        kind: "process document",
        subject,
        options: draw(() => jsonTexts),
        created_at: moment(),
        due_at: moment(),
        attempts: draw(fc.nat),
        lease: maybe(texts()),
        worker: maybe(texts()),
        again: flag(),
        last_error: maybe(texts()),
        owner: maybe(some(users)),
        rank: draw(fc.nat),
        is_long: flag(),
        cancelled_at: maybe(moment()),
      })),
    );
    for (const table of ["documents", "users", "organizations", "projects", "entities"] as const)
      await database.dialect.afterOwnIds(table)?.execute(writer);
    // Deleted with everything that refers to it. Its id must not be assigned again.
    const gone = await writer
      .insertInto("documents")
      .values(documentRow({ organization_id: organizations[0] ?? 0, user_id: users[0] ?? 0 }))
      .returning("id")
      .executeTakeFirstOrThrow();
    await writer.deleteFrom("documents").where("id", "=", gone.id).execute();
    for (let after: number | null = 0; after !== null;) after = await indexDocumentsAfter(writer, after);
    await addMissingRows(writer, draws);
  });
  for (const [key, content] of contents) {
    await files.put(
      key,
      (async function* bytes() {
        yield Buffer.from(content);
      })(),
    );
  }
}

const numbers = (draw: Draw, ...columns: string[]): Record<string, number> =>
  Object.fromEntries(columns.map((column) => [column, draw(fc.nat)]));
