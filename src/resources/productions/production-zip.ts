import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { ZipFile } from "yazl";
import type { Context } from "../../context.ts";
import { reasonOf } from "../../errors.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { findVisibleDocuments } from "../documents/store.ts";
import { findOwner } from "../searches/compare.ts";
import { type VolumeFile, fragmentKey } from "./fragment.ts";
import { datFile, optFile } from "./load-files.ts";
import { type ProducedRow, type ProductionRow, producedRows } from "./store.ts";

type Services = Pick<Context, "database" | "files" | "log">;

const rowsAtOnce = 200;

/** Documents with files of theirs in the volume, in batches. */
async function* filledRows(
  { database }: Pick<Context, "database">,
  { id }: ProductionRow,
): AsyncGenerator<ProducedRow[]> {
  for await (const rows of producedRows(database.reader, id, rowsAtOnce))
    yield rows.filter(({ files }) => files !== "[]");
}

/** Whether its maker may still see all documents of it, and their files are those that were produced. */
export async function isUnchanged(
  context: Pick<Context, "database">,
  viewer: SignedInViewer,
  production: ProductionRow,
): Promise<boolean> {
  for await (const rows of filledRows(context, production))
    if (!(await areUnchanged(context, viewer, rows))) return false;
  return true;
}

async function areUnchanged(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  rows: readonly ProducedRow[],
): Promise<boolean> {
  const given = rows.filter(({ state }) => state !== "withheld");
  const ids = given.map(({ document_id }) => document_id);
  const found = new Map((await findVisibleDocuments(database, viewer, ids)).map((row) => [row.id, row]));
  return given.every(({ document_id: id, file_hash: hash }) => found.get(id)?.file_hash === hash);
}

/** Streams the volume: the files of one document after another, then the load files. */
export function productionZip(context: Services, production: ProductionRow): Readable {
  const zip = new ZipFile();
  const archive = zip.outputStream as Readable;
  zip.on("error", (error: Error) => archive.destroy(error));
  fill(context, zip, archive, production).catch((error: unknown) => {
    if (archive.destroyed) return;
    // The client notices an archive without an end.
    context.log.warn({ reason: reasonOf(error) }, "A production could not be sent to its end");
    archive.destroy(error as Error);
  });
  return archive;
}

const streamOf = (lines: AsyncIterable<Buffer>): Readable => Readable.from(lines, { objectMode: false });

async function fill(
  context: Services,
  zip: ZipFile,
  archive: Readable,
  production: ProductionRow,
): Promise<void> {
  const { database } = context;
  const { volume, ended_at: endedAt, images } = production;
  const mtime = new Date(endedAt ?? production.created_at);
  const add = async (path: string, bytes: Readable, options: object): Promise<void> => {
    const stop = (): void => void bytes.destroy();
    archive.once("close", stop);
    if (archive.destroyed) stop();
    zip.addReadStream(bytes, `${volume}/${path}`, { mtime, ...options });
    await finished(bytes);
    archive.off("close", stop);
  };
  for await (const rows of filledRows(context, production)) {
    // It takes long to send, and a document may be hidden or redacted meanwhile.
    const viewer = await findOwner(database, production.user_id);
    if (viewer === null || !(await areUnchanged(context, viewer, rows)))
      throw new Error("A document of it was changed, hidden or deleted meanwhile");
    for (const row of rows) await addDocument(context, row, add);
    if (archive.destroyed) return;
  }
  await add(`DATA/${volume}.dat`, streamOf(datFile(database, production)), { compress: true });
  if (images !== "none")
    await add(`DATA/${volume}.opt`, streamOf(optFile(database, production)), { compress: true });
  zip.end();
}

async function addDocument(
  { files }: Pick<Context, "files">,
  row: ProducedRow,
  add: (path: string, bytes: Readable, options: object) => Promise<void>,
): Promise<void> {
  const bytes = await files.read(fragmentKey(row.production_id, row.first_number));
  if (bytes === null) throw new Error("The files of a document are missing");
  const parts = new Parts(bytes);
  try {
    for (const { path, size } of JSON.parse(row.files) as VolumeFile[]) {
      const part = Readable.from(parts.next(size), { objectMode: false });
      // Images and most files are compressed already.
      await add(path, part, { size, compress: path.startsWith("TEXT/") });
    }
  } finally {
    bytes.destroy();
  }
}

/** The parts of a stream, one after another. */
class Parts {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** The next bytes, of this number. */
  async *next(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0;) {
      if (this.#rest.length === 0) {
        const { value, done } = await this.#chunks.next();
        if (done === true) throw new Error("The files of a document end too early");
        this.#rest = value;
      }
      const part = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }
}
