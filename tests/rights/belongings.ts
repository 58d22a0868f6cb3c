import { type Role, roles } from "../../src/testing/access-rights.ts";
import type { Asked } from "../../src/testing/ask.ts";
import { type MatrixRow, matrixOf, targetOf } from "../../src/testing/matrix.ts";
import type { Words } from "../../src/testing/run-matrix.ts";

/*
 * What belongs to one person: the account, and what only its owner sees. The columns are anonymous viewers, the owner,
 * all others, and administrators. The owner of a legal hold is an admin of the organization whose documents it covers.
 * Everybody asks with a session unless the variant says something else.
 */
export const belongingRows = matrixOf(`
  route                                              anonymous owner     others    administrator
  GET    /api/documents/search/saved/                signin    200       200       200
  POST   /api/documents/search/saved/                signin    201       201       201
  GET    /api/documents/search/saved/:uuid/          signin    200       nothing   nothing
  PUT    /api/documents/search/saved/:uuid/          signin    200       nothing   nothing
  PATCH  /api/documents/search/saved/:uuid/          signin    200       nothing   nothing
  DELETE /api/documents/search/saved/:uuid/          signin    204       nothing   nothing
  POST   /api/documents/search/saved/:uuid/seen/     signin    200       nothing   nothing
  GET    /api/guest_links/                           signin    200       200       200
  POST   /api/guest_links/                           signin    201       nosearch  nosearch
  GET    /api/guest_links/:uuid/                     signin    200       nothing   200
  DELETE /api/guest_links/:uuid/                     signin    204       nothing   204
  GET    /api/holds/                                 signin    200       200       200
  GET    /api/holds/                        by-token signin    200       200       200
  POST   /api/holds/                                 signin    201       denied    201
  POST   /api/holds/                        by-token signin    denied    denied    denied
  GET    /api/holds/:id/                             signin    200       nothing   200
  GET    /api/holds/:id/documents/                   signin    200       nothing   200
  DELETE /api/holds/:id/                             signin    204       nothing   204
  DELETE /api/holds/:id/                    by-token signin    nothing   nothing   nothing
  GET    /api/imports/                               signin    200       200       200
  POST   /api/imports/                               signin    201       201       201
  GET    /api/imports/:id/                           signin    200       nothing   nothing
  GET    /api/imports/:id/files/                     signin    200       nothing   nothing
  POST   /api/imports/:id/files/                     signin    200       nothing   nothing
  POST   /api/imports/:id/process/                   signin    202       nothing   nothing
  GET    /api/productions/                           signin    200       200       200
  GET    /api/productions/:id/                       signin    200       nothing   nothing
  GET    /api/productions/:id/documents/             signin    200       nothing   nothing
  GET    /api/productions/:id/zip/                   signin    200       nothing   nothing
  DELETE /api/productions/:id/                       signin    204       nothing   nothing
  GET    /api/addons/:id/                            nothing   200       nothing   nothing
  PUT    /api/addons/:id/                            signin    200       nothing   nothing
  PATCH  /api/addons/:id/                            signin    200       nothing   nothing
  DELETE /api/addons/:id/                            signin    denied    nothing   nothing
  POST   /api/addon_runs/                            signin    201       refused   refused
  GET    /api/addon_runs/:uuid/                      nothing   200       nothing   nothing
  PUT    /api/addon_runs/:uuid/                      signin    200       nothing   nothing
  PATCH  /api/addon_runs/:uuid/                      signin    200       nothing   nothing
  DELETE /api/addon_runs/:uuid/                      signin    204       nothing   nothing
  GET    /files/addon-runs/:uuid/                    nothing   200       nothing   nothing
  POST   /api/addon_events/                          signin    201       refused   refused
  GET    /api/addon_events/:id/                      nothing   200       nothing   nothing
  PUT    /api/addon_events/:id/                      signin    200       nothing   nothing
  PATCH  /api/addon_events/:id/                      signin    200       nothing   nothing
  DELETE /api/addon_events/:id/                      signin    denied    nothing   nothing
  GET    /api/webhooks/                              signin    200       200       200
  POST   /api/webhooks/                              signin    201       201       201
  GET    /api/webhooks/:id/                          signin    200       nothing   nothing
  PUT    /api/webhooks/:id/                          signin    200       nothing   nothing
  PATCH  /api/webhooks/:id/                          signin    200       nothing   nothing
  DELETE /api/webhooks/:id/                          signin    204       nothing   nothing
  POST   /api/webhooks/:id/secret/                   signin    201       nothing   nothing
  GET    /api/webhooks/:id/deliveries/               signin    200       nothing   nothing
  GET    /api/webhooks/:id/deliveries/:delivery/     signin    200       nothing   nothing
  POST   /api/webhooks/:id/deliveries/:delivery/     signin    202       nothing   nothing
  GET    /api/account/                               signin    200       200       200
  GET    /api/account/                      by-token signin    bytoken   bytoken   bytoken
  PATCH  /api/account/                               signin    200       200       200
  PATCH  /api/account/                      by-token signin    bytoken   bytoken   bytoken
  POST   /api/account/password/             by-token signin    bytoken   bytoken   bytoken
  GET    /api/account/tokens/                        signin    200       200       200
  GET    /api/account/tokens/               by-token signin    bytoken   bytoken   bytoken
  POST   /api/account/tokens/                        signin    201       201       201
  POST   /api/account/tokens/               by-token signin    bytoken   bytoken   bytoken
  GET    /api/account/tokens/:id/                    signin    200       nothing   nothing
  DELETE /api/account/tokens/:id/                    signin    204       nothing   nothing
  DELETE /api/account/tokens/:id/           by-token signin    bytoken   bytoken   bytoken
  GET    /api/account/sessions/                      signin    200       200       200
  DELETE /api/account/sessions/                      signin    204       204       204
  DELETE /api/account/sessions/             by-token signin    bytoken   bytoken   bytoken
  GET    /api/account/sessions/:session/             signin    200       nothing   nothing
  DELETE /api/account/sessions/:session/             signin    204       nothing   nothing
  DELETE /api/account/sessions/:session/    by-token signin    bytoken   bytoken   bytoken
  GET    /api/account/shared/                        signin    200       200       200
  GET    /api/account/notifications/                 signin    200       200       200
  PATCH  /api/account/notifications/                 signin    200       200       200
  GET    /notifications/                             elsewhere 200       200       200
  POST   /notifications/                             denied    303       303       303
  GET    /running/                                   elsewhere 200       200       200
  GET    /api/redaction_reasons/                     signin    200       200       200
  GET    /account/                                   elsewhere 200       200       200
  POST   /account/                                   denied    303       303       303
  GET    /account/preferences/                       302       302       302       302
  POST   /account/preferences/                       denied    303       303       303
  POST   /account/notices/                           denied    303       303       303
  GET    /account/password/                          302       302       302       302
  GET    /account/tokens/                            302       302       302       302
  POST   /account/tokens/                            denied    200       200       200
  POST   /account/tokens/:id/                        denied    303       leadback  leadback
  GET    /account/identities/                        302       302       302       302
  GET    /account/sessions/                          302       302       302       302
  POST   /account/sessions/                          denied    303       303       303
  POST   /account/sessions/:session/                 denied    303       leadback  leadback
  GET    /account/searches/                          elsewhere 200       200       200
  POST   /account/searches/                          denied    303       303       303
  GET    /account/searches/:uuid/                    elsewhere 200       nothing   nothing
  POST   /account/searches/:uuid/                    denied    303       nothing   nothing
  POST   /account/searches/:uuid/seen/               denied    303       nothing   nothing
  POST   /account/searches/:uuid/delete/             denied    303       nothing   nothing
  GET    /account/addons/                            elsewhere 200       200       200
  GET    /account/addons/:id/                        elsewhere 200       nothing   nothing
  POST   /account/addons/:id/                        denied    303       nothing   nothing
  GET    /account/addons/:id/events/                 elsewhere 200       nothing   nothing
  POST   /account/addons/:id/events/                 denied    303       nothing   nothing
  GET    /account/addons/events/:id/                 elsewhere 200       nothing   nothing
  POST   /account/addons/events/:id/                 denied    303       nothing   nothing
  POST   /account/addons/events/:id/remove/          denied    303       nothing   nothing
  GET    /account/addons/runs/:uuid/                 elsewhere 200       nothing   nothing
  POST   /account/addons/runs/:uuid/cancel/          denied    303       nothing   nothing
  POST   /account/addons/runs/:uuid/dismiss/         denied    303       nothing   nothing
  GET    /account/guests/                            elsewhere 200       200       200
  POST   /account/guests/                            denied    200       refused   refused
  POST   /account/guests/:uuid/revoke/               denied    303       nothing   303
  GET    /imports/                                   elsewhere 200       200       200
  GET    /imports/:id/                               elsewhere 200       nothing   nothing
  POST   /imports/:id/process/                       denied    303       nothing   nothing
  GET    /productions/                               elsewhere 200       200       200
  GET    /productions/new/                           elsewhere 200       200       200
  POST   /productions/new/                           denied    unproduced unproduced unproduced
  GET    /productions/:id/                           elsewhere 200       nothing   nothing
  POST   /productions/:id/remove/                    denied    303       nothing   nothing
  GET    /account/webhooks/                          elsewhere 200       200       200
  POST   /account/webhooks/                          denied    200       200       200
  GET    /account/webhooks/:id/                      elsewhere 200       nothing   nothing
  POST   /account/webhooks/:id/                      denied    303       nothing   nothing
  GET    /account/webhooks/:id/secret/               302       302       302       302
  POST   /account/webhooks/:id/secret/               denied    200       nothing   nothing
  POST   /account/webhooks/:id/delete/               denied    303       nothing   nothing
  POST   /account/webhooks/:id/deliveries/:delivery/ denied    303       nothing   nothing
  HEAD   /uploads/tus/:upload                        nobody    200       none      none
  PATCH  /uploads/tus/:upload                        signin    204       nothing   nothing
  DELETE /uploads/tus/:upload                        signin    204       nothing   nothing
  GET    /api/users/me/                              signin    200       200       200
  PUT    /api/users/me/                              signin    200       200       200
  PATCH  /api/users/me/                              signin    200       200       200
  GET    /api/users/                                 signin    200       200       200
  GET    /api/users/:id/                    known    signin    200       200       200
  PUT    /api/users/:id/                    known    signin    200       denied    denied
  PATCH  /api/users/:id/                    known    signin    200       denied    denied
  GET    /api/users/:id/                    unknown  signin    nothing   nothing   200
  PUT    /api/users/:id/                    unknown  signin    nothing   nothing   denied
  PATCH  /api/users/:id/                    unknown  signin    nothing   nothing   denied
  GET    /api/organizations/                         signin    200       200       200
  GET    /api/organizations/:id/            known    signin    200       200       200
  GET    /api/organizations/:id/            unknown  signin    nothing   nothing   200
  GET    /api/entities/                              200       200       200       200
  POST   /api/entities/                              signin    201       201       201
  GET    /api/entities/:id/                          200       200       200       200
  PUT    /api/entities/:id/                          signin    200       denied    200
  PATCH  /api/entities/:id/                          signin    200       denied    200
  DELETE /api/entities/:id/                          signin    denied    denied    204
  POST   /api/users/mailkey/                         signin    200       200       200
  DELETE /api/users/mailkey/                         signin    204       204       204
  GET    /account/mail/                              elsewhere 200       200       200
  POST   /account/mail/                              denied    200       200       200
  POST   /account/mail/revoke/                       denied    303       303       303
`);

