import type { GuestLink } from "../../contract/guest-link.ts";
import type { ListedLinkRow } from "./store.ts";

export function presentGuestLink(row: ListedLinkRow): GuestLink {
  return {
    uuid: row.uuid,
    name: row.name,
    user: row.user_id,
    document: row.document_id,
    project: row.project_id,
    search: row.search_uuid,
    download: Boolean(row.may_download),
    has_password: row.password_hash !== null,
    max_uses: row.max_uses,
    uses: row.uses,
    expires_at: row.expires_at,
    created_at: row.created_at,
    revoked_at: row.revoked_at,
  };
}
