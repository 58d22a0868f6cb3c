import { open, readFile, stat } from "node:fs/promises";
import { ApiError } from "../errors.ts";
import { bytesIn } from "../files/file-bytes.ts";
import { unlessAbsent } from "../files/unless-absent.ts";
import { type Fields, RecordError, isFields, isId } from "../import/record-fields.ts";
import { maxBytes, positionOf, readCandidates } from "../import/record-source.ts";
import { archiveFormat, documentFolderOf, formatLabel, listNames, partNames } from "./archive-files.ts";
import { Bag, NoBagError } from "./bag-reader.ts";

/** A file of an archive does not have the expected content. */
export class ArchiveContentError extends Error {
  override readonly name = "ArchiveContentError";
}

/** Reads an archive. Lists are read one element at a time. */
export class Archive {
  readonly bag: Bag;

  private constructor(bag: Bag) {
    this.bag = bag;
  }

  /** @throws {NoBagError} */
  static async open(folder: string): Promise<Archive> {
    const bag = await Bag.open(folder);
    const format = bag.info.get(formatLabel);
    if (format === undefined) throw new NoBagError(`${folder} is a bag, but not one of Quire's archives`);
    if (format !== archiveFormat) {
      throw new NoBagError(`${folder} has format ${format}: a newer Quire made it, and can import it`);
    }
    return new Archive(bag);
  }

  /**
   * The elements of one of the lists other than the list of documents.
   *
   * @throws {ArchiveContentError} for an element that `read` refuses.
   */
  async *list<T>(
    name: Exclude<keyof typeof listNames, "documents">,
    read: (fields: Fields) => T,
  ): AsyncGenerator<T> {
    yield* this.#elements(listNames[name], read);
  }

  /** The ids of the documents. */
  async *documents(): AsyncGenerator<number> {
    yield* this.#elements(listNames.documents, ({ id }) => {
      if (!isId(id)) throw new RecordError("id: expected the id of a document");
      return id;
    });
  }

  /** The record or the details of a document. */
  async fields(documentId: number, part: "record" | "details"): Promise<Fields> {
    const file = `${documentFolderOf(documentId)}/${partNames[part]}`;
    const size = (await unlessAbsent(stat(this.bag.path(file))))?.size;
    if (size === undefined) throw new ArchiveContentError(`${file} is missing`);
    if (size > maxBytes) throw new ArchiveContentError(`${file} is too long`);
    const text = await readFile(this.bag.path(file), "utf8");
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      throw new ArchiveContentError(`${file} is not JSON`, { cause: error });
    }
    if (!isFields(value)) throw new ArchiveContentError(`${file} is not an object`);
    return value;
  }

  /** The raw elements of a list of a document; none if the document has no such list. */
  async *part(
    documentId: number,
    part: "pages" | "notes" | "sections" | "entities" | "corrections" | "history" | "receipts",
  ): AsyncGenerator {
    yield* this.#values(`${documentFolderOf(documentId)}/${partNames[part]}`);
  }

  /** The path of a file of a document, such as `original/a.docx`; null if the archive has no file of this name. */
  async file(documentId: number, name: string): Promise<string | null> {
    const file = this.bag.path(`${documentFolderOf(documentId)}/${name}`);
    return (await unlessAbsent(stat(file))) === null ? null : file;
  }

  async *#elements<T>(file: string, read: (fields: Fields) => T): AsyncGenerator<T> {
    let element = 0;
    for await (const value of this.#values(file)) {
      element += 1;
      try {
        if (!isFields(value)) throw new RecordError("expected an object");
        yield read(value);
      } catch (error) {
        if (!(error instanceof RecordError) && !(error instanceof ApiError)) throw error;
        throw new ArchiveContentError(
          `${positionOf(file, { line: null, record: element })}: ${error.message}`,
        );
      }
    }
  }

  async *#values(file: string): AsyncGenerator {
    const handle = await unlessAbsent(open(this.bag.path(file)));
    if (handle === null) return;
    for await (const candidates of readCandidates(bytesIn(handle))) {
      for (const candidate of candidates) {
        if (candidate.fault !== null) {
          throw new ArchiveContentError(`${positionOf(file, candidate)}: ${candidate.fault}`);
        }
        yield candidate.value;
      }
    }
  }
}
