import type { Database } from "../database/database.ts";
import { RecordError, type Fields, isFields, isId } from "../import/record-fields.ts";
import { localId } from "../resources/mirrors/store.ts";

type Kind = "users" | "organizations" | "projects";

/**
 * The members of a user or an organization that belong in a record. A single record also says what its reader may do
 * with an account.
 */
const described = {
  users: ["uuid", "username", "name", "avatar_url", "created_at", "updated_at"],
  organizations: ["uuid", "name", "slug", "avatar_url", "individual", "created_at", "updated_at"],
} as const;

/**
 * Fetches from the other server an object that a record names only by id; null if the other server does not show it.
 */
export type Find = (kind: Kind, id: number) => Promise<Fields | null>;

/**
 * Records of another server name users, organizations and projects by that server's ids, which may belong to other
 * objects here. This class replaces each of them by its local id.
 */
export class LocalIds {
  readonly #source: { database: Database; api: string };
  readonly #find: Find;
  readonly #found = new Map<string, Promise<Fields | null>>();
  readonly #known = new Map<string, number>();
  /** The ids of projects at the other server, by their local ids. */
  readonly remoteProjects = new Map<number, number>();

  constructor(source: { database: Database; api: string }, find: Find) {
    this.#source = source;
    this.#find = find;
  }

  /**
   * The record with local ids.
   *
   * @throws {RecordError} if it names a user or an organization by id alone.
   */
  async in(record: Fields): Promise<Record<string, unknown>> {
    const localised: Record<string, unknown> = await this.#owned(record);
    if (Array.isArray(record["projects"])) localised["projects"] = await this.#described(record["projects"]);
    if (Array.isArray(record["notes"])) localised["notes"] = await this.#each(record["notes"]);
    return localised;
  }

  /** The members of a user that belong in a record, with the local id. */
  async user(user: Fields): Promise<unknown> {
    return (await this.#owned({ user }))["user"];
  }

  /** Those of these projects that the other server shows, with local ids. */
  async #described(projects: readonly unknown[]): Promise<unknown[]> {
    const localised = [];
    for (const remote of projects) {
      if (!isId(remote)) throw new RecordError("projects: expected ids");
      const project = await this.#findOnce("projects", remote);
      if (project === null) continue;
      const id = await this.#idOf("projects", project);
      this.remoteProjects.set(id, remote);
      const owner = isId(project["user"]) ? await this.#findOnce("users", project["user"]) : project["user"];
      localised.push({ ...(await this.#owned({ ...project, user: owner })), id });
    }
    return localised;
  }

  #findOnce(kind: Kind, id: number): Promise<Fields | null> {
    const name = `${kind} ${id}`;
    const found = this.#found.get(name) ?? this.#find(kind, id);
    this.#found.set(name, found);
    return found;
  }

  async #each(items: readonly unknown[]): Promise<unknown[]> {
    const localised = [];
    for (const item of items) localised.push(isFields(item) ? await this.#owned(item) : item);
    return localised;
  }

  /** A copy with the local ids of its user and its organization. */
  async #owned(fields: Fields): Promise<Record<string, unknown>> {
    const localised = { ...fields };
    const members = [
      ["user", "users"],
      ["organization", "organizations"],
    ] as const;
    for (const [member, kind] of members) {
      const value = fields[member] ?? null;
      if (value === null) continue;
      if (!isFields(value)) throw new RecordError(`${member}: expected an object that says who it is`);
      const said = described[kind].flatMap((name) => (name in value ? [[name, value[name]] as const] : []));
      localised[member] = { ...Object.fromEntries(said), id: await this.#idOf(kind, value) };
    }
    return localised;
  }

  async #idOf(kind: Kind, { id, uuid }: Fields): Promise<number> {
    if (!isId(id)) throw new RecordError(`${kind}: expected an id`);
    if (kind !== "projects" && typeof uuid !== "string") throw new RecordError(`${kind}: expected a uuid`);
    const name = `${kind} ${id}`;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const found = await localId(this.#source, kind, {
      id,
      uuid: typeof uuid === "string" ? uuid.toLowerCase() : null,
    });
    this.#known.set(name, found);
    return found;
  }
}
