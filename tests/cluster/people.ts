import { type Role, roles } from "../../src/testing/access-rights.ts";
import type { Asked } from "../../src/testing/ask.ts";
import { addProject } from "../../src/testing/factories.ts";
import {
  type NewPerson,
  type Person,
  type Session,
  addPerson,
  beginSession,
} from "../../src/testing/people.ts";
import type { Answer, Asker } from "./asker.ts";
import type { Cluster } from "./nodes.ts";

/** Somebody with a token, who has also signed in. */
export type Signed = Person & { session: Session };

/** A person of each role; null is somebody who has not signed in. */
export type People = Readonly<Record<Role, Signed | null>>;

/** Two projects with the same collaborators, and one whose editor has no rights to what is in the others. */
export interface Projects {
  project: number;
  unshared: number;
  /** Private at first. */
  secret: number;
}

export const secretProject = { title: "A clandestine undertaking", slug: "a-clandestine-undertaking" };

export async function addPeople({
  context,
  owner,
}: Cluster): Promise<{ people: People; projects: Projects }> {
  const project = await addProject(context, {}, []);
  const unshared = await addProject(context, {}, []);
  const secret = await addProject(context, { ...secretProject, private: true }, []);
  const inBoth = (access: "view" | "edit" | "admin"): Omit<NewPerson, "username"> => ({
    organizations: [2],
    projects: { [project]: access, [secret]: access },
  });
  const add = async (role: Role, more: Omit<NewPerson, "username">): Promise<Signed> => {
    const person = await addPerson(context, { username: role.replaceAll(" ", "-"), ...more });
    return { ...person, session: await beginSession(context, person) };
  };
  const people = {
    anonymous: null,
    owner: { ...owner, session: await beginSession(context, owner) },
    member: await add("member", { organizations: [2, 1] }),
    "organization admin": await add("organization admin", { organizations: [1], administers: [1] }),
    other: await add("other", { organizations: [2] }),
    "project viewer": await add("project viewer", inBoth("view")),
    "project editor": await add("project editor", inBoth("edit")),
    "project admin": await add("project admin", inBoth("admin")),
    administrator: await add("administrator", { organizations: [2], isAdministrator: true }),
    "unshared editor": await add("unshared editor", {
      organizations: [2],
      projects: { [unshared]: "admin" },
    }),
  };
  return { people, projects: { project, unshared, secret } };
}

/** Looks with the eyes of everyone at what has just been changed, and counts what is wrong. */
export class Looks {
  readonly #asker: Asker;
  readonly #people: People;
  #count = 0;
  readonly #wrong = new Map<string, number>();

  constructor(asker: Asker, people: People) {
    this.#asker = asker;
    this.#people = people;
  }

  /** The answer to what a role asks; null if the request failed. */
  async ask(role: Role, { method, target, value, headers, by }: Asked): Promise<Answer | null> {
    const person = this.#people[role];
    const own = by === "session" ? person?.session : person?.headers;
    const answer = await this.#asker.fetch(target, {
      method,
      redirect: "manual",
      headers: { ...own, ...(value !== undefined && { "content-type": "application/json" }), ...headers },
      ...(value !== undefined && { body: JSON.stringify(value) }),
    });
    return answer && { status: answer.status, text: await answer.text() };
  }

  /** Asks in the same way as each of these roles. The answer is wrong if a fault of it is found. */
  async of(
    asking: readonly Role[],
    name: string,
    askedBy: (role: Role) => Asked,
    faultOf: (role: Role, answer: Answer) => string | null,
  ): Promise<void> {
    for (const role of asking) {
      const answer = await this.ask(role, askedBy(role));
      if (answer !== null) this.expect(`${role}: ${name}`, faultOf(role, answer));
    }
  }

  expect(what: string, fault: string | null): void {
    this.#count++;
    if (fault === null) return;
    this.#wrong.set(`${what} ${fault}`, (this.#wrong.get(`${what} ${fault}`) ?? 0) + 1);
    this.#asker.sawStale();
  }

  /** Says how many answers were wrong. `ways` is the number of ways to look, and `after` names what had changed. */
  end(ways: number, after: string): { did: string; faults: string[] } {
    const wrong = this.#wrong.values().reduce((sum, times) => sum + times, 0);
    const did = `${this.#count} looks of ${roles.length} roles in ${ways} ways after ${after} had ${wrong} wrong answers.`;
    const faults = Array.from(this.#wrong, ([what, times]) => `${times} × ${what}`);
    return { did, faults: wrong > 0 ? [did, ...faults] : [] };
  }
}
