import path from "node:path";
import type { Context } from "../context.ts";
import type { CopiedRow } from "../database/transfer/snapshot.ts";
import type { Tables } from "../database/tables.ts";
import { hashed } from "../files/hashed-bytes.ts";
import { documentFolder } from "../files/keys.ts";
import { doubtAbout } from "../backup/named-files.ts";
import { filesOfDocument, revisionsOf } from "../resources/documents/files/named-files-store.ts";
import { type BaseUrls, recordText } from "../resources/documents/present.ts";
import type { SelectedDocument } from "../resources/documents/record/export-store.ts";
import { idsIn } from "../resources/documents/store.ts";
import { type DocumentDetails, documentFolderOf, listText, partNames } from "./archive-files.ts";
import type { BagFile, BagWriter } from "./bag-writer.ts";
import {
  correctionElement,
  historyElement,
  noteElement,
  pageElement,
  parsed,
  receiptElement,
  sectionElement,
} from "./elements.ts";
import type { ExportScope } from "./export-scope.ts";

/** A file of a document that has been copied into the archive, and its source. */
interface CopiedOriginal extends BagFile {
  sha1: string;
  /** See `FileStat.version`. */
  version: string;
}

/** Writes the documents of an archive, with their files. */
export class DocumentExport {
  /** Sentences about files that are missing or damaged in the service itself. */
  readonly faults: string[] = [];
  /** Whether a file of this moment was replaced or deleted before it was copied. */
  isLate = false;
  readonly #context: Pick<Context, "database" | "files">;
  readonly #bag: BagWriter;
  readonly #scope: ExportScope;
  readonly #baseUrls: BaseUrls;

  constructor(
    context: Pick<Context, "database" | "files">,
    bag: BagWriter,
    scope: ExportScope,
    baseUrls: BaseUrls,
  ) {
    this.#context = context;
    this.#bag = bag;
    this.#scope = scope;
    this.#baseUrls = baseUrls;
  }

  async write(row: SelectedDocument): Promise<BagFile[]> {
    const { id } = row;
    const { selection } = this.#scope;
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
    const record: unknown = JSON.parse(recordText(row, this.#baseUrls, false));
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
      const corrections = this.#elements("mention_corrections", id, correctionElement);
      await writeList(partNames.corrections, corrections);
      await writeList(partNames.history, this.#historyOf(row));
      const receipt = (found: CopiedRow): unknown => receiptElement(found, this.#hasHashesOf(row));
      await writeList(partNames.receipts, this.#elements("document_receipts", id, receipt));
    }
    this.#scope.users.add(row.user_id);
    this.#scope.organizations.add(row.organization_id);
    for (const project of idsIn(row.public_projects)) this.#scope.projects.add(project);
    if (bag.isResumed) await this.#removeOtherFiles(folder, files);
    return files;
  }

  /** Copies the files of a document that are in Quire's own store. */
  async #copyFiles(row: SelectedDocument): Promise<CopiedOriginal[]> {
    const { id } = row;
    const document = filesOfDocument(row);
    const { keys } = document;
    const note = `${id}.json`;
    const known = this.#bag.isResumed ? await this.#bag.findNote(note) : null;
    const copied = new Map<string, CopiedOriginal>();
    for (const key of keys) {
      const file = await this.#copyFile(id, key, (known ?? []) as CopiedOriginal[]);
      if (file !== null) copied.set(key, file);
    }
    const files = [...copied.values()];
    if (files.length > 0) await this.#bag.keepNote(note, JSON.stringify(files));
    const doubt = doubtAbout(
      document,
      [...copied].map(([key, { sha1 }]) => ({ key, sha1 })),
    );
    if (doubt === null) return files;
    const revisions = await revisionsOf(this.#context.database.reader, [id]);
    // The document has changed since, so the file of this moment may be gone.
    if (revisions.get(id) !== row.revision) this.isLate = true;
    else this.faults.push(doubt);
    return files;
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
    const content = hashed(bytes, "sha1");
    const written = await this.#bag.write(target, content);
    return { ...written, sha1: content.hash("sha1"), version: found.version };
  }

  async *#elements(
    table: keyof Tables,
    document_id: number,
    element: (row: CopiedRow) => unknown,
  ): AsyncGenerator {
    for await (const row of this.#scope.rows(table, { document_id })) yield element(row);
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
      const { isPublic } = this.#scope.selection;
      if (isPublic && row["access"] !== "public") {
        this.#scope.leftOut.add("notes that are not public");
        continue;
      }
      const isSecret = row["access"] === "private" && author !== this.#scope.owner;
      if (!this.#scope.isWhole && isSecret) {
        this.#scope.leftOut.add("private notes of others");
        continue;
      }
      this.#scope.users.add(author);
      if (row["organization_id"] !== null) this.#scope.organizations.add(row["organization_id"] as number);
      yield noteElement(row);
    }
  }

  async *#entitiesOf(id: number): AsyncGenerator {
    for await (const found of this.#elements("entity_occurrences", id, (row) => row)) {
      const { entity_id, relevance, occurrences } = found as CopiedRow;
      this.#scope.entities.add(entity_id as number);
      yield { entity: entity_id, relevance, occurrences: parsed(occurrences) };
    }
  }

  /**
   * Whether the archive may name the hashes of a document's earlier files. Such a hash confirms a guess of what was
   * redacted since. An archive of a project is for people who need not be allowed to change all its documents.
   */
  #hasHashesOf({ user_id }: SelectedDocument): boolean {
    return this.#scope.isWhole || user_id === this.#scope.owner;
  }

  #receivedFor(row: SelectedDocument): DocumentDetails["received"] {
    if (row.received === null) return null;
    if (this.#hasHashesOf(row)) return { sha1: row.received, extension: row.received_extension ?? "" };
    this.#scope.leftOut.add("hashes of uploaded files");
    return null;
  }

  /** Only those who may change a document see its history, its receipts and its corrections. */
  async #leaveOutRecordsOf(id: number): Promise<void> {
    for (const [table, kind] of [
      ["document_history", "entries of histories"],
      ["document_receipts", "receipts"],
      ["mention_corrections", "corrections of mentions"],
    ] as const)
      for await (const _ of this.#elements(table, id, () => null)) this.#scope.leftOut.add(kind);
  }

  async *#historyOf(document: SelectedDocument): AsyncGenerator {
    for await (const found of this.#elements("document_history", document.id, (row) => row)) {
      const row = found as CopiedRow;
      if (row["user_id"] !== null) this.#scope.users.add(row["user_id"] as number);
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
}

async function* startingWith(first: unknown, rest: AsyncIterable<unknown>): AsyncGenerator {
  yield first;
  yield* rest;
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
