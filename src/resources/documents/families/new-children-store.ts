import { sql } from "kysely";
import type { Writer } from "../../../database/database.ts";
import type { Dialect } from "../../../database/dialect.ts";
import { countRows } from "../../../database/rows.ts";
import { documentFolder } from "../../../files/keys.ts";
import { enqueue } from "../../../jobs/queue.ts";
import { slugOf } from "../../../http/text/slug.ts";
import { timestampNow } from "../../../http/text/timestamp.ts";
import type { MailHead, UnpackedFile } from "../../../processing/unpack/unpacking.ts";
import { indexTexts } from "../../../search/text-index.ts";
import { maxData, type DocumentData } from "../data-field.ts";
import { processJob } from "../file-facts-store.ts";
import { type ArrivedFile, noteArrival } from "../files/received-file-store.ts";
import { addHistory } from "../history-store.ts";
import { type ImportedFile, addImportedFiles, addToImport, findImportOf } from "../import-run-store.ts";
import { describingParts } from "../indexed-fields.ts";
import { defaultColumns } from "../record-members.ts";
import { findContainment } from "./family-store.ts";
import { topicOf } from "./mail-topic.ts";

/** The root of a family, with what its parts have from it. */
interface RootRow {
  id: number;
  status: string;
  access: string;
  user_id: number;
  organization_id: number;
  noindex: boolean | number;
  admin_noindex: boolean | number;
  language: string;
}

export interface Family {
  rootId: number;
  /** How deep the container itself is: 0 for the root. */
  depth: number;
  /** What is in the root so far, at any depth. */
  files: number;
  bytes: number;
  /** The position of the last of the container's files that has arrived. Those after it are still to come. */
  after: number;
}

/** How many files a container has given out. */
export const countChildren = (reader: Pick<Writer, "selectFrom">, parentId: number): Promise<number> =>
  countRows(reader, "document_children", { parent_id: parentId });

/** What is known about the files in a container. */
export async function findFamily(writer: Pick<Writer, "selectFrom">, parentId: number): Promise<Family> {
  const containment = await writer
    .selectFrom("document_children")
    .select(["root_id", "depth"])
    .where("child_id", "=", parentId)
    .executeTakeFirst();
  const rootId = containment?.root_id ?? parentId;
  const sums = await writer
    .selectFrom("document_children")
    .select((select) => [
      select.fn.countAll<number>().as("files"),
      sql<number>`cast(coalesce(sum(bytes), 0) as bigint)`.as("bytes"),
    ])
    .where("root_id", "=", rootId)
    .executeTakeFirstOrThrow();
  const own = writer
    .selectFrom("document_children")
    .innerJoin("documents", "documents.id", "document_children.child_id")
    .where("parent_id", "=", parentId);
  const waiting = await own
    .select((select) => select.fn.min<number | null>("position").as("position"))
    .where("documents.status", "=", "nofile")
    .executeTakeFirst();
  const last = await own
    .select((select) => select.fn.max<number | null>("position").as("position"))
    .executeTakeFirst();
  const firstWaiting = waiting?.position ?? null;
  const after = firstWaiting === null ? (last?.position ?? -1) : firstWaiting - 1;
  return {
    rootId,
    depth: containment?.depth ?? 0,
    files: sums.files,
    bytes: sums.bytes,
    after,
  };
}

/** A file in a container that becomes a document. */
export interface NewChild extends Pick<UnpackedFile, "position" | "path" | "title" | "bytes"> {
  extension: string;
}

/**
 * Creates a document for each of the files in a container, which still wait for their files, or finds those that were
 * created before. Returns their ids, or null if the container is gone. The root is locked, so that what the parts have
 * from it cannot change meanwhile.
 */
export async function addChildren(
  writer: Writer,
  dialect: Dialect,
  {
    parentId,
    rootId,
    depth,
    extension,
  }: { parentId: number; rootId: number; depth: number; extension: string },
  children: readonly NewChild[],
): Promise<Map<number, number> | null> {
  const { rows } =
    await sql<RootRow>`select id, status, access, user_id, organization_id, noindex, admin_noindex, language
    from documents where id in (${rootId}, ${parentId}) order by id ${dialect.forUpdate}`.execute(writer);
  const root = rows.find(({ id }) => id === rootId);
  if (root === undefined || rows.some(({ status }) => status === "deleted")) return null;
  const known = await writer
    .selectFrom("document_children")
    .select(["child_id", "position"])
    .where("parent_id", "=", parentId)
    .where("position", ">=", children[0]?.position ?? 0)
    .execute();
  const ids = new Map(known.map(({ child_id, position }) => [position, child_id]));
  const fresh: ImportedFile[] = [];
  for (const part of children) {
    if (ids.has(part.position)) continue;
    const id = await addChild(writer, root, part);
    const { position, path, bytes } = part;
    const containment = { parent_id: parentId, root_id: rootId, position, depth: depth + 1, path, bytes };
    await writer
      .insertInto("document_children")
      .values({ child_id: id, ...containment, taken_from: extension })
      .execute();
    await sql`insert into project_memberships (project_id, document_id, edit_access)
      select project_id, ${id}, edit_access from project_memberships where document_id = ${rootId}`.execute(
      writer,
    );
    // A history stays when its document is gone. So it has nothing of what a redaction may have to remove.
    const changes = { part_of: [null, parentId] } as const;
    await addHistory(writer, [{ documentId: id, userId: root.user_id, action: "created", changes }]);
    ids.set(position, id);
    fresh.push({ path, outcome: "added", document: id });
  }
  const run = await findImportOf(writer, rootId);
  if (run !== null && fresh.length > 0) {
    await addImportedFiles(writer, run, fresh);
    await addToImport(writer, run, { added: fresh.length });
  }
  return ids;
}

