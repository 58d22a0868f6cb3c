import type { Database } from "../../../database/database.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import type { DocumentData } from "../data-field.ts";
import { type DocumentRow, findVisibleDocuments } from "../store.ts";
import { topicOf } from "./mail-topic.ts";

/*
 * Mails belong to a conversation by their references. Programs that leave these out break conversations: a mail
 * without any that has the mark of an answer in its subject is guessed to belong to those that have the same subject
 * and whose senders are among its participants, and it among theirs.
 */

/** A mail in a conversation. */
export interface ThreadRow {
  row: DocumentRow;
  /** The addresses of its senders. */
  from: readonly string[];
  /** UTC, ISO 8601; empty if it states none. */
  date: string;
  /** Whether it belongs to the conversation by its subject and its participants only. */
  isGuessed: boolean;
}

interface Mail extends Omit<ThreadRow, "isGuessed"> {
  thread: string;
  topic: string;
  /** Whether its subject says that it answers, and nothing says what. */
  isLost: boolean;
  participants: ReadonlySet<string>;
}

/** How many mails of a conversation are looked at. */
const maxThread = 1000;

/**
 * The mails that belong to a document's conversation, as far as the viewer may see them, the oldest first. Empty unless
 * there are several.
 */
export async function findThread(
  database: Database,
  viewer: Viewer,
  { data }: Pick<DocumentRow, "data">,
): Promise<ThreadRow[]> {
  const { mail_thread: [thread] = [], mail_topic: [topic] = [] } = JSON.parse(data) as DocumentData;
  if (thread === undefined) return [];
  const ids = await idsWith(database, "mail_thread", thread);
  const ofTopic = topic === undefined ? [] : await idsWith(database, "mail_topic", topic);
  const rows = await findVisibleDocuments(database, viewer, [...new Set([...ids, ...ofTopic])]);
  const mails = rows.map(mailOf);
  const isSure = (mail: Mail): boolean => mail.thread === thread;
  const found = withGuessed(
    mails.filter(isSure),
    mails.filter((mail) => !isSure(mail)),
  );
  if (found.length < 2) return [];
  return found
    .map((mail) => ({ row: mail.row, from: mail.from, date: mail.date, isGuessed: !isSure(mail) }))
    .toSorted((one, other) => compareTexts(one.date, other.date) || one.row.id - other.row.id);
}

async function idsWith({ reader }: Database, key: string, value: string): Promise<number[]> {
  const rows = await reader
    .selectFrom("document_data")
    .select("document_id")
    .where("key", "=", key)
    .where("is_public", "in", [true, false])
    .where("lowest", "=", value)
    .orderBy("document_id")
    .limit(maxThread)
    .execute();
  return rows.map(({ document_id }) => document_id);
}

function mailOf(row: DocumentRow): Mail {
  const {
    mail_from: from = [],
    mail_to: to = [],
    mail_date: [date = ""] = [],
    mail_subject: [subject = ""] = [],
    mail_thread: [thread = ""] = [],
    mail_in_reply_to: answered = [],
    mail_references: references = [],
  } = JSON.parse(row.data) as DocumentData;
  const { topic, isMarked } = topicOf(subject);
  const isLost = isMarked && answered.length === 0 && references.length === 0;
  return { row, from, date, thread, topic, isLost, participants: new Set([...from, ...to]) };
}

/** Adds to the mails of a conversation those that are guessed to belong to it, and what belongs to these. */
function withGuessed(sure: readonly Mail[], others: readonly Mail[]): Mail[] {
  const found = [...sure];
  const left = new Set(others);
  for (const mail of found) {
    for (const other of left) {
      if (other.thread !== mail.thread && !areGuessed(mail, other)) continue;
      left.delete(other);
      found.push(other);
    }
  }
  return found;
}

function areGuessed(one: Mail, other: Mail): boolean {
  const [first, second] = one.date <= other.date ? [one, other] : [other, one];
  const isAmong = (mail: Mail, of: Mail): boolean => mail.from.some((sender) => of.participants.has(sender));
  const isSameTopic = first.topic !== "" && first.topic === second.topic;
  return isSameTopic && second.isLost && isAmong(first, second) && isAmong(second, first);
}

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
