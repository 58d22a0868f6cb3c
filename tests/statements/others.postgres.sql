-- anonymous: GET /api/documents/mentioned/?kind=email&q=harbour
select counted_to
from word_count_progress

-- anonymous: GET /api/documents/1/citation/
select id, name
from organizations
where "id" = any($1::bigint[])

-- anonymous: GET /api/documents/1/entities/?expand=entity
select entities.*
from entities
where "entities"."id" = any($1::bigint[])

-- administrator: GET /api/projects/?id__in=1,2&user=1,2&document=1,2&query=a&private=false&slug=a&title=a&per_page=1&
select users.id
from users
where "users"."id" = any($1::bigint[]) and 1 = 1

-- user: GET /api/projects/?per_page=1&cursor=cD0x
select digest, user_id, seen_at
from sessions
where digest = $1 and expires_at > $2

-- anonymous: GET /files/documents/1/pages/a-p1.txt
select page, text, ocr, words
from document_pages
where document_id = $1 and page = $2

-- guest: GET /api/documents/1/
select document_id
from guest_openings
where digest = $1 and "document_id" = any($2::bigint[])

-- administrator: GET /api/holds/?per_page=1&
select "holds".*, false as behind
from "holds"
where 1 = 1
order by "holds"."id" desc
limit 2

-- anonymous: GET /api/documents/1/?expand=~all
select id, uuid, name, slug, avatar_url, individual
from organizations
where "id" = any($1::bigint[])

-- guest: GET /guest/
select document_id as id
from project_memberships
where project_id = $1
order by document_id desc

-- anonymous: GET /api/entities/?per_page=1&
select entities.*, false as behind
from "entities"
where 1 = 1
order by "entities"."id"
limit 2

-- anonymous: GET /api/events/?per_page=1&
select id, access, status, user_id, organization_id
from documents
where "documents"."id" = any($1::bigint[])

-- administrator: GET /api/holds/?per_page=1&cursor=cD0x
select "holds".*, false as behind
from "holds"
where 1 = 1 and "holds"."id" >= $1
order by "holds"."id"
limit 1

-- administrator: GET /api/holds/?per_page=1&cursor=cj0xJnA9MQ==
select "holds".*, false as behind
from "holds"
where 1 = 1 and "holds"."id" <= $1
order by "holds"."id" desc
limit 1

-- user: GET /api/webhooks/?per_page=1&
select "webhooks".*, false as behind
from "webhooks"
where "webhooks"."user_id" = $1
order by "webhooks"."id"
limit 2

-- anonymous: GET /api/documents/1/sections/?per_page=1&
select "sections".*, false as behind
from "sections"
where "sections"."document_id" = $1
order by "sections"."id"
limit 2

-- collaborator: GET /api/entities/?per_page=1&cursor=cj0xJnA9MQ==
select entities.*, false as behind
from "entities"
where 1 = 1 and "entities"."id" >= $1
order by "entities"."id"
limit 1

-- administrator: GET /api/admin/retention_rules/?per_page=1&
select "retention_rules".*, false as behind
from "retention_rules"
where 1 = 1
order by "retention_rules"."id" desc
limit 2

-- user: GET /api/entities/?per_page=1&cursor=cD0x
select entities.*, false as behind
from "entities"
where 1 = 1 and "entities"."id" <= $1
order by "entities"."id" desc
limit 1

-- administrator: GET /api/admin/identity_providers/?per_page=1&
select "identity_providers".*, false as behind
from "identity_providers"
where 1 = 1
order by "identity_providers"."id"
limit 2

-- anonymous: GET /api/addon_runs/?per_page=1&
select addon_runs.*, false as behind
from "addon_runs"
where "addon_runs"."user_id" = $1
order by "addon_runs"."id" desc
limit 2

-- anonymous: GET /iiif/1/manifest.json
select distinct notes.page_number
from notes
where notes.document_id = $1 and notes.access = 'public'
order by notes.page_number

-- user: GET /api/holds/?per_page=1&
select "holds".*, false as behind
from "holds"
where "holds"."organization_id" = any($1::bigint[])
order by "holds"."id" desc
limit 2

-- anonymous: GET /api/projects/1/documents/?per_page=1&
select (
  select count(*)
  from project_memberships
  where project_memberships.project_id = $1 and project_memberships.is_public = true
) as count

-- administrator: GET /api/productions/?per_page=1&
select "productions".*, false as behind
from "productions"
where "productions"."user_id" = $1
order by "productions"."id" desc
limit 2

-- anonymous: GET /api/documents/1/notes/?per_page=1&
select notes.*, false as behind
from "notes"
where "notes"."document_id" = $1 and notes.access = 'public'
order by "notes"."id"
limit 2

-- anonymous: GET /api/addon_events/?per_page=1&
select addon_events.*, false as behind
from "addon_events"
where "addon_events"."user_id" = $1
order by "addon_events"."id" desc
limit 2

-- user: GET /api/documents/search/saved/?per_page=1&
select "saved_searches".*, false as behind
from "saved_searches"
where "saved_searches"."user_id" = $1
order by "saved_searches"."id"
limit 2

-- administrator: GET /api/webhooks/?per_page=1&cursor=cj0xJnA9MQ==
select "webhooks".*, false as behind
from "webhooks"
where "webhooks"."user_id" = $1 and "webhooks"."id" >= $2
order by "webhooks"."id"
limit 1

-- collaborator: GET /api/documents/1/sections/?per_page=1&cursor=cj0xJnA9MQ==
select "sections".*, false as behind
from "sections"
where "sections"."document_id" = $1 and "sections"."id" >= $2
order by "sections"."id"
limit 1

-- administrator: GET /api/webhooks/?per_page=1&cursor=cD0x
select "webhooks".*, false as behind
from "webhooks"
where "webhooks"."user_id" = $1 and "webhooks"."id" <= $2
order by "webhooks"."id" desc
limit 1

-- user: GET /api/addon_runs/?per_page=1&cursor=cD0x
select addon_runs.*, false as behind
from "addon_runs"
where "addon_runs"."user_id" = $1 and "addon_runs"."id" >= $2
order by "addon_runs"."id"
limit 1

-- administrator: GET /api/admin/retention_rules/?per_page=1&cursor=cD0x
select "retention_rules".*, false as behind
from "retention_rules"
where 1 = 1 and "retention_rules"."id" >= $1
order by "retention_rules"."id"
limit 1

-- user: GET /api/documents/1/sections/?per_page=1&cursor=cD0x
select "sections".*, false as behind
from "sections"
where "sections"."document_id" = $1 and "sections"."id" <= $2
order by "sections"."id" desc
limit 1

-- collaborator: GET /api/addon_runs/?per_page=1&cursor=cj0xJnA9MQ==
select addon_runs.*, false as behind
from "addon_runs"
where "addon_runs"."user_id" = $1 and "addon_runs"."id" <= $2
order by "addon_runs"."id" desc
limit 1

-- administrator: GET /api/admin/retention_rules/?per_page=1&cursor=cj0xJnA9MQ==
select "retention_rules".*, false as behind
from "retention_rules"
where 1 = 1 and "retention_rules"."id" <= $1
order by "retention_rules"."id" desc
limit 1

-- administrator: GET /api/productions/?per_page=1&cursor=cD0x
select "productions".*, false as behind
from "productions"
where "productions"."user_id" = $1 and "productions"."id" >= $2
order by "productions"."id"
limit 1

-- anonymous: GET /api/documents/1/entities/?per_page=1&
select entity_occurrences.*, false as behind
from "entity_occurrences"
where "entity_occurrences"."document_id" = $1
order by "entity_occurrences"."id"
limit 2

-- user: GET /api/addon_events/?per_page=1&cursor=cD0x
select addon_events.*, false as behind
from "addon_events"
where "addon_events"."user_id" = $1 and "addon_events"."id" >= $2
order by "addon_events"."id"
limit 1

-- administrator: GET /api/productions/?per_page=1&cursor=cj0xJnA9MQ==
select "productions".*, false as behind
from "productions"
where "productions"."user_id" = $1 and "productions"."id" <= $2
order by "productions"."id" desc
limit 1

-- administrator: GET /api/admin/identity_providers/?per_page=1&cursor=cj0xJnA9MQ==
select "identity_providers".*, false as behind
from "identity_providers"
where 1 = 1 and "identity_providers"."id" >= $1
order by "identity_providers"."id"
limit 1

-- anonymous: GET /api/events/?after=latest&per_page=1&
select transaction_id, id
from events
where events.transaction_id < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
order by transaction_id desc, id desc
limit 1

-- administrator: GET /api/webhooks/1/deliveries/?per_page=1&
select "webhook_deliveries".*, false as behind
from "webhook_deliveries"
where "webhook_deliveries"."webhook_id" = $1
order by "webhook_deliveries"."id" desc
limit 2

-- administrator: GET /api/admin/certificates/?per_page=1&
select id, at, document_id, changes, false as behind
from "document_history"
where document_history.action = 'disposed'
order by "document_history"."id" desc
limit 2

-- anonymous: GET /api/documents/1/notes/?page_number=1&per_page=1&
select notes.*, false as behind
from "notes"
where "notes"."document_id" = $1 and "notes"."page_number" = $2 and notes.access = 'public'
order by "notes"."id"
limit 2

-- collaborator: GET /api/addon_events/?per_page=1&cursor=cj0xJnA9MQ==
select addon_events.*, false as behind
from "addon_events"
where "addon_events"."user_id" = $1 and "addon_events"."id" <= $2
order by "addon_events"."id" desc
limit 1

-- administrator: GET /api/admin/identity_providers/?per_page=1&cursor=cD0x
select "identity_providers".*, false as behind
from "identity_providers"
where 1 = 1 and "identity_providers"."id" <= $1
order by "identity_providers"."id" desc
limit 1

-- administrator: GET /api/documents/1/history/?per_page=1&
select id, at, user_id, action, changes, false as behind
from "document_history"
where "document_history"."document_id" = $1
order by "document_history"."id" desc
limit 2

-- administrator: GET /api/productions/1/documents/?per_page=1&
select "production_documents".*, false as behind
from "production_documents"
where "production_documents"."production_id" = $1
order by "production_documents"."id"
limit 2

-- administrator: GET /api/projects/1/users/?per_page=1&
select user_id as id, access, false as behind
from "project_collaborators"
where "project_collaborators"."project_id" = $1
order by "project_collaborators"."user_id"
limit 2

-- administrator: GET /api/documents/search/saved/?per_page=1&cursor=cj0xJnA9MQ==
select "saved_searches".*, false as behind
from "saved_searches"
where "saved_searches"."user_id" = $1 and "saved_searches"."id" >= $2
order by "saved_searches"."id"
limit 1

-- administrator: GET /api/documents/search/saved/?per_page=1&cursor=cD0x
select "saved_searches".*, false as behind
from "saved_searches"
where "saved_searches"."user_id" = $1 and "saved_searches"."id" <= $2
order by "saved_searches"."id" desc
limit 1

-- administrator: GET /api/documents/1/receipts/?per_page=1&
select id, step, outcome, at, milliseconds, details, false as behind
from "document_receipts"
where "document_receipts"."document_id" = $1
order by "document_receipts"."id"
limit 2

-- administrator: GET /documents/1-a/
select id, step, outcome, at, milliseconds, details, false as behind
from "document_receipts"
where "document_receipts"."document_id" = $1
order by "document_receipts"."id" desc
limit 101

-- anonymous: GET /api/entities/?name=a&wikidata_id=Q1&wikidata_id__in=Q1,Q2&per_page=1&
select entities.*, false as behind
from "entities"
where "entities"."name" = $1 and "entities"."wikidata_id" = $2 and "entities"."wikidata_id" = any($3::text[])
order by "entities"."id"
limit 2

-- anonymous: GET /api/projects/1/documents/?ordering=created_at&document_id__in=1,2&per_page=1&
select (
  select count(*)
  from project_memberships
  where project_memberships.project_id = $1 and project_memberships.is_public = true and "project_memberships"."document_id" = any($2::bigint[])
) as count

-- administrator: GET /api/admin/certificates/?per_page=1&cursor=cD0x
select id, at, document_id, changes, false as behind
from "document_history"
where document_history.action = 'disposed' and "document_history"."id" >= $1
order by "document_history"."id"
limit 1

-- anonymous: GET /api/documents/1/?expand=~all
select sections.*
from sections
where "sections"."document_id" = any($1::bigint[]) and ("sections"."page_number", "sections"."id") > ($2, $3)
order by "sections"."page_number", "sections"."id"
limit $4

-- collaborator: GET /api/documents/1/entities/?per_page=1&cursor=cj0xJnA9MQ==
select entity_occurrences.*, false as behind
from "entity_occurrences"
where "entity_occurrences"."document_id" = $1 and "entity_occurrences"."id" >= $2
order by "entity_occurrences"."id"
limit 1

-- administrator: GET /api/webhooks/1/deliveries/?per_page=1&cursor=cD0x
select "webhook_deliveries".*, false as behind
from "webhook_deliveries"
where "webhook_deliveries"."webhook_id" = $1 and "webhook_deliveries"."id" >= $2
order by "webhook_deliveries"."id"
limit 1

-- administrator: GET /api/admin/certificates/?per_page=1&cursor=cj0xJnA9MQ==
select id, at, document_id, changes, false as behind
from "document_history"
where document_history.action = 'disposed' and "document_history"."id" <= $1
order by "document_history"."id" desc
limit 1

-- user: GET /api/documents/1/entities/?per_page=1&cursor=cD0x
select entity_occurrences.*, false as behind
from "entity_occurrences"
where "entity_occurrences"."document_id" = $1 and "entity_occurrences"."id" <= $2
order by "entity_occurrences"."id" desc
limit 1

-- administrator: GET /api/webhooks/1/deliveries/?per_page=1&cursor=cj0xJnA9MQ==
select "webhook_deliveries".*, false as behind
from "webhook_deliveries"
where "webhook_deliveries"."webhook_id" = $1 and "webhook_deliveries"."id" <= $2
order by "webhook_deliveries"."id" desc
limit 1

-- anonymous: GET /files/documents/1/a.txt
select page, text, ocr, documents.updated_at
from document_pages join documents on documents.id = document_pages.document_id
where document_id = $1 and page >= $2
order by page
limit 32

-- anonymous: GET /api/documents/1/mentioned/
select mentions.*, (mentions.page * 1073741824 + mentions.start) as id, false as behind
from "mentions"
where "mentions"."document_id" = $1
order by (mentions.page * 1073741824 + mentions.start)
limit 26

-- administrator: GET /api/productions/1/documents/?per_page=1&cursor=cj0xJnA9MQ==
select "production_documents".*, false as behind
from "production_documents"
where "production_documents"."production_id" = $1 and "production_documents"."id" >= $2
order by "production_documents"."id"
limit 1

-- anonymous: GET /api/documents/1/?expand=~all
select notes.*
from notes
where "notes"."document_id" = any($1::bigint[]) and notes.access = 'public' and ("notes"."page_number", "notes"."id") > ($2, $3)
order by "notes"."page_number", "notes"."id"
limit $4

-- anonymous: GET /api/addon_events/?addon=1&site=a&ordering=id&per_page=1&
select addon_events.*, false as behind
from "addon_events"
where "addon_events"."user_id" = $1 and "addon_events"."addon_id" = any($2::bigint[]) and "addon_events"."site" = $3
order by "addon_events"."id"
limit 2

-- administrator: GET /api/productions/1/documents/?per_page=1&cursor=cD0x
select "production_documents".*, false as behind
from "production_documents"
where "production_documents"."production_id" = $1 and "production_documents"."id" <= $2
order by "production_documents"."id" desc
limit 1

-- administrator: GET /api/documents/1/receipts/?per_page=1&cursor=cj0xJnA9MQ==
select id, step, outcome, at, milliseconds, details, false as behind
from "document_receipts"
where "document_receipts"."document_id" = $1 and "document_receipts"."id" >= $2
order by "document_receipts"."id"
limit 1

-- administrator: GET /api/projects/1/users/?per_page=1&cursor=cj0xJnA9MQ==
select user_id as id, access, false as behind
from "project_collaborators"
where "project_collaborators"."project_id" = $1 and "project_collaborators"."user_id" >= $2
order by "project_collaborators"."user_id"
limit 1

-- administrator: GET /api/holds/?per_page=1&cursor=cD0x
select "holds".*, ((
    select 1
    from "holds"
    where 1 = 1 and "holds"."id" >= $1
    order by "holds"."id"
    limit 1
  ) is not null
) as behind
from "holds"
where 1 = 1 and "holds"."id" < $2
order by "holds"."id" desc
limit 2

-- administrator: GET /api/holds/?per_page=1&cursor=cj0xJnA9MQ==
select "holds".*, ((
    select 1
    from "holds"
    where 1 = 1 and "holds"."id" <= $1
    order by "holds"."id" desc
    limit 1
  ) is not null
) as behind
from "holds"
where 1 = 1 and "holds"."id" > $2
order by "holds"."id"
limit 2

-- administrator: GET /api/documents/1/receipts/?per_page=1&cursor=cD0x
select id, step, outcome, at, milliseconds, details, false as behind
from "document_receipts"
where "document_receipts"."document_id" = $1 and "document_receipts"."id" <= $2
order by "document_receipts"."id" desc
limit 1

-- administrator: GET /api/imports/1/files/?per_page=1&
select import_files.*, (
  select status
  from documents
  where documents.id = import_files.document_id
) as status, false as behind
from "import_files"
where "import_files"."import_id" = $1
order by "import_files"."id"
limit 2

