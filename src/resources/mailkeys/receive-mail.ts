import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { Context } from "../../context.ts";
import { ApiError } from "../../errors.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import type { MailHead } from "../../processing/unpack/unpacking.ts";
import { digestOf } from "../../secrets/digest.ts";
import { mayEditDocumentsOf } from "../documents/access.ts";
import { addHistory } from "../documents/history-store.ts";
import { Publisher } from "../documents/record/publisher.ts";
import {
  type DocumentOfFile,
  fillDocument,
  makeDocumentOfFile,
  readDocumentOfFile,
} from "../documents/uploads/document-of-file.ts";
import { findKnownUser } from "../users/viewer-store.ts";
import {
  type Arrival,
  type MailKeyRow,
  addArrival,
  addRefusal,
  findArrived,
  findMailKey,
  isUnfilled,
} from "./store.ts";

/*
 * A mail to an address with a key becomes a document of the key's owner, as if they had uploaded its file. Which mail
 * became it is written between the creation of the document and the arrival of its file. So of two processes that have
 * the same mail, one fails there. A mail whose document still waits for its file, because a process died, gives that
 * document its file when it is sent again.
 */

type Services = Pick<Context, "config" | "database" | "files" | "jobs" | "log">;

/** A mail on this machine. */
export interface ReceivedMail {
  path: string;
  way: Arrival["way"];
  /** As the mail server names it; empty if it names none. */
  sender: string;
}

/** The mail is refused for good. The message is for the operator. */
export class RefusedMailError extends Error {
  override readonly name = "RefusedMailError";
}

/** The same words for a key that never was and for one that was revoked. */
export const noSuchAddress = "No such address";

const maxHeaderBytes = 65_536;
const maxSender = 320;

/** The key of an address; null if no key has this address. */
export async function findKeyOf(
  { config, database }: Pick<Context, "config" | "database">,
  address: string,
): Promise<MailKeyRow | null> {
  const [, key, domain] = /^([\da-f-]{36})@([^@]+)$/.exec(address.trim().toLowerCase()) ?? [];
  if (key === undefined || domain !== config.mailInDomain) return null;
  return findMailKey(database.reader, digestOf(key));
}

/**
 * Makes a document of a mail, with the rights that the key's owner has now. Returns its id. A mail that has arrived
 * before is the same document.
 *
 * @throws {RefusedMailError} if it never will be one. Any other error may pass.
 */
export async function receiveMail(services: Services, key: MailKeyRow, mail: ReceivedMail): Promise<number> {
  const { database } = services;
  const sender = Array.from(mail.sender).slice(0, maxSender).join("").toWellFormed();
  const { subject, messageId } = await readHead(mail.path);
  const digest = await digestOfMail(key, messageId, mail.path);
  const viewer = await ownerOf(services, key);
  const document = documentOf(viewer, key, subject);
  const known = await findArrived(database.reader, digest);
  if (known !== null) return fillKnown(services, viewer, known, { document, path: mail.path });
  const note = (id: number): Promise<void> =>
    database.write(async (writer) => {
      const arrival = { user_id: key.user_id, digest, way: mail.way, sender };
      await addArrival(writer, arrival, { keyId: key.id, documentId: id });
      const changes = { arrived_by: [null, mail.way], sender: [null, sender] } as const;
      await addHistory(writer, [{ documentId: id, userId: viewer.id, action: "changed", changes }]);
    });
  // No mail names a time of publication.
  const publisher = new Publisher(database, { isReadOnly: true });
  try {
    return await makeDocumentOfFile(services, publisher, viewer, document, mail.path, note);
  } catch (error) {
    throw refusalOf(error) ?? error;
  }
}

/** Lists a refusal for the operator, once for each owner, sender and reason. */
export async function noteRefusedMail(
  { database }: Pick<Context, "database">,
  { user_id, way, sender, reason }: Pick<Arrival, "user_id" | "way" | "sender"> & { reason: string },
): Promise<void> {
  const digest = digestOf(JSON.stringify(["refused", user_id, way, sender, reason]));
  await database.write((writer) => addRefusal(writer, { user_id, way, sender, reason, digest }));
}

async function readHead(path: string): Promise<{ subject: string; messageId: string }> {
  await using handle = await open(path);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxHeaderBytes), 0, maxHeaderBytes, 0);
  return headOfMail(buffer.subarray(0, bytesRead));
}

/**
 * What the headers at the beginning of a mail say, as far as they are not too long: the parser refuses those. It loads
 * the parser only where mails arrive.
 */
export async function headOfMail(bytes: Uint8Array): Promise<MailHead> {
  const { headOf, headersIn, parseMail } = await import("../../processing/unpack/read-mail.ts");
  return headOf(await parseMail(headersIn(bytes.subarray(0, maxHeaderBytes))));
}

async function digestOfMail({ id }: MailKeyRow, messageId: string, path: string): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify([id, messageId]));
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

/** The owner of the key, as the database has them now. */
async function ownerOf(
  { config, database }: Pick<Context, "config" | "database">,
  { user_id, project_id }: MailKeyRow,
): Promise<SignedInViewer> {
  if (config.readOnly) throw new Error("The server is read-only for now");
  const user = await findKnownUser(database, { id: user_id });
  if (user === null || !user.isActive) throw new RefusedMailError("The owner of the address is disabled");
  const viewer = { ...user.viewer, mayWrite: true, hasPersonalToken: false, csrfToken: null };
  if (viewer.organization === null)
    throw new RefusedMailError("The owner of the address belongs to no organization");
  if (project_id !== null && !mayEditDocumentsOf(viewer, project_id))
    throw new RefusedMailError("The owner of the address may not add documents to the project any more");
  return viewer;
}

function documentOf(
  viewer: SignedInViewer,
  { project_id, access }: MailKeyRow,
  subject: string,
): DocumentOfFile {
  const members = new Map<string, unknown>([
    ["title", subject],
    ["access", access],
    ["original_extension", "eml"],
    ["projects", project_id === null ? [] : [project_id]],
  ]);
  return readDocumentOfFile(viewer, members, "mail.eml");
}

/** Gives a document that waits for its file the file. */
async function fillKnown(
  services: Services,
  viewer: SignedInViewer,
  id: number,
  { document, path }: { document: DocumentOfFile; path: string },
): Promise<number> {
  const isWaiting = (): Promise<boolean> => isUnfilled(services.database.reader, id);
  if (!(await isWaiting())) return id;
  try {
    await fillDocument(services, viewer, id, { localFile: path, processOptions: document.processOptions });
  } catch (error) {
    // The process that has made the document may have given it its file meanwhile.
    if (await isWaiting()) throw refusalOf(error) ?? error;
  }
  return id;
}

/** What the API refuses in an upload, except what may pass: too many requests, and no room on the server. */
function refusalOf(error: unknown): RefusedMailError | null {
  if (!(error instanceof ApiError) || error.status === 429 || error.status >= 500) return null;
  if (error.status === 409) return null;
  const { detail } = error.body as { detail?: unknown };
  return new RefusedMailError(typeof detail === "string" ? detail : error.message, { cause: error });
}
