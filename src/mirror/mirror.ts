import { randomUUID } from "node:crypto";
import type { Context } from "../context.ts";
import type { Writer } from "../database/database.ts";
import {
  type Credentials,
  type Patience,
  type PoliteFetchOptions,
  OtherServerError,
  fetchJson,
} from "../import/polite-fetch.ts";
import { type Alongside, RecordImport } from "../import/import-records.ts";
import type { ReadRecord } from "../import/read-record.ts";
import { readCandidate } from "../import/read-source.ts";
import { type Fields, RecordError, isFields, isId } from "../import/record-fields.ts";
import { candidatesIn } from "../import/record-source.ts";
import { RemoteWalk, once } from "../import/remote-list.ts";
import type { ImportReport } from "../import/report.ts";
import { RemoteConnections } from "../remote/exchange.ts";
import type { Correction } from "../resources/documents/pages/correction-store.ts";
import { putCorrections } from "../resources/documents/pages/mention-store.ts";
import { keepRecordsStored } from "../resources/documents/record-store.ts";
import { type EntityToPut, putEntities } from "../resources/entities/put-entities.ts";
import {
  type Mirror,
  findOthers,
  noteMirrored,
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
import { endWithGone } from "./gone-documents.ts";
import { MirroredContents } from "./mirrored-contents.ts";
import { RemoteCorrections } from "./remote-corrections.ts";
import { fetchEntities } from "./remote-entities.ts";

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
 * @throws {OtherServerError} if the other server keeps failing.
 */
export async function mirrorDocuments(
  context: Pick<Context, "config" | "database" | "files" | "log">,
  options: MirrorOptions,
): Promise<MirrorOutcome> {
  keepRecordsStored(context.database);
  const selection = new URLSearchParams(
    Object.entries(options.selection).map(([name, id]): [string, string] => [name, String(id)]),
  );
  const source = { api: options.api, selection: String(selection) };
  const mirror = await openMirror(context.database, source, randomUUID());
  using connections = new RemoteConnections();
  return await new MirrorRun(context, mirror, options, connections).run(selection);
}

class MirrorRun {
  readonly #context: Pick<Context, "config" | "database" | "files" | "log">;
  readonly #options: MirrorOptions;
  readonly #fetching: PoliteFetchOptions;
  readonly #contents: MirroredContents;
  readonly #corrections: RemoteCorrections;
  readonly #records: RecordImport;
  readonly #ids: LocalIds;
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
    this.#corrections = new RemoteCorrections(this.#fetching, report);
    const { fetchAllowedHosts, uploadLimitMb } = context.config;
    this.#contents = new MirroredContents(context, {
      ...this.#fetching,
      home: api,
      allowedHosts: fetchAllowedHosts ?? [],
      connections,
      limitBytes: uploadLimitMb * 1024 * 1024,
    });
    const source = { database: context.database, api };
    this.#ids = new LocalIds(source, (kind, id) => this.#find(`${api}${kind}/${id}/`, id));
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
    const ended = await endWithGone(this.#context, this.#mirror, this.#options);
    await this.#records.finish();
    return { files: this.#contents.files, ...ended };
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
        if (!(error instanceof OtherServerError || error instanceof RecordError)) throw error;
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
      if (!isFields(record) || record["id"] !== id) throw new OtherServerError("answers with another record");
      const pageCount = Number(record["page_count"]);
      const entities = await fetchEntities(address, pageCount, this.#fetching, report);
      const corrections = await this.#corrections.fetch(address);
      const known = report.known;
      await this.#records.run(
        address,
        once(candidatesIn(await this.#ids.in(record), null, 0).map(readCandidate)),
      );
      this.#failuresInRow = 0;
      if (report.failed > failed) return;
      const leftOut = await this.#contents.update(this.#mirror, id, record);
      report.leaveOut(leftOut ?? []);
      const followed = [await this.#putEntities(id, entities), await this.#putCorrections(id, corrections)];
      const isChanged = leftOut !== null || followed.includes(true);
      if (isChanged && report.known > known) report.count({ added: 0, changed: 1, known: -1 });
    } catch (error) {
      signal.throwIfAborted();
      // The document was deleted or hidden after its page of the list was read.
      if (error instanceof OtherServerError && error.status === 404) return;
      if (!(error instanceof OtherServerError || error instanceof RecordError)) throw error;
      report.fail(address, error.message);
      if (error instanceof OtherServerError && ++this.#failuresInRow >= maxFailuresInRow) throw error;
    }
  }

  /** Null if the other server does not show it. */
  async #find(address: string, id: number): Promise<Fields | null> {
    try {
      const found = await fetchJson(address, this.#fetching);
      return isFields(found) && found["id"] === id ? found : null;
    } catch (error) {
      if (error instanceof OtherServerError && (error.status === 403 || error.status === 404)) return null;
      throw error;
    }
  }

  async #putEntities(id: number, entities: readonly EntityToPut[] | null): Promise<boolean> {
    if (entities === null) return false;
    const { database } = this.#context;
    return database.write((writer) => putEntities(writer, database, id, entities));
  }

  async #putCorrections(id: number, corrections: readonly Correction[] | null): Promise<boolean> {
    if (corrections === null) return false;
    return this.#context.database.write((writer) => putCorrections(writer, id, corrections));
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
}

function noOwner(): never {
  throw new RecordError("names no user or no organization");
}
