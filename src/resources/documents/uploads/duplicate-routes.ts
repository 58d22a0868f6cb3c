import type { FastifyInstance } from "fastify";
import { Duplicate } from "../../../contract/document.ts";
import type { Context } from "../../../context.ts";
import { invalidFields } from "../../../errors.ts";
import { Type } from "../../../http/fields/json-schema.ts";
import { FieldErrors } from "../../../http/fields/schema-shapes.ts";
import { resourceRoute } from "../../../http/resource-route.ts";
import { addressesOf } from "../../../http/text/addresses.ts";
import { type View, queryOf } from "../../../http/browsable/view.ts";
import { documentAddress } from "../present.ts";
import { findDuplicates } from "./duplicates-store.ts";

const maxHashes = 100;

const view: View = {
  name: "Duplicates",
  description: "The documents that have a file already: give the SHA-1 of each file as `sha1`.",
};

const finding = {
  summary: "Find the documents that have one of these files",
  query: {
    sha1: Type.Array(Duplicate.properties.sha1, {
      description: `at most ${maxHashes}`,
      examples: ["a54d88e06612d820bc3be72877c74f257b561b19"],
    }),
  },
  gives: Type.Object(
    {
      results: Type.Array(Duplicate),
    },
    { $id: "DuplicateList" },
  ),
  also: { 400: FieldErrors },
};

/** Finds files that were uploaded before, so that clients need not upload them again. Finds only visible documents. */
export function duplicateRoutes(app: FastifyInstance, { config, database }: Context): void {
  resourceRoute(app, {
    path: "/api/documents/duplicates/",
    view,
    takesLongQuery: true,
    get: {
      schema: finding,
      async answer(request, viewer) {
        const hashes = [
          ...new Set(
            queryOf(request)
              .list("sha1")
              .map((hash) => hash.toLowerCase()),
          ),
        ];
        const problem = problemWith(hashes);
        if (problem !== null) throw invalidFields({ sha1: [problem] });
        const { web } = addressesOf(config, request);
        const found = await findDuplicates(database, viewer, hashes);
        const results = found.map((row): Duplicate => ({
          sha1: row.sha1,
          count: row.count,
          document: row.id,
          title: row.title,
          status: row.status,
          canonical_url: documentAddress(web, row),
        }));
        return { results };
      },
    },
  });
}

function problemWith(hashes: readonly string[]): string | null {
  if (hashes.length === 0) return "This field is required.";
  if (hashes.length > maxHashes) return `Must not have more than ${maxHashes} values.`;
  return hashes.every((hash) => /^[0-9a-f]{40}$/.test(hash)) ? null : "Must have 40 hexadecimal digits.";
}
