import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Context } from "../../context.ts";
import { documentFileKey } from "../../files/keys.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { UnreadableFileError } from "../../processing/unreadable-file.ts";
import type { WorkFolder } from "../../work-folders.ts";
import { findOriginal } from "../documents/files/original-file.ts";
import { findParts } from "../documents/families/parts-store.ts";
import { findSomePages } from "../documents/pages/page-store.ts";
import { type DocumentRow, findDocument } from "../documents/store.ts";
import { PageError } from "../../processing/pdf/pdf-pages.ts";
import {
  StampingError,
  isColored,
  slipSheet,
  stampedJpeg,
  stampedTiff,
} from "../../processing/pdf/stamped-image.ts";
import { Fragment } from "./fragment.ts";
import { written } from "./numbers.ts";
import { type OwnWords, ownWords } from "./own-words.ts";
import { findFirstNumbers, type ProducedRow, type ProductionRow } from "./store.ts";
import { findRedacted } from "./selection-store.ts";

/** What the load file says of a document besides its numbers. */
export interface ProducedFields extends Partial<OwnWords> {
  isRedacted?: boolean;
  textPath?: string;
  nativePath?: string;
  md5?: string;
  sha1?: string;
}

/** What became of a document. The caller closes the fragment with its files. */
export interface Produced {
  state: "made" | "slip" | "withheld";
  reason: string | null;
  fields: ProducedFields;
  fragment: Fragment;
}

type Services = Pick<Context, "converter" | "database" | "files" | "pdfs">;

/** Makes the files of one document of a production, for its maker as they are now; null if they may not sign in. */
export async function produceDocument(
  context: Services,
  {
    production,
    produced,
    viewer,
  }: { production: ProductionRow; produced: ProducedRow; viewer: Viewer | null },
  folder: WorkFolder,
  signal: AbortSignal,
): Promise<Produced> {
  const maker = new DocumentMaker(context, production, produced, folder, signal);
  const find = async (): Promise<DocumentRow | null> => {
    const row = viewer === null ? null : await findDocument(context.database, viewer, produced.document_id);
    return row !== null && row.file_hash === produced.file_hash ? row : null;
  };
  const before = await find();
  if (before === null) return maker.withhold("withheld");
  const made = await maker.make(before);
  const after = await find();
  if (after !== null && after.status === before.status) return made;
  await made.fragment[Symbol.asyncDispose]();
  return maker.withhold("withheld-again");
}

/** Files in a folder of the volume: programs open large folders slowly. */
const filesInFolder = 1000;

class DocumentMaker {
  readonly #context: Services;
  readonly #production: ProductionRow;
  readonly #produced: ProducedRow;
  readonly #folder: WorkFolder;
  readonly #signal: AbortSignal;

  constructor(
    context: Services,
    production: ProductionRow,
    produced: ProducedRow,
    folder: WorkFolder,
    signal: AbortSignal,
  ) {
    this.#context = context;
    this.#production = production;
    this.#produced = produced;
    this.#folder = folder;
    this.#signal = signal;
  }

