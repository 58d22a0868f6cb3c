import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { elementsOf, nameOf } from "../packaging/icons.ts";
import * as icons from "../src/contract/icons.ts";

it("every icon is the one of its name in lucide-static, and is shown somewhere", () => {
  const sources = globSync("src/{http,web,viewer,desk}/**/*.{ts,tsx}", {
    cwd: path.join(import.meta.dirname, ".."),
  });
  const code = sources.map((file) => readFileSync(path.join(import.meta.dirname, "..", file), "utf8")).join();
  for (const [constant, elements] of Object.entries(icons)) {
    expect.soft([constant, elements]).toEqual([constant, elementsOf(nameOf(constant))]);
    expect.soft([constant, code.includes(constant)]).toEqual([constant, true]);
  }
});
