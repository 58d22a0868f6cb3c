import type { Notification, Notifications } from "../../contract/notification.ts";
import type { Database } from "../../database/database.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { mayEdit } from "../documents/access.ts";
import { documentAddress } from "../documents/present.ts";
import { accessFacts, findVisibleDocuments } from "../documents/store.ts";
import { findStopped } from "../mails/webhook-notice-store.ts";
import { mayView } from "../notes/access.ts";
import { findNotesAmong } from "../notes/store.ts";
import { type NotificationRow, countUnread, listNotifications } from "../notifications/store.ts";
import { findProjectsFor } from "../projects/list-store.ts";
import { projectPath } from "../projects/present.ts";
import { findUsers } from "../users/list-store.ts";

/** What a notification is about. */
type Target = Pick<Notification, "title" | "canonical_url">;

/** What the viewer is told of, as far as they may see it now. `web` is the address of the pages. */
export async function findNotifications(
  database: Database,
  viewer: SignedInViewer,
  web: string,
): Promise<Notifications> {
  const rows = await listNotifications(database.reader, viewer.id);
  const targets = await findTargets(database, viewer, rows, web);
  const actors = await findUsers(database, [...new Set(rows.flatMap(({ actor_id }) => actor_id ?? []))]);
  const results = rows.flatMap((row): Notification[] => {
    const target = targets.get(row.id);
    if (target === undefined) return [];
    const actor = actors.get(row.actor_id ?? 0);
    return [
      {
        id: row.id,
        kind: row.kind,
        created_at: row.created_at,
        is_new: row.seen_at === null,
        count: row.count,
        by: actor?.id ?? null,
        by_name: actor === undefined ? null : actor.name === "" ? actor.username : actor.name,
        ...target,
      },
    ];
  });
  return { unread: await countUnread(database.reader, viewer.id), results };
}

/** What the notifications are about, by their ids. */
async function findTargets(
  database: Database,
  viewer: SignedInViewer,
  rows: readonly NotificationRow[],
  web: string,
): Promise<Map<number, Target>> {
  const subjectsOf = (kind: NotificationRow["kind"]): number[] =>
    rows.flatMap((row) => (row.kind === kind ? [row.subject] : []));
  const projects = await findProjectsFor(database, viewer, subjectsOf("shared"));
  const documentIds = [...new Set(rows.flatMap(({ document_id }) => document_id ?? []))];
  const found = await findVisibleDocuments(database, viewer, documentIds);
  const documents = new Map(found.map((row) => [row.id, row]));
  const notes = new Map(
    (await findNotesAmong(database.reader, subjectsOf("mentioned"))).map((row) => [row.id, row]),
  );
  const stopped = await findStopped(database.reader, viewer.id, subjectsOf("stopped"));
  const webhooks = new Map(stopped.map((webhook) => [webhook.id, webhook]));
  const targetOf = ({ kind, subject, document_id }: NotificationRow): Target | null => {
    if (kind === "shared") {
      const project = projects.get(subject);
      return project === undefined
        ? null
        : { title: project.title, canonical_url: `${web}${projectPath(project)}` };
    }
    if (kind === "stopped") {
      const webhook = webhooks.get(subject);
      if (webhook === undefined) return null;
      const { name, url } = webhook;
      return { title: name === "" ? url : name, canonical_url: `${web}/account/webhooks/` };
    }
    const document = documents.get(document_id ?? 0);
    if (document === undefined) return null;
    const { title } = document;
    const address = documentAddress(web, document);
    if (kind !== "mentioned") return { title, canonical_url: address };
    const note = notes.get(subject);
    if (note === undefined || !mayView(viewer, note, mayEdit(viewer, accessFacts(document)))) return null;
    return { title, canonical_url: `${address}#document/p${note.page_number + 1}/a${subject}` };
  };
  return new Map(
    rows.flatMap((row) => {
      const target = targetOf(row);
      return target === null ? [] : [[row.id, target] as const];
    }),
  );
}
