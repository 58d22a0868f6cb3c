import { Readable } from "node:stream";
import { beforeAll, describe, expect, it } from "vitest";
import { worldFile, worldSlug } from "../src/testing/access-world.ts";
import { addDocuments, addProject } from "../src/testing/factories.ts";
import { type Person, addPerson } from "../src/testing/people.ts";
import { sendAs } from "../src/testing/requests.ts";
import { selectionOn } from "../src/testing/runs.ts";
import { type TestApp, engines, startAppOn, useApp, useStarted } from "../src/testing/test-app.ts";

/*
 * A change on one server takes effect with the next request to any server: for record, list, file, page, data and
 * history. Each line is a change and the people who see the document from then on: o its owner, m a member of its
 * organization, c a collaborator of the project, h the user to whom it is given, and a an anonymous viewer, who stands
 * for everyone.
 */
const changes = `
  as-it-is-private          o
  access-organization       o m
  access-public             o m c h a
  access-private            o
  given                     h
  given-back                o
  membership-shared         o c
  membership-unshared       o
  membership-shared         o c
  collaborator-removed      o
  collaborator-added        o c
  access-organization       o m c
  member-removed            o c
  member-added              o m c
  access-public             o m c h a
  membership-removed        o m c h a
  access-private            o
  status-pending            o
  access-public             o
  status-success            o m c h a
  owner-disabled            m c h a
  owner-enabled             o m c h a
  deleted
`;

const steps = changes
  .trim()
  .split("\n")
  .map((line) => line.trim().split(/\s+/))
  .map(([change = "", ...who]) => ({ change, who: who.join(" ") }));

describe.each(engines)("a change of who may see a document on %s", (engine) => {
  const one = useApp(engine);
  const other = useStarted(() => startAppOn(one.context.config));
  let people: Record<"o" | "m" | "c" | "h", Person>;
  let project: number;
  let id: number;
  beforeAll(async () => {
    await addDocuments(one.context, []);
    project = await addProject(one.context, {}, []);
    const add = (username: string, more: object): Promise<Person> =>
      addPerson(one.context, { username, ...more });
    people = {
      o: await add("owner", { organizations: [1, 2], projects: { [project]: "admin" } }),
      m: await add("member", { organizations: [1] }),
      c: await add("collaborator", { projects: { [project]: "view" } }),
      h: await add("heir", { organizations: [2] }),
    };
    const row = { access: "private", user_id: people.o.id, slug: worldSlug };
    [id = 0] = await addDocuments(one.context, [row]);
    await one.context.files.put(worldFile(id), Readable.from([Buffer.from("%PDF-")]));
  });

  const addresses = (): string[] => [
    `/api/documents/${id}/`,
    `/api/documents/${id}/data/`,
    `/files/${worldFile(id)}`,
    `/documents/${id}-${worldSlug}/`,
  ];
  const lists = [
    "",
    "?ordering=-created_at",
    "?ordering=title&status=success,pending",
    "?format=json&per_page=1",
  ];

  /** The people to whom this address shows the document, as the letters above. */
  async function seenBy(app: TestApp, target: string): Promise<string> {
    const seen = [];
    for (const [letter, person] of [...Object.entries(people), ["a", null] as const]) {
      const init = person === null ? {} : { headers: person.headers };
      const answer = await app.fetch(target, { redirect: "manual", ...init });
      const text = await answer.text();
      // A failed sign-in says only that it failed.
      const isKnown = answer.status !== 403;
      const list =
        isKnown && target.startsWith("/api/documents/?")
          ? (JSON.parse(text) as { results: { id: number }[] })
          : null;
      if (list === null ? answer.status === 200 : list.results.some((shown) => shown.id === id))
        seen.push(letter);
    }
    return seen.join(" ");
  }

  async function make(change: string): Promise<void> {
    const { database } = one.context;
    const record = `/api/documents/${id}/`;
    const [what = "", how = ""] = change.split("-");
    const collaborator = { project_id: project, user_id: people.c.id, access: "view" } as const;
    const member = { organization_id: 1, user_id: people.m.id, is_admin: false };
    const memberships = `/api/projects/${project}/documents/`;
    const asOwner = async (method: string, target: string, value?: unknown): Promise<void> => {
      const { status, body } = await sendAs(one, people.o, method, target, value);
      expect([change, status < 300, body]).toEqual([change, true, body]);
    };
    const asHeir = async (value: object): Promise<void> => {
      const { status } = await sendAs(one, people.h, "PATCH", record, value);
      expect(status).toBe(200);
    };
    const actions: Record<string, () => unknown> = {
      access: () => asOwner("PATCH", record, { access: how }),
      "membership-shared": () => asOwner("PATCH", memberships, [{ document: id, edit_access: true }]),
      "membership-unshared": () => asOwner("PATCH", `${memberships}${id}/`, { edit_access: false }),
      "membership-removed": () => asOwner("DELETE", `${memberships}${id}/`),
      "collaborator-removed": () => asOwner("DELETE", `/api/projects/${project}/users/${people.c.id}/`),
      "collaborator-added": () =>
        asOwner("POST", `/api/projects/${project}/users/`, {
          email: "collaborator@example.org",
          access: collaborator.access,
        }),
      "member-removed": () =>
        database.write((writer) =>
          writer
            .deleteFrom("organization_members")
            .where("organization_id", "=", 1)
            .where("user_id", "=", people.m.id)
            .execute(),
        ),
      "member-added": () =>
        database.write((writer) => writer.insertInto("organization_members").values(member).execute()),
      given: () => asOwner("PATCH", record, { user: people.h.id }),
      "given-back": () => asHeir({ user: people.o.id }),
      status: () =>
        database.write((writer) =>
          writer.updateTable("documents").set({ status: how }).where("id", "=", id).execute(),
        ),
      owner: () =>
        database.write((writer) =>
          writer
            .updateTable("users")
            .set({ is_active: how === "enabled" })
            .where("id", "=", people.o.id)
            .execute(),
        ),
      deleted: () => asOwner("DELETE", record),
      as: () => undefined,
    };
    await (actions[change] ?? actions[what])?.();
  }

  const orderings = selectionOn(engine, lists, 2);

  it("takes effect with the next request, in every process and for every viewer", async () => {
    for (const { change, who } of steps) {
      await make(change);
      for (const app of [other, one])
        for (const target of [...addresses(), ...orderings.map((query) => `/api/documents/${query || "?"}`)])
          expect([change, target, await seenBy(app, target)]).toEqual([change, target, who]);
    }
  });
});
