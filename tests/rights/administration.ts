import type { Role } from "../../src/testing/access-rights.ts";
import type { Asked } from "../../src/testing/ask.ts";
import { type MatrixRow, matrixOf, targetOf } from "../../src/testing/matrix.ts";
import type { Words } from "../../src/testing/run-matrix.ts";

/*
 * The addresses for administrators. Everybody else gets the answer of an address that does not exist, and so does an
 * administrator who asks with a personal token. Everybody else asks with a session.
 */
export const administrationRows = matrixOf(`
  route                                                anonymous others   administrator by-token
  GET    /api/admin/users/                             nothing   nothing  200           nothing
  POST   /api/admin/users/                             nothing   nothing  201           nothing
  GET    /api/admin/users/:id/                         nothing   nothing  200           nothing
  PATCH  /api/admin/users/:id/                         nothing   nothing  200           nothing
  POST   /api/admin/users/:id/link/                    nothing   nothing  201           nothing
  DELETE /api/admin/users/:id/second_factors/          nothing   nothing  204           nothing
  GET    /api/admin/organizations/                     nothing   nothing  200           nothing
  POST   /api/admin/organizations/                     nothing   nothing  201           nothing
  GET    /api/admin/organizations/:id/                 nothing   nothing  200           nothing
  PATCH  /api/admin/organizations/:id/                 nothing   nothing  200           nothing
  GET    /api/admin/organizations/:id/members/         nothing   nothing  200           nothing
  POST   /api/admin/organizations/:id/members/         nothing   nothing  201           nothing
  GET    /api/admin/organizations/:id/members/:user/   nothing   nothing  200           nothing
  PATCH  /api/admin/organizations/:id/members/:user/   nothing   nothing  200           nothing
  DELETE /api/admin/organizations/:id/members/:user/   nothing   nothing  204           nothing
  GET    /api/admin/identity_providers/                nothing   nothing  200           nothing
  POST   /api/admin/identity_providers/                nothing   nothing  201           nothing
  GET    /api/admin/identity_providers/:id/            nothing   nothing  200           nothing
  PUT    /api/admin/identity_providers/:id/            nothing   nothing  200           nothing
  PATCH  /api/admin/identity_providers/:id/            nothing   nothing  200           nothing
  DELETE /api/admin/identity_providers/:id/            nothing   nothing  204           nothing
  GET    /api/admin/identity_providers/:id/check/      nothing   nothing  200           nothing
  GET    /api/admin/addons/                            nothing   nothing  200           nothing
  POST   /api/admin/addons/                            nothing   nothing  201           nothing
  GET    /api/admin/addons/:id/                        nothing   nothing  200           nothing
  PUT    /api/admin/addons/:id/                        nothing   nothing  200           nothing
  PATCH  /api/admin/addons/:id/                        nothing   nothing  200           nothing
  DELETE /api/admin/addons/:id/                        nothing   nothing  204           nothing
  GET    /api/admin/redaction_reasons/                 nothing   nothing  200           nothing
  PUT    /api/admin/redaction_reasons/                 nothing   nothing  200           nothing
  GET    /api/admin/branding/                          nothing   nothing  200           nothing
  PATCH  /api/admin/branding/                          nothing   nothing  200           nothing
  GET    /api/admin/retention_rules/                   nothing   nothing  200           nothing
  POST   /api/admin/retention_rules/                   nothing   nothing  201           nothing
  GET    /api/admin/retention_rules/:id/               nothing   nothing  200           nothing
  DELETE /api/admin/retention_rules/:id/               nothing   nothing  204           nothing
  GET    /api/admin/dispositions/                      nothing   nothing  200           nothing
  POST   /api/admin/dispositions/                      nothing   nothing  200           nothing
  GET    /api/admin/certificates/                      nothing   nothing  200           nothing
  GET    /api/admin/audit/                             nothing   nothing  200           nothing
  GET    /api/admin/audit_entries/                     nothing   nothing  200           nothing
  GET    /api/admin/health/                            nothing   nothing  200           nothing
  GET    /api/admin/settings/                          nothing   nothing  200           nothing
  GET    /api/admin/queue/                             nothing   nothing  200           nothing
  GET    /api/admin/jobs/                              nothing   nothing  200           nothing
  POST   /api/admin/jobs/:id/                          nothing   nothing  204           nothing
  DELETE /api/admin/jobs/:id/                          nothing   nothing  204           nothing
  GET    /api/admin/failures/                          nothing   nothing  200           nothing
  POST   /api/admin/failures/                          nothing   nothing  200           nothing
  GET    /api/admin/storage/                           nothing   nothing  200           nothing
  POST   /api/admin/storage/                           nothing   nothing  202           nothing
  GET    /api/admin/examination/                       nothing   nothing  200           nothing
  POST   /api/admin/examination/                       nothing   nothing  202           nothing
  GET    /api/admin/sign-ins/                          nothing   nothing  200           nothing
  GET    /api/admin/refused_mails/                     nothing   nothing  200           nothing
  GET    /api/admin/mails/                             nothing   nothing  200           nothing
  POST   /api/admin/mails/:id/                         nothing   nothing  204           nothing
  DELETE /api/admin/mails/:id/                         nothing   nothing  204           nothing
  GET    /admin                                        nothing   nothing  302           nothing
  GET    /admin/                                       nothing   nothing  200           nothing
  GET    /admin/:page/                                 nothing   nothing  200           nothing
`);

