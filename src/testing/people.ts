import pino from "pino";
import { readConfig } from "../config.ts";
import { type Context, openContext } from "../context.ts";
import type { ProjectAccess } from "../http/request/viewer.ts";
import { addApiToken } from "../resources/users/credentials/api-token-store.ts";
import { addSession, csrfTokenOf } from "../resources/users/credentials/session-store.ts";
import { Passwords } from "../secrets/passwords.ts";

const moment = "2025-01-31T12:00:00.000000Z";

export interface Person {
  id: number;
  username: string;
  /** The headers that authenticate their requests. */
  headers: { authorization: string };
}

export interface NewPerson {
  username: string;
  /** Ids of organizations, the first of them active. */
  organizations?: readonly number[];
  /** Ids of the organizations of which they are an admin. */
  administers?: readonly number[];
  /** Their access to projects, by id. */
  projects?: Readonly<Record<number, ProjectAccess>>;
  isAdministrator?: boolean;
  mayWrite?: boolean;
  /** The password to sign in with. */
  password?: string;
}

/** The cost of their password hashes: minimal, so that hashing takes almost no time. */
export const cheapPasswords = { logN: 4, blockSize: 8, parallelization: 1 };

/** Adds a person with a token. */
export async function addPerson(
  { database }: Pick<Context, "database">,
  { username, organizations = [], administers = [], projects = {}, ...more }: NewPerson,
): Promise<Person> {
  const { password } = more;
  const passwordHash = password === undefined ? null : await new Passwords(cheapPasswords).hash(password);
  return database.write(async (writer) => {
    await database.dialect.afterOwnIds("users")?.execute(writer);
    const { id } = await writer
      .insertInto("users")
      .values({
        username,
        name: username,
        email: `${username}@example.org`,
        password_hash: passwordHash,
        is_administrator: more.isAdministrator ?? false,
        organization_id: organizations[0] ?? null,
        created_at: moment,
        updated_at: moment,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    for (const organization_id of organizations) {
      const member = { organization_id, user_id: id, is_admin: administers.includes(organization_id) };
      await writer.insertInto("organization_members").values(member).execute();
    }
    for (const [project, access] of Object.entries(projects)) {
      await writer
        .insertInto("project_collaborators")
        .values({ project_id: Number(project), user_id: id, access })
        .execute();
    }
    const token = { name: "a test", mayWrite: more.mayWrite ?? true, expiresAt: null };
    const added = await addApiToken(writer, id, token);
    return { id, username, headers: { authorization: `Bearer ${added.token}` } };
  });
}

/** Adds a person who can sign in to the storage that an environment names. Returns their id. */
export async function addAccount(
  environment: Readonly<Record<string, string>>,
  username: string,
): Promise<number> {
  const read = readConfig(environment);
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  const context = await openContext(read.config, pino({ level: "silent" }));
  try {
    return (await addPerson(context, { username, password: "any" })).id;
  } finally {
    await context.close();
  }
}

/** Headers of a browser in which a person has signed in. A change needs the CSRF token too. */
export interface Session {
  cookie: string;
  "x-csrftoken": string;
}

/** Begins a session as the sign-in page does, but without a password. */
export async function beginSession(
  { database }: Pick<Context, "database">,
  { id }: Pick<Person, "id">,
): Promise<Session> {
  const { token_generation: tokenGeneration } = await database.reader
    .selectFrom("users")
    .select("token_generation")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const secret = await addSession({ database }, { id, tokenGeneration });
  if (secret === null) throw new Error(`user ${id} is not active`);
  return { cookie: `sessionid=${secret}`, "x-csrftoken": csrfTokenOf(secret) };
}
