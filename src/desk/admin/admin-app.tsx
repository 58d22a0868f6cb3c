import type { DeskApi } from "../model/desk-api.ts";
import { ChecksPage } from "./checks-page.tsx";
import { MailPage } from "./mail-page.tsx";
import { OrganizationsPage } from "./organizations-page.tsx";
import { OverviewPage } from "./overview-page.tsx";
import { PeoplePage } from "./people-page.tsx";
import { QueuePage } from "./queue-page.tsx";
import { SettingsPage } from "./settings-page.tsx";
import { SignInsPage } from "./sign-ins-page.tsx";
import { StoragePage } from "./storage-page.tsx";

const pages: Readonly<Record<string, typeof OverviewPage>> = {
  people: PeoplePage,
  organizations: OrganizationsPage,
  queue: QueuePage,
  storage: StoragePage,
  checks: ChecksPage,
  "sign-ins": SignInsPage,
  settings: SettingsPage,
  mail: MailPage,
};

/** The page for administrators with this name, as the address has it. */
export function AdminApp({ api, name }: { api: DeskApi; name: string }) {
  const Page = pages[name] ?? OverviewPage;
  return <Page api={api} />;
}
