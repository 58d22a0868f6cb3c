import { batch, signal } from "@preact/signals";
import type { Document } from "../../contract/document.ts";
import type { FoundDocument, SearchResults } from "../../contract/search.ts";
import type { User } from "../../contract/person.ts";
import type { CollaboratorAccess, CollaboratorWithUser, Project } from "../../contract/project.ts";
import type { Page } from "../../contract/shape.ts";
import { bulkLimit, pageLimits } from "../../contract/limits.ts";
import { type DeskApi, type DeskDocument, reasonOf } from "./desk-api.ts";
import { texts } from "./texts.ts";

type DocumentPage = Page<Document | FoundDocument> & Partial<Pick<SearchResults, "count">>;

/** A project, its documents and its collaborators, with everything that a person may do there. */
export class ProjectWorkplace {
  readonly #api: DeskApi;
  readonly #id: number;
  #loads = 0;

  readonly project = signal<Project | null>(null);
  readonly documents = signal<readonly DeskDocument[]>([]);
  readonly next = signal<string | null>(null);
  readonly query = signal("");
  readonly isLoading = signal(true);
  readonly selected = signal<ReadonlySet<number>>(new Set());
  readonly collaborators = signal<readonly CollaboratorWithUser[]>([]);
  /** The result of the last action. */
  readonly message = signal<{ text: string; isProblem: boolean }>({ text: "", isProblem: false });

  constructor(api: DeskApi, id: number) {
    this.#api = api;
    this.#id = id;
  }

