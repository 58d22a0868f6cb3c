import type { FastifyInstance, FastifyRequest } from "fastify";
import { readingAnywhere } from "../../database/prepared-queries.ts";
import { type Condition, isAmong } from "../../http/request/entity-tag.ts";
import type { Context } from "../../context.ts";
import { invalidRequest, notFound } from "../../errors.ts";
import { Created } from "../../http/answer.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { type Body, bodyOf, valueOf } from "../../http/request/body.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import { isPlain, readExpansion, readSelection } from "../../http/request/expansion.ts";
import { type Extent, membersIn, readList } from "../../http/fields/fields.ts";
import { idsIn } from "../../http/request/list-filters.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { linksOf, perPage } from "../../http/request/pagination.ts";
import type { Content } from "../../http/response/representation.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { type SignedInViewer, type Viewer, mayWrite } from "../../http/request/viewer.ts";
import { changeDocument, changeDocuments } from "./record/change-documents.ts";
import { findUnknownChoice } from "./list/choice-store.ts";
import { createDocuments, readNewDocument } from "./record/create-documents.ts";
import { deleteOne, deleteSeveral } from "./trash/delete-documents.ts";
import { makeDocumentOfForm } from "./uploads/document-of-file.ts";
import { listExpansions } from "./record/expand.ts";
import { changedFields, newFields, ownerFields, replacedFields } from "./record/fields.ts";
import { type DocumentFilters, hasChoices, invalidChoice, readFilters, withinRun } from "./list/filters.ts";
import { formFiles } from "./uploads/form-files.ts";
import { listPages, pagesAtCursors } from "./list/list-pages.ts";
import { readCursor, readOrdering } from "./list/orderings.ts";
import type { Publisher } from "./record/publisher.ts";
import {
  type DocumentRecords,
  type RecordOptions,
  expandedPages,
  findRecord,
  mayUpload,
  recordOf,
  recordTag,
  recordsOf,
} from "./record/records.ts";
import { type DocumentRow, findDocument } from "./store.ts";
import * as shapes from "./record/schema.ts";
import { documentInstance, documentList } from "./record/views.ts";

/** In bytes: room for fifty pages with their texts and the position of every word. */
const textsLimit = 8 * 1024 * 1024;

interface Services {
  context: Context;
  records: DocumentRecords;
  publisher: Publisher;
}

export function documentRoutes(
  app: FastifyInstance,
  context: Context,
  records: DocumentRecords,
  publisher: Publisher,
): void {
  const services = { context, records, publisher };
  routeOfList(app, services);
  routeOfDocument(app, services);
}

function routeOfList(app: FastifyInstance, services: Services): void {
  resourceRoute(app, {
    path: "/api/documents/",
    view: documentList,
    vary: "fixed",
    get: {
      schema: shapes.listing,
      answer: (request, viewer) =>
        readingAnywhere(services.context.database, () => listPage(services, request, viewer)),
    },
    post: {
      schema: shapes.creating,
      takesFile: formFiles(services.context),
      answer: (request, viewer) => create(services, request, viewer),
    },
    put: {
      schema: shapes.replacingSeveral,
      answer: (request, viewer) => changeSeveral(services, "whole", request, viewer),
    },
    patch: {
      schema: shapes.changingSeveral,
      answer: (request, viewer) => changeSeveral(services, "part", request, viewer),
    },
    delete: {
      schema: shapes.deletingSeveral,
      async answer(request, viewer) {
        const query = queryOf(request);
        if (query.last("id__in") === undefined) {
          throw invalidRequest("May not bulk delete unless you explicitly specify IDs");
        }
        const filters = readFilters(query);
        await checkChoices(services.context, viewer, filters);
        await deleteSeveral(services.context, viewer, idsIn(query, "id__in") ?? [], filters);
      },
    },
  });
}

function routeOfDocument(app: FastifyInstance, services: Services): void {
  const { context, records } = services;
  resourceRoute(app, {
    path: "/api/documents/:id/",
    view: documentInstance,
    get: {
      schema: shapes.reading,
      async answer(request, viewer) {
        const addresses = addressesOf(context.config, request);
        const id = idIn(request, "id");
        const options = recordOptionsIn(request);
        const record = await readingAnywhere(context.database, () =>
          findRecord(records, viewer, id, addresses, options),
        );
        if (record === null) throw notFound();
        return record;
      },
    },
    put: {
      schema: shapes.replacing,
      bodyLimit: textsLimit,
      answer: (request, viewer) => changeOne(services, "whole", request, viewer),
    },
    patch: {
      schema: shapes.changing,
      bodyLimit: textsLimit,
      answer: (request, viewer) => changeOne(services, "part", request, viewer),
    },
    delete: {
      schema: shapes.deleting,
      async answer(request, viewer) {
        const condition = await conditionOf(services, request);
        await deleteOne(context, viewer, idIn(request, "id"), condition);
      },
    },
  });
}