-- administrator: GET /api/projects/1/users/?per_page=1&cursor=cD0x
select user_id as id, access, false as behind
from "project_collaborators"
where "project_collaborators"."project_id" = $1 and "project_collaborators"."user_id" <= $2
order by "project_collaborators"."user_id" desc
limit 1

-- anonymous: GET /api/events/?per_page=1&
select events.*
from events
where (events.transaction_id, events.id) > ($1::bigint, $2::bigint) and events.transaction_id < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
order by events.transaction_id, events.id
limit 500

-- administrator: GET /api/organizations/?per_page=1&
select id, uuid, name, slug, avatar_url, individual, false as behind
from "organizations"
where not exists (
  select 1
  from users
  where users.uuid = organizations.uuid and not 1 = 1
)
order by "organizations"."id"
limit 2

-- anonymous: GET /api/documents/spreadsheet/export/
select (
  select count(*)
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true)
) as total

-- user: GET /api/entities/?per_page=1&cursor=cD0x
select entities.*, ((
    select 1
    from "entities"
    where 1 = 1 and "entities"."id" <= $1
    order by "entities"."id" desc
    limit 1
  ) is not null
) as behind
from "entities"
where 1 = 1 and "entities"."id" > $2
order by "entities"."id"
limit 2

-- collaborator: GET /api/entities/?per_page=1&cursor=cj0xJnA9MQ==
select entities.*, ((
    select 1
    from "entities"
    where 1 = 1 and "entities"."id" >= $1
    order by "entities"."id"
    limit 1
  ) is not null
) as behind
from "entities"
where 1 = 1 and "entities"."id" < $2
order by "entities"."id" desc
limit 2

-- administrator: GET /api/admin/audit_entries/?source=membership&per_page=1&cursor=
select entries.id, "entries"."at" as value, false as behind
from (
  select "at" as at, id * 32 + 3 as id
  from "membership_history"
  where "at" is not null
) as entries
where 1 = 1
order by "entries"."at" desc, "entries"."id" desc
limit 2

-- administrator: GET /api/admin/organizations/?per_page=1&
select organizations.id, name, avatar_url, (
  select count(*)
  from organization_members
  where organization_id = organizations.id
) as members, false as behind
from "organizations"
where individual = false
order by "organizations"."id"
limit 2

-- administrator: GET /api/imports/1/files/?per_page=1&cursor=cj0xJnA9MQ==
select import_files.*, (
  select status
  from documents
  where documents.id = import_files.document_id
) as status, false as behind
from "import_files"
where "import_files"."import_id" = $1 and "import_files"."id" >= $2
order by "import_files"."id"
limit 1

-- administrator: GET /api/admin/sign-ins/?per_page=1&
select sign_in_events.id, kind, network, is_known, times, began_at, at, (
  select username
  from users
  where users.id = sign_in_events.user_id
) as username, false as behind
from "sign_in_events"
where 1 = 1
order by "sign_in_events"."id" desc
limit 2

-- administrator: GET /api/admin/refused_mails/?per_page=1&
select mail_arrivals.id, way, sender, reason, times, arrived_at, (
  select username
  from users
  where users.id = mail_arrivals.user_id
) as username, false as behind
from "mail_arrivals"
where reason is not null
order by "mail_arrivals"."id" desc
limit 2

-- administrator: GET /api/imports/1/files/?per_page=1&cursor=cD0x
select import_files.*, (
  select status
  from documents
  where documents.id = import_files.document_id
) as status, false as behind
from "import_files"
where "import_files"."import_id" = $1 and "import_files"."id" <= $2
order by "import_files"."id" desc
limit 1

-- anonymous: GET /api/projects/1/documents/?per_page=1&
select project_memberships.document_id as id, project_memberships.edit_access, false as behind
from project_memberships
where project_memberships.project_id = $1 and project_memberships.is_public = true
order by "project_memberships"."document_id" desc
limit 2

-- user: GET /api/documents/spreadsheet/export/
select (
  select count(*)
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end
) + (
  select count(*)
  from (
    select document_id
    from document_audiences
    where audience = $1
  ) as own
) as total

-- administrator: GET /api/organizations/?per_page=1&cursor=cj0xJnA9MQ==
select id, uuid, name, slug, avatar_url, individual, false as behind
from "organizations"
where not exists (
  select 1
  from users
  where users.uuid = organizations.uuid and not 1 = 1
) and "organizations"."id" >= $1
order by "organizations"."id"
limit 1

-- anonymous: GET /documents/1-a/
select asked.value as page, document_pages.text
from (
  select unnest($1::bigint[]) as value
) as asked left join lateral (
  select *
  from document_pages
  where document_pages.document_id = $2 and document_pages.page = asked.value offset 0
) as document_pages on true

-- anonymous: GET /api/projects/?id__in=1,2&user=1,2&document=1,2&query=a&private=false&slug=a&title=a&per_page=1&
select users.id
from users
where "users"."id" = any($1::bigint[]) and exists (
  select 1
  from documents
  where documents.user_id = users.id and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end
)

-- anonymous: GET /sitemap-1.xml
select documents.id, slug, updated_at, noindex, admin_noindex
from documents
where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and (documents.id + 0) > $1
order by (documents.id + 0)
limit $2

-- guest: GET /api/documents/1/
select guest_links.*
from guest_sessions join guest_links on guest_links.id = guest_sessions.link_id
where guest_sessions.digest = $1 and guest_sessions.expires_at > $2 and guest_links.revoked_at is null and guest_links.expires_at > $3
order by guest_links.id

-- administrator: GET /api/admin/organizations/1/members/?per_page=1&
select organizations.id, name, avatar_url, (
  select count(*)
  from organization_members
  where organization_id = organizations.id
) as members, false as behind
from "organizations"
where individual = false and "organizations"."id" = $1
order by "organizations"."id"
limit 2

-- administrator: GET /api/admin/sign-ins/?kind=refused&per_page=1&
select sign_in_events.id, kind, network, is_known, times, began_at, at, (
  select username
  from users
  where users.id = sign_in_events.user_id
) as username, false as behind
from "sign_in_events"
where "sign_in_events"."kind" = $1
order by "sign_in_events"."id" desc
limit 2

-- user: GET /iiif/1/manifest.json
select distinct notes.page_number
from notes
where notes.document_id = $1 and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $2) or (notes.access = 'organization' and "notes"."document_id" = any($3::bigint[])))
order by notes.page_number

-- administrator: GET /api/admin/sign-ins/?per_page=1&cursor=cD0x
select sign_in_events.id, kind, network, is_known, times, began_at, at, (
  select username
  from users
  where users.id = sign_in_events.user_id
) as username, false as behind
from "sign_in_events"
where 1 = 1 and "sign_in_events"."id" >= $1
order by "sign_in_events"."id"
limit 1

-- administrator: GET /api/admin/audit_entries/?source=membership&per_page=1&cursor=WyJhdCIsMCwzMiwiMjAyNS0wMS0zMVQxMjowMDowMC4wMDAwMDBaIl0=
select entries.id, "entries"."at" as value, false as behind
from (
  select "at" as at, id * 32 + 3 as id
  from "membership_history"
  where "at" is not null
) as entries
where 1 = 1 and ("entries"."at", "entries"."id") >= ($1, $2)
order by "entries"."at", "entries"."id"
limit 1

-- administrator: GET /api/webhooks/?per_page=1&cursor=cD0x
select "webhooks".*, ((
    select 1
    from "webhooks"
    where "webhooks"."user_id" = $1 and "webhooks"."id" <= $2
    order by "webhooks"."id" desc
    limit 1
  ) is not null
) as behind
from "webhooks"
where "webhooks"."user_id" = $3 and "webhooks"."id" > $4
order by "webhooks"."id"
limit 2

-- administrator: GET /api/webhooks/?per_page=1&cursor=cj0xJnA9MQ==
select "webhooks".*, ((
    select 1
    from "webhooks"
    where "webhooks"."user_id" = $1 and "webhooks"."id" >= $2
    order by "webhooks"."id"
    limit 1
  ) is not null
) as behind
from "webhooks"
where "webhooks"."user_id" = $3 and "webhooks"."id" < $4
order by "webhooks"."id" desc
limit 2

-- administrator: GET /api/admin/refused_mails/?per_page=1&cursor=cD0x
select mail_arrivals.id, way, sender, reason, times, arrived_at, (
  select username
  from users
  where users.id = mail_arrivals.user_id
) as username, false as behind
from "mail_arrivals"
where reason is not null and "mail_arrivals"."id" >= $1
order by "mail_arrivals"."id"
limit 1

-- anonymous: GET /api/documents/tree/?&cursor=
select (
  select cast(count(distinct document_id) as text) || ' ' || cast(count(*) as text)
  from (
    select t.document_id
    from document_path_audiences t
    where "t"."audience" = any($1::text[]) and t.path > '1' and t.path < '3'
    limit 10001
  ) as listed
) as counts

-- user: GET /api/account/tokens/?per_page=1&
select "api_tokens"."id", "api_tokens"."name", "api_tokens"."prefix", "api_tokens"."may_write", "api_tokens"."created_at", "api_tokens"."expires_at", "api_tokens"."last_used_at", false as behind
from "api_tokens"
where "api_tokens"."user_id" = $1
order by "api_tokens"."id"
limit 2

-- administrator: GET /api/admin/sign-ins/?per_page=1&cursor=cj0xJnA9MQ==
select sign_in_events.id, kind, network, is_known, times, began_at, at, (
  select username
  from users
  where users.id = sign_in_events.user_id
) as username, false as behind
from "sign_in_events"
where 1 = 1 and "sign_in_events"."id" <= $1
order by "sign_in_events"."id" desc
limit 1

-- administrator: GET /api/organizations/?individual=false&uuid=00000000-0000-4000-8000-000000000000&per_page=1&
select id, uuid, name, slug, avatar_url, individual, false as behind
from "organizations"
where not exists (
  select 1
  from users
  where users.uuid = organizations.uuid and not 1 = 1
) and "organizations"."uuid" = $1 and individual = false
order by "organizations"."id"
limit 2

-- administrator: GET /api/admin/refused_mails/?per_page=1&cursor=cj0xJnA9MQ==
select mail_arrivals.id, way, sender, reason, times, arrived_at, (
  select username
  from users
  where users.id = mail_arrivals.user_id
) as username, false as behind
from "mail_arrivals"
where reason is not null and "mail_arrivals"."id" <= $1
order by "mail_arrivals"."id" desc
limit 1

-- user: GET /api/documents/1/sections/?per_page=1&cursor=cD0x
select "sections".*, ((
    select 1
    from "sections"
    where "sections"."document_id" = $1 and "sections"."id" <= $2
    order by "sections"."id" desc
    limit 1
  ) is not null
) as behind
from "sections"
where "sections"."document_id" = $3 and "sections"."id" > $4
order by "sections"."id"
limit 2

-- collaborator: GET /api/documents/1/sections/?per_page=1&cursor=cj0xJnA9MQ==
select "sections".*, ((
    select 1
    from "sections"
    where "sections"."document_id" = $1 and "sections"."id" >= $2
    order by "sections"."id"
    limit 1
  ) is not null
) as behind
from "sections"
where "sections"."document_id" = $3 and "sections"."id" < $4
order by "sections"."id" desc
limit 2

-- administrator: GET /api/admin/retention_rules/?per_page=1&cursor=cD0x
select "retention_rules".*, ((
    select 1
    from "retention_rules"
    where 1 = 1 and "retention_rules"."id" >= $1
    order by "retention_rules"."id"
    limit 1
  ) is not null
) as behind
from "retention_rules"
where 1 = 1 and "retention_rules"."id" < $2
order by "retention_rules"."id" desc
limit 2

-- administrator: GET /api/admin/retention_rules/?per_page=1&cursor=cj0xJnA9MQ==
select "retention_rules".*, ((
    select 1
    from "retention_rules"
    where 1 = 1 and "retention_rules"."id" <= $1
    order by "retention_rules"."id" desc
    limit 1
  ) is not null
) as behind
from "retention_rules"
where 1 = 1 and "retention_rules"."id" > $2
order by "retention_rules"."id"
limit 2

-- administrator: GET /api/admin/audit_entries/?source=membership&per_page=1&cursor=WyJhdCIsMSwzMiwiMjAyNS0wMS0zMVQxMjowMDowMC4wMDAwMDBaIl0=
select entries.id, "entries"."at" as value, false as behind
from (
  select "at" as at, id * 32 + 3 as id
  from "membership_history"
  where "at" is not null
) as entries
where 1 = 1 and ("entries"."at", "entries"."id") <= ($1, $2)
order by "entries"."at" desc, "entries"."id" desc
limit 1

-- administrator: GET /api/documents/1/errors/?per_page=1&
select id, step, outcome, at, milliseconds, details, false as behind
from "document_receipts"
where "document_receipts"."document_id" = $1 and (outcome = 'failed' or step = 'unpacked' and replace(details, '"reason":"empty"', '') like '%"reason":%')
order by "document_receipts"."id"
limit 2

-- user: GET /api/addon_runs/?per_page=1&cursor=cD0x
select addon_runs.*, ((
    select 1
    from "addon_runs"
    where "addon_runs"."user_id" = $1 and "addon_runs"."id" >= $2
    order by "addon_runs"."id"
    limit 1
  ) is not null
) as behind
from "addon_runs"
where "addon_runs"."user_id" = $3 and "addon_runs"."id" < $4
order by "addon_runs"."id" desc
limit 2

-- collaborator: GET /api/addon_runs/?per_page=1&cursor=cj0xJnA9MQ==
select addon_runs.*, ((
    select 1
    from "addon_runs"
    where "addon_runs"."user_id" = $1 and "addon_runs"."id" <= $2
    order by "addon_runs"."id" desc
    limit 1
  ) is not null
) as behind
from "addon_runs"
where "addon_runs"."user_id" = $3 and "addon_runs"."id" > $4
order by "addon_runs"."id"
limit 2

-- collaborator: GET /api/documents/1/notes/?per_page=1&cursor=cj0xJnA9MQ==
select notes.*, false as behind
from "notes"
where "notes"."document_id" = $1 and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $2) or (notes.access = 'organization' and "notes"."document_id" = any($3::bigint[]))) and "notes"."id" >= $4
order by "notes"."id"
limit 1

-- user: GET /api/imports/?per_page=1&
select imports.*, false as behind
from "imports"
where (imports.user_id = $1 or exists (
  select 1
  from documents
  where documents.id = imports.document_id and documents.user_id = $2 and documents.status <> 'deleted' and documents.access <> 'invisible'
) or 1 = 0)
order by "imports"."id" desc
limit 2

-- anonymous: GET /files/documents/1/a.txt
select documents.updated_at, extent.pages, extent.last, extent.bytes
from documents, (
  select count(*) as pages, max(page) as last, cast(coalesce(sum(octet_length(text)), 0) as bigint) as bytes
  from document_pages
  where document_id = $1
) as extent
where documents.id = $2

-- administrator: GET /api/productions/?per_page=1&cursor=cD0x
select "productions".*, ((
    select 1
    from "productions"
    where "productions"."user_id" = $1 and "productions"."id" >= $2
    order by "productions"."id"
    limit 1
  ) is not null
) as behind
from "productions"
where "productions"."user_id" = $3 and "productions"."id" < $4
order by "productions"."id" desc
limit 2

-- administrator: GET /api/productions/?per_page=1&cursor=cj0xJnA9MQ==
select "productions".*, ((
    select 1
    from "productions"
    where "productions"."user_id" = $1 and "productions"."id" <= $2
    order by "productions"."id" desc
    limit 1
  ) is not null
) as behind
from "productions"
where "productions"."user_id" = $3 and "productions"."id" > $4
order by "productions"."id"
limit 2

-- administrator: GET /api/account/tokens/?per_page=1&cursor=cj0xJnA9MQ==
select "api_tokens"."id", "api_tokens"."name", "api_tokens"."prefix", "api_tokens"."may_write", "api_tokens"."created_at", "api_tokens"."expires_at", "api_tokens"."last_used_at", false as behind
from "api_tokens"
where "api_tokens"."user_id" = $1 and "api_tokens"."id" >= $2
order by "api_tokens"."id"
limit 1

-- administrator: GET /api/admin/identity_providers/?per_page=1&cursor=cD0x
select "identity_providers".*, ((
    select 1
    from "identity_providers"
    where 1 = 1 and "identity_providers"."id" <= $1
    order by "identity_providers"."id" desc
    limit 1
  ) is not null
) as behind
from "identity_providers"
where 1 = 1 and "identity_providers"."id" > $2
order by "identity_providers"."id"
limit 2

-- administrator: GET /api/admin/identity_providers/?per_page=1&cursor=cj0xJnA9MQ==
select "identity_providers".*, ((
    select 1
    from "identity_providers"
    where 1 = 1 and "identity_providers"."id" >= $1
    order by "identity_providers"."id"
    limit 1
  ) is not null
) as behind
from "identity_providers"
where 1 = 1 and "identity_providers"."id" < $2
order by "identity_providers"."id" desc
limit 2

-- user: GET /api/documents/1/notes/?per_page=1&cursor=cD0x
select notes.*, false as behind
from "notes"
where "notes"."document_id" = $1 and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $2) or (notes.access = 'organization' and "notes"."document_id" = any($3::bigint[]))) and "notes"."id" <= $4
order by "notes"."id" desc
limit 1

