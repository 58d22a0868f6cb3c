import { type DocumentKind, type Role, accessLevels, roles, sees } from "../../src/testing/access-rights.ts";
import { type FilledDocument, addDocumentsOf, fill, worldSlug } from "../../src/testing/access-world.ts";
import { addProject } from "../../src/testing/factories.ts";
import { marksIn } from "../../src/testing/marks.ts";
import { targetOf } from "../../src/testing/matrix.ts";
import { type NewPerson, type Person, addPerson } from "../../src/testing/people.ts";
import type { Asker } from "./asker.ts";
import type { Client } from "./load.ts";
import type { Cluster } from "./nodes.ts";

/** Addresses whose answers have the words of a document, or of its note, exactly if the reader may see it. */
const ways = [
  "/api/documents/:id/",
  "/api/documents/?id__in=:id",
  "/api/documents/?per_page=100&project=:project",
  "/api/documents/?per_page=100&project=:project&ordering=title",
  "/api/documents/search/?q=harbour&per_page=100",
  "/api/documents/search/?q=harbour&per_page=100&ordering=title&hl=true",
  "/api/documents/search/?folder=Leak&per_page=100",
  "/api/documents/search/?q=id::id",
  "/api/documents/:id/search/?q=harbour",
  "/api/documents/tree/?folder=Leak&per_page=100",
  "/api/documents/:id/notes/",
  "/api/notes/?per_page=100",
  "/api/documents/:id/sections/",
  "/api/documents/:id/entities/",
  "/api/documents/:id/data/",
  "/api/projects/:project/documents/?per_page=100&expand=document",
  "/files/documents/:id/:slug.txt",
  "/files/documents/:id/pages/:slug-p1.txt",
  "/iiif/:id/manifest.json",
  "/iiif/:id/notes/1.json",
  "/documents/:id-:slug/",
  "/embed/documents/:id/",
];
/** The answer after a change is asked for in the first two ways, and in some of the others by turns. */
const waysAtOnce = 5;

const others: readonly [Role, Omit<NewPerson, "username">][] = [
  ["member", { organizations: [2, 1] }],
  ["organization admin", { organizations: [1], administers: [1] }],
  ["other", { organizations: [2] }],
  ["administrator", { organizations: [2], isAdministrator: true }],
];

type People = readonly (readonly [Role, Person | null])[];

/** Changes who may see a document, and looks with everyone's eyes at once, in the ways in which documents are seen. */
export class Rights implements Client {
  readonly #asker: Asker;
  readonly #people: People;
  readonly #documents: readonly FilledDocument[];
  readonly #project: number;
  #step = 0;
  #way = 0;
  #looks = 0;
  readonly #wrong = new Map<string, number>();

  private constructor(asker: Asker, people: People, documents: readonly FilledDocument[], project: number) {
    this.#asker = asker;
    this.#people = people;
    this.#documents = documents;
    this.#project = project;
  }

  static async of(asker: Asker, { context, owner }: Cluster): Promise<Rights> {
    const project = await addProject(context, {}, []);
    const unshared = await addProject(context, {}, []);
    const rolesInProjects: readonly [Role, Omit<NewPerson, "username">][] = [
      ["project viewer", { organizations: [2], projects: { [project]: "view" } }],
      ["project editor", { organizations: [2], projects: { [project]: "edit" } }],
      ["project admin", { organizations: [2], projects: { [project]: "admin" } }],
      ["unshared editor", { organizations: [2], projects: { [unshared]: "admin" } }],
    ];
    const people: [Role, Person | null][] = [
      ["anonymous", null],
      ["owner", owner],
    ];
    for (const [role, more] of [...others, ...rolesInProjects])
      people.push([role, await addPerson(context, { username: role.replaceAll(" ", "-"), ...more })]);
    if (people.length !== roles.length) throw new Error("A role has nobody");
    const world = { app: { context }, owner, project, unshared, shown: new Map() };
    const kinds = Array.from({ length: 8 }, (): DocumentKind => ({ access: "public", status: "success" }));
    const documents = await fill(world, await addDocumentsOf(world, kinds));
    return new Rights(asker, people, documents, project);
  }

  async step(): Promise<void> {
    const count = this.#documents.length;
    const document = this.#documents[this.#step % count] as FilledDocument;
    const access = accessLevels[(Math.floor(this.#step / count) + (this.#step % count)) % 3] ?? "private";
    this.#step++;
    const owner = this.#people.find(([role]) => role === "owner")?.[1] ?? null;
    const latest = await this.#asker.ask(null, "GET", "/api/events/?after=latest");
    const record = `/api/documents/${document.id}/`;
    const changed = await this.#asker.ask(owner, "PATCH", record, { access });
    if (changed?.status !== 200) return;
    const asked = ways.slice(0, 2);
    for (let index = 0; index < waysAtOnce; index++)
      asked.push(ways[2 + (this.#way++ % (ways.length - 2))] as string);
    for (const [role, person] of this.#people) {
      const isSeen = sees(role, { access, status: "success" });
      for (const way of asked) await this.#look(person, document, way, isSeen, `${role} sees ${access}`);
      // Events of others may have to end before those of this change are shown. Those of hidden documents never are.
      const feed = isSeen || latest?.status !== 200 ? null : await this.#asker.text(person, latest.body.next);
      if (feed !== null)
        this.#expect(!feed.includes(`"document":${document.id},`), `${role}: event, ${access}`);
    }
  }

  async #look(
    person: Person | null,
    { id, note }: FilledDocument,
    way: string,
    isSeen: boolean,
    what: string,
  ): Promise<void> {
    const [path = "", query] = way.split("?");
    const variant = query === undefined ? "" : `?${query}`;
    const target = targetOf({ path, variant }, { id, slug: worldSlug, project: this.#project });
    const text = await this.#asker.text(person, target);
    if (text === null) return;
    const isShown = marksIn(text).some((mark) => mark === id || mark === note);
    this.#expect(isShown === isSeen, `${what}: ${way} ${isShown ? "shows" : "hides"} it`);
  }

  #expect(isRight: boolean, what: string): void {
    this.#looks++;
    if (isRight) return;
    this.#wrong.set(what, (this.#wrong.get(what) ?? 0) + 1);
    this.#asker.sawStale();
  }

  async end(): Promise<{ did: string; faults: string[] }> {
    // Every way is asked once at least, however slow the machine is.
    await this.#asker.until(
      () => this.#way >= ways.length - 2,
      () => this.step(),
    );
    const wrong = this.#wrong.values().reduce((sum, times) => sum + times, 0);
    const did = `${this.#looks} looks of ${this.#people.length} roles in ${ways.length} ways after changes of access had ${wrong} wrong answers.`;
    const faults = Array.from(this.#wrong, ([what, times]) => `${times} × ${what}`);
    return { did, faults: wrong > 0 ? [did, ...faults] : [] };
  }
}
