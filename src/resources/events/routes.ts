import type { FastifyInstance, FastifyRequest } from "fastify";
import type { EventFeed } from "../../contract/event.ts";
import type { Context } from "../../context.ts";
import type { ChangeWatch } from "../../http/response/change-watch.ts";
import { type Look, sendEvents } from "../../http/response/event-stream.ts";
import { DatabaseUnavailableError } from "../../database/database-unavailable.ts";
import { ApiError } from "../../errors.ts";
import { ownAddress } from "../../http/answer.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { fileRoute } from "../../http/file-route.ts";
import { perPage } from "../../http/request/pagination.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import type { Authenticate } from "../users/credentials/authentication.ts";
import { PersonalLimit } from "../users/credentials/personal-limit.ts";
import { type FeedPart, decodePosition, encodePosition, goneError, readFeed } from "./feed.ts";
import { presentEvent } from "./present.ts";
import * as shapes from "./schema.ts";
import { type FeedPosition, isKept, newestPosition } from "./store.ts";
import { eventList, eventStream } from "./views.ts";

const maxStreams = { onServer: 200, perAsker: 20 };
/** Browsers reconnect after this time, and go on behind the last event. */
const maxMinutes = 10;
const eventsAtOnce = 100;

/** What happened, as pages and as a stream. Each answer is by what the viewer may see at that moment. */
export function eventRoutes(app: FastifyInstance, context: Context, services: StreamServices): void {
  feedRoute(app, context);
  streamRoute(app, context, services);
}

interface StreamServices {
  authenticate: Authenticate;
  changes: ChangeWatch;
}

function feedRoute(app: FastifyInstance, { database }: Pick<Context, "database">): void {
  resourceRoute(app, {
    path: "/api/events/",
    view: eventList,
    get: {
      schema: shapes.listing,
      async answer(request, viewer): Promise<EventFeed> {
        const query = queryOf(request);
        const part =
          query.last("after") === "latest"
            ? { events: [], position: await newestPosition(database), hasMore: false }
            : await readFeed(database, viewer, positionOf(query.last("after")), perPage(query));
        const after = part.position === null ? null : encodePosition(part.position);
        return {
          next: `${ownAddress(request)}${query.with("after", after).toString()}`,
          has_more: part.hasMore,
          results: part.events.map(presentEvent),
        };
      },
    },
  });
}

function streamRoute(
  app: FastifyInstance,
  context: Pick<Context, "database" | "semaphores">,
  { authenticate, changes }: StreamServices,
): void {
  const { database } = context;
  const limit = new PersonalLimit(context, "event streams", maxStreams);
  fileRoute(app, {
    path: "/api/events/stream/",
    view: eventStream,
    published: shapes.streaming,
    async handler(request, reply) {
      const from = await beginning(request);
      const read = (after: FeedPosition | null) => readNow(authenticate(request.headers), after);
      return sendEvents(request, reply, { limit, changes, maxMinutes }, feedLook(read, from));
    },
  });

  async function beginning(request: FastifyRequest): Promise<FeedPosition | null> {
    const lastId = request.headers["last-event-id"];
    const after = typeof lastId === "string" && lastId !== "" ? lastId : queryOf(request).last("after");
    const position = after === "latest" ? await newestPosition(database) : positionOf(after);
    if (position !== null && !(await isKept(database, position))) throw goneError();
    return position;
  }

  /** Null if the credentials have expired, or the feed has lost what follows. Undefined while there is no database. */
  async function readNow(
    authentication: Promise<Viewer>,
    from: FeedPosition | null,
  ): Promise<FeedPart | null | undefined> {
    try {
      return await readFeed(database, await authentication, from, eventsAtOnce);
    } catch (error) {
      if (error instanceof ApiError) return null;
      if (error instanceof DatabaseUnavailableError) return undefined;
      throw error;
    }
  }
}

type FeedReading = (from: FeedPosition | null) => Promise<FeedPart | null | undefined>;

function feedLook(read: FeedReading, from: FeedPosition | null): () => Promise<Look> {
  let position = from;
  return async () => {
    const part = await read(position);
    if (part === null) return { events: "", again: "never" };
    const events = part === undefined ? "" : written(part, position);
    position = part?.position ?? position;
    return { events, again: part?.hasMore === true ? "at once" : "after a change" };
  };
}

/** An id without data moves a browser's `Last-Event-ID` past events that the viewer may not see. */
function written({ events, position }: FeedPart, before: FeedPosition | null): string {
  const texts = events.map(
    (row) => `id: ${encodePosition(row)}\ndata: ${JSON.stringify(presentEvent(row))}\n\n`,
  );
  if (position === null || position.id === before?.id) return "";
  const isBehind = position.id !== events.at(-1)?.id;
  return texts.join("") + (isBehind ? `id: ${encodePosition(position)}\n\n` : "");
}

function positionOf(after: string | undefined): FeedPosition | null {
  return after === undefined || after === "" ? null : decodePosition(after);
}
