import { setTimeout as wait } from "node:timers/promises";
import type { Figure } from "./growth-picture.ts";
import { processorMilliseconds } from "./processor-time.ts";
import type { QuireServer } from "./quire-server.ts";
import { viewers } from "./sample-documents.ts";

export interface Asked {
  what: string;
  address: string;
  /** Follows `next` so often first. */
  pagesBefore?: number;
  token?: string;
}

const search = "/api/documents/search/";
export const asked: readonly Asked[] = [
  { what: "list, first page", address: "/api/documents/" },
  { what: "list, tenth page", address: "/api/documents/", pagesBefore: 9 },
  { what: "list, sorted by title", address: "/api/documents/?ordering=title" },
  { what: "list of one user", address: "/api/documents/?user=17" },
  { what: "list of one project", address: "/api/documents/?project=17" },
  { what: "list, viewer of 1 in 100,000", address: "/api/documents/", token: viewers.rare.token },
  { what: "list, viewer of all", address: "/api/documents/", token: viewers.all.token },
  { what: "search without words", address: `${search}?` },
  { what: "search without words, next page", address: `${search}?`, pagesBefore: 1 },
  { what: "search without words, viewer of all", address: `${search}?`, token: viewers.all.token },
  { what: "search of one user", address: `${search}?user=17` },
  { what: "search of one language", address: `${search}?language=spa` },
  { what: "search with facets", address: `${search}?facets=access,language,year` },
  { what: "search for a word in 15 % of titles", address: `${search}?q=water` },
  { what: "search for all but such a word", address: `${search}?q=NOT%20water` },
  { what: "search for such a word, with facets", address: `${search}?q=water&facets=access,language,year` },
  { what: "landing page", address: "/?" },
];

/** A server, the processes whose time counts, and the pages that the database has read from its buffers so far. */
export interface Served {
  server: QuireServer;
  pids: () => Promise<number[]>;
  buffers: () => Promise<number>;
}

const series = 3;
/** Of one series. The kernel adds the time of a thread up only when it gives way. */
const seriesMilliseconds = 400;
const warmUpMilliseconds = 600;
/** PostgreSQL's processes report what they have read once a second. */
const reportedMilliseconds = 1200;

let counter = 0;
/** An address for which no response is cached. */
const fresh = (url: string): string => `${url}${url.includes("?") ? "&" : "?"}n=${counter++}`;

class RefusedError extends Error {}

async function fetchFrom(url: string, token: string | undefined): Promise<string> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(url, { headers });
  const body = await response.text();
  if (response.status !== 200)
    throw new RefusedError(`${url} was answered ${response.status}: ${body.slice(0, 200)}`);
  return body;
}

/** Asks again and again for so long, but at least once. Returns how often. */
async function repeat(url: string, token: string | undefined, milliseconds: number): Promise<number> {
  const end = performance.now() + milliseconds;
  let requests = 0;
  while (performance.now() < end || requests === 0) {
    await fetchFrom(fresh(url), token);
    requests++;
  }
  return requests;
}

async function figureOf({ server, pids, buffers }: Served, { address, pagesBefore = 0, token }: Asked) {
  let url = server.url + address;
  for (let page = 0; page < pagesBefore; page++)
    url = (JSON.parse(await fetchFrom(fresh(url), token)) as { next: string }).next;
  await repeat(url, token, warmUpMilliseconds);
  await wait(reportedMilliseconds);
  const buffersBefore = await buffers();
  const prices: number[] = [];
  let all = 0;
  for (let turn = 0; turn < series; turn++) {
    const processes = await pids();
    const before = processorMilliseconds(processes);
    const requests = await repeat(url, token, seriesMilliseconds);
    prices.push((processorMilliseconds(processes) - before) / requests);
    all += requests;
  }
  await wait(reportedMilliseconds);
  const read = Math.round(((await buffers()) - buffersBefore) / all);
  // A process of PostgreSQL or a thread of the server may have ended meanwhile, and its time with it. What the server
  // does by itself meanwhile counts too, so the cheapest series says most.
  return { milliseconds: Math.min(...prices.filter((found) => found > 0)), buffers: read };
}

/** Of processor time in a second. */
const quietMilliseconds = 100;
const quietSeconds = 3;

/** Waits until the server has nothing to do: it counts the words of new documents, of a million for some minutes. */
async function untilQuiet({ pids }: Served): Promise<void> {
  for (let seconds = 0; seconds < quietSeconds; seconds++) {
    const processes = await pids();
    const before = processorMilliseconds(processes);
    await wait(1000);
    if (!(processorMilliseconds(processes) - before < quietMilliseconds)) seconds = -1;
  }
}

/** What each request takes; null for a search that takes too long for the server. */
export async function figuresOf(served: Served, say: (text: string) => void): Promise<(Figure | null)[]> {
  await untilQuiet(served);
  const figures: (Figure | null)[] = [];
  for (const one of asked) {
    const figure = await figureOf(served, one).catch((error: unknown) => {
      if (!(error instanceof RefusedError)) throw error;
      say(error.message);
      return null;
    });
    if (figure !== null) say(`${one.what}: ${figure.milliseconds.toFixed(2)} ms, ${figure.buffers} buffers`);
    figures.push(figure);
  }
  return figures;
}
