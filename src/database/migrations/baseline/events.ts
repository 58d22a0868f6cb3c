import { isPublic } from "../../audiences/conditions.ts";
import { differs, documentEventStatements } from "../../audiences/event-statements.ts";
import { type Terms, postgresTrigger } from "./terms.ts";

/**
 * What happened, in the order in which it was committed. Triggers write an event in the transaction of the change,
 * whatever program makes it, so that neither exists without the other.
 *
 * SQLite has one writer at a time, so the ids are in the order of the commits. On PostgreSQL a transaction may take a
 * number early and commit late: a reader that has seen a higher number would miss its events. So events are ordered by
 * transaction first, and a reader stops before the oldest transaction that is still open.
 *
 * An event says what happened to what, and nothing else: readers fetch the rest with their own rights. `seen_by` is
 * set for what is gone, and names those who could see it at its end, separated by spaces.
 */
export function events({ engine, text }: Terms): string[] {
  const isPostgres = engine === "postgres";
  const columns = isPostgres
    ? `id bigint generated always as identity,
      transaction_id bigint not null default pg_current_xact_id()::text::bigint,
      at ${text} not null
        default to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
    : `id integer primary key autoincrement,
      transaction_id integer not null default 0,
      at ${text} not null default (strftime('%Y-%m-%dT%H:%M:%f000Z', 'now'))`;
  return [
    `create table events (
      ${columns},
      type ${text} not null,
      document_id bigint,
      project_id bigint,
      object_id bigint,
      seen_by ${text},
      search_uuid ${text}${isPostgres ? ", primary key (transaction_id, id)" : ""}
    )`,
    ...(isPostgres ? postgresTriggers() : sqliteTriggers()),
    ...documentEventStatements(engine, documentColumns),
  ];
}

const documentColumns = [
  "admin_noindex",
  "data",
  "description",
  "language",
  "noindex",
  "organization_id",
  "published_url",
  "related_article",
  "revision_control",
  "slug",
  "source",
  "title",
  "user_id",
];
const noteColumns = ["page_number", "access", "title", "content", "user_id", "x1", "x2", "y1", "y2"];
const projectColumns = ["title", "slug", "description", "private", "user_id"];
const sectionColumns = ["page_number", "title"];

const isTrashed = "new.status = 'deleted' and old.status <> 'deleted'";

/** The values of rows, each after a space. */
const joined = (value: string): string => `string_agg(${value}, '')`;

/** The audiences of a document: see audiences.ts. */
const audiences = `case
  when ${isPublic("old")} then 'public'
  when old.access = 'invisible' then ''
  else 'user:' || old.user_id
    || case when old.access = 'organization' then ' organization:' || old.organization_id else '' end
    || coalesce((select ${joined("' project:' || project_id")} from project_memberships
      where document_id = old.id and edit_access), '')
  end`;

const noteReaders = `case old.access
  when 'public' then 'public'
  when 'organization' then 'editors user:' || old.user_id
  when 'private' then 'user:' || old.user_id
  else '' end`;

const collaborators = `case when not old.private then 'public'
  else trim(coalesce(
    (select ${joined("' user:' || user_id")} from project_collaborators where project_id = old.id), ''))
  end`;

/** What goes with its document or its project is not told apart from it. */
const hasDocument = "exists (select 1 from documents where id = old.document_id)";
const hasProject = "exists (select 1 from projects where id = old.project_id)";

interface Trigger {
  table: string;
  when: "after insert" | "after update" | "after delete" | "before delete";
  /** Of an update. */
  columns?: readonly string[];
  condition?: string;
  body: string;
}

const add = (columns: string, values: string): string => `insert into events (${columns}) select ${values};`;

const documentDeleted = add("type, document_id, seen_by", `'document.deleted', old.id, ${audiences}`);

/** The triggers that are the same on both engines, by name. */
const commonTriggers: Readonly<Record<string, Trigger>> = {
  events_of_trashed_document: {
    table: "documents",
    when: "after update",
    columns: ["status"],
    condition: isTrashed,
    body: documentDeleted,
  },
  events_of_deleted_document: {
    table: "documents",
    when: "before delete",
    condition: "old.status <> 'deleted'",
    body: documentDeleted,
  },
  ...ofParts("note", "notes", noteColumns, noteReaders),
  ...ofParts("section", "sections", sectionColumns, "null"),
  events_of_new_project: {
    table: "projects",
    when: "after insert",
    body: add("type, project_id", "'project.created', new.id"),
  },
  events_of_changed_project: {
    table: "projects",
    when: "after update",
    columns: projectColumns,
    condition: differs(projectColumns),
    body: add("type, project_id", "'project.changed', new.id"),
  },
  events_of_deleted_project: {
    table: "projects",
    when: "before delete",
    body: add("type, project_id, seen_by", `'project.deleted', old.id, ${collaborators}`),
  },
  events_of_changed_membership: {
    table: "project_memberships",
    when: "after update",
    columns: ["edit_access"],
    condition: differs(["edit_access"]),
    body: add("type, project_id, document_id", "'project.document_changed', new.project_id, new.document_id"),
  },
  events_of_former_membership: {
    table: "project_memberships",
    when: "after delete",
    body: add(
      "type, project_id, document_id",
      `'project.document_removed', old.project_id, old.document_id where ${hasDocument} and ${hasProject}`,
    ),
  },
  events_of_new_collaborator: {
    table: "project_collaborators",
    when: "after insert",
    body: add("type, project_id, object_id", "'project.member_added', new.project_id, new.user_id"),
  },
  events_of_changed_collaborator: {
    table: "project_collaborators",
    when: "after update",
    columns: ["access"],
    condition: differs(["access"]),
    body: add("type, project_id, object_id", "'project.member_changed', new.project_id, new.user_id"),
  },
  events_of_former_collaborator: {
    table: "project_collaborators",
    when: "after delete",
    body: add(
      "type, project_id, object_id",
      `'project.member_removed', old.project_id, old.user_id where ${hasProject}`,
    ),
  },
};

/** The triggers of a table whose rows belong to a document. */
function ofParts(
  name: string,
  table: string,
  columns: readonly string[],
  readers: string,
): Record<string, Trigger> {
  const added = (action: string) =>
    add("type, document_id, object_id", `'${name}.${action}', new.document_id, new.id`);
  return {
    [`events_of_new_${name}`]: { table, when: "after insert", body: added("created") },
    [`events_of_changed_${name}`]: {
      table,
      when: "after update",
      columns,
      condition: differs(columns),
      body: added("changed"),
    },
    [`events_of_deleted_${name}`]: {
      table,
      when: "after delete",
      body: add(
        "type, document_id, object_id, seen_by",
        `'${name}.deleted', old.document_id, old.id, ${readers} where ${hasDocument}`,
      ),
    },
  };
}

const columnsOf = ({ columns }: Trigger): string =>
  columns === undefined ? "" : ` of ${columns.join(", ")}`;

const created = "type, document_id";
const joinedProject = "type, project_id, document_id";

function sqliteTriggers(): string[] {
  const triggers: Record<string, Trigger> = {
    ...commonTriggers,
    events_of_new_document: {
      table: "documents",
      when: "after insert",
      body: add(created, "'document.created', new.id"),
    },
    events_of_new_membership: {
      table: "project_memberships",
      when: "after insert",
      body: add(joinedProject, "'project.document_added', new.project_id, new.document_id"),
    },
  };
  return Object.entries(triggers).map(([name, trigger]) => {
    const { table, when, condition, body } = trigger;
    const only = condition === undefined ? "" : ` when ${condition}`;
    return `create trigger ${name} ${when}${columnsOf(trigger)} on ${table}${only} begin ${body} end`;
  });
}

/** New documents and memberships get their events once for each statement: imports add many at a time. */
function postgresTriggers(): string[] {
  const ofRows = Object.entries(commonTriggers).flatMap(([name, trigger]) => {
    const { table, when, condition, body } = trigger;
    const only = condition === undefined ? "" : ` when (${condition})`;
    const result = when === "before delete" ? "old" : "null";
    return postgresTrigger(name, `${when}${columnsOf(trigger)} on ${table} for each row${only}`, body, {
      result,
    });
  });
  const ofStatements = Object.entries({
    events_of_new_documents: ["documents", add(created, "'document.created', id from added order by id")],
    events_of_new_memberships: [
      "project_memberships",
      add(joinedProject, "'project.document_added', project_id, document_id from added order by document_id"),
    ],
  }).flatMap(([name, [table = "", body = ""]]) =>
    postgresTrigger(name, `after insert on ${table} referencing new table as added for each statement`, body),
  );
  return [...ofRows, ...ofStatements];
}
