import { type PoliteFetchOptions, OtherServerError, fetchJson } from "./polite-fetch.ts";
import type { RecordImport } from "./import-records.ts";
import { readCandidate } from "./read-source.ts";
import { isFields } from "./record-fields.ts";
import { candidatesIn } from "./record-source.ts";
import type { ImportReport } from "./report.ts";
import type { WalkStates } from "./walk-state.ts";

export interface WalkOptions extends PoliteFetchOptions {
  records: RecordImport;
  report: ImportReport;
  states: WalkStates;
}

/**
 * Imports the list of another server by following its `next` links, one request at a time. The position is saved after
 * each page, so an interrupted import continues from there. Importing a page twice changes nothing.
 *
 * @throws {OtherServerError}
 */
export async function importRemoteList(url: string, options: WalkOptions): Promise<void> {
  const { records, report, states } = options;
  const begun = await states.find(url);
  const walk = new RemoteWalk(url, options);
  let pages = 0;
  if (begun !== null && walk.resumeAt(begun.next)) {
    report.note(`${url}: going on after page ${begun.pages}, where it stopped`);
    ({ pages } = begun);
  }
  for (;;) {
    const page = await walk.nextPage();
    if (page === "gone") {
      report.note(`${url}: page ${pages + 1} is no longer there, starting over`);
      await states.remove(url);
      pages = 0;
      continue;
    }
    pages += 1;
    await records.run(`${url}, page ${pages}`, once(candidatesIn(page, null, 0).map(readCandidate)));
    if (page.next === null) break;
    await states.save({ url, next: page.next, pages });
  }
  await states.remove(url);
}

/** A walk over the list of another server, page after page as its `next` links lead, one request at a time. */
export class RemoteWalk {
  readonly #start: string;
  readonly #options: PoliteFetchOptions;
  readonly #road = new Road();
  #address: string;
  #isResuming = false;

  constructor(start: string, options: PoliteFetchOptions) {
    this.#start = start;
    this.#address = start;
    this.#options = options;
  }

  /** Begins at a page that an earlier walk reached. False if its address is not on this server. */
  resumeAt(address: string): boolean {
    if (URL.parse(address)?.origin !== new URL(this.#start).origin) return false;
    this.#address = address;
    this.#isResuming = true;
    return true;
  }

  /**
   * The next page. "gone" if the page at which the walk was resumed is no longer there: then the walk starts over.
   *
   * @throws {OtherServerError}
   */
  async nextPage(): Promise<Page | "gone"> {
    let page: Page;
    try {
      page = pageOf(await fetchJson(this.#address, this.#options));
    } catch (error) {
      if (!this.#isResuming || !(error instanceof OtherServerError) || error.status !== 404) throw error;
      this.#isResuming = false;
      this.#address = this.#start;
      return "gone";
    }
    this.#isResuming = false;
    if (page.next === null) return page;
    const next = followable(page.next, this.#address, this.#start);
    if (this.#road.hasSeen(next)) throw new OtherServerError("its next links go round in a circle");
    this.#address = next;
    return { ...page, next };
  }
}

export interface Page {
  /** The address of the next page; null on the last one. */
  next: string | null;
  results: unknown[];
}

function pageOf(value: unknown): Page {
  if (!isFields(value) || !Array.isArray(value["results"])) {
    throw new OtherServerError("answers with what is not a page of a list: it has no results");
  }
  const next = value["next"] ?? null;
  if (next !== null && typeof next !== "string")
    throw new OtherServerError("has a next link that is no text");
  return { next, results: value["results"] as unknown[] };
}

/** Links to other servers are refused: they could point anywhere, also into the private network. */
function followable(next: string, address: string, url: string): string {
  const target = URL.parse(next, address);
  if (target === null) throw new OtherServerError("has a next link that is no address");
  if (target.origin !== new URL(url).origin) {
    throw new OtherServerError(`goes on at another server, ${target.origin}: import the list from there`);
  }
  return target.href;
}

/** A source of one item. */
export async function* once<Item>(item: Item): AsyncGenerator<Item> {
  yield item;
}

/** Detects a cycle of addresses (Brent): it remembers one address and replaces it at every power of two. */
class Road {
  #remembered = "";
  #steps = 0;
  #untilNext = 1;

  hasSeen(address: string): boolean {
    if (address === this.#remembered) return true;
    this.#steps += 1;
    if (this.#steps === this.#untilNext) {
      this.#remembered = address;
      this.#steps = 0;
      this.#untilNext *= 2;
    }
    return false;
  }
}
