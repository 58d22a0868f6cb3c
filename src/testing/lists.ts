import type { TestApp } from "./test-app.ts";

export type DocumentJson = Record<string, unknown> & { id: number };

export interface ListJson {
  next: string | null;
  previous: string | null;
  results: DocumentJson[];
}

/** The answer at an address: a path of the application, or an absolute address such as a link. */
export function answerAt(app: TestApp, address: string, init?: RequestInit): Promise<Response> {
  return fetch(new URL(address, app.url), { redirect: "manual", ...init });
}

/** Fetches the page of a list. Throws unless the response is a page. */
export async function pageAt(app: TestApp, address: string, init?: RequestInit): Promise<ListJson> {
  const answer = await answerAt(app, address, init);
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.status} at ${address}: ${body}`);
  return JSON.parse(body) as ListJson;
}

export function idsOf({ results }: ListJson): number[] {
  return results.map(({ id }) => id);
}

export async function idsAt(app: TestApp, address: string): Promise<number[]> {
  return idsOf(await pageAt(app, address));
}

/** A page and those after it, in the direction of one of its links. */
export async function* pagesFrom(
  app: TestApp,
  address: string,
  direction: "next" | "previous" = "next",
): AsyncGenerator<ListJson> {
  for (let at: string | null = address; at !== null;) {
    const page: ListJson = await pageAt(app, at);
    yield page;
    at = page[direction];
  }
}

/** The ids of the whole list, page by page. */
export async function walkedIds(app: TestApp, address: string): Promise<number[]> {
  return (await Array.fromAsync(pagesFrom(app, address), idsOf)).flat();
}
