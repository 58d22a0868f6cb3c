import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { startTestApp } from "../testing/test-app.ts";
import { explainedPort } from "./port-in-use.ts";

const inUse = Object.assign(new Error("listen EADDRINUSE"), { code: "EADDRINUSE" });

describe("a port that is in use", () => {
  it("is that of a Quire, which may still be stopping", async () => {
    await using app = await startTestApp("sqlite");
    const port = Number(new URL(app.url).port);
    for (const [host, address] of [
      ["127.0.0.1", `127.0.0.1:${port}`],
      ["0.0.0.0", `0.0.0.0:${port}`],
    ] as const) {
      expect(await explainedPort(inUse, { ...app.context.config, host, port })).toMatchObject({
        message: expect.stringMatching(
          new RegExp(
            `^${address} is in use\\. Another Quire answers there\\. If it was told to stop, it is still stopping`,
          ),
        ) as string,
        cause: inUse,
      });
    }
  });

  it("is that of another program", async () => {
    await using app = await startTestApp("sqlite");
    const other = http.createServer((_, answer) => answer.end('{"status":"ok"}')).listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const explained = await explainedPort(inUse, { ...app.context.config, host: "127.0.0.1", port });
    other.close();
    expect((explained as Error).message).toMatch(
      /^127\.0\.0\.1:\d+ is in use\. Another program listens there, or a Quire/,
    );
  });

  it("is not the matter with other errors", async () => {
    await using app = await startTestApp("sqlite");
    for (const error of [new Error("listen EACCES"), "words"])
      expect(await explainedPort(error, app.context.config)).toBe(error);
  });
});
