import type http from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type RemoteServer, startRemoteServer } from "../testing/remote-server.ts";
import { type Resolve, destinationOf, readRedirect } from "./destination.ts";
import type { RemoteSettings } from "./exchange.ts";
import { fetchRemote } from "./fetch-remote.ts";
import { RemoteError, brokenOff, notPublic, unanswered } from "./remote-error.ts";

const limits = { bytes: 1000, timeSeconds: 10, idleSeconds: 5 };
const never = new AbortController().signal;

interface Fetched {
  text: string;
  contentType: string | null;
  length: number | null;
  name: string | null;
  url: string;
}

async function read(
  address: string,
  settings: Partial<RemoteSettings> = {},
  signal: AbortSignal = never,
): Promise<Fetched> {
  await using file = await fetchRemote(address, { limits, allowedHosts: [], ...settings }, signal);
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.bytes) chunks.push(chunk);
  const { contentType, length, name, url } = file;
  return { text: Buffer.concat(chunks).toString(), contentType, length, name, url: url.href };
}

async function errorFrom(...asked: Parameters<typeof read>): Promise<RemoteError> {
  const error: unknown = await read(...asked).then(
    ({ text }) => new Error(`It was fetched: ${text}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof RemoteError)) throw error;
  return error;
}

/** Resolves names to each of these lists of addresses in turn. */
function answers(...lists: string[][]): Resolve & { asked: string[] } {
  const asked: string[] = [];
  const resolve = async (name: string) => {
    const list = lists[Math.min(asked.push(name), lists.length) - 1] ?? [];
    return list.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };
  return Object.assign(resolve, { asked });
}

const unknownName: Resolve = async () => {
  throw Object.assign(new Error("none"), { code: "ENOTFOUND" });
};

const neverResolve: Resolve = () => new Promise(() => undefined);

const tellSecret: http.RequestListener = (_request, response) => response.end("a secret");

const redirectBy =
  (times: number): http.RequestListener =>
  ({ url = "" }, response) => {
    const done = Number(url.slice(1));
    if (done === times) response.end("arrived");
    else response.writeHead(307, { location: `/${done + 1}` }).end("not this");
  };

describe("an address inside the network", () => {
  let ports: { four: number; six: number };
  let servers: RemoteServer[];
  /** The server that may be reached, which redirects as the test says. */
  let door: RemoteServer;
  beforeAll(async () => {
    servers = [await startRemoteServer(tellSecret, "127.0.0.1"), await startRemoteServer(tellSecret, "::")];
    ports = { four: servers[0]?.port ?? 0, six: servers[1]?.port ?? 0 };
    // Written as bytes, because `http` refuses headers with letters beyond Latin 1.
    door = await startRemoteServer(({ url = "", socket }) => {
      socket.end(`HTTP/1.1 302 Found\r\nLocation: ${decodeURIComponent(url.slice(2))}\r\n\r\n`);
    });
  });
  afterEach(() => {
    const connections = servers.map((server) => server.connections());
    if (connections.some((count) => count > 0)) throw new Error(`Connected to: ${connections.join(", ")}`);
  });
  afterAll(async () => {
    await Promise.all([...servers, door].map((server) => server[Symbol.asyncDispose]()));
  });

  /** Resolves every name to this machine, whatever its hosts file says. */
  const leadsInside: Resolve = answers(["127.0.0.1"]);
  const spellings = [
    "http://127.0.0.1:4",
    "http://127.0.0.1.:4",
    "http://127.1:4",
    "http://127.0.1:4",
    "http://127.1.2.3:6",
    "http://2130706433:4",
    "http://0x7f000001:4",
    "http://0x7f.0.0.1:4",
    "http://0X7F.0x0.0x0.0x1:4",
    "http://017700000001:4",
    "http://0177.0.0.1:4",
    "http://0177.0.0x0.1:4",
    "http://0000177.0.0.1:4",
    "http://0:4",
    "http://0.0.0.0:4",
    "http://0x0:4",
    "http://000:6",
    "http://localhost:4",
    "http://LOCALHOST:4",
    "http://localhost.:4",
    "http://sub.localhost:4",
    "http://localhost.localdomain:4",
    "http://127.0.0.1.nip.example:4",
    "http://%31%32%37.0.0.1:4",
    "http://127%2e0%2e0%2e1:4",
    "http://%6cocalhost:4",
    "http://127。0。0。1:4",
    "http://127．0．0．1:4",
    "http://１２７.０.０.１:4",
    "http://①②⑦.⓪.⓪.①:4",
    "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:4",
    "http://user@127.0.0.1:4",
    "http://user:password@127.0.0.1:4",
    "http://example.org@127.0.0.1:4",
    "http://example.org%20@127.0.0.1:4",
    "http://example.org:80@127.0.0.1:4",
    "http://example.org#@127.0.0.1:4",
    String.raw`http://127.0.0.1:4\@example.org`,
    String.raw`http:\\127.0.0.1:4`,
    "http:127.0.0.1:4",
    "http:////127.0.0.1:4",
    "hTTp://127.0.0.1:4",
    "ht\ntp://127.0.\t0.1:4",
    " http://127.0.0.1:4 ",
    "https://127.0.0.1:4",
    "http://[::1]:6",
    "http://[0:0:0:0:0:0:0:1]:6",
    "http://[0000:0000:0000:0000:0000:0000:0000:0001]:6",
    "http://[::]:6",
    "http://[::ffff:127.0.0.1]:4",
    "http://[::ffff:7f00:1]:4",
    "http://[::ffff:0:127.0.0.1]:4",
    "http://[::127.0.0.1]:4",
    "http://[64:ff9b::127.0.0.1]:4",
    "http://[64:ff9b:1::7f00:1]:4",
    "http://[2002:7f00:1::]:4",
    "http://[2001:0:7f00:1::]:4",
    "http://[fe80::1%25lo]:6",
    "http://[::1%25lo]:6",
    "http://[::1%lo]:6",
    "http://[fe80::1]:6",
    "http://[fd00:ec2::254]",
    "http://169.254.169.254",
    "http://168.63.129.16",
    "http://100.100.100.200",
    "ftp://127.0.0.1:4",
    "file:///etc/passwd",
    "gopher://127.0.0.1:4",
    "data:,secret",
    "unix:/var/run/docker.sock",
    "//127.0.0.1:4",
  ];
  const written = (spelling: string): string =>
    spelling.replace(/:4(?!\d)/, `:${ports.four}`).replace(/:6(?=$|\D*$)/, `:${ports.six}`);

  it.each(spellings)("is not connected to, as %j", async (spelling) => {
    expect((await errorFrom(`${written(spelling)}/latest`, { resolve: leadsInside })).isFinal).toBe(true);
  });

  // As a redirect within the same scheme, the third is the name of a file.
  it.each(spellings.filter((spelling) => !/^\/\/|\n|^http:1/.test(spelling)))(
    "is not connected to by a redirect to %j",
    async (spelling) => {
      const allowedHosts = [{ host: "127.0.0.1", port: door.port }];
      const address = `${door.url}/?${encodeURIComponent(`${written(spelling)}/latest`)}`;
      const before = door.connections();
      expect((await errorFrom(address, { resolve: leadsInside, allowedHosts })).isFinal).toBe(true);
      expect(door.connections()).toBe(before + 1);
    },
  );

  it("is not connected to by a redirect that only names the host", async () => {
    const allowedHosts = [{ host: "127.0.0.1", port: door.port }];
    for (const location of [`//127.0.0.1:${ports.four}/x`, `\\\\127.0.0.1:${ports.four}`]) {
      const address = `${door.url}/?${encodeURIComponent(location)}`;
      expect((await errorFrom(address, { allowedHosts })).message).toBe(notPublic);
    }
  });

  it.each([
    [["127.0.0.1"]],
    [["127.0.0.1", "93.184.215.14"]],
    [["93.184.215.14", "127.0.0.1"]],
    [["2606:4700::1111", "::1"]],
    [["93.184.215.14", "::ffff:127.0.0.1"]],
    [["93.184.215.14", "10.1.2.3"]],
    [["fe80::1%lo"]],
    [[]],
  ])("is not connected to under a name that leads to %j", async (list) => {
    const error = await errorFrom(`http://files.example.org:${ports.four}/`, { resolve: answers(list) });
    expect([error.message, error.isFinal]).toEqual([notPublic, true]);
  });

  it("is not connected to under a name that leads there the second time", async () => {
    const rebinding = answers(["93.184.215.14"], ["127.0.0.1"]);
    const url = new URL(`http://files.example.org:${ports.four}/`);
    const { addresses } = await destinationOf(url, [], rebinding);
    expect(addresses).toEqual([{ address: "93.184.215.14", family: 4 }]);
    expect((await errorFrom(url.href, { resolve: rebinding })).message).toBe(notPublic);
    expect(rebinding.asked).toHaveLength(2);
  });

  it("is not connected to by a redirect to the same host on another port", async () => {
    const allowedHosts = [{ host: "files.example.org", port: door.port }];
    const inside = `http://files.example.org:${ports.four}/`;
    const address = `http://files.example.org:${door.port}/?${encodeURIComponent(inside)}`;
    const resolve = answers(["127.0.0.1"]);
    expect((await errorFrom(address, { resolve, allowedHosts })).message).toBe(notPublic);
    expect(resolve.asked).toHaveLength(2);
  });

  it("has the same message as an unknown name, and another message than an address that does not answer", async () => {
    const gone = await startRemoteServer(() => undefined);
    await gone[Symbol.asyncDispose]();
    const allowedHosts = [{ host: "127.0.0.1", port: gone.port }];
    const errors = [
      await errorFrom(`http://127.0.0.1:${ports.four}/`),
      await errorFrom(gone.url, { allowedHosts }),
      await errorFrom("http://nobody.example.org/", { resolve: unknownName }),
    ];
    expect(errors.map(({ message }) => message)).toEqual([notPublic, unanswered, notPublic]);
    expect(errors.map(({ isFinal }) => isFinal)).toEqual([true, false, true]);
  });

  it.each([1, 22, 25, 110, 445, 1023])("is not requested on port %d, whatever the host", async (port) => {
    const resolve = answers(["93.184.215.14"]);
    const error = await errorFrom(`http://files.example.org:${port}/`, { resolve });
    expect(error.message).toBe(`Files are not fetched from port ${port}`);
    expect(resolve.asked).toEqual([]);
  });
});

