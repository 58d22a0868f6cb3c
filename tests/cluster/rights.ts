import { type DocumentKind, type Role, accessLevels, roles, sees } from "../../src/testing/access-rights.ts";
import { type FilledDocument, addDocumentsOf, fill } from "../../src/testing/access-world.ts";
import { shareOf } from "../../src/testing/runs.ts";
import type { Asker } from "./asker.ts";
import type { Client } from "./load.ts";
import type { Cluster } from "./nodes.ts";
import { Looks, type People, type Projects } from "./people.ts";
import { type Changed, type Way, otherWays, usualWays } from "./ways.ts";

/** The ways besides the usual ones in which a change is looked at, each by every other role. */
const waysAtOnce = 10;
/** An invisible document stays so. */
const givenAccess = accessLevels.slice(0, 3);

/** An event is gone if the feed has lost its place. */
type Found = "there" | "nowhere" | "gone" | "failed";

/** What an answer says of a document, or of the feed. */
interface Told {
  access?: DocumentKind["access"];
  documents?: { revision?: number }[];
  next?: string;
}

/** Changes who may see a document, and looks with everyone's eyes at once, in the ways in which documents are seen. */
export class Rights implements Client {
  readonly #asker: Asker;
  readonly #looks: Looks;
  readonly #documents: readonly FilledDocument[];
  readonly #project: number;
  readonly #ways: readonly Way[];
  #step = 0;
  #way = 0;

  private constructor(
    asker: Asker,
    looks: Looks,
    { url }: Pick<Cluster, "url">,
    documents: readonly FilledDocument[],
    project: number,
  ) {
    this.#asker = asker;
    this.#looks = looks;
    this.#ways = otherWays(url);
    this.#documents = documents;
    this.#project = project;
  }

  static async of(asker: Asker, cluster: Cluster, people: People, projects: Projects): Promise<Rights> {
    const { context, owner } = cluster;
    const { project } = projects;
    const world = { app: { context }, owner, ...projects, shown: new Map() };
    const kinds = Array.from({ length: 8 }, (): DocumentKind => ({ access: "public", status: "success" }));
    const documents = await fill(world, await addDocumentsOf(world, kinds));
    return new Rights(asker, new Looks(asker, people), cluster, documents, project);
  }

  async step(): Promise<void> {
    const document = this.#documents[this.#step++ % this.#documents.length] as FilledDocument;
    const record = `/api/documents/${document.id}/`;
    const quoted = `/api/quotations/?document=${document.id}&quote=harbour`;
    const before = await this.#json("GET", record);
    const revision = (await this.#json("GET", quoted))?.documents?.[0]?.revision;
    const latest = (await this.#json("GET", "/api/events/?after=latest&per_page=200"))?.next;
    if (before?.access === undefined || revision === undefined) return;
    const access = givenAccess[(givenAccess.indexOf(before.access) + 1) % givenAccess.length] ?? "private";
    if ((await this.#json("PATCH", record, { access })) === null) return;
    await this.#lookAt({ ...document, access, revision, project: this.#project });
    if (latest !== undefined) await this.#lookInFeed({ ...document, access }, latest);
  }

  async #lookAt(document: Changed): Promise<void> {
    for (const way of usualWays) await this.#look(document, way, roles);
    for (let index = 0; index < waysAtOnce; index++) {
      const turn = this.#way++;
      const way = turn % this.#ways.length;
      const round = Math.floor(turn / this.#ways.length);
      await this.#look(document, this.#ways[way] as Way, shareOf(roles, 2, way + round));
    }
  }

  #look(document: Changed, way: Way, asking: readonly Role[]): Promise<void> {
    return this.#looks.of(
      asking,
      `${document.access} ${way.name}`,
      () => way.asked(document),
      (role, answer) => way.faultOf(role, document, answer),
    );
  }

  /**
   * The event of the change is in the feed of everyone who sees the document, and of nobody else. It may be there only
   * when transactions of others have ended. From then on, every server has it.
   */
  async #lookInFeed(document: FilledDocument, after: string): Promise<void> {
    let ofOwner: Found = "nowhere";
    await this.#asker.until(
      () => ofOwner === "there" || ofOwner === "gone",
      async () => {
        ofOwner = await this.#findInFeed("owner", document, after);
      },
    );
    for (const role of roles) {
      const where = await this.#findInFeed(role, document, after);
      if (where === "gone" || where === "failed") continue;
      const isRight = (where === "there") === sees(role, document);
      this.#looks.expect(`${role}: event, ${document.access}`, isRight ? null : `is ${where}`);
    }
  }

  /** Where a role's feed has an event of the document. */
  async #findInFeed(role: Role, { id }: FilledDocument, after: string): Promise<Found> {
    for (let next = after; ;) {
      const { pathname, search } = new URL(next);
      const answer = await this.#looks.ask(role, { method: "GET", target: pathname + search });
      // A primary that fails soon after a crash may have shown an event that no standby has.
      if (answer?.status === 410) return "gone";
      if (answer?.status !== 200) return "failed";
      const page = JSON.parse(answer.text) as {
        next: string;
        has_more: boolean;
        results: { document: number }[];
      };
      if (page.results.some(({ document }) => document === id)) return "there";
      if (!page.has_more) return "nowhere";
      ({ next } = page);
    }
  }

  /** What a request of the owner finds. Null if it fails or is refused. */
  async #json(method: string, target: string, value?: object): Promise<Told | null> {
    const answer = await this.#looks.ask("owner", { method, target, value });
    return answer?.status === 200 ? (JSON.parse(answer.text) as Told) : null;
  }

  async end(): Promise<{ did: string; faults: string[] }> {
    // Every way is asked once at least, however slow the machine is.
    await this.#asker.until(
      () => this.#way >= this.#ways.length,
      () => this.step(),
    );
    return this.#looks.end(usualWays.length + this.#ways.length + 1, "changes of access");
  }
}
