import type { Writer } from "../database/database.ts";
import { insertNote } from "../resources/notes/store.ts";
import { documentRow, projectRow } from "./factories.ts";
import { addMention, addProduction } from "./production-rows.ts";

const moment = "2025-01-31T12:00:00.000000Z";
export const times = { created_at: moment, updated_at: moment };
/** As far off that no job becomes due, and no link expires. */
const later = "2999-01-31T12:00:00.000000Z";
/** The saved search's uuid. */
export const search = "00000000-0000-4000-8000-000000000001";

/** Documents 1 to 3, of which the project has the first, document 4 in the trash, and what else addresses name. */
export async function addThings(writer: Writer): Promise<void> {
  await writer
    .insertInto("projects")
    .values(projectRow({ id: 1 }))
    .execute();
  await writer
    .insertInto("project_collaborators")
    .values([1, 3].map((user_id) => ({ project_id: 1, user_id, access: "admin" as const })))
    .execute();
  const row = {
    user_id: 1,
    access: "private",
    data: '{"topic":["budget"]}',
    page_count: 2,
    page_spec: "612.00x792.00:0-1",
  } as const;
  await writer
    .insertInto("documents")
    .values([1, 2, 3, 4].map((id) => documentRow({ ...row, id, ...(id === 4 && { status: "deleted" }) })))
    .execute();
  await writer
    .insertInto("deleted_documents")
    .values({
      id: 1,
      document_id: 4,
      status: "success",
      user_id: 1,
      organization_id: 1,
      deleted_at: later,
      deleted_by: 1,
    })
    .execute();
  for (const document_id of [1, 3])
    await writer
      .insertInto("project_memberships")
      .values({ project_id: 1, document_id, edit_access: true })
      .execute();
  await addMention(writer);
  await insertNote(writer, {
    id: 1,
    document_id: 1,
    user_id: 1,
    organization_id: 1,
    page_number: 0,
    access: "private",
    title: "A note",
    content: "",
    content_html: "",
    x1: 0,
    x2: 1,
    y1: 0,
    y2: 1,
    ...times,
  });
  await writer
    .insertInto("sections")
    .values({ id: 1, document_id: 1, page_number: 0, title: "A section" })
    .execute();
  await addOthers(writer);
}

async function addOthers(writer: Writer): Promise<void> {
  const said = { name: "An entity", description: "", wikipedia_url: "", metadata: "{}", ...times };
  await writer
    .insertInto("entities")
    .values([1, 2].map((id) => Object.assign({ id, user_id: 1, wikidata_id: `Q${id}` }, said)))
    .execute();
  await writer
    .insertInto("entity_occurrences")
    .values({ id: 1, document_id: 1, entity_id: 1, relevance: 0, occurrences: "[]" })
    .execute();
  await writer
    .insertInto("saved_searches")
    .values({ id: 1, uuid: search, user_id: 1, name: "A search", query: "x", ...times })
    .execute();
  await writer
    .insertInto("guest_links")
    .values({
      id: 1,
      uuid: search,
      user_id: 1,
      document_id: 1,
      name: "A link",
      digest: "x",
      may_download: true,
      uses: 0,
      expires_at: later,
      created_at: moment,
    })
    .execute();
  await addKeeping(writer);
  await writer
    .insertInto("mails")
    .values({ id: 1, kind: "invitation", user_id: 1, details: "{}", created_at: moment, problem: "x" })
    .execute();
  await writer
    .insertInto("jobs")
    .values({ id: 1, kind: "store records", subject: 1, options: "{}", created_at: moment, due_at: later })
    .execute();
  await addImport(writer);
  await addProduction(writer, { id: 1, user: 1, document: 1 });
  await addWebhook(writer);
  await addAddon(writer);
  await writer
    .insertInto("identity_providers")
    .values({ id: 1, ...provider, ...times })
    .execute();
}

