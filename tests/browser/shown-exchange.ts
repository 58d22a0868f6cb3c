import type { Page } from "playwright-core";

/** Request and answer as a browsable page shows them. */
export interface ShownExchange {
  request: string;
  status: string;
  headers: string[];
  /** The body, formatted in several lines. */
  body: string;
}

export async function shownExchange(page: Page): Promise<ShownExchange> {
  const request = await page.locator("pre.request").textContent();
  const answer = (await page.locator("pre.response").textContent()) ?? "";
  const [head = "", ...body] = answer.split("\n\n");
  const [status = "", ...headers] = head.split("\n");
  return { request: request ?? "", status, headers, body: body.join("\n\n") };
}

export async function shownJson(page: Page): Promise<string> {
  return (await shownExchange(page)).body;
}

/** JSON without the white space between its tokens. */
export function squeezed(json: string): string {
  return json.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
}
