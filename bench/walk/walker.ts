import type { Chance } from "../chance.ts";
import { Ledger, type Verdict } from "./ledger.ts";
import type { WalkOrdering, WalkedRecord } from "./orderings.ts";

export interface WalkPlan {
  /** The server's address, without a slash at the end. */
  url: string;
  ordering: WalkOrdering;
  backwards: boolean;
  standing: Iterable<number>;
  /** Once it aborts, the walk requests the largest pages, to finish soon. */
  hurry: AbortSignal;
  /** Once it aborts, the walk stops before its end. */
  stop: AbortSignal;
}

const lastPage = Buffer.from("r=1").toString("base64");
const largestPage = 1000;

/** Walks the whole list with pages of random sizes. Undefined if it was stopped before its end. */
export async function walk(plan: WalkPlan, chance: Chance): Promise<Verdict | undefined> {
  const { url, ordering, backwards, standing, hurry, stop } = plan;
  const ledger = new Ledger(ordering, backwards, standing);
  let address: URL | null = new URL("/api/documents/", url);
  if (ordering.name !== "id" || chance.is(0.5)) address.searchParams.set("ordering", ordering.name);
  if (backwards) address.searchParams.set("cursor", lastPage);
  while (address !== null) {
    if (stop.aborted) return undefined;
    address.searchParams.set("per_page", String(hurry.aborted ? largestPage : pageSize(chance)));
    const page = await getPage(address);
    ledger.takePage(page.results);
    const link: string | null = backwards ? page.previous : page.next;
    address = link === null ? null : new URL(link);
  }
  return ledger.verdict();
}

export interface WalkedPage {
  next: string | null;
  previous: string | null;
  results: WalkedRecord[];
}

export async function getPage(address: URL): Promise<WalkedPage> {
  const response = await fetch(address, { headers: { accept: "application/json" } });
  if (!response.ok)
    throw new Error(`${address.href} was answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as WalkedPage;
}

/** From 1 to 200. Small sizes are as likely as large ones. */
function pageSize(chance: Chance): number {
  return Math.floor(200 ** (chance.below(1000) / 999));
}
