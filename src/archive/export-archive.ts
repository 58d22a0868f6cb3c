import { createHash } from "node:crypto";
import path from "node:path";
import { forEachConcurrently } from "../backup/concurrently.ts";
import type { Context } from "../context.ts";
import type { Reader } from "../database/database.ts";
import { type CopiedRow, countRows, rowsOf } from "../database/transfer/snapshot.ts";
import { copiedTable } from "../database/transfer/tables.ts";
import type { Tables } from "../database/tables.ts";
import { namingFullFolder } from "../errors.ts";
import { documentFolder } from "../files/keys.ts";
import { LeftOut } from "../import/left-out.ts";
import { filesOfDocument, revisionsOf } from "../resources/documents/files/named-files-store.ts";
import { type BaseUrls, recordText } from "../resources/documents/present.ts";
import {
  type DocumentSelection,
  type SelectedDocument,
  countHistoryOfDeleted,
  countSelectedDocuments,
  listSelectedDocuments,
  selectedIds,
} from "../resources/documents/record/export-store.ts";
import { idsIn } from "../resources/documents/store.ts";
import {
  type DocumentDetails,
  archiveFormat,
  contentsInWords,
  documentFolderOf,
  formatLabel,
  listNames,
  listText,
  partNames,
  readme,
} from "./archive-files.ts";
import { type BagFile, BagWriter } from "./bag-writer.ts";
import {
  historyElement,
  noteElement,
  pageElement,
  parsed,
  receiptElement,
  sectionElement,
} from "./elements.ts";

export interface ArchiveOptions {
  folder: string;
  selection: DocumentSelection;
  baseUrls: BaseUrls;
  /** The exporting program and its version. */
  agent: string;
  signal: AbortSignal;
  progress(documents: number, total: number): void;
}

export interface ArchiveOutcome {
  documents: number;
  files: number;
  bytes: number;
  leftOut: LeftOut;
  /** Sentences about files that are missing or damaged in the service itself. */
  faults: readonly string[];
}

const documentsPerPage = 64;
const documentsAtOnce = 4;
const maxMoments = 10;

/**
 * Writes an archive of the service at one moment, while the service runs. After an interruption, the same call adds the
 * missing files.
 *
 * @throws {BagRefusedError}
 */
export async function exportArchive(
  context: Pick<Context, "database" | "files">,
  options: ArchiveOptions,
): Promise<ArchiveOutcome> {
  const bag = await BagWriter.open(options.folder, contentsInWords(options.selection));
  try {
    for (let attempt = 1; attempt <= maxMoments; attempt++) {
      const outcome = await context.database.atOneMoment((reader) =>
        new ArchiveExport(context, bag, reader, options).run(),
      );
      if (outcome !== null) return outcome;
    }
    throw new Error("Files were replaced or deleted all the time. Try again when the service is less busy");
  } catch (error) {
    throw namingFullFolder(error, options.folder);
  } finally {
    await bag.close();
  }
}

/** A file of a document that has been copied into the archive, and its source. */
interface CopiedOriginal extends BagFile {
  sha1: string;
  /** See `FileStat.version`. */
  version: string;
}

/** One pass over the contents of the database at one moment. */
class ArchiveExport {
  readonly #context: Pick<Context, "database" | "files">;
  readonly #bag: BagWriter;
  readonly #reader: Reader;
  readonly #options: ArchiveOptions;
  readonly #leftOut = new LeftOut();
  readonly #faults: string[] = [];
  /** The ids of users that the selected documents name. An archive of all documents has all users. */
  readonly #users = new Set<number>();
  readonly #organizations = new Set<number>();
  readonly #projects = new Set<number>();
  readonly #entities = new Set<number>();
  #isLate = false;

  constructor(
    context: Pick<Context, "database" | "files">,
    bag: BagWriter,
    reader: Reader,
    options: ArchiveOptions,
  ) {
    this.#context = context;
    this.#bag = bag;
    this.#reader = reader;
    this.#options = options;
  }

