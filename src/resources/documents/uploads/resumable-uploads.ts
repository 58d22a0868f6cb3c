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
import {
  type PartialFile,
  type PartialFiles,
  type UploadNote,
  isUploadOf,
} from "../../../files/partial-files.ts";
import type { Members } from "../../../http/request/body.ts";
import { type FieldTable, membersIn, readFields } from "../../../http/fields/fields.ts";
import { unknownKey } from "../../../http/fields/field-kinds.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import type { Permits } from "../../../semaphore.ts";
import { mayEdit } from "../access.ts";
import { makingOrganization } from "../record/create-documents.ts";
import {
  type DocumentOfFile,
  fillDocument,
  makeDocumentOfFile,
  readDocumentOfFile,
  readProcessOptions,
} from "./document-of-file.ts";
import { openPassword, sealPassword } from "../processing/file-passwords.ts";
import { newFields, replacementFields, uploadFields } from "../record/fields.ts";
import { findFileFacts } from "../file-facts-store.ts";
import {
  type Replacing,
  checkReplaceable,
  readReplacing,
  receiveReplacement,
} from "./receive-replacement.ts";
import type { Publisher } from "../record/publisher.ts";
import { checkQuotas, limitedHoldersOf } from "./quotas.ts";
import { partialFilesOf } from "./shared-partial-files.ts";
import { accessFacts, findDocument } from "../store.ts";

type Metadata = UploadNote["metadata"];

/**
 * Uploads that arrive in parts. An upload's name contains its user's id. When it is complete it becomes the file of a
 * document. This step can be repeated: the upload's note names the document before the file is stored, and is marked
 * done afterwards. Until the upload expires, a client that missed the last response gets it from the note.
 */
export class ResumableUploads {
  readonly #context: Pick<
    Context,
    "config" | "database" | "files" | "uploads" | "secrets" | "jobs" | "semaphores" | "log"
  >;
  readonly #publisher: Publisher;
  readonly files: PartialFiles;
  /** Held while an upload is finished or removed. */
  readonly #ending: Permits;
  /** Uploads begin one after the other on a server, so that no user can exceed the limit in its folder. */
  readonly #beginning: Permits;

  constructor(
    context: Pick<
      Context,
      "config" | "database" | "files" | "uploads" | "secrets" | "jobs" | "semaphores" | "log"
    >,
    publisher: Publisher,
  ) {
    this.#context = context;
    this.#publisher = publisher;
    this.files = partialFilesOf(context);
    this.#ending = context.semaphores.open("ends of resumable uploads", Infinity);
    this.#beginning = context.semaphores.open("begins of resumable uploads", 1);
  }

  newName(viewer: SignedInViewer): string {
    return `${viewer.id}-${randomUUID()}`;
  }

  /** Begins an upload. Throws 400 for faults in its metadata, 403, 429 if too many are unfinished, or 507. */
  async begin(viewer: SignedInViewer, name: string, size: number, metadata: Metadata): Promise<void> {
    // An empty file would be refused in the same words when it is stored. This answer comes before anything is written.
    if (size === 0) throw invalidRequest("The file is empty.");
    const target = targetIn(metadata);
    const { password = "", ...written } = metadata;
    const note: UploadNote = { size, metadata: written, documentId: null, isDone: false };
    if (target === null) {
      const organization = makingOrganization(viewer);
      readDocument(viewer, metadata);
      await checkQuotas(
        this.#context,
        [
          { kind: "user", id: viewer.id },
          { kind: "organization", id: organization },
        ],
        size,
      );
    } else if (target.isReplaced) {
      await checkReplaceable(this.#context, viewer, target.id);
      readReplacement(metadata);
      if (password !== null && password !== "")
        note.sealedPassword = sealPassword(this.#context, target.id, password);
    } else await this.#checkTarget(viewer, target.id);
    if (target !== null)
      await checkQuotas(this.#context, await limitedHoldersOf(this.#context, target.id), size);
    const release = await this.#beginning.acquire();
    try {
      await this.#begin(viewer, name, note);
    } catch (error) {
      throw isOutOfRoom(error) ? noRoom() : error;
    } finally {
      release();
    }
  }

  /** Null if there is no such upload, or it is another user's. */
  async find(viewer: SignedInViewer, name: string): Promise<PartialFile | null> {
    return isUploadOf(viewer.id, name) ? this.files.find(name) : null;
  }

  /**
   * Turns a complete upload into the file of its document, and returns the document's id. Concurrent calls return the
   * same id. The upload is removed if this can never succeed.
   */
  async finish(viewer: SignedInViewer, name: string): Promise<number> {
    return this.#alone(name, async () => {
      try {
        return await this.#finish(viewer, name);
      } catch (error) {
        if (error instanceof ApiError && error.status < 500) await this.files.remove(name);
        throw error;
      }
    });
  }

  /** Finishes or removes an upload while no other process does, here or on another server. */
  async #alone<T>(name: string, work: () => Promise<T>): Promise<T> {
    const release = await this.#ending.acquire([{ name, maxHeld: 1 }]);
    try {
      await using _claim = await this.files.claim(name);
      return await work();
    } finally {
      release();
    }
  }

