import { signal } from "@preact/signals";
import type { User } from "../../contract/person.ts";
import type { CollaboratorAccess, CollaboratorWithUser, Project } from "../../contract/project.ts";
import type { Page } from "../../contract/shape.ts";
import { pageLimits } from "../../contract/limits.ts";
import type { DeskApi, DeskDocument, RefusedError } from "./desk-api.ts";
import { SelectableList } from "./selectable-list.ts";
import { texts } from "./texts.ts";

/** A project, its documents and its collaborators, with everything that a person may do there. */
export class ProjectWorkplace extends SelectableList<DeskDocument> {
  readonly #id: number;
  readonly #folder: string;

  readonly project = signal<Project | null>(null);
  readonly query = signal("");
  readonly collaborators = signal<readonly CollaboratorWithUser[]>([]);

  constructor(api: DeskApi, id: number) {
    super(api, documentsPath({ query: "", project: id }));
    this.#id = id;
    this.#folder = `projects/${id}/`;
  }

  /** Reads the project, its documents and its collaborators. */
  async open(): Promise<void> {
    const project = await this.api.get<Project>(this.#folder).catch((error: unknown) => this.refuse(error));
    if (project === undefined) return;
    const loadCollaborators = this.#loadCollaborators(project).catch((error: unknown) => this.refuse(error));
    await Promise.all([this.load(), loadCollaborators]);
    // With everything that belongs to it, so that the page is shown once and nothing moves.
    this.project.value = project;
  }

  /** Runs an action and says its result, which is a sentence or empty, or why it failed. */
  async act(action: () => Promise<string>): Promise<boolean> {
    try {
      this.notify(await action());
      return true;
    } catch (error) {
      this.refuse(error);
      return false;
    }
  }

  // Documents

  /** Shows the documents that match a query; all of them, newest first, if it is empty. */
  search(query: string): Promise<void> {
    this.query.value = query;
    this.deselect();
    this.notify("");
    return this.load(documentsPath({ query, project: this.#id }));
  }

  /** Adds documents. Those that are in the project already keep their place. */
  add(ids: readonly number[]): Promise<RefusedError | null> {
    return this.actOn(ids, texts.projectPage.added, (some) =>
      this.api.send(
        "PATCH",
        `${this.#folder}documents/`,
        some.map((document) => ({ document })),
      ),
    );
  }

  /** Adds all documents that a list has, on all of its pages. */
  async addAll(list: SelectableList<DeskDocument>): Promise<void> {
    this.notify(texts.loading);
    const ids = await list.allIds().catch((error: unknown) => this.refuse(error));
    if (ids !== undefined) await this.add(ids);
  }

  removeSelected(): Promise<RefusedError | null> {
    return this.actOn([...this.selected.peek().keys()], texts.projectPage.removed, (some) =>
      this.api.send("DELETE", `${this.#folder}documents/?document_id__in=${some.join(",")}`),
    );
  }

  // The project

  /** Shows the project as a form has saved it, and says so. */
  noteSaved(project: Project): void {
    this.project.value = project;
    this.notify(texts.projectPage.savedProject);
  }

  pin(pinned: boolean): Promise<boolean> {
    return this.act(async () => {
      this.project.value = (await this.api.send("PATCH", this.#folder, { pinned })) as Project;
      return pinned ? texts.projectPage.nowPinned : texts.projectPage.nowUnpinned;
    });
  }

  /** Deletes the project. Its documents stay. */
  delete(): Promise<boolean> {
    return this.act(async () => {
      await this.api.send("DELETE", this.#folder);
      return "";
    });
  }

  // Collaborators

  async #loadCollaborators(project = this.project.peek()): Promise<void> {
    if (project?.edit_access !== true) return;
    const { results } = await this.api.get<Page<CollaboratorWithUser>>(
      `${this.#folder}users/?expand=user&per_page=${pageLimits.max}`,
    );
    this.collaborators.value = results;
  }

  /** The people with a name or username, among those that this person knows of and who do not collaborate yet. */
  async peopleNamed(text: string): Promise<User[]> {
    const value = encodeURIComponent(text);
    const lists = await Promise.all(
      [`name__istartswith=${value}`, `username=${value}`].map((filter) =>
        this.api.get<Page<User>>(`users/?${filter}&per_page=10`),
      ),
    );
    const known = new Set(this.collaborators.peek().map(({ user }) => user.id));
    const found = new Map(lists.flatMap(({ results }) => results).map((person) => [person.id, person]));
    return [...found.values()].filter(({ id }) => !known.has(id));
  }

  /** @throws {RefusedError} */
  async invite(
    who: { email: string } | { user: number },
    name: string,
    access: CollaboratorAccess,
  ): Promise<void> {
    await this.api.send("POST", `${this.#folder}users/`, { ...who, access });
    await this.#loadCollaborators();
    this.notify(texts.projectPage.invited(name));
  }

  changeRight({ user }: CollaboratorWithUser, access: CollaboratorAccess): Promise<boolean> {
    return this.act(async () => {
      try {
        await this.api.send("PATCH", `${this.#folder}users/${user.id}/`, { access });
      } finally {
        await this.#reloadRights();
      }
      return texts.projectPage.rightChanged(nameOf(user));
    });
  }

  dismiss({ user }: CollaboratorWithUser): Promise<boolean> {
    return this.act(async () => {
      await this.api.send("DELETE", `${this.#folder}users/${user.id}/`);
      await this.#reloadRights();
      return texts.projectPage.dismissed(nameOf(user));
    });
  }

  /** A person may change their own rights. */
  async #reloadRights(): Promise<void> {
    this.project.value = await this.api.get<Project>(this.#folder).catch(() => null);
    await this.#loadCollaborators();
  }

  /** The HTML that embeds the page at this address in another site. */
  async embedCode(address: string): Promise<string> {
    return (await this.api.get<{ html: string }>(`oembed/?url=${encodeURIComponent(address)}`)).html;
  }
}

export function nameOf({ name, username }: User): string {
  return name === "" ? username : name;
}

/** The path of a list of documents, newest first, or of a search, best hits first. */
export function documentsPath({
  query,
  project,
  user,
}: {
  query: string;
  project?: number;
  user?: number;
}): string {
  const parameters = new URLSearchParams({ per_page: String(pageLimits.usual) });
  if (project !== undefined) parameters.set("project", String(project));
  if (user !== undefined) parameters.set("user", String(user));
  const isSearch = query.trim() !== "";
  parameters.set(isSearch ? "q" : "ordering", isSearch ? query.trim() : "-created_at");
  return `documents/${isSearch ? "search/" : ""}?${parameters}`;
}
