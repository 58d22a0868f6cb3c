import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { isAmong } from "../../../http/request/entity-tag.ts";
import { isHeadTooLarge } from "../../../http/request/head-limits.ts";
import type { ResponseOrigin } from "../../../metrics/metrics.ts";
import type { RequestIds, RequestLog } from "../../../http/response/request-log.ts";
import type { SharedResponse } from "../../../http/response/tagged-responses.ts";
import { type Answer, CachedResponses, type Version } from "./cached-responses.ts";
import { Head } from "./head.ts";
import { ListPlans } from "./list-plans.ts";

/*
 * How a page is served
 *
 * This folder holds all that makes a page of the list fast. A request passes six steps. Each may assume what the steps
 * before it have settled, and nothing else. The figures are microseconds of processor time, on SQLite with 100,000
 * documents, on two busy cores. A page of 25 records (24 kB) at a random position took 170 in all. What the steps leave
 * is Node's: it parses the request, sends 24 kB and collects garbage.
 *
 * 1. The key (1): `CachedResponses.keyOf` puts everything of the request that decides its response into one text. Null
 *    means that the response is never shared: credentials, other methods, long heads. If the key was seen before, the
 *    database's version is read, once for all requests of a turn of the event loop (2). A response that was made from
 *    this version is sent again: 32 in all, and 24 for a client that has it (304).
 * 2. The plan (0.5): `ListPlans` finds what an earlier page of the list left, under the same key without the value of
 *    `cursor`. A plan exists only for a list that everyone may read, and only after the application has answered one of
 *    its pages, so parameters, addresses and headers are settled. Without a plan, the application answers: the router,
 *    the hooks and the parameters add a fifth.
 * 3. The cursor (0.5): `pagesAtCursors` decodes it once all documents are public whose time has come. Filters that name
 *    a user, an organization or a project are checked again, because these may vanish. A failure here is left to the
 *    application, which says what is wrong.
 * 4. The statement (63): `list-store.ts` runs one prepared statement. Its text is made once for each shape: rights and
 *    filters are ranges of indexes (`range-store.ts`, `audience-store.ts`), which `database/keyset.ts` merges, and the
 *    engine joins the stored record of each document to one text (`stored-page-store.ts`). The step assumes nothing
 *    about what is stored: a record that is outdated is empty (`record-store.ts`).
 * 5. The body (4): `list-pages.ts` writes links and end around the records, where the engine has left room, and makes
 *    the entity tag from their digests. If a record is empty, it renders the page from the rows.
 * 6. The head (1): `Head` has all headers but the entity tag, the length and the request's id, which it gets by name.
 *
 * Where standbys of PostgreSQL answer reads, the version still comes from the primary. The statement of step 4, and the
 * application's, may run on a standby that has replayed every commit before the request (`database/postgres/
 * standby-reads.ts`), and may show more than that version.
 *
 * Nothing of a page is kept in steps 2 to 6, so a page is what the database holds when the statement runs.
 */

/** A request whose response may be sent again. */
interface CacheableRequest extends IncomingMessage {
  key?: string;
  /** The database's version from before the response is made. Set if the response may be cached. */
  version?: Version;
}

interface WaitingRequest {
  request: CacheableRequest;
  response: ServerResponse;
  key: string;
  startedMilliseconds: number;
}

/** Sends the responses that need no application: cached ones, and the pages of lists that have a plan. */
export class ResponseCache {
  readonly #responses = new CachedResponses();
  readonly #plans = new ListPlans();
  readonly #version: () => Version | Promise<Version>;
  readonly #readsStandbys: boolean;
  readonly #requestIds: RequestIds;
  readonly #requestLog: RequestLog;
  #application: RequestListener = () => undefined;
  #waiting: WaitingRequest[] = [];

  constructor(
    version: () => Version | Promise<Version>,
    requestIds: RequestIds,
    requestLog: RequestLog,
    { readsStandbys = false } = {},
  ) {
    this.#version = version;
    this.#readsStandbys = readsStandbys;
    this.#requestIds = requestIds;
    this.#requestLog = requestLog;
  }

  /** Answers what it can, and has the application answer everything else. */
  before(application: RequestListener): RequestListener {
    this.#application = application;
    return (request, response) => this.#handle(request, response);
  }

