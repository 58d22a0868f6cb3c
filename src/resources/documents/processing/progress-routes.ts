import type { DocumentProgress, ProgressOfDocument } from "../../../contract/work.ts";
import { maxFollowed } from "../../../contract/limits.ts";
import { busyStatuses } from "../../document-states.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../../context.ts";
import type { ChangeWatch } from "../../../http/response/change-watch.ts";
import { type Look, sendEvents } from "../../../http/response/event-stream.ts";
import type { Database } from "../../../database/database.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { DatabaseUnavailableError } from "../../../database/database-unavailable.ts";
import { ApiError, invalidFields, notFound } from "../../../errors.ts";
import { idIn } from "../../../http/request/path-parameters.ts";
import { fileRoute } from "../../../http/file-route.ts";
import { queryOf } from "../../../http/browsable/view.ts";
import { readFilters } from "../list/filters.ts";
import { PersonalLimit } from "../../users/credentials/personal-limit.ts";
import type { Authenticate } from "../../users/credentials/authentication.ts";
import { findProgressOf, findProgressOfAll } from "./find-progress.ts";
import * as shapes from "../record/schema.ts";
import { processEvents, processEventsOfSeveral } from "./views.ts";

const maxStreams = { onServer: 200, perAsker: 20 };
/** A stream asks at most this often, and only if something has been written. */
const pauseMilliseconds = 500;
const maxMinutes = 2;

/**
 * Streams the progress of one document, or of several, as server-sent events. Access to the documents is checked again
 * before each event.
 */
export function progressRoutes(
  app: FastifyInstance,
  context: Pick<Context, "database" | "semaphores">,
  { authenticate, changes }: { authenticate: Authenticate; changes: ChangeWatch },
): void {
  const { database } = context;
  const limit = new PersonalLimit(context, "progress streams", maxStreams);

  fileRoute(app, {
    path: "/api/documents/:id/process/events/",
    view: processEvents,
    published: shapes.following,
    checkAddress: (request) => void idIn(request, "id"),
    async handler(request, reply) {
      const id = idIn(request, "id");
      if ((await findProgressOf(database, request.viewer, id)) === null) throw notFound();
      return stream(request, reply, [id], ({ progress }) => progress);
    },
  });

  fileRoute(app, {
    path: "/api/documents/process/events/",
    view: processEventsOfSeveral,
    published: shapes.followingSeveral,
    takesLongQuery: true,
    async handler(request, reply) {
      const ids = [...new Set(readFilters(queryOf(request)).ids)];
      if (ids.length === 0) throw invalidFields({ id__in: ["This field is required."] });
      if (ids.length > maxFollowed)
        throw invalidFields({ id__in: [`Must not have more than ${maxFollowed} values.`] });
      return stream(request, reply, ids, ({ id, progress }): ProgressOfDocument =>
        Object.assign({ id }, progress),
      );
    },
  });

  function stream(
    request: FastifyRequest,
    reply: FastifyReply,
    ids: readonly number[],
    present: Present,
  ): Promise<FastifyReply> {
    const find = (following: readonly number[]) =>
      findNow(database, authenticate(request.headers), following);
    const options = { limit, changes, maxMinutes, pauseMilliseconds };
    return sendEvents(request, reply, options, progressLook(find, ids, present));
  }
}

/** Also empty if the request's credentials are no longer valid. Null while the database is unavailable. */
async function findNow(
  database: Database,
  authentication: Promise<Viewer>,
  ids: readonly number[],
): Promise<Map<number, DocumentProgress> | null> {
  try {
    return await findProgressOfAll(database, await authentication, ids);
  } catch (error) {
    if (error instanceof ApiError) return new Map();
    if (error instanceof DatabaseUnavailableError) return null;
    throw error;
  }
}

/** Finds an event for each document whose progress has changed, until none of them is being processed. */
function progressLook(
  find: (ids: readonly number[]) => ReturnType<typeof findNow>,
  ids: readonly number[],
  present: Present,
): () => Promise<Look> {
  const sent = new Map<number, string>();
  let following = ids;
  return async () => {
    const found = await find(following);
    const changed = [...(found ?? [])].flatMap(([id, progress]) => {
      const text = JSON.stringify(present({ id, progress }));
      if (sent.get(id) === text) return [];
      sent.set(id, text);
      return [`event: progress\ndata: ${text}\n\n`];
    });
    if (found !== null) following = following.filter((id) => mayChange(found.get(id), ids.length > 1));
    return { events: changed.join(""), again: following.length === 0 ? "never" : "after a change" };
  };
}

type Present = (entry: { id: number; progress: DocumentProgress }) => object;

/** Whether more progress may follow: a document without a file may be waiting for a file that is being fetched. */
function mayChange(progress: DocumentProgress | undefined, waitsForFile: boolean): boolean {
  if (progress === undefined) return false;
  return busyStatuses.includes(progress.status) || (waitsForFile && progress.status === "nofile");
}
