import type { FastifySchema } from "fastify";
import type { Schema } from "../../contract/shape.ts";
import { type JsonSchema, Type } from "../fields/json-schema.ts";
import { ErrorDetail, ValidationError, id, ifMatch, listOf, paging } from "../fields/schema-shapes.ts";

/** What the published document says about an operation, as far as it does not follow from the operation's route. */
export interface Published {
  summary?: string;
  /** By default the description of the path's view. */
  description?: string;
  /** The parameters of the query string. */
  query?: Readonly<Record<string, JsonSchema>>;
  /** What it responds with if it succeeds; nothing (204) by default. Null if it never succeeds. */
  gives?: JsonSchema | null;
  /** The status of success, if it is neither 201 for POST nor 200 for other methods. */
  status?: number;
  /** Refusals besides those that follow from the route, or with another shape. Null if there is no such refusal. */
  also?: Readonly<Record<number, JsonSchema | null>>;
  /** It compares `If-Match` with the entity tag, and refuses with 412. */
  ifMatch?: boolean;
  /** POST also takes a list of objects. */
  takesList?: boolean;
  /** The body, if no table of fields describes it. */
  body?: JsonSchema;
}

/** What the operations of a collection do, in a sentence each. */
type Summaries = Record<"listing" | "creating" | "reading" | "replacing" | "changing" | "deleting", string>;

/**
 * The operations of a collection whose pages have the name `listName` in the document. A new item may have members that
 * are shown only once.
 */
export function operationsOf<Item>(
  listName: string,
  Item: Schema<Item>,
  summaries: Summaries,
  NewItem: JsonSchema = Item,
): Record<keyof Summaries, Published> {
  return {
    listing: { summary: summaries.listing, query: paging, gives: listOf(listName, Item) },
    creating: { summary: summaries.creating, gives: NewItem },
    reading: { summary: summaries.reading, gives: Item },
    replacing: { summary: summaries.replacing, ifMatch: true, gives: Item },
    changing: { summary: summaries.changing, ifMatch: true, gives: Item },
    deleting: { summary: summaries.deleting, ifMatch: true },
  };
}

/** What the published document has to know about the route of an operation. */
export interface PublishedRoute {
  path: string;
  reading?: "anyone" | "signed in" | "administrators" | "hidden";
  credentials?: "ignored";
  /** The parameters in the path that are not the id of the object before them. */
  parameters?: Readonly<Record<string, JsonSchema>>;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The status of a success. */
export function statusOf(method: Method, { gives, status }: Published): number {
  return gives === undefined || gives === null ? 204 : (status ?? (method === "POST" ? 201 : 200));
}

/** The schema of an operation: what it says itself, and what follows from its route. */
export function schemaOf(route: PublishedRoute, method: Method, operation: Published): FastifySchema {
  const { gives = Type.Null(), query, summary, description, takesList, body } = operation;
  const parameters = parametersOf(route);
  return {
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    ...(takesList === true && { takesList }),
    ...(body !== undefined && { body }),
    ...(Object.keys(parameters).length > 0 && { params: Type.Object(parameters) }),
    ...(query !== undefined && { querystring: Type.Object(query) }),
    ...(operation.ifMatch === true && { headers: ifMatch }),
    response: {
      ...(gives !== null && { [statusOf(method, operation)]: gives }),
      ...refusalsOf(route, method, operation),
    },
  };
}

/** The ids in a path. Each follows its collection, and may name its object: `/api/documents/:id/notes/:note/`. */
function parametersOf({ path, parameters = {} }: PublishedRoute): Record<string, JsonSchema> {
  const named = path.matchAll(/(?:(\w+)\/)?:(\w+)|\*/g);
  return Object.fromEntries(
    Array.from(named, ([all, collection = "", name = all]) => [
      name,
      parameters[name] ?? id(`the ${name === "id" ? singularOf(collection) : name}'s id`),
    ]),
  );
}

function singularOf(collection: string): string {
  return collection.replace(/ies$/, "y").replace(/s$/, "");
}

/** The refusals by status. Only administrators learn of a hidden path, so everyone else gets 404 there. */
function refusalsOf(
  { path, reading = "anyone", credentials }: PublishedRoute,
  method: Method,
  { query = {}, also = {}, ifMatch: hasCondition }: Published,
): Record<string, JsonSchema> {
  const needsRight = credentials === undefined && (method !== "GET" || reading !== "anyone");
  const namesObject = path.includes(":") || "cursor" in query;
  const refusals: Record<number, JsonSchema | null | false> = {
    400: ["POST", "PUT", "PATCH"].includes(method) && ValidationError,
    403: needsRight && reading !== "hidden" && ErrorDetail,
    404: (reading === "hidden" || namesObject) && ErrorDetail,
    412: hasCondition === true && ErrorDetail,
    ...also,
  };
  const given = Object.entries(refusals).filter((entry): entry is [string, JsonSchema] => Boolean(entry[1]));
  return Object.fromEntries(given);
}
