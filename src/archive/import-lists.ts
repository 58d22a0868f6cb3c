import type { Context } from "../context.ts";
import type { Writer } from "../database/database.ts";
import type { Tables } from "../database/tables.ts";
import {
  type NewRow,
  addRows,
  continueAfterOwnIds,
  rowsWithNumbers,
  rowsWithTexts,
} from "../database/transfer/added-rows.ts";
import type { LeftOut } from "../import/report.ts";
import { addMembershipHistory } from "../resources/organizations/membership-history-store.ts";
import { hasAccounts } from "../resources/users/account-store.ts";
import { addPasswordLink } from "../resources/users/credentials/password-link-store.ts";
import type { Archive } from "./archive.ts";
import { batchesOf } from "../batches.ts";
import { readEntity, readOrganization, readPerson, readProject, readSearch } from "./lists.ts";

/** The password link of a new account. */
export interface NewAccount {
  username: string;
  token: string;
}

const atOnce = 200;

/**
 * Imports everything except the documents, in one transaction. Existing rows stay unchanged. Returns the new accounts,
 * whose users have to set a password.
 */
export async function importLists(
  { database }: Pick<Context, "database">,
  archive: Archive,
  leftOut: Pick<LeftOut, "add">,
): Promise<NewAccount[]> {
  return database.write(async (writer) => {
    for (const table of ["users", "organizations", "projects", "entities"] as const)
      await database.dialect.lockForWriting(table)?.execute(writer);
    const lists = new ListImport(writer, archive, leftOut);
    const accounts = await lists.run();
    await continueAfterOwnIds(writer, ["users", "organizations", "projects", "entities"]);
    return accounts;
  });
}

const byArchive = { means: "archive" } as const;

/** A member of an organization, or a collaborator of a project, that is new. */
function membershipIn({ organization_id, project_id, user_id, is_admin, access }: NewRow) {
  const isOfProject = project_id !== undefined;
  const role = is_admin === true || is_admin === 1 ? "admin" : "member";
  return {
    of: isOfProject ? { project: project_id as number } : { organization: organization_id as number },
    user: user_id as number,
    before: null,
    after: isOfProject ? (access as string) : role,
  };
}

class ListImport {
  readonly #writer: Writer;
  readonly #archive: Archive;
  readonly #leftOut: Pick<LeftOut, "add">;

  constructor(writer: Writer, archive: Archive, leftOut: Pick<LeftOut, "add">) {
    this.#writer = writer;
    this.#archive = archive;
    this.#leftOut = leftOut;
  }

  async run(): Promise<NewAccount[]> {
    // Users name an organization, and organizations name users, so the members come last.
    const members = await this.#addOrganizations();
    const accounts = await this.#addPeople();
    await this.#addNaming("organization_members", members, (row) => [row["user_id"]]);
    await this.#addProjects();
    await this.#addEntities();
    await this.#addSavedSearches();
    return accounts;
  }