describe("a file on another server", () => {
  let remote: RemoteServer;
  let answer: http.RequestListener;
  let settings: Partial<RemoteSettings>;
  beforeAll(async () => {
    remote = await startRemoteServer((request, response) => answer(request, response));
    settings = { allowedHosts: [{ host: "127.0.0.1", port: null }] };
  });
  afterAll(() => remote[Symbol.asyncDispose]());

  it("comes with its headers, and the request reveals nothing about this server", async () => {
    answer = (_request, response) =>
      response
        .writeHead(200, {
          "content-type": "application/pdf",
          "content-disposition": 'attachment; filename="the minutes.pdf"',
          "content-length": 5,
          "set-cookie": "a=b",
        })
        .end("bytes");
    expect(await read(`${remote.url}/a%20b?c=d#e`, settings)).toEqual({
      text: "bytes",
      contentType: "application/pdf",
      length: 5,
      name: "the minutes.pdf",
      url: `${remote.url}/a%20b?c=d`,
    });
    const { url, method, headers } = remote.requests.at(-1) as http.IncomingMessage;
    expect([method, url]).toEqual(["GET", "/a%20b?c=d"]);
    expect(headers).toEqual({
      host: `127.0.0.1:${remote.port}`,
      "user-agent": "Quire",
      accept: "*/*",
      "accept-encoding": "identity",
      connection: "close",
    });
  });

  it("is requested by the allowed name, from the addresses that were checked", async () => {
    answer = (_request, response) => response.end("found");
    const resolve = answers(["127.0.0.1"], ["10.0.0.1"]);
    const url = `http://archive.internal.:${remote.port}/`;
    const named = (host: string, port: number | null) => ({ allowedHosts: [{ host, port }], resolve });
    expect((await read(url, named("archive.internal", null))).text).toBe("found");
    expect(resolve.asked).toEqual(["archive.internal."]);
    expect(remote.requests.at(-1)?.headers.host).toBe(`archive.internal.:${remote.port}`);
    for (const other of [named("archive.internal", remote.port + 1), named("internal", null)]) {
      expect((await errorFrom(url, { ...other, resolve: answers(["127.0.0.1"]) })).message).toBe(notPublic);
    }
  });

  it("is not requested through a proxy that the environment names", async () => {
    answer = (_request, response) => response.end("direct");
    const proxy = await startRemoteServer((_request, response) => response.end("through a proxy"));
    const names = ["http_proxy", "HTTP_PROXY", "all_proxy", "NODE_USE_ENV_PROXY"];
    for (const name of names) process.env[name] = name.startsWith("NODE") ? "1" : proxy.url;
    try {
      expect((await read(remote.url, settings)).text).toBe("direct");
      expect(proxy.connections()).toBe(0);
    } finally {
      for (const name of names) Reflect.deleteProperty(process.env, name);
      await proxy[Symbol.asyncDispose]();
    }
  });

  it("is fetched through up to five redirects", async () => {
    answer = redirectBy(5);
    expect(await read(`${remote.url}/0`, settings)).toMatchObject({
      text: "arrived",
      url: `${remote.url}/5`,
    });
    answer = redirectBy(6);
    expect(await errorFrom(`${remote.url}/0`, settings)).toMatchObject({
      message: "The address redirects too often",
      isFinal: true,
    });
  });

  it("is not fetched through a redirect from https to http", () => {
    const from = new URL("https://example.org/a/b");
    expect(() => readRedirect(from, "http://example.org/a/b")).toThrow("redirects to http://");
    expect(readRedirect(from, "c").href).toBe("https://example.org/a/c");
    expect(readRedirect(from, "//other.example.org/").href).toBe("https://other.example.org/");
    expect(readRedirect(new URL("http://example.org"), from.href).href).toBe(from.href);
  });

  it("is refused if an https URL is not answered with TLS", async () => {
    const https = remote.url.replace("http:", "https:");
    expect((await errorFrom(https, settings)).message).toBe(unanswered);
  });

  it.each([
    [204, true],
    [206, true],
    [300, true],
    [302, true],
    [304, true],
    [401, true],
    [404, true],
    [410, true],
    [500, false],
    [503, false],
  ])("is not accepted with status %d", async (status, isFinal) => {
    answer = (_request, response) => response.writeHead(status).end();
    expect(await errorFrom(remote.url, settings)).toMatchObject({
      message: `The address of the file answered with HTTP status ${status}`,
      isFinal,
    });
  });

  it("may be as large as the limit, announced or not", async () => {
    for (const announced of [{ "content-length": "1000" }, {}]) {
      answer = (_request, response) => response.writeHead(200, announced).end("x".repeat(1000));
      expect((await read(remote.url, settings)).text).toHaveLength(1000);
    }
    const tooLarge = { message: expect.stringContaining("larger than"), isFinal: true };
    answer = (_request, response) => {
      response.writeHead(200, { "content-length": "1001" });
      response.flushHeaders();
    };
    expect(await errorFrom(remote.url, settings)).toMatchObject(tooLarge);
    let isOver = false;
    answer = (_request, response) => {
      response.on("close", () => (isOver = true)).write("x".repeat(1001));
    };
    expect(await errorFrom(remote.url, settings)).toMatchObject(tooLarge);
    await expect.poll(() => isOver, { interval: 2 }).toBe(true);
  });

  it("is abandoned at the time limits, before its head and after", async () => {
    const times = [
      [{ ...limits, timeSeconds: 0.05 }, "It took longer than 0.05 s to fetch the file"],
      [{ ...limits, idleSeconds: 0.05 }, "Nothing came for 0.05 s"],
    ] as const;
    for (const [some, message] of times) {
      for (const begin of [undefined, "the beginning"]) {
        answer = (_request, response) => void (begin !== undefined && response.write(begin));
        expect(await errorFrom(remote.url, { ...settings, limits: some })).toMatchObject({
          message,
          isFinal: false,
        });
      }
    }
    const [[some, message]] = times;
    const error = await errorFrom("http://slow.example.org/", { resolve: neverResolve, limits: some });
    expect(error.message).toBe(message);
  });

  it("is cut off at the time limit if it arrives byte by byte", async () => {
    answer = (_request, response) => {
      const timer = setInterval(() => response.write("x"), 2);
      response.on("close", () => clearInterval(timer));
    };
    const short = { ...limits, timeSeconds: 0.1 };
    expect((await errorFrom(remote.url, { ...settings, limits: short })).message).toContain("longer than");
  });

  it("is complete or missing", async () => {
    const tellings: [telling: http.RequestListener, message: string][] = [
      [
        (_request, response) => {
          response.writeHead(200, { "content-length": "100" }).write("half");
          setImmediate(() => response.destroy());
        },
        brokenOff,
      ],
      [
        (_request, response) => {
          response.write("half of something in chunks");
          setImmediate(() => response.destroy());
        },
        brokenOff,
      ],
      [({ socket }) => socket.destroy(), unanswered],
    ];
    for (const [telling, message] of tellings) {
      answer = telling;
      expect(await errorFrom(remote.url, settings)).toMatchObject({ message, isFinal: false });
    }
    answer = (_request, response) => response.end();
    expect(await errorFrom(remote.url, settings)).toMatchObject({
      message: "The file at the address is empty",
      isFinal: true,
    });
  });

  it("ends with an error even if its reader has not started", async () => {
    answer = (_request, response) => {
      response.writeHead(200, { "content-length": "100" }).write("half");
      response.socket?.end();
    };
    await using file = await fetchRemote(remote.url, { limits, allowedHosts: [], ...settings }, never);
    await expect.poll(() => remote.requests.at(-1)?.destroyed, { interval: 2 }).toBe(true);
    await expect(Array.fromAsync(file.bytes)).rejects.toThrow(RemoteError);
  });

  it.each([
    ["compressed", { "content-encoding": "gzip" }, true],
    ["under a head that is too long", { "x-long": "x".repeat(20_000) }, true],
  ])("is refused %s", async (_what, headers, isFinal) => {
    answer = (_request, response) => response.writeHead(200, headers).end("x");
    expect((await errorFrom(remote.url, settings)).isFinal).toBe(isFinal);
  });

  it.each([
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    "SSH-2.0-x\r\n\r\n",
  ])("is not accepted with the response head %j", async (head) => {
    answer = ({ socket }) => socket.end(head);
    expect((await errorFrom(remote.url, settings)).message).toBe(unanswered);
  });

  it("is no longer fetched once the signal fires", async () => {
    const stop = new AbortController();
    answer = (_request, response) => {
      response.write("the beginning");
      stop.abort(new Error("stopped"));
    };
    await expect(read(remote.url, settings, stop.signal)).rejects.toThrow("stopped");
    await expect(read(remote.url, settings, stop.signal)).rejects.toThrow("stopped");
  });
});