  /** Removes the uploads that nobody has continued. */
  async removeExpired(): Promise<void> {
    await this.#removeExpiredOf(await this.files.list());
  }

  async #removeExpiredOf(names: readonly string[]): Promise<void> {
    const latest = new Date(Date.now() - this.#context.config.uploadExpiryHours * 3_600_000);
    for (const name of names) {
      if (!(await this.files.isOlder(name, latest))) continue;
      await this.#alone(name, async () => {
        // It may have been finished in the meantime.
        if (await this.files.isOlder(name, latest)) await this.files.remove(name);
      });
    }
  }

  async #finish(viewer: SignedInViewer, name: string): Promise<number> {
    const { note } = (await this.files.find(name)) ?? {};
    if (note === undefined) throw notFound();
    if (note.isDone && note.documentId !== null) return note.documentId;
    const documentId = await this.#fill(viewer, name, note);
    await this.files.write(name, { ...note, sealedPassword: undefined, documentId, isDone: true });
    return documentId;
  }

  async #fill(viewer: SignedInViewer, name: string, note: UploadNote): Promise<number> {
    const begunWith = note.documentId;
    const begun = begunWith === null ? null : await findFileFacts(this.#context.database.reader, begunWith);
    // An earlier process died after it had stored the file.
    if (begunWith !== null && begun?.isWaiting === false) return begunWith;
    await using whole = await this.files.whole(name);
    const localFile = whole.path;
    const target = targetIn(note.metadata);
    if (target?.isReplaced === true) {
      const { metadata, sealedPassword } = note;
      const password =
        sealedPassword === undefined ? "" : openPassword(this.#context, target.id, sealedPassword);
      const replacing = readReplacement({ ...metadata, password });
      await receiveReplacement(this.#context, viewer, target.id, localFile, replacing);
      return target.id;
    }
    const noteDocument = (documentId: number): Promise<void> =>
      this.files.write(name, { ...note, documentId });
    const file = { localFile, processOptions: readProcessOptions(membersOf(note.metadata)) };
    if (target !== null) {
      await this.#checkTarget(viewer, target.id);
      await noteDocument(target.id);
      await fillDocument(this.#context, viewer, target.id, file);
      return target.id;
    }
    if (begunWith !== null && begun !== null) {
      await fillDocument(this.#context, viewer, begunWith, file);
      return begunWith;
    }
    const document = readDocument(viewer, note.metadata);
    return await makeDocumentOfFile(
      this.#context,
      this.#publisher,
      viewer,
      document,
      localFile,
      noteDocument,
    );
  }

  async #checkTarget(viewer: SignedInViewer, id: number): Promise<void> {
    const row = await findDocument(this.#context.database, viewer, id);
    if (row === null || !mayEdit(viewer, accessFacts(row))) {
      throw invalidFields({ document: [unknownKey(id).message] });
    }
    if (row.status !== "nofile") throw invalidFields({ document: ["It has its file already."] });
  }

  /** Removes the user's expired uploads before refusing a new one, so that nobody waits for the hourly clean-up. */
  async #begin(viewer: SignedInViewer, name: string, note: UploadNote): Promise<void> {
    const max = this.#context.config.unfinishedUploads;
    const begin = (): Promise<boolean> => this.files.begin(name, note, { user: viewer.id, max });
    if (await begin()) return;
    const unfinished = await this.files.listUnfinished();
    await this.#removeExpiredOf(unfinished.filter((one) => isUploadOf(viewer.id, one)));
    if (!(await begin())) throw tooManyUploads(max);
  }
}

/** The document that the upload is for, and whether its file may be replaced; null if it creates a new one. */
function targetIn(metadata: Metadata): { id: number; isReplaced: boolean } | null {
  const members = new Map(Object.entries(metadata).filter(([name]) => name in uploadFields));
  const { document, replace } = readFields(uploadFields, members, "part");
  return document === undefined ? null : { id: document, isReplaced: replace === true };
}

function readReplacement(metadata: Metadata): Replacing {
  return readReplacing(membersOf(metadata, replacementFields), metadata["filename"] ?? "");
}

function readDocument(viewer: SignedInViewer, metadata: Metadata): DocumentOfFile {
  return readDocumentOfFile(viewer, membersOf(metadata), metadata["filename"] ?? "");
}

/** Reads the metadata like a form. The values of a list are separated by commas. */
function membersOf(metadata: Metadata, fields: FieldTable = newFields): Members {
  const form = Object.entries(metadata).map(([name, value]): [string, string[]] => {
    const isList = fields[name]?.type === "list";
    return [name, isList ? (value ?? "").split(",").map((item) => item.trim()) : [value ?? ""]];
  });
  return membersIn(fields, { form: new Map(form) });
}
