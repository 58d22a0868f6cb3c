import { importFileStates } from "../../src/contract/work.ts";
import { type Asked, type ViewerName, viewers } from "./requests.ts";

const cursors = ["", "cursor=cD0x", "cursor=cj0xJnA9MQ=="];
const pageOf = (address: string, cursor = ""): string => `${address}per_page=1&${cursor}`;

function forEach(names: readonly ViewerName[], addresses: readonly string[]): Asked[] {
  return addresses.flatMap((address) => names.map((viewer) => ({ viewer, address })));
}

/** Requests for the other lists, for counts, and for single objects, with each of their filters. */
export function otherRequests(): Asked[] {
  return [
    ...lists.flatMap((address) =>
      viewers.map((viewer, index) => ({ viewer, address: pageOf(address, cursors[index % cursors.length]) })),
    ),
    ...ownLists.map((address) => ({ viewer: "user" as const, address: pageOf(address) })),
    ...forEach(
      ["administrator"],
      [...ownLists, ...administeredLists].flatMap((address) =>
        cursors.map((cursor) => pageOf(address, cursor)),
      ),
    ),
    ...forEach(["administrator"], auditPages),
    ...forEach(viewers, objects),
    ...forEach(["user", "administrator"], ownObjects),
    ...forEach(["administrator"], ["/api/statistics/", ...ownPages]),
    ...forEach(["guest"], ["/api/documents/1/", "/guest/"]),
    ...forEach(
      ["user"],
      savedSearches.map((uuid) => `/account/searches/${uuid}/`),
    ),
  ];
}

/** Of the user: one with words, and one without. */
export const savedSearches = ["1", "2"].map((id) => `00000000-0000-4000-8000-00000000000${id}`);

const lists = [
  "/api/projects/?",
  "/api/projects/?id__in=1,2&user=1,2&document=1,2&query=a&private=false&slug=a&title=a&",
  "/api/projects/?pinned=true&is_shared=true&owned_by_user=true&",
  "/api/projects/?pinned=false&private=true&",
  "/api/projects/1/documents/?",
  "/api/projects/1/documents/?ordering=created_at&document_id__in=1,2&",
  "/api/documents/1/notes/?",
  "/api/documents/1/notes/?page_number=1&",
  "/api/documents/1/sections/?",
  "/api/documents/1/entities/?",
  "/api/documents/1/entities/?name=a&wikidata_id=Q1&",
  "/api/entities/?",
  "/api/entities/?name=a&wikidata_id=Q1&wikidata_id__in=Q1,Q2&",
  "/api/notes/?",
  "/api/notes/?document=1&project=1&user=1&access=public,private&",
  "/api/documents/1/errors/?",
  "/api/events/?",
  "/api/events/?after=latest&",
  "/api/addons/?",
  "/api/addons/?active=true&default=true&featured=false&premium=true&repository=a&query=a&category=ai,bulk&",
  "/api/addons/?active=false&default=false&featured=true&premium=false&category=ai&",
  "/api/addon_runs/?",
  "/api/addon_runs/?event=1&addon=1,2&dismissed=false&site=a&ordering=created_at&",
  "/api/addon_events/?",
  "/api/addon_events/?addon=1&site=a&ordering=id&",
];

const ownPages = [
  "/api/documents/1/mentioned/corrections/",
  "/documents/1/mentioned/correct/?kind=email&value=a",
  "/mentioned/correct/?kind=email&value=a",
  "/mentioned/correct/?kind=email&value=a&q=harbour",
];

const ownLists = [
  "/api/projects/1/users/?",
  "/api/users/?",
  "/api/users/?id__in=1,2&organization=1&project=1&username=a&uuid=00000000-0000-4000-8000-000000000000&",
  "/api/users/?name=a&name__istartswith=a&",
  "/api/organizations/?",
  "/api/organizations/?id__in=1,2&individual=true&slug=a&name=a&name__istartswith=a&",
  "/api/organizations/?individual=false&uuid=00000000-0000-4000-8000-000000000000&",
  "/api/documents/trash/?",
  "/api/documents/search/saved/?",
  "/api/guest_links/?",
  "/api/holds/?",
  "/api/imports/?",
  "/api/webhooks/?",
  "/api/account/tokens/?",
  "/api/account/sessions/?",
  "/api/account/shared/?",
  "/api/account/notifications/?",
];