  get #path(): string {
    return `projects/${this.#id}/`;
  }

  async load(): Promise<void> {
    await this.act(async () => {
      this.project.value = await this.#api.get<Project>(this.#path);
      await Promise.all([this.show(""), this.#loadCollaborators()]);
      return "";
    });
  }

  /** Runs an action and tells its result, which is a sentence or empty, or why it failed. */
  async act(action: () => Promise<string>): Promise<boolean> {
    try {
      this.message.value = { text: await action(), isProblem: false };
      return true;
    } catch (error) {
      this.message.value = { text: reasonOf(error), isProblem: true };
      return false;
    }
  }

  // Documents

  /** Shows the documents that match a query; all of them, newest first, if it is empty. */
  async show(query: string): Promise<void> {
    this.query.value = query;
    await this.#loadDocuments(documentsPath({ query, project: this.#id }), []);
  }

  async showMore(): Promise<void> {
    const next = this.next.peek();
    if (next !== null) await this.#loadDocuments(next, this.documents.peek());
  }

  async #loadDocuments(path: string, before: readonly DeskDocument[]): Promise<void> {
    this.#loads += 1;
    const load = this.#loads;
    this.isLoading.value = true;
    try {
      const page = await this.documentsAt(path);
      // Another page was requested meanwhile.
      if (load !== this.#loads) return;
      batch(() => {
        this.documents.value = [...before, ...page.documents];
        this.next.value = page.next;
        if (before.length === 0) this.selected.value = new Set();
      });
    } catch (error) {
      if (load === this.#loads) throw error;
    } finally {
      if (load === this.#loads) this.isLoading.value = false;
    }
  }

  /** One page of documents from a path of the API. */
  async documentsAt(
    path: string,
  ): Promise<{ documents: DeskDocument[]; next: string | null; count: number | null }> {
    const { results, next, count } = await this.#api.get<DocumentPage>(path);
    return {
      documents: results.map((one) => Object.assign(one, { id: Number(one.id) })),
      next,
      count: count ?? null,
    };
  }

  toggle(id: number): void {
    const selected = new Set(this.selected.peek());
    if (!selected.delete(id)) selected.add(id);
    this.selected.value = selected;
  }

  toggleAll(): void {
    const all = this.documents.peek().map(({ id }) => id);
    this.selected.value = this.selected.peek().size === all.length ? new Set() : new Set(all);
  }

  /** Adds documents. Those that are in the project already keep their place. */
  add(ids: readonly number[]): Promise<boolean> {
    return this.act(async () => {
      try {
        await this.#inGroups(ids, (some) => this.#addTogether(some));
      } finally {
        await this.show(this.query.peek());
      }
      return texts.projectPage.added(ids.length);
    });
  }

  /** Adds all documents that a query finds, beginning with the page at this path. */
  addFound(path: string): Promise<boolean> {
    return this.act(async () => {
      let added = 0;
      try {
        for (let next: string | null = path; next !== null;) {
          const page = await this.documentsAt(next);
          await this.#inGroups(
            page.documents.map(({ id }) => id),
            (some) => this.#addTogether(some),
          );
          added += page.documents.length;
          this.message.value = { text: texts.projectPage.adding(added), isProblem: false };
          next = page.next;
        }
      } finally {
        await this.show(this.query.peek());
      }
      return texts.projectPage.added(added);
    });
  }

  async #addTogether(ids: readonly number[]): Promise<void> {
    const added = ids.map((document) => ({ document }));
    await this.#api.send("PATCH", `${this.#path}documents/`, added);
  }

  removeSelected(): Promise<boolean> {
    const ids = [...this.selected.peek()];
    const left = new Set(ids);
    return this.act(async () => {
      try {
        await this.#inGroups(ids, async (some) => {
          await this.#api.send("DELETE", `${this.#path}documents/?document_id__in=${some.join(",")}`);
          for (const id of some) left.delete(id);
        });
      } finally {
        await this.show(this.query.peek());
        // After a problem, the documents that are left can be tried again.
        this.selected.value = left;
      }
      return texts.projectPage.removed(ids.length);
    });
  }

  async #inGroups(ids: readonly number[], act: (some: readonly number[]) => Promise<unknown>): Promise<void> {
    for (let start = 0; start < ids.length; start += bulkLimit)
      await act(ids.slice(start, start + bulkLimit));
  }

  // The project

  save(change: Partial<Project>): Promise<boolean> {
    return this.act(async () => {
      this.project.value = (await this.#api.send("PATCH", this.#path, change)) as Project;
      return texts.projectPage.savedProject;
    });
  }

  pin(pinned: boolean): Promise<boolean> {
    return this.act(async () => {
      this.project.value = (await this.#api.send("PATCH", this.#path, { pinned })) as Project;
      return pinned ? texts.projectPage.nowPinned : texts.projectPage.nowUnpinned;
    });
  }

  /** Deletes the project. Its documents stay. */
  delete(): Promise<boolean> {
    return this.act(async () => {
      await this.#api.send("DELETE", this.#path);
      return "";
    });
  }

  // Collaborators

  async #loadCollaborators(): Promise<void> {
    if (this.project.peek()?.edit_access !== true) return;
    const { results } = await this.#api.get<Page<CollaboratorWithUser>>(
      `${this.#path}users/?expand=user&per_page=${pageLimits.max}`,
    );
    this.collaborators.value = results;
  }

  /** The people with a name or username, among those that this person knows of and who do not collaborate yet. */
  async peopleNamed(text: string): Promise<User[]> {
    const value = encodeURIComponent(text);
    const lists = await Promise.all(
      [`name__istartswith=${value}`, `username=${value}`].map((filter) =>
        this.#api.get<Page<User>>(`users/?${filter}&per_page=10`),
      ),
    );
    const known = new Set(this.collaborators.peek().map(({ user }) => user.id));
    const found = new Map(lists.flatMap(({ results }) => results).map((person) => [person.id, person]));
    return [...found.values()].filter(({ id }) => !known.has(id));
  }

  invite(
    who: { email: string } | { user: number },
    name: string,
    access: CollaboratorAccess,
  ): Promise<boolean> {
    return this.act(async () => {
      await this.#api.send("POST", `${this.#path}users/`, { ...who, access });
      await this.#loadCollaborators();
      return texts.projectPage.invited(name);
    });
  }

  changeRight({ user }: CollaboratorWithUser, access: CollaboratorAccess): Promise<boolean> {
    return this.act(async () => {
      try {
        await this.#api.send("PATCH", `${this.#path}users/${user.id}/`, { access });
      } finally {
        await this.#reloadRights();
      }
      return texts.projectPage.rightChanged(nameOf(user));
    });
  }

  dismiss({ user }: CollaboratorWithUser): Promise<boolean> {
    return this.act(async () => {
      await this.#api.send("DELETE", `${this.#path}users/${user.id}/`);
      await this.#reloadRights();
      return texts.projectPage.dismissed(nameOf(user));
    });
  }

  /** A person may change their own rights. */
  async #reloadRights(): Promise<void> {
    this.project.value = await this.#api.get<Project>(this.#path).catch(() => null);
    await this.#loadCollaborators();
  }

  /** The HTML that embeds the page at this address in another site. */
  async embedCode(address: string): Promise<string> {
    return (await this.#api.get<{ html: string }>(`oembed/?url=${encodeURIComponent(address)}`)).html;
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
