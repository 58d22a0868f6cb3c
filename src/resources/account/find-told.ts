import type { Context } from "../../context.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { mayEdit } from "../documents/access.ts";
import { findLastOutcomes } from "../documents/receipt-store.ts";
import { type DocumentRow, accessFacts, findVisibleDocuments } from "../documents/store.ts";
import type { DocumentNotice, NamedDocument } from "../mails/compose.ts";
import type { MailContents } from "../mails/send-mail.ts";
import { mayView } from "../notes/access.ts";
import { type NoteRow, findNotesAmong } from "../notes/store.ts";
import { findUnread } from "../notifications/store.ts";
import { findKnownUser } from "../users/viewer-store.ts";

type Reading = Pick<Context, "database">;

/** Finds what notices tell of by mail, with the rights that their readers have at that moment. */
export const toldNow = (context: Reading): Pick<MailContents, "documents" | "mentions"> => ({
  documents: (...notice) => findToldDocuments(context, ...notice),
  mentions: (...notes) => countToldMentions(context, ...notes),
});

/** The documents of a notice that a person may be told of by mail at this moment, in the order of their ids. */
async function findToldDocuments(
  { database }: Reading,
  userId: number,
  kind: DocumentNotice,
  subjects: readonly number[],
): Promise<NamedDocument[]> {
  const viewer = await findReader({ database }, userId);
  if (viewer === null) return [];
  if (kind === "annotated") {
    const shown = await findShownNotes({ database }, viewer, subjects);
    const documents = new Map(shown.map(({ document }) => [document.id, document]));
    const unread = await findUnread(database.reader, userId, kind, [...documents.keys()]);
    return [...documents.values()].filter(({ id }) => unread.has(id));
  }
  const documents = await findVisibleDocuments(database, viewer, subjects);
  if (kind !== "failed") return documents.filter(({ status }) => status === "success");
  // A document that could not be redacted has its status back.
  const redactions = await findLastOutcomes(database.reader, "redacted", subjects);
  return documents.filter(({ id, status }) => status === "error" || redactions.get(id) === "failed");
}

/** How many of these notes a person sees at this moment, and has not read within Quire that they mention them. */
async function countToldMentions(
  { database }: Reading,
  userId: number,
  notes: readonly number[],
): Promise<number> {
  const viewer = await findReader({ database }, userId);
  if (viewer === null) return 0;
  const shown = await findShownNotes({ database }, viewer, notes);
  const unread = await findUnread(database.reader, userId, "mentioned", notes);
  return shown.filter(({ note }) => unread.has(note.id)).length;
}

async function findReader({ database }: Reading, id: number): Promise<SignedInViewer | null> {
  const user = await findKnownUser(database, { id });
  if (user === null || !user.isActive) return null;
  return { ...user.viewer, mayWrite: true, hasPersonalToken: false, csrfToken: null };
}

async function findShownNotes(
  { database }: Reading,
  viewer: SignedInViewer,
  ids: readonly number[],
): Promise<{ note: Pick<NoteRow, "id">; document: DocumentRow }[]> {
  const notes = await findNotesAmong(database.reader, ids);
  const documentIds = [...new Set(notes.map(({ document_id }) => document_id))];
  const documents = new Map(
    (await findVisibleDocuments(database, viewer, documentIds)).map((row) => [row.id, row]),
  );
  return notes.flatMap((note) => {
    const document = documents.get(note.document_id);
    const isShown = document !== undefined && mayView(viewer, note, mayEdit(viewer, accessFacts(document)));
    return isShown ? [{ note, document }] : [];
  });
}
