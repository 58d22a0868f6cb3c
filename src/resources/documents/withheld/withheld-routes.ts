import type { FastifyInstance } from "fastify";
import { knownReasons } from "../../../contract/reasons.ts";
import { reasonLimits } from "../../../contract/limits.ts";
import type { Context } from "../../../context.ts";
import { invalidWhole } from "../../../errors.ts";
import { readFields, readList } from "../../../http/fields/fields.ts";
import { bodyOf, valueOf } from "../../../http/request/body.ts";
import { resourceRoute } from "../../../http/resource-route.ts";
import { documentIn } from "../file-routes.ts";
import { findWithheld } from "./box-store.ts";
import { findOwnReasons, findReasons, replaceOwnReasons } from "./reason-store.ts";
import * as shapes from "./schema.ts";
import { ownReasonList, reasonFields, reasonList, withheldList } from "./views.ts";

/** What redactions have withheld, and the reasons that they may have. */
export function withheldRoutes(app: FastifyInstance, { database }: Context): void {
  resourceRoute(app, {
    path: "/api/documents/:id/withheld/",
    view: withheldList,
    get: {
      schema: shapes.listingWithheld,
      async answer(request) {
        const { id } = await documentIn(request, database);
        return findWithheld(database.reader, id);
      },
    },
  });

  resourceRoute(app, {
    path: "/api/redaction_reasons/",
    view: reasonList,
    reading: "signed in",
    get: { schema: shapes.listingReasons, answer: () => findReasons(database.reader) },
  });

  resourceRoute(app, {
    path: "/api/admin/redaction_reasons/",
    view: ownReasonList,
    reading: "hidden",
    get: { schema: shapes.listingOwn, answer: () => findOwnReasons(database.reader) },
    put: {
      schema: shapes.replacingOwn,
      answer(request) {
        const reasons = readReasons(valueOf(bodyOf(request)));
        return database.write(async (writer) => {
          await replaceOwnReasons(writer, reasons);
          return findOwnReasons(writer);
        });
      },
    },
  });
}

function readReasons(value: unknown): { code: string; label: string }[] {
  if (Array.isArray(value) && value.length > reasonLimits.own)
    throw invalidWhole(`There may be ${reasonLimits.own} reasons at most`);
  const codes = new Set<string>(knownReasons.map(({ code }) => code));
  return readList(
    value,
    (members) => {
      const { code = "", label = "" } = readFields(reasonFields, members, "whole");
      if (codes.has(code)) throw invalidWhole(`There is a reason with the code ${code} already`);
      codes.add(code);
      return { code, label };
    },
    reasonLimits.own,
  );
}