-- administrator: GET /api/admin/organizations/1/members/?per_page=1&
select users.id, username, name, (
  select is_admin
  from organization_members
  where organization_id = $1 and user_id = users.id
) as is_admin, false as behind
from "users"
where exists (
  select 1
  from organization_members
  where organization_id = $2 and user_id = users.id
)
order by "users"."id"
limit 2

-- collaborator: GET /api/projects/?per_page=1&cursor=cj0xJnA9MQ==
select api_tokens.id, api_tokens.user_id, may_write, last_used_at, run_id, addon_runs.uuid as run_uuid, addon_runs.event_id as run_event, addon_runs.scope as run_scope
from api_tokens left join addon_runs on addon_runs.id = run_id
where digest = $1 and (expires_at is null or expires_at > $2)

-- user: GET /api/addon_events/?per_page=1&cursor=cD0x
select addon_events.*, ((
    select 1
    from "addon_events"
    where "addon_events"."user_id" = $1 and "addon_events"."id" >= $2
    order by "addon_events"."id"
    limit 1
  ) is not null
) as behind
from "addon_events"
where "addon_events"."user_id" = $3 and "addon_events"."id" < $4
order by "addon_events"."id" desc
limit 2

-- collaborator: GET /api/addon_events/?per_page=1&cursor=cj0xJnA9MQ==
select addon_events.*, ((
    select 1
    from "addon_events"
    where "addon_events"."user_id" = $1 and "addon_events"."id" <= $2
    order by "addon_events"."id" desc
    limit 1
  ) is not null
) as behind
from "addon_events"
where "addon_events"."user_id" = $3 and "addon_events"."id" > $4
order by "addon_events"."id"
limit 2

-- administrator: GET /api/account/tokens/?per_page=1&cursor=cD0x
select "api_tokens"."id", "api_tokens"."name", "api_tokens"."prefix", "api_tokens"."may_write", "api_tokens"."created_at", "api_tokens"."expires_at", "api_tokens"."last_used_at", false as behind
from "api_tokens"
where "api_tokens"."user_id" = $1 and "api_tokens"."id" <= $2
order by "api_tokens"."id" desc
limit 1

-- anonymous: GET /api/projects/1/documents/?ordering=created_at&document_id__in=1,2&per_page=1&
select project_memberships.document_id as id, project_memberships.edit_access, false as behind
from project_memberships
where project_memberships.project_id = $1 and project_memberships.is_public = true and "project_memberships"."document_id" = any($2::bigint[])
order by "project_memberships"."document_id"
limit 2

-- anonymous: GET /api/documents/1/errors/?per_page=1&
select id, step, outcome, at, milliseconds, details, false as behind
from "document_receipts"
where "document_receipts"."document_id" = $1 and (outcome = 'failed' or step = 'unpacked' and replace(details, '"reason":"empty"', '') like '%"reason":%') and step <> 'redacted'
order by "document_receipts"."id"
limit 2

-- administrator: GET /api/admin/users/?per_page=1&
select users.id, username, name, email, is_active, is_administrator, created_at, (password_hash <> 'unset') as has_password, (
  select max(seen_at)
  from known_networks
  where known_networks.user_id = users.id
) as signed_in_at, false as behind
from "users"
where password_hash is not null
order by "users"."id"
limit 2

-- anonymous: GET /api/documents/1/mentioned/?kind=email&value=a&cursor=cD0x
select mentions.*, (mentions.page * 1073741824 + mentions.start) as id, false as behind
from "mentions"
where "mentions"."document_id" = $1 and "mentions"."kind" = $2 and "mentions"."value" = $3 and (mentions.page * 1073741824 + mentions.start) <= $4
order by (mentions.page * 1073741824 + mentions.start) desc
limit 1

-- administrator: GET /api/organizations/?individual=false&uuid=00000000-0000-4000-8000-000000000000&per_page=1&cursor=cD0x
select id, uuid, name, slug, avatar_url, individual, false as behind
from "organizations"
where not exists (
  select 1
  from users
  where users.uuid = organizations.uuid and not 1 = 1
) and "organizations"."uuid" = $1 and individual = false and "organizations"."id" <= $2
order by "organizations"."id" desc
limit 1

-- administrator: GET /api/guest_links/?everyone=true&per_page=1&
select guest_links.*, (
  select uuid
  from saved_searches
  where saved_searches.id = guest_links.search_id
) as search_uuid, (
  select case name when '' then username else name end
  from users
  where users.id = guest_links.user_id
) as maker, false as behind
from "guest_links"
where 1 = 1
order by "guest_links"."id" desc
limit 2

-- collaborator: GET /api/documents/spreadsheet/export/
select (
  select count(*)
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end
) + (
  select count(*)
  from (
    select document_id
    from document_audiences
    where audience = $1
    union
    select document_id
    from document_audiences
    where audience = $2
  ) as own
) as total

-- administrator: GET /api/documents/search/saved/?per_page=1&cursor=cD0x
select "saved_searches".*, ((
    select 1
    from "saved_searches"
    where "saved_searches"."user_id" = $1 and "saved_searches"."id" <= $2
    order by "saved_searches"."id" desc
    limit 1
  ) is not null
) as behind
from "saved_searches"
where "saved_searches"."user_id" = $3 and "saved_searches"."id" > $4
order by "saved_searches"."id"
limit 2

-- administrator: GET /api/documents/search/saved/?per_page=1&cursor=cj0xJnA9MQ==
select "saved_searches".*, ((
    select 1
    from "saved_searches"
    where "saved_searches"."user_id" = $1 and "saved_searches"."id" >= $2
    order by "saved_searches"."id"
    limit 1
  ) is not null
) as behind
from "saved_searches"
where "saved_searches"."user_id" = $3 and "saved_searches"."id" < $4
order by "saved_searches"."id" desc
limit 2

-- administrator: GET /api/admin/organizations/1/members/?per_page=1&cursor=cj0xJnA9MQ==
select users.id, username, name, (
  select is_admin
  from organization_members
  where organization_id = $1 and user_id = users.id
) as is_admin, false as behind
from "users"
where exists (
  select 1
  from organization_members
  where organization_id = $2 and user_id = users.id
) and "users"."id" >= $3
order by "users"."id"
limit 1

-- administrator: GET /api/admin/organizations/1/members/?per_page=1&cursor=cD0x
select users.id, username, name, (
  select is_admin
  from organization_members
  where organization_id = $1 and user_id = users.id
) as is_admin, false as behind
from "users"
where exists (
  select 1
  from organization_members
  where organization_id = $2 and user_id = users.id
) and "users"."id" <= $3
order by "users"."id" desc
limit 1

-- user: GET /api/guest_links/?per_page=1&
select guest_links.*, (
  select uuid
  from saved_searches
  where saved_searches.id = guest_links.search_id
) as search_uuid, (
  select case name when '' then username else name end
  from users
  where users.id = guest_links.user_id
) as maker, false as behind
from "guest_links"
where guest_links.user_id = $1
order by "guest_links"."id" desc
limit 2

-- administrator: GET /api/guest_links/?everyone=true&per_page=1&cursor=cD0x
select guest_links.*, (
  select uuid
  from saved_searches
  where saved_searches.id = guest_links.search_id
) as search_uuid, (
  select case name when '' then username else name end
  from users
  where users.id = guest_links.user_id
) as maker, false as behind
from "guest_links"
where 1 = 1 and "guest_links"."id" >= $1
order by "guest_links"."id"
limit 1

-- administrator: GET /api/guest_links/?project=1&per_page=1&
select guest_links.*, (
  select uuid
  from saved_searches
  where saved_searches.id = guest_links.search_id
) as search_uuid, (
  select case name when '' then username else name end
  from users
  where users.id = guest_links.user_id
) as maker, false as behind
from "guest_links"
where "guest_links"."project_id" = $1
order by "guest_links"."id" desc
limit 2

-- administrator: GET /api/guest_links/?document=1&per_page=1&
select guest_links.*, (
  select uuid
  from saved_searches
  where saved_searches.id = guest_links.search_id
) as search_uuid, (
  select case name when '' then username else name end
  from users
  where users.id = guest_links.user_id
) as maker, false as behind
from "guest_links"
where "guest_links"."document_id" = $1
order by "guest_links"."id" desc
limit 2

-- administrator: GET /api/imports/?per_page=1&
select imports.*, false as behind
from "imports"
where (imports.user_id = $1 or exists (
  select 1
  from documents
  where documents.id = imports.document_id and documents.user_id = $2 and documents.status <> 'deleted' and documents.access <> 'invisible'
) or (imports.user_id is null and imports.document_id is null))
order by "imports"."id" desc
limit 2

-- administrator: GET /api/admin/certificates/?per_page=1&cursor=cD0x
select id, at, document_id, changes, ((
    select 1
    from "document_history"
    where document_history.action = 'disposed' and "document_history"."id" >= $1
    order by "document_history"."id"
    limit 1
  ) is not null
) as behind
from "document_history"
where document_history.action = 'disposed' and "document_history"."id" < $2
order by "document_history"."id" desc
limit 2

-- administrator: GET /api/admin/certificates/?per_page=1&cursor=cj0xJnA9MQ==
select id, at, document_id, changes, ((
    select 1
    from "document_history"
    where document_history.action = 'disposed' and "document_history"."id" <= $1
    order by "document_history"."id" desc
    limit 1
  ) is not null
) as behind
from "document_history"
where document_history.action = 'disposed' and "document_history"."id" > $2
order by "document_history"."id"
limit 2

-- user: GET /account/searches/00000000-0000-4000-8000-000000000002/
select documents.id
from documents
where "documents"."id" = any($1::bigint[]) and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end or exists (
  select 1
  from document_audiences
  where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($2::text[])
)) and 1 = 1

-- administrator: GET /api/guest_links/?per_page=1&cursor=cj0xJnA9MQ==
select guest_links.*, (
  select uuid
  from saved_searches
  where saved_searches.id = guest_links.search_id
) as search_uuid, (
  select case name when '' then username else name end
  from users
  where users.id = guest_links.user_id
) as maker, false as behind
from "guest_links"
where guest_links.user_id = $1 and "guest_links"."id" <= $2
order by "guest_links"."id" desc
limit 1

-- user: GET /api/documents/1/entities/?per_page=1&cursor=cD0x
select entity_occurrences.*, ((
    select 1
    from "entity_occurrences"
    where "entity_occurrences"."document_id" = $1 and "entity_occurrences"."id" <= $2
    order by "entity_occurrences"."id" desc
    limit 1
  ) is not null
) as behind
from "entity_occurrences"
where "entity_occurrences"."document_id" = $3 and "entity_occurrences"."id" > $4
order by "entity_occurrences"."id"
limit 2

-- collaborator: GET /api/documents/1/entities/?per_page=1&cursor=cj0xJnA9MQ==
select entity_occurrences.*, ((
    select 1
    from "entity_occurrences"
    where "entity_occurrences"."document_id" = $1 and "entity_occurrences"."id" >= $2
    order by "entity_occurrences"."id"
    limit 1
  ) is not null
) as behind
from "entity_occurrences"
where "entity_occurrences"."document_id" = $3 and "entity_occurrences"."id" < $4
order by "entity_occurrences"."id" desc
limit 2

-- administrator: GET /api/webhooks/1/deliveries/?per_page=1&cursor=cD0x
select "webhook_deliveries".*, ((
    select 1
    from "webhook_deliveries"
    where "webhook_deliveries"."webhook_id" = $1 and "webhook_deliveries"."id" >= $2
    order by "webhook_deliveries"."id"
    limit 1
  ) is not null
) as behind
from "webhook_deliveries"
where "webhook_deliveries"."webhook_id" = $3 and "webhook_deliveries"."id" < $4
order by "webhook_deliveries"."id" desc
limit 2

-- administrator: GET /api/webhooks/1/deliveries/?per_page=1&cursor=cj0xJnA9MQ==
select "webhook_deliveries".*, ((
    select 1
    from "webhook_deliveries"
    where "webhook_deliveries"."webhook_id" = $1 and "webhook_deliveries"."id" <= $2
    order by "webhook_deliveries"."id" desc
    limit 1
  ) is not null
) as behind
from "webhook_deliveries"
where "webhook_deliveries"."webhook_id" = $3 and "webhook_deliveries"."id" > $4
order by "webhook_deliveries"."id"
limit 2

-- anonymous: GET /
select count(*) as count
from (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and not exists (
    select 1
    from document_children
    where document_children.child_id = documents.id
  )
  limit 10001
) as listed

-- administrator: GET /api/imports/?per_page=1&cursor=cD0x
select imports.*, false as behind
from "imports"
where (imports.user_id = $1 or exists (
  select 1
  from documents
  where documents.id = imports.document_id and documents.user_id = $2 and documents.status <> 'deleted' and documents.access <> 'invisible'
) or (imports.user_id is null and imports.document_id is null)) and "imports"."id" >= $3
order by "imports"."id"
limit 1

-- administrator: GET /api/admin/mails/?per_page=1&
select mails.id, mails.kind, mails.created_at, mails.sent_at, mails.problem, (
  select username
  from users
  where users.id = mails.user_id
) as username, (
  select last_error
  from jobs
  where jobs.kind = 'send mail' and jobs.subject = mails.id and cancelled_at is null
) as last_error, false as behind
from "mails"
where user_id is not null
order by "mails"."id" desc
limit 2

-- administrator: GET /api/imports/?per_page=1&cursor=cj0xJnA9MQ==
select imports.*, false as behind
from "imports"
where (imports.user_id = $1 or exists (
  select 1
  from documents
  where documents.id = imports.document_id and documents.user_id = $2 and documents.status <> 'deleted' and documents.access <> 'invisible'
) or (imports.user_id is null and imports.document_id is null)) and "imports"."id" <= $3
order by "imports"."id" desc
limit 1

-- anonymous: GET /api/documents/1/notes/?per_page=1&
select documents.*, (
  select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
  from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
  where project_memberships.document_id = documents.id
) as public_projects
from documents
where "documents"."id" = any($1::bigint[])

-- anonymous: GET /api/addon_runs/?event=1&addon=1,2&dismissed=false&site=a&ordering=created_at&per_page=1&
select addon_runs.*, false as behind
from "addon_runs"
where "addon_runs"."user_id" = $1 and "addon_runs"."event_id" = any($2::bigint[]) and "addon_runs"."addon_id" = any($3::bigint[]) and addon_runs.dismissed = false and addon_runs.event_id in (
  select addon_events.id
  from addon_events
  where addon_events.user_id = $4 and addon_events.site = $5
)
order by "addon_runs"."id"
limit 2

-- administrator: GET /api/documents/1/receipts/?per_page=1&cursor=cD0x
select id, step, outcome, at, milliseconds, details, ((
    select 1
    from "document_receipts"
    where "document_receipts"."document_id" = $1 and "document_receipts"."id" <= $2
    order by "document_receipts"."id" desc
    limit 1
  ) is not null
) as behind
from "document_receipts"
where "document_receipts"."document_id" = $3 and "document_receipts"."id" > $4
order by "document_receipts"."id"
limit 2

-- administrator: GET /api/documents/1/receipts/?per_page=1&cursor=cj0xJnA9MQ==
select id, step, outcome, at, milliseconds, details, ((
    select 1
    from "document_receipts"
    where "document_receipts"."document_id" = $1 and "document_receipts"."id" >= $2
    order by "document_receipts"."id"
    limit 1
  ) is not null
) as behind
from "document_receipts"
where "document_receipts"."document_id" = $3 and "document_receipts"."id" < $4
order by "document_receipts"."id" desc
limit 2

-- anonymous: GET /api/documents/1/entities/?name=a&wikidata_id=Q1&per_page=1&
select entity_occurrences.*, false as behind
from "entity_occurrences"
where "entity_occurrences"."document_id" = $1 and exists (
  select 1
  from entities
  where entities.id = entity_occurrences.entity_id and entities.name = $2
) and exists (
  select 1
  from entities
  where entities.id = entity_occurrences.entity_id and entities.wikidata_id = $3
)
order by "entity_occurrences"."id"
limit 2

-- administrator: GET /api/productions/1/documents/?per_page=1&cursor=cD0x
select "production_documents".*, ((
    select 1
    from "production_documents"
    where "production_documents"."production_id" = $1 and "production_documents"."id" <= $2
    order by "production_documents"."id" desc
    limit 1
  ) is not null
) as behind
from "production_documents"
where "production_documents"."production_id" = $3 and "production_documents"."id" > $4
order by "production_documents"."id"
limit 2

-- administrator: GET /api/productions/1/documents/?per_page=1&cursor=cj0xJnA9MQ==
select "production_documents".*, ((
    select 1
    from "production_documents"
    where "production_documents"."production_id" = $1 and "production_documents"."id" >= $2
    order by "production_documents"."id"
    limit 1
  ) is not null
) as behind
from "production_documents"
where "production_documents"."production_id" = $3 and "production_documents"."id" < $4
order by "production_documents"."id" desc
limit 2

-- administrator: GET /api/admin/mails/?per_page=1&cursor=cD0x
select mails.id, mails.kind, mails.created_at, mails.sent_at, mails.problem, (
  select username
  from users
  where users.id = mails.user_id
) as username, (
  select last_error
  from jobs
  where jobs.kind = 'send mail' and jobs.subject = mails.id and cancelled_at is null
) as last_error, false as behind
from "mails"
where user_id is not null and "mails"."id" >= $1
order by "mails"."id"
limit 1

