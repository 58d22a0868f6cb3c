import { createHash } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Config } from "../../config.ts";
import { throttled } from "../../errors.ts";
import { type ClientAddress, clientAddressWith, isInside, networkOf } from "./client-address.ts";
import type { Viewer } from "./viewer.ts";

/*
 * How many requests a client may send within a minute. A request without credentials counts for its network, and one
 * with credentials for the person or the personal token. Clients without credentials are counted before anything else,
 * even before cached responses, so that a crawler costs next to nothing. The application refuses what is over the
 * limit, in the form of its other refusals.
 *
 * No library does this: those that are maintained either hook into the application, which cached responses never reach,
 * or answer by a promise, which would cost as much as a cached response.
 */

const windowSeconds = 60;
/** More clients than this within a minute are forgotten, and begin again. */
const maxClients = 100_000;
/** A process tells the others about a client that has used so much of its share of the limit. */
const shareWorthTelling = 0.25;

type Policy = "network" | "person" | "token";

/** Requests of some clients within a window, as a process tells the others. */
export interface CountedRequests {
  window: number;
  clients: readonly (readonly [client: string, requests: number])[];
}

interface Client {
  policy: Policy;
  /** What this process has counted, and what it has told the others of it. */
  own: number;
  told: number;
  /** What other processes have counted. */
  others: number;
}

export class RequestLimits {
  readonly #limits: Readonly<Record<Policy, number>>;
  readonly #addressOf: ClientAddress;
  readonly #processes: number;
  readonly #now: () => number;
  readonly #refused = new WeakMap<IncomingMessage, number>();
  /** By address, whether it is outside of this machine and of private networks. Only such clients are counted. */
  readonly #outside = new Map<string, boolean>();
  #clients = new Map<string, Client>();
  #window = 0;

  constructor(
    config: Pick<Config, "requestsPerNetwork" | "requestsPerPerson" | "requestsPerToken" | "trustProxy">,
    processes: number,
    nowMilliseconds: () => number = Date.now,
  ) {
    this.#limits = {
      network: config.requestsPerNetwork,
      person: config.requestsPerPerson,
      token: config.requestsPerToken,
    };
    this.#addressOf = clientAddressWith(config.trustProxy);
    this.#processes = processes;
    this.#now = nowMilliseconds;
  }

  /** Has requests answered, but those over their limit refused. */
  before(answer: RequestListener, refuse: RequestListener): RequestListener {
    return (request, response) => {
      if (this.isOver(request, response)) refuse(request, response);
      else answer(request, response);
    };
  }

  /** Counts a request without credentials for its network. Returns whether it is over the limit. */
  isOver(request: IncomingMessage, response: ServerResponse): boolean {
    if (hasCredentials(request)) return false;
    const seconds = this.#countNetwork(request, response);
    if (seconds === 0) return false;
    this.#refused.set(request, seconds);
    return true;
  }

  /** @throws ApiError 429 for a request that {@link isOver} has found to be over its limit. */
  refuse(request: IncomingMessage): void {
    const seconds = this.#refused.get(request);
    if (seconds !== undefined) throw throttled(seconds);
  }

  /**
   * Counts a request with credentials for the viewer whom they name.
   *
   * @throws ApiError 429
   */
  count(request: IncomingMessage, response: ServerResponse, viewer: Viewer): void {
    const seconds = this.#countViewer(request, response, viewer);
    if (seconds > 0) throw throttled(seconds);
  }

  /** What other processes must know. Null if there is nothing. */
  untold(): CountedRequests | null {
    const clients: [string, number][] = [];
    for (const [name, client] of this.#clients) {
      const worth = (this.#limits[client.policy] * shareWorthTelling) / this.#processes;
      if (client.own === client.told || client.own < worth) continue;
      clients.push([name, client.own - client.told]);
      client.told = client.own;
    }
    return clients.length === 0 ? null : { window: this.#window, clients };
  }

  /** Takes what another process has counted. */
  receive({ window, clients }: CountedRequests): void {
    this.#begin();
    if (window !== this.#window) return;
    for (const [name, requests] of clients) this.#clientOf(policyOf(name), name).others += requests;
  }

  #countViewer(request: IncomingMessage, response: ServerResponse, viewer: Viewer): number {
    if (viewer.kind === "anonymous") return this.#countNetwork(request, response);
    if (!this.#isOutside(this.#addressOf(request))) return 0;
    return viewer.hasPersonalToken
      ? this.#count("token", `token ${digestOf(request.headers.authorization ?? "")}`, response)
      : this.#count("person", `person ${viewer.id}`, response);
  }

  #countNetwork(request: IncomingMessage, response: ServerResponse): number {
    const address = this.#addressOf(request);
    return this.#isOutside(address) ? this.#count("network", `network ${networkOf(address)}`, response) : 0;
  }

  #isOutside(address: string): boolean {
    const known = this.#outside.get(address);
    if (known !== undefined) return known;
    if (this.#outside.size >= maxClients) this.#outside.clear();
    const isOutside = !isInside(address);
    this.#outside.set(address, isOutside);
    return isOutside;
  }

  /** Returns after how many seconds the client may go on; 0 if it may now. */
  #count(policy: Policy, name: string, response: ServerResponse): number {
    const limit = this.#limits[policy];
    if (limit === 0) return 0;
    const left = this.#begin();
    const client = this.#clientOf(policy, name);
    client.own += 1;
    const used = client.own + client.others;
    // The responses to all others are as they would be without a limit.
    if (used * 2 > limit) {
      response.setHeader("ratelimit-policy", `"${policy}";q=${limit};w=${windowSeconds}`);
      response.setHeader("ratelimit", `"${policy}";r=${Math.max(0, limit - used)};t=${left}`);
    }
    return used > limit ? left : 0;
  }

  #clientOf(policy: Policy, name: string): Client {
    const known = this.#clients.get(name);
    if (known !== undefined) return known;
    if (this.#clients.size >= maxClients) this.#clients.clear();
    const client: Client = { policy, own: 0, told: 0, others: 0 };
    this.#clients.set(name, client);
    return client;
  }

  /** Begins a new window if the last one is over. Returns how many seconds are left of the present one. */
  #begin(): number {
    const seconds = this.#now() / 1000;
    const window = Math.floor(seconds / windowSeconds);
    if (window !== this.#window) {
      this.#window = window;
      this.#clients = new Map();
    }
    return Math.ceil((window + 1) * windowSeconds - seconds);
  }
}

const hasCredentials = ({ headers }: IncomingMessage): boolean =>
  headers.authorization !== undefined || headers.cookie !== undefined;

const policyOf = (name: string): Policy => name.slice(0, name.indexOf(" ")) as Policy;

const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64url");
