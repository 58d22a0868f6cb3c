import { describe, expect, it } from "vitest";
import { timestampNow } from "../http/text/timestamp.ts";
import { addUser } from "../resources/users/add-user.ts";
import { type TestApp, engines, startTestApp } from "../testing/test-app.ts";
import { findOwner, noChoice } from "./owner.ts";

const uuid = "00000000-0000-4000-8000-00000000000a";
const username = "Ada.";

/** A user whom records have named, and who has no account. */
async function nameInRecords({ context: { database } }: TestApp): Promise<void> {
  const times = { created_at: timestampNow(), updated_at: timestampNow() };
  await database.write((writer) =>
    writer
      .insertInto("users")
      .values({ id: 7, uuid, username, name: "Ada", ...times })
      .execute(),
  );
}

const giveAccount = ({ context }: TestApp): Promise<number | null> =>
  addUser(context, {
    username,
    password: null,
    name: null,
    email: null,
    organization: null,
    isAdministrator: false,
  });

const ownOrganizationOf = async ({ context }: TestApp): Promise<number> =>
  (await findOwner(context.database, { ...noChoice, user: username })).ownOrganization;

const individualOrganizations = ({ context: { database } }: TestApp) =>
  database.reader
    .selectFrom("organizations")
    .select(["id", "name", "slug", "uuid"])
    .where("individual", "=", true)
    .orderBy("id")
    .execute();

describe.each(engines)("the individual organization of an owner on %s", (engine) => {
  it("is the same, whether documents or the account came first", async () => {
    await using first = await startTestApp(engine);
    await using second = await startTestApp(engine);
    for (const app of [first, second]) await nameInRecords(app);
    const before = await ownOrganizationOf(first);
    await giveAccount(first);
    await giveAccount(second);
    const expected = { name: username, slug: "ada", uuid };
    for (const app of [first, second]) {
      const own = await ownOrganizationOf(app);
      expect(await individualOrganizations(app)).toEqual([{ id: own, ...expected }]);
    }
    expect(await ownOrganizationOf(first)).toBe(before);
  });

  it("is not that of another user with the same name", async () => {
    await using app = await startTestApp(engine);
    await giveAccount(app);
    const [other] = await individualOrganizations(app);
    await app.context.database.write(async (writer) => {
      await writer.updateTable("users").set({ username: "renamed" }).execute();
    });
    await nameInRecords(app);
    expect(await ownOrganizationOf(app)).not.toBe(other?.id);
    expect(await individualOrganizations(app)).toMatchObject([{ id: other?.id }, { name: username, uuid }]);
  });
});
