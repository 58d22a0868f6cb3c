import type { Organization } from "../../contract/person.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import type { OrganizationRow } from "./list-store.ts";

/**
 * An organization as the API shows it. With `inDetail`, members also see its plan and credits, as DocumentCloud's
 * clients expect. In Quire everything is free.
 */
export function presentOrganization(
  { id, avatar_url, individual, name, slug, uuid }: OrganizationRow,
  viewer: Viewer,
  { inDetail }: { inDetail: boolean },
): Organization {
  const summary = { id, avatar_url, individual: Boolean(individual), name, slug, uuid };
  if (!inDetail || viewer.kind === "anonymous" || !viewer.organizations.has(id)) return summary;
  return { ...summary, ...plan };
}

const plan = {
  monthly_credits: 0,
  purchased_credits: 0,
  credit_reset_date: null,
  monthly_credit_allowance: 0,
  plan: "Free",
};
