import type { AccessWorld, FilledDocument } from "../../src/testing/access-world.ts";
import type { Asked } from "../../src/testing/ask.ts";
import { type MatrixRow, matrixOf, targetOf } from "../../src/testing/matrix.ts";
import type { Words } from "../../src/testing/run-matrix.ts";

/*
 * The documents of a project. All are in it and shared; its editors, its admins and administrators may write to it. For
 * these users the answer depends on their right to the document (see access-rights.ts); everyone else is "outside". The
 * shelf is another project, to which all signed-in users may add documents. `.`: the right to the document decides, for
 * these as well.
 */
export const membershipRows = matrixOf(`
  route                                                            anonymous  outside    -          v            e            E
  GET    /api/projects/:id/documents/:document/                    .          .          nothing    200          200          200
  PATCH  /api/projects/:id/documents/:document/   share            signin     unwriting  nothing    unshareable  unshareable  200
  PATCH  /api/projects/:id/documents/:document/   unshare          signin     unwriting  nothing    200          200          200
  PUT    /api/projects/:id/documents/:document/                    signin     unwriting  nothing    200          200          200
  DELETE /api/projects/:id/documents/:document/                    signin     unwriting  nothing    204          204          204
  PATCH  /api/projects/:id/documents/             share            signin     unwriting  unknowns   unshareable  unshareable  200
  PATCH  /api/projects/:id/documents/             unshare          signin     unwriting  unknowns   200          200          200
  DELETE /api/projects/:id/documents/   ?document_id__in=:document signin     unwriting  unchosen   204          204          204
  DELETE /api/projects/:id/documents/             all              signin     unwriting  unnamed    unnamed      unnamed      unnamed
  POST   /api/projects/:id/documents/             shelve           signin     .          unknown    201          201          201
  POST   /api/projects/:id/documents/             shelve-shared    signin     .          unknown    unshareable  unshareable  201
  POST   /api/projects/:id/documents/             shelve-several   signin     .          unknowns   201          201          201
`);

/*
 * The project itself and its collaborators: the answers for each role, for a project that everyone sees and for a
 * secret one.
 */
export const projectRows = matrixOf(`
  route                                        anonymous owner      member     orgadmin   other      viewer     editor     padmin admin   unshared
  GET    /api/projects/:id/             public 200       200        200        200        200        200        200        200    200     200
  GET    /api/projects/:id/             secret nothing   nothing    nothing    nothing    nothing    200        200        200    nothing nothing
  PATCH  /api/projects/:id/             public signin    uneditable uneditable uneditable uneditable uneditable uneditable 200    200     uneditable
  PATCH  /api/projects/:id/             secret signin    nothing    nothing    nothing    nothing    uneditable uneditable 200    nothing nothing
  PUT    /api/projects/:id/             public signin    forbidden  forbidden  forbidden  forbidden  forbidden  forbidden  200    200     forbidden
  PUT    /api/projects/:id/             secret signin    nothing    nothing    nothing    nothing    forbidden  forbidden  200    nothing nothing
  DELETE /api/projects/:id/             public signin    forbidden  forbidden  forbidden  forbidden  forbidden  forbidden  204    204     forbidden
  DELETE /api/projects/:id/             secret signin    nothing    nothing    nothing    nothing    forbidden  forbidden  204    nothing nothing
  GET    /api/projects/:id/documents/   public 200       200        200        200        200        200        200        200    200     200
  GET    /api/projects/:id/documents/   secret nothing   nothing    nothing    nothing    nothing    200        200        200    nothing nothing
  POST   /api/projects/:id/documents/   public signin    unwriting  unwriting  unwriting  unwriting  unwriting  201        201    201     unwriting
  POST   /api/projects/:id/documents/   secret nothing   nothing    nothing    nothing    nothing    unwriting  201        201    nothing nothing
  PUT    /api/projects/:id/documents/   public signin    unwriting  unwriting  unwriting  unwriting  unwriting  200        200    200     unwriting
  PUT    /api/projects/:id/documents/   secret nothing   nothing    nothing    nothing    nothing    unwriting  200        200    nothing nothing
  GET    /api/projects/:id/users/       public 200       200        200        200        200        200        200        200    200     200
  GET    /api/projects/:id/users/       secret nothing   nothing    nothing    nothing    nothing    200        200        200    nothing nothing
  POST   /api/projects/:id/users/       public signin    unadding   unadding   unadding   unadding   unadding   unadding   201    201     unadding
  POST   /api/projects/:id/users/       secret nothing   nothing    nothing    nothing    nothing    unadding   unadding   201    nothing nothing
  GET    /api/projects/:id/users/:user/ public nothing   nothing    nothing    nothing    nothing    nothing    nothing    200    200     nothing
  GET    /api/projects/:id/users/:user/ secret nothing   nothing    nothing    nothing    nothing    nothing    nothing    200    nothing nothing
  PATCH  /api/projects/:id/users/:user/ public signin    nothing    nothing    nothing    nothing    nothing    nothing    200    200     nothing
  PATCH  /api/projects/:id/users/:user/ secret signin    nothing    nothing    nothing    nothing    nothing    nothing    200    nothing nothing
  PUT    /api/projects/:id/users/:user/ public signin    nothing    nothing    nothing    nothing    nothing    nothing    200    200     nothing
  DELETE /api/projects/:id/users/:user/ public signin    nothing    nothing    nothing    nothing    nothing    nothing    204    204     nothing
  DELETE /api/projects/:id/users/:user/ secret signin    nothing    nothing    nothing    nothing    nothing    nothing    204    nothing nothing
  POST   /api/projects/:id/mailkey/     public signin    forbidden  forbidden  forbidden  forbidden  forbidden  200        200    forbidden forbidden
  POST   /api/projects/:id/mailkey/     secret nothing   nothing    nothing    nothing    nothing    forbidden  200        200    nothing nothing
  DELETE /api/projects/:id/mailkey/     public signin    204        204        204        204        204        204        204    204     204
  DELETE /api/projects/:id/mailkey/     secret nothing   nothing    nothing    nothing    nothing    204        204        204    nothing nothing
  GET    /projects/:name/               public 200       200        200        200        200        200        200        200    200     200
  GET    /projects/:name/               secret nothing   nothing    nothing    nothing    nothing    200        200        200    nothing nothing
  GET    /api/oembed/                   public 200       200        200        200        200        200        200        200    200     200
  GET    /api/oembed/                   secret nothing   nothing    nothing    nothing    nothing    200        200        200    nothing nothing
  POST   /api/documents/                public signin    unjoined   unjoined   unjoined   unjoined   unjoined   201        201    unjoined unjoined
  POST   /api/documents/                secret signin    unjoined   unjoined   unjoined   unjoined   unjoined   201        201    unjoined unjoined
  GET    /api/documents/                secret unlisted  unlisted   unlisted   unlisted   unlisted   200        200        200    unlisted unlisted
  GET    /api/notes/                    secret unlisted  unlisted   unlisted   unlisted   unlisted   200        200        200    unlisted unlisted
  GET    /api/users/                    secret signin    unlisted   unlisted   unlisted   unlisted   200        200        200    unlisted unlisted
  GET    /api/documents/search/         secret 200       200        200        200        200        200        200        200    200     200
`);

