import type { Viewer } from "../../http/request/viewer.ts";
import type { OrganizationRow } from "./list-store.ts";

/**
 * An organization as the API shows it. `inDetail`, its members are told of its plan and credits besides, as clients of
 * that API expect: here everything is free.
 */
export function presentOrganization(
  { id, avatar_url, individual, name, slug, uuid }: OrganizationRow,
  viewer: Viewer,
  { inDetail }: { inDetail: boolean },
): Record<string, unknown> {
  const shown = { id, avatar_url, individual: Boolean(individual), name, slug, uuid };
  if (!inDetail || viewer.kind === "anonymous" || !viewer.organizations.has(id)) return shown;
  return { ...shown, ...plan };
}

const plan = {
  monthly_credits: 0,
  purchased_credits: 0,
  credit_reset_date: null,
  monthly_credit_allowance: 0,
  plan: "Free",
};
