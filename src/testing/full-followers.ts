import { randomUUID } from "node:crypto";
import { producedRow, productionRow } from "./production-rows.ts";
import { addonRows } from "./full-addons.ts";
import type { Draws, TableRows } from "./full-credentials.ts";

/**
 * Rows of what follows the feed, of guests and of imports: saved searches with their finds and links, webhooks that
 * are off, and
 * what they were told.
 */
export function followerRows(users: readonly number[], draws: Draws): TableRows {
  const { texts, moment, number, maybe, some } = draws;
  return [
    ...[searchRows, guestRows, mailInRows, importRows].flatMap((rowsOf) => rowsOf(users, draws)),
    [
      "productions",
      users.map((id) => ({
        id,
        ...productionRow(id, texts()),
        reason: maybe(texts()),
        ended_at: maybe(moment()),
      })),
    ],
    [
      "production_documents",
      users.map((id) => ({
        ...producedRow(id, number()),
        parent_id: maybe(number()),
        reason: maybe(texts()),
      })),
    ],
    ...addonRows(users, draws),
    [
      "webhooks",
      users.map((user_id) => ({
        id: user_id,
        user_id,
        name: texts(),
        url: texts(),
        types: some(["[]", '["note.created"]']),
        secret: texts(),
        former_secret: maybe(texts()),
        rotated_at: maybe(moment()),
        is_enabled: false,
        problem: maybe(texts()),
        failing_since: maybe(moment()),
        transaction_id: null,
        event_id: null,
        created_at: moment(),
        updated_at: moment(),
      })),
    ],
    [
      "webhook_deliveries",
      users.map((webhook_id) => ({
        webhook_id,
        event_id: number(),
        happened_at: moment(),
        type: "note.created",
        document_id: maybe(number()),
        project_id: maybe(number()),
        object_id: maybe(number()),
        seen_by: maybe(texts()),
        search_uuid: maybe(texts()),
        subject: texts(),
        state: some(["waiting", "delivered", "failed", "withdrawn"]),
        attempts: number(),
        due_at: moment(),
        created_at: moment(),
        at: maybe(moment()),
        status: maybe(number()),
        milliseconds: maybe(number()),
        problem: maybe(texts()),
      })),
    ],
  ];
}

/** Keys, of which people have one at most without a project, and what arrived and was refused. */
function mailInRows(users: readonly number[], { texts, moment, number, maybe, some }: Draws): TableRows {
  return [
    [
      "mail_keys",
      users.map((user_id) => ({
        user_id,
        digest: `key ${user_id}`,
        access: some(["private", "organization"]),
        created_at: moment(),
        used_at: maybe(moment()),
      })),
    ],
    [
      "mail_arrivals",
      users.map((user_id) => ({
        user_id: maybe(user_id),
        digest: `mail ${user_id}`,
        way: some(["smtp", "imap"]),
        sender: texts(),
        reason: maybe(texts()),
        times: number(),
        arrived_at: moment(),
      })),
    ],
  ];
}

function searchRows(users: readonly number[], draws: Draws): TableRows {
  const { texts, moment, number, maybe, some } = draws;
  return [
    [
      "saved_searches",
      users.map((user_id) => ({
        id: user_id,
        uuid: randomUUID(),
        user_id,
        name: texts(),
        query: texts(),
        alert: some(["off", "page", "at_once", "daily", "weekly"]),
        new_count: number(),
        basis: maybe(texts()),
        compared_at: maybe(moment()),
        mailed_at: maybe(moment()),
        transaction_id: null,
        event_id: null,
        created_at: moment(),
        updated_at: moment(),
      })),
    ],
  ];
}

/** A link to each saved search, which a browser has opened. */
function guestRows(users: readonly number[], draws: Draws): TableRows {
  const { texts, moment, flag, number, maybe } = draws;
  return [
    [
      "guest_links",
      users.map((id) => ({
        id,
        uuid: randomUUID(),
        user_id: id,
        search_id: id,
        name: texts(),
        digest: `link ${id}`,
        password_hash: maybe(texts()),
        may_download: flag(),
        max_uses: maybe(number()),
        uses: number(),
        expires_at: moment(),
        created_at: moment(),
        revoked_at: maybe(moment()),
      })),
    ],
  ];
}

function importRows(users: readonly number[], draws: Draws): TableRows {
  const { texts, moment, number, maybe, some } = draws;
  const counts = () => ({ added: number(), changed: 0, known: 0, skipped: 0, failed: number() });
  return [
    [
      "imports",
      users.map((user_id) => ({
        id: user_id,
        user_id,
        kind: "files",
        name: texts(),
        version: texts(),
        started_at: moment(),
        updated_at: moment(),
        ended_at: maybe(moment()),
        outcome: maybe("done"),
        seen: maybe(number()),
        ...counts(),
      })),
    ],
    [
      "import_files",
      users.map((import_id) => ({
        import_id,
        path: texts(),
        extension: some(["", "pdf"]),
        outcome: some(["known", "failed"]),
        reason: maybe(texts()),
      })),
    ],
  ];
}
