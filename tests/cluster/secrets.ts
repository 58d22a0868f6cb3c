import { type Role, roles, sees } from "../../src/testing/access-rights.ts";
import { addDocuments } from "../../src/testing/factories.ts";
import type { Asked } from "../../src/testing/ask.ts";
import type { Answer, Asker } from "./asker.ts";
import type { Client } from "./load.ts";
import type { Cluster } from "./nodes.ts";
import { Looks, type People, type Projects, secretProject } from "./people.ts";

const collaborators: ReadonlySet<Role> = new Set(["project viewer", "project editor", "project admin"]);
/** Somebody who is a collaborator at times. */
const newcomer = "other";
const words = "Sworn testimony of a lamplighter";

/** An address that is answered, or whose answer has these words, exactly if the reader may see its subject. */
interface Way {
  target: string;
  shows?: string;
}

/** Hides and shows a project, and lets somebody come to it and leave it again, who then sees its private document. */
export class Secrets implements Client {
  readonly #asker: Asker;
  readonly #looks: Looks;
  readonly #project: number;
  readonly #newcomer: number;
  readonly #ofProject: readonly Way[];
  readonly #ofDocument: readonly Way[];
  #isPrivate = true;
  #hasNewcomer = false;
  #step = 0;

  private constructor(asker: Asker, people: People, { secret }: Projects, document: number) {
    this.#asker = asker;
    this.#looks = new Looks(asker, people);
    this.#project = secret;
    this.#newcomer = people[newcomer]?.id ?? 0;
    const { title, slug } = secretProject;
    this.#ofProject = [
      { target: "/api/projects/?per_page=100", shows: title },
      { target: `/api/projects/${secret}/` },
      { target: `/api/projects/${secret}/documents/` },
      { target: `/api/projects/${secret}/users/` },
      { target: `/projects/${secret}-${slug}/` },
    ];
    this.#ofDocument = [
      { target: `/api/documents/${document}/` },
      { target: `/api/documents/?id__in=${document}`, shows: words },
      { target: "/api/documents/search/?q=lamplighter", shows: words },
    ];
  }

  static async of(asker: Asker, cluster: Cluster, people: People, projects: Projects): Promise<Secrets> {
    const { context, owner } = cluster;
    const row = { title: words, access: "private", user_id: owner.id } as const;
    const [document = 0] = await addDocuments(context, [row]);
    const shared = { project_id: projects.secret, document_id: document, edit_access: true };
    await context.database.write((writer) =>
      writer.insertInto("project_memberships").values(shared).execute(),
    );
    return new Secrets(asker, people, projects, document);
  }

  async step(): Promise<void> {
    await (this.#step++ % 2 === 0 ? this.#flip() : this.#admit());
    const isIn = (role: Role): boolean => collaborators.has(role) || (role === newcomer && this.#hasNewcomer);
    const state = `${this.#isPrivate ? "private" : "public"} project ${this.#hasNewcomer ? "with" : "without"} them`;
    for (const way of this.#ofProject)
      await this.#lookAt(state, way, (role) => !this.#isPrivate || isIn(role));
    const kind = { access: "private", status: "success" } as const;
    for (const way of this.#ofDocument)
      await this.#lookAt(
        state,
        way,
        (role) => isIn(role) || (role !== "unshared editor" && sees(role, kind)),
      );
  }

  async #lookAt(state: string, { target, shows }: Way, isSeenBy: (role: Role) => boolean): Promise<void> {
    await this.#looks.of(
      roles,
      `${state} ${target}`,
      () => ({ method: "GET", target }),
      (role, { status, text }) => {
        const isShown = status === 200 && (shows === undefined || text.includes(shows));
        return isShown === isSeenBy(role) ? null : `${isShown ? "shows" : "hides"} it`;
      },
    );
  }

  /** Makes the project public or private. */
  async #flip(): Promise<void> {
    const value = { private: !this.#isPrivate };
    await this.#change({ method: "PATCH", target: `/api/projects/${this.#project}/`, value }, [200]);
    this.#isPrivate = !this.#isPrivate;
  }

  /** Lets the newcomer in, or out. */
  async #admit(): Promise<void> {
    const target = `/api/projects/${this.#project}/users/`;
    const value = { email: `${newcomer}@example.org`, access: "view" };
    // A request that failed may have done it: then there is nothing left to add or to remove.
    await (this.#hasNewcomer
      ? this.#change({ method: "DELETE", target: `${target}${this.#newcomer}/` }, [204, 404])
      : this.#change({ method: "POST", target, value }, [201, 400]));
    this.#hasNewcomer = !this.#hasNewcomer;
  }

  /** Repeats a change until it is answered: before that, nobody knows who may see the project. */
  async #change(asked: Asked, expected: readonly number[]): Promise<void> {
    let answer: Answer | null = null;
    await this.#asker.until(
      () => answer !== null,
      async () => {
        answer = await this.#looks.ask("project admin", asked);
      },
    );
    const { status, text } = answer as unknown as Answer;
    const fault = expected.includes(status) ? null : `is answered ${status}: ${text}`;
    this.#looks.expect(`${asked.method} ${asked.target}`, fault);
  }

  async end(): Promise<{ did: string; faults: string[] }> {
    // Each of the four changes is made once at least.
    await this.#asker.until(
      () => this.#step >= 4,
      () => this.step(),
    );
    return this.#looks.end(this.#ofProject.length + this.#ofDocument.length, "changes of a project");
  }
}