export const administrationWords: Words = { nothing: [404, { detail: "Not found." }] };

export type AdministrationRole = Role | "administrator by token";

/** What an administrator administers. */
export interface Administered {
  user: number;
  organization: number;
  /** A user who is no member of the organization. */
  outsider: number;
  job: number;
  /** A document that could not be processed. */
  failed: number;
  mail: number;
  /** An identity provider. */
  provider: number;
  /** A retention rule, and what it has proposed. */
  rule: number;
  disposition: number;
  /** A registered add-on. Its folder is `owner/<id>`, and that of an add-on that is not registered is `other/<id>`. */
  addon: number;
  /** In place of all addresses for administrators there are some that never existed. */
  isNowhere?: boolean;
}

export function administrationWord({ words }: MatrixRow, role: AdministrationRole): string {
  const column = { anonymous: 0, administrator: 2, "administrator by token": 3 }[role as string] ?? 1;
  return words[column] ?? "";
}

/** The ids of what a row is about. */
export function administeredIds(
  { path }: MatrixRow,
  { user, organization, job, mail, provider, rule, addon, isNowhere }: Administered,
): Readonly<Record<string, number | string>> {
  // Pages that are not found lead back to their address after signing in.
  if (path.startsWith("/admin")) return isNowhere === true ? addressOf("nimda") : addressOf("admin");
  if (path.includes("/organizations/")) return { id: organization, user };
  if (path.includes("/jobs/")) return { id: job };
  if (path.includes("/retention_rules/")) return { id: rule };
  if (path.includes("/addons/")) return { id: addon };
  if (path.includes("/identity_providers/")) return { id: provider };
  return path.includes("/mails/") ? { id: mail } : { id: user };
}

const addressOf = (path: string): Record<string, string> => ({ path: `/${path}`, next: `%2F${path}` });

export const writtenName = "Written by an administrator";

const writtenConfig = `title: ${writtenName}`;

/** Nothing answers there. */
const provider = { issuer: "http://127.0.0.1:9/", client_id: "written" };

const values: Readonly<Record<string, (things: Administered) => object>> = {
  "POST /api/admin/users/": ({ job }) => ({ username: `written-${job}`, name: writtenName }),
  "PATCH /api/admin/users/:id/": () => ({ name: writtenName }),
  "POST /api/admin/users/:id/link/": () => ({}),
  "POST /api/admin/organizations/": () => ({ name: writtenName }),
  "PATCH /api/admin/organizations/:id/": ({ job }) => ({ name: `${writtenName} ${job}` }),
  "POST /api/admin/organizations/:id/members/": ({ outsider }) => ({ user: outsider }),
  "PATCH /api/admin/organizations/:id/members/:user/": () => ({ is_admin: true }),
  "POST /api/admin/identity_providers/": () => ({ ...provider, name: writtenName }),
  "PUT /api/admin/identity_providers/:id/": () => ({ ...provider, name: writtenName, client_secret: "" }),
  "PATCH /api/admin/identity_providers/:id/": () => ({ name: writtenName }),
  "POST /api/admin/retention_rules/": () => ({ name: writtenName, query: "id:0", period: 9, unit: "years" }),
  "POST /api/admin/dispositions/": ({ disposition }) => ({ decision: "keep", dispositions: [disposition] }),
  "POST /api/admin/addons/": ({ addon }) => ({ repository: `other/${addon}`, config: writtenConfig }),
  "PUT /api/admin/addons/:id/": () => ({ config: writtenConfig }),
  "PATCH /api/admin/addons/:id/": () => ({ is_enabled: false }),
  "PUT /api/admin/redaction_reasons/": () => [{ code: "§ 5", label: writtenName }],
  "PATCH /api/admin/branding/": () => ({ name: writtenName }),
  "POST /api/admin/failures/": ({ failed }) => ({ documents: [failed] }),
  "POST /api/admin/examination/": () => ({ repairs: false, hashes: false }),
};

/** The request of a row. */
export function administrationRequest(row: MatrixRow, things: Administered, role: AdministrationRole): Asked {
  const { method, name, path } = row;
  const target = targetOf({ path, variant: "" }, { ...administeredIds(row, things), page: "people" });
  const value = values[name]?.(things) ?? {};
  return {
    method,
    target: things.isNowhere === true ? target.replace("admin", "nimda") : target,
    by: role === "administrator by token" ? "token" : "session",
    ...(["POST", "PUT", "PATCH"].includes(method) && { value }),
  };
}
