import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { auditFormats } from "../../contract/keeping.ts";
import type { Context } from "../../context.ts";
import { invalidFields } from "../../errors.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { Type } from "../../http/fields/json-schema.ts";
import {
  ValidationError,
  choiceParameter,
  inTypes,
  integerParameter,
  textParameter,
} from "../../http/fields/schema-shapes.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { readTimestamp } from "../../http/text/timestamp.ts";
import { adminView } from "../administration/views.ts";
import type { AuditRange } from "./audit-store.ts";
import { exportAudit } from "./export-audit.ts";

const exporting = {
  summary: "Who did what: the audit log as JSON Lines or CSV",
  query: {
    as: choiceParameter(auditFormats, "the format; jsonl if not given"),
    since: textParameter("only what happened at this time or later"),
    until: textParameter("only what happened before this time"),
    user: integerParameter("only what this user did, or what was done to the account"),
  },
  gives: inTypes(["application/jsonl", "text/csv"], Type.String()),
  also: { 400: ValidationError },
};

const contentTypes = { jsonl: "application/jsonl", csv: "text/csv; charset=utf-8" };

/** The audit log, for administrators. */
export function auditRoutes(app: FastifyInstance, context: Context): void {
  resourceRoute(app, {
    path: "/api/admin/audit/",
    view: adminView("Audit", "The audit log as a file: JSON Lines, or CSV with as=csv."),
    reading: "hidden",
    get: {
      schema: exporting,
      isSecret: true,
      async answer(request, viewer, reply) {
        const format = auditFormats.find((one) => one === queryOf(request).last("as")) ?? "jsonl";
        const range = rangeIn(request);
        const isHead = request.method === "HEAD";
        const lines = isHead ? null : await exportAudit(context, viewer, range, format);
        reply.headers({
          "content-type": contentTypes[format],
          "content-disposition": `attachment; filename="audit.${format}"`,
          "cache-control": "no-store",
        });
        return reply.send(lines === null ? undefined : Readable.from(lines, { objectMode: false }));
      },
    },
  });
}

function rangeIn(request: FastifyRequest): AuditRange {
  const query = queryOf(request);
  const timeIn = (name: "since" | "until"): string | null => {
    const text = query.last(name) ?? "";
    const time = text === "" ? null : readTimestamp(text);
    if (text !== "" && time === null) throw invalidFields({ [name]: ["Enter a valid date/time."] });
    return time;
  };
  const user = query.last("user") ?? "";
  if (!/^\d{0,15}$/.test(user)) throw invalidFields({ user: ["Enter a whole number."] });
  return { since: timeIn("since"), until: timeIn("until"), person: user === "" ? null : Number(user) };
}
