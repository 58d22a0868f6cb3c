import { EventFeed } from "../../contract/event.ts";
import { ErrorDetail, inTypes, paging, textParameter } from "../../http/fields/schema-shapes.ts";

const query = {
  after: textParameter(
    "the position behind an event, from next or the id of a streamed event; latest is the end of the feed",
  ),
};
const also = { 404: ErrorDetail, 410: ErrorDetail };

export const listing = {
  summary: "What happened, in order, from the oldest event that is kept",
  query: { ...query, per_page: paging.per_page },
  gives: EventFeed,
  also,
};
export const streaming = {
  summary: "Follow what happens, as a stream of events",
  query,
  gives: inTypes(["text/event-stream"], {
    description: "an Event in the data of each event; its id is the position behind it",
  }),
  also: { ...also, 503: ErrorDetail },
};
