import { Readable } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import { documentFileKey } from "../../../files/keys.ts";
import { Query } from "../../../http/request/query.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { addDocuments } from "../../../testing/factories.ts";
import { type Person, addPerson } from "../../../testing/people.ts";
import { addTexts } from "../../../testing/read-documents.ts";
import { type TestApp, defaultEngines, startAppOn, testStorage, useApp } from "../../../testing/test-app.ts";
import { altered } from "../../../testing/texts.ts";
import { type KnownUser, findKnownUser } from "../../users/viewer-store.ts";
import { FileAddresses } from "./file-addresses.ts";

describe.each(defaultEngines)("the address of a file, as requests for JSON get it, on %s", (engine) => {
  const app = useApp(engine);
  const owner = app.person("owner", { organizations: [1] });
  const other = app.person("other", { organizations: [2] });
  afterEach(() => vi.useRealTimers());

  async function addFile(access: string): Promise<{ id: number; path: string }> {
    const row = { slug: "minutes", access, user_id: owner.id, organization_id: 1 };
    const [id = 0] = await addDocuments(app.context, [row]);
    const key = documentFileKey(id, "minutes", "pdf");
    await app.context.files.put(key, Readable.from([Buffer.from(`the file of ${id}`)]));
    return { id, path: `/files/${key}` };
  }

  const ask = (path: string, person: Person | null, accept = "application/json, */*"): Promise<Response> =>
    app.fetch(path, { headers: { accept, ...person?.headers } });

  async function locationOf(path: string, person: Person | null): Promise<string> {
    return ((await (await ask(path, person)).json()) as { location: string }).location;
  }

  const change = (id: number, values: { access?: string; user_id?: number }): Promise<unknown> =>
    app.context.database.write((writer) =>
      writer.updateTable("documents").set(values).where("id", "=", id).execute(),
    );

  it("is the file's plain address if everyone may read it", async () => {
    const { path } = await addFile("public");
    for (const person of [null, owner]) {
      const answer = await ask(path, person);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("cache-control")).toBe("private, no-store");
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(await answer.json()).toEqual({ location: `${app.url}${path}` });
    }
  });

  it("opens a private file without credentials, for pages of any origin", async () => {
    const { id, path } = await addFile("private");
    const location = await locationOf(path, owner);
    const answer = await fetch(location, { headers: { origin: "https://reader.example.org" } });
    expect([answer.status, await answer.text()]).toEqual([200, `the file of ${id}`]);
    expect(answer.headers.get("cache-control")).toBe("private, no-cache");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const part = await fetch(location, { headers: { range: "bytes=4-7" } });
    expect([part.status, await part.text()]).toEqual([206, "file"]);
    expect((await fetch(location, { method: "HEAD" })).status).toBe(200);
  });

  it("is only given to viewers of the document", async () => {
    const { path } = await addFile("private");
    for (const person of [null, other]) {
      const answer = await ask(path, person);
      expect([answer.status, await answer.text()]).toEqual([404, `{"detail":"Not found."}`]);
    }
  });

  it("gives out no other address", async () => {
    const { id, path } = await addFile("private");
    const answer = await fetch(await locationOf(path, owner), { headers: { accept: "application/json" } });
    expect(await answer.text()).toBe(`the file of ${id}`);
  });

  it("is valid only for that file and that user, and expires", async () => {
    const { path } = await addFile("private");
    const another = await addFile("private");
    const location = await locationOf(path, owner);
    const changes = [
      location.replace(path, another.path),
      location.replace(".pdf", ".txt"),
      location.replace(/viewer=\d+/, `viewer=${other.id}`),
      location.replace(/expires=(\d)/, (_, digit) => `expires=${Number(digit) + 1}`),
      location.replace(/signature=.*/, "signature="),
      location.replace(/signature=(.*)/, (_, signature: string) => `signature=${altered(signature, 0)}`),
      location.replace(/viewer=\d+&/, ""),
      location.replace(/viewer=\d+/, "viewer=1e1"),
    ];
    for (const address of changes) {
      const answer = await fetch(address);
      expect([address, answer.status, await answer.json()]).toEqual([
        address,
        403,
        { detail: "This address is invalid or has expired." },
      ]);
    }
    const end = Number(new URL(location).searchParams.get("expires")) * 1000;
    vi.useFakeTimers({ toFake: ["Date"], now: end - 1 });
    expect((await fetch(location)).status).toBe(200);
    vi.setSystemTime(end + 1);
    expect((await fetch(location)).status).toBe(403);
  });

  it("expires for derived assets as well, however often they were opened", async () => {
    const { id, path } = await addFile("private");
    await addTexts(app.context, id, ["what was said"]);
    const location = await locationOf(path.replace("minutes.pdf", "pages/minutes-p1.txt"), owner);
    for (let time = 0; time < 3; time++) expect(await (await fetch(location)).text()).toBe("what was said");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 302_000 });
    expect((await fetch(location)).status).toBe(403);
  });

  it("stops working at once when the user loses access, or the account is closed", async () => {
    const { id, path } = await addFile("private");
    const location = await locationOf(path, owner);
    await change(id, { user_id: other.id });
    expect((await fetch(location)).status).toBe(404);
    await change(id, { user_id: owner.id });
    expect((await fetch(location)).status).toBe(200);
    const setActive = (is_active: boolean): Promise<unknown> =>
      app.context.database.write((writer) =>
        writer.updateTable("users").set({ is_active }).where("id", "=", owner.id).execute(),
      );
    await setActive(false);
    expect((await fetch(location)).status).toBe(403);
    await setActive(true);
  });

  it("is opened by a viewer who may read alone, and by nobody if the account is not there", async () => {
    const addresses = new FileAddresses(app.context);
    const known = await findKnownUser(app.context.database, { id: owner.id });
    const viewer = {
      ...(known as KnownUser).viewer,
      mayWrite: true,
      hasPersonalToken: true,
      csrfToken: null,
    };
    const opened = (signed: SignedInViewer): Promise<SignedInViewer | null> =>
      addresses.findViewer("/files/x", Query.parse(addresses.queryFor("/files/x", signed).slice(1)));
    expect(await opened(viewer)).toMatchObject({ id: owner.id, mayWrite: false, hasPersonalToken: false });
    await expect(opened({ ...viewer, id: 999_999 })).rejects.toMatchObject({ status: 403 });
  });

  it("only leads to files below the document", async () => {
    const { id } = await addFile("private");
    for (const path of ["", "pages/..%2f..%2f1/x.pdf", "pages%2f%2e%2e%2fx", "a//b", ".%2fx"]) {
      const answer = await ask(`/files/documents/${id}/${path}`, owner);
      expect([path, answer.status]).toEqual([path, 404]);
    }
    const location = await locationOf(`/files/documents/${id}/pages/a%3Fb%23c%25.txt`, owner);
    expect(location).toContain(`/documents/${id}/pages/a%3Fb%23c%25.txt?viewer=`);
    expect((await fetch(location)).status).toBe(404);
  });
});

