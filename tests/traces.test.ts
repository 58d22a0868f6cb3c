import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { addDocuments } from "../src/testing/factories.ts";
import { addPerson } from "../src/testing/people.ts";
import { startTestApp } from "../src/testing/test-app.ts";
import { buildWorker } from "../src/worker.ts";

const id = "0af7651916cd43dd8448eb211c80319c";
const traceparent = `00-${id}-b7ad6b7169203331-01`;

describe("a trace of another program", () => {
  it("is in the log, also where the response is cached, if the header has its form", async () => {
    await using app = await startTestApp("sqlite");
    for (let count = 0; count < 4; count++) await app.fetch("/api/documents/", { headers: { traceparent } });
    for (const other of [
      "00-1-2-01",
      `ff-${id}-b7ad6b7169203331-01`,
      `00-${"0".repeat(32)}-b7ad6b7169203331-01`,
    ])
      await app.fetch("/api/", { headers: { traceparent: other } });
    const lines = app.logged.filter(({ msg }) => msg === "request");
    expect(lines.filter(({ path }) => path === "/api/documents/").map(({ traceId }) => traceId)).toEqual(
      Array(4).fill(id),
    );
    const others = lines.filter(({ path }) => path === "/api/");
    expect(others).toHaveLength(3);
    expect(others.filter((line) => "traceId" in line)).toEqual([]);
  });

  it("goes on in what the jobs of a request fetch, each with a span of its own", async () => {
    const received: (string | undefined)[] = [];
    await using elsewhere = createServer(({ headers }, response) => {
      received.push(headers["traceparent"] as string | undefined);
      response.writeHead(200, { "content-type": "text/plain" }).end("Herring, by month");
    }).listen(0, "127.0.0.1");
    await once(elsewhere, "listening");
    const host = `127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    await using app = await startTestApp("sqlite", { QUIRE_FETCH_ALLOWED_HOSTS: host });
    await addDocuments(app.context, []);
    const { headers } = await addPerson(app.context, { username: "keeper", organizations: [1] });
    const create = (trace: Record<string, string>, name: string): Promise<Response> =>
      app.fetch("/api/documents/", {
        method: "POST",
        headers: { ...headers, ...trace, "content-type": "application/json" },
        body: JSON.stringify({ title: name, file_url: `http://${host}/${name}.txt` }),
      });
    expect((await create({ traceparent }, "herring")).status).toBe(201);
    const worker = buildWorker(app.context, { lookEverySeconds: 0.01 });
    worker.start();
    await worker.drain();
    expect((await create({}, "cod")).status).toBe(201);
    await worker.drain();
    await worker.stop();
    expect(received).toEqual([expect.stringMatching(`^00-${id}-[0-9a-f]{16}-01$`), undefined]);
    expect(received[0]).not.toBe(traceparent);
  });
});

describe("the log of requests", () => {
  it("names visitors only if a setting says so", async () => {
    const settings = [{ QUIRE_TRUST_PROXY: "127.0.0.1", QUIRE_LOG_VISITORS: "on" }, {}];
    for (const environment of settings) {
      await using app = await startTestApp("sqlite", environment);
      const { id: user, headers } = await addPerson(app.context, { username: "keeper" });
      for (let count = 0; count < 3; count++)
        await app.fetch("/api/documents/", { headers: { "x-forwarded-for": "192.0.2.7" } });
      await app.fetch("/api/users/me/", { headers });
      const lines = app.logged.filter(({ msg }) => msg === "request");
      const visitors = lines.map(({ address, user: who }) => [address, who]);
      const isOn = "QUIRE_LOG_VISITORS" in environment;
      const stranger = isOn ? ["192.0.2.7", undefined] : [undefined, undefined];
      const member = isOn ? ["127.0.0.1", user] : [undefined, undefined];
      expect(visitors).toEqual([stranger, stranger, stranger, member]);
    }
  });
});
