import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments, addProject } from "../../../testing/factories.ts";
import { answerAt, idsAt, walkedIds } from "../../../testing/lists.ts";
import { engines, useApp } from "../../../testing/test-app.ts";
import { runsOn } from "../../../testing/runs.ts";

interface Row {
  id: number;
  user_id: number;
  organization_id: number;
  access: string;
  status: string;
  created_at: string;
  page_count: number;
  title: string;
  projects: number[];
}

type Conditions = Partial<
  Record<
    "user" | "organization" | "project" | "id__in" | "page_count" | "page_count__lt" | "page_count__gt",
    number[]
  > &
    Record<"access" | "status" | "created_at__lt" | "created_at__gt", string[]>
>;

const moments = ["2025-01-31T12:00:00.000000Z", "2025-01-31T12:00:00.000001Z", "2025-02-01T00:00:00.000000Z"];
const statuses = ["success", "readable", "pending", "error", "nofile", "deleted"];
const cycle = <T>(values: readonly T[], index: number): T => values[index % values.length] as T;

/** The expected list, computed by a plain second implementation. */
function matches(row: Row, conditions: Conditions): boolean {
  const { user, organization, project, id__in: ids, access, status } = conditions;
  const [count] = conditions.page_count ?? [];
  const [below = Infinity] = conditions.page_count__lt ?? [];
  const [above = -Infinity] = conditions.page_count__gt ?? [];
  const [before = "9999"] = conditions.created_at__lt ?? [];
  const [after = "0000"] = conditions.created_at__gt ?? [];
  return (
    row.access === "public" &&
    (row.status === "success" || row.status === "readable") &&
    (user?.includes(row.user_id) ?? true) &&
    (organization?.includes(row.organization_id) ?? true) &&
    (project?.some((id) => row.projects.includes(id)) ?? true) &&
    (ids?.includes(row.id) ?? true) &&
    (access?.includes(row.access) ?? true) &&
    (status?.includes(row.status) ?? true) &&
    row.page_count === (count ?? row.page_count) &&
    row.page_count < below &&
    row.page_count > above &&
    row.created_at < before &&
    row.created_at > after
  );
}

const one = <T>(...values: T[]): fc.Arbitrary<T[]> => fc.constantFrom(...values).map((value) => [value]);
const some = <T>(values: readonly T[]): fc.Arbitrary<T[]> =>
  fc.subarray([...values], { minLength: 1 }).chain((chosen) => fc.shuffledSubarray(chosen, { minLength: 1 }));