-- anonymous: GET /api/documents/tree/?&cursor=
select branch.value as branch, (
  select cast(count(distinct document_id) as text) || ' ' || cast(count(*) as text)
  from (
    select t.document_id
    from document_path_audiences t
    where "t"."audience" = any($1::text[]) and t.path > branch.value || '/' and t.path < branch.value || '0'
    limit 10001
  ) as listed
) as counts
from (
  select unnest($2::text[]) collate "C" as value
) as branch

-- administrator: GET /api/admin/mails/?per_page=1&cursor=cj0xJnA9MQ==
select mails.id, mails.kind, mails.created_at, mails.sent_at, mails.problem, (
  select username
  from users
  where users.id = mails.user_id
) as username, (
  select last_error
  from jobs
  where jobs.kind = 'send mail' and jobs.subject = mails.id and cancelled_at is null
) as last_error, false as behind
from "mails"
where user_id is not null and "mails"."id" <= $1
order by "mails"."id" desc
limit 1

-- administrator: GET /api/imports/1/files/?per_page=1&cursor=cD0x
select import_files.*, (
  select status
  from documents
  where documents.id = import_files.document_id
) as status, ((
    select 1
    from "import_files"
    where "import_files"."import_id" = $1 and "import_files"."id" <= $2
    order by "import_files"."id" desc
    limit 1
  ) is not null
) as behind
from "import_files"
where "import_files"."import_id" = $3 and "import_files"."id" > $4
order by "import_files"."id"
limit 2

-- administrator: GET /api/imports/1/files/?per_page=1&cursor=cj0xJnA9MQ==
select import_files.*, (
  select status
  from documents
  where documents.id = import_files.document_id
) as status, ((
    select 1
    from "import_files"
    where "import_files"."import_id" = $1 and "import_files"."id" >= $2
    order by "import_files"."id"
    limit 1
  ) is not null
) as behind
from "import_files"
where "import_files"."import_id" = $3 and "import_files"."id" < $4
order by "import_files"."id" desc
limit 2

-- anonymous: GET /api/notes/?per_page=1&
select notes.*, documents.title as document_title, documents.slug as document_slug, case when 1 = 0 then 1 else 0 end as is_editable
from notes join documents on documents.id = notes.document_id
where (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end or 1 = 0) and notes.access = 'public'
order by notes.id desc
limit 2

-- anonymous: GET /api/addons/?per_page=1&
select addons.*, exists (
  select 1
  from addon_pins
  where addon_pins.addon_id = addons.id and addon_pins.user_id = $1
) as active, false as behind
from "addons"
where (addons.is_removed = false and addons.is_enabled = true and (addons.access = 'public' or addons.user_id = $2 or (addons.access = 'organization' and "addons"."organization_id" = any($3::bigint[]))))
order by "addons"."id"
limit 2

-- administrator: GET /api/admin/dispositions/?per_page=1&
select dispositions.*, (
  select "page_count"
  from documents
  where documents.id = dispositions.document_id
) as page_count, (
  select "user_id"
  from documents
  where documents.id = dispositions.document_id
) as owner, (
  select "organization_id"
  from documents
  where documents.id = dispositions.document_id
) as organization_id, false as behind
from "dispositions"
where 1 = 1
order by "dispositions"."id"
limit 2

-- administrator: GET /api/admin/sign-ins/?per_page=1&cursor=cD0x
select sign_in_events.id, kind, network, is_known, times, began_at, at, (
  select username
  from users
  where users.id = sign_in_events.user_id
) as username, ((
    select 1
    from "sign_in_events"
    where 1 = 1 and "sign_in_events"."id" >= $1
    order by "sign_in_events"."id"
    limit 1
  ) is not null
) as behind
from "sign_in_events"
where 1 = 1 and "sign_in_events"."id" < $2
order by "sign_in_events"."id" desc
limit 2

-- administrator: GET /api/admin/sign-ins/?per_page=1&cursor=cj0xJnA9MQ==
select sign_in_events.id, kind, network, is_known, times, began_at, at, (
  select username
  from users
  where users.id = sign_in_events.user_id
) as username, ((
    select 1
    from "sign_in_events"
    where 1 = 1 and "sign_in_events"."id" <= $1
    order by "sign_in_events"."id" desc
    limit 1
  ) is not null
) as behind
from "sign_in_events"
where 1 = 1 and "sign_in_events"."id" > $2
order by "sign_in_events"."id"
limit 2

-- administrator: GET /api/admin/organizations/?per_page=1&cursor=cD0x
select organizations.id, name, avatar_url, (
  select count(*)
  from organization_members
  where organization_id = organizations.id
) as members, ((
    select 1
    from "organizations"
    where individual = false and "organizations"."id" <= $1
    order by "organizations"."id" desc
    limit 1
  ) is not null
) as behind
from "organizations"
where individual = false and "organizations"."id" > $2
order by "organizations"."id"
limit 2

-- administrator: GET /api/admin/organizations/?per_page=1&cursor=cj0xJnA9MQ==
select organizations.id, name, avatar_url, (
  select count(*)
  from organization_members
  where organization_id = organizations.id
) as members, ((
    select 1
    from "organizations"
    where individual = false and "organizations"."id" >= $1
    order by "organizations"."id"
    limit 1
  ) is not null
) as behind
from "organizations"
where individual = false and "organizations"."id" < $2
order by "organizations"."id" desc
limit 2

-- administrator: GET /api/projects/1/users/?per_page=1&cursor=cD0x
select user_id as id, access, ((
    select 1
    from "project_collaborators"
    where "project_collaborators"."project_id" = $1 and "project_collaborators"."user_id" <= $2
    order by "project_collaborators"."user_id" desc
    limit 1
  ) is not null
) as behind
from "project_collaborators"
where "project_collaborators"."project_id" = $3 and "project_collaborators"."user_id" > $4
order by "project_collaborators"."user_id"
limit 2

-- administrator: GET /api/projects/1/users/?per_page=1&cursor=cj0xJnA9MQ==
select user_id as id, access, ((
    select 1
    from "project_collaborators"
    where "project_collaborators"."project_id" = $1 and "project_collaborators"."user_id" >= $2
    order by "project_collaborators"."user_id"
    limit 1
  ) is not null
) as behind
from "project_collaborators"
where "project_collaborators"."project_id" = $3 and "project_collaborators"."user_id" < $4
order by "project_collaborators"."user_id" desc
limit 2

-- administrator: GET /api/admin/refused_mails/?per_page=1&cursor=cD0x
select mail_arrivals.id, way, sender, reason, times, arrived_at, (
  select username
  from users
  where users.id = mail_arrivals.user_id
) as username, ((
    select 1
    from "mail_arrivals"
    where reason is not null and "mail_arrivals"."id" >= $1
    order by "mail_arrivals"."id"
    limit 1
  ) is not null
) as behind
from "mail_arrivals"
where reason is not null and "mail_arrivals"."id" < $2
order by "mail_arrivals"."id" desc
limit 2

-- administrator: GET /api/admin/refused_mails/?per_page=1&cursor=cj0xJnA9MQ==
select mail_arrivals.id, way, sender, reason, times, arrived_at, (
  select username
  from users
  where users.id = mail_arrivals.user_id
) as username, ((
    select 1
    from "mail_arrivals"
    where reason is not null and "mail_arrivals"."id" <= $1
    order by "mail_arrivals"."id" desc
    limit 1
  ) is not null
) as behind
from "mail_arrivals"
where reason is not null and "mail_arrivals"."id" > $2
order by "mail_arrivals"."id"
limit 2

-- collaborator: GET /api/addons/?per_page=1&cursor=cj0xJnA9MQ==
select addons.*, exists (
  select 1
  from addon_pins
  where addon_pins.addon_id = addons.id and addon_pins.user_id = $1
) as active, false as behind
from "addons"
where (addons.is_removed = false and addons.is_enabled = true and (addons.access = 'public' or addons.user_id = $2 or (addons.access = 'organization' and "addons"."organization_id" = any($3::bigint[])))) and "addons"."id" >= $4
order by "addons"."id"
limit 1

-- administrator: GET /api/admin/dispositions/?state=proposed&per_page=1&
select dispositions.*, (
  select "page_count"
  from documents
  where documents.id = dispositions.document_id
) as page_count, (
  select "user_id"
  from documents
  where documents.id = dispositions.document_id
) as owner, (
  select "organization_id"
  from documents
  where documents.id = dispositions.document_id
) as organization_id, false as behind
from "dispositions"
where "dispositions"."state" = $1
order by "dispositions"."id"
limit 2

-- administrator: GET /api/admin/dispositions/?rule=1&per_page=1&
select dispositions.*, (
  select "page_count"
  from documents
  where documents.id = dispositions.document_id
) as page_count, (
  select "user_id"
  from documents
  where documents.id = dispositions.document_id
) as owner, (
  select "organization_id"
  from documents
  where documents.id = dispositions.document_id
) as organization_id, false as behind
from "dispositions"
where "dispositions"."rule_id" = $1
order by "dispositions"."id"
limit 2

-- anonymous: GET /api/projects/1/documents/?per_page=1&
select projects.id, projects.title, projects.slug, projects.description, projects.private, projects.user_id, projects.created_at, projects.updated_at, (
  select access
  from project_collaborators
  where project_id = projects.id and user_id = $1
) as access, exists (
  select 1
  from project_pins
  where project_id = projects.id and user_id = $2
) as pinned
from projects
where "projects"."id" = any($3::bigint[]) and projects.private = false

-- user: GET /api/addons/?per_page=1&cursor=cD0x
select addons.*, exists (
  select 1
  from addon_pins
  where addon_pins.addon_id = addons.id and addon_pins.user_id = $1
) as active, false as behind
from "addons"
where (addons.is_removed = false and addons.is_enabled = true and (addons.access = 'public' or addons.user_id = $2 or (addons.access = 'organization' and "addons"."organization_id" = any($3::bigint[])))) and "addons"."id" <= $4
order by "addons"."id" desc
limit 1

-- administrator: GET /api/admin/dispositions/?per_page=1&cursor=cj0xJnA9MQ==
select dispositions.*, (
  select "page_count"
  from documents
  where documents.id = dispositions.document_id
) as page_count, (
  select "user_id"
  from documents
  where documents.id = dispositions.document_id
) as owner, (
  select "organization_id"
  from documents
  where documents.id = dispositions.document_id
) as organization_id, false as behind
from "dispositions"
where 1 = 1 and "dispositions"."id" >= $1
order by "dispositions"."id"
limit 1

-- user: GET /api/projects/1/documents/?per_page=1&cursor=cD0x
select (
  select count(*)
  from project_memberships
  where project_memberships.project_id = $1 and project_memberships.is_public = true
) + (
  select count(*)
  from project_memberships
  where project_memberships.project_id = $2 and project_memberships.is_public = false and exists (
    select 1
    from document_audiences
    where document_audiences.document_id = "project_memberships"."document_id" and "document_audiences"."audience" = any($3::text[])
  )
) as count

-- administrator: GET /api/admin/dispositions/?per_page=1&cursor=cD0x
select dispositions.*, (
  select "page_count"
  from documents
  where documents.id = dispositions.document_id
) as page_count, (
  select "user_id"
  from documents
  where documents.id = dispositions.document_id
) as owner, (
  select "organization_id"
  from documents
  where documents.id = dispositions.document_id
) as organization_id, false as behind
from "dispositions"
where 1 = 1 and "dispositions"."id" <= $1
order by "dispositions"."id" desc
limit 1

-- administrator: GET /api/account/tokens/?per_page=1&cursor=cD0x
select "api_tokens"."id", "api_tokens"."name", "api_tokens"."prefix", "api_tokens"."may_write", "api_tokens"."created_at", "api_tokens"."expires_at", "api_tokens"."last_used_at", ((
    select 1
    from "api_tokens"
    where "api_tokens"."user_id" = $1 and "api_tokens"."id" <= $2
    order by "api_tokens"."id" desc
    limit 1
  ) is not null
) as behind
from "api_tokens"
where "api_tokens"."user_id" = $3 and "api_tokens"."id" > $4
order by "api_tokens"."id"
limit 2

-- administrator: GET /api/account/tokens/?per_page=1&cursor=cj0xJnA9MQ==
select "api_tokens"."id", "api_tokens"."name", "api_tokens"."prefix", "api_tokens"."may_write", "api_tokens"."created_at", "api_tokens"."expires_at", "api_tokens"."last_used_at", ((
    select 1
    from "api_tokens"
    where "api_tokens"."user_id" = $1 and "api_tokens"."id" >= $2
    order by "api_tokens"."id"
    limit 1
  ) is not null
) as behind
from "api_tokens"
where "api_tokens"."user_id" = $3 and "api_tokens"."id" < $4
order by "api_tokens"."id" desc
limit 2

-- anonymous: GET /api/projects/?per_page=1&
select projects.id, projects.title, projects.slug, projects.description, projects.private, projects.user_id, projects.created_at, projects.updated_at, (
  select access
  from project_collaborators
  where project_id = projects.id and user_id = $1
) as access, exists (
  select 1
  from project_pins
  where project_id = projects.id and user_id = $2
) as pinned, false as behind
from "projects"
where projects.private = false
order by "projects"."id"
limit 2

-- administrator: GET /api/admin/users/?per_page=1&cursor=cD0x
select users.id, username, name, email, is_active, is_administrator, created_at, (password_hash <> 'unset') as has_password, (
  select max(seen_at)
  from known_networks
  where known_networks.user_id = users.id
) as signed_in_at, ((
    select 1
    from "users"
    where password_hash is not null and "users"."id" <= $1
    order by "users"."id" desc
    limit 1
  ) is not null
) as behind
from "users"
where password_hash is not null and "users"."id" > $2
order by "users"."id"
limit 2

-- administrator: GET /api/admin/users/?per_page=1&cursor=cj0xJnA9MQ==
select users.id, username, name, email, is_active, is_administrator, created_at, (password_hash <> 'unset') as has_password, (
  select max(seen_at)
  from known_networks
  where known_networks.user_id = users.id
) as signed_in_at, ((
    select 1
    from "users"
    where password_hash is not null and "users"."id" >= $1
    order by "users"."id"
    limit 1
  ) is not null
) as behind
from "users"
where password_hash is not null and "users"."id" < $2
order by "users"."id" desc
limit 2

-- administrator: GET /api/guest_links/?everyone=true&per_page=1&cursor=cD0x
select guest_links.*, (
  select uuid
  from saved_searches
  where saved_searches.id = guest_links.search_id
) as search_uuid, (
  select case name when '' then username else name end
  from users
  where users.id = guest_links.user_id
) as maker, ((
    select 1
    from "guest_links"
    where 1 = 1 and "guest_links"."id" >= $1
    order by "guest_links"."id"
    limit 1
  ) is not null
) as behind
from "guest_links"
where 1 = 1 and "guest_links"."id" < $2
order by "guest_links"."id" desc
limit 2

-- administrator: GET /api/guest_links/?everyone=true&per_page=1&cursor=cj0xJnA9MQ==
select guest_links.*, (
  select uuid
  from saved_searches
  where saved_searches.id = guest_links.search_id
) as search_uuid, (
  select case name when '' then username else name end
  from users
  where users.id = guest_links.user_id
) as maker, ((
    select 1
    from "guest_links"
    where 1 = 1 and "guest_links"."id" <= $1
    order by "guest_links"."id" desc
    limit 1
  ) is not null
) as behind
from "guest_links"
where 1 = 1 and "guest_links"."id" > $2
order by "guest_links"."id"
limit 2

-- administrator: GET /api/organizations/?id__in=1,2&individual=true&slug=a&name=a&name__istartswith=a&per_page=1&
select id, uuid, name, slug, avatar_url, individual, false as behind
from "organizations"
where not exists (
  select 1
  from users
  where users.uuid = organizations.uuid and not 1 = 1
) and "organizations"."id" = any($1::bigint[]) and "organizations"."slug" = $2 and "organizations"."name" = $3 and lower(cast("organizations"."name" as text) collate "default") like lower(cast($4 as text) collate "default") escape '\' and individual = true
order by "organizations"."id"
limit 2

-- anonymous: GET /projects/1-a/
select count(*) as count
from (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and not exists (
    select 1
    from document_children
    where document_children.child_id = documents.id
  ) and documents.id in (
    select document_id
    from project_memberships
    where project_memberships.project_id = $1
  )
  limit 10001
) as listed

-- administrator: GET /api/documents/1/bates/?per_page=1&
select production_documents.*, (
  select "prefix"
  from productions
  where productions.id = production_documents.production_id
) as "prefix", (
  select "digits"
  from productions
  where productions.id = production_documents.production_id
) as "digits", (
  select "created_at"
  from productions
  where productions.id = production_documents.production_id
) as "created_at", false as behind
from "production_documents"
where "production_documents"."document_id" = $1
order by "production_documents"."id"
limit 2

-- administrator: GET /api/admin/mails/?per_page=1&cursor=cD0x
select mails.id, mails.kind, mails.created_at, mails.sent_at, mails.problem, (
  select username
  from users
  where users.id = mails.user_id
) as username, (
  select last_error
  from jobs
  where jobs.kind = 'send mail' and jobs.subject = mails.id and cancelled_at is null
) as last_error, ((
    select 1
    from "mails"
    where user_id is not null and "mails"."id" >= $1
    order by "mails"."id"
    limit 1
  ) is not null
) as behind
from "mails"
where user_id is not null and "mails"."id" < $2
order by "mails"."id" desc
limit 2

