import { describe, expect, it } from "vitest";
import { ConnectionLostError, FakeNetwork, type PageResponse } from "../../testing/fake-network.ts";
import { Client, type Network, RefusedError, reasonOf } from "./send.ts";

const clientOf = (network: Network): Client => new Client("/api/", "of the page", network);

/** The error that a request ends with if the server responds like this. */
async function refusalOf(response: PageResponse): Promise<RefusedError> {
  const client = clientOf(new FakeNetwork(() => response));
  const error: unknown = await client.get("documents/").catch((reason) => reason);
  if (!(error instanceof RefusedError)) throw new Error("It was not refused");
  return error;
}

const tokenOf = async (method: string, cookies: string): Promise<string | null | undefined> => {
  const network = new FakeNetwork(() => ({ status: 204 }));
  network.cookies = cookies;
  await clientOf(network).send(method, "documents/7/", {});
  return network.requests[0]?.headers.get("x-csrftoken");
};

describe("the CSRF token of a request", () => {
  it.each(["POST", "PUT", "PATCH", "DELETE"])(
    "is that of the current session in a %s, also after the person signed in again in another tab",
    async (method) => {
      expect(await tokenOf(method, "csrftoken=current")).toBe("current");
      expect(await tokenOf(method, "language=de; csrftoken=current; theme=dark")).toBe("current");
    },
  );

  it("is that of the page if the browser has no cookie with one", async () => {
    expect(await tokenOf("PATCH", "")).toBe("of the page");
    expect(await tokenOf("PATCH", "oldcsrftoken=another")).toBe("of the page");
  });

  it("is left out where nothing changes", async () => {
    const network = new FakeNetwork(() => ({ body: {} }));
    await clientOf(network).get("documents/7/");
    expect(network.requests[0]?.headers.has("x-csrftoken")).toBe(false);
  });
});

describe("a request", () => {
  it("has its value as JSON, or as the form that it is", async () => {
    const network = new FakeNetwork(() => ({ body: {} }));
    const form = new FormData();
    await clientOf(network).send("POST", "documents/", { title: "Tides" });
    await clientOf(network).send("POST", "documents/", form);
    const [json, other] = network.requests;
    expect([json?.body, json?.headers.get("content-type")]).toEqual([{ title: "Tides" }, "application/json"]);
    expect([other?.body, other?.headers.get("content-type")]).toEqual([form, null]);
  });

  it("returns the entity tag, and sends the one that has to match", async () => {
    const network = new FakeNetwork(() => ({ body: { id: 7 }, headers: { etag: '"2"' } }));
    const options = { value: {}, ifMatch: '"1"' };
    expect(await clientOf(network).exchange("PATCH", "documents/7/", options)).toEqual({
      body: { id: 7 },
      etag: '"2"',
    });
    expect(network.requests[0]?.headers.get("if-match")).toBe('"1"');
  });

  it("returns null if the response has no body", async () => {
    const network = new FakeNetwork(() => ({ status: 204 }));
    expect(await clientOf(network).send("DELETE", "documents/7/")).toBeNull();
  });
});

describe("the address of a request", () => {
  it.each(["https://quire.example.org/api/", "https://example.org/quire/api/", "http://[::1]:8000/a/b/api/"])(
    "is below the root of the API for a path and for a link below %s",
    async (root) => {
      const network = new FakeNetwork(() => ({ body: {} }));
      const client = new Client("/quire/api/", "", network);
      await client.get("documents/?cursor=a%3D");
      await client.get(`${root}documents/trash/?cursor=a%3D&per_page=25`);
      await client.get(`${root}oembed/?url=https://example.org/api/`);
      expect(network.sent).toEqual([
        "GET /quire/api/documents/?cursor=a%3D",
        "GET /quire/api/documents/trash/?cursor=a%3D&per_page=25",
        "GET /quire/api/oembed/?url=https://example.org/api/",
      ]);
    },
  );

  it("of a page is on the site of the API, below its path prefix", () => {
    expect(new Client("/quire/api/", null).pageAddress("projects/")).toBe("/quire/projects/");
  });
});

