import { beforeAll, describe, expect, it, vi } from "vitest";
import { addDocuments, addProject } from "../../../testing/factories.ts";
import { type Person, addPerson } from "../../../testing/people.ts";
import { engines, useApp } from "../../../testing/test-app.ts";

describe.each(engines)("the event stream of a document on %s", (engine) => {
  const app = useApp(engine);
  let collaborator: Person;
  let address: string;
  const owner = app.person("owner", { organizations: [1] });
  beforeAll(async () => {
    const [id = 0] = await addDocuments(app.context, [{ access: "organization", status: "pending" }]);
    address = `/api/documents/${id}/process/events/`;
    const project = await addProject(app.context, {}, [id]);
    collaborator = await addPerson(app.context, { username: "helper", projects: { [project]: "edit" } });
    await app.context.database.write((writer) =>
      writer.updateTable("project_memberships").set({ edit_access: true }).execute(),
    );
  });

  const open = async (person: Person): Promise<{ status: number; close: () => void }> => {
    const aborting = new AbortController();
    const response = await app.fetch(address, { headers: person.headers, signal: aborting.signal });
    // The response is kept meanwhile: one that is collected as garbage closes its connection.
    return { status: response.status, close: () => void (response.bodyUsed || aborting.abort()) };
  };

  it("answers HEAD at once, without using a stream", async () => {
    for (let time = 0; time < 25; time++) {
      const head = await app.fetch(address, { method: "HEAD", headers: owner.headers });
      expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    }
    expect((await app.fetch(address, { method: "HEAD" })).status).toBe(404);
  });

  it("limits the streams of each client, so that others can open theirs", async () => {
    const streams = await Promise.all(Array.from({ length: 30 }, () => open(owner)));
    // HEAD requests do not count towards the limit of twenty.
    expect(streams.filter(({ status }) => status === 503)).toHaveLength(10);
    const other = await open(collaborator);
    expect(other.status).toBe(200);
    for (const { close } of [...streams, other]) close();
    await vi.waitFor(
      async () => {
        // A stream notices at the next change of the database that its client has left.
        await addDocuments(app.context, [{}]);
        const again = await open(owner);
        again.close();
        expect(again.status).toBe(200);
      },
      { timeout: 60_000 },
    );
  });

  it("ends when the viewer loses access to the document", async () => {
    const stream = await app.fetch(address, { headers: collaborator.headers });
    expect(stream.status).toBe(200);
    const events = stream.text();
    await app.context.database.write((writer) =>
      writer.deleteFrom("project_collaborators").where("user_id", "=", collaborator.id).execute(),
    );
    expect(await events).toMatch(/^event: progress\ndata: .*"pending".*\n\n(: still there\n\n)*$/);
  });

  it("reports on several documents in one stream, on each that the viewer may see, until all are done", async () => {
    const ids = await addDocuments(app.context, [
      { access: "private", status: "pending", user_id: owner.id },
      { access: "private", status: "nofile", user_id: owner.id },
      { access: "private", status: "success", user_id: owner.id },
      { access: "private", status: "pending" },
    ]);
    const target = `/api/documents/process/events/?id__in=${ids.join(",")},99999`;
    const answer = await app.fetch(target, { headers: owner.headers });
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    const seen: [number, string][] = [];
    const decoder = new TextDecoder();
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      for (const [, data = "{}"] of decoder.decode(chunk).matchAll(/^data: (.*)$/gm)) {
        const { id, status } = JSON.parse(data) as { id: number; status: string };
        seen.push([ids.indexOf(id), status]);
      }
      const next = seen.length === 3 ? "pending" : "success";
      if (seen.length !== 3 && seen.length !== 4) continue;
      await app.context.database.write((writer) =>
        writer
          .updateTable("documents")
          .set({ status: next })
          .where("id", "in", seen.length === 3 ? [ids[1] ?? 0] : ids.slice(0, 2))
          .execute(),
      );
    }
    expect(seen.slice(0, 3)).toEqual([
      [0, "pending"],
      [1, "nofile"],
      [2, "success"],
    ]);
    expect(seen[3]).toEqual([1, "pending"]);
    expect(seen.slice(4).toSorted(([left], [right]) => left - right)).toEqual([
      [0, "success"],
      [1, "success"],
    ]);
  });

  it("refuses a stream of no documents, or of more than a hundred", async () => {
    const status = async (query: string) =>
      (await app.fetch(`/api/documents/process/events/${query}`)).status;
    const many = Array.from({ length: 101 }, (_, index) => index + 1);
    expect([await status(""), await status("?id__in=x"), await status(`?id__in=${many.join(",")}`)]).toEqual([
      400, 400, 400,
    ]);
    const unknown = await app.fetch("/api/documents/process/events/?id__in=99999");
    expect([unknown.status, await unknown.text()]).toEqual([200, ""]);
  });
});