-- administrator: GET /api/admin/mails/?per_page=1&cursor=cj0xJnA9MQ==
select mails.id, mails.kind, mails.created_at, mails.sent_at, mails.problem, (
  select username
  from users
  where users.id = mails.user_id
) as username, (
  select last_error
  from jobs
  where jobs.kind = 'send mail' and jobs.subject = mails.id and cancelled_at is null
) as last_error, ((
    select 1
    from "mails"
    where user_id is not null and "mails"."id" <= $1
    order by "mails"."id" desc
    limit 1
  ) is not null
) as behind
from "mails"
where user_id is not null and "mails"."id" > $2
order by "mails"."id"
limit 2

-- anonymous: GET /api/documents/spreadsheet/export/
select id, value, created_at
from (
  select *
  from (
    select id, value, created_at
    from (
      select "documents"."id" as id, "documents"."created_at" as value, documents.created_at
      from documents
      where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
    ) as ranked
    order by value desc, id desc
    limit 501
  ) as first
) as parts
order by value desc, id desc
limit 501 offset 0

-- administrator: GET /api/admin/audit_entries/?source=membership&per_page=1&cursor=WyJhdCIsMCwzMiwiMjAyNS0wMS0zMVQxMjowMDowMC4wMDAwMDBaIl0=
select entries.id, "entries"."at" as value, ((
    select 1
    from (
      select "at" as at, id * 32 + 3 as id
      from "membership_history"
      where "at" is not null
    ) as entries
    where 1 = 1 and ("entries"."at", "entries"."id") >= ($1, $2)
    order by "entries"."at", "entries"."id"
    limit 1
  ) is not null
) as behind
from (
  select "at" as at, id * 32 + 3 as id
  from "membership_history"
  where "at" is not null
) as entries
where 1 = 1 and ("entries"."at", "entries"."id") < ($3, $4)
order by "entries"."at" desc, "entries"."id" desc
limit 2

-- anonymous: GET /api/projects/?pinned=true&is_shared=true&owned_by_user=true&per_page=1&
select projects.id, projects.title, projects.slug, projects.description, projects.private, projects.user_id, projects.created_at, projects.updated_at, (
  select access
  from project_collaborators
  where project_id = projects.id and user_id = $1
) as access, exists (
  select 1
  from project_pins
  where project_id = projects.id and user_id = $2
) as pinned, false as behind
from "projects"
where projects.private = false and projects.id in (
  select project_id
  from project_pins
  where user_id = $3
)
order by "projects"."id"
limit 2

-- user: GET /api/projects/1/documents/?per_page=1&cursor=cD0x
select projects.id, projects.title, projects.slug, projects.description, projects.private, projects.user_id, projects.created_at, projects.updated_at, (
  select access
  from project_collaborators
  where project_id = projects.id and user_id = $1
) as access, exists (
  select 1
  from project_pins
  where project_id = projects.id and user_id = $2
) as pinned
from projects
where "projects"."id" = any($3::bigint[]) and (projects.private = false or exists (
  select 1
  from project_collaborators mine
  where mine.project_id = projects.id and mine.user_id = $4
))

-- anonymous: GET /api/projects/?pinned=false&private=true&per_page=1&
select projects.id, projects.title, projects.slug, projects.description, projects.private, projects.user_id, projects.created_at, projects.updated_at, (
  select access
  from project_collaborators
  where project_id = projects.id and user_id = $1
) as access, exists (
  select 1
  from project_pins
  where project_id = projects.id and user_id = $2
) as pinned, false as behind
from "projects"
where projects.private = false and projects.private = true and projects.id not in (
  select project_id
  from project_pins
  where user_id = $3
)
order by "projects"."id"
limit 2

-- administrator: GET /api/admin/dispositions/?per_page=1&cursor=cD0x
select dispositions.*, (
  select "page_count"
  from documents
  where documents.id = dispositions.document_id
) as page_count, (
  select "user_id"
  from documents
  where documents.id = dispositions.document_id
) as owner, (
  select "organization_id"
  from documents
  where documents.id = dispositions.document_id
) as organization_id, ((
    select 1
    from "dispositions"
    where 1 = 1 and "dispositions"."id" <= $1
    order by "dispositions"."id" desc
    limit 1
  ) is not null
) as behind
from "dispositions"
where 1 = 1 and "dispositions"."id" > $2
order by "dispositions"."id"
limit 2

-- administrator: GET /api/admin/dispositions/?per_page=1&cursor=cj0xJnA9MQ==
select dispositions.*, (
  select "page_count"
  from documents
  where documents.id = dispositions.document_id
) as page_count, (
  select "user_id"
  from documents
  where documents.id = dispositions.document_id
) as owner, (
  select "organization_id"
  from documents
  where documents.id = dispositions.document_id
) as organization_id, ((
    select 1
    from "dispositions"
    where 1 = 1 and "dispositions"."id" >= $1
    order by "dispositions"."id"
    limit 1
  ) is not null
) as behind
from "dispositions"
where 1 = 1 and "dispositions"."id" < $2
order by "dispositions"."id" desc
limit 2

-- collaborator: GET /api/projects/?per_page=1&cursor=cj0xJnA9MQ==
select projects.id, projects.title, projects.slug, projects.description, projects.private, projects.user_id, projects.created_at, projects.updated_at, (
  select access
  from project_collaborators
  where project_id = projects.id and user_id = $1
) as access, exists (
  select 1
  from project_pins
  where project_id = projects.id and user_id = $2
) as pinned, false as behind
from "projects"
where (projects.private = false or exists (
  select 1
  from project_collaborators mine
  where mine.project_id = projects.id and mine.user_id = $3
)) and "projects"."id" >= $4
order by "projects"."id"
limit 1

-- user: GET /api/documents/1/notes/?per_page=1&cursor=cD0x
select notes.*, ((
    select 1
    from "notes"
    where "notes"."document_id" = $1 and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $2) or (notes.access = 'organization' and "notes"."document_id" = any($3::bigint[]))) and "notes"."id" <= $4
    order by "notes"."id" desc
    limit 1
  ) is not null
) as behind
from "notes"
where "notes"."document_id" = $5 and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $6) or (notes.access = 'organization' and "notes"."document_id" = any($7::bigint[]))) and "notes"."id" > $8
order by "notes"."id"
limit 2

-- collaborator: GET /api/documents/1/notes/?per_page=1&cursor=cj0xJnA9MQ==
select notes.*, ((
    select 1
    from "notes"
    where "notes"."document_id" = $1 and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $2) or (notes.access = 'organization' and "notes"."document_id" = any($3::bigint[]))) and "notes"."id" >= $4
    order by "notes"."id"
    limit 1
  ) is not null
) as behind
from "notes"
where "notes"."document_id" = $5 and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $6) or (notes.access = 'organization' and "notes"."document_id" = any($7::bigint[]))) and "notes"."id" < $8
order by "notes"."id" desc
limit 2

-- administrator: GET /api/users/1/
select users.id, users.uuid, users.username, users.name, users.email, users.avatar_url, users.is_active, users.is_administrator, users.organization_id, (
  select string_agg("organization_members"."organization_id"::text, ',' order by "organization_members"."organization_id")
  from organization_members
  where user_id = users.id
) as organizations, (
  select string_agg("organization_members"."organization_id"::text, ',' order by "organization_members"."organization_id")
  from organization_members
  where user_id = users.id and is_admin = true
) as admin_organizations
from users
where users.id = $1 and 1 = 1

-- anonymous: GET /api/projects/?id__in=1,2&user=1,2&document=1,2&query=a&private=false&slug=a&title=a&per_page=1&
select id
from documents as listed
where "listed"."id" = any($1::bigint[]) and (exists (
  select 1
  from documents
  where documents.id = "listed"."id" and documents.access = 'public' and documents.status in ('success', 'readable')
) or exists (
  select 1
  from document_audiences
  where document_audiences.document_id = "listed"."id" and audience in (
    select 'user:' || id
    from users
    where id = $2
    union all
    select 'organization:' || organization_id
    from organization_members
    where user_id = $3
    union all
    select 'project:' || project_id
    from project_collaborators
    where user_id = $4
  )
))

-- user: GET /
select (
  select count(*)
  from (
    select documents.id
    from documents
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not exists (
      select 1
      from document_children
      where document_children.child_id = documents.id
    )
    limit 10001
  ) as listed
) + (
  select count(*)
  from (
    select distinct documents.id
    from document_audiences join documents on documents.id = document_audiences.document_id
    where "document_audiences"."audience" = any($1::text[]) and not exists (
      select 1
      from document_children
      where document_children.child_id = documents.id
    )
    limit 10001
  ) as own
) as count

-- anonymous: GET /api/notes/?document=1&project=1&user=1&access=public,private&per_page=1&
select notes.*, documents.title as document_title, documents.slug as document_slug, case when 1 = 0 then 1 else 0 end as is_editable
from notes join documents on documents.id = notes.document_id
where (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end or 1 = 0) and notes.access = 'public' and "notes"."document_id" = any($1::bigint[]) and "notes"."user_id" = any($2::bigint[]) and notes.access in ($3, $4) and notes.document_id in (
  select document_id
  from project_memberships
  where "project_memberships"."project_id" = any($5::bigint[])
)
order by notes.id desc
limit 2

-- administrator: GET /api/documents/trash/?per_page=1&
select count(*) as count
from (
  select deleted_documents.id
  from deleted_documents join documents on documents.id = deleted_documents.document_id
  where deleted_documents.deleted_at > $1 and ((documents.access = 'public' and "deleted_documents"."status" in ('success', 'readable')) or (documents.access <> 'invisible' and (documents.user_id = $2 or (documents.access = 'organization' and "documents"."organization_id" = any($3::bigint[])) or exists (
      select 1
      from project_memberships
      where project_memberships.document_id = documents.id and project_memberships.edit_access = true and "project_memberships"."project_id" = any($4::bigint[])
    )))
  )
) as in_trash

-- anonymous: GET /api/addons/?active=false&default=false&featured=true&premium=false&category=ai&per_page=1&
select addons.*, exists (
  select 1
  from addon_pins
  where addon_pins.addon_id = addons.id and addon_pins.user_id = $1
) as active, false as behind
from "addons"
where (addons.is_removed = false and addons.is_enabled = true and (addons.access = 'public' or addons.user_id = $2 or (addons.access = 'organization' and "addons"."organization_id" = any($3::bigint[])))) and exists (
  select 1
  from addon_pins
  where addon_pins.addon_id = addons.id and addon_pins.user_id = $4
) = false and "addons"."is_default" = false and "addons"."is_featured" = true and addons.categories not like '%,premium,%' and (addons.categories like $5)
order by "addons"."id"
limit 2

