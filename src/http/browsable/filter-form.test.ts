import { describe, expect, it } from "vitest";
import { type ListControls, filterForm } from "./filter-form.ts";

const controls: ListControls = {
  filters: [
    { name: "user", label: "User", help: "Ids of owners", value: "" },
    { name: "status", label: "Status", help: "", value: "", choices: ["success", "readable"] },
  ],
  orderings: [
    { value: "id", label: "id, ascending" },
    { value: "-id", label: "id, descending" },
  ],
  ordering: "",
  kept: [
    ["per_page", "5"],
    ["tag", "a&b"],
    ["tag", "c"],
  ],
};

const form = (changes: Partial<ListControls> = {}): string =>
  filterForm({ ...controls, ...changes }, false).toString();

/** The selected options, by the name of their field. */
function selected(markup: string): string[][] {
  const selects = markup.matchAll(/<select id="filter-(\w+)"(.*?)<\/select>/gs);
  return Array.from(selects, ([, name = "", options = ""]) => [
    name,
    ...Array.from(options.matchAll(/value="([^"]*)" selected/g), ([, value = ""]) => value),
  ]);
}

describe("the filter form", () => {
  it("requests the same address and keeps all other parameters", () => {
    expect(form()).toMatch(/<form class="panel-content" method="get">/);
    expect(form().match(/<input type="hidden"[^>]*>/g)).toEqual([
      `<input type="hidden" name="per_page" value="5" />`,
      `<input type="hidden" name="tag" value="a&#38;b" />`,
      `<input type="hidden" name="tag" value="c" />`,
    ]);
  });

  it("labels and explains every field", () => {
    for (const name of ["ordering", "user", "status"]) {
      expect(form()).toContain(`<label for="filter-${name}">`);
      expect(form()).toContain(`id="filter-${name}"`);
    }
    expect(form()).toContain(`aria-describedby="help-user"`);
    expect(form()).toContain(`<p class="help" id="help-user">Ids of owners</p>`);
    expect(form()).not.toContain("help-status");
  });

  it("starts without filters and in the default order", () => {
    expect(selected(form())).toEqual([
      ["ordering", ""],
      ["status", ""],
    ]);
    expect(form()).not.toMatch(/class="count"|Clear all/);
  });

  it("shows the active filters and a link that clears them", () => {
    const [user, status] = controls.filters;
    const filters = [
      { ...user!, value: `1,"2"` },
      { ...status!, value: "readable" },
    ];
    const inUse = form({ filters, ordering: "-id" });
    expect(inUse).toContain(`value="1,&#34;2&#34;"`);
    expect(selected(inUse)).toEqual([
      ["ordering", "-id"],
      ["status", "readable"],
    ]);
    expect(inUse).toMatch(/<span class="count">3 /);
    expect(inUse).toContain(`href="?per_page=5&#38;tag=a%26b&#38;tag=c">Clear all</a>`);
  });

  it("keeps a value that is not one of the choices", () => {
    const [, status] = controls.filters;
    const unusual = form({ filters: [{ ...status!, value: "success,readable" }], ordering: "data_cid" });
    expect(selected(unusual)).toEqual([
      ["ordering", "data_cid"],
      ["status", "success,readable"],
    ]);
  });

  it("omits the ordering field if the order is fixed", () => {
    expect(form({ orderings: [] })).not.toContain(`name="ordering"`);
  });
});