describe.each(engines)("filters of the document list on %s", (engine) => {
  const app = useApp(engine);
  let rows: Row[];
  let hidden: number;
  const projects: number[] = [];
  const matching = (conditions: Conditions): number[] =>
    rows.filter((row) => matches(row, conditions)).map(({ id }) => id);
  beforeAll(async () => {
    const newRows = Array.from({ length: 72 }, (_, index) => ({
      user_id: cycle([1, 2], index),
      organization_id: cycle([1, 1, 2], index),
      access: cycle(["public", "public", "public", "public", "private", "organization", "invisible"], index),
      status: cycle(["success", "success", "readable", "success", ...statuses], index),
      created_at: cycle(moments, index),
      page_count: cycle([0, 1, 2, 3, 10], index),
      title: `${index % 4}`,
    }));
    const ids = await addDocuments(app.context, newRows);
    rows = newRows.map((row, index) => Object.assign(row, { id: ids[index] ?? 0, projects: [] }));
    for (let number = 0; number < 24; number++) {
      const members = rows.filter((_, index) => index % 7 === number % 7 || index % 11 === number % 11);
      const project = await addProject(
        app.context,
        {},
        members.map(({ id }) => id),
      );
      for (const row of members) row.projects.push(project);
      projects.push(project);
    }
    hidden = await addProject(app.context, { private: true }, ids);
  });

  it("combine with each other, on every page of every ordering", async () => {
    const conditions = fc.record(
      {
        user: some([1, 2]),
        organization: some([1, 2]),
        project: fc.oneof(some(projects), some(projects.slice(0, 2))),
        id__in: fc.array(fc.integer({ min: 0, max: 80 }), { minLength: 1, maxLength: 40 }),
        access: some(["public", "private", "organization", "invisible"]),
        status: some(statuses),
        created_at__lt: one(...moments),
        created_at__gt: one(...moments),
        page_count: one(0, 1, 2, 99),
        page_count__lt: one(0, 2, 3),
        page_count__gt: one(-1, 0, 2),
      },
      { requiredKeys: [] },
    );
    const rest = fc.constantFrom(
      "",
      "&ordering=-id",
      "&ordering=title",
      "&ordering=-page_count",
      "&ordering=data_a",
    );
    const repeated = fc.boolean();
    await fc.assert(
      fc.asyncProperty(
        conditions,
        rest,
        repeated,
        fc.integer({ min: 1, max: 30 }),
        async (filters, order, apart, size) => {
          const query = Object.entries(filters).flatMap(([name, values]) =>
            apart ? values.map((value) => `${name}=${value}`) : [`${name}=${values.join(",")}`],
          );
          const walked = await walkedIds(app, `/api/documents/?per_page=${size}${order}&${query.join("&")}`);
          expect(walked.toSorted((a, b) => a - b)).toEqual(matching(filters));
          expect(order === "" ? walked : []).toEqual(order === "" ? matching(filters) : []);
        },
      ),
      { numRuns: runsOn(engine, 150) },
    );
  });

  it("return each document once, even if it is in several of the projects", async () => {
    const query = `/api/documents/?per_page=5&project=`;
    expect(await walkedIds(app, query + projects.join(","))).toEqual(matching({ project: projects }));
    expect(await walkedIds(app, query + projects.slice(0, 20).join(","))).toEqual(
      matching({ project: projects.slice(0, 20) }),
    );
    expect(await walkedIds(app, `${query}${projects[0]}&project[]=${projects[0]},${projects[1]}`)).toEqual(
      matching({ project: projects.slice(0, 2) }),
    );
  });

  it("compare times to the microsecond, with any UTC offset", async () => {
    expect(await walkedIds(app, "/api/documents/?created_at__gt=2025-01-31T12:00:00Z")).toEqual(
      matching({ created_at__gt: ["2025-01-31T12:00:00.000000Z"] }),
    );
    expect(await walkedIds(app, "/api/documents/?created_at__lt=2025-01-31T14:30:00.000001%2B02:30")).toEqual(
      matching({ created_at__lt: ["2025-01-31T12:00:00.000001Z"] }),
    );
  });

  it("are ignored if they are blank or unknown", async () => {
    const all = matching({});
    expect(
      await idsAt(app, "/api/documents/?per_page=99&user=&status=,&page_count=+&created_at__lt="),
    ).toEqual(all);
    expect(await idsAt(app, "/api/documents/?per_page=99&title=0&language=x&page_count__gte=9")).toEqual(all);
  });

  it("by id silently leave out missing and hidden documents", async () => {
    const unseen = rows.filter((row) => !matches(row, {})).map(({ id }) => id);
    expect(await idsAt(app, `/api/documents/?id__in=${unseen.join(",")},99999,99999999999999999999`)).toEqual(
      [],
    );
    expect(await idsAt(app, "/api/documents/?access=private")).toEqual([]);
    expect(await idsAt(app, "/api/documents/?status=pending,deleted")).toEqual([]);
  });

  it.each([
    ["user=999", { user: ["Select a valid choice. 999 is not one of the available choices."] }],
    ["user=1,999", { user: ["Select a valid choice. 999 is not one of the available choices."] }],
    [
      "organization=999",
      { organization: ["Select a valid choice. 999 is not one of the available choices."] },
    ],
    ["project=999", { project: ["Select a valid choice. 999 is not one of the available choices."] }],
    ["user=-1", { user: ["Select a valid choice. -1 is not one of the available choices."] }],
    ["user=abc", { user: ["“abc” is not a valid value."] }],
    ["access=x", { access: ["Select a valid choice. x is not one of the available choices."] }],
    ["status=1", { status: ["Select a valid choice. 1 is not one of the available choices."] }],
    ["created_at__lt=x", { created_at__lt: ["Enter a valid date/time."] }],
    ["page_count=x", { page_count: ["Enter a number."] }],
    ["id__in=1,x", { id__in: ["Enter a number."] }],
  ])("return 400 for ?%s", async (query, faults) => {
    for (const ordering of ["", "&ordering=title"]) {
      const answer = await answerAt(app, `/api/documents/?${query}${ordering}`);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toEqual(faults);
      expect(answer.headers.get("content-type")).toBe("application/json");
    }
  });

  it("treat an organization without visible documents as missing", async () => {
    const moment = "2025-01-31T12:00:00.000000Z";
    await app.context.database.write((writer) =>
      writer
        .insertInto("organizations")
        .values(
          [71, 72, 73].map((id) => ({
            id,
            name: `Press ${id}`,
            slug: `press-${id}`,
            individual: false,
            created_at: moment,
            updated_at: moment,
          })),
        )
        .execute(),
    );
    await addDocuments(app.context, [
      { organization_id: 71, access: "private" },
      { organization_id: 72, access: "public", status: "pending" },
      { organization_id: 73, access: "public" },
    ]);
    const told = async (id: number): Promise<[number, string]> => {
      const answer = await answerAt(app, `/api/documents/?organization=${id}`);
      return [answer.status, (await answer.text()).replaceAll(String(id), "N")];
    };
    expect((await told(79))[0]).toBe(400);
    expect(await told(71)).toEqual(await told(79));
    expect(await told(72)).toEqual(await told(79));
    expect((await told(73))[0]).toBe(200);
  });

  it("treat a hidden project as missing", async () => {
    const answer = await answerAt(app, `/api/documents/?project=${hidden}`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({
      project: [`Select a valid choice. ${hidden} is not one of the available choices.`],
    });
  });

  it("treat a user without visible documents as missing", async () => {
    const { database } = app.context;
    const time = cycle(moments, 0);
    await database.write(async (writer) => {
      const times = { created_at: time, updated_at: time };
      await writer
        .insertInto("users")
        .values({ id: 3, username: "c", name: "C", ...times })
        .execute();
    });
    await addDocuments(app.context, [{ user_id: 3, access: "private" }]);
    expect((await answerAt(app, "/api/documents/?user=3")).status).toBe(400);
    const [id = 0] = await addDocuments(app.context, [{ user_id: 3 }]);
    expect(await idsAt(app, "/api/documents/?user=3")).toEqual([id]);
    await database.write((writer) => writer.deleteFrom("documents").where("user_id", "=", 3).execute());
    expect((await answerAt(app, "/api/documents/?user=3")).status).toBe(400);
  });
});
