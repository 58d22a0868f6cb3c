import { type MatrixRow, matrixOf, targetOf } from "../../src/testing/matrix.ts";
import type { Asked } from "../../src/testing/ask.ts";
import { type FilledDocument, worldSlug } from "../../src/testing/access-world.ts";
import type { Words } from "../../src/testing/run-matrix.ts";

/* The expected answer for each right to a document (see access-rights.ts); the words are explained below. */
export const documentRows = matrixOf(`
  route                                        n        a        -         v         e         E
  GET    /api/documents/:id/                   nothing  200      nothing   200       200       200
  PATCH  /api/documents/:id/                   signin   signin   nothing   denied    200       200
  PUT    /api/documents/:id/                   signin   signin   nothing   denied    200       200
  DELETE /api/documents/:id/                   signin   signin   nothing   denied    denied    204
  PATCH  /api/documents/                       signin   signin   unfound   unfound   200       200
  PUT    /api/documents/                       signin   signin   unfound   unfound   200       200
  DELETE /api/documents/           ?id__in=:id signin   signin   undeleted undeleted undeleted 204
  GET    /api/documents/:id/data/              nothing  200      nothing   200       200       200
  GET    /api/documents/:id/data/:key/         nothing  200      nothing   200       200       200
  PUT    /api/documents/:id/data/:key/         signin   signin   nothing   unedited  200       200
  PATCH  /api/documents/:id/data/:key/         signin   signin   nothing   unedited  200       200
  DELETE /api/documents/:id/data/:key/         signin   signin   nothing   unedited  204       204
  GET    /api/documents/:id/history/           nothing  signin   nothing   denied    200       200
  GET    /api/documents/:id/bates/             signin   signin   nothing   denied    200       200
  POST   /api/productions/                     signin   signin   unproduced unproduced 201     201
  GET    /api/documents/:id/similar/           nothing  200      nothing   200       200       200
  GET    /api/documents/:id/mentioned/         nothing  200      nothing   200       200       200
  POST   /api/documents/:id/mentioned/         signin   signin   nothing   denied    unmentioned unmentioned
  GET    /api/documents/:id/mentioned/corrections/ signin  signin nothing  denied    200       200
  GET    /documents/:id/mentioned/             nothing  200      nothing   200       200       200
  GET    /documents/:id/mentioned/correct/     nothing  elsewhere nothing  nothing   200       200
  POST   /documents/:id/mentioned/correct/     denied   denied   nothing   nothing   unmentioned unmentioned
  GET    /api/documents/:id/comparison/ ?with=:id nothing 200    nothing   200       200       200
  GET    /documents/:id/comparison/:other/     nothing  200      nothing   200       200       200
  GET    /api/documents/:id/citation/          nothing  200      nothing   200       200       200
  GET    /files/documents/:id/* :slug.pdf      nothing  200      nothing   200       200       200
  GET    /documents/* :id-:slug/               nothing  200      nothing   200       200       200
`);

export const documentWords: Words = {
  nothing: [404, { detail: "Not found." }],
  signin: [403, { detail: "Authentication credentials were not provided." }],
  denied: [403, { detail: "You do not have permission to perform this action." }],
  unedited: [403, { detail: "You may not edit this document" }],
  unfound: [400, ["Could not find all objects to update."]],
  unproduced: [400],
  unmentioned: [400],
  elsewhere: [302],
  undeleted: [400, ["Could not find all objects to delete"]],
};

/** The text that a successful change stores, so that the test can find it. */
export const writtenText = "It was me";

export function documentRequest(row: MatrixRow, { id, access }: FilledDocument): Asked {
  const { method, path } = row;
  const changes =
    method === "PUT" ? { title: writtenText, source: writtenText, access } : { source: writtenText };
  const values: Record<string, unknown> = {
    "/api/documents/:id/": changes,
    "/api/documents/": [{ id, ...changes }],
    "/api/productions/": { documents: [id], prefix: "ABC", name: writtenText },
    "/api/documents/:id/mentioned/": { kind: "email", value: writtenText, becomes: null },
    "/api/documents/:id/data/:key/": { values: [writtenText] },
  };
  const target = targetOf(row, { id, slug: worldSlug, key: "a", other: id });
  if (path.endsWith("/correct/")) {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const body = `kind=email&value=${encodeURIComponent(writtenText)}&as=rejected`;
    return { method, target, by: "session", ...(method === "POST" && { headers, body }) };
  }
  const hasBody = ["PUT", "PATCH", "POST"].includes(method);
  return { method, target, ...(hasBody && { value: values[path] }) };
}