  /** Adds the new organizations and returns the rows of their members. */
  async #addOrganizations(): Promise<NewRow[]> {
    const added: NewRow[] = [];
    for await (const organizations of batchesOf(
      this.#archive.list("organizations", readOrganization),
      atOnce,
    )) {
      const missing = await this.#missing("organizations", organizations);
      await this.#add(
        "organizations",
        missing.map(({ row }) => row),
      );
      for (const { id, members } of missing)
        for (const row of members) added.push({ organization_id: id, ...row });
    }
    return added;
  }

  async #addPeople(): Promise<NewAccount[]> {
    // An archive may come from anyone, so it adds no administrators to a Quire that has accounts.
    const keepsAdministrators = !(await hasAccounts(this.#writer));
    const added: NewAccount[] = [];
    for await (const people of batchesOf(this.#archive.list("people", readPerson), atOnce)) {
      const missing = await this.#missing("users", people);
      const isMissing = new Set(missing.map(({ id }) => id));
      await this.#countAccountsOfKnown(people.filter(({ id }) => !isMissing.has(id)));
      const organizations = await this.#existing(
        "organizations",
        missing.flatMap(({ organization_id: id }) => (id === null ? [] : [id])),
      );
      const rows = missing.map(({ organization_id: id, is_administrator, ...person }): NewRow => ({
        ...person,
        organization_id: id !== null && organizations.has(id) ? id : null,
        is_administrator: is_administrator && keepsAdministrators,
      }));
      await this.#add("users", rows);
      for (const { id, username, password_hash, is_active, is_administrator } of missing) {
        if (is_administrator && !keepsAdministrators) this.#leftOut.add("rights of administrators");
        if (password_hash === null || !is_active) continue;
        const { token } = await addPasswordLink(this.#writer, id);
        added.push({ username, token });
      }
    }
    return added;
  }

  /** An archive gives no account to an existing user without one. */
  async #countAccountsOfKnown(people: readonly ReturnType<typeof readPerson>[]): Promise<void> {
    const accounts = people.filter((person) => person.password_hash !== null).map(({ id }) => id);
    const rows = await rowsWithNumbers(this.#writer, "users", "id", accounts);
    const without = rows.filter((row) => row["password_hash"] === null);
    this.#leftOut.add("accounts of users who are here without one", without.length);
  }

  async #addProjects(): Promise<void> {
    for await (const projects of batchesOf(this.#archive.list("projects", readProject), atOnce)) {
      const missing = await this.#missing("projects", projects);
      const rows = missing.map(({ row }) => row);
      const added = new Set(await this.#addNaming("projects", rows, (row) => [row["user_id"]]));
      const collaborators: NewRow[] = [];
      const pins: NewRow[] = [];
      for (const { id: project_id, collaborators: those, pinned_by } of missing) {
        if (!added.has(project_id)) continue;
        for (const row of those) collaborators.push({ project_id, ...row });
        for (const user_id of pinned_by) pins.push({ project_id, user_id });
      }
      await this.#addNaming("project_collaborators", collaborators, (row) => [row["user_id"]]);
      await this.#addNaming("project_pins", pins, (row) => [row["user_id"]]);
    }
  }

  async #addEntities(): Promise<void> {
    for await (const entities of batchesOf(this.#archive.list("entities", readEntity), atOnce)) {
      const missing = await this.#missing("entities", entities);
      await this.#addNaming("entities", missing, (row) => (row["user_id"] === null ? [] : [row["user_id"]]));
    }
  }

  async #addSavedSearches(): Promise<void> {
    for await (const searches of batchesOf(this.#archive.list("savedSearches", readSearch), atOnce)) {
      const uuids = searches.map(({ uuid }) => uuid);
      const here = await rowsWithTexts(this.#writer, "saved_searches", "uuid", uuids);
      const known = new Set(here.map((row) => row["uuid"]));
      const missing = searches.filter(({ uuid }) => !known.has(uuid));
      await this.#addNaming("saved_searches", missing, (row) => [row["user_id"]]);
    }
  }

  /** Adds the rows whose users exist, and counts the other rows as left out. Returns the ids of the added rows. */
  async #addNaming(
    table: keyof Tables,
    items: readonly object[],
    usersOf: (row: NewRow) => unknown[],
  ): Promise<number[]> {
    const rows = items as readonly NewRow[];
    const users = await this.#existing("users", rows.flatMap(usersOf) as number[]);
    const whole = rows.filter((row) => usersOf(row).every((user) => users.has(user as number)));
    await this.#add(table, whole);
    if (table === "organization_members" || table === "project_collaborators")
      for (const row of whole) await addMembershipHistory(this.#writer, membershipIn(row), byArchive);
    const what = `${table.replaceAll("_", " ")} of unknown users`;
    this.#leftOut.add(what, rows.length - whole.length);
    return whole.map((row) => row["id"] as number);
  }

  async #add(table: keyof Tables, rows: readonly object[]): Promise<void> {
    await addRows(this.#writer, table, rows as NewRow[]);
  }

  async #missing<Item extends { id: number }>(table: keyof Tables, items: readonly Item[]): Promise<Item[]> {
    const known = await this.#existing(
      table,
      items.map(({ id }) => id),
    );
    return items.filter(({ id }) => !known.has(id));
  }

  async #existing(table: keyof Tables, ids: readonly number[]): Promise<Set<number>> {
    const rows = await rowsWithNumbers(this.#writer, table, "id", [...new Set(ids)]);
    return new Set(rows.map((row) => row["id"] as number));
  }
}
