import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments } from "../../testing/factories.ts";
import { type Person, addPerson } from "../../testing/people.ts";
import { engines, useApp } from "../../testing/test-app.ts";

describe.each(engines)("organizations on %s", (engine) => {
  const app = useApp(engine);
  let own: number;
  const member = app.person("member", { organizations: [1] });
  beforeAll(async () => {
    own = await app.context.database.write(async (writer) => {
      await app.context.database.dialect.afterOwnIds("organizations")?.execute(writer);
      const moment = "2025-01-31T12:00:00.000000Z";
      const { id } = await writer
        .insertInto("organizations")
        .values({ name: "Éva", slug: "eva", individual: true, created_at: moment, updated_at: moment })
        .returning("id")
        .executeTakeFirstOrThrow();
      return id;
    });
  });

  const { send } = app;

  it("are visible to signed-in viewers, and to members with their plan", async () => {
    const shown = {
      id: 1,
      avatar_url: "",
      individual: false,
      name: "Organization 1",
      slug: "organization-1",
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    };
    const detail = await send(member, "GET", "/api/organizations/1/");
    expect(detail.body).toEqual({
      ...shown,
      monthly_credits: 0,
      purchased_credits: 0,
      credit_reset_date: null,
      monthly_credit_allowance: 0,
      plan: "Free",
    });
    expect((await send(member, "GET", "/api/organizations/2/")).body).toEqual({
      ...shown,
      id: 2,
      name: "Organization 2",
      slug: "organization-2",
    });
    const list = await send(member, "GET", "/api/organizations/");
    expect(list.body).toMatchObject({ next: null, previous: null, results: [shown, { id: 2 }, { id: own }] });
    expect(list.body.results[0]).toEqual(shown);
  });

  it("of a single user are visible to viewers who may know about that user", async () => {
    const { database } = app.context;
    const moment = "2025-01-31T12:00:00.000000Z";
    const stranger = await addPerson(app.context, { username: "stranger", organizations: [2] });
    const colleague = await addPerson(app.context, { username: "colleague", organizations: [2] });
    const administrator = await addPerson(app.context, { username: "root", isAdministrator: true });
    const { body } = await send(stranger, "GET", "/api/users/me/");
    const { id } = await database.write((writer) =>
      writer
        .insertInto("organizations")
        .values({
          name: "stranger",
          slug: "stranger",
          uuid: body.uuid,
          individual: true,
          created_at: moment,
          updated_at: moment,
        })
        .returning("id")
        .executeTakeFirstOrThrow(),
    );
    const seenBy = async (person: Person): Promise<unknown[]> => [
      (await send(person, "GET", `/api/organizations/${id}/`)).status,
      (await send(person, "GET", `/api/organizations/?uuid=${body.uuid}`)).body.results.length,
    ];
    expect(await seenBy(member)).toEqual([404, 0]);
    for (const person of [stranger, colleague, administrator]) expect(await seenBy(person)).toEqual([200, 1]);
    await addDocuments(app.context, [{ user_id: stranger.id, access: "public" }]);
    expect(await seenBy(member)).toEqual([200, 1]);
    await database.write((writer) => writer.deleteFrom("organizations").where("id", "=", id).execute());
  });

  it("can be filtered, and are listed in pages, ordered by id", async () => {
    const { uuid } = (await send(member, "GET", "/api/organizations/2/")).body;
    const table: [string, number[]][] = [
      ["individual=true", [own]],
      ["individual=false", [1, 2]],
      ["individual=perhaps", [1, 2, own]],
      ["slug=organization-2", [2]],
      [`uuid=${uuid}`, [2]],
      ["name=Organization 1", [1]],
      ["name__istartswith=oRGAN", [1, 2]],
      ["name__istartswith=organization_", []],
      ["name__istartswith=Év", [own]],
      ["name__istartswith=éV", [own]],
      [`id__in=${own},2,77`, [2, own]],
      [`id__in=1,2&name__istartswith=org&slug=organization-1`, [1]],
      ["per_page=1", [1]],
    ];
    for (const [query, ids] of table) {
      const { body } = await send(member, "GET", `/api/organizations/?${query}`);
      expect([query, body.results?.map(({ id }: { id: number }) => id)]).toEqual([query, ids]);
    }
    const { next } = (await send(member, "GET", "/api/organizations/?per_page=1")).body;
    const second = (await send(member, "GET", next.replace(app.url, ""))).body;
    expect(second.results).toMatchObject([{ id: 2 }]);
    expect((await send(member, "GET", second.previous.replace(app.url, ""))).body.results).toMatchObject([
      { id: 1 },
    ]);
    expect((await send(member, "GET", "/api/organizations/?uuid=x")).body).toEqual({
      uuid: ["Enter a valid UUID."],
    });
  });

  it("are not visible to anonymous viewers and cannot be changed", async () => {
    for (const target of ["/api/organizations/", "/api/organizations/1/", "/api/organizations/999/"]) {
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
        const { status, body } = await send(null, method, target, method === "GET" ? undefined : {});
        const detail = "Authentication credentials were not provided.";
        expect([target, method, status, body]).toEqual([target, method, 403, { detail }]);
      }
      const { status, headers } = await send(member, "PATCH", target, {});
      expect([status, headers.get("allow")]).toEqual([403, "GET, HEAD, OPTIONS"]);
    }
    expect((await send(member, "GET", "/api/organizations/999/")).body).toEqual({ detail: "Not found." });
  });
});
