import type { FastifyInstance } from "fastify";
import { dispositionStates } from "../../contract/keeping.ts";
import type { Context } from "../../context.ts";
import { Created } from "../../http/answer.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { listContent } from "../../http/collection.ts";
import { membersIn } from "../../http/fields/fields.ts";
import { bodyOf } from "../../http/request/body.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { content } from "../../http/response/representation.ts";
import { findHeld } from "../documents/holds/held-documents.ts";
import { findVisibleDocuments } from "../documents/store.ts";
import { createRule, decideAbout, endRuleOf } from "./manage-retention.ts";
import { presentCertificate, presentDisposition, presentRule } from "./present-retention.ts";
import { decisionFields, ruleFields } from "./retention-fields.ts";
import * as shapes from "./retention-schema.ts";
import {
  type DispositionRow,
  type RuleRow,
  allRules,
  countStates,
  listCertificates,
  listDispositions,
} from "./retention-store.ts";
import { certificateList, dispositionList, ruleInstance, ruleList } from "./views.ts";

const reading = "hidden";

/** Retention rules, what has run out by them, and what they have deleted: for administrators. */
export function retentionRoutes(app: FastifyInstance, context: Context): void {
  ruleRoutes(app, context);
  dispositionRoutes(app, context);
}

function ruleRoutes(app: FastifyInstance, context: Context): void {
  const { database } = context;

  resourceRoute(app, {
    path: "/api/admin/retention_rules/",
    view: ruleList,
    reading,
    get: {
      schema: shapes.listingRules,
      answer: (request, viewer) =>
        listContent(request, {
          find: (cursor, limit) => allRules.page(database, viewer, cursor, limit, { descending: true }),
          present: presented,
          offers: ["POST"],
          way: "descending",
        }),
    },
    post: {
      schema: shapes.creatingRule,
      async answer(request, viewer) {
        const rule = await createRule(context, viewer, membersIn(ruleFields, bodyOf(request)));
        const [shown] = await presented([rule]);
        return new Created(rule.id, content(shown));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/admin/retention_rules/:id/",
    view: ruleInstance,
    reading,
    get: {
      schema: shapes.readingRule,
      async answer(request, viewer) {
        const rule = await allRules.get(database, viewer, { id: idIn(request, "id") });
        const [shown] = await presented([rule]);
        return content(shown, rule.ended_at === null ? ["DELETE"] : []);
      },
    },
    delete: {
      schema: shapes.endingRule,
      answer: (request, viewer) => endRuleOf(context, viewer, idIn(request, "id")),
    },
  });

  async function presented(rows: readonly RuleRow[]) {
    const counts = await countStates(
      database,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => presentRule(row, counts));
  }
}

function dispositionRoutes(app: FastifyInstance, context: Context): void {
  const { database } = context;

  resourceRoute(app, {
    path: "/api/admin/dispositions/",
    view: dispositionList,
    reading,
    get: {
      schema: shapes.listingDispositions,
      async answer(request, viewer) {
        const query = queryOf(request);
        const rule = query.last("rule");
        const state = dispositionStates.find((one) => one === query.last("state"));
        const filters = { rule: /^\d{1,15}$/.test(rule ?? "") ? Number(rule) : undefined, state };
        return listContent(request, {
          find: (cursor, limit) => listDispositions(database, filters, cursor, limit),
          present: (rows) => presented(viewer, rows),
          offers: ["POST"],
        });
      },
    },
    post: {
      schema: shapes.deciding,
      async answer(request, viewer) {
        return { decided: await decideAbout(context, viewer, membersIn(decisionFields, bodyOf(request))) };
      },
    },
  });

  resourceRoute(app, {
    path: "/api/admin/certificates/",
    view: certificateList,
    reading,
    get: {
      schema: shapes.listingCertificates,
      answer: (request) =>
        listContent(request, {
          find: (cursor, limit) => listCertificates(database, cursor, limit),
          present: (rows) => rows.map(presentCertificate),
          way: "descending",
        }),
    },
  });

  /** What a hold covers since it was proposed is not shown as proposed. */
  async function presented(viewer: SignedInViewer, rows: readonly DispositionRow[]) {
    const ids = rows.map(({ document_id }) => document_id);
    const held = new Set(await findHeld(database.reader, ids));
    const visible = await findVisibleDocuments(database, viewer, ids);
    const titles = new Map(visible.map(({ id, title }) => [id, title]));
    return rows
      .filter(({ document_id }) => !held.has(document_id))
      .map((row) => presentDisposition(row, titles));
  }
}