describe.each(defaultEngines)("signed addresses, when the secret is replaced on %s", (engine) => {
  const [former, present] = ["the-secret-of-the-addresses-until-now", "the-secret-of-the-addresses-from-now"];

  it("stay valid as long as the former secret is among the present ones", async () => {
    await using storage = await testStorage(engine, { QUIRE_SECRET: former });
    const startWith = (secrets: string[]): Promise<TestApp> => startAppOn({ ...storage.config, secrets });
    let address: string;
    {
      await using app = await startWith([former]);
      await addDocuments(app.context, []);
      const owner = await addPerson(app.context, { username: "owner", organizations: [1] });
      const row = { slug: "minutes", access: "private", user_id: owner.id, organization_id: 1 };
      const [id = 0] = await addDocuments(app.context, [row]);
      const key = documentFileKey(id, "minutes", "pdf");
      await app.context.files.put(key, Readable.from([Buffer.from("the file")]));
      const answer = await app.fetch(`/files/${key}`, {
        headers: { accept: "application/json", ...owner.headers },
      });
      const { pathname, search } = new URL(((await answer.json()) as { location: string }).location);
      address = pathname + search;
    }
    const statusWith = async (secrets: string[]): Promise<number> => {
      await using app = await startWith(secrets);
      return (await app.fetch(address)).status;
    };
    expect(await statusWith([present, former])).toBe(200);
    expect(await statusWith([present])).toBe(403);
  });
});
