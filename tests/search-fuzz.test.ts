import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Person } from "../src/testing/people.ts";
import { searchRequests } from "../src/testing/search-requests.ts";
import { type World, addWorldsPeople, buildWorld, worlds } from "../src/testing/search-world.ts";
import { engines, useApp } from "../src/testing/test-app.ts";
import { processorTimer } from "../src/testing/processor-time.ts";
import { runs, runsOn } from "../src/testing/runs.ts";

/** The number of requests to each engine, if it is set. With `TELL`, the statuses and times are printed. */
const queries = process.env["QUERIES"];
const isTold = process.env["TELL"] !== undefined;
/** The number of simultaneous requests that a server with two cores answers without a queue. */
const together = 4;
/** The server allows 20 s for a search. With a few dozen documents every search is much faster. */
const patienceMilliseconds = 3000;
const size = 36;
const maxPages = 2 * size;

interface Page {
  count: number;
  next: string | null;
  results: { id: string | number }[];
}

describe.each(engines)("any request to search on %s", (engine) => {
  const app = useApp(engine);
  const requests = queries === undefined ? runsOn(engine, 400) : Number(queries);
  let persons: Person[] = [];
  const statuses = new Map<number, number>();
  const times: number[] = [];
  beforeAll(async () => {
    persons = await addWorldsPeople(app);
    const [first, ...others] = fc.sample(worlds, { numRuns: runs(60), seed: 4 });
    const documents = others.flatMap((one) => one.documents).slice(0, size);
    if (documents.length < size) throw new Error("too few documents to search");
    await buildWorld(app, { ...(first as World), documents });
  });

  /** `said` is null if the answer is a page for people, whatever its status. */
  async function get(target: string, person: Person | undefined): Promise<{ status: number; said: unknown }> {
    const spent = processorTimer();
    const answer = await app.fetch(target, { headers: { ...person?.headers } });
    const text = await answer.text();
    const took = spent();
    times.push(took);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (took > patienceMilliseconds) throw new Error(`took ${took} ms of processor time: ${target}`);
    if (![200, 400, 404].includes(answer.status)) throw new Error(`${answer.status} at ${target}: ${text}`);
    const isPage = answer.headers.get("content-type")?.startsWith("text/html") === true;
    return { status: answer.status, said: isPage ? null : JSON.parse(text) };
  }

  /** Describes what is wrong with the answer, or with the pages that follow it, if anything. */
  async function judged(
    parameters: readonly (readonly [string, string])[],
    person: Person | undefined,
  ): Promise<string> {
    const query = new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value]));
    const given = new Map(parameters);
    const isOfStart = !given.has("cursor") && !given.has("page");
    const seen = new Set<string>();
    let pages = 0;
    let listed = 0;
    let total = 0;
    for (
      let target: string | null = `/api/documents/search/?${query.toString()}`;
      target !== null;
      pages += 1
    ) {
      const { status, said } = await get(target, person);
      if (said === null) return "fine";
      if (status !== 200) return pages === 0 ? refused(said) : `the link ${target} is answered ${status}`;
      const { count, next, results } = said as Page;
      for (const { id } of results) seen.add(String(id));
      listed += results.length;
      if (seen.size !== listed) return `repeats itself at ${target}`;
      if (pages > 0 && results.length === 0) return `the link ${target} leads to nothing`;
      if (pages > 0 && count !== total) return `counts ${count} after ${total}`;
      if (pages > maxPages) return "has no end";
      total = count;
      target = next === null ? null : next.slice(app.url.length);
    }
    return isOfStart && listed !== total ? `counts ${total}, and lists ${listed}` : "fine";
  }

  /** The same for a search in the pages of one document. */
  async function judgedWithin(
    id: number,
    parameters: readonly (readonly [string, string])[],
    person: Person | undefined,
  ): Promise<string> {
    const query = new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value]));
    const { status, said } = await get(`/api/documents/${id}/search/?${query.toString()}`, person);
    if (said === null) return "fine";
    if (status !== 200) return refused(said);
    const isPages = Object.entries(said as object).every(
      ([name, texts]) =>
        /^(page_no_\d+|title|source|description)$/.test(name) &&
        Array.isArray(texts) &&
        texts.every((one) => typeof one === "string"),
    );
    return isPages ? "fine" : JSON.stringify(said);
  }

  it(
    "is answered or refused with a reason, in time, and lists each document once, page by page",
    async () => {
      const one = fc.record({
        parameters: searchRequests,
        person: fc.constantFrom(-1, 0, 1, 2),
        within: fc.option(fc.integer({ min: 1, max: size }), { freq: 4 }),
      });
      const several = fc.array(one, { minLength: together, maxLength: together });
      await fc.assert(
        fc.asyncProperty(several, async (all) => {
          const told = await Promise.all(
            all.map(({ parameters, person, within }) => {
              const found =
                within === null
                  ? judged(parameters, persons[person])
                  : judgedWithin(within, parameters, persons[person]);
              return found.catch(String);
            }),
          );
          expect(told).toEqual(told.map(() => "fine"));
        }),
        { numRuns: Math.ceil(requests / together) },
      );
      if (isTold) tell(engine, statuses, times);
    },
    300_000 + requests * 20,
  );
});

/** The error shapes that DocumentCloud's clients read. */
function refused(said: unknown): string {
  if (typeof said !== "object" || said === null) return JSON.stringify(said);
  const isInWords = ["detail", "error"].some(
    (name) => typeof (said as Record<string, unknown>)[name] === "string",
  );
  const isOfMembers = Object.values(said).every(
    (messages) => Array.isArray(messages) && messages.every((message) => typeof message === "string"),
  );
  return isInWords || isOfMembers ? "fine" : JSON.stringify(said);
}

function tell(engine: string, statuses: ReadonlyMap<number, number>, times: number[]): void {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
  console.log(
    `${engine}: ${sorted.length} requests, ${JSON.stringify([...statuses])}, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${at(1)} ms`,
  );
}
