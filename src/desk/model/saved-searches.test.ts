import { expect, it } from "vitest";
import { FakeNetwork } from "../../testing/fake-network.ts";
import type { DeskOptions } from "../../contract/page-options.ts";
import { DeskApi } from "./desk-api.ts";
import { readAddress } from "./list-query.ts";
import { SavedSearches } from "./saved-searches.ts";

const search = (uuid: string, name: string): object => ({ uuid, name, query: "tide" });

it("saved searches are listed by name, and stay as they are when a change is refused", async () => {
  const network = new FakeNetwork(() => ({
    body: { results: [search("b", "Tides"), search("a", "Boats")] },
  }));
  const saved = new SavedSearches(new DeskApi({ api: "/api/" } as DeskOptions, network));
  const names = (): string[] => saved.all.value.map(({ name }) => name);
  expect(await saved.load()).toBe(true);
  expect(names()).toEqual(["Boats", "Tides"]);
  network.respond = () => ({ body: search("c", "Quays") });
  await saved.save("Quays", readAddress(""));
  expect(network.requests.at(-1)?.body).toEqual({ name: "Quays", query: "*:*" });
  expect(names()).toEqual(["Boats", "Quays", "Tides"]);
  network.respond = () => ({ status: 400, body: { name: ["Too long."] } });
  const [first] = saved.all.value;
  if (first === undefined) throw new Error("nothing was saved");
  await expect(saved.rename(first, "a")).rejects.toThrow("Name: Too long.");
  expect([await saved.remove(first), names()]).toEqual([false, ["Boats", "Quays", "Tides"]]);
  expect(saved.message.value).toEqual({ text: "Name: Too long.", isProblem: true });
  network.respond = () => ({ status: 204 });
  expect([await saved.remove(first), names()]).toEqual([true, ["Quays", "Tides"]]);
});