  get #isWhole(): boolean {
    const { user, project, isPublic } = this.#options.selection;
    return user === null && project === null && !isPublic;
  }

  /** The selected user, whose own things the archive has too, unless it has only what is public. */
  get #owner(): number | null {
    const { user, isPublic } = this.#options.selection;
    return isPublic ? null : user;
  }

  /** Null if a file of this moment was replaced or deleted before it was copied. */
  async run(): Promise<ArchiveOutcome | null> {
    const { selection, agent } = this.#options;
    const at = new Date().toISOString();
    const bag = this.#bag;
    const { documents, deleted, hidden } = await countSelectedDocuments(this.#reader, selection);
    await bag.begin();
    await bag.add([await bag.write("README.txt", readme)]);
    await bag.makeFolder("documents");
    await bag.add([await bag.write(listNames.documents, listText(this.#writeDocuments(documents)))]);
    if (this.#isLate) return null;
    if (bag.isResumed) await this.#removeOthers();
    await this.#writeLists();
    this.#leftOut.add("deleted documents", deleted);
    if (!selection.isPublic) {
      const entries = await countHistoryOfDeleted(this.#reader, selection);
      this.#leftOut.add("history entries of deleted documents", entries);
    }
    this.#leftOut.add("documents that are not public", hidden);
    await this.#countUnfinished();
    const written = await bag.finish([
      ["Bag-Software-Agent", agent],
      ["Bagging-Date", at.slice(0, 10)],
      ["External-Description", `An archive of ${contentsInWords(selection)} of a Quire, at ${at}`],
      [formatLabel, archiveFormat],
    ]);
    return { documents, ...written, leftOut: this.#leftOut, faults: this.#faults };
  }

  /** Writes the documents, and yields the element of each for the list of documents. */
  async *#writeDocuments(total: number): AsyncGenerator {
    let done = 0;
    for (let after = 0; ;) {
      const rows = await listSelectedDocuments(
        this.#reader,
        this.#options.selection,
        after,
        documentsPerPage,
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.id;
      const written = new Map<number, BagFile[]>();
      await forEachConcurrently(rows, documentsAtOnce, async (row) => {
        this.#options.signal.throwIfAborted();
        written.set(row.id, await this.#writeDocument(row));
        this.#options.progress((done += 1), total);
      });
      for (const { id, title } of rows) {
        await this.#bag.add(written.get(id) ?? []);
        yield { id, title, folder: documentFolderOf(id) };
      }
    }
  }

  async #writeDocument(row: SelectedDocument): Promise<BagFile[]> {
    const { id } = row;
    const { selection } = this.#options;
    const bag = this.#bag;
    const folder = documentFolderOf(id);
    await bag.makeFolder(folder);
    const originals = row.asset_url === null ? await this.#copyFiles(row) : [];
    const files: BagFile[] = [...originals];
    const write = async (name: string, content: string | AsyncIterable<string>): Promise<void> => {
      files.push(await bag.write(`${folder}/${name}`, content));
    };
    const writeList = async (name: string, elements: AsyncIterable<unknown>): Promise<void> => {
      const first = await elements[Symbol.asyncIterator]().next();
      if (first.done !== true) await write(name, listText(startingWith(first.value, elements)));
    };
    const record: unknown = JSON.parse(recordText(row, this.#options.baseUrls, false));
    await write(partNames.record, json(record));
    const details: DocumentDetails = {
      asset_url: row.asset_url,
      shared_projects: selection.isPublic ? [] : idsIn(row.shared_projects),
      received: this.#receivedFor(row),
    };
    await write(partNames.details, json(details));
    const hasPages = await this.#hasRows("document_pages", id);
    if (hasPages) {
      await write(partNames.text, this.#textOf(id));
      await writeList(partNames.pages, this.#elements("document_pages", id, pageElement));
    }
    await writeList(partNames.notes, this.#notesOf(id));
    await writeList(partNames.sections, this.#elements("sections", id, sectionElement));
    await writeList(partNames.entities, this.#entitiesOf(id));
    if (selection.isPublic) await this.#leaveOutRecordsOf(id);
    else {
      await writeList(partNames.history, this.#historyOf(row));
      const receipt = (found: CopiedRow): unknown => receiptElement(found, this.#hasHashesOf(row));
      await writeList(partNames.receipts, this.#elements("document_receipts", id, receipt));
    }
    this.#users.add(row.user_id);
    this.#organizations.add(row.organization_id);
    for (const project of idsIn(row.public_projects)) this.#projects.add(project);
    if (bag.isResumed) await this.#removeOtherFiles(folder, files);
    return files;
  }

  /** Copies the files of a document that are in Quire's own store. */
  async #copyFiles(row: SelectedDocument): Promise<CopiedOriginal[]> {
    const { id } = row;
    const { keys, sha1, isFileExpected } = filesOfDocument(row);
    const note = `${id}.json`;
    const known = this.#bag.isResumed ? await this.#bag.findNote(note) : null;
    const copied: CopiedOriginal[] = [];
    for (const key of keys) {
      const file = await this.#copyFile(id, key, (known ?? []) as CopiedOriginal[]);
      if (file !== null) copied.push(file);
    }
    if (copied.length > 0) await this.#bag.keepNote(note, JSON.stringify(copied));
    const pdf = copied.find((file) => file.path.endsWith(`/${path.posix.basename(keys.at(-1) ?? "")}`));
    const isDoubtful = (isFileExpected && copied.length === 0) || (sha1 !== null && pdf?.sha1 !== sha1);
    if (!isDoubtful) return copied;
    const revisions = await revisionsOf(this.#context.database.reader, [id]);
    // The document has changed since, so the file of this moment may be gone.
    if (revisions.get(id) !== row.revision) this.#isLate = true;
    else if (copied.length === 0) this.#faults.push(`document ${id}: its file is missing`);
    else {
      const what = pdf === undefined ? "is missing" : "has changed since it was read";
      this.#faults.push(`document ${id}: its PDF ${what}`);
    }
    return copied;
  }

  async #copyFile(id: number, key: string, known: readonly CopiedOriginal[]): Promise<CopiedOriginal | null> {
    const { files } = this.#context;
    const name = key.slice(documentFolder(id).length + 1);
    const target = `${documentFolderOf(id)}/${name}`;
    const found = await files.stat(key);
    if (found === null) return null;
    const before = known.find((file) => file.path === target);
    const isSame = before?.version === found.version && before.size === found.size;
    if (isSame && (await this.#bag.size(target)) === found.size) return before;
    const bytes = await files.read(key, undefined, found.version);
    if (bytes === null) return null;
    await this.#bag.makeFolder(path.posix.dirname(target));
    const hasher = createHash("sha1");
    const hashed = async function* hashed(): AsyncGenerator<Uint8Array> {
      for await (const chunk of bytes) {
        hasher.update(chunk as Buffer);
        yield chunk as Buffer;
      }
    };
    const written = await this.#bag.write(target, hashed());
    return { ...written, sha1: hasher.digest("hex"), version: found.version };
  }

  async *#elements(
    table: keyof Tables,
    documentId: number,
    element: (row: CopiedRow) => unknown,
  ): AsyncGenerator {
    for await (const rows of rowsOf(this.#reader, copiedTable(table), { document_id: documentId }))
      yield* rows.map(element);
  }

  async #hasRows(table: keyof Tables, documentId: number): Promise<boolean> {
    const { done } = await this.#elements(table, documentId, () => null).next();
    return done !== true;
  }

  async *#textOf(id: number): AsyncGenerator<string> {
    let isFirst = true;
    for await (const text of this.#elements("document_pages", id, (row) => row["text"])) {
      yield isFirst ? String(text) : `\f${String(text)}`;
      isFirst = false;
    }
  }

  async *#notesOf(id: number): AsyncGenerator {
    for await (const found of this.#elements("notes", id, (row) => row)) {
      const row = found as CopiedRow;
      const author = row["user_id"] as number;
      const { isPublic } = this.#options.selection;
      if (isPublic && row["access"] !== "public") {
        this.#leftOut.add("notes that are not public");
        continue;
      }
      const isSecret = row["access"] === "private" && author !== this.#owner;
      if (!this.#isWhole && isSecret) {
        this.#leftOut.add("private notes of others");
        continue;
      }
      this.#users.add(author);
      if (row["organization_id"] !== null) this.#organizations.add(row["organization_id"] as number);
      yield noteElement(row);
    }
  }

  async *#entitiesOf(id: number): AsyncGenerator {
    for await (const found of this.#elements("entity_occurrences", id, (row) => row)) {
      const { entity_id, relevance, occurrences } = found as CopiedRow;
      this.#entities.add(entity_id as number);
      yield { entity: entity_id, relevance, occurrences: parsed(occurrences) };
    }
  }

  /**
   * Whether the archive may name the hashes of a document's earlier files. Such a hash confirms a guess of what was
   * redacted since. An archive of a project is for people who need not be allowed to change all its documents.
   */
  #hasHashesOf({ user_id }: SelectedDocument): boolean {
    return this.#isWhole || user_id === this.#owner;
  }

  #receivedFor(row: SelectedDocument): DocumentDetails["received"] {
    if (row.received === null) return null;
    if (this.#hasHashesOf(row)) return { sha1: row.received, extension: row.received_extension ?? "" };
    this.#leftOut.add("hashes of uploaded files");
    return null;
  }

  /** Only those who may change a document see its history and its receipts. */
  async #leaveOutRecordsOf(id: number): Promise<void> {
    for (const [table, kind] of [
      ["document_history", "entries of histories"],
      ["document_receipts", "receipts"],
    ] as const)
      for await (const _ of this.#elements(table, id, () => null)) this.#leftOut.add(kind);
  }

  async *#historyOf(document: SelectedDocument): AsyncGenerator {
    for await (const found of this.#elements("document_history", document.id, (row) => row)) {
      const row = found as CopiedRow;
      if (row["user_id"] !== null) this.#users.add(row["user_id"] as number);
      yield historyElement(row, this.#hasHashesOf(document));
    }
  }

  /** Removes files of an earlier moment that the document no longer has. */
  async #removeOtherFiles(folder: string, files: readonly BagFile[]): Promise<void> {
    const paths = files.map((file) => file.path);
    for (const below of [folder, `${folder}/original`]) {
      if (!paths.some((file) => file.startsWith(`${below}/`))) {
        await this.#bag.remove(below);
        continue;
      }
      for await (const name of this.#bag.names(below)) {
        const file = `${below}/${name}`;
        if (!paths.some((kept) => kept === file || kept.startsWith(`${file}/`))) await this.#bag.remove(file);
      }
    }
  }

  /** Removes documents of an earlier moment that no longer exist. */
  async #removeOthers(): Promise<void> {
    const remove = async (names: readonly string[]): Promise<void> => {
      const kept = await selectedIds(this.#reader, this.#options.selection, names.map(Number));
      for (const name of names) if (!kept.has(Number(name))) await this.#bag.remove(`documents/${name}`);
    };
    let some: string[] = [];
    for await (const name of this.#bag.names("documents")) {
      if (some.push(name) < 500) continue;
      await remove(some);
      some = [];
    }
    await remove(some);
  }

  /** Writes everything except the documents. The list of people comes last, because the other lists name people too. */
  async #writeLists(): Promise<void> {
    const write = async (name: string, elements: AsyncIterable<unknown>): Promise<void> =>
      this.#bag.add([await this.#bag.write(name, listText(elements))]);
    await this.#addOwnOf(this.#owner);
    await write(listNames.entities, this.#entityList());
    await write(listNames.projects, this.#projectList());
    await write(listNames.savedSearches, this.#savedSearchList());
    await write(listNames.organizations, this.#organizationList());
    await write(listNames.people, this.#people());
  }

  /** Adds the selected user and all organizations of that user. */
  async #addOwnOf(user: number | null): Promise<void> {
    if (user === null) return;
    this.#users.add(user);
    for await (const { organization_id } of this.#rows("organization_members", { user_id: user }))
      this.#organizations.add(organization_id as number);
  }

  async *#rows(table: keyof Tables, where: Record<string, number> = {}): AsyncGenerator<CopiedRow> {
    for await (const rows of rowsOf(this.#reader, copiedTable(table), where)) yield* rows;
  }

  async *#entityList(): AsyncGenerator {
    for await (const row of this.#rows("entities")) {
      const { id, user_id, wikidata_id, name, description, wikipedia_url, created_at, updated_at } = row;
      if (!this.#isWhole && !this.#entities.has(id as number)) continue;
      if (user_id !== null) this.#users.add(user_id as number);
      const metadata = parsed(row["metadata"]);
      yield {
        id,
        wikidata_id,
        name,
        description,
        wikipedia_url,
        metadata,
        user: user_id,
        created_at,
        updated_at,
      };
    }
  }

  async *#projectList(): AsyncGenerator {
    const { isPublic } = this.#options.selection;
    for await (const row of this.#rows("projects")) {
      const { id, title, slug, description, user_id, created_at, updated_at } = row;
      const isOwn = this.#owner !== null && user_id === this.#owner;
      if (!this.#isWhole && !isOwn && !this.#projects.has(id as number)) {
        if (isPublic && Boolean(row["private"])) this.#leftOut.add("projects that are not public");
        continue;
      }
      const collaborators = [];
      for await (const { user_id: user, access } of this.#rows("project_collaborators", {
        project_id: id as number,
      })) {
        if (isPublic) {
          this.#leftOut.add("collaborators of projects");
          continue;
        }
        collaborators.push({ user, access });
        this.#users.add(user as number);
      }
      const pinned_by = [];
      for await (const { user_id: user } of this.#rows("project_pins", { project_id: id as number })) {
        if (this.#isWhole || user === this.#owner) pinned_by.push(user);
        else this.#leftOut.add("pins of others");
      }
      this.#users.add(user_id as number);
      const isPrivate = Boolean(row["private"]);
      const own = { id, title, slug, description, private: isPrivate, user: user_id, created_at, updated_at };
      yield { ...own, collaborators, pinned_by };
    }
  }

  async *#savedSearchList(): AsyncGenerator {
    for await (const row of this.#rows("saved_searches")) {
      const { uuid, user_id: user, name, query, created_at, updated_at } = row;
      if (this.#isWhole || user === this.#owner) yield { uuid, user, name, query, created_at, updated_at };
    }
  }

  async *#organizationList(): AsyncGenerator {
    for await (const row of this.#rows("organizations")) {
      const { id, uuid, name, slug, avatar_url, created_at, updated_at } = row;
      if (!this.#isWhole && !this.#organizations.has(id as number)) continue;
      const members = [];
      for await (const member of this.#rows("organization_members", { organization_id: id as number })) {
        const user = member["user_id"];
        if (!this.#isWhole && user !== this.#owner) continue;
        members.push({ user, admin: Boolean(member["is_admin"]) });
      }
      const individual = Boolean(row["individual"]);
      yield { id, uuid, name, slug, avatar_url, individual, created_at, updated_at, members };
    }
  }

  /** An archive of selected documents does not reveal the accounts and email addresses of other people. */
  async *#people(): AsyncGenerator {
    for await (const row of this.#rows("users")) {
      const { id, uuid, username, name, email, avatar_url, created_at, updated_at } = row;
      const isSelected = this.#isWhole || id === this.#owner;
      if (!isSelected && !this.#users.has(id as number)) continue;
      const identity = { id, uuid, username, name, avatar_url, created_at, updated_at };
      const isAccount = row["password_hash"] !== null;
      if (!isSelected) {
        if (isAccount) this.#leftOut.add("accounts of others");
        yield { ...identity, account: null };
        continue;
      }
      const active = Boolean(row["is_active"]);
      const administrator = Boolean(row["is_administrator"]);
      const isUnset = row["password_hash"] === null || row["password_hash"] === "unset";
      if (!isUnset) this.#leftOut.add("passwords");
      const organization =
        this.#isWhole || this.#organizations.has(Number(row["organization_id"]))
          ? row["organization_id"]
          : null;
      yield { ...identity, email, organization, active, administrator, account: isAccount };
    }
  }

  /** Counts pending work and secrets, which no archive contains. */
  async #countUnfinished(): Promise<void> {
    if (!this.#isWhole) return;
    for (const [table, kind] of [
      ["document_rewrites", "redactions, page changes and replacements of files under way"],
      ["remote_files", "files still to be fetched"],
      ["api_tokens", "API tokens"],
      ["sessions", "sessions"],
    ] as const)
      this.#leftOut.add(kind, await countRows(this.#reader, copiedTable(table)));
  }
}

async function* startingWith(first: unknown, rest: AsyncIterable<unknown>): AsyncGenerator {
  yield first;
  yield* rest;
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
