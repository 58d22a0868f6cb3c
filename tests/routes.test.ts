import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { buildApp, routes } from "../src/app.ts";
import { openContext } from "../src/context.ts";
import { testStorage } from "../src/testing/test-app.ts";
import pino from "pino";

describe("the table of routes", () => {
  const addresses = routes.flatMap(([listed]) => listed);

  it("names only addresses that the application answers", async () => {
    await using storage = await testStorage("sqlite");
    const context = await openContext(storage.config, pino({ level: "silent" }));
    const app = buildApp(context);
    await app.ready();
    const isRouted = (url: string): boolean =>
      (["GET", "POST", "PUT", "PATCH"] as const).some((method) => app.hasRoute({ method, url }));
    // Static files carry a digest in their names.
    const unrouted = addresses.filter((url) => url !== "/static/*" && !isRouted(url));
    await app.close();
    await context.close();
    expect(unrouted).toEqual([]);
  });

  it("names every address that a file with routes declares", () => {
    const declared = globSync("src/{http,web,resources}/**/*.ts")
      .filter((file) => !file.endsWith(".test.ts"))
      .flatMap((file) =>
        Array.from(
          readFileSync(file, "utf8").matchAll(/(?:\b(?:path|url): |\bapp\.\w+\(\s*)"(\/[^"]*)"/g),
          ([, address = ""]) => address,
        ),
      )
      .filter((address) => !addresses.includes(address) && !addresses.includes(`${address}/`));
    expect(declared).toEqual([]);
  });
});