const administeredLists = [
  "/api/guest_links/?document=1&",
  "/api/guest_links/?project=1&",
  "/api/guest_links/?everyone=true&",
  "/api/documents/1/history/?",
  "/api/documents/1/receipts/?",
  "/api/webhooks/1/deliveries/?",
  "/api/imports/1/files/?",
  "/api/productions/?",
  "/api/productions/1/documents/?",
  "/api/documents/1/bates/?",
  `/api/imports/1/files/?extension=pdf&state=${importFileStates.join()}&`,
  "/api/admin/users/?",
  "/api/admin/users/?q=a&",
  "/api/admin/organizations/?",
  "/api/admin/organizations/1/members/?",
  "/api/admin/identity_providers/?",
  "/api/admin/retention_rules/?",
  "/api/admin/dispositions/?",
  "/api/admin/dispositions/?rule=1&",
  "/api/admin/dispositions/?state=proposed&",
  "/api/admin/dispositions/?rule=1&state=proposed&",
  "/api/admin/certificates/?",
  "/api/admin/sign-ins/?",
  "/api/admin/sign-ins/?kind=refused&",
  "/api/admin/mails/?",
  "/api/admin/refused_mails/?",
  "/api/admin/queue/?",
  ...["running", "waiting", "retrying"].map((state) => `/api/admin/jobs/?state=${state}&`),
  "/api/admin/jobs/?",
];

const all = "since=2025-01-31&until=2999-01-31&user=1&";

/** A page of the audit log from its start, after an entry, and before one. */
const auditPages = ["", "source=membership&", all].flatMap((filters) =>
  [null, 0, 1].map((reverse) => {
    const position = JSON.stringify(["at", reverse, 32, "2025-01-31T12:00:00.000000Z"]);
    const cursor = reverse === null ? "" : Buffer.from(position).toString("base64");
    return pageOf(`/api/admin/audit_entries/?${filters}`, `cursor=${cursor}`);
  }),
);

/** A page of the tree from its start, after a folder, and before one. */
const treePages = ["", "folder=a", "container=2"].flatMap((branch) =>
  [null, 0, 1].map((reverse) => {
    const cursor =
      reverse === null ? "" : Buffer.from(JSON.stringify(["path", reverse, 0, "1a"])).toString("base64");
    return `/api/documents/tree/?${branch}&cursor=${cursor}`;
  }),
);

const objects = [
  ...treePages,
  "/api/documents/1/?expand=~all",
  "/api/documents/?expand=~all",
  "/api/documents/1/notes/?expand=user,organization",
  "/api/documents/1/entities/?expand=entity",
  "/api/entities/?expand=user",
  "/api/projects/1/documents/?expand=document",
  "/files/documents/1/a.txt",
  "/files/documents/1/a.txt.json",
  "/files/documents/1/pages/a-p1.txt",
  "/files/documents/1/pages/a-p1.position.json",
  "/api/documents/1/similar/",
  "/api/documents/1/mentioned/",
  "/api/documents/1/mentioned/?kind=email&value=a&cursor=cD0x",
  "/api/documents/mentioned/?kind=email&q=harbour",
  "/api/documents/mentioned/?kind=email&cursor=WzEsImEiXQ",
  "/api/documents/mentioned/?kind=email&ordering=value&cursor=WzEsImEiXQ",
  "/api/documents/timeline/?q=harbour",
  "/api/documents/timeline/?within=2024&cursor=2024-03",
  "/api/documents/timeline/?of=created_at&by=day&within=2024-03",
  "/api/documents/1/comparison/?with=2",
  "/documents/1/comparison/2/",
  "/api/documents/1/citation/",
  "/api/documents/spreadsheet/export/",
  "/iiif/1/manifest.json",
  "/documents/1-a/",
  "/projects/1-a/",
  "/sitemap-1.xml",
  "/",
];

const ownObjects = ["/api/projects/1/users/?expand=user", "/api/users/1/", "/api/users/me/"];
