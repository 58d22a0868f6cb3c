import type { Context } from "../../../context.ts";
import type { Writer } from "../../../database/database.ts";
import { invalidFields, invalidWhole, permissionDenied } from "../../../errors.ts";
import type { Members } from "../../../http/request/body.ts";
import { type Values, readFields } from "../../../http/fields/fields.ts";
import { unknownKey } from "../../../http/fields/field-kinds.ts";
import { timestampNow } from "../../../http/text/timestamp.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { enqueue } from "../../../jobs/queue.ts";
import { mayEditDocumentsOf } from "../access.ts";
import { insertDocument, shareWithProjects } from "./change-store.ts";
import { newFields } from "./fields.ts";
import { type Changes, addHistory } from "../history-store.ts";
import { addToRun } from "../../users/credentials/run-token-store.ts";
import type { Publisher } from "./publisher.ts";
import { extensionOfAddress } from "../files/remote-extension.ts";
import { addRemoteFile, fetchJob, type NewRemoteFile } from "../files/remote-file-store.ts";
import { type DocumentRow, lockDocumentRows } from "../store.ts";
import { slugOf } from "../../../http/text/slug.ts";

type NewDocumentValues = Omit<
  Values<typeof newFields>,
  "file_url" | "force_ocr" | "ocr_engine" | "publish_at"
>;
export type NewDocument = Required<NewDocumentValues> & {
  publish_at?: string | null;
  /** The address to fetch the file from. Null if the file will be uploaded. */
  remoteFile: NewRemoteFile | null;
};

/** Reads a new document from a request. Throws 400 with all errors. */
export function readNewDocument(viewer: SignedInViewer, members: Members): NewDocument {
  const { file_url, force_ocr, ocr_engine, ...values } = readFields(newFields, members, "whole");
  // Every field but publish_at has a default or is required.
  const document = values as Omit<NewDocument, "remoteFile">;
  const unknown = document.projects.find((project) => !mayEditDocumentsOf(viewer, project));
  if (unknown !== undefined) throw invalidFields({ projects: [unknownKey(unknown).message] });
  const address = file_url ?? null;
  if (address === null) {
    const unusable = [force_ocr === true && "force_ocr", ocr_engine !== undefined && "ocr_engine"];
    const names = unusable.filter((name) => name !== false);
    if (names.length === 0) return { ...document, remoteFile: null };
    throw invalidWhole(...names.map((name) => `\`${name}\` may only be used if \`file_url\` is set`));
  }
  const isExplicit = members.get("original_extension") !== undefined;
  const extension = isExplicit ? document.original_extension : extensionOfAddress(address);
  return {
    ...document,
    original_extension: extension ?? document.original_extension,
    remoteFile: {
      address,
      extensionIsKnown: extension !== null,
      processOptions: { force_ocr: force_ocr === true, ocr_engine },
    },
  };
}

/** The organization of the viewer's new objects. Throws 403 if the viewer belongs to none. */
export function makingOrganization({ organization }: SignedInViewer): number {
  if (organization !== null) return organization;
  throw permissionDenied("You need to belong to an organization to make documents.");
}

/**
 * Creates all documents or none. They belong to the viewer and to the viewer's active organization. `along` runs for
 * each of them in the same transaction.
 */
export async function createDocuments(
  { database, jobs }: Pick<Context, "database" | "jobs">,
  publisher: Publisher,
  viewer: SignedInViewer,
  documents: readonly NewDocument[],
  along: (writer: Writer, id: number) => Promise<void> = () => Promise.resolve(),
): Promise<DocumentRow[]> {
  const organization = makingOrganization(viewer);
  const rows = await database.write(async (writer) => {
    const ids: number[] = [];
    for (const document of documents) ids.push(await createDocument(writer, viewer, organization, document));
    for (const id of ids) await along(writer, id);
    await addToRun(writer, viewer, ids);
    return lockDocumentRows(writer, database.dialect, viewer, ids);
  });
  if (documents.some(({ remoteFile }) => remoteFile !== null)) jobs.notify();
  if (documents.some(({ publish_at }) => (publish_at ?? null) !== null)) await publisher.heed();
  return rows;
}

async function createDocument(
  writer: Writer,
  viewer: SignedInViewer,
  organization: number,
  document: NewDocument,
): Promise<number> {
  const { projects, data, title, remoteFile, ...values } = document;
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
  if (remoteFile !== null) {
    await addRemoteFile(writer, id, remoteFile);
    await enqueue(writer, { kind: fetchJob, subject: id, owner: viewer.id });
  }
  const initial = Object.entries({ title, ...values, data, projects, user: viewer.id, organization });
  const changes: Changes = Object.fromEntries(initial.map(([name, value]) => [name, [null, value]]));
  await addHistory(writer, [{ documentId: id, userId: viewer.id, action: "created", changes }]);
  return id;
}
