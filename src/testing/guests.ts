import { expect } from "vitest";
import type { Person } from "./people.ts";
import { sendAs } from "./requests.ts";
import type { TestApp } from "./test-app.ts";

/** A guest link that was just made. */
export interface MadeLink {
  uuid: string;
  secret: string;
  /** Its address in the API. */
  path: string;
}

/** The cookie that an answer sets, as the browser sends it. */
export const cookieOf = (answer: Response): string =>
  answer.headers.get("set-cookie")?.split(";", 1)[0] ?? "";

/** Guest links of one maker, and the browsers that open them. */
export function guestsOf(app: Pick<TestApp, "fetch">, maker: () => Person) {
  return {
    make: async (value: object): Promise<MadeLink> => {
      const { status, body } = await sendAs(app, maker(), "POST", "/api/guest_links/", value);
      expect([body, status]).toEqual([body, 201]);
      const link = new URL(String(body.link));
      const path = `/api/guest_links/${String(body.uuid)}/`;
      return { uuid: String(body.uuid), secret: link.searchParams.get("link") ?? "", path };
    },
    open: (secret: string, { cookie = "", ...more }: Record<string, string> = {}): Promise<Response> =>
      app.fetch("/guest/", {
        method: "POST",
        redirect: "manual",
        headers: { cookie },
        body: new URLSearchParams({ link: secret, ...more }),
      }),
    statusAt: async (target: string, cookie: string): Promise<number> =>
      (await app.fetch(target, { headers: { cookie }, redirect: "manual" })).status,
    /** The ids of the documents on the page of what a browser has opened. */
    listed: async (cookie: string): Promise<string[]> => {
      const page = await (await app.fetch("/guest/", { headers: { cookie } })).text();
      return [...new Set([...page.matchAll(/\/documents\/(\d+)-/g)].map(([, id]) => id ?? ""))];
    },
  };
}
