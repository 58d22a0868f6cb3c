import { randomUUID } from "node:crypto";
import type { Context } from "../context.ts";
import type { Writer } from "../database/database.ts";
import { documentFileKey } from "../files/keys.ts";
import {
  type Credentials,
  type Patience,
  type PoliteFetchOptions,
  RemoteError,
  fetchJson,
} from "../import/polite-fetch.ts";
import type { PoliteFileOptions } from "../import/polite-file.ts";
import { type Alongside, RecordImport } from "../import/import-records.ts";
import type { ReadRecord } from "../import/read-record.ts";
import { readCandidate } from "../import/read-source.ts";
import { type Fields, RecordError, isFields, isId } from "../import/record-fields.ts";
import { candidatesIn } from "../import/record-source.ts";
import { RemoteWalk, once } from "../import/remote-list.ts";
import type { ImportReport } from "../import/report.ts";
import { RemoteConnections } from "../remote/exchange.ts";
import { deleteDocument } from "../resources/documents/record/change-store.ts";
import { removeFilesOf } from "../resources/documents/record/remove-files.ts";
import { addHistory } from "../resources/documents/history-store.ts";
import { noteArrival } from "../resources/documents/files/received-file-store.ts";
import { addUnrecognisedPages, deletePages } from "../resources/documents/pages/page-store.ts";
import { keepRecordsStored } from "../resources/documents/record-store.ts";
import { type EntityToPut, putEntities } from "../resources/entities/put-entities.ts";
import {
  type Mirror,
  findGoneDocuments,
  findHeld,
  findOthers,
  forgetMirrored,
  isMirroredElsewhere,
  noteMirrored,
  noteMirroredContent,
  noteMirroredProject,
  noteNextPage,
  noteSeen,
  openMirror,
  updateMirroredProject,
} from "../resources/mirrors/store.ts";
import { putCollaborators } from "../resources/mirrors/collaborator-store.ts";
import { removeOtherNotes } from "../resources/notes/put-notes.ts";
import { removeOtherSections } from "../resources/sections/put-sections.ts";
import { fetchCollaborators } from "./collaborators.ts";
import { LocalIds } from "./local-ids.ts";
import { type FetchedFile, type RemoteContents, fetchContents } from "./remote-contents.ts";
import { entityIn } from "./remote-entity.ts";

export interface MirrorOptions {
  /** The address of the other server's API, with a slash at the end. */
  api: string;
  /** The filters of the other server's list. */
  selection: Readonly<Partial<Record<"user" | "organization" | "project", number>>>;
  credentials?: Credentials;
  /** Whether documents that the other server no longer has are deleted here. */
  deletes: boolean;
  /** The address of this server's own files. */
  ownAssets: string;
  userAgent: string;
  patience: Patience;
  signal: AbortSignal;
  report: ImportReport;
}

/** The number of fetched files, and of documents that the other server no longer has. */
export interface MirrorOutcome {
  files: number;
  gone: number;
  deleted: number;
}

const recordsPerPage = 100;
/** If this many documents in a row fail, the other server itself fails, and the run ends. */
const maxFailuresInRow = 3;
const expanded = "user,organization,notes,notes.user,notes.organization,sections";

/**
 * Copies a selection of documents from a server with DocumentCloud's API, and keeps the copies up to date: records,
 * files, texts, notes, sections, projects and entities. It sends one request at a time. An interrupted walk continues
 * at the page where it stopped, and a file is fetched only if it has changed.
 *
 * @throws {RemoteError} if the other server keeps failing.
 */
export async function mirrorDocuments(
  context: Pick<Context, "config" | "database" | "files" | "log">,
  options: MirrorOptions,
): Promise<MirrorOutcome> {
  keepRecordsStored(context.database);
  const selection = new URLSearchParams(
    Object.entries(options.selection).map(([name, id]): [string, string] => [name, String(id)]),
  );
  const place = { api: options.api, selection: String(selection) };
  const mirror = await openMirror(context.database, place, randomUUID());
  using connections = new RemoteConnections();
  return await new MirrorRun(context, mirror, options, connections).run(selection);
}

