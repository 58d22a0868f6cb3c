import { type PoliteFetchOptions, RemoteError, fetchJson } from "./polite-fetch.ts";
import type { RecordImport } from "./import-records.ts";
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
 * @throws {RemoteError}
 */
export async function importRemoteList(url: string, options: WalkOptions): Promise<void> {
  const { records, report, states } = options;
  const begun = await states.find(url);
  const start = { address: url, pages: 0 };
  let place = start;
  let isResuming = begun !== null && URL.parse(begun.next)?.origin === new URL(url).origin;
  if (begun !== null && isResuming) {
    report.note(`${url}: going on after page ${begun.pages}, where it stopped`);
    place = { address: begun.next, pages: begun.pages };
  }
  const road = new Road();
  for (;;) {
    let page: Page;
    try {
      page = pageOf(await fetchJson(place.address, options));
    } catch (error) {
      const isGone = error instanceof RemoteError && error.status === 404;
      if (!isGone || !isResuming) throw error;
      report.note(`${url}: page ${place.pages + 1} is no longer there, starting over`);
      await states.remove(url);
      place = start;
      isResuming = false;
      continue;
    }
    isResuming = false;
    const pages = place.pages + 1;
    await records.run(`${url}, page ${pages}`, once(candidatesIn(page, null, 0)));
    if (page.next === null) break;
    place = { address: followable(page.next, place.address, url), pages };
    if (road.hasSeen(place.address)) throw new RemoteError("its next links go round in a circle");
    await states.save({ url, next: place.address, pages });
  }
  await states.remove(url);
}

interface Page {
  next: string | null;
  results: unknown[];
}

function pageOf(value: unknown): Page {
  if (!isFields(value) || !Array.isArray(value["results"])) {
    throw new RemoteError("answers with what is not a page of a list: it has no results");
  }
  const next = value["next"] ?? null;
  if (next !== null && typeof next !== "string") throw new RemoteError("has a next link that is no text");
  return { next, results: value["results"] as unknown[] };
}

/** Links to other servers are refused: they could point anywhere, also into the private network. */
function followable(next: string, address: string, url: string): string {
  const target = URL.parse(next, address);
  if (target === null) throw new RemoteError("has a next link that is no address");
  if (target.origin !== new URL(url).origin) {
    throw new RemoteError(`goes on at another server, ${target.origin}: import the list from there`);
  }
  return target.href;
}

async function* once<Item>(item: Item): AsyncGenerator<Item> {
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