  /** A sheet instead of a document that is not given, which says nothing of it. */
  async withhold(name: string): Promise<Produced> {
    const reason = "It was changed, hidden or deleted after it got its number";
    const fragment = await Fragment.begin(this.#folder, name);
    await this.#addSheet(fragment, reason);
    return { state: "withheld", reason, fields: {}, fragment };
  }

  async make(row: DocumentRow): Promise<Produced> {
    const { database } = this.#context;
    const { has_texts: hasTexts, has_natives: hasNatives } = this.#production;
    const fragment = await Fragment.begin(this.#folder, "files");
    const isRedacted = (await findRedacted(database, [row.id])).length > 0;
    const fields: ProducedFields = isRedacted
      ? { isRedacted }
      : { isRedacted, ...(await ownWords(this.#context, row, this.#signal)) };
    const why = whyNoPages(row);
    const failed = why ?? (await this.#addPages(fragment, row));
    const isSlip = why !== null || failed instanceof UnreadableFileError;
    const reason =
      failed instanceof UnreadableFileError ? `It cannot be shown as pages: ${failed.message}` : failed;
    if (isSlip) await this.#addSheet(fragment, reason ?? "");
    if (Boolean(hasTexts) && !isSlip) Object.assign(fields, await this.#addText(fragment, row));
    if (Boolean(hasNatives) && !isRedacted && ["success", "error"].includes(row.status))
      Object.assign(fields, await this.#addNative(fragment, row));
    return { state: isSlip ? "slip" : "made", reason, fields, fragment };
  }

  /** Returns what is missing, or why there are no pages at all; null if all of them are there. */
  async #addPages(fragment: Fragment, row: DocumentRow): Promise<string | UnreadableFileError | null> {
    const { images } = this.#production;
    if (images === "none") return null;
    const { files, pdfs } = this.#context;
    await using file = await files.borrow(documentFileKey(row.id, row.slug, "pdf"));
    if (file === null) return new UnreadableFileError("unreachable", "its file is missing");
    try {
      if (images === "pdf") {
        await this.#addPdf(fragment, file.path);
        return null;
      }
      await using pdf = await pdfs.open(file.path);
      const { pages } = this.#produced;
      if (pdf.facts.pageCount !== pages)
        return new UnreadableFileError("broken", `it has ${pdf.facts.pageCount} pages, not ${pages}`);
      let missing = 0;
      for (let page = 0; page < pages; page++) {
        this.#signal.throwIfAborted();
        const { bytes, extension, isThere } = await this.#drawn(pdf, page);
        missing += isThere ? 0 : 1;
        await fragment.add(this.#pathOf("IMAGES", page, extension), [bytes]);
      }
      return missing === 0 ? null : `${missing} of its ${pages} pages cannot be shown`;
    } catch (error) {
      this.#signal.throwIfAborted();
      if (error instanceof UnreadableFileError) return error;
      throw error;
    }
  }

  async #drawn(
    pdf: Awaited<ReturnType<Services["pdfs"]["open"]>>,
    page: number,
  ): Promise<{ bytes: Uint8Array; extension: string; isThere: boolean }> {
    const words = this.#strip(page);
    try {
      if (this.#production.images === "color") {
        const flat = await pdf.flat(page, []);
        if (isColored(flat))
          return { bytes: await stampedJpeg(flat, words), extension: "jpg", isThere: true };
      }
      const width = Number(pdf.facts.pageSizes[page]?.width);
      const bytes = await stampedTiff(await pdf.raster(page), width, words);
      return { bytes, extension: "tif", isThere: true };
    } catch (error) {
      if (!(error instanceof PageError || error instanceof StampingError)) throw error;
      const bytes = await slipSheet(["This page cannot be shown."], words);
      return { bytes, extension: "tif", isThere: false };
    }
  }

  /** Only what the pages draw is taken over: no attached files, no scripts, no layers that are switched off. */
  async #addPdf(fragment: Fragment, path: string): Promise<void> {
    const { converter, pdfs } = this.#context;
    const { pages } = this.#produced;
    const [plain, stamped] = [this.#folder.file("plain.pdf"), this.#folder.file("stamped.pdf")];
    const all = Array.from({ length: pages }, (_, page) => ({ source: 0, page, quarterTurns: 0 }));
    await pdfs.assemble({ sources: [path], pages: all, to: plain, strictly: false }, this.#signal);
    const right = all.map(({ page }) => this.#strip(page).right);
    const stamps = { left: this.#production.endorsement, right };
    await converter.stamped({ from: plain, to: stamped, stamps, signal: this.#signal });
    await fragment.add(this.#pathOf("IMAGES", 0, "pdf"), createReadStream(stamped));
  }

  async #addSheet(fragment: Fragment, reason: string): Promise<void> {
    if (this.#production.images === "none") return;
    const lines = [this.#strip(0).right, "", "This sheet stands for a document without pages.", `${reason}.`];
    const sheet = await slipSheet(
      lines.flatMap((line) => wrapped(line)),
      this.#strip(0),
    );
    await fragment.add(this.#pathOf("IMAGES", 0, "tif"), [sheet]);
  }

  async #addText(fragment: Fragment, { id }: DocumentRow): Promise<ProducedFields> {
    const { database } = this.#context;
    const textPath = this.#pathOf("TEXT", 0, "txt");
    await fragment.add(textPath, textOf(database, id));
    return { textPath };
  }

  /** The file as it came; nothing for a container of which a part is redacted or not produced. */
  async #addNative(fragment: Fragment, row: DocumentRow): Promise<ProducedFields> {
    const { database, files } = this.#context;
    const parts = await findParts(database.reader, row.id);
    if (parts.length > 0) {
      const produced = await findFirstNumbers(database.reader, this.#production.id, parts);
      const redacted = await findRedacted(database, parts);
      if (produced.size < parts.length || redacted.length > 0) return {};
    }
    const original = await findOriginal(files, row);
    const bytes = original === null ? null : await files.read(original.key, undefined, original.version);
    if (original === null || bytes === null) return {};
    const nativePath = this.#pathOf("NATIVES", 0, original.extension);
    const [md5, sha1] = [createHash("md5"), createHash("sha1")];
    await fragment.add(nativePath, bytes, (chunk) => {
      md5.update(chunk);
      sha1.update(chunk);
    });
    return { nativePath, md5: md5.digest("hex"), sha1: sha1.digest("hex") };
  }

  #strip(page: number): { left: string; right: string } {
    const right = written(this.#production, this.#produced.first_number + page);
    return { left: this.#production.endorsement, right };
  }

  #pathOf(folder: string, page: number, extension: string): string {
    const number = this.#produced.first_number + page;
    const part = Math.floor((number - this.#production.first_number) / filesInFolder) + 1;
    return `${folder}/${String(part).padStart(4, "0")}/${written(this.#production, number)}.${extension}`;
  }
}

function whyNoPages({ status, asset_url: elsewhere }: DocumentRow): string | null {
  if (status === "nofile") return "It has no file";
  if (status === "error") return "It could not be read";
  if (status !== "success") return "It was being worked on";
  return elsewhere === null ? null : "Its file is on another server";
}

async function* textOf(database: Context["database"], id: number): AsyncGenerator<Uint8Array> {
  for (let next = 0; ;) {
    const pages = await findSomePages(database, id, next);
    const last = pages.at(-1);
    if (last === undefined) return;
    yield Buffer.from(pages.map(({ page, text }) => `${page === 0 ? "" : "\f"}${text}`).join(""));
    next = last.page + 1;
  }
}

/** Lines of a sheet that fit on it. */
function wrapped(line: string): string[] {
  const lines = [""];
  for (const word of line.split(/\s+/)) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (longer.length > 62 && lines.at(-1) !== "") lines.push(word.slice(0, 62));
    else lines[lines.length - 1] = longer.slice(0, 62);
  }
  return lines;
}
