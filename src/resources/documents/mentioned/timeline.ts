import {
  type TimelineDates,
  type TimelineUnit,
  timelineDates,
  timelineUnits,
} from "../../../contract/search.ts";
import type { Database } from "../../../database/database.ts";
import { invalidCursor, invalidFields } from "../../../errors.ts";
import { perPage } from "../../../http/request/pagination.ts";
import type { Query } from "../../../http/request/query.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { planSearch } from "../../../search/plan.ts";
import { type SearchedNotes, orUnavailable, timeLimitSeconds } from "../search/search-documents.ts";
import { type SearchRequest, readSearch } from "../search/search-request.ts";
import { type FoundTimeline, findTimeline } from "./timeline-store.ts";

/** A page of the dates of documents. */
export interface TimelinePage extends FoundTimeline {
  of: TimelineDates;
  by: TimelineUnit;
  /** A year or a month; an empty text for all. */
  within: string;
  search: SearchRequest;
  /** The cursor of the next page. Null at the end. */
  next: string | null;
}

const isDate = (text: string): boolean => /^\d{4}(?:-\d\d(?:-\d\d)?)?$/.test(text);

/** The parameters that say which dates. @throws {ApiError} 400 */
function timelineIn(query: Query): { of: TimelineDates; by: TimelineUnit; within: string } {
  const within = query.last("within") ?? "";
  if (within !== "" && !/^\d{4}(?:-\d\d)?$/.test(within))
    throw invalidFields({ within: ["A year or a month, as 2024 or 2024-03"] });
  const finer = within === "" ? "year" : within.length === 4 ? "month" : "day";
  return {
    of: choiceIn(query, "of", timelineDates) ?? "mentions",
    by: choiceIn(query, "by", timelineUnits) ?? finer,
    within,
  };
}

function choiceIn<Choice extends string>(
  query: Query,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const sent = query.last(name) ?? "";
  const found = choices.find((one) => one === sent);
  if (found === undefined && sent !== "")
    throw invalidFields({ [name]: [`One of these: ${choices.join(", ")}`] });
  return found;
}

/** Answers a request for the dates of the documents that a search finds. Throws 503 if it takes too long. */
export async function answerTimeline(
  database: Database,
  viewer: Viewer,
  notes: SearchedNotes,
  query: Query,
): Promise<TimelinePage> {
  const shown = timelineIn(query);
  const search = readSearch(query.with("cursor", null), viewer);
  const cursor = query.last("cursor") ?? "";
  if (cursor !== "" && !isDate(cursor)) throw invalidCursor();
  const limit = perPage(query);
  return orUnavailable(async () => {
    const plan = await planSearch(search.query);
    const request = { ...shown, after: cursor === "" ? null : cursor, limit: limit + 1 };
    const found = await findTimeline(database, viewer, notes.condition, plan, request, timeLimitSeconds);
    const dates = found.dates.slice(0, limit);
    const next = found.dates.length > limit ? (dates.at(-1)?.date ?? null) : null;
    return { ...found, ...shown, dates, search, next };
  });
}
