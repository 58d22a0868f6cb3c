import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { buildPdf } from "../../../testing/pdf.ts";
import type { Encryption } from "../../../testing/pdf-encryption.ts";
import { type Reply, sendAs } from "../../../testing/requests.ts";
import { defaultEngines, useApp } from "../../../testing/test-app.ts";
import { useWorker } from "../../../testing/use-worker.ts";

const password = " geheimes Wort ";

const locked = (encrypted: Encryption): Uint8Array =>
  buildPdf({ pages: [{ width: 600, height: 800, lines: ["The harbour"] }], title: "A title", encrypted });

const edited = (bytes: Uint8Array, what: string, by: string): Uint8Array => {
  const text = Buffer.from(bytes).toString("latin1");
  expect(text).toContain(what);
  return Buffer.from(text.replace(what, by), "latin1");
};

const mayRepair = ["qpdf", "mutool", "pdftocairo"].some((program) => existsSync(`/usr/bin/${program}`));

const record = (id: number): string => `/api/documents/${id}/`;

describe.each(defaultEngines)("an encrypted PDF on %s", (engine) => {
  const app = useApp(engine);
  const owner = app.person("owner", { organizations: [1] });
  const worker = useWorker(app);

  const send = (method: string, target: string, value?: unknown): Promise<Reply> =>
    sendAs(app, owner, method, target, value);
  const status = async (id: number): Promise<string> => (await send("GET", record(id))).body.status;
  const asset = (id: number, name: string): Promise<Response> =>
    app.fetch(`/files/documents/${id}/${name}`, { headers: owner.headers });
  const errors = async (id: number): Promise<string[]> =>
    (await send("GET", `${record(id)}errors/`)).body.results.map((one: { message: string }) => one.message);

  async function uploaded(bytes: Uint8Array): Promise<number> {
    const { body } = await send("POST", "/api/documents/", { title: "Minutes" });
    await fetch(body.presigned_url, { method: "PUT", body: bytes as NonNullable<RequestInit["body"]> });
    return body.id;
  }

  async function process(id: number, values: object = {}): Promise<void> {
    expect(await send("POST", `${record(id)}process/`, values)).toMatchObject({ status: 200 });
    await worker.drain();
  }

  /** All rows of all tables that can hold anything of a file. */
  async function rows(): Promise<string> {
    const { reader } = app.context.database;
    return JSON.stringify([
      await reader.selectFrom("jobs").selectAll().execute(),
      await reader.selectFrom("documents").selectAll().execute(),
      await reader.selectFrom("document_receipts").selectAll().execute(),
      await reader.selectFrom("document_history").selectAll().execute(),
      await reader.selectFrom("document_progress").selectAll().execute(),
    ]);
  }

  it("opens with its password, and is then read and drawn without it", async () => {
    const id = await uploaded(locked({ kind: "aes-256", userPassword: password }));
    await process(id);
    await process(id, { password: "guessed" });
    expect(await errors(id)).toEqual([
      "encrypted: it opens with a password only",
      "encrypted: it opens with a password only, and the one that was given is wrong",
    ]);
    expect(await status(id)).toBe("error");
    await process(id, { password });
    expect(await status(id)).toBe("success");
    expect(await (await asset(id, "minutes.txt")).text()).toContain("The harbour");
    expect((await asset(id, "pages/minutes-p1-small.gif")).status).toBe(200);
    const file = Buffer.from(await (await asset(id, "minutes.pdf")).arrayBuffer()).toString("latin1");
    expect(file).not.toContain("/Encrypt");
    const { results } = (await send("GET", `${record(id)}receipts/`)).body;
    expect(results).toContainEqual(
      expect.objectContaining({ step: "converted", from: "pdf", engine: "pdfium" }),
    );
    await process(id);
    expect(await status(id)).toBe("success");
  });

  it("never has its password stored in readable form, while it waits or afterwards", async () => {
    const id = await uploaded(locked({ kind: "aes-256", userPassword: password }));
    const other = await uploaded(locked({ kind: "aes-128", userPassword: "another word" }));
    await worker.stop();
    const items = [
      { id, password },
      { id: other, password: "another word" },
    ];
    expect((await send("POST", "/api/documents/process/", items)).status).toBe(200);
    const waiting = await rows();
    expect(waiting).toContain("sealedPassword");
    expect(waiting).not.toMatch(/geheim|another word/);
    worker.start();
    await worker.drain();
    expect([await status(id), await status(other)]).toEqual(["success", "success"]);
    const after = await rows();
    expect(after).not.toMatch(/sealedPassword|geheim|another word/);
    for (const part of ["", "receipts/", "errors/", "history/", "process/"]) {
      expect(JSON.stringify(await send("GET", `${record(id)}${part}`))).not.toContain("geheim");
    }
  });

  it("refuses values that cannot be passwords", async () => {
    const id = await uploaded(locked({ kind: "rc4-40" }));
    for (const wrong of [true, ["a"], "x".repeat(256), "\0"]) {
      const { status: code, body } = await send("POST", `${record(id)}process/`, { password: wrong });
      expect([code, Object.keys(body)]).toEqual([400, ["password"]]);
    }
  });

  it("that misstates its encryption is read with a second program, or ends with a reason", async () => {
    const id = await uploaded(edited(locked({ kind: "aes-128" }), "/Length 16 >>", "/Length 256 >>"));
    await process(id);
    const reasons = await errors(id);
    const text = await (await asset(id, "minutes.txt")).text();
    const ends = { reasons, hasText: text.includes("The harbour") };
    const refused = { reasons: ["encrypted: it opens with a password only"], hasText: false };
    expect(ends).toEqual(mayRepair ? { reasons: [], hasText: true } : refused);
  });
});
