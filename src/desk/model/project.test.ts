import { beforeEach, describe, expect, it } from "vitest";
import type { User } from "../../contract/person.ts";
import { FakeNetwork, type PageRequest, type PageResponse } from "../../testing/fake-network.ts";
import type { DeskOptions } from "../../contract/page-options.ts";
import { DeskApi, type DeskDocument } from "./desk-api.ts";
import { SelectableList } from "./selectable-list.ts";
import { ProjectWorkplace, documentsPath } from "./project.ts";

const person = { id: 5, username: "ben", name: "Ben" } as User;
const idsFrom = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => first + index);

const pageOf = (ids: readonly number[], next: string | null = null): PageResponse => ({
  body: { results: ids.map((id) => ({ id: String(id) })), next, previous: null },
});

let network: FakeNetwork;
let project: ProjectWorkplace;
let respond: FakeNetwork["respond"];

beforeEach(() => {
  respond = () => pageOf([]);
  network = new FakeNetwork((request) => respond(request));
  project = new ProjectWorkplace(
    new DeskApi({ api: "/quire/api/", csrfToken: "" } as DeskOptions, network),
    3,
  );
});

const shownIds = (): number[] => project.documents.peek().map(({ id }) => id);
const changes = (): PageRequest[] => network.requests.filter(({ method }) => method !== "GET");

/** Responses that a test gives when it likes, in any order. */
function holdResponses(): ((response: PageResponse) => void)[] {
  const waiting: ((response: PageResponse) => void)[] = [];
  respond = () =>
    new Promise((answer) => {
      waiting.push(answer);
    });
  return waiting;
}

describe("the documents of a project", () => {
  it("are those of the query that was sent last, when the answer to an earlier one arrives later or fails", async () => {
    const waiting = holdResponses();
    const requests = ["a", "b", "c"].map((query) => project.search(query));
    waiting[2]?.(pageOf([30]));
    await requests[2];
    waiting[0]?.(pageOf([10]));
    waiting[1]?.({ status: 503 });
    await Promise.all(requests);
    expect([shownIds(), project.query.value, project.isLoading.value]).toEqual([[30], "c", false]);
  });

  it("go on below those that are shown, from the link of the API, below a path prefix", async () => {
    respond = ({ path }) =>
      path.includes("cursor")
        ? pageOf([26])
        : pageOf(idsFrom(1, 25), "https://example.org/quire/api/documents/?project=3&cursor=b");
    await project.search("");
    project.toggle({ id: 7 } as DeskDocument);
    await project.loadMore();
    await project.loadMore();
    expect(network.sent.slice(1)).toEqual(["GET /quire/api/documents/?project=3&cursor=b"]);
    expect([shownIds().length, [...project.selected.value.keys()]]).toEqual([26, [7]]);
  });

  it("do not go on below another query's", async () => {
    respond = () => pageOf(idsFrom(1, 25), "https://example.org/quire/api/documents/?cursor=b");
    await project.search("");
    const waiting = holdResponses();
    const more = project.loadMore();
    const other = project.search("tide");
    waiting[1]?.(pageOf([90]));
    waiting[0]?.(pageOf([26]));
    await Promise.all([more, other]);
    expect(shownIds()).toEqual([90]);
  });

  it("are added 25 at a time, and shown as they are afterwards, also after a refusal", async () => {
    await project.add(idsFrom(1, 60));
    expect(project.message.value).toEqual({ text: "60 documents are in the project.", isProblem: false });
    expect(changes().map(({ body }) => (body as object[]).length)).toEqual([25, 25, 10]);
    expect(changes().flatMap(({ body }) => body)).toEqual(idsFrom(1, 60).map((document) => ({ document })));
    network.requests.length = 0;
    respond = ({ method, body }) => {
      if (method === "GET") return pageOf(idsFrom(1, 25));
      return JSON.stringify(body).includes("26") ? { status: 400, body: ["No."] } : {};
    };
    await project.add(idsFrom(1, 60));
    expect(changes()).toHaveLength(2);
    expect([shownIds(), project.message.value]).toEqual([
      idsFrom(1, 25),
      { text: "Stopped after 25 of 60: No.", isProblem: true },
    ]);
  });

  it("are added from all pages of a search", async () => {
    respond = ({ method, path }) => {
      if (method !== "GET") return {};
      if (path.includes("cursor=b")) return pageOf([26, 27]);
      return path.includes("q=tide")
        ? pageOf(idsFrom(1, 25), "https://example.org/quire/api/documents/search/?cursor=b")
        : pageOf([]);
    };
    const found = new SelectableList<DeskDocument>(project.api, documentsPath({ query: "tide" }));
    await found.load();
    await project.addAll(found);
    expect(changes().map(({ body }) => (body as object[]).length)).toEqual([25, 2]);
  });

  it("stay selected if they were not removed, because a request was refused", async () => {
    respond = ({ method, path }) => {
      if (method === "GET") return pageOf(idsFrom(26, 25));
      return path.includes("=26,") ? { status: 403, body: { detail: "No." } } : { status: 204 };
    };
    project.selected.value = new Map(idsFrom(1, 60).map((id) => [id, { id } as DeskDocument]));
    await project.removeSelected();
    expect(changes().map(({ path }) => path.split("=")[1]?.split(",").length)).toEqual([25, 25]);
    expect([[...project.selected.value.keys()], project.message.value.text]).toEqual([
      idsFrom(26, 35),
      "Stopped after 25 of 60: No.",
    ]);
    expect(shownIds()).toEqual(idsFrom(26, 25));
    respond = ({ method }) => (method === "GET" ? pageOf([]) : { status: 204 });
    await project.removeSelected();
    expect(project.selected.value.size).toBe(0);
  });
});

describe("the rights in a project", () => {
  it("are read again after a change, also if it was refused", async () => {
    respond = ({ method, path }) => {
      if (method === "PATCH") return { status: 400, body: ["The last admin."] };
      return path.endsWith("/users/?expand=user&per_page=1000")
        ? { body: { results: [{ user: person, access: "admin" }] } }
        : { body: { id: 3, edit_access: true } };
    };
    expect(await project.changeRight({ user: person, access: "admin" }, "view")).toBe(false);
    expect([project.collaborators.value[0]?.access, project.message.value.text]).toEqual([
      "admin",
      "The last admin.",
    ]);
  });

  it("are not read by a person who may not see them any more", async () => {
    respond = ({ method }) => (method === "GET" ? { status: 404 } : { status: 204 });
    expect(await project.dismiss({ user: person, access: "admin" })).toBe(true);
    expect([project.project.value, network.sent.length]).toEqual([null, 2]);
  });
});