-- administrator: GET /api/admin/users/?q=a&per_page=1&
select users.id, username, name, email, is_active, is_administrator, created_at, (password_hash <> 'unset') as has_password, (
  select max(seen_at)
  from known_networks
  where known_networks.user_id = users.id
) as signed_in_at, false as behind
from "users"
where password_hash is not null and (lower(cast("users"."username" as text) collate "default") like lower(cast($1 as text) collate "default") escape '\' or lower(cast("users"."name" as text) collate "default") like lower(cast($2 as text) collate "default") escape '\' or lower(cast("users"."email" as text) collate "default") like lower(cast($3 as text) collate "default") escape '\')
order by "users"."id"
limit 2

-- user: GET /api/projects/?id__in=1,2&user=1,2&document=1,2&query=a&private=false&slug=a&title=a&per_page=1&cursor=cD0x
select users.id
from users
where "users"."id" = any($1::bigint[]) and (users.id = $2 or exists (
  select 1
  from organization_members mine join organization_members theirs on theirs.organization_id = mine.organization_id
  where mine.user_id = $3 and theirs.user_id = users.id
) or exists (
  select 1
  from project_collaborators mine join project_collaborators theirs on theirs.project_id = mine.project_id
  where mine.user_id = $4 and theirs.user_id = users.id
) or exists (
  select 1
  from documents
  where documents.user_id = users.id and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end
))

-- anonymous: GET /
select documents.*, (
  select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
  from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
  where project_memberships.document_id = documents.id
) as public_projects, "documents"."created_at" as value, false as behind
from documents
where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not exists (
  select 1
  from document_children
  where document_children.child_id = documents.id
)
order by "documents"."created_at" desc, (documents.id + 0) desc
limit 9

-- administrator: GET /api/admin/jobs/?per_page=1&
select jobs.id, jobs.kind, jobs.subject, jobs.created_at, jobs.due_at, jobs.attempts, (lease is not null) as is_leased, jobs.last_error, (
  select username
  from users
  where users.id = jobs.owner
) as owner, (
  select "document_progress"."step"
  from document_progress
  where document_id = jobs.subject and jobs.kind like '%document'
) as "step", (
  select "document_progress"."done"
  from document_progress
  where document_id = jobs.subject and jobs.kind like '%document'
) as "done", (
  select "document_progress"."total"
  from document_progress
  where document_id = jobs.subject and jobs.kind like '%document'
) as "total", false as behind
from "jobs"
where cancelled_at is null
order by "jobs"."id"
limit 2

-- user: GET /api/projects/?pinned=false&private=true&per_page=1&cursor=cD0x
select projects.id, projects.title, projects.slug, projects.description, projects.private, projects.user_id, projects.created_at, projects.updated_at, (
  select access
  from project_collaborators
  where project_id = projects.id and user_id = $1
) as access, exists (
  select 1
  from project_pins
  where project_id = projects.id and user_id = $2
) as pinned, false as behind
from "projects"
where (projects.private = false or exists (
  select 1
  from project_collaborators mine
  where mine.project_id = projects.id and mine.user_id = $3
)) and projects.private = true and projects.id not in (
  select project_id
  from project_pins
  where user_id = $4
) and "projects"."id" <= $5
order by "projects"."id" desc
limit 1

-- administrator: GET /api/admin/jobs/?per_page=1&cursor=cj0xJnA9MQ==
select jobs.id, jobs.kind, jobs.subject, jobs.created_at, jobs.due_at, jobs.attempts, (lease is not null) as is_leased, jobs.last_error, (
  select username
  from users
  where users.id = jobs.owner
) as owner, (
  select "document_progress"."step"
  from document_progress
  where document_id = jobs.subject and jobs.kind like '%document'
) as "step", (
  select "document_progress"."done"
  from document_progress
  where document_id = jobs.subject and jobs.kind like '%document'
) as "done", (
  select "document_progress"."total"
  from document_progress
  where document_id = jobs.subject and jobs.kind like '%document'
) as "total", false as behind
from "jobs"
where cancelled_at is null and "jobs"."id" >= $1
order by "jobs"."id"
limit 1

-- administrator: GET /api/admin/jobs/?per_page=1&cursor=cD0x
select jobs.id, jobs.kind, jobs.subject, jobs.created_at, jobs.due_at, jobs.attempts, (lease is not null) as is_leased, jobs.last_error, (
  select username
  from users
  where users.id = jobs.owner
) as owner, (
  select "document_progress"."step"
  from document_progress
  where document_id = jobs.subject and jobs.kind like '%document'
) as "step", (
  select "document_progress"."done"
  from document_progress
  where document_id = jobs.subject and jobs.kind like '%document'
) as "done", (
  select "document_progress"."total"
  from document_progress
  where document_id = jobs.subject and jobs.kind like '%document'
) as "total", false as behind
from "jobs"
where cancelled_at is null and "jobs"."id" <= $1
order by "jobs"."id" desc
limit 1

-- anonymous: GET /api/documents/tree/?&cursor=
with recursive child (path, step) as (
  select (
    select min((
        select t.path
        from document_path_audiences t
        where t.audience = a.value and t.path >= $1 and t.path < $2
        order by t.path
        limit 1
      )
    )
    from (
      select unnest($3::text[]) collate "C" as value
    ) as a
  ), 1
  union all
  select (
    select min((
        select t.path
        from document_path_audiences t
        where t.audience = a.value and t.path >= $4 || split_part(substr(child.path, $5 + 1), '/', 1) || '0' and t.path < $6
        order by t.path
        limit 1
      )
    )
    from (
      select unnest($7::text[]) collate "C" as value
    ) as a
  ), step + 1
  from child
  where path is not null and step < $8
)
select split_part(substr(path, $9 + 1), '/', 1) as name
from child
where path is not null
order by step

-- administrator: GET /api/admin/jobs/?state=running&per_page=1&
select jobs.id, jobs.kind, jobs.subject, jobs.created_at, jobs.due_at, jobs.attempts, (lease is not null) as is_leased, jobs.last_error, (
  select username
  from users
  where users.id = jobs.owner
) as owner, (
  select "document_progress"."step"
  from document_progress
  where document_id = jobs.subject and jobs.kind like '%document'
) as "step", (
  select "document_progress"."done"
  from document_progress
  where document_id = jobs.subject and jobs.kind like '%document'
) as "done", (
  select "document_progress"."total"
  from document_progress
  where document_id = jobs.subject and jobs.kind like '%document'
) as "total", false as behind
from "jobs"
where cancelled_at is null and lease is not null and due_at > $1
order by "jobs"."id"
limit 2

-- user: GET /api/addons/?per_page=1&cursor=cD0x
select addons.*, exists (
  select 1
  from addon_pins
  where addon_pins.addon_id = addons.id and addon_pins.user_id = $1
) as active, ((
    select 1
    from "addons"
    where (addons.is_removed = false and addons.is_enabled = true and (addons.access = 'public' or addons.user_id = $2 or (addons.access = 'organization' and "addons"."organization_id" = any($3::bigint[])))) and "addons"."id" <= $4
    order by "addons"."id" desc
    limit 1
  ) is not null
) as behind
from "addons"
where (addons.is_removed = false and addons.is_enabled = true and (addons.access = 'public' or addons.user_id = $5 or (addons.access = 'organization' and "addons"."organization_id" = any($6::bigint[])))) and "addons"."id" > $7
order by "addons"."id"
limit 2

-- collaborator: GET /api/addons/?per_page=1&cursor=cj0xJnA9MQ==
select addons.*, exists (
  select 1
  from addon_pins
  where addon_pins.addon_id = addons.id and addon_pins.user_id = $1
) as active, ((
    select 1
    from "addons"
    where (addons.is_removed = false and addons.is_enabled = true and (addons.access = 'public' or addons.user_id = $2 or (addons.access = 'organization' and "addons"."organization_id" = any($3::bigint[])))) and "addons"."id" >= $4
    order by "addons"."id"
    limit 1
  ) is not null
) as behind
from "addons"
where (addons.is_removed = false and addons.is_enabled = true and (addons.access = 'public' or addons.user_id = $5 or (addons.access = 'organization' and "addons"."organization_id" = any($6::bigint[])))) and "addons"."id" < $7
order by "addons"."id" desc
limit 2

-- administrator: GET /api/imports/?per_page=1&cursor=cD0x
select imports.*, ((
    select 1
    from "imports"
    where (imports.user_id = $1 or exists (
      select 1
      from documents
      where documents.id = imports.document_id and documents.user_id = $2 and documents.status <> 'deleted' and documents.access <> 'invisible'
    ) or (imports.user_id is null and imports.document_id is null)) and "imports"."id" >= $3
    order by "imports"."id"
    limit 1
  ) is not null
) as behind
from "imports"
where (imports.user_id = $4 or exists (
  select 1
  from documents
  where documents.id = imports.document_id and documents.user_id = $5 and documents.status <> 'deleted' and documents.access <> 'invisible'
) or (imports.user_id is null and imports.document_id is null)) and "imports"."id" < $6
order by "imports"."id" desc
limit 2

-- administrator: GET /api/imports/?per_page=1&cursor=cj0xJnA9MQ==
select imports.*, ((
    select 1
    from "imports"
    where (imports.user_id = $1 or exists (
      select 1
      from documents
      where documents.id = imports.document_id and documents.user_id = $2 and documents.status <> 'deleted' and documents.access <> 'invisible'
    ) or (imports.user_id is null and imports.document_id is null)) and "imports"."id" <= $3
    order by "imports"."id" desc
    limit 1
  ) is not null
) as behind
from "imports"
where (imports.user_id = $4 or exists (
  select 1
  from documents
  where documents.id = imports.document_id and documents.user_id = $5 and documents.status <> 'deleted' and documents.access <> 'invisible'
) or (imports.user_id is null and imports.document_id is null)) and "imports"."id" > $6
order by "imports"."id"
limit 2

-- user: GET /api/account/shared/?per_page=1&
select projects.id, projects.title, projects.slug, projects.description, projects.private, projects.user_id, projects.created_at, projects.updated_at, (
  select access
  from project_collaborators
  where project_id = projects.id and user_id = $1
) as access, exists (
  select 1
  from project_pins
  where project_id = projects.id and user_id = $2
) as pinned, (
  select added_by
  from project_collaborators
  where project_id = projects.id and user_id = $3
) as added_by, (
  select added_at
  from project_collaborators
  where project_id = projects.id and user_id = $4
) as added_at, false as behind
from "projects"
where projects.user_id <> $5 and projects.id in (
  select project_id
  from project_collaborators
  where user_id = $6
)
order by "projects"."id"
limit 2

-- administrator: GET /api/admin/jobs/?state=waiting&per_page=1&
select jobs.id, jobs.kind, jobs.subject, jobs.created_at, jobs.due_at, jobs.attempts, (lease is not null) as is_leased, jobs.last_error, (
  select username
  from users
  where users.id = jobs.owner
) as owner, (
  select "document_progress"."step"
  from document_progress
  where document_id = jobs.subject and jobs.kind like '%document'
) as "step", (
  select "document_progress"."done"
  from document_progress
  where document_id = jobs.subject and jobs.kind like '%document'
) as "done", (
  select "document_progress"."total"
  from document_progress
  where document_id = jobs.subject and jobs.kind like '%document'
) as "total", false as behind
from "jobs"
where cancelled_at is null and not (lease is not null and due_at > $1) and attempts = 0
order by "jobs"."id"
limit 2

-- administrator: GET /api/admin/jobs/?state=retrying&per_page=1&
select jobs.id, jobs.kind, jobs.subject, jobs.created_at, jobs.due_at, jobs.attempts, (lease is not null) as is_leased, jobs.last_error, (
  select username
  from users
  where users.id = jobs.owner
) as owner, (
  select "document_progress"."step"
  from document_progress
  where document_id = jobs.subject and jobs.kind like '%document'
) as "step", (
  select "document_progress"."done"
  from document_progress
  where document_id = jobs.subject and jobs.kind like '%document'
) as "done", (
  select "document_progress"."total"
  from document_progress
  where document_id = jobs.subject and jobs.kind like '%document'
) as "total", false as behind
from "jobs"
where cancelled_at is null and not (lease is not null and due_at > $1) and attempts > 0
order by "jobs"."id"
limit 2

-- administrator: GET /api/users/?name=a&name__istartswith=a&per_page=1&
select users.id, users.uuid, users.username, users.name, users.email, users.avatar_url, users.is_active, users.is_administrator, users.organization_id, (
  select string_agg("organization_members"."organization_id"::text, ',' order by "organization_members"."organization_id")
  from organization_members
  where user_id = users.id
) as organizations, (
  select string_agg("organization_members"."organization_id"::text, ',' order by "organization_members"."organization_id")
  from organization_members
  where user_id = users.id and is_admin = true
) as admin_organizations, false as behind
from "users"
where 1 = 1 and "users"."name" = $1 and lower(cast("users"."name" as text) collate "default") like lower(cast($2 as text) collate "default") escape '\'
order by "users"."id"
limit 2

-- administrator: GET /api/projects/?pinned=true&is_shared=true&owned_by_user=true&per_page=1&
select projects.id, projects.title, projects.slug, projects.description, projects.private, projects.user_id, projects.created_at, projects.updated_at, (
  select access
  from project_collaborators
  where project_id = projects.id and user_id = $1
) as access, exists (
  select 1
  from project_pins
  where project_id = projects.id and user_id = $2
) as pinned, false as behind
from "projects"
where (projects.private = false or exists (
  select 1
  from project_collaborators mine
  where mine.project_id = projects.id and mine.user_id = $3
)) and projects.id in (
  select project_id
  from project_pins
  where user_id = $4
) and projects.user_id = $5 and projects.user_id <> $6 and projects.id in (
  select project_id
  from project_collaborators
  where user_id = $7
)
order by "projects"."id"
limit 2

-- administrator: GET /mentioned/correct/?kind=email&value=a
with found as materialized (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and 1 = 1
  union all
  select documents.id
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($1::text[])
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and 1 = 1
)
select documents.id
from documents
where documents.id in (
  select document_id
  from "mentions"
  where "mentions"."kind" = $2 and "mentions"."value" = $3
) and documents.id in (
  select id
  from found
) and 1 = 1
order by documents.id
limit 501

-- collaborator: GET /api/events/?per_page=1&cursor=cj0xJnA9MQ==
select id, access, status, user_id, organization_id , (
  select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
  from project_memberships
  where project_memberships.document_id = documents.id and "project_memberships"."project_id" = any($1::bigint[]) and project_memberships.edit_access = true
) as sharing_projects, (
  select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
  from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = true
  where project_memberships.document_id = documents.id and "project_memberships"."project_id" = any($2::bigint[])
) as private_projects
from documents
where "documents"."id" = any($3::bigint[])

-- administrator: GET /mentioned/correct/?kind=email&value=a
with found as materialized (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and 1 = 1
  union all
  select documents.id
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($1::text[])
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and 1 = 1
)
select documents.id
from documents
where documents.id in (
  select document_id
  from "mention_corrections"
  where "mention_corrections"."kind" = $2 and "mention_corrections"."value" = $3
) and documents.id in (
  select id
  from found
) and 1 = 1
order by documents.id
limit 501

-- administrator: GET /api/projects/1/documents/?per_page=1&
select *, false as behind
from (
  select *
  from (
    select project_memberships.document_id as id, project_memberships.edit_access
    from project_memberships
    where project_memberships.project_id = $1 and project_memberships.is_public = true
    order by "project_memberships"."document_id" desc
    limit 2
  ) as "part0"
  union
  select *
  from (
    select project_memberships.document_id as id, project_memberships.edit_access
    from project_memberships
    where project_memberships.project_id = $2 and project_memberships.is_public = false and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "project_memberships"."document_id" and "document_audiences"."audience" = any($3::text[])
    )
    order by "project_memberships"."document_id" desc
    limit 2
  ) as "part1"
) as parts
order by id desc
limit 2

-- administrator: GET /api/admin/jobs/?per_page=1&cursor=cD0x
select jobs.id, jobs.kind, jobs.subject, jobs.created_at, jobs.due_at, jobs.attempts, (lease is not null) as is_leased, jobs.last_error, (
  select username
  from users
  where users.id = jobs.owner
) as owner, (
  select "document_progress"."step"
  from document_progress
  where document_id = jobs.subject and jobs.kind like '%document'
) as "step", (
  select "document_progress"."done"
  from document_progress
  where document_id = jobs.subject and jobs.kind like '%document'
) as "done", (
  select "document_progress"."total"
  from document_progress
  where document_id = jobs.subject and jobs.kind like '%document'
) as "total", ((
    select 1
    from "jobs"
    where cancelled_at is null and "jobs"."id" <= $1
    order by "jobs"."id" desc
    limit 1
  ) is not null
) as behind
from "jobs"
where cancelled_at is null and "jobs"."id" > $2
order by "jobs"."id"
limit 2

-- administrator: GET /api/admin/jobs/?per_page=1&cursor=cj0xJnA9MQ==
select jobs.id, jobs.kind, jobs.subject, jobs.created_at, jobs.due_at, jobs.attempts, (lease is not null) as is_leased, jobs.last_error, (
  select username
  from users
  where users.id = jobs.owner
) as owner, (
  select "document_progress"."step"
  from document_progress
  where document_id = jobs.subject and jobs.kind like '%document'
) as "step", (
  select "document_progress"."done"
  from document_progress
  where document_id = jobs.subject and jobs.kind like '%document'
) as "done", (
  select "document_progress"."total"
  from document_progress
  where document_id = jobs.subject and jobs.kind like '%document'
) as "total", ((
    select 1
    from "jobs"
    where cancelled_at is null and "jobs"."id" >= $1
    order by "jobs"."id"
    limit 1
  ) is not null
) as behind
from "jobs"
where cancelled_at is null and "jobs"."id" < $2
order by "jobs"."id" desc
limit 2

-- anonymous: GET /api/documents/tree/?&cursor=WyJwYXRoIiwxLDAsIjFhIl0=
with recursive child (path, step) as (
  select (
    select max((
        select t.path
        from document_path_audiences t
        where t.audience = a.value and t.path < $1 and t.path >= $2
        order by t.path desc
        limit 1
      )
    )
    from (
      select unnest($3::text[]) collate "C" as value
    ) as a
  ), 1
  union all
  select (
    select max((
        select t.path
        from document_path_audiences t
        where t.audience = a.value and t.path < $4 || split_part(substr(child.path, $5 + 1), '/', 1) || case when substr(split_part(substr(child.path, $6 + 1), '/', 1), 1, 1) = '1' then '/' else '' end and t.path >= $7
        order by t.path desc
        limit 1
      )
    )
    from (
      select unnest($8::text[]) collate "C" as value
    ) as a
  ), step + 1
  from child
  where path is not null and step < $9
)
select split_part(substr(path, $10 + 1), '/', 1) as name
from child
where path is not null
order by step

-- administrator: GET /api/documents/trash/?per_page=1&
select deleted_documents.id, document_id, title, access, deleted_documents.status, page_count, deleted_documents.user_id, deleted_documents.organization_id, deleted_at, deleted_by, false as behind
from deleted_documents join documents on documents.id = deleted_documents.document_id
where deleted_documents.deleted_at > $1 and ((documents.access = 'public' and "deleted_documents"."status" in ('success', 'readable')) or (documents.access <> 'invisible' and (documents.user_id = $2 or (documents.access = 'organization' and "documents"."organization_id" = any($3::bigint[])) or exists (
    select 1
    from project_memberships
    where project_memberships.document_id = documents.id and project_memberships.edit_access = true and "project_memberships"."project_id" = any($4::bigint[])
  )))
)
order by "deleted_documents"."id" desc
limit 2

-- user: GET /api/projects/?per_page=1&cursor=cD0x
select projects.id, projects.title, projects.slug, projects.description, projects.private, projects.user_id, projects.created_at, projects.updated_at, (
  select access
  from project_collaborators
  where project_id = projects.id and user_id = $1
) as access, exists (
  select 1
  from project_pins
  where project_id = projects.id and user_id = $2
) as pinned, ((
    select 1
    from "projects"
    where (projects.private = false or exists (
      select 1
      from project_collaborators mine
      where mine.project_id = projects.id and mine.user_id = $3
    )) and "projects"."id" <= $4
    order by "projects"."id" desc
    limit 1
  ) is not null
) as behind
from "projects"
where (projects.private = false or exists (
  select 1
  from project_collaborators mine
  where mine.project_id = projects.id and mine.user_id = $5
)) and "projects"."id" > $6
order by "projects"."id"
limit 2

-- collaborator: GET /api/projects/?per_page=1&cursor=cj0xJnA9MQ==
select projects.id, projects.title, projects.slug, projects.description, projects.private, projects.user_id, projects.created_at, projects.updated_at, (
  select access
  from project_collaborators
  where project_id = projects.id and user_id = $1
) as access, exists (
  select 1
  from project_pins
  where project_id = projects.id and user_id = $2
) as pinned, ((
    select 1
    from "projects"
    where (projects.private = false or exists (
      select 1
      from project_collaborators mine
      where mine.project_id = projects.id and mine.user_id = $3
    )) and "projects"."id" >= $4
    order by "projects"."id"
    limit 1
  ) is not null
) as behind
from "projects"
where (projects.private = false or exists (
  select 1
  from project_collaborators mine
  where mine.project_id = projects.id and mine.user_id = $5
)) and "projects"."id" < $6
order by "projects"."id" desc
limit 2

-- administrator: GET /api/documents/trash/?per_page=1&cursor=cD0x
select deleted_documents.id, document_id, title, access, deleted_documents.status, page_count, deleted_documents.user_id, deleted_documents.organization_id, deleted_at, deleted_by, false as behind
from deleted_documents join documents on documents.id = deleted_documents.document_id
where deleted_documents.deleted_at > $1 and ((documents.access = 'public' and "deleted_documents"."status" in ('success', 'readable')) or (documents.access <> 'invisible' and (documents.user_id = $2 or (documents.access = 'organization' and "documents"."organization_id" = any($3::bigint[])) or exists (
    select 1
    from project_memberships
    where project_memberships.document_id = documents.id and project_memberships.edit_access = true and "project_memberships"."project_id" = any($4::bigint[])
  )))
) and "deleted_documents"."id" >= $5
order by "deleted_documents"."id"
limit 1

-- administrator: GET /api/documents/trash/?per_page=1&cursor=cj0xJnA9MQ==
select deleted_documents.id, document_id, title, access, deleted_documents.status, page_count, deleted_documents.user_id, deleted_documents.organization_id, deleted_at, deleted_by, false as behind
from deleted_documents join documents on documents.id = deleted_documents.document_id
where deleted_documents.deleted_at > $1 and ((documents.access = 'public' and "deleted_documents"."status" in ('success', 'readable')) or (documents.access <> 'invisible' and (documents.user_id = $2 or (documents.access = 'organization' and "documents"."organization_id" = any($3::bigint[])) or exists (
    select 1
    from project_memberships
    where project_memberships.document_id = documents.id and project_memberships.edit_access = true and "project_memberships"."project_id" = any($4::bigint[])
  )))
) and "deleted_documents"."id" <= $5
order by "deleted_documents"."id" desc
limit 1

-- user: GET /api/documents/spreadsheet/export/
select id, value, created_at
from (
  select *
  from (
    select id, value, created_at
    from (
      select "documents"."id" as id, "documents"."created_at" as value, documents.created_at
      from documents
      where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and 1 = 1
    ) as ranked
    order by value desc, id desc
    limit 501
  ) as first
  union
  select *
  from (
    select id, value, created_at
    from (
      select "document_audiences"."document_id" as id, "document_audiences"."created_at" as value, documents.created_at
      from document_audiences cross join lateral (
        select *
        from documents
        where documents.id = "document_audiences"."document_id" offset 0
      ) as documents
      where document_audiences.audience = $1 and 1 = 1
    ) as ranked
    order by value desc, id desc
    limit 501
  ) as first
) as parts
order by value desc, id desc
limit 501 offset 0

-- user: GET /api/projects/1/documents/?per_page=1&cursor=cD0x
select *, false as behind
from (
  select *
  from (
    select project_memberships.document_id as id, project_memberships.edit_access
    from project_memberships
    where project_memberships.project_id = $1 and project_memberships.is_public = true and "project_memberships"."document_id" >= $2
    order by "project_memberships"."document_id"
    limit 1
  ) as "part0"
  union
  select *
  from (
    select project_memberships.document_id as id, project_memberships.edit_access
    from project_memberships
    where project_memberships.project_id = $3 and project_memberships.is_public = false and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "project_memberships"."document_id" and "document_audiences"."audience" = any($4::text[])
    ) and "project_memberships"."document_id" >= $5
    order by "project_memberships"."document_id"
    limit 1
  ) as "part1"
) as parts
order by id
limit 1

