import { randomUUID } from "node:crypto";
import type { Context } from "../../../context.ts";
import {
  ApiError,
  invalidFields,
  invalidRequest,
  isOutOfRoom,
  noRoom,
  notFound,
  tooManyUploads,
} from "../../../errors.ts";
import type { PartialFile, UploadNote } from "../../../files/upload-folder.ts";
import type { Members } from "../../../http/request/body.ts";
import { membersIn, readFields, unknownKey } from "../../../http/fields/fields.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { Semaphore } from "../../../semaphore.ts";
import { mayEdit } from "../access.ts";
import { makingOrganization } from "../record/create-documents.ts";
import {
  type DocumentOfFile,
  fillDocument,
  makeDocumentOfFile,
  readDocumentOfFile,
  readProcessOptions,
} from "./document-of-file.ts";
import { newFields, uploadFields } from "../record/fields.ts";
import { findFileFacts } from "../file-facts-store.ts";
import type { Publisher } from "../record/publisher.ts";
import { accessFacts, findDocument } from "../store.ts";

type Storage = Pick<Context, "config" | "database" | "files" | "uploads" | "jobs" | "log">;
type Metadata = UploadNote["metadata"];

/**
 * Uploads that come in parts. Whose an upload is stands in its name. When all of it has come it becomes the file of a
 * document, and that can be begun again: the note says which document it is for before the file is put there, and that
 * it is done after. Until it expires, whoever missed the last answer finds out from the note.
 */
export class ResumableUploads {
  readonly #context: Storage;
  readonly #publisher: Publisher;
  /** Of the uploads that are being finished, what will come of it. */
  readonly #finishing = new Map<string, Promise<number>>();
  /** One after the other, so that nobody begins more than they may. */
  readonly #beginning = new Semaphore(1);

  constructor(context: Storage, publisher: Publisher) {
    this.#context = context;
    this.#publisher = publisher;
  }

  newName(viewer: SignedInViewer): string {
    return `${viewer.id}-${randomUUID()}`;
  }

  /** Begins one; 400 for what it says of its document, 403, 429 where too many are unfinished, 507. */
  async begin(viewer: SignedInViewer, name: string, size: number, metadata: Metadata): Promise<void> {
    if (size === 0) throw invalidRequest("The file is empty.");
    const target = targetIn(metadata);
    if (target === null) {
      makingOrganization(viewer);
      readDocument(viewer, metadata);
    } else await this.#checkTarget(viewer, target);
    const release = await this.#beginning.acquire();
    try {
      await this.#checkCount(viewer);
      await this.#context.uploads.begin(name, { size, metadata, documentId: null, isDone: false });
    } catch (error) {
      throw isOutOfRoom(error) ? noRoom() : error;
    } finally {
      release();
    }
  }

  /** Null where there is none, or it is somebody else's. */
  async find(viewer: SignedInViewer, name: string): Promise<PartialFile | null> {
    return isOf(viewer, name) ? this.#context.uploads.find(name) : null;
  }

  /**
   * Makes of an upload that has come whole the file of its document, whose id it gives. Who comes while that is being
   * done gets the same. Where it cannot ever be done, the upload goes.
   */
  async finish(viewer: SignedInViewer, name: string): Promise<number> {
    const finishing = this.#finishing.get(name) ?? this.#finish(viewer, name);
    this.#finishing.set(name, finishing);
    try {
      return await finishing;
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) await this.#context.uploads.remove(name);
      throw error;
    } finally {
      this.#finishing.delete(name);
    }
  }

  /** Removes the uploads that nobody has gone on with. */
  async removeExpired(): Promise<void> {
    await this.#removeExpiredOf(await this.#context.uploads.list());
  }

  async #removeExpiredOf(names: readonly string[]): Promise<void> {
    const { config, uploads } = this.#context;
    const latest = new Date(Date.now() - config.uploadExpiryHours * 3_600_000);
    for (const name of names) {
      if (!this.#finishing.has(name) && (await uploads.isOlder(name, latest))) await uploads.remove(name);
    }
  }

  async #finish(viewer: SignedInViewer, name: string): Promise<number> {
    const { uploads } = this.#context;
    const { note } = (await uploads.find(name)) ?? {};
    if (note === undefined) throw notFound();
    if (note.isDone && note.documentId !== null) return note.documentId;
    const documentId = await this.#fill(viewer, name, note);
    await uploads.write(name, { ...note, documentId, isDone: true });
    return documentId;
  }

  async #fill(viewer: SignedInViewer, name: string, note: UploadNote): Promise<number> {
    const { database, uploads } = this.#context;
    const place = uploads.placeOf(name);
    const target = targetIn(note.metadata);
    const begunWith = note.documentId;
    const begun = begunWith === null ? null : await findFileFacts(database.reader, begunWith);
    // A process died at it, after the file was where it belongs.
    if (begunWith !== null && begun?.isWaiting === false) return begunWith;
    const writeDown = (documentId: number): Promise<void> => uploads.write(name, { ...note, documentId });
    const options = readProcessOptions(membersOf(note.metadata));
    if (target !== null) {
      await this.#checkTarget(viewer, target);
      await writeDown(target);
      await fillDocument(this.#context, viewer, target, place, options);
      return target;
    }
    if (begunWith !== null && begun !== null) {
      await fillDocument(this.#context, viewer, begunWith, place, options);
      return begunWith;
    }
    const document = readDocument(viewer, note.metadata);
    return makeDocumentOfFile(this.#context, this.#publisher, viewer, document, place, writeDown);
  }

  async #checkTarget(viewer: SignedInViewer, id: number): Promise<void> {
    const row = await findDocument(this.#context.database, viewer, id);
    if (row === null || !mayEdit(viewer, accessFacts(row))) {
      throw invalidFields({ document: [unknownKey(id).message] });
    }
    if (row.status !== "nofile") throw invalidFields({ document: ["It has its file already."] });
  }

  /** Before anyone is refused, those of theirs that have expired go: nobody has to wait for the next round. */
  async #checkCount(viewer: SignedInViewer): Promise<void> {
    const { config, uploads } = this.#context;
    const unfinished = async (): Promise<string[]> =>
      (await uploads.listUnfinished()).filter((name) => isOf(viewer, name));
    const names = await unfinished();
    if (names.length < config.unfinishedUploads) return;
    await this.#removeExpiredOf(names);
    if ((await unfinished()).length >= config.unfinishedUploads)
      throw tooManyUploads(config.unfinishedUploads);
  }
}

function isOf(viewer: SignedInViewer, name: string): boolean {
  return name.startsWith(`${viewer.id}-`);
}

/** Which document it is for; null: one that is still to be made. */
function targetIn(metadata: Metadata): number | null {
  const given = new Map(Object.entries(metadata).filter(([name]) => name === "document"));
  return readFields(uploadFields, given, "part").document ?? null;
}

function readDocument(viewer: SignedInViewer, metadata: Metadata): DocumentOfFile {
  return readDocumentOfFile(viewer, membersOf(metadata), metadata["filename"] ?? "");
}

/** As if it were a form; of a list, the values stand with commas between them. */
function membersOf(metadata: Metadata): Members {
  const form = Object.entries(metadata).map(([name, value]): [string, string[]] => {
    const isList = name in newFields && newFields[name as keyof typeof newFields].type === "list";
    return [name, isList ? (value ?? "").split(",").map((one) => one.trim()) : [value ?? ""]];
  });
  return membersIn(newFields, { form: new Map(form) });
}
