import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { accessLevels, statuses } from "../../../contract/document.ts";
import { addDocuments, addOwners, addProject } from "../../../testing/factories.ts";
import { type Person, addPerson } from "../../../testing/people.ts";
import { sendAs } from "../../../testing/requests.ts";
import { engines, useApp } from "../../../testing/test-app.ts";

/** A member of an organization with so many documents that searches read those of all people together. */
const manyDocuments = 5000;

const at = "2025-01-31T12:00:00.000000Z";
const organizations = { mine: 1, other: 2, large: 3 };

const filters = [
  "language:deu",
  "-language:eng",
  "language:(deu OR fra) AND original_extension:docx",
  "status:pending",
  "status:pending OR access:private",
  "access:organization AND NOT status:success",
  "noindex:true AND language:d*",
  "original_extension:docx AND slug:a-document",
];

/** The values of a document, by its number. */
const valuesOf = (number: number) => ({
  title: `${number % 7}`,
  language: number % 11 === 0 ? "fra" : "deu",
  original_extension: number % 5 === 0 ? "docx" : "pdf",
  noindex: number % 3 === 0,
  admin_noindex: number % 4 === 0,
});

describe.each(engines)("filters of a search on %s", (engine) => {
  const app = useApp(engine);
  const viewers: (Person | null)[] = [null];
  let rowCount = 0;
  let lastId = 0;

  beforeAll(async () => {
    const { context } = app;
    await context.database.write(async (writer) => {
      await addOwners(writer);
      const names = { name: "Large", slug: "large", individual: false, created_at: at, updated_at: at };
      await writer
        .insertInto("organizations")
        .values({ id: organizations.large, ...names })
        .execute();
    });
    const project = await addProject(context, {}, []);
    const groups = { organizations: [organizations.mine], projects: { [project]: "view" as const } };
    for (const [username, more] of Object.entries({
      few: {},
      many: { organizations: [organizations.large] },
      "many-groups": { ...groups, organizations: [organizations.mine, organizations.large] },
      "few-groups": groups,
    }))
      viewers.push(await addPerson(context, { username, ...more }));
    const owners = viewers.flatMap((viewer) => viewer?.id ?? []);
    const rows = accessLevels.flatMap((access) =>
      statuses.flatMap((status) =>
        owners.flatMap((user_id) =>
          [organizations.mine, organizations.other].map((organization_id) =>
            Object.assign(valuesOf(rowCount++), { access, status, user_id, organization_id }),
          ),
        ),
      ),
    );
    const ids = await addDocuments(context, rows);
    lastId = Math.max(...ids);
    await context.database.write(async (writer) => {
      const shared = ids.filter((_, number) => number % 3 === 0);
      await writer
        .insertInto("project_memberships")
        .values(shared.map((document_id) => ({ document_id, project_id: project, edit_access: true })))
        .execute();
      await sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${manyDocuments})
        insert into documents (access, status, created_at, updated_at, organization_id, slug, title, user_id)
        select 'organization', 'success', ${at}, ${at}, ${organizations.large}, '', '', ${owners[0]} from numbers`.execute(
        writer,
      );
    });
  });

  async function search(q: string, by: Person | null, sort: string): Promise<unknown> {
    const parameters = new URLSearchParams({ q, sort, per_page: "100" });
    const { body } = await sendAs(app, by, "GET", `/api/documents/search/?${parameters.toString()}`);
    return { count: body.count, ids: body.results.map(({ id }: { id: string }) => id) };
  }

  it("find for each viewer what they find among documents that are looked up", async () => {
    for (const by of viewers) {
      for (const [index, q] of filters.entries()) {
        const sort = index % 2 === 0 ? "title" : "-id";
        const among = await search(`(${q}) AND id:[1 TO ${lastId}]`, by, sort);
        expect([by?.username, q, sort, await search(q, by, sort)]).toEqual([by?.username, q, sort, among]);
      }
    }
  });
});
