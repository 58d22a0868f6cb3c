import type { Document, Duplicate, documentMembers } from "../../contract/document.ts";
import type { FoundDocument, SearchResults } from "../../contract/search.ts";
import type { ObjectOf, Page } from "../../contract/shape.ts";
import type { Project } from "../../contract/project.ts";
import { findLatestError } from "../../viewer/model/file-work.ts";
import { Client, type Network } from "../../viewer/model/send.ts";
import type { DeskOptions } from "../../contract/page-options.ts";
import { texts } from "./texts.ts";

export { RefusedError, messageIn, reasonOf } from "../../viewer/model/send.ts";

/** A document as both the list and a search show it, with a number as its id. */
export type DeskDocument = ObjectOf<typeof documentMembers> &
  Pick<Document, "id"> &
  Partial<Pick<FoundDocument, "highlights">>;

/** A page of a search whose documents have numbers as their ids, as in records. */
export type FoundPage = Omit<SearchResults, "results"> & { results: DeskDocument[] };

export function withNumbers(page: SearchResults): FoundPage {
  return { ...page, results: page.results.map((found) => Object.assign(found, { id: Number(found.id) })) };
}

/** Requests to the public API on behalf of the signed-in user. */
export class DeskApi extends Client {
  readonly options: DeskOptions;

  constructor(options: DeskOptions, network?: Network) {
    super(options.api, options.csrfToken, network);
    this.options = options;
  }

  /** The projects in which the user may add documents. */
  async projects(): Promise<Project[]> {
    const { results } = await this.get<Page<Project>>(`projects/?user=${this.options.user}&per_page=100`);
    return results.filter((project) => project.add_remove_access === true);
  }

  /** Finds documents. Their ids are numbers here, as in records. */
  async search(parameters: URLSearchParams): Promise<FoundPage> {
    return withNumbers(await this.get<SearchResults>(`documents/search/?${parameters}`));
  }

  /**
   * The address of a small image of the first page. Null if there is no image, or if this page may not load images from
   * the store that has it.
   */
  firstPageOf({ id, slug, asset_url, page_count, status, file_hash }: DeskDocument): string | null {
    const { assets, files, images } = this.options;
    if (page_count === 0 || !["success", "readable"].includes(status)) return null;
    const name = `documents/${id}/pages/${encodeURIComponent(slug)}-p1-small.gif`;
    // The hash makes the browser load the image of a new file.
    if (asset_url === assets) return `${files}${name}?${file_hash}`;
    return asset_url !== null && images.includes(asset_url) ? `${asset_url}${name}` : null;
  }

  /** The page on which people replace the file of a document. */
  replacementPage(id: number): string {
    return `${this.options.upload}?replace=${id}`;
  }

  /** Whether a document's original is in Quire's store. */
  hasFile({ status, asset_url }: DeskDocument): boolean {
    return status !== "nofile" && asset_url === this.options.assets;
  }

  /**
   * The address of the originals of documents, as one ZIP archive.
   *
   * @param isSearchable whether it has PDFs with recognised words in place of scans
   */
  archiveOf(documents: readonly DeskDocument[], isSearchable = false): string {
    const ids = documents.map(({ id }) => id).join(",");
    return `${this.options.api}documents/zip/?id__in=${ids}${isSearchable ? "&text=1" : ""}`;
  }

  async duplicates(hashes: readonly string[]): Promise<Duplicate[]> {
    const query = hashes.map((hash) => `sha1=${hash}`).join("&");
    return (await this.get<Pick<Page<Duplicate>, "results">>(`documents/duplicates/?${query}`)).results;
  }

  /** The latest reason why processing failed. */
  async errorOf(id: number): Promise<string> {
    return (await findLatestError(this, id)) ?? texts.noReason;
  }
}