/** A hold that covers nothing, and a retention rule with a proposal. */
async function addKeeping(writer: Writer): Promise<void> {
  await writer
    .insertInto("holds")
    .values({
      id: 1,
      name: "A hold",
      reason: "",
      user_id: 1,
      organization_id: 1,
      query: "id:0",
      created_at: moment,
    })
    .execute();
  await writer
    .insertInto("retention_rules")
    .values({
      id: 1,
      name: "A rule",
      query: "id:0",
      period: 1,
      unit: "years",
      starts: "created_at",
      user_id: 1,
      created_at: moment,
    })
    .execute();
  await writer
    .insertInto("dispositions")
    .values({
      id: 1,
      document_id: 1,
      rule_id: 1,
      state: "proposed",
      due_at: moment,
      proposed_at: moment,
    })
    .execute();
}

/** A webhook that is off, and what it was told. */
async function addWebhook(writer: Writer): Promise<void> {
  const row = { id: 1, user_id: 1, name: "", url: "https://hooks.example.org/", types: "[]", secret: "" };
  await writer
    .insertInto("webhooks")
    .values({ ...row, is_enabled: false, transaction_id: null, event_id: null, ...times })
    .execute();
  const event = { event_id: 1, type: "document.created", document_id: 1, project_id: null, object_id: null };
  await writer
    .insertInto("webhook_deliveries")
    .values({
      ...event,
      id: 1,
      webhook_id: 1,
      happened_at: moment,
      seen_by: null,
      subject: "document 1",
      state: "delivered",
      attempts: 1,
      due_at: moment,
      created_at: moment,
    })
    .execute();
}

/** A public add-on, an event that does not start it, and a run that waits. */
async function addAddon(writer: Writer): Promise<void> {
  const addon = { id: 1, name: "An add-on", repository: "owner/addon", access: "public" as const };
  const about = { description: "", categories: "", parameters: "{}" };
  const flags = { is_default: false, is_featured: false, is_removed: false };
  await writer
    .insertInto("addons")
    .values({ ...addon, ...about, ...flags, user_id: 1, ...times })
    .execute();
  const ofAddon = { id: 1, addon_id: 1, user_id: 1, parameters: "{}", ...times };
  await writer
    .insertInto("addon_events")
    .values({ ...ofAddon, event: 0, scratch: "{}" })
    .execute();
  await writer
    .insertInto("addon_runs")
    .values({ ...ofAddon, ...newRun, uuid: search, status: "queued" })
    .execute();
}

/** What a run has before anything is known of it. */
export const newRun = {
  progress: 0,
  message: "",
  file_name: "",
  dismissed: false,
  rating: 0,
  comment: "",
  credits_spent: 0,
  data: "{}",
  parameters: "{}",
} as const;

/** Nothing answers there. */
export const provider = {
  name: "A provider",
  issuer: "http://127.0.0.1:9/",
  client_id: "quire",
  client_secret: "",
  scopes: "openid",
  groups_claim: "",
  group_roles: "[]",
  administrators_group: "",
  creates_accounts: true,
  links_by_email: false,
  is_enabled: true,
};

async function addImport(writer: Writer): Promise<void> {
  const run = {
    kind: "upload" as const,
    name: "A folder",
    version: "1",
    started_at: moment,
    updated_at: moment,
  };
  await writer
    .insertInto("imports")
    .values({ id: 1, user_id: 1, ...run })
    .execute();
  const file = {
    id: 1,
    import_id: 1,
    document_id: 1,
    path: "a.pdf",
    extension: "pdf",
    outcome: "added" as const,
  };
  await writer.insertInto("import_files").values(file).execute();
}

/** Members whose examples name something that is not in the world, or is there already. */
export const fitting: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "POST /api/documents/{id}/entities/": { entity: 2 },
  "POST /api/documents/trash/restore/": { ids: [4] },
  "POST /api/projects/{id}/documents/": { document: 2 },
  // Nothing is sent in this world.
  "POST /api/webhooks/": { enabled: false },
  "PUT /api/webhooks/{id}/": { enabled: false },
  "PATCH /api/webhooks/{id}/": { enabled: false },
  "POST /api/token/": { username: "owner" },
  "POST /api/admin/organizations/": { name: "Another press" },
  "PATCH /api/admin/organizations/{id}/": { name: "Another press" },
  "POST /api/admin/organizations/{id}/members/": { user: 2 },
};
