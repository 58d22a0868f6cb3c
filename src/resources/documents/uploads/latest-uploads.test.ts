import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { type Socket, connect } from "node:net";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { sendAs } from "../../../testing/requests.ts";
import { engines, useApp } from "../../../testing/test-app.ts";

const brokenOff = /^HTTP\/1\.1 409 [\s\S]*Another upload of this file has begun\./;

/** The log level `info`. */
const info = 30;

async function begun(address: string): Promise<{ socket: Socket; answer: Promise<string> }> {
  const { hostname, port, pathname, search } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.write(
    `PUT ${pathname}${search} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: 1000000\r\n\r\n${"a".repeat(5000)}`,
  );
  let answer = "";
  socket.on("data", (bytes: Buffer) => void (answer += bytes.toString()));
  socket.on("error", () => {});
  return { socket, answer: once(socket, "close").then(() => answer) };
}

describe.each(engines)("uploads of the same file on %s", (engine) => {
  const app = useApp(engine);
  const owner = app.person("owner", { organizations: [1] });

  const arriving = (): Promise<string[]> => readdir(path.join(app.context.config.data, "files", ".incoming"));

  it("never run two at a time: the last one to begin counts", async () => {
    const { body } = await sendAs(app, owner, "POST", "/api/documents/", { title: "Sent again" });
    let before = await begun(body.presigned_url);
    for (let time = 0; time < 3; time++) {
      await expect.poll(arriving).toHaveLength(1);
      const next = await begun(body.presigned_url);
      expect(await before.answer).toMatch(brokenOff);
      before = next;
    }
    await expect.poll(arriving).toHaveLength(1);
    const last = await fetch(body.presigned_url, { method: "PUT", body: "the whole file" });
    expect(last.status).toBe(200);
    expect(await before.answer).toMatch(brokenOff);
    expect(await arriving()).toEqual([]);
    const file = await app.context.files.read(`documents/${body.id}/sent-again.pdf`);
    expect(String(await file?.toArray())).toBe("the whole file");
  });

  it("continue when the previous client has disconnected, and keep nothing of its upload", async () => {
    const { body } = await sendAs(app, owner, "POST", "/api/documents/", { title: "Hung up" });
    const { socket } = await begun(body.presigned_url);
    await expect.poll(arriving).toHaveLength(1);
    socket.destroy();
    await expect.poll(arriving).toEqual([]);
    expect(await app.context.files.stat(`documents/${body.id}/hung-up.pdf`)).toBeNull();
    expect((await fetch(body.presigned_url, { method: "PUT", body: "all" })).status).toBe(200);
    // A disconnect is not logged as a problem either.
    expect(app.logged.filter(({ level }) => Number(level) > info)).toEqual([]);
  });
});
