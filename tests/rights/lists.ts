import type { Role } from "../../src/testing/access-rights.ts";
import type { Asked } from "../../src/testing/ask.ts";
import { type MatrixRow, matrixOf, targetOf } from "../../src/testing/matrix.ts";
import type { Words } from "../../src/testing/run-matrix.ts";

/*
 * Lists, and pages that are about no single thing. No answer shows anything that its reader may not see. `200:seen` has
 * exactly the documents that the reader sees, `200:newest` the eight newest of them with the number of all, `200:public`
 * those that everybody sees, and `200:trash` the deleted ones that the reader may bring back. `200:counted` counts the
 * documents that the reader may change, and `200:changes` are those.
 */
export const listRows = matrixOf(`
  route                                                                 anonymous   others      administrator
  GET  /api/documents/            ?per_page=100                         200:seen    200:seen    200:seen
  GET  /api/documents/            ?per_page=100&ordering=-created_at    200:seen    200:seen    200:seen
  GET  /api/documents/            ?per_page=100&ordering=title&user=:owner 200:seen 200:seen    200:seen
  GET  /api/documents/            ?per_page=100&project=:project        200:seen    200:seen    200:seen
  GET  /api/documents/            ?per_page=100&expand=notes,sections,user,organization,projects 200:seen 200:seen 200:seen
  GET  /api/documents/search/     ?q=title&per_page=100&hl=true         200:seen    200:seen    200:seen
  GET  /api/documents/search/     ?q=harbour&per_page=100&hl=true       200:seen    200:seen    200:seen
  GET  /api/documents/search/     ?q=title&per_page=100&expand=notes    200:seen    200:seen    200:seen
  GET  /api/documents/search/suggest/  ?q=titel                         200         200         200
  GET  /api/documents/mentioned/  ?kind=email                           200         200         200
  POST  /api/documents/mentioned/ ?q=harbour                            signin      unnamed     unnamed
  GET  /mentioned/                                                      200         200         200
  GET  /api/documents/timeline/   ?of=created_at                        200         200         200
  GET  /timeline/                                                       200         200         200
  GET  /mentioned/correct/        ?kind=email&value=a                   elsewhere   200         200
  POST /mentioned/correct/                                              denied      unnamed     unnamed
  GET  /api/documents/search/     ?folder=Leak&per_page=100             200:seen    200:seen    200:seen
  GET  /api/documents/tree/                                             200         200         200
  GET  /api/documents/tree/       ?folder=Leak&per_page=100             200:seen    200:seen    200:seen
  GET  /api/documents/duplicates/ ?sha1=:sha1                           200:counted 200:counted 200:counted
  GET  /api/documents/pending/                                          200         200         200
  GET  /api/documents/redactions/                                       200         200         200
  GET  /api/documents/trash/      ?per_page=100                         signin      200:trash   200:trash
  GET  /api/notes/                ?per_page=100                         200         200         200
  GET  /api/notes/                ?per_page=100&expand=document         200         200         200
  GET  /api/notes/export/         ?as=csv                               200         200         200
  GET  /api/notes/export/         ?as=json                              200         200         200
  GET  /api/projects/             ?per_page=100                         200         200         200
  POST /api/projects/                                                   signin      201         201
  POST /projects/                                                       denied      303         303
  GET  /api/quotations/           ?quote=harbour                        200         200         200
  GET  /quotations/               ?quote=harbour                        200         200         200
  GET  /api/events/               ?per_page=1000                        200         200         200
  GET  /api/statistics/                                                 signin      denied      200
  GET  /sitemap.xml                                                     200         200         200
  GET  /sitemap-:part.xml                                               200:public  200:public  200:public
  GET  /documents/feed.atom                                             200:public  200:public  200:public
  GET  /                                                                200:newest  200:newest  200:newest
  GET  /                          ?q=harbour                            200:seen    200:seen    200:seen
  GET  /notes/                                                          200         200         200
  GET  /projects/                                                       200         200         200
  GET  /shared/                                                         elsewhere   200         200
  GET  /documents/                                                      200:seen    200         200
  GET  /tree/                                                           200         200         200
  GET  /tree/                     ?folder=Leak                          200:seen    200:seen    200:seen
  GET  /                          ?folder=Leak                          200:seen    200:seen    200:seen
  GET  /documents/trash/                                                elsewhere   200         200
  GET  /documents/spreadsheet/                                          elsewhere   200         200
  GET  /api/documents/spreadsheet/export/ ?q=title                      200         200         200
  POST /api/documents/spreadsheet/                                      signin      200:changes 200:changes
  GET  /redact/                                                         elsewhere   200         200
  GET  /upload/                                                         elsewhere   200         200
  POST /upload/                                                         signin      303         303
  GET  /users/*                   owner                                 302         302         302
  GET  /organizations                                                   302         302         302
  GET  /organizations/*           organization-1                        302         302         302
  GET  /sign-in/                                                        200         200         200
  GET  /sign-in                                                         301         301         301
  GET  /accounts/login/                                                 302         302         302
  GET  /accounts/login/squarelet                                        302         302         302
  GET  /accounts/signup/                                                302         302         302
  GET  /accounts/logout/                                                302         302         302
  GET  /forgot-password/                                                nothing     nothing     nothing
  POST /forgot-password/                                                nothing     nothing     nothing
  GET  /static/:name                                                    nothing     nothing     nothing
  GET  /api/                                                            200         200         200
  GET  /api/schema/                                                     200         200         200
  GET  /api/schema/docs                                                 301         301         301
  GET  /api/schema/docs/                                                200         200         200
  GET  /api/addons/                                                     200         200         200
  GET  /api/addon_runs/                                                 200         200         200
  GET  /api/addon_events/                                               200         200         200
  GET  /api/flatpages/                                                  200         200         200
  GET  /robots.txt                                                      200         200         200
  GET  /llms.txt                                                        nothing     nothing     nothing
  GET  /.well-known/security.txt                                        nothing     nothing     nothing
  GET  /livez                                                           200         200         200
  GET  /readyz                                                          200         200         200
  GET  /metrics                                                         nothing     nothing     nothing
`);

