import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.join(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");
const docs = globSync("docs/*.md", { cwd: root }).map(read).join("\n");

/** The files that declare routes, as `path: "/api/"` or `app.get("/livez"`. */
const sources = globSync("src/{http,web,resources}/**/*.ts", { cwd: root }).filter(
  (file) => !file.endsWith(".test.ts"),
);
const routes = sources.flatMap((file) =>
  Array.from(
    read(file).matchAll(/(?:\b(?:path|url): |\bapp\.\w+\(\s*)"(\/[^"]*)"/g),
    ([, route = ""]) => route,
  ),
);

describe("the documentation", () => {
  it("can list the routes", () => {
    expect(routes).toEqual(expect.arrayContaining(["/", "/api/documents/", "/api/documents/:id/", "/livez"]));
  });

  it.each(routes)("mentions the route %s", (route) => {
    // As the documentation writes it: `<id>` for a parameter, and id and slug for a document's page.
    const shown = route
      .replace("/documents/*", "/documents/<id>-<slug>/")
      .replace(":id/*", "<id>/<slug>.pdf")
      .replaceAll(/:(\w+)/g, "<$1>");
    // Not `toContain`, whose failure would print all the documentation.
    expect({ shown, isMentioned: docs.includes(shown) }).toEqual({ shown, isMentioned: true });
  });

  it("links only to existing files", () => {
    for (const file of [
      "README.md",
      "ARCHITECTURE.md",
      "CONTRIBUTING.md",
      ...globSync("docs/**/*.md", { cwd: root }),
    ]) {
      for (const [, target = ""] of read(file).matchAll(/\]\((?!https?:)([^)#]+)/g)) {
        const found = globSync(path.join(path.dirname(file), target), { cwd: root });
        expect(found, `${file} links to ${target}`).toHaveLength(1);
      }
    }
  });

  it("has a dated file for each decision, in one form, and a line in the index", () => {
    const decisions = globSync("docs/decisions/*.md", { cwd: root }).filter(
      (file) => !file.endsWith("README.md"),
    );
    const index = read("docs/decisions/README.md");
    const linked = Array.from(index.matchAll(/\]\((\d{4}-\d\d-\d\d-[a-z\d-]+\.md)\)/g), ([, file]) => file);
    expect(new Set(linked)).toEqual(new Set(decisions.map((file) => path.basename(file))));
    for (const file of decisions) {
      const text = read(file);
      const [title = "", ...sections] = Array.from(
        text.matchAll(/^#+ (.*)/gm),
        ([, heading = ""]) => heading,
      );
      expect([file, sections]).toEqual([file, ["Context", "Decision", "Measured", "What would change it"]]);
      expect(index).toContain(`[${title}](${path.basename(file)})`);
    }
  });

  it("names only files that exist in its decisions", () => {
    for (const file of globSync("docs/decisions/*.md", { cwd: root })) {
      for (const [, name = ""] of read(file).matchAll(/`((?:[\w-]+\/)+[\w.-]*)`/g)) {
        const found = [name, `src/${name}`].some((each) => globSync(each, { cwd: root }).length > 0);
        expect([file, name, found]).toEqual([file, name, true]);
      }
    }
  });
});
