import { type FilledDocument, absentId } from "../../src/testing/access-world.ts";
import type { Asked } from "../../src/testing/ask.ts";
import { type MatrixRow, matrixOf, targetOf } from "../../src/testing/matrix.ts";
import type { Words } from "../../src/testing/run-matrix.ts";
import { writtenText } from "./documents.ts";

/* The expected answer about the sections and the entities of a document, for each right to it (see access-rights.ts). */
export const partRows = matrixOf(`
  route                                              n        a        -        v          e          E
  GET    /api/documents/:id/sections/                nothing  200      nothing  200        200        200
  POST   /api/documents/:id/sections/                nothing  signin   nothing  unmaking   201        201
  POST   /api/documents/:id/sections/           bad  nothing  signin   nothing  badpage    badpage    badpage
  GET    /api/documents/:id/sections/:section/       nothing  200      nothing  200        200        200
  PATCH  /api/documents/:id/sections/:section/       nothing  signin   nothing  denied     200        200
  PATCH  /api/documents/:id/sections/:section/  bad  nothing  signin   nothing  denied     badpage    badpage
  PUT    /api/documents/:id/sections/:section/       nothing  signin   nothing  denied     200        200
  DELETE /api/documents/:id/sections/:section/       nothing  signin   nothing  denied     204        204
  GET    /api/documents/:id/sections/:section/  none nothing  nothing  nothing  nothing    nothing    nothing
  GET    /api/documents/:id/entities/                nothing  200      nothing  200        200        200
  POST   /api/documents/:id/entities/                nothing  signin   nothing  uneditable 201        201
  POST   /api/documents/:id/entities/        several nothing  signin   nothing  uneditable 201        201
  POST   /api/documents/:id/entities/            bad nothing  signin   nothing  uneditable nonumber   nonumber
  POST   /api/documents/:id/entities/          again nothing  signin   nothing  uneditable again      again
  GET    /api/documents/:id/entities/:entity/        nothing  200      nothing  200        200        200
  PATCH  /api/documents/:id/entities/:entity/        nothing  signin   nothing  uneditable 200        200
  PATCH  /api/documents/:id/entities/:entity/    bad nothing  signin   nothing  uneditable nonumber   nonumber
  PUT    /api/documents/:id/entities/:entity/        nothing  signin   nothing  uneditable 200        200
  DELETE /api/documents/:id/entities/:entity/        nothing  signin   nothing  uneditable 204        204
  DELETE /api/documents/:id/entities/:entity/   none nothing  signin   nothing  uneditable nothing    nothing
  GET    /api/documents/:id/legacy_entities/         nothing  200      nothing  200        200        200
  GET    /api/documents/:id/legacy_entities_2/       nothing  200      nothing  200        200        200
  GET    /api/documents/:id/dates/                   nothing  200      nothing  200        200        200
`);

export const partWords: Words = {
  nothing: [404, { detail: "Not found." }],
  signin: [403, { detail: "Authentication credentials were not provided." }],
  denied: [403, { detail: "You do not have permission to perform this action." }],
  unmaking: [403, { detail: "You may only create sections on documents you have edit access to" }],
  uneditable: [403, { detail: "You do not have permission to edit entities on this document" }],
  nonumber: [400, { relevance: ["A valid number is required."] }],
  again: [400, { entity: ["The document has this entity already."] }],
  badpage: [400, { page_number: ["Must be a valid page for the document"] }],
};

/** The relevance that a successful change stores. */
export const writtenRelevance = 7;

/** The request of a row. `other` is an entity that no document has. */
export function partRequest(row: MatrixRow, document: FilledDocument, other: number): Asked {
  const { method, variant, path } = row;
  const { id, entity } = document;
  const section = variant === "none" ? absentId.section : document.section;
  const target = targetOf(
    { path, variant: "" },
    { id, section, entity: variant === "none" ? other : entity },
  );
  if (method === "GET" || method === "DELETE") return { method, target };
  const isBad = variant === "bad";
  if (path.includes("sections")) {
    const value = {
      title: writtenText,
      ...(method !== "PATCH" && { page_number: 0 }),
      ...(isBad && { page_number: 1 }),
    };
    return { method, target, value };
  }
  const relevance = isBad ? "high" : writtenRelevance;
  const added = { entity: variant === "again" ? entity : other, relevance };
  const value = method === "POST" ? added : { relevance };
  return { method, target, value: variant === "several" ? [value] : value };
}
