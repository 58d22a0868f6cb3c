import type { Database } from "../../database/database.ts";
import { ApiError, invalidCursor } from "../../errors.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { visibleAmong } from "./access.ts";
import { type EventRow, type FeedPosition, eventsAfter, isKept } from "./store.ts";

/** The part of the feed that a viewer may see. */
export interface FeedPart {
  events: EventRow[];
  /**
   * Where the feed goes on; null if nothing has ever happened. It may lie behind events that the viewer may not see.
   */
  position: FeedPosition | null;
  hasMore: boolean;
}

/** An answer looks through so many batches of events for those that the viewer may see. */
const maxBatches = 10;

/** Some of the events after a position have been removed, or the position is of another database. */
export const goneError = (): ApiError =>
  new ApiError(410, {
    detail: "The feed no longer has what follows this event. Read everything again, and begin without after.",
  });

/**
 * Reads at most `limit` events after a position that the viewer may see.
 *
 * @throws {ApiError} 410 if the feed no longer has all that follows the position.
 */
export async function readFeed(
  database: Database,
  viewer: Viewer,
  after: FeedPosition | null,
  limit: number,
): Promise<FeedPart> {
  const events: EventRow[] = [];
  let position = after;
  let hasMore = true;
  for (let batch = 0; batch < maxBatches && hasMore; batch++) {
    const { rows, areAll } = await eventsAfter(database, position);
    const visible = await visibleAmong(database, viewer, rows);
    const taken = visible.slice(0, limit - events.length);
    events.push(...taken);
    const isFull = events.length === limit;
    position = (isFull ? taken.at(-1) : rows.at(-1)) ?? position;
    hasMore = !areAll || (isFull && position?.id !== rows.at(-1)?.id);
    if (isFull) break;
  }
  if (after !== null && !(await isKept(database, after))) throw goneError();
  return { events, position, hasMore };
}

/** A position as clients have it: the id of the last event that they know. */
export function encodePosition({ transaction_id, id }: FeedPosition): string {
  return `${transaction_id}-${id}`;
}

/** @throws {ApiError} 404 if the text is not a position. */
export function decodePosition(text: string): FeedPosition {
  const [, transaction, id] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  if (transaction === undefined || id === undefined) throw invalidCursor();
  return { transaction_id: Number(transaction), id: Number(id) };
}
