import { describe, expect, it } from "vitest";
import { startTestApp } from "../../testing/test-app.ts";

async function textOf(path: string, environment: Record<string, string> = {}): Promise<[number, string]> {
  await using app = await startTestApp("sqlite", { QUIRE_URL: "https://example.org", ...environment });
  const answer = await app.fetch(path);
  return [answer.status, await answer.text()];
}

/** What robots.txt says to a robot: the rules of its group, or of the group of all. */
function rulesFor(robot: string, text: string): string[] {
  const groups = text.split("\n\n").map((group) => group.trim().split("\n"));
  const of = (name: string): string[] | undefined =>
    groups
      .find((lines) => lines.includes(`User-agent: ${name}`))
      ?.filter((line) => /^(?:Dis)?allow:/i.test(line));
  return of(robot) ?? of("*") ?? [];
}

describe("robots.txt", () => {
  it("lets everyone in by default", async () => {
    const [, text] = await textOf("/robots.txt");
    expect(text).toBe(
      "User-agent: *\nDisallow: /sign-in/\nDisallow: /sign-out/\n\nSitemap: https://example.org/sitemap.xml\n",
    );
  });

  it("lets search engines in alone, if a setting says so", async () => {
    const [, text] = await textOf("/robots.txt", { QUIRE_ROBOTS: "search" });
    expect(rulesFor("GPTBot", text)).toEqual(["Disallow: /"]);
    expect(rulesFor("Googlebot", text)).toEqual(["Disallow: /sign-in/", "Disallow: /sign-out/"]);
    expect(text).toContain("Sitemap: ");
  });

  it("lets nobody in, if a setting says so", async () => {
    const [, text] = await textOf("/robots.txt", { QUIRE_ROBOTS: "nobody" });
    expect(rulesFor("Googlebot", text)).toEqual(["Disallow: /"]);
    expect(text).not.toContain("Sitemap: ");
  });
});

describe("llms.txt", () => {
  it("is there if a setting says so, and names addresses that exist", async () => {
    const nowhere = { detail: "Not found." };
    const [status, text] = await textOf("/llms.txt");
    expect([status, JSON.parse(text)]).toEqual([404, nowhere]);
    const [found, written] = await textOf("/llms.txt", { QUIRE_LLMS_TXT: "on" });
    expect(found).toBe(200);
    expect(written).toMatch(/^# Quire\n\n> /);
    const addresses = Array.from(
      written.matchAll(/\]\(https:\/\/example\.org(\/[^)]*)\)/g),
      ([, path = ""]) => path,
    );
    expect(addresses.length).toBeGreaterThan(4);
    await using app = await startTestApp("sqlite");
    for (const address of addresses) {
      const { status: answer } = await app.fetch(address.replace(/\b(q|quote)=/, "$1=harbour"));
      expect({ address, answer }).toEqual({ address, answer: 200 });
    }
  });
});
