import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import type { Database } from "../../database/database.ts";
import { invalidRequest, notFound } from "../../errors.ts";
import { ownAddress } from "../../http/answer.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { bodyOf, valueOf } from "../../http/request/body.ts";
import { decodeCursor } from "../../http/request/cursor.ts";
import { type Condition, isAmong } from "../../http/request/entity-tag.ts";
import { type Extent, membersIn } from "../../http/fields/fields.ts";
import { idsIn, unknownChoice } from "../../http/request/list-filters.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { idNeighbours, pageLinks, perPage } from "../../http/request/pagination.ts";
import { type Content, content, longContent } from "../../http/response/representation.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { mayEditDocumentsOf } from "../documents/access.ts";
import type { DocumentParts } from "../documents/record/expand.ts";
import { findProject, findUnknownDocument } from "../projects/list-store.ts";
import {
  type Membership,
  changeMembership,
  membershipFields,
  projectWriter,
  putMemberships,
  removeMembership,
  removeMemberships,
} from "./change-memberships.ts";
import { presentMemberships } from "./present.ts";
import * as shapes from "./schema.ts";
import { type MembershipRow, countMemberships, listMemberships } from "./store.ts";
import { membershipInstance, membershipList } from "./views.ts";

/** The documents in a project. */
export function membershipRoutes(app: FastifyInstance, context: Context, parts: DocumentParts): void {
  membershipListRoute(app, context, parts);
  membershipRoute(app, context, parts);
}

function membershipListRoute(app: FastifyInstance, context: Context, parts: DocumentParts): void {
  const { database } = context;

  resourceRoute(app, {
    path: "/api/projects/:id/documents/",
    view: membershipList,
    writing: "checked by handler",
    get: {
      schema: shapes.listing,
      answer: list,
    },
    post: { schema: shapes.adding, answer: (request) => put(request, "add") },
    put: { schema: shapes.replacing, answer: (request) => put(request, "replace all") },
    patch: { schema: shapes.changing, answer: (request) => put(request, "add or change") },
    delete: {
      schema: shapes.removing,
      async answer(request) {
        const viewer = await projectWriter(context, request.viewer, idIn(request, "id"));
        const query = queryOf(request);
        const documents = idsIn(query, "document_id__in");
        if (documents === undefined) {
          throw invalidRequest("May not bulk delete unless you explicitly specify IDs");
        }
        const refusal = (id: number) => unknownChoice(query, "document_id__in", id);
        await removeMemberships(context, viewer, idIn(request, "id"), documents, refusal);
      },
    },
  });

  async function list(request: FastifyRequest): Promise<Content> {
    const query = queryOf(request);
    const documents = idsIn(query, "document_id__in");
    const { rows, links, count } = await findPage(database, request, documents ?? null);
    const unseen = await findUnknownDocument(database, request.viewer, documents ?? []);
    if (unseen !== undefined) throw unknownChoice(query, "document_id__in", unseen);
    const results = await presentMemberships(context, rows, {
      viewer: request.viewer,
      query,
      addresses: addressesOf(context.config, request),
      as: "list",
      parts,
    });
    const { next, previous } = pageLinks(ownAddress(request), query, links);
    const json = await longContent({ count: await count(), next, previous, results });
    const offers = mayWrite(request) ? (["POST", "PUT", "PATCH"] as const) : [];
    return Object.assign(json, { next, previous, offers });
  }

  async function put(
    request: FastifyRequest,
    action: "add" | "add or change" | "replace all",
  ): Promise<object | undefined> {
    const viewer = await projectWriter(context, request.viewer, idIn(request, "id"));
    const body = bodyOf(request);
    const isSingle = action === "add" && !Array.isArray(valueOf(body));
    const sent = isSingle ? { one: membersIn(membershipFields, body) } : { list: valueOf(body) };
    const memberships = await putMemberships(context, viewer, idIn(request, "id"), sent, action);
    return isSingle ? memberships[0] : memberships;
  }
}

function membershipRoute(app: FastifyInstance, context: Context, parts: DocumentParts): void {
  resourceRoute(app, {
    path: "/api/projects/:id/documents/:document/",
    view: membershipInstance,
    writing: "checked by handler",
    get: {
      schema: shapes.readingOne,
      async answer(request) {
        const found = await findOne(request);
        if (found === null) throw notFound();
        return content(found.json, mayWrite(request) ? ["PUT", "PATCH", "DELETE"] : []);
      },
    },
    put: { schema: shapes.changingOne, answer: (request) => change(request, "whole") },
    patch: { schema: shapes.changingOne, answer: (request) => change(request, "part") },
    delete: {
      schema: shapes.removingOne,
      async answer(request) {
        const viewer = await projectWriter(context, request.viewer, idIn(request, "id"));
        const [project, document] = [idIn(request, "id"), idIn(request, "document")];
        await removeMembership(context, viewer, project, document, await conditionOf(request));
      },
    },
  });

  async function findOne(
    request: FastifyRequest,
  ): Promise<{ row: MembershipRow; json: Record<string, unknown> } | null> {
    const { rows } = await findPage(context.database, request, [idIn(request, "document")]);
    const [json] = await presentMemberships(context, rows, {
      viewer: request.viewer,
      query: queryOf(request),
      addresses: addressesOf(context.config, request),
      as: "one",
      parts,
    });
    const [row] = rows;
    return row === undefined || json === undefined ? null : { row, json };
  }

  /**
   * The transaction compares only the entity tags of plain memberships. A matching tag of an expanded membership is
   * therefore replaced with the tag of the plain one first.
   */
  async function conditionOf(request: FastifyRequest): Promise<Condition<Membership>> {
    const ifMatch = request.headers["if-match"];
    const found = ifMatch === undefined ? null : await findOne(request);
    if (found === null) return { ifMatch, tagOf };
    const { row, json } = found;
    const plain = { document: row.id, edit_access: Boolean(row.edit_access) };
    return { ifMatch: isAmong(content(json).etag, ifMatch) ? tagOf(plain) : ifMatch, tagOf };
  }

  async function change(request: FastifyRequest, extent: Extent): Promise<Membership> {
    const viewer = await projectWriter(context, request.viewer, idIn(request, "id"));
    const members = membersIn(membershipFields, bodyOf(request));
    const project = idIn(request, "id");
    return changeMembership(context, viewer, project, idIn(request, "document"), {
      members,
      extent,
      condition: await conditionOf(request),
    });
  }
}

async function findPage(database: Database, request: FastifyRequest, documents: readonly number[] | null) {
  const project = await findProject(database, request.viewer, idIn(request, "id"));
  if (project === null) throw notFound();
  const query = queryOf(request);
  const direction = query.last("ordering") === "created_at" ? "ascending" : "descending";
  const membershipQuery = { project: project.id, documents, descending: direction === "descending" };
  const cursor = decodeCursor(query.last("cursor"), null);
  const found = await listMemberships(database, request.viewer, membershipQuery, cursor, perPage(query));
  const count = (): Promise<number> => countMemberships(database, request.viewer, membershipQuery);
  return { rows: found.rows, links: idNeighbours(found, cursor, direction), count };
}

function mayWrite({ viewer, params }: FastifyRequest): boolean {
  if (viewer.kind === "anonymous" || !viewer.mayWrite) return false;
  return viewer.isAdministrator || mayEditDocumentsOf(viewer, Number((params as { id: string }).id));
}

function tagOf(membership: Membership): string {
  return content(membership).etag;
}
