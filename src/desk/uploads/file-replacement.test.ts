import { beforeEach, describe, expect, it } from "vitest";
import { FakeNetwork } from "../../testing/fake-network.ts";
import { fakeTus } from "../../testing/fake-tus.ts";
import type { DeskOptions } from "../../contract/page-options.ts";
import { DeskApi } from "../model/desk-api.ts";
import { FileReplacement } from "./file-replacement.ts";

const assets = "https://example.org/files/";
const options = { api: "/api/", tus: "http://quire.test/tus/", user: 1, assets, extensions: ["pdf"] };

let document: object;
let replacement: FileReplacement;

beforeEach(() => {
  document = { id: 7, edit_access: true, asset_url: assets, status: "success" };
  const network = new FakeNetwork(({ path }) => ({
    body: path.includes("/duplicates/") ? { results: [] } : document,
  }));
  replacement = new FileReplacement(new DeskApi(options as unknown as DeskOptions, network), 7, {
    page: new EventTarget() as never,
    tus: fakeTus(network),
  });
});

const gathered = (...names: string[]) => ({
  files: names.map((name) => ({ file: new File(["%PDF-"], name), path: name })),
  leftOut: 0,
});
const chosen = (): string[] => replacement.uploads.items.value.map(({ path }) => path);

describe("the replacement of a file", () => {
  it.each([
    [{ edit_access: false }, false],
    [{ asset_url: "https://elsewhere.example/" }, false],
    [{ asset_url: "https://elsewhere.example/", status: "nofile" }, true],
    [{}, true],
  ])("of a document with %j is possible: %s", async (change, isPossible) => {
    document = { ...document, ...change };
    await replacement.load();
    expect(replacement.problem.value === "").toBe(isPossible);
  });

  it("takes one file or address in place of an earlier choice", () => {
    replacement.choose(gathered("a.pdf", "b.pdf"));
    expect([chosen(), replacement.problem.value]).toEqual([[], expect.stringMatching(/\S/)]);
    replacement.choose(gathered("a.pdf"));
    replacement.choose(gathered("b.pdf"));
    expect([chosen(), replacement.problem.value]).toEqual([["b.pdf"], ""]);
    expect([replacement.chooseAddress("tides"), chosen()]).toEqual([false, ["b.pdf"]]);
    expect([replacement.chooseAddress("https://a.example/c.pdf"), chosen()]).toEqual([
      true,
      ["https://a.example/c.pdf"],
    ]);
  });

  it("takes no other choice while one is under way", () => {
    replacement.chooseAddress("https://a.example/c.pdf");
    for (const { state } of replacement.uploads.items.value) state.value = "sent";
    replacement.choose(gathered("a.pdf"));
    replacement.chooseAddress("https://a.example/d.pdf");
    expect(chosen()).toEqual(["https://a.example/c.pdf"]);
  });
});