export const listWords: Words = {
  nothing: [404, { detail: "Not found." }],
  signin: [403, { detail: "Authentication credentials were not provided." }],
  denied: [403, { detail: "You do not have permission to perform this action." }],
  elsewhere: [302],
  unnamed: [400],
};

/** The values of the parameters of lists. */
export interface ListValues {
  owner: number;
  project: number;
  sha1: string;
  part: number;
}

export function listWord({ words }: MatrixRow, role: Role): string {
  return words[{ anonymous: 0, administrator: 2 }[role as string] ?? 1] ?? "";
}

/** The title of what changes create. */
export const writtenTitle = "Written by a list";

export const sheetPath = "/api/documents/spreadsheet/";

/** A spreadsheet with a line for every document of the world, and for some that never existed. */
const sheet = `id,title\n${Array.from({ length: 100 }, (_, index) => `${100_000 + index},${writtenTitle}\n`).join("")}`;

/** The request of a row. */
export function listRequest(row: MatrixRow, values: ListValues): Asked {
  const { method, path } = row;
  const isPage = !/^\/(?:api|iiif)\//.test(path);
  const asked = { method, target: targetOf(row, { ...values }), ...(isPage && { by: "session" as const }) };
  if (method === "GET") return asked;
  if (path === sheetPath) return { ...asked, value: { csv: sheet, overwrite: true } };
  if (path === "/api/documents/mentioned/") return { ...asked, value: { kind: "email", becomes: null } };
  if (path === "/mentioned/correct/") {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return { ...asked, headers, body: "kind=email&as=rejected" };
  }
  if (path.startsWith("/api/")) return { ...asked, value: { title: writtenTitle } };
  if (path === "/projects/") {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return { ...asked, headers, body: `title=${encodeURIComponent(writtenTitle)}` };
  }
  const lines = ["--x", 'content-disposition: form-data; name="title"', "", writtenTitle];
  lines.push("--x", 'content-disposition: form-data; name="file"; filename="a.txt"', "", "Text", "--x--", "");
  return {
    ...asked,
    headers: { "content-type": "multipart/form-data; boundary=x" },
    body: lines.join("\r\n"),
  };
}
