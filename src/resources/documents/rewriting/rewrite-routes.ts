import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Mentions, patternKinds } from "../../../contract/work.ts";
import type { Context } from "../../../context.ts";
import { invalidFields, permissionDenied } from "../../../errors.ts";
import { ownAddress } from "../../../http/answer.ts";
import { queryOf } from "../../../http/browsable/view.ts";
import type { Query } from "../../../http/request/query.ts";
import { bodyOf, valueOf } from "../../../http/request/body.ts";
import { idIn } from "../../../http/request/path-parameters.ts";
import { content } from "../../../http/response/representation.ts";
import { resourceRoute } from "../../../http/resource-route.ts";
import { askerOf } from "../../users/credentials/throttle-key.ts";
import { leavingOf } from "../../../http/response/leaving.ts";
import { mayEdit } from "../access.ts";
import { documentIn } from "../file-routes.ts";
import type { PdfReadingQueue } from "../files/pdf-reading-queue.ts";
import type { Publisher } from "../record/publisher.ts";
import { redactedCopyRoutes } from "./copies-routes.ts";
import { type FoundMentions, type Sought, findMentionsFrom } from "./find-mentions.ts";
import { countMentions, findMentions, readPhrase } from "./mentions.ts";
import { countPatterns, findPatterns } from "./pattern-mentions.ts";
import * as shapes from "./rewrite-schema.ts";
import { startModifying, startRedacting } from "./start-rewriting.ts";
import {
  mentionList,
  modificationList,
  postProcess,
  redactionList,
  redactionsUnderWay,
} from "./rewrite-views.ts";
import { findRedactionsUnderWay } from "./under-way-store.ts";
import { accessFacts, findDocument } from "../store.ts";
import type { BoxWithReason } from "../withheld/box-store.ts";

/** Routes that change the PDF of a document: redactions, redacted copies and page modifications. */
export function rewriteRoutes(
  app: FastifyInstance,
  context: Context,
  { readings, publisher }: { readings: PdfReadingQueue; publisher: Publisher },
): void {
  redactedCopyRoutes(app, context, publisher);
  redactionRoutes(app, context);
  mentionRoute(app, context, readings);
  modificationRoutes(app, context);
}

function redactionRoutes(app: FastifyInstance, context: Context): void {
  resourceRoute(app, {
    path: "/api/documents/redactions/",
    view: redactionsUnderWay,
    get: {
      schema: shapes.listingUnderWay,
      async answer(_request, viewer) {
        return viewer.kind === "anonymous" ? [] : findRedactionsUnderWay(context.database, viewer);
      },
    },
  });

  resourceRoute(app, {
    path: "/api/documents/:id/redactions/",
    view: redactionList,
    invites: (request) => mayRewrite(context, request),
    post: {
      schema: shapes.redacting,
      async answer(request, viewer) {
        const value = valueOf(bodyOf(request));
        const boxes = await startRedacting(context, viewer, idIn(request, "id"), value);
        return boxes.map(presentBox);
      },
    },
  });
}

function presentBox({ page: page_number, x1, x2, y1, y2, reason }: BoxWithReason) {
  const box = { x1, x2, y1, y2, page_number };
  return reason === undefined ? box : Object.assign(box, { reason: reason.code });
}

function mentionRoute(app: FastifyInstance, context: Context, readings: PdfReadingQueue): void {
  resourceRoute(app, {
    path: "/api/documents/:id/mentions/",
    view: mentionList,
    takesLongQuery: true,
    get: {
      schema: shapes.mentioning,
      async answer(request, viewer, reply) {
        const document = await documentIn(request, context.database);
        if (!mayEdit(viewer, accessFacts(document))) throw permissionDenied();
        const query = queryOf(request);
        const sought = readSought(query);
        const start = /^\d{1,9}$/.test(query.last("start") ?? "") ? Number(query.last("start")) : 0;
        const pdfs = readings.of(askerOf(viewer, request.ip), leavingOf(reply));
        const found =
          sought === null ? nothingFound : await findMentionsFrom(context, pdfs, document, { sought, start });
        const address = ownAddress(request);
        const links = {
          next: found.next === null ? null : `${address}${query.with("start", String(found.next)).asSent()}`,
          previous: null,
        };
        const results = found.pages.map(({ page, ...more }) => ({ page_number: page, ...more }));
        const body: Mentions = { ...links, pages_without_text: found.withoutText, results };
        return { ...content(body), ...links };
      },
    },
  });
}

const nothingFound: FoundMentions = { pages: [], withoutText: [], next: null };

/** The kind of pattern, or the words, to look for; null if the query names neither. Throws 400 for an unknown kind. */
function readSought(query: Query): Sought | null {
  const kind = query.last("kind") ?? "";
  if (kind !== "") {
    const known = patternKinds.find((one) => one === kind);
    if (known === undefined) throw invalidFields({ kind: [`"${kind}" is not a valid choice.`] });
    return { count: (text) => countPatterns(text, known), find: (words) => findPatterns(words, known) };
  }
  const phrase = readPhrase(query.last("q") ?? "");
  if (phrase.length === 0) return null;
  return { count: (text) => countMentions(text, phrase), find: (words) => findMentions(words, phrase) };
}

function modificationRoutes(app: FastifyInstance, context: Context): void {
  resourceRoute(app, {
    path: "/api/documents/:id/modifications/",
    view: modificationList,
    invites: (request) => mayRewrite(context, request),
    post: {
      schema: shapes.modifying,
      async answer(request, viewer) {
        const value = valueOf(bodyOf(request));
        return { data: await startModifying(context, viewer, idIn(request, "id"), value) };
      },
    },
  });

  resourceRoute(app, {
    path: "/api/documents/:id/modifications/post_process/",
    view: postProcess,
    post: {
      schema: shapes.postProcessing,
      answer() {
        throw permissionDenied("You do not have permission to post-process modifications");
      },
    },
  });
}

/** Whether the form of the page is of use to the viewer. */
async function mayRewrite({ database }: Context, { params, viewer }: FastifyRequest): Promise<boolean> {
  const { id } = params as { id: string };
  const document = /^\d{1,15}$/.test(id) ? await findDocument(database, viewer, Number(id)) : null;
  return document !== null && mayEdit(viewer, accessFacts(document));
}