class MirrorRun {
  readonly #context: Pick<Context, "config" | "database" | "files" | "log">;
  readonly #options: MirrorOptions;
  readonly #fetching: PoliteFetchOptions;
  readonly #fetchingFiles: PoliteFileOptions;
  readonly #records: RecordImport;
  readonly #ids: LocalIds;
  readonly #outcome: MirrorOutcome = { files: 0, gone: 0, deleted: 0 };
  #mirror: Mirror;
  #failuresInRow = 0;

  constructor(
    context: Pick<Context, "config" | "database" | "files" | "log">,
    mirror: Mirror,
    options: MirrorOptions,
    connections: RemoteConnections,
  ) {
    const { api, signal, report, ownAssets, userAgent, patience, credentials } = options;
    this.#context = context;
    this.#mirror = mirror;
    this.#options = options;
    const onWait = (seconds: number, reason: string): void =>
      report.note(`${api}: ${reason}, asking again in ${Math.ceil(seconds)} s`);
    this.#fetching = { userAgent, signal, patience, onWait, ...(credentials && { credentials }) };
    const { fetchAllowedHosts, uploadLimitMb } = context.config;
    this.#fetchingFiles = {
      ...this.#fetching,
      home: api,
      allowedHosts: fetchAllowedHosts ?? [],
      connections,
      limitBytes: uploadLimitMb * 1024 * 1024,
    };
    const place = { database: context.database, api };
    this.#ids = new LocalIds(place, (kind, id) => this.#find(`${api}${kind}/${id}/`, id));
    this.#records = new RecordImport(context, {
      ownAssets,
      owner: noOwner,
      signal,
      report,
      alongside: this.#alongside,
    });
  }

  async run(selection: URLSearchParams): Promise<MirrorOutcome> {
    const { database } = this.#context;
    const { api, report } = this.#options;
    const query = new URLSearchParams([...selection, ["per_page", String(recordsPerPage)]]);
    const walk = new RemoteWalk(`${api}documents/?${query.toString()}`, this.#fetching);
    if (this.#mirror.next !== null && walk.resumeAt(this.#mirror.next)) {
      report.note(`${api}: going on where the last run stopped`);
    }
    for (;;) {
      const page = await walk.nextPage();
      if (page === "gone") {
        report.note(`${api}: the page where the last run stopped is no longer there, starting over`);
        await noteNextPage(database, this.#mirror.id, null);
        this.#mirror = await openMirror(database, { api, selection: String(selection) }, randomUUID());
        continue;
      }
      const ids = page.results.flatMap((record) =>
        isFields(record) && isId(record["id"]) ? [record["id"]] : [],
      );
      await noteSeen(database, this.#mirror, ids);
      for (const id of ids) await this.#takeIn(id);
      await noteNextPage(database, this.#mirror.id, page.next);
      if (page.next === null) break;
    }
    await this.#putCollaborators();
    await this.#endWithGone();
    await this.#records.finish();
    return this.#outcome;
  }

  /** Brings the collaborators of the projects of this walk up to date. */
  async #putCollaborators(): Promise<void> {
    const { database } = this.#context;
    const { api, report, signal } = this.#options;
    for (const [local, remote] of this.#ids.remoteProjects) {
      signal.throwIfAborted();
      const address = `${api}projects/${remote}/`;
      try {
        const found = await fetchCollaborators(address, (user) => this.#ids.user(user), this.#fetching);
        if (found === null) report.leaveOut(["collaborators of projects"]);
        else await database.write((writer) => putCollaborators(writer, database.dialect, local, found));
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof RemoteError || error instanceof RecordError)) throw error;
        report.fail(`${address}users/`, error.message);
      }
    }
  }

  async #takeIn(id: number): Promise<void> {
    const { api, report, signal } = this.#options;
    signal.throwIfAborted();
    const address = `${api}documents/${id}/`;
    report.at(address);
    const failed = report.failed;
    try {
      const record = await fetchJson(`${address}?expand=${expanded}`, this.#fetching);
      if (!isFields(record) || record["id"] !== id) throw new RemoteError("answers with another record");
      const entities = await this.#entitiesOf(address, Number(record["page_count"]));
      const known = report.known;
      await this.#records.run(
        address,
        once(candidatesIn(await this.#ids.in(record), null, 0).map(readCandidate)),
      );
      this.#failuresInRow = 0;
      if (report.failed > failed) return;
      const isChanged = [await this.#fetch(id, record), await this.#putEntities(id, entities)].includes(true);
      if (isChanged && report.known > known) report.count({ added: 0, changed: 1, known: -1 });
    } catch (error) {
      signal.throwIfAborted();
      // The document was deleted or hidden after its page of the list was read.
      if (error instanceof RemoteError && error.status === 404) return;
      if (!(error instanceof RemoteError || error instanceof RecordError)) throw error;
      report.fail(address, error.message);
      if (error instanceof RemoteError && ++this.#failuresInRow >= maxFailuresInRow) throw error;
    }
  }

  /** Null if the other server does not show it. */
  async #find(address: string, id: number): Promise<Fields | null> {
    try {
      const found = await fetchJson(address, this.#fetching);
      return isFields(found) && found["id"] === id ? found : null;
    } catch (error) {
      if (error instanceof RemoteError && (error.status === 403 || error.status === 404)) return null;
      throw error;
    }
  }

  /** Fetches the file and the texts, unless the local copies are current. Returns whether it fetched them. */
  async #fetch(id: number, record: Fields): Promise<boolean> {
    const { database } = this.#context;
    const { status, slug, asset_url: assets, file_hash: fileHash, updated_at: version } = record;
    const extension = record["original_extension"];
    if (status !== "success" && status !== "readable") return false;
    const texts = { slug, assets, extension, version };
    if (!Object.values(texts).every((text) => typeof text === "string")) return false;
    const content = JSON.stringify([version, slug, extension, fileHash]);
    const held = await findHeld(database.reader, this.#mirror, id);
    if (held === null || (held.isFileHere && held.content === content)) return false;
    const document = {
      folder: new URL(`documents/${id}/`, String(assets)).href,
      slug: String(slug),
      extension: String(extension),
      fileHash: typeof fileHash === "string" ? fileHash : "",
      pageCount: Number(record["page_count"]),
      version: String(version),
    };
    // Other servers, such as a public bucket, get no credentials. Some refuse requests that have any.
    const { credentials, ...anonymous } = this.#fetchingFiles;
    const isAtHome = new URL(document.folder).origin === new URL(this.#options.api).origin;
    const fetching = isAtHome && credentials !== undefined ? { ...anonymous, credentials } : anonymous;
    await using contents = await fetchContents(document, { withFile: !held.isFileHere }, fetching);
    await this.#put(id, document, contents, content);
    this.#options.report.leaveOut(contents.leftOut);
    return true;
  }

  async #put(
    id: number,
    { slug, extension, folder }: { slug: string; extension: string; folder: string },
    { pdf, original, texts }: RemoteContents,
    content: string,
  ): Promise<void> {
    const { database, files } = this.#context;
    const stored: { file: FetchedFile; key: string; extension: string }[] = [];
    const started = performance.now();
    if (pdf !== null) stored.push({ file: pdf, key: documentFileKey(id, slug, "pdf"), extension: "pdf" });
    if (original !== null)
      stored.push({ file: original, key: documentFileKey(id, slug, extension), extension });
    for (const { file, key } of stored) await files.put(key, file.path);
    this.#outcome.files += stored.length;
    const storing = performance.now() - started;
    await database.write(async (writer) => {
      if (texts !== null) {
        await deletePages(writer, id);
        let first = 0;
        for await (const pages of texts()) {
          await addUnrecognisedPages(writer, id, first, pages);
          first += pages.length;
        }
      }
      const arrived = stored.at(-1);
      if (arrived !== undefined) {
        const { file, key } = arrived;
        const { sha1, sha256, bytes } = file;
        const milliseconds = { coming: file.milliseconds, storing };
        const facts = { key, extension: arrived.extension, sha1, sha256, bytes, milliseconds };
        await noteArrival(writer, id, facts, { host: new URL(folder).host, isRead: false });
      }
      await noteMirroredContent(writer, this.#mirror, id, content);
    });
  }

  /** The entities of a document; null if the other server returns 404 for them. */
  async #entitiesOf(address: string, pageCount: number): Promise<readonly EntityToPut[] | null> {
    const walk = new RemoteWalk(`${address}entities/?expand=entity&per_page=100`, this.#fetching);
    const entities: EntityToPut[] = [];
    try {
      for (;;) {
        const page = await walk.nextPage();
        if (page === "gone") continue;
        for (const item of page.results) {
          const entity = entityIn(item, pageCount);
          if (entity === null) this.#options.report.leaveOut(["invalid entities"]);
          else entities.push(entity);
        }
        if (page.next === null) return entities;
      }
    } catch (error) {
      if (error instanceof RemoteError && error.status === 404) return null;
      throw error;
    }
  }

  async #putEntities(id: number, entities: readonly EntityToPut[] | null): Promise<boolean> {
    if (entities === null) return false;
    const { database } = this.#context;
    return database.write((writer) => putEntities(writer, database, id, entities));
  }

  readonly #alongside: Alongside = {
    before: async (writer, records) => {
      const { dialect } = this.#context.database;
      const ids = records.map(({ values }) => values.id);
      const [other] = await findOthers(writer, dialect, this.#mirror.api, ids);
      if (other !== undefined) {
        throw new RecordError(
          `a document with this id is here already, and did not come from ${this.#mirror.api}`,
        );
      }
    },
    after: async (writer, records) => {
      for (const record of records) await this.#follow(writer, record);
    },
  };

  /** Updates the data that an import leaves unchanged. */
  async #follow(writer: Writer, { values, projects, notes, sections }: ReadRecord): Promise<void> {
    const { dialect } = this.#context.database;
    await noteMirrored(writer, this.#mirror, values.id);
    for (const project of projects) {
      const remote_id = this.#ids.remoteProjects.get(project.id) ?? project.id;
      await noteMirroredProject(writer, { project_id: project.id, api: this.#mirror.api, remote_id });
      const { id, title, slug, description, private: isPrivate, updated_at } = project;
      if (title === null || slug === null || updated_at === null) continue;
      await updateMirroredProject(writer, dialect, {
        id,
        title,
        slug,
        description,
        private: isPrivate,
        updated_at,
      });
    }
    const kept = notes.map(({ user, created_at }) => ({ user_id: user.id, created_at }));
    await removeOtherNotes(writer, dialect, values.id, kept);
    await removeOtherSections(writer, dialect, values.id, sections);
  }

  /** Reports the documents that the other server no longer has, and deletes them if the options say so. */
  async #endWithGone(): Promise<void> {
    const { database } = this.#context;
    const { deletes, report, signal } = this.#options;
    for (let after = 0; ;) {
      const gone = await findGoneDocuments(database.reader, this.#mirror, after);
      for (const { id, title } of gone) {
        signal.throwIfAborted();
        after = id;
        this.#outcome.gone += 1;
        const isDeleted = deletes && (await this.#delete(id));
        if (isDeleted) this.#outcome.deleted += 1;
        report.note(`Document ${id}, ${JSON.stringify(title)}, is gone there${isDeleted ? ": deleted" : ""}`);
      }
      if (gone.length === 0) return;
    }
  }

  /** Deletes a document, unless another mirror has it. */
  async #delete(id: number): Promise<boolean> {
    const isDeleted = await this.#context.database.write(async (writer) => {
      const isKept = await isMirroredElsewhere(writer, this.#mirror, id);
      if (isKept) await forgetMirrored(writer, this.#mirror, id);
      else {
        await deleteDocument(writer, id);
        await addHistory(writer, [{ documentId: id, userId: null, action: "deleted", changes: {} }]);
      }
      return !isKept;
    });
    if (isDeleted) await removeFilesOf(this.#context, [id]);
    return isDeleted;
  }
}

function noOwner(): never {
  throw new RecordError("names no user or no organization");
}