export const belongingWords: Words = {
  nothing: [404, { detail: "Not found." }],
  none: [404],
  nobody: [403],
  signin: [403, { detail: "Authentication credentials were not provided." }],
  denied: [403, { detail: "You do not have permission to perform this action." }],
  bytoken: [403, { detail: "A personal token cannot manage the account." }],
  nosearch: [400],
  refused: [400],
  unproduced: [400],
  elsewhere: [302],
  leadback: [303],
};

/** What belongs to one person. */
export interface Belongings {
  owner: Role;
  uuid: string;
  token: number;
  hold: number;
  import: number;
  production: number;
  webhook: number;
  delivery: number;
  addon: number;
  event: number;
  session: string;
  upload: string;
  entity: number;
  user: number;
  organization: number;
  /** A person whom only administrators know, and their organization. */
  stranger: number;
  strangersOrganization: number;
}

/** The column of a role. */
export function belongingWord({ words }: MatrixRow, role: Role, { owner }: Belongings): string {
  const column = role === "anonymous" ? 0 : role === owner ? 1 : role === "administrator" ? 3 : 2;
  return words[column] ?? "";
}

/** The ids of what a row is about. */
export function belongingIds(
  { path, variant }: MatrixRow,
  things: Belongings,
): Readonly<Record<string, string | number>> {
  const { uuid, session, upload } = things;
  const isUnknown = variant === "unknown";
  if (path.includes("/organizations/"))
    return { id: isUnknown ? things.strangersOrganization : things.organization };
  if (path.includes("/users/:id/")) return { id: isUnknown ? things.stranger : things.user };
  if (path.includes("/entities/")) return { id: things.entity };
  if (path.includes("/holds/")) return { id: things.hold };
  if (path.includes("/imports/")) return { id: things.import };
  if (path.includes("/productions/")) return { id: things.production };
  if (path.includes("/addons/:id/")) return { id: things.addon };
  if (/\/addon_events\/|\/addons\/events\//.test(path)) return { id: things.event };
  if (path.includes("/webhooks/")) return { id: things.webhook, delivery: things.delivery };
  return { id: things.token, uuid, session, upload };
}

/** The text that a change of a row by a role stores: no other change stores it. */
export const textOf = ({ name }: MatrixRow, role: Role): string =>
  `${name.replaceAll(/\W+/g, " ").trim()} as ${role}`;

/** The request of a row. */
export function belongingRequest(row: MatrixRow, things: Belongings, role: Role): Asked {
  const { method, path, variant } = row;
  const target = targetOf({ path, variant: "" }, belongingIds(row, things));
  const by = variant === "by-token" ? "token" : "session";
  const text = textOf(row, role);
  if (path.startsWith("/uploads/")) {
    const headers: Record<string, string> = { "tus-resumable": "1.0.0" };
    if (method !== "PATCH") return { method, target, by, headers };
    Object.assign(headers, { "upload-offset": "0", "content-type": "application/offset+octet-stream" });
    return { method, target, by, headers, body: "%PDF-" };
  }
  if (method === "GET" || method === "DELETE") return { method, target, by };
  if (/^\/(?:notifications\/$|imports\/|productions\/|account\/)/.test(path)) {
    const language = path === "/account/preferences/" ? "language=de&" : "";
    const address = path.includes("/webhooks/") ? "url=https%3A%2F%2Fhooks.example.org%2F&" : "query=x&";
    const subject = path.includes("/guests/") ? `days=9&subject=search%3A${things.uuid}&` : "";
    if (/^\/account\/addons\/(?::id|events)\//.test(path)) {
      const form = path.includes("/events/")
        ? `event=0&p-text=${encodeURIComponent(text)}`
        : `query=${encodeURIComponent(text)}`;
      return {
        method,
        target,
        by,
        body: form,
        headers: { "content-type": "application/x-www-form-urlencoded" },
      };
    }
    const body = `${language}${address}${subject}name=${encodeURIComponent(text)}`;
    return { method, target, by, body, headers: { "content-type": "application/x-www-form-urlencoded" } };
  }
  const wikidata = `Q9${roles.indexOf(role)}`;
  const values: Record<string, object> = {
    "/api/documents/search/saved/": { name: text, query: "x" },
    "/api/documents/search/saved/:uuid/": { name: text, query: "x" },
    "/api/documents/search/saved/:uuid/seen/": {},
    "/api/guest_links/": { name: text, search: things.uuid },
    "/api/users/mailkey/": { access: "organization" },
    "/api/holds/": { name: text, reason: "x", query: "id:0", organization: things.organization },
    "/api/imports/": { name: text, seen: 1 },
    "/api/imports/:id/files/": { files: [{ path: text, outcome: "failed" }] },
    "/api/imports/:id/process/": {},
    "/api/webhooks/": { name: text, url: "https://hooks.example.org/", enabled: false },
    "/api/webhooks/:id/": { name: text, url: "https://hooks.example.org/", enabled: false },
    "/api/addons/:id/": { active: true },
    "/api/addon_runs/": { addon: things.addon, parameters: { text } },
    "/api/addon_runs/:uuid/": {
      comment: text,
      ...(method === "PUT" && { addon: things.addon, parameters: {} }),
    },
    "/api/addon_events/": { addon: things.addon, event: 0, parameters: { text } },
    "/api/addon_events/:id/": { addon: things.addon, event: 0, parameters: { text } },
    "/api/account/": { name: text },
    "/api/account/notifications/": {},
    "/api/account/password/": { current_password: "not the right one", password: "a lamp beside it" },
    "/api/account/tokens/": { name: text },
    "/api/users/me/": { organization: things.organization },
    "/api/users/:id/": { organization: things.organization },
    "/api/entities/": { name: text, wikidata_id: wikidata },
    "/api/entities/:id/": { name: text },
  };
  return { method, target, by, value: values[path] };
}
