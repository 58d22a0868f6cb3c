import { asciiLower } from "../../database/ascii-lower.ts";
import type { Context } from "../../context.ts";
import type { Database, Writer } from "../../database/database.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { mayEdit } from "../documents/access.ts";
import { accessFacts, findDocument } from "../documents/store.ts";
import { notifyAnnotated } from "../mails/notify-people.ts";
import { findIdsByName } from "../users/list-store.ts";
import { findKnownUser } from "../users/viewer-store.ts";
import { mayView } from "./access.ts";
import type { NoteRow } from "./store.ts";

/** More people than these are not told of one note. */
const maxMentioned = 20;

/** A person whose name a note has, and who sees its document. */
export interface Mentioned {
  viewer: SignedInViewer;
  /** Whether they may change the document. */
  isEditable: boolean;
}

/** The usernames in lower case that a text has after an `@`. An address such as `ada@example.org` mentions nobody. */
export function namesIn(text: string): string[] {
  const names = text.matchAll(/(?<![\w.@+-])@([\w.@+-]*\w)/g);
  return [...new Set(Array.from(names, ([, name = ""]) => asciiLower(name)))].slice(0, maxMentioned);
}

/** The people whom a text mentions, among those who see the document. */
export async function findMentioned(
  database: Database,
  documentId: number,
  content: unknown,
): Promise<Mentioned[]> {
  if (typeof content !== "string") return [];
  const mentioned: Mentioned[] = [];
  for (const id of await findIdsByName(database.reader, namesIn(content))) {
    const user = await findKnownUser(database, { id });
    if (user === null || !user.isActive) continue;
    const viewer = { ...user.viewer, mayWrite: true, hasPersonalToken: false, csrfToken: null };
    const document = await findDocument(database, viewer, documentId);
    if (document !== null) mentioned.push({ viewer, isEditable: mayEdit(viewer, accessFacts(document)) });
  }
  return mentioned;
}

/**
 * Tells those of the mentioned people who see the note, and whom it did not mention before; of a new note also the
 * people of its document who see it. Call it last in the transaction that writes the note.
 */
export async function notifyAboutNote(
  context: Pick<Context, "config" | "database">,
  writer: Writer,
  mentioned: readonly Mentioned[],
  { note, before, actorId }: { note: NoteRow; before: string | null; actorId: number },
): Promise<void> {
  const known = new Set(namesIn(before ?? ""));
  const named = mentioned.filter(
    ({ viewer, isEditable }) => !known.has(asciiLower(viewer.username)) && mayView(viewer, note, isEditable),
  );
  const isShownTo = ({ isEditor }: { isEditor: boolean }): boolean =>
    note.access === "public" || (note.access === "organization" && isEditor);
  const about = { note: note.id, documentId: note.document_id, actorId };
  const ids = new Set(named.map(({ viewer }) => viewer.id));
  await notifyAnnotated(context, writer, about, ids, before === null ? isShownTo : null);
}