-- anonymous: GET /api/addons/?active=true&default=true&featured=false&premium=true&repository=a&query=a&category=ai,bulk&per_page=1&
select addons.*, exists (
  select 1
  from addon_pins
  where addon_pins.addon_id = addons.id and addon_pins.user_id = $1
) as active, false as behind
from "addons"
where (addons.is_removed = false and addons.is_enabled = true and (addons.access = 'public' or addons.user_id = $2 or (addons.access = 'organization' and "addons"."organization_id" = any($3::bigint[])))) and exists (
  select 1
  from addon_pins
  where addon_pins.addon_id = addons.id and addon_pins.user_id = $4
) = true and "addons"."is_default" = true and "addons"."is_featured" = false and addons.categories like '%,premium,%' and "addons"."repository" = $5 and (lower(cast("addons"."name" as text) collate "default") like lower(cast($6 as text) collate "default") escape '\' or lower(cast("addons"."description" as text) collate "default") like lower(cast($7 as text) collate "default") escape '\') and (addons.categories like $8 or addons.categories like $9)
order by "addons"."id"
limit 2

-- administrator: GET /api/statistics/
with listed as (
  select *
  from documents
  where status <> 'deleted'
)
select 'documents ' || access as name, count(*) as count
from listed
group by access
union all
select 'documents ' || status, count(*)
from documents
group by status
union all
select 'pages ' || access, coalesce(sum(page_count), 0)
from listed
group by access
union all
select 'notes ' || notes.access, count(*)
from notes join documents on documents.id = notes.document_id
where documents.status <> 'deleted'
group by notes.access
union all
select 'projects', count(*)
from projects
union all
select 'users ' || access, count(distinct user_id)
from listed
group by access
union all
select 'users uploaded', count(distinct user_id)
from listed
union all
select 'organizations ' || access, count(distinct organization_id)
from listed
group by access
union all
select 'organizations uploaded', count(distinct organization_id)
from listed

-- administrator: GET /api/users/?id__in=1,2&organization=1&project=1&username=a&uuid=00000000-0000-4000-8000-000000000000&per_page=1&
select users.id, users.uuid, users.username, users.name, users.email, users.avatar_url, users.is_active, users.is_administrator, users.organization_id, (
  select string_agg("organization_members"."organization_id"::text, ',' order by "organization_members"."organization_id")
  from organization_members
  where user_id = users.id
) as organizations, (
  select string_agg("organization_members"."organization_id"::text, ',' order by "organization_members"."organization_id")
  from organization_members
  where user_id = users.id and is_admin = true
) as admin_organizations, false as behind
from "users"
where 1 = 1 and "users"."id" = any($1::bigint[]) and lower("users"."username") = $2 and "users"."uuid" = $3 and exists (
  select 1
  from organization_members
  where user_id = users.id and "organization_id" = any($4::bigint[])
) and exists (
  select 1
  from project_collaborators
  where user_id = users.id and "project_id" = any($5::bigint[])
)
order by "users"."id"
limit 2

-- administrator: GET /api/imports/1/files/?extension=pdf&state=waiting,read,unreadable,deleted,changed,known,skipped,failed&per_page=1&
select import_files.*, (
  select status
  from documents
  where documents.id = import_files.document_id
) as status, false as behind
from "import_files"
where "import_files"."import_id" = $1 and "import_files"."extension" = $2 and (import_files.outcome = 'added' and import_files.document_id in (
  select id
  from documents
  where documents.id = import_files.document_id and documents.status in ('pending', 'readable', 'nofile')
) or import_files.outcome = 'added' and import_files.document_id in (
  select id
  from documents
  where documents.id = import_files.document_id and documents.status in ('success')
) or import_files.outcome = 'added' and import_files.document_id in (
  select id
  from documents
  where documents.id = import_files.document_id and documents.status in ('error')
) or import_files.outcome = 'added' and import_files.document_id in (
  select id
  from documents
  where documents.id = import_files.document_id and documents.status in ('deleted')
) or import_files.outcome = 'changed' or import_files.outcome = 'known' or import_files.outcome = 'skipped' or import_files.outcome = 'failed')
order by "import_files"."id"
limit 2

-- user: GET /api/projects/?per_page=1&cursor=cD0x
select id, username, name, language, time_zone, is_active, is_administrator, organization_id, token_generation, (
  select count(*)
  from notifications
  where user_id = users.id and seen_at is null
) as unread, exists (
  select 1
  from jobs
  where owner = users.id and cancelled_at is null
) as working, (
  select string_agg("organization_members"."organization_id"::text, ',' order by "organization_members"."organization_id")
  from organization_members
  where user_id = users.id
) as organizations, (
  select string_agg("project_collaborators"."project_id"::text, ',' order by "project_collaborators"."project_id")
  from project_collaborators
  where user_id = users.id and access = 'view'
) as "viewed", (
  select string_agg("project_collaborators"."project_id"::text, ',' order by "project_collaborators"."project_id")
  from project_collaborators
  where user_id = users.id and access = 'edit'
) as "edited", (
  select string_agg("project_collaborators"."project_id"::text, ',' order by "project_collaborators"."project_id")
  from project_collaborators
  where user_id = users.id and access = 'admin'
) as "administered"
from users
where "users"."id" = $1

-- user: GET /api/documents/?expand=~all
select *, false as behind
from (
  select *
  from (
    select documents.*, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects
    from documents
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end
    order by (documents.id + 0)
    limit 26
  ) as "part0"
  union
  select *
  from (
    select documents.*, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects
    from document_audiences cross join lateral (
      select *
      from documents
      where documents.id = "document_audiences"."document_id" offset 0
    ) as documents
    where document_audiences.audience = $1
    order by "document_audiences"."document_id"
    limit 26
  ) as "part1"
) as parts
order by id
limit 26

-- anonymous: GET /api/documents/mentioned/?kind=email&ordering=value&cursor=WzEsImEiXQ
with found as materialized (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
), counted as materialized (
  select value, count(*) as documents
  from (
    select distinct mentions.document_id, "mentions"."value" as value
    from "found" join "mentions" on "mentions"."document_id" + 0 = "found"."id"
    where 8 * (
      select count(*)
      from "found"
    ) > (
      select reltuples
      from pg_class
      where oid = 'mentions'::regclass
    ) and mentions.kind = $1
    union all
    select distinct mentions.document_id, "mentions"."value" as value
    from "found" cross join lateral (
      select *
      from "mentions"
      where "mentions"."document_id" = "found"."id" offset 0
    ) as "mentions"
    where not (8 * (
      select count(*)
      from "found"
    ) > (
      select reltuples
      from pg_class
      where oid = 'mentions'::regclass
    )) and mentions.kind = $2
  ) as held
  group by value
), page as (
  select value, documents
  from counted
  where value > $3
  order by value
  limit 26
), sums as (
  select (
    select count(*)
    from counted
  ) as total, (
    select count(*)
    from unread_mentions
    where document_id in (
      select id
      from found
    )
  ) as unread
)
select page.value, page.documents, sums.total, sums.unread
from sums left join page on 1 = 1
order by value

-- collaborator: GET /api/notes/?per_page=1&cursor=cj0xJnA9MQ==
select notes.*, documents.title as document_title, documents.slug as document_slug, case when ((documents.user_id = $1 and (documents.access <> 'public' or "documents"."organization_id" = any($2::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($3::bigint[])) or (documents.access <> 'public' and exists (
    select 1
    from document_audiences
    where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($4::text[])
  ))
) then 1 else 0 end as is_editable
from notes join documents on documents.id = notes.document_id
where (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end or exists (
  select 1
  from document_audiences
  where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($5::text[])
)) and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $6) or (notes.access = 'organization' and ((documents.user_id = $7 and (documents.access <> 'public' or "documents"."organization_id" = any($8::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($9::bigint[])) or (documents.access <> 'public' and exists (
    select 1
    from document_audiences
    where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($10::text[])
  ))
))) and notes.id > $11
order by notes.id asc
limit 2

-- anonymous: GET /api/documents/mentioned/?kind=email&cursor=WzEsImEiXQ
with found as materialized (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
), counted as materialized (
  select value, count(*) as documents
  from (
    select distinct mentions.document_id, "mentions"."value" as value
    from "found" join "mentions" on "mentions"."document_id" + 0 = "found"."id"
    where 8 * (
      select count(*)
      from "found"
    ) > (
      select reltuples
      from pg_class
      where oid = 'mentions'::regclass
    ) and mentions.kind = $1
    union all
    select distinct mentions.document_id, "mentions"."value" as value
    from "found" cross join lateral (
      select *
      from "mentions"
      where "mentions"."document_id" = "found"."id" offset 0
    ) as "mentions"
    where not (8 * (
      select count(*)
      from "found"
    ) > (
      select reltuples
      from pg_class
      where oid = 'mentions'::regclass
    )) and mentions.kind = $2
  ) as held
  group by value
), page as (
  select value, documents
  from counted
  where documents < $3 or (documents = $4 and value > $5)
  order by documents desc, value
  limit 26
), sums as (
  select (
    select count(*)
    from counted
  ) as total, (
    select count(*)
    from unread_mentions
    where document_id in (
      select id
      from found
    )
  ) as unread
)
select page.value, page.documents, sums.total, sums.unread
from sums left join page on 1 = 1
order by documents desc, value

-- collaborator: GET /api/projects/1/documents/?per_page=1&cursor=cj0xJnA9MQ==
select *, ((
    select 1
    from project_memberships
    where project_memberships.project_id = $1 and project_memberships.is_public = true and "project_memberships"."document_id" <= $2
    order by "project_memberships"."document_id" desc
    limit 1
  ) is not null or (
    select 1
    from project_memberships
    where project_memberships.project_id = $3 and project_memberships.is_public = false and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "project_memberships"."document_id" and "document_audiences"."audience" = any($4::text[])
    ) and "project_memberships"."document_id" <= $5
    order by "project_memberships"."document_id" desc
    limit 1
  ) is not null
) as behind
from (
  select *
  from (
    select project_memberships.document_id as id, project_memberships.edit_access
    from project_memberships
    where project_memberships.project_id = $6 and project_memberships.is_public = true and "project_memberships"."document_id" > $7
    order by "project_memberships"."document_id"
    limit 2
  ) as "part0"
  union
  select *
  from (
    select project_memberships.document_id as id, project_memberships.edit_access
    from project_memberships
    where project_memberships.project_id = $8 and project_memberships.is_public = false and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "project_memberships"."document_id" and "document_audiences"."audience" = any($9::text[])
    ) and "project_memberships"."document_id" > $10
    order by "project_memberships"."document_id"
    limit 2
  ) as "part1"
) as parts
order by id
limit 2

-- user: GET /api/projects/1/documents/?per_page=1&cursor=cD0x
select *, ((
    select 1
    from project_memberships
    where project_memberships.project_id = $1 and project_memberships.is_public = true and "project_memberships"."document_id" >= $2
    order by "project_memberships"."document_id"
    limit 1
  ) is not null or (
    select 1
    from project_memberships
    where project_memberships.project_id = $3 and project_memberships.is_public = false and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "project_memberships"."document_id" and "document_audiences"."audience" = any($4::text[])
    ) and "project_memberships"."document_id" >= $5
    order by "project_memberships"."document_id"
    limit 1
  ) is not null
) as behind
from (
  select *
  from (
    select project_memberships.document_id as id, project_memberships.edit_access
    from project_memberships
    where project_memberships.project_id = $6 and project_memberships.is_public = true and "project_memberships"."document_id" < $7
    order by "project_memberships"."document_id" desc
    limit 2
  ) as "part0"
  union
  select *
  from (
    select project_memberships.document_id as id, project_memberships.edit_access
    from project_memberships
    where project_memberships.project_id = $8 and project_memberships.is_public = false and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "project_memberships"."document_id" and "document_audiences"."audience" = any($9::text[])
    ) and "project_memberships"."document_id" < $10
    order by "project_memberships"."document_id" desc
    limit 2
  ) as "part1"
) as parts
order by id desc
limit 2

-- administrator: GET /api/documents/trash/?per_page=1&cursor=cD0x
select deleted_documents.id, document_id, title, access, deleted_documents.status, page_count, deleted_documents.user_id, deleted_documents.organization_id, deleted_at, deleted_by, ((
    select 1
    from deleted_documents join documents on documents.id = deleted_documents.document_id
    where deleted_documents.deleted_at > $1 and ((documents.access = 'public' and "deleted_documents"."status" in ('success', 'readable')) or (documents.access <> 'invisible' and (documents.user_id = $2 or (documents.access = 'organization' and "documents"."organization_id" = any($3::bigint[])) or exists (
        select 1
        from project_memberships
        where project_memberships.document_id = documents.id and project_memberships.edit_access = true and "project_memberships"."project_id" = any($4::bigint[])
      )))
    ) and "deleted_documents"."id" >= $5
    order by "deleted_documents"."id"
    limit 1
  ) is not null
) as behind
from deleted_documents join documents on documents.id = deleted_documents.document_id
where deleted_documents.deleted_at > $6 and ((documents.access = 'public' and "deleted_documents"."status" in ('success', 'readable')) or (documents.access <> 'invisible' and (documents.user_id = $7 or (documents.access = 'organization' and "documents"."organization_id" = any($8::bigint[])) or exists (
    select 1
    from project_memberships
    where project_memberships.document_id = documents.id and project_memberships.edit_access = true and "project_memberships"."project_id" = any($9::bigint[])
  )))
) and "deleted_documents"."id" < $10
order by "deleted_documents"."id" desc
limit 2

-- administrator: GET /api/documents/trash/?per_page=1&cursor=cj0xJnA9MQ==
select deleted_documents.id, document_id, title, access, deleted_documents.status, page_count, deleted_documents.user_id, deleted_documents.organization_id, deleted_at, deleted_by, ((
    select 1
    from deleted_documents join documents on documents.id = deleted_documents.document_id
    where deleted_documents.deleted_at > $1 and ((documents.access = 'public' and "deleted_documents"."status" in ('success', 'readable')) or (documents.access <> 'invisible' and (documents.user_id = $2 or (documents.access = 'organization' and "documents"."organization_id" = any($3::bigint[])) or exists (
        select 1
        from project_memberships
        where project_memberships.document_id = documents.id and project_memberships.edit_access = true and "project_memberships"."project_id" = any($4::bigint[])
      )))
    ) and "deleted_documents"."id" <= $5
    order by "deleted_documents"."id" desc
    limit 1
  ) is not null
) as behind
from deleted_documents join documents on documents.id = deleted_documents.document_id
where deleted_documents.deleted_at > $6 and ((documents.access = 'public' and "deleted_documents"."status" in ('success', 'readable')) or (documents.access <> 'invisible' and (documents.user_id = $7 or (documents.access = 'organization' and "documents"."organization_id" = any($8::bigint[])) or exists (
    select 1
    from project_memberships
    where project_memberships.document_id = documents.id and project_memberships.edit_access = true and "project_memberships"."project_id" = any($9::bigint[])
  )))
) and "deleted_documents"."id" > $10
order by "deleted_documents"."id"
limit 2

-- user: GET /
select *, false as behind
from (
  select *
  from (
    select documents.*, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "documents"."created_at" as value
    from documents
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not exists (
      select 1
      from document_children
      where document_children.child_id = documents.id
    )
    order by "documents"."created_at" desc, (documents.id + 0) desc
    limit 9
  ) as "part0"
  union
  select *
  from (
    select documents.*, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "document_audiences"."created_at" as value
    from document_audiences cross join lateral (
      select *
      from documents
      where documents.id = "document_audiences"."document_id" offset 0
    ) as documents
    where document_audiences.audience = $1 and not exists (
      select 1
      from document_children
      where document_children.child_id = documents.id
    )
    order by "document_audiences"."created_at" desc, "document_audiences"."document_id" desc
    limit 9
  ) as "part1"
) as parts
order by value desc, id desc
limit 9

-- anonymous: GET /api/projects/?id__in=1,2&user=1,2&document=1,2&query=a&private=false&slug=a&title=a&per_page=1&
select projects.id, projects.title, projects.slug, projects.description, projects.private, projects.user_id, projects.created_at, projects.updated_at, (
  select access
  from project_collaborators
  where project_id = projects.id and user_id = $1
) as access, exists (
  select 1
  from project_pins
  where project_id = projects.id and user_id = $2
) as pinned, false as behind
from "projects"
where projects.private = false and "projects"."id" = any($3::bigint[]) and "projects"."slug" = $4 and "projects"."title" = $5 and (lower(cast("projects"."title" as text) collate "default") like lower(cast($6 as text) collate "default") escape '\' or lower(cast("projects"."description" as text) collate "default") like lower(cast($7 as text) collate "default") escape '\') and projects.id in (
  select project_id
  from project_collaborators
  where "user_id" = any($8::bigint[])
) and projects.id in (
  select project_id
  from project_memberships
  where "project_memberships"."document_id" = any($9::bigint[]) and (exists (
    select 1
    from documents
    where documents.id = "project_memberships"."document_id" and documents.access = 'public' and documents.status in ('success', 'readable')
  ) or exists (
    select 1
    from document_audiences
    where document_audiences.document_id = "project_memberships"."document_id" and audience in (
      select 'user:' || id
      from users
      where id = $10
      union all
      select 'organization:' || organization_id
      from organization_members
      where user_id = $11
      union all
      select 'project:' || project_id
      from project_collaborators
      where user_id = $12
    )
  ))
) and projects.private = false
order by "projects"."id"
limit 2

