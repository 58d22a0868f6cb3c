import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { auditFormats, auditSources } from "../../contract/keeping.ts";
import type { Context } from "../../context.ts";
import { invalidFields } from "../../errors.ts";
import { ownAddress } from "../../http/answer.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { type Cursor, type CursorKey, decodeCursor } from "../../http/request/cursor.ts";
import { pageLinks, perPage } from "../../http/request/pagination.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { pageContent } from "../../http/response/representation.ts";
import { readTimestamp } from "../../http/text/timestamp.ts";
import { adminView } from "../administration/views.ts";
import { exportAudit } from "./export-audit.ts";
import { exportingAudit, listingAudit } from "./schema.ts";
import { shownTo } from "./shown-entries.ts";
import { type AuditRange, findEntries, listAudit } from "./store.ts";

export const auditPaths = ["/api/admin/audit/", "/api/admin/audit_entries/"] as const;

const contentTypes = { jsonl: "application/jsonl", csv: "text/csv; charset=utf-8" };

const byTime = { name: "at", mayHave: (value: CursorKey["value"]) => typeof value === "string" };

/** The audit log, for administrators. */
export function auditRoutes(app: FastifyInstance, context: Context): void {
  const { database } = context;

  resourceRoute(app, {
    path: "/api/admin/audit/",
    view: adminView("Audit", "The audit log as a file: JSON Lines, or CSV with as=csv."),
    reading: "hidden",
    get: {
      schema: exportingAudit,
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

  resourceRoute(app, {
    path: "/api/admin/audit_entries/",
    view: adminView("Audit Entry List", "The audit log by time, the newest first."),
    reading: "hidden",
    get: {
      schema: listingAudit,
      isSecret: true,
      async answer(request, viewer) {
        const query = queryOf(request);
        const range = rangeIn(request);
        const cursor = decodeCursor(query.last("cursor"), byTime);
        const page = await listAudit(database, range, cursor, perPage(query), true);
        const entries = await shownTo(database, viewer, await findEntries(database, page.rows));
        const [first, last] = [page.rows[0], page.rows.at(-1)];
        const links = pageLinks(ownAddress(request), query, {
          next: page.after && last !== undefined ? at(last, false) : null,
          previous: page.before && first !== undefined ? at(first, true) : null,
        });
        return pageContent(links, entries);
      },
    },
  });
}

const at = ({ value, id }: { value: string; id: number }, reverse: boolean): Cursor => ({
  reverse,
  offset: 0,
  ordering: byTime.name,
  key: { value, id },
});

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
  const source = auditSources.find((name) => name === query.last("source")) ?? null;
  const person = user === "" ? null : Number(user);
  return { since: timeIn("since"), until: timeIn("until"), person, source };
}
