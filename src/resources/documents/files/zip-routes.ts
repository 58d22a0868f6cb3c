import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ZipFile } from "yazl";
import { maxInArchive } from "../../../contract/limits.ts";
import type { Context } from "../../../context.ts";
import type { Database } from "../../../database/database.ts";
import { ApiError, invalidFields, reasonOf } from "../../../errors.ts";
import { queryOf } from "../../../http/browsable/view.ts";
import { fileRoute } from "../../../http/file-route.ts";
import { idsIn } from "../../../http/request/list-filters.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { PersonalLimit } from "../../users/credentials/personal-limit.ts";
import { askerOf } from "../../users/credentials/throttle-key.ts";
import { findKnownUser } from "../../users/viewer-store.ts";
import { hasWords } from "../pages/page-reading-store.ts";
import { type DocumentRow, findDocument } from "../store.ts";
import { findOriginal } from "./original-file.ts";
import { downloadingSeveral } from "./schema.ts";
import { SearchablePdfs } from "./searchable-pdfs.ts";
import { documentZip } from "./views.ts";
import { ZipNames } from "./zip-names.ts";

const maxArchives = { onServer: 32, perAsker: 4 };
/** How often to try again when a file is replaced while it is looked up. */
const maxAttempts = 5;

/** The file in the archive that lists what is not in it. */
const leftOutName = "Left out.txt";

interface Wanted {
  ids: readonly number[];
  /** Whether PDFs with recognised words take the place of originals that have them. */
  isSearchable: boolean;
}

type Found =
  | { title: string; extension: string; size: number; modifiedAt: Date; bytes: Readable }
  | { leftOut: string };

/**
 * Streams the originals of several documents as one ZIP archive, one after the other. Access to each document is
 * checked when its turn comes, so a document that has been hidden meanwhile is left out.
 */
export function zipRoutes(
  app: FastifyInstance,
  context: Pick<Context, "converter" | "database" | "files" | "log" | "semaphores">,
): void {
  const searchable = new SearchablePdfs(context);
  const archives = new PersonalLimit(context, "archives of originals", maxArchives);

  fileRoute(app, {
    path: "/api/documents/zip/",
    view: documentZip,
    published: downloadingSeveral,
    takesLongQuery: true,
    async handler(request, reply) {
      const ids = [...new Set(idsIn(queryOf(request), "id__in"))];
      if (ids.length === 0) throw invalidFields({ id__in: ["This field is required."] });
      if (ids.length > maxInArchive)
        throw invalidFields({ id__in: [`Must not have more than ${maxInArchive} values.`] });
      const isSearchable = queryOf(request).last("text") === "1";
      const archive = request.method === "HEAD" ? null : await begin(request, { ids, isSearchable });
      reply.headers({
        "content-type": "application/zip",
        "content-disposition": 'attachment; filename="documents.zip"',
        "cache-control": "private, no-store",
      });
      return archive === null ? reply.send() : reply.send(archive);
    },
  });

  async function begin(request: FastifyRequest, wanted: Wanted): Promise<Readable> {
    const release = await archives.acquire(request);
    const zip = new ZipFile();
    const archive = zip.outputStream as Readable;
    archive.once("close", release);
    zip.on("error", (error: Error) => archive.destroy(error));
    const left = new AbortController();
    archive.once("close", () => left.abort());
    const open = async (id: number): Promise<Found> => {
      const copy = wanted.isSearchable
        ? await openSearchable(context.database, searchable, request, { id, left: left.signal })
        : null;
      return copy ?? openOriginal(context, request.viewer, id);
    };
    fill(zip, archive, wanted.ids, open).catch((error: unknown) => {
      if (archive.destroyed) return;
      // The client notices an archive without an end.
      context.log.warn({ reason: reasonOf(error) }, "An archive of originals could not be completed");
      archive.destroy(error as Error);
    });
    return archive;
  }
}

/** The document's PDF with its recognised words; null if it has none, or if no copy can be made of its file. */
async function openSearchable(
  database: Database,
  searchable: SearchablePdfs,
  { viewer, ip }: Pick<FastifyRequest, "viewer" | "ip">,
  { id, left }: { id: number; left: AbortSignal },
): Promise<Found | null> {
  const row = await find(database, viewer, id);
  if (row === null || !(await hasWords(database, row.id))) return null;
  try {
    const again = () => find(database, viewer, id);
    const copy = await searchable.make(again, askerOf(viewer, ip), left);
    return { title: row.title, extension: "pdf", modifiedAt: new Date(row.updated_at), ...copy };
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return null;
    throw error;
  }
}

async function fill(
  zip: ZipFile,
  archive: Readable,
  ids: readonly number[],
  open: (id: number) => Promise<Found>,
): Promise<void> {
  const names = new ZipNames([leftOutName]);
  const leftOut: string[] = [];
  for (const id of ids) {
    if (archive.destroyed) return;
    const found = await open(id);
    if ("leftOut" in found) {
      leftOut.push(`${id}: ${found.leftOut}`);
      continue;
    }
    const { title, extension, size, modifiedAt, bytes } = found;
    const stop = (): void => void bytes.destroy();
    archive.once("close", stop);
    if (archive.destroyed) stop();
    // PDFs, images and office files are compressed already.
    const options = { size, mtime: modifiedAt, compress: false };
    zip.addReadStream(bytes, names.nameFor(title, extension), options);
    await finished(bytes);
    archive.off("close", stop);
  }
  if (leftOut.length > 0) zip.addBuffer(Buffer.from(listOf(leftOut, ids.length)), leftOutName);
  zip.end();
}

/**
 * Opens the original of a document. The viewer's rights are read between finding a version of the file and opening
 * the same version: they hold for exactly the bytes that are sent.
 */
async function openOriginal(
  { database, files }: Pick<Context, "database" | "files">,
  viewer: Viewer,
  id: number,
): Promise<Found> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const row = await find(database, viewer, id);
    const file = row === null ? null : await findOriginal(files, row);
    const now = row === null ? null : await find(database, viewer, id);
    if (row === null || now === null) return { leftOut: "you may not see it, or it does not exist" };
    if (file === null) return { leftOut: "its file is not here" };
    const bytes = await files.read(file.key, undefined, file.version);
    const { extension, size, modifiedAt } = file;
    if (bytes !== null) return { title: now.title, extension, size, modifiedAt, bytes };
  }
  return { leftOut: "its file was being replaced" };
}

/** The document, if the viewer may see it with the rights that they have now. */
async function find(database: Database, viewer: Viewer, id: number): Promise<DocumentRow | null> {
  if (viewer.kind === "anonymous") return findDocument(database, viewer, id);
  const user = await findKnownUser(database, { id: viewer.id });
  return user?.isActive === true ? findDocument(database, { ...viewer, ...user.viewer }, id) : null;
}

function listOf(leftOut: readonly string[], count: number): string {
  return `${leftOut.length} of ${count} documents are not in this archive:\n\n${leftOut.join("\n")}\n`;
}
