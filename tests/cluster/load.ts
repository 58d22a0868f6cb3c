import { setTimeout as wait } from "node:timers/promises";
import { Asker, type Seen } from "./asker.ts";
import { Documents, Follower, Redactions, UploadsInParts, Walk } from "./clients.ts";
import type { Cluster } from "./nodes.ts";
import { addPeople } from "./people.ts";
import { Rights } from "./rights.ts";
import { Secrets } from "./secrets.ts";

/** What one client does, again and again. */
export interface Client {
  step(): Promise<void>;
  /** What it did, with what is wrong, once everything else has ended. */
  end(): Promise<{ did: string; faults: string[] }>;
}

/** Clients that work until they are told to end. */
export class Load {
  readonly #asker: Asker;
  readonly #clients: Client[];
  readonly #working: Promise<void>[];
  #isOver = false;

  private constructor(asker: Asker, clients: Client[], pauseMilliseconds: number) {
    this.#asker = asker;
    this.#clients = clients;
    this.#working = clients.map(async (client) => {
      while (!this.#isOver) {
        await client.step();
        await wait(pauseMilliseconds);
      }
    });
  }

  /** Each client pauses between two steps. */
  static async start(cluster: Cluster, pauseMilliseconds: number): Promise<Load> {
    const asker = new Asker(cluster.url);
    const { people, projects } = await addPeople(cluster);
    const documents = new Documents(asker, cluster.owner);
    const clients = [
      documents,
      new Walk(asker, cluster.owner, documents),
      new Follower(asker, cluster.owner, documents),
      new UploadsInParts(asker, cluster),
      new Redactions(asker, cluster.owner),
      await Rights.of(asker, cluster, people, projects),
      await Secrets.of(asker, cluster, people, projects),
    ];
    return new Load(asker, clients, pauseMilliseconds);
  }

  /** What the clients have seen since the last call. */
  take(): Seen {
    return this.#asker.take();
  }

  /** Lets the clients end. Returns what they did and what is wrong. */
  async end(): Promise<{ did: string; faults: string[] }[]> {
    this.#isOver = true;
    await Promise.all(this.#working);
    const ends = [];
    for (const client of this.#clients) ends.push(await client.end());
    return ends;
  }
}