/** A page of the list, which knows the pages beside it if it is the same for everyone. */
async function listPage(
  { context, records, publisher }: Services,
  request: FastifyRequest,
  viewer: Viewer,
): Promise<Content> {
  const query = queryOf(request);
  const ordering = readOrdering(query.last("ordering"));
  const cursor = readCursor(query.last("cursor"), ordering);
  const filters = withinRun(readFilters(query), viewer);
  const addresses = addressesOf(context.config, request);
  const linksTo = linksOf(`${addresses.api}/api/documents/`, query);
  const options = { expansion: readExpansion(query, listExpansions), selection: readSelection(query) };
  const list = { filters, ordering, perPage: perPage(query) };
  const pages = isPlain(options)
    ? listPages(context.database, viewer, list, addresses, linksTo)
    : expandedPages(records, viewer, list, addresses, linksTo, options);
  const pageAt = hasChoices(filters)
    ? (position: Cursor) => checkChoices(context, viewer, filters).then(() => pages(position))
    : pages;
  const page = await pageAt(cursor);
  if (viewer.kind === "user") return { ...page, offers: offersOfList(viewer) };
  request.otherPages = { etag: page.etag, at: pagesAtCursors(context.database, pageAt, ordering, publisher) };
  return page;
}

async function create(
  services: Services,
  request: FastifyRequest,
  viewer: SignedInViewer,
): Promise<Content | Created> {
  const body = bodyOf(request);
  const isList = Array.isArray(valueOf(body));
  const rows = await make(services, viewer, body);
  const addresses = addressesOf(services.context.config, request);
  const [row] = rows;
  if (isList || row === undefined) return several(services, request, rows, true);
  const isFetched = (membersIn(newFields, body).get("file_url") ?? null) !== null;
  const options = { ...recordOptionsIn(request), withoutUpload: isFetched };
  return new Created(row.id, await recordOf(services.records, viewer, row, addresses, options));
}

async function checkChoices({ database }: Context, viewer: Viewer, filters: DocumentFilters): Promise<void> {
  const unknown = await findUnknownChoice(database, viewer, filters);
  if (unknown !== null) throw invalidChoice(unknown.parameter, unknown.id);
}

async function make(
  { context, publisher }: Services,
  viewer: SignedInViewer,
  body: Body,
): Promise<DocumentRow[]> {
  const file = "form" in body ? body.file : undefined;
  if (file !== undefined) {
    const id = await makeDocumentOfForm(context, publisher, viewer, membersIn(newFields, body), file);
    const row = await findDocument(context.database, viewer, id);
    if (row === null) throw notFound();
    return [row];
  }
  const sent = valueOf(body);
  const documents = Array.isArray(sent)
    ? readList(sent, (members) => readNewDocument(viewer, members))
    : [readNewDocument(viewer, membersIn(newFields, body))];
  return createDocuments(context, publisher, viewer, documents);
}

async function changeSeveral(
  services: Services,
  extent: Extent,
  request: FastifyRequest,
  viewer: SignedInViewer,
): Promise<Content> {
  const rows = await changeDocuments(services.context, services.publisher, viewer, {
    value: valueOf(bodyOf(request)),
    extent,
  });
  return several(services, request, rows, false);
}

async function several(
  { context, records }: Services,
  request: FastifyRequest,
  rows: readonly DocumentRow[],
  areNew: boolean,
): Promise<Content> {
  const addresses = addressesOf(context.config, request);
  return recordsOf(records, request.viewer, rows, addresses, { ...recordOptionsIn(request), areNew });
}

async function changeOne(
  services: Services,
  extent: Extent,
  request: FastifyRequest,
  viewer: SignedInViewer,
): Promise<Content> {
  const { context, records, publisher } = services;
  const table = extent === "whole" ? replacedFields : changedFields;
  const members = membersIn({ ...table, ...ownerFields }, bodyOf(request));
  const change = { members, extent, condition: await conditionOf(services, request) };
  const row = await changeDocument(context, publisher, viewer, idIn(request, "id"), change);
  return recordOf(records, viewer, row, addressesOf(context.config, request), recordOptionsIn(request));
}

/**
 * The transaction compares only the entity tags of plain records. A matching tag of an expanded record is therefore
 * replaced with the tag of the plain record first.
 */
async function conditionOf(
  { context, records }: Services,
  request: FastifyRequest,
): Promise<Condition<DocumentRow>> {
  const { viewer } = request;
  const addresses = addressesOf(context.config, request);
  const ifMatch = request.headers["if-match"];
  const tagOf = (row: DocumentRow): string => recordTag(viewer, row, addresses);
  const options = recordOptionsIn(request);
  if (ifMatch === undefined) return { ifMatch, tagOf };
  const row = await findDocument(context.database, viewer, idIn(request, "id"));
  if (row === null || (isPlain(options) && !mayUpload(viewer, row))) return { ifMatch, tagOf };
  const record = await recordOf(records, viewer, row, addresses, options);
  return { ifMatch: isAmong(record.etag, ifMatch) ? tagOf(row) : ifMatch, tagOf };
}

function recordOptionsIn(request: FastifyRequest): RecordOptions {
  const query = queryOf(request);
  return { expansion: readExpansion(query, "any"), selection: readSelection(query) };
}

function offersOfList(viewer: SignedInViewer): NonNullable<Content["offers"]> {
  return mayWrite(viewer) ? ["POST", "PUT", "PATCH"] : [];
}
