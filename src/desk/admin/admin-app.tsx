import type { ComponentType } from "preact";
import type { AdminPageName, OwnDeskOptions } from "../../contract/page-options.ts";
import type { DeskApi } from "../model/desk-api.ts";
import { AddonsPage } from "./addons-page.tsx";
import { BrandingPage } from "./branding-page.tsx";
import { AuditPage } from "./audit-page.tsx";
import { ChecksPage } from "./checks-page.tsx";
import { HoldsPage } from "./holds-page.tsx";
import { MailPage } from "./mail-page.tsx";
import { OrganizationsPage } from "./organizations-page.tsx";
import { OverviewPage } from "./overview-page.tsx";
import { PeoplePage } from "./people-page.tsx";
import { ProvidersPage } from "./providers-page.tsx";
import { QueuePage } from "./queue-page.tsx";
import { ReasonsPage } from "./reasons-page.tsx";
import { RetentionPage } from "./retention-page.tsx";
import { SettingsPage } from "./settings-page.tsx";
import { SignInsPage } from "./sign-ins-page.tsx";
import { StoragePage } from "./storage-page.tsx";

interface AdminPageProps extends Omit<OwnDeskOptions<"admin">, "adminPage"> {
  api: DeskApi;
}

const pages: Readonly<Record<AdminPageName, ComponentType<AdminPageProps>>> = {
  "": OverviewPage,
  people: PeoplePage,
  organizations: OrganizationsPage,
  providers: ProvidersPage,
  queue: QueuePage,
  storage: StoragePage,
  checks: ChecksPage,
  "sign-ins": SignInsPage,
  reasons: ReasonsPage,
  addons: AddonsPage,
  holds: HoldsPage,
  retention: RetentionPage,
  audit: AuditPage,
  branding: BrandingPage,
  settings: SettingsPage,
  mail: MailPage,
};

/** The page for administrators that the options name. */
export function AdminApp({
  api,
  page: { adminPage, ...options },
}: {
  api: DeskApi;
  page: OwnDeskOptions<"admin">;
}) {
  const Page = pages[adminPage];
  return <Page api={api} {...options} />;
}