-- anonymous: GET /api/documents/timeline/?of=created_at&by=day&within=2024-03
with found as materialized (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
), dated as materialized (
  select distinct "documents"."id" as document_id, substr("documents"."created_at", 1, 10) as date
  from "found" join "documents" on "documents"."id" + 0 = "found"."id"
  where 8 * (
    select count(*)
    from "found"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ) and "documents"."created_at" >= $1 and "documents"."created_at" < $2
  union all
  select distinct "documents"."id" as document_id, substr("documents"."created_at", 1, 10) as date
  from "found" cross join lateral (
    select *
    from "documents"
    where "documents"."id" = "found"."id" offset 0
  ) as "documents"
  where not (8 * (
    select count(*)
    from "found"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  )) and "documents"."created_at" >= $3 and "documents"."created_at" < $4
)
select (with "combinations0" as materialized (
    select ("date" collate "C") as "value0", count(*) as n
    from (
      select "dated"."date" as "date"
      from dated
    ) as counted
    group by 1
  )
  select json_build_array((
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value0" as value, cast(sum(n) as bigint) as n
        from "combinations0"
        group by 1
        order by 2 desc, 1
        limit 3660000
      ) as counts
    )
  )::text
) as counts, (
  select count(distinct document_id)
  from dated
) as dated, (
  select count(*)
  from unread_mentions
  where document_id in (
    select id
    from found
  )
) as unread

-- anonymous: GET /api/documents/timeline/?within=2024&cursor=2024-03
with found as materialized (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
), dated as materialized (
  select distinct "mentions"."document_id" as document_id, substr("mentions"."value", 1, 7) as date
  from "found" join "mentions" on "mentions"."document_id" + 0 = "found"."id"
  where 8 * (
    select count(*)
    from "found"
  ) > (
    select reltuples
    from pg_class
    where oid = 'mentions'::regclass
  ) and mentions.kind = 'date' and "mentions"."value" >= $1 and "mentions"."value" < $2
  union all
  select distinct "mentions"."document_id" as document_id, substr("mentions"."value", 1, 7) as date
  from "found" cross join lateral (
    select *
    from "mentions"
    where "mentions"."document_id" = "found"."id" offset 0
  ) as "mentions"
  where not (8 * (
    select count(*)
    from "found"
  ) > (
    select reltuples
    from pg_class
    where oid = 'mentions'::regclass
  )) and mentions.kind = 'date' and "mentions"."value" >= $3 and "mentions"."value" < $4
)
select (with "combinations0" as materialized (
    select ("date" collate "C") as "value0", count(*) as n
    from (
      select "dated"."date" as "date"
      from dated
    ) as counted
    group by 1
  )
  select json_build_array((
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value0" as value, cast(sum(n) as bigint) as n
        from "combinations0"
        group by 1
        order by 2 desc, 1
        limit 3660000
      ) as counts
    )
  )::text
) as counts, (
  select count(distinct document_id)
  from dated
) as dated, (
  select count(*)
  from unread_mentions
  where document_id in (
    select id
    from found
  )
) as unread

-- user: GET /api/documents/trash/?per_page=1&
select count(*) as count
from (
  select deleted_documents.id
  from deleted_documents join documents on documents.id = deleted_documents.document_id
  where deleted_documents.deleted_at > $1 and ((documents.access = 'public' and "deleted_documents"."status" in ('success', 'readable')) or (documents.access <> 'invisible' and (documents.user_id = $2 or (documents.access = 'organization' and "documents"."organization_id" = any($3::bigint[])) or exists (
      select 1
      from project_memberships
      where project_memberships.document_id = documents.id and project_memberships.edit_access = true and "project_memberships"."project_id" = any($4::bigint[])
    )))
  ) and ((documents.user_id = $5 and (documents.access <> 'public' or "documents"."organization_id" = any($6::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($7::bigint[]))
  ) and deleted_documents.user_id = $8
  union
  select deleted_documents.id
  from deleted_documents join documents on documents.id = deleted_documents.document_id
  where deleted_documents.deleted_at > $9 and ((documents.access = 'public' and "deleted_documents"."status" in ('success', 'readable')) or (documents.access <> 'invisible' and (documents.user_id = $10 or (documents.access = 'organization' and "documents"."organization_id" = any($11::bigint[])) or exists (
      select 1
      from project_memberships
      where project_memberships.document_id = documents.id and project_memberships.edit_access = true and "project_memberships"."project_id" = any($12::bigint[])
    )))
  ) and ((documents.user_id = $13 and (documents.access <> 'public' or "documents"."organization_id" = any($14::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($15::bigint[]))
  ) and "deleted_documents"."organization_id" = any($16::bigint[])
) as in_trash

-- user: GET /projects/1-a/
select *, false as behind
from (
  select *
  from (
    select documents.*, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "documents"."created_at" as value
    from documents
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not exists (
      select 1
      from document_children
      where document_children.child_id = documents.id
    ) and documents.id in (
      select document_id
      from project_memberships
      where "project_memberships"."project_id" = any($1::bigint[])
    )
    order by "documents"."created_at" desc, (documents.id + 0) desc
    limit 26
  ) as "part0"
  union
  select *
  from (
    select documents.*, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "documents"."created_at" as value
    from documents
    where documents.id in (
      select document_id
      from project_memberships
      where "project_memberships"."project_id" = any($2::bigint[])
    ) and not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "documents"."id" and "document_audiences"."audience" = any($3::text[])
    ) and not exists (
      select 1
      from document_children
      where document_children.child_id = documents.id
    )
    order by "documents"."created_at" desc, "documents"."id" desc
    limit 26
  ) as "part1"
) as parts
order by value desc, id desc
limit 26

-- guest: GET /api/documents/1/
with hits as materialized (
  select cast(document_id as bigint) as document_id, cast(sum(case word when 0 then weight else 0 end) as bigint) as "weight0"
  from (
    select document_id, 0 as word, 1 as weight
    from (
      select holding.document_id, holding.part
      from (
        select $1::text as word, null::text[] as languages
        union all
        select *
        from other_forms_of($2, $3::text[], $4::text[], $5::boolean[])
      ) as forms cross join lateral (
        select document_id, part
        from document_words
        where words @@ quote_literal(forms.word)::tsquery and document_id = any($6::bigint[]) offset 0
      ) as holding
      where forms.languages is null or (
        select count(*)
        from analysed_languages
      ) < 2 or coalesce( (
          select language
          from document_languages
          where document_languages.document_id = holding.document_id
        ), 'eng'
      ) = any(forms.languages)
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $7) or (notes.access = 'organization' and ((documents.user_id = $8 and (documents.access <> 'public' or "documents"."organization_id" = any($9::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($10::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($11::text[])
        ))
      )))
    ))
  ) as rows
  group by document_id
)
select documents.id
from documents left join hits on hits.document_id = documents.id
where "documents"."id" = any($12::bigint[]) and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end or exists (
  select 1
  from document_audiences
  where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($13::text[])
)) and coalesce("hits"."weight0", 0) > 0

-- administrator: GET /mentioned/correct/?kind=email&value=a&q=harbour
with found as materialized (with hits as (
    select cast(document_id as bigint) as document_id, cast(sum(weight) as bigint) as "weight0"
    from (
      select document_id, 0 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
      from (
        select document_id, block as part, units
        from word_counts_of( $1, $2::text[], $3::text[], $4::boolean[], $5::text[], $6::integer[], $7::integer[])
      ) as parts
      where (part < 524288 or exists (
        select 1
        from notes join documents on documents.id = notes.document_id
        where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $8) or (notes.access = 'organization' and 1 = 1))
      ))
    ) as rows
    group by document_id
  )
  select *
  from (
    select documents.id
    from hits join documents on documents.id * 1 = hits.document_id
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and coalesce("hits"."weight0", 0) > 0
    union all
    select distinct documents.id
    from hits join document_audiences on document_audiences.document_id * 1 = hits.document_id cross join lateral (
      select document_audiences.document_id as id, document_audiences.created_at
    ) as documents
    where "document_audiences"."audience" = any($9::text[]) and coalesce("hits"."weight0", 0) > 0
  ) as of_many
  where 8 * (
    select count(*)
    from "hits"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  )
  union all
  select documents.id
  from "hits" cross join lateral (
    select *
    from "documents"
    where "documents"."id" = "hits"."document_id" offset 0
  ) as "documents"
  where not (8 * (
    select count(*)
    from "hits"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  )) and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end or exists (
    select 1
    from document_audiences
    where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($10::text[])
  )) and coalesce("hits"."weight0", 0) > 0
)
select documents.id
from documents
where documents.id in (
  select document_id
  from "mentions"
  where "mentions"."kind" = $11 and "mentions"."value" = $12
) and documents.id in (
  select id
  from found
) and 1 = 1
order by documents.id
limit 501

-- anonymous: GET /api/documents/mentioned/?kind=email&q=harbour
with found as materialized (with hits as (
    select cast(document_id as bigint) as document_id, cast(sum(weight) as bigint) as "weight0"
    from (
      select document_id, 0 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
      from (
        select document_id, block as part, units
        from word_counts_of( $1, $2::text[], $3::text[], $4::boolean[], $5::text[], $6::integer[], $7::integer[])
      ) as parts
      where (part < 524288 or exists (
        select 1
        from notes join documents on documents.id = notes.document_id
        where notes.document_id = parts.document_id and notes.part = parts.part and notes.access = 'public'
      ))
    ) as rows
    group by document_id
  )
  select documents.id
  from "hits" join "documents" on "documents"."id" + 0 = "hits"."document_id"
  where 8 * (
    select count(*)
    from "hits"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and coalesce("hits"."weight0", 0) > 0
  union all
  select documents.id
  from "hits" cross join lateral (
    select *
    from "documents"
    where "documents"."id" = "hits"."document_id" offset 0
  ) as "documents"
  where not (8 * (
    select count(*)
    from "hits"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  )) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and coalesce("hits"."weight0", 0) > 0
), counted as materialized (
  select value, count(*) as documents
  from (
    select distinct mentions.document_id, "mentions"."value" as value
    from "found" join "mentions" on "mentions"."document_id" + 0 = "found"."id"
    where 8 * (
      select count(*)
      from "found"
    ) > (
      select reltuples
      from pg_class
      where oid = 'mentions'::regclass
    ) and mentions.kind = $8
    union all
    select distinct mentions.document_id, "mentions"."value" as value
    from "found" cross join lateral (
      select *
      from "mentions"
      where "mentions"."document_id" = "found"."id" offset 0
    ) as "mentions"
    where not (8 * (
      select count(*)
      from "found"
    ) > (
      select reltuples
      from pg_class
      where oid = 'mentions'::regclass
    )) and mentions.kind = $9
  ) as held
  group by value
), page as (
  select value, documents
  from counted
  order by documents desc, value
  limit 26
), sums as (
  select (
    select count(*)
    from counted
  ) as total, (
    select count(*)
    from unread_mentions
    where document_id in (
      select id
      from found
    )
  ) as unread
)
select page.value, page.documents, sums.total, sums.unread
from sums left join page on 1 = 1
order by documents desc, value

-- administrator: GET /api/admin/audit_entries/?per_page=1&cursor=
select *, false as behind
from (
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "at" as at, id * 32 + 0 as id
      from "document_history"
      where "at" is not null
    ) as entries
    where 1 = 1
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part0"
  union
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "began_at" as at, id * 32 + 1 as id
      from "sign_in_events"
      where "began_at" is not null
    ) as entries
    where 1 = 1
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part1"
  union
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "at" as at, id * 32 + 2 as id
      from "account_history"
      where "at" is not null
    ) as entries
    where 1 = 1
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part2"
  union
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "at" as at, id * 32 + 3 as id
      from "membership_history"
      where "at" is not null
    ) as entries
    where 1 = 1
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part3"
  union
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "created_at" as at, id * 32 + 4 as id
      from "holds"
      where "created_at" is not null
    ) as entries
    where 1 = 1
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part4"
  union
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "released_at" as at, id * 32 + 5 as id
      from "holds"
      where "released_at" is not null
    ) as entries
    where 1 = 1
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part5"
  union
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "created_at" as at, id * 32 + 6 as id
      from "retention_rules"
      where "created_at" is not null
    ) as entries
    where 1 = 1
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part6"
  union
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "ended_at" as at, id * 32 + 7 as id
      from "retention_rules"
      where "ended_at" is not null
    ) as entries
    where 1 = 1
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part7"
  union
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "decided_at" as at, id * 32 + 8 as id
      from "dispositions"
      where "decided_at" is not null
    ) as entries
    where 1 = 1
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part8"
  union
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "created_at" as at, id * 32 + 9 as id
      from "guest_links"
      where "created_at" is not null
    ) as entries
    where 1 = 1
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part9"
  union
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "revoked_at" as at, id * 32 + 10 as id
      from "guest_links"
      where "revoked_at" is not null
    ) as entries
    where 1 = 1
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part10"
  union
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "at" as at, id * 32 + 11 as id
      from "audit_exports"
      where "at" is not null
    ) as entries
    where 1 = 1
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part11"
  union
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "at" as at, id * 32 + 12 as id
      from "administration_history"
      where "at" is not null
    ) as entries
    where 1 = 1
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part12"
) as parts
order by value desc, id desc
limit 2

-- administrator: GET /api/admin/audit_entries/?since=2025-01-31&until=2999-01-31&user=1&per_page=1&cursor=
select *, false as behind
from (
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "at" as at, id * 32 + 0 as id
      from "document_history"
      where "at" is not null and "at" >= $1 and "at" < $2 and (user_id = $3)
    ) as entries
    where 1 = 1
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part0"
  union
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "began_at" as at, id * 32 + 1 as id
      from "sign_in_events"
      where "began_at" is not null and "began_at" >= $4 and "began_at" < $5 and (user_id = $6)
    ) as entries
    where 1 = 1
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part1"
  union
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "at" as at, id * 32 + 2 as id
      from "account_history"
      where "at" is not null and "at" >= $7 and "at" < $8 and (by_id = $9 or "user_id" = $10)
    ) as entries
    where 1 = 1
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part2"
  union
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "at" as at, id * 32 + 3 as id
      from "membership_history"
      where "at" is not null and "at" >= $11 and "at" < $12 and (by_id = $13 or "user_id" = $14)
    ) as entries
    where 1 = 1
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part3"
  union
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "created_at" as at, id * 32 + 4 as id
      from "holds"
      where "created_at" is not null and "created_at" >= $15 and "created_at" < $16 and (user_id = $17)
    ) as entries
    where 1 = 1
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part4"
  union
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "released_at" as at, id * 32 + 5 as id
      from "holds"
      where "released_at" is not null and "released_at" >= $18 and "released_at" < $19 and (released_by = $20)
    ) as entries
    where 1 = 1
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part5"
  union
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "created_at" as at, id * 32 + 6 as id
      from "retention_rules"
      where "created_at" is not null and "created_at" >= $21 and "created_at" < $22 and (user_id = $23)
    ) as entries
    where 1 = 1
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part6"
  union
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "ended_at" as at, id * 32 + 7 as id
      from "retention_rules"
      where "ended_at" is not null and "ended_at" >= $24 and "ended_at" < $25 and (ended_by = $26)
    ) as entries
    where 1 = 1
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part7"
  union
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "decided_at" as at, id * 32 + 8 as id
      from "dispositions"
      where "decided_at" is not null and "decided_at" >= $27 and "decided_at" < $28 and (decided_by = $29)
    ) as entries
    where 1 = 1
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part8"
  union
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "created_at" as at, id * 32 + 9 as id
      from "guest_links"
      where "created_at" is not null and "created_at" >= $30 and "created_at" < $31 and (user_id = $32)
    ) as entries
    where 1 = 1
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part9"
  union
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "revoked_at" as at, id * 32 + 10 as id
      from "guest_links"
      where "revoked_at" is not null and "revoked_at" >= $33 and "revoked_at" < $34 and (coalesce(revoked_by, user_id) = $35)
    ) as entries
    where 1 = 1
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part10"
  union
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "at" as at, id * 32 + 11 as id
      from "audit_exports"
      where "at" is not null and "at" >= $36 and "at" < $37 and (user_id = $38)
    ) as entries
    where 1 = 1
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part11"
  union
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "at" as at, id * 32 + 12 as id
      from "administration_history"
      where "at" is not null and "at" >= $39 and "at" < $40 and (by_id = $41 or "user_id" = $42)
    ) as entries
    where 1 = 1
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part12"
) as parts
order by value desc, id desc
limit 2

-- anonymous: GET /api/documents/1/similar/
select document_fingerprints.document_id as id, hashes
from document_fingerprints
where hashes is not null and document_id in (
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = $1 and document_id <> $2 and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = $3 and document_id <> $4 and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = $5 and document_id <> $6 and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = $7 and document_id <> $8 and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = $9 and document_id <> $10 and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = $11 and document_id <> $12 and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = $13 and document_id <> $14 and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = $15 and document_id <> $16 and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = $17 and document_id <> $18 and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = $19 and document_id <> $20 and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = $21 and document_id <> $22 and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = $23 and document_id <> $24 and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = $25 and document_id <> $26 and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = $27 and document_id <> $28 and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = $29 and document_id <> $30 and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = $31 and document_id <> $32 and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
)
