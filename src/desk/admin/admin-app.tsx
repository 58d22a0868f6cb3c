import type { DeskApi } from "../model/desk-api.ts";
import { OrganizationsPage } from "./organizations-page.tsx";
import { PeoplePage } from "./people-page.tsx";

/** The page for administrators with this name, as the address has it. */
export function AdminApp({ api, name }: { api: DeskApi; name: string }) {
  return name === "organizations" ? <OrganizationsPage api={api} /> : <PeoplePage api={api} />;
}
