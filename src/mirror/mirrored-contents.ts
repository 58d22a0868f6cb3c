import type { Context } from "../context.ts";
import { documentFileKey } from "../files/keys.ts";
import type { PoliteFileOptions } from "../import/polite-file.ts";
import type { Fields } from "../import/record-fields.ts";
import { noteArrival } from "../resources/documents/files/received-file-store.ts";
import { addUnrecognisedPages, deletePages } from "../resources/documents/pages/page-store.ts";
import { type Mirror, findHeld, noteMirroredContent } from "../resources/mirrors/store.ts";
import { type FetchedFile, type RemoteContents, fetchContents } from "./remote-contents.ts";

/** The files and texts of documents of the other server, and their copies here. */
export class MirroredContents {
  readonly #context: Pick<Context, "database" | "files">;
  readonly #fetching: PoliteFileOptions;
  /** The number of files that were fetched. */
  files = 0;

  constructor(context: Pick<Context, "database" | "files">, fetching: PoliteFileOptions) {
    this.#context = context;
    this.#fetching = fetching;
  }

  /**
   * Fetches the file and the texts, unless the local copies are current. Returns what the other server lacks, by name;
   * null if nothing was fetched.
   */
  async update(mirror: Mirror, id: number, record: Fields): Promise<readonly string[] | null> {
    const { database } = this.#context;
    const { status, slug, asset_url: assets, file_hash: fileHash, updated_at: version } = record;
    const extension = record["original_extension"];
    if (status !== "success" && status !== "readable") return null;
    const texts = { slug, assets, extension, version };
    if (!Object.values(texts).every((text) => typeof text === "string")) return null;
    const content = JSON.stringify([version, slug, extension, fileHash]);
    const held = await findHeld(database.reader, mirror, id);
    if (held === null || (held.isFileHere && held.content === content)) return null;
    const document = {
      folder: new URL(`documents/${id}/`, String(assets)).href,
      slug: String(slug),
      extension: String(extension),
      fileHash: typeof fileHash === "string" ? fileHash : "",
      pageCount: Number(record["page_count"]),
      version: String(version),
    };
    // Other servers, such as a public bucket, get no credentials. Some refuse requests that have any.
    const { credentials, ...anonymous } = this.#fetching;
    const isAtHome = new URL(document.folder).origin === new URL(mirror.api).origin;
    const fetching = isAtHome && credentials !== undefined ? { ...anonymous, credentials } : anonymous;
    await using contents = await fetchContents(document, { withFile: !held.isFileHere }, fetching);
    await this.#put(mirror, document, contents, { id, content });
    return contents.leftOut;
  }

  async #put(
    mirror: Mirror,
    { slug, extension, folder }: { slug: string; extension: string; folder: string },
    { pdf, original, texts }: RemoteContents,
    { id, content }: { id: number; content: string },
  ): Promise<void> {
    const { database, files } = this.#context;
    const stored: { file: FetchedFile; key: string; extension: string }[] = [];
    const started = performance.now();
    if (pdf !== null) stored.push({ file: pdf, key: documentFileKey(id, slug, "pdf"), extension: "pdf" });
    if (original !== null)
      stored.push({ file: original, key: documentFileKey(id, slug, extension), extension });
    for (const { file, key } of stored) await files.put(key, file.path);
    this.files += stored.length;
    const storing = performance.now() - started;
    await database.write(async (writer) => {
      if (texts !== null) {
        await deletePages(writer, id);
        let first = 0;
        for await (const pages of texts()) {
          await addUnrecognisedPages(writer, id, first, pages);
          first += pages.length;
        }
      }
      const arrived = stored.at(-1);
      if (arrived !== undefined) {
        const { file, key } = arrived;
        const { sha1, sha256, bytes } = file;
        const milliseconds = { coming: file.milliseconds, storing };
        const facts = { key, extension: arrived.extension, sha1, sha256, bytes, milliseconds };
        await noteArrival(writer, id, facts, { host: new URL(folder).host, isRead: false });
      }
      await noteMirroredContent(writer, mirror, id, content);
    });
  }
}