describe("a list", () => {
  it("is read page by page, as far as it is wanted", async () => {
    const network = new FakeNetwork(({ path }) => {
      const page = Number(/page=(\d)/.exec(path)?.[1] ?? 1);
      return {
        body: { page, next: page < 3 ? `https://example.org/api/documents/?page=${page + 1}` : null },
      };
    });
    const read: number[] = [];
    for await (const { page } of clientOf(network).pages<{ page: number; next: string | null }>("documents/"))
      read.push(page);
    expect([read, network.sent.length]).toEqual([[1, 2, 3], 3]);
    for await (const _ of clientOf(network).pages<{ next: string | null }>("documents/")) break;
    expect(network.sent).toHaveLength(4);
  });
});

describe("a refused request", () => {
  it("says so if the server did not respond", async () => {
    const network = new FakeNetwork(() => Promise.reject(new ConnectionLostError()));
    const error: unknown = await clientOf(network)
      .get("documents/")
      .catch((reason) => reason);
    expect(error).toBeInstanceOf(RefusedError);
    expect(error).toMatchObject({ status: 0, message: "The server did not answer." });
  });

  it("says so if the connection was lost within the response", async () => {
    const lost = new ReadableStream({ start: (stream) => stream.error(new ConnectionLostError()) });
    const { openEvents, readCookies } = new FakeNetwork(() => ({}));
    const network = { fetch: () => Promise.resolve(new Response(lost)), openEvents, readCookies };
    await expect(clientOf(network).get("documents/")).rejects.toMatchObject({ status: 0 });
  });

  it("has the messages of the API, with the name of each member, for a person and for each field", async () => {
    const error = await refusalOf({
      status: 400,
      body: { file_url: ["Enter a valid URL."], data: { "the-key": ["Too long."] }, detail: "No." },
    });
    expect(error.status).toBe(400);
    expect(error.message).toBe("File url: Enter a valid URL. Data: the-key: Too long. No.");
    expect(error.fields.get("file_url")).toBe("Enter a valid URL.");
  });

  it("names each message once, when one list is refused member by member", async () => {
    const error = await refusalOf({ status: 400, body: [{ access: ["No."] }, {}, { access: ["No."] }] });
    expect(error.message).toBe("Access: No.");
  });

  it("tells a person whose session has ended to sign in again", async () => {
    const messages = [
      "Authentication credentials were not provided.",
      "CSRF Failed: CSRF token missing.",
      "CSRF Failed: CSRF token incorrect.",
    ];
    for (const detail of messages)
      expect((await refusalOf({ status: 403, body: { detail } })).message).toMatch(/^You are signed out/);
    const forbidden = "You do not have permission to perform this action.";
    expect((await refusalOf({ status: 403, body: { detail: forbidden } })).message).toBe(forbidden);
  });

  it.each([
    [502, "<html><h1>Bad gateway</h1></html>"],
    [413, ""],
    [400, []],
    [400, "null"],
  ])("has a sentence about status %i where the body %j says nothing", async (status, body) => {
    const error = await refusalOf({ status, body });
    expect(error.status).toBe(status);
    expect(error.message).toMatch(/^[A-Z].*\.$/);
    expect([...error.fields]).toEqual([]);
  });

  it("says when the server may be asked again", async () => {
    const error = await refusalOf({ status: 503, headers: { "retry-after": "2" } });
    expect(error.retryAfter).toBe(2);
    expect((await refusalOf({ status: 503 })).retryAfter).toBeNull();
  });

  it("is also one to which something else than the API responds", async () => {
    const error = await refusalOf({ status: 200, body: "<html>Sign in to the network</html>" });
    expect([error.status, error.message]).toEqual([200, "The server did not answer."]);
  });

  it("has a reason for people; another error is a fault of the page, and is thrown again", () => {
    expect(reasonOf(new RefusedError(400, "Wrong query."))).toBe("Wrong query.");
    expect(() => reasonOf(new TypeError("x is undefined"))).toThrow(TypeError);
  });
});
