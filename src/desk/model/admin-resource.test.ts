import { beforeEach, describe, expect, it } from "vitest";
import { FakeNetwork, type PageResponse } from "../../testing/fake-network.ts";
import { AdminResource } from "./admin-resource.ts";
import type { DeskOptions } from "../../contract/page-options.ts";
import { DeskApi } from "./desk-api.ts";

let respond: FakeNetwork["respond"];
let network: FakeNetwork;
let resource: AdminResource<{ page: number }>;

beforeEach(() => {
  network = new FakeNetwork((request) => respond(request));
  resource = new AdminResource(new DeskApi({ api: "/quire/api/" } as DeskOptions, network), "admin/users/");
});

/** Responses that a test gives when it likes, in any order. */
function holdResponses(): ((response: PageResponse) => void)[] {
  const waiting: ((response: PageResponse) => void)[] = [];
  respond = () =>
    new Promise((answer) => {
      waiting.push(answer);
    });
  return waiting;
}

describe("what an address of the API returned last", () => {
  it("is that of the latest request, when earlier ones end after it", async () => {
    const waiting = holdResponses();
    const links = [2, 3, 4].map((page) => `https://example.org/quire/api/admin/users/?page=${page}`);
    const loads = links.map((link) => resource.load(link));
    const refreshing = resource.refresh();
    expect(network.sent.at(-1)).toBe("GET /quire/api/admin/users/?page=4");
    waiting[2]?.({ body: { page: 4 } });
    await loads[2];
    waiting[0]?.({ body: { page: 2 } });
    waiting[1]?.({ status: 503 });
    waiting[3]?.({ status: 503 });
    await Promise.all([...loads, refreshing]);
    expect([resource.answer.value, resource.message.value.text]).toEqual([{ page: 4 }, ""]);
  });

  it("stays as it is when a refresh of an earlier page ends after a new one was requested", async () => {
    const waiting = holdResponses();
    const refreshing = resource.refresh();
    const loading = resource.load("https://example.org/quire/api/admin/users/?page=2");
    waiting[1]?.({ body: { page: 2 } });
    await loading;
    waiting[0]?.({ body: { page: 1 } });
    await refreshing;
    expect(resource.answer.value).toEqual({ page: 2 });
  });

  it("says that the page does not exist, to everyone but administrators", async () => {
    respond = () => ({ status: 404, body: { detail: "Not found." } });
    await resource.load();
    expect(resource.message.value.isProblem).toBe(true);
    expect(resource.message.value.text).not.toBe("Not found.");
  });
});

describe("a change", () => {
  it("is said to be done when the address was read again, and not if that failed", async () => {
    respond = ({ method }) => (method === "POST" ? { body: { id: 5 } } : { body: { page: 1 } });
    expect(await resource.act("POST", "admin/users/", {}, "Invited.")).toEqual({ id: 5 });
    expect([resource.message.value.text, resource.answer.value]).toEqual(["Invited.", { page: 1 }]);
    respond = ({ method }) => (method === "POST" ? { status: 204 } : { status: 503 });
    expect(await resource.act("POST", "admin/users/", {}, "Invited.")).toBeNull();
    expect(resource.message.value.isProblem).toBe(true);
  });

  it("that is refused leaves the answer, and says why", async () => {
    respond = () => ({ status: 400, body: { email: ["Enter a valid email address."] } });
    expect(await resource.act("POST", "admin/users/", {}, "Invited.")).toBeNull();
    expect(resource.message.value).toEqual({ text: "Email: Enter a valid email address.", isProblem: true });
    expect(network.sent).toHaveLength(1);
  });
});
