import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import type { DatabaseSettings } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open-database.ts";
import { table } from "../report.ts";

/** What a reader of the feed has read, in order. */
interface Followed {
  how: string;
  ids: number[];
}

interface FeedPage {
  next: string;
  has_more: boolean;
  results: { id: number; document: number | null; type: string }[];
}

const pageSizes = [1, 7, 100, 1000];

/** Readers of the feed, who follow it from now on until they are told to stop, and then to its end. */
export class Followers {
  /** The id of the last event before those that they follow. */
  readonly startId: number;
  readonly #readers: Promise<Followed>[];
  #isOver = false;

  private constructor(start: string) {
    this.startId = Number(/after=\d+-(\d+)/.exec(start)?.[1]);
    this.#readers = pageSizes.map((size) => this.#follow(start, size));
  }

  static async start(url: string): Promise<Followers> {
    const { next } = await read(`${url}/api/events/?after=latest`);
    return new Followers(next);
  }

  async stop(): Promise<Followed[]> {
    this.#isOver = true;
    return Promise.all(this.#readers);
  }

  async #follow(start: string, size: number): Promise<Followed> {
    const ids: number[] = [];
    let address = start;
    for (;;) {
      const isLast = this.#isOver;
      const page = await read(`${address}&per_page=${size}`);
      ids.push(...page.results.map(({ id }) => id));
      address = page.next.replace(`&per_page=${size}`, "");
      if (!page.has_more) {
        if (isLast) return { how: `${size} at a time`, ids };
        await wait(5);
      }
    }
  }
}

async function read(address: string): Promise<FeedPage> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} was answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as FeedPage;
}

export interface FollowedTally {
  isProof: boolean;
  text: string;
}

/** Compares what readers have read with the table: events of documents that everyone sees all the time. */
export async function tallyFollowed(
  settings: DatabaseSettings,
  { standing, startId }: { standing: readonly number[]; startId: number },
  followed: readonly Followed[],
): Promise<FollowedTally> {
  const database = await openDatabase(settings);
  try {
    const { rows } = await sql<{ id: number; document_id: number; type: string }>`
      select id, document_id, type from events order by ${database.dialect.eventOrder.columns}`.execute(
      database.reader,
    );
    const begin = rows.findIndex(({ id }) => id === startId) + 1;
    const indexes = new Map(rows.map(({ id }, index) => [id, index]));
    const isStanding = new Set(standing);
    const due = rows
      .slice(begin)
      .filter(({ type, document_id }) => type === "document.changed" && isStanding.has(document_id));
    let isProof = due.length > 0;
    const cells = followed.map(({ how, ids }) => {
      const seen = new Set(ids);
      const misses = due.filter(({ id }) => !seen.has(id)).length;
      const repeats = ids.length - seen.size;
      const ordered = ids.map((id) => indexes.get(id) ?? -1);
      const misplaced = ordered.filter((position, index) => position <= (ordered[index - 1] ?? -1)).length;
      isProof &&= misses + repeats + misplaced === 0;
      return [how, ids.length, due.length, repeats, misses, misplaced].map(String);
    });
    return {
      isProof,
      text: table(["reader", "events", "due", "repeats", "misses", "misplaced"], cells),
    };
  } finally {
    await database.close();
  }
}
