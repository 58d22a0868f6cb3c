import type { Context } from "../../context.ts";
import type { Writer } from "../../database/database.ts";
import { invalidFields, permissionDenied } from "../../errors.ts";
import type { Members } from "../../http/body.ts";
import { type Values, readFields, unknownKey } from "../../http/fields.ts";
import { timestampNow } from "../../http/timestamp.ts";
import type { SignedInViewer } from "../../http/viewer.ts";
import { mayEditDocumentsOf } from "./access.ts";
import { insertDocument, shareWithProjects } from "./change-store.ts";
import { newFields } from "./fields.ts";
import { type Changes, addHistory } from "./history-store.ts";
import type { Publisher } from "./publisher.ts";
import { type DocumentRow, lockDocumentRows } from "./row-store.ts";
import { slugOf } from "../../http/slug.ts";

type Given = Omit<Values<typeof newFields>, "file_url" | "publish_at">;
export type NewDocument = Required<Given> & { publish_at?: string | null };

/** What a client says of a new document; 400 with every fault. */
export function readNewDocument(viewer: SignedInViewer, members: Members): NewDocument {
  // Every field but these two has a default or is required.
  const values = readFields(newFields, members, "whole") as NewDocument;
  const unknown = values.projects.find((project) => !mayEditDocumentsOf(viewer, project));
  if (unknown !== undefined) throw invalidFields({ projects: [unknownKey(unknown).message] });
  return values;
}

/** Makes all of them or none; they belong to the viewer and to the organization that is active then. */
export async function createDocuments(
  { database }: Pick<Context, "database">,
  publisher: Publisher,
  viewer: SignedInViewer,
  documents: readonly NewDocument[],
): Promise<DocumentRow[]> {
  const { organization } = viewer;
  if (organization === null)
    throw permissionDenied("You need to belong to an organization to make documents.");
  const rows = await database.write(async (writer) => {
    const ids: number[] = [];
    for (const document of documents) ids.push(await createDocument(writer, viewer, organization, document));
    return lockDocumentRows(writer, database.dialect, viewer, ids);
  });
  if (documents.some(({ publish_at }) => (publish_at ?? null) !== null)) await publisher.heed();
  return rows;
}

async function createDocument(
  writer: Writer,
  viewer: SignedInViewer,
  organization: number,
  document: NewDocument,
): Promise<number> {
  const { projects, data, title, ...values } = document;
  const now = timestampNow();
  const id = await insertDocument(writer, {
    ...values,
    title,
    data: JSON.stringify(data),
    slug: slugOf(title),
    status: "nofile",
    admin_noindex: false,
    file_hash: "",
    page_count: 0,
    page_spec: "",
    created_at: now,
    updated_at: now,
    user_id: viewer.id,
    organization_id: organization,
  });
  await shareWithProjects(writer, id, [...new Set(projects)]);
  const given = Object.entries({ title, ...values, data, projects, user: viewer.id, organization });
  const changes: Changes = Object.fromEntries(given.map(([name, value]) => [name, [null, value]]));
  await addHistory(writer, [{ documentId: id, userId: viewer.id, action: "created", changes }]);
  return id;
}