async function addChild(writer: Writer, root: RootRow, { title, extension }: NewChild): Promise<number> {
  const { access, user_id, organization_id, language } = root;
  const now = timestampNow();
  const row = {
    ...defaultColumns,
    access,
    user_id,
    organization_id,
    language,
    noindex: Boolean(root.noindex),
    admin_noindex: Boolean(root.admin_noindex),
    title,
    slug: slugOf(title),
    original_extension: extension,
    status: "nofile",
    file_hash: "",
    page_count: 0,
    page_spec: "",
    created_at: now,
    updated_at: now,
  };
  const { id } = await writer.insertInto("documents").values(row).returning("id").executeTakeFirstOrThrow();
  await indexTexts(writer, describingParts(id, row), { areNew: true });
  return id;
}

/** Notes that the files of parts have been stored, and queues them for processing. */
export async function fillChildren(
  writer: Writer,
  files: readonly { id: number; owner: number; arrived: ArrivedFile }[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const { id, owner, arrived } of files.toSorted((one, other) => one.id - other.id)) {
    const { numUpdatedRows } = await writer
      .updateTable("documents")
      .set({ status: "pending", updated_at: timestampNow() })
      .where("id", "=", id)
      .where("status", "=", "nofile")
      .executeTakeFirst();
    if (numUpdatedRows === 0n) continue;
    await noteArrival(writer, id, arrived, { isRead: true });
    await enqueue(writer, { kind: processJob, subject: id, owner, options, urgency: "bulk" });
  }
}

/**
 * Removes the documents in a container that still wait for their files, because nobody takes them out any more. Notes
 * that what has been stored of them must be removed.
 */
export async function dropWaitingChildren(writer: Writer, parentId: number): Promise<void> {
  const rows = await writer
    .selectFrom("document_children")
    .innerJoin("documents", "documents.id", "document_children.child_id")
    .select("documents.id")
    .where("parent_id", "=", parentId)
    .where("documents.status", "=", "nofile")
    .execute();
  for (const { id } of rows) {
    await writer.deleteFrom("documents").where("id", "=", id).execute();
    const removal = { document_id: id, folder: documentFolder(id) };
    await writer.insertInto("file_removals").values(removal).execute();
  }
}

/** Writes what a mail says about itself into the `data` of its document, where searches, facets and lists find it. */
export async function noteMail(writer: Writer, id: number, mail: MailHead): Promise<void> {
  const row = await writer.selectFrom("documents").select("data").where("id", "=", id).executeTakeFirst();
  if (row === undefined) return;
  const before = JSON.parse(row.data) as DocumentData;
  const found = dataOfMail(mail);
  const changed = Object.entries(found).filter(
    ([key, values]) => JSON.stringify(before[key]) !== JSON.stringify(values),
  );
  const after = JSON.stringify({ ...before, ...found });
  if (changed.length === 0 || Buffer.byteLength(after) > maxData) return;
  await writer.updateTable("documents").set({ data: after }).where("id", "=", id).execute();
  if ((await findContainment(writer, id)) !== null) return;
  const old = Object.fromEntries(
    changed.flatMap(([key]) => (before[key] === undefined ? [] : [[key, before[key]]])),
  );
  const changes = { data: [old, Object.fromEntries(changed)] } as const;
  await addHistory(writer, [{ documentId: id, userId: null, action: "changed", changes }]);
}

function dataOfMail({ from, to, subject, date, messageId, inReplyTo, references }: MailHead): DocumentData {
  const found = {
    mail_from: from,
    mail_to: to,
    mail_subject: [subject],
    mail_date: [date],
    mail_message_id: [messageId],
    mail_in_reply_to: [inReplyTo],
    mail_references: references,
    // The subject without the marks of answers, by which a conversation without references is guessed.
    mail_topic: [topicOf(subject).topic],
    // By the rules for mail, the first reference is the message that the conversation began with.
    mail_thread: [references[0] ?? (inReplyTo === "" ? messageId : inReplyTo)],
  };
  return Object.fromEntries(
    Object.entries(found).flatMap(([key, values]) => {
      const stated = values.filter((value) => value !== "");
      return stated.length === 0 ? [] : [[key, stated]];
    }),
  );
}