  /** Takes a response of the application that everyone may receive. */
  remember(request: CacheableRequest, shared: SharedResponse): void {
    const { headers, route, body, etag, isLasting, pageAt } = shared;
    const { key, version } = request;
    if (key === undefined) return;
    if (version !== undefined && isLasting) {
      this.#add(key, version, { head: new Head(headers), route, body, etag });
    }
    if (pageAt !== null) this.#plans.add(key, () => ({ pageAt, head: new Head(headers), route }));
  }

  /**
   * A response may be newer than the version that was read before it, if a standby has answered. So where there are
   * standbys, it is cached once the version is still the same.
   */
  #add(key: string, version: Version, answer: Answer): void {
    if (!this.#readsStandbys) {
      this.#responses.add(key, version, answer);
      return;
    }
    const addIfEqual = (now: Version): void => {
      if (now === version) this.#responses.add(key, version, answer);
    };
    void Promise.resolve(this.#versionOrNull()).then(
      (now) => now !== null && addIfEqual(now),
      () => undefined,
    );
  }

  #handle(request: CacheableRequest, response: ServerResponse): void {
    const isForApplication = isOfOperation(request) || isHeadTooLarge(request, false);
    const key = isForApplication ? null : this.#responses.keyOf(request);
    if (key === null) {
      this.#application(request, response);
      return;
    }
    request.key = key;
    if (!this.#responses.isSeen(key)) {
      this.#sendPage(request, response, key);
      return;
    }
    this.#waiting.push({ request, response, key, startedMilliseconds: performance.now() });
    if (this.#waiting.length === 1) setImmediate(() => this.#answerWaiting());
  }

  /**
   * Reads the version once for all requests that arrived in this turn of the event loop. It is read after the last of
   * these requests has been parsed. So it is at least as new as any write that was acknowledged before one of them was
   * sent. Reading it with the first request would be too early: the kernel may receive the next one after that.
   */
  #answerWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const handOver = (): void => {
      for (const { request, response } of waiting) this.#application(request, response);
    };
    const answerAll = (version: Version): void => {
      for (const each of waiting) this.#answer(each, version);
    };
    // The application reports a database that does not answer.
    const version = this.#versionOrNull();
    if (version === null) handOver();
    else if (version instanceof Promise) version.then(answerAll, handOver);
    else answerAll(version);
  }

  #answer(waiting: WaitingRequest, version: Version): void {
    const { request, response, key, startedMilliseconds } = waiting;
    const answer = this.#responses.find(key, version);
    if (answer !== null) {
      this.#send(request, response, answer, { origin: "cache", startedMilliseconds });
      return;
    }
    request.version = version;
    this.#application(request, response);
  }

  /** Sends a page of a list that has a plan. The application answers everything else, and says what is wrong. */
  #sendPage(request: CacheableRequest, response: ServerResponse, key: string): void {
    const found = this.#plans.find(key);
    if (found === null) {
      this.#application(request, response);
      return;
    }
    const { plan, cursor } = found;
    const startedMilliseconds = performance.now();
    plan.pageAt(cursor).then(
      ({ body, etag }) =>
        this.#send(
          request,
          response,
          { head: plan.head, route: plan.route, body, etag },
          { origin: "plan", startedMilliseconds },
        ),
      () => this.#application(request, response),
    );
  }

  #versionOrNull(): Version | Promise<Version> | null {
    try {
      return this.#version();
    } catch {
      return null;
    }
  }

  #send(
    request: IncomingMessage,
    response: ServerResponse,
    { head, route, body, etag }: Answer,
    { origin, startedMilliseconds }: { origin: ResponseOrigin; startedMilliseconds: number },
  ): void {
    const id = this.#requestIds.next();
    const condition = request.headers["if-none-match"];
    const status = condition !== undefined && isAmong(etag, condition) ? 304 : 200;
    if (status === 304) response.writeHead(304, head.withoutContent({ etag, id })).end();
    else response.writeHead(200, head.whole({ etag, length: body.length, id })).end(body);
    this.#requestLog.answered({
      raw: request,
      userId: null,
      reqId: id,
      method: "GET",
      url: request.url ?? "",
      route,
      status,
      milliseconds: performance.now() - startedMilliseconds,
      origin,
    });
  }
}

/** Health checks and metrics must not depend on the database, not even on its version. */
function isOfOperation({ url = "" }: IncomingMessage): boolean {
  return url.startsWith("/livez") || url.startsWith("/readyz") || url.startsWith("/metrics");
}
