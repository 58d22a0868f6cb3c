import type { Document, Duplicate, documentMembers } from "../../contract/document.ts";
import type { SearchResults } from "../../contract/search.ts";
import type { DocumentError } from "../../contract/work.ts";
import type { ObjectOf, Page } from "../../contract/shape.ts";
import type { Project } from "../../contract/project.ts";
import { type Network, browserNetwork, currentToken, sendJson } from "../../viewer/model/send.ts";
import type { DeskOptions } from "../../contract/page-options.ts";
import { texts } from "./texts.ts";

export { RefusedError, messageIn } from "../../viewer/model/send.ts";

/** A document as both the list and a search show it, with a number as its id. */
export type DeskDocument = ObjectOf<typeof documentMembers> & Pick<Document, "id">;

/** Requests to the public API on behalf of the signed-in user. */
export class DeskApi {
  readonly options: DeskOptions;
  readonly network: Network;

  constructor(options: DeskOptions, network = browserNetwork) {
    this.options = options;
    this.network = network;
  }

  /** The CSRF token of the current session. */
  get csrfToken(): string {
    return currentToken(this.options.csrfToken, this.network);
  }

  /** The page with the list of projects, where a person can create one. */
  get projectsPage(): string {
    return this.options.api.replace(/api\/$/, "projects/");
  }

  /** The page on which people upload files. */
  get uploadPage(): string {
    return this.options.api.replace(/api\/$/, "upload/");
  }

  get<Answer>(path: string): Promise<Answer> {
    return this.send("GET", path) as Promise<Answer>;
  }

  /** Sends JSON, or a form, and returns the parsed response, or null if it has no body. @throws {RefusedError} */
  send(method: string, path: string, value?: unknown): Promise<unknown> {
    return sendJson(method, `${this.options.api}${path}`, this.options.csrfToken, value, this.network);
  }

  /** The projects in which the user may add documents. */
  async projects(): Promise<Project[]> {
    const { results } = await this.get<Page<Project>>(`projects/?user=${this.options.user}&per_page=100`);
    return results.filter((project) => project.add_remove_access === true);
  }

  /** Finds documents. Their ids are numbers here, as in records. */
  async search(
    parameters: URLSearchParams,
  ): Promise<Omit<SearchResults, "results"> & { results: DeskDocument[] }> {
    const page = await this.get<SearchResults>(`documents/search/?${parameters}`);
    return { ...page, results: page.results.map((one) => Object.assign(one, { id: Number(one.id) })) };
  }

  /** The address of a small image of the first page; null if there is none. */
  firstPageOf({ id, slug, asset_url, page_count, status, file_hash }: DeskDocument): string | null {
    if (page_count === 0 || !["success", "readable"].includes(status)) return null;
    const { assets, files } = this.options;
    const name = `documents/${id}/pages/${encodeURIComponent(slug)}-p1-small.gif`;
    // A browser sends its session to this site alone. The hash makes it load the image of a new file.
    return asset_url === assets ? `${files}${name}?${file_hash}` : `${asset_url}${name}`;
  }

  /** The page on which people replace the file of a document. */
  replacementPage(id: number): string {
    return `${this.options.upload}?replace=${id}`;
  }

  /** Whether a document's original is in Quire's store. */
  hasFile({ status, asset_url }: DeskDocument): boolean {
    return status !== "nofile" && asset_url === this.options.assets;
  }

  /** The address of the originals of documents, as one ZIP archive. */
  archiveOf(documents: readonly DeskDocument[]): string {
    return `${this.options.api}documents/zip/?id__in=${documents.map(({ id }) => id).join(",")}`;
  }

  async duplicates(hashes: readonly string[]): Promise<Duplicate[]> {
    const query = hashes.map((hash) => `sha1=${hash}`).join("&");
    return (await this.get<Pick<Page<Duplicate>, "results">>(`documents/duplicates/?${query}`)).results;
  }

  /** The latest reason why processing failed. */
  async errorOf(id: number): Promise<string> {
    const { results } = await this.get<Page<DocumentError>>(`documents/${id}/errors/?per_page=100`);
    const [latest] = results.toSorted((left, right) => right.id - left.id);
    return latest?.message ?? texts.noReason;
  }
}

/** The path below the root of the API, from an address in a response. */
export function pathIn(address: string): string {
  const { pathname, search } = new URL(address);
  return `${pathname.replace(/^.*?\/api\//, "")}${search}`;
}