const pk = 'Invalid pk "<document>" - object does not exist.';
export const projectWords: Words = {
  nothing: [404, { detail: "Not found." }],
  signin: [403, { detail: "Authentication credentials were not provided." }],
  uneditable: [403, { detail: "You do not have permission to edit this document" }],
  forbidden: [403, { detail: "You do not have permission to perform this action." }],
  unadding: [403, { detail: "You do not have permission to add collaborators to this project" }],
  unwriting: [403, { detail: "You do not have permission to edit documents in this project" }],
  unshareable: [
    403,
    { detail: "You may only set `edit_access` to true if you have permission to share `document`" },
  ],
  unknown: [400, { document: [pk] }],
  unknowns: [400, [{ document: [pk] }]],
  unchosen: [
    400,
    { document_id__in: ["Select a valid choice. <document> is not one of the available choices."] },
  ],
  unjoined: [400, { projects: ['Invalid pk "<id>" - object does not exist.'] }],
  unlisted: [400, { project: ["Select a valid choice. <id> is not one of the available choices."] }],
  unnamed: [400, ["May not bulk delete unless you explicitly specify IDs"]],
};

/** The request of a row about a document in a project. The shelf is the project to which everyone may add documents. */
export function membershipRequest(
  row: MatrixRow,
  { project, shelf }: { project: number; shelf: number },
  { id: document }: FilledDocument,
): Asked {
  const { method, path, variant } = row;
  const isQuery = variant.startsWith("?");
  const id = method === "POST" ? shelf : project;
  const target = targetOf({ path, variant: isQuery ? variant : "" }, { id, document });
  const values: Record<string, unknown> = {
    "PATCH share": { edit_access: true },
    "PATCH unshare": { edit_access: false },
    "PUT ": { document, edit_access: false },
    "POST shelve": { document },
    "POST shelve-shared": { document, edit_access: true },
    "POST shelve-several": [{ document }],
  };
  const value = values[`${method} ${variant}`];
  if (value === undefined) return { method, target };
  const isList = method === "PATCH" && !path.endsWith("/:document/");
  return { method, target, value: isList ? [{ document, ...(value as object) }] : value };
}

/** A project with a collaborator of each kind. */
export interface WorldProject {
  id: number;
  /** A public document of the owner, which is not in the project. */
  document: number;
  isSecret: boolean;
}

export const writtenTitle = "Mine";

/** The request of a row about a project. */
export function projectRequest(
  { app, people }: Pick<AccessWorld, "app" | "people">,
  row: MatrixRow,
  { id, document }: WorldProject,
): Asked {
  const { method, path } = row;
  const user = people["project viewer"]?.id ?? 0;
  const address = `${app.url}/projects/${id}-a-project/`;
  const queries: Record<string, string> = {
    "/api/oembed/": `?url=${encodeURIComponent(address)}`,
    "/api/documents/": `?project=${id}`,
    "/api/notes/": `?project=${id}`,
    "/api/users/": `?project=${id}`,
    "/api/documents/search/": `?q=project:${id}`,
  };
  const target = targetOf({ path, variant: "" }, { id, user, name: `${id}-a-project` });
  if (method === "GET") return { method, target: target + (queries[path] ?? "") };
  const values: Record<string, unknown> = {
    "/api/projects/:id/": { title: writtenTitle },
    "POST /api/projects/:id/documents/": { document, edit_access: null },
    "PUT /api/projects/:id/documents/": [],
    "/api/projects/:id/users/": { email: "other@example.org", access: "view" },
    "/api/projects/:id/users/:user/": { access: "edit" },
    "/api/documents/": { title: writtenTitle, projects: [id] },
  };
  const value = values[`${method} ${path}`] ?? values[path];
  return { method, target, ...(method !== "DELETE" && { value }) };
}
