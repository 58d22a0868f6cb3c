-- anonymous: GET /api/documents/mentioned/?kind=email&q=harbour
select counted_to
from word_count_progress

-- anonymous: GET /api/documents/1/citation/
select id, name
from organizations
where "id" in (
  select value
  from json_each(?)
)

-- user: GET /api/projects/?per_page=1&cursor=cD0x
select digest, user_id, seen_at
from sessions
where digest = ? and expires_at > ?

-- anonymous: GET /api/documents/1/entities/?expand=entity
select entities.*
from entities
where "entities"."id" in (
  select value
  from json_each(?)
)

-- administrator: GET /api/projects/?id__in=1,2&user=1,2&document=1,2&query=a&private=false&slug=a&title=a&per_page=1&
select users.id
from users
where "users"."id" in (
  select value
  from json_each(?)
) and 1 = 1

-- anonymous: GET /files/documents/1/pages/a-p1.txt
select page, text, ocr, words
from document_pages
where document_id = ? and page = ?

-- anonymous: GET /api/events/?per_page=1&
select events.*
from events
where events.id > ? and 1 = 1
order by events.id
limit 500

-- anonymous: GET /api/events/?after=latest&per_page=1&
select transaction_id, id
from events
where 1 = 1
order by transaction_id desc, id desc
limit 1

-- administrator: GET /api/holds/?per_page=1&
select "holds".*, false as behind
from "holds"
where 1 = 1
order by "holds"."id" desc
limit 2

-- guest: GET /guest/
select document_id as id
from project_memberships
where project_id = ?
order by document_id desc

-- anonymous: GET /api/entities/?per_page=1&
select entities.*, false as behind
from "entities"
where 1 = 1
order by "entities"."id"
limit 2

-- guest: GET /api/documents/1/
select document_id
from guest_openings
where digest = ? and "document_id" in (
  select value
  from json_each(?)
)

-- administrator: GET /api/holds/?per_page=1&cursor=cD0x
select "holds".*, false as behind
from "holds"
where 1 = 1 and "holds"."id" >= ?
order by "holds"."id"
limit 1

-- anonymous: GET /api/documents/1/?expand=~all
select id, uuid, name, slug, avatar_url, individual
from organizations
where "id" in (
  select value
  from json_each(?)
)

-- administrator: GET /api/holds/?per_page=1&cursor=cj0xJnA9MQ==
select "holds".*, false as behind
from "holds"
where 1 = 1 and "holds"."id" <= ?
order by "holds"."id" desc
limit 1

-- user: GET /api/webhooks/?per_page=1&
select "webhooks".*, false as behind
from "webhooks"
where "webhooks"."user_id" = ?
order by "webhooks"."id"
limit 2

-- anonymous: GET /api/documents/1/sections/?per_page=1&
select "sections".*, false as behind
from "sections"
where "sections"."document_id" = ?
order by "sections"."id"
limit 2

-- collaborator: GET /api/entities/?per_page=1&cursor=cj0xJnA9MQ==
select entities.*, false as behind
from "entities"
where 1 = 1 and "entities"."id" >= ?
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
where 1 = 1 and "entities"."id" <= ?
order by "entities"."id" desc
limit 1

-- anonymous: GET /api/events/?per_page=1&
select id, access, status, user_id, organization_id
from documents
where "documents"."id" in (
  select value
  from json_each(?)
)

-- anonymous: GET /api/addon_runs/?per_page=1&
select addon_runs.*, false as behind
from "addon_runs"
where "addon_runs"."user_id" = ?
order by "addon_runs"."id" desc
limit 2

-- administrator: GET /api/admin/identity_providers/?per_page=1&
select "identity_providers".*, false as behind
from "identity_providers"
where 1 = 1
order by "identity_providers"."id"
limit 2

-- anonymous: GET /iiif/1/manifest.json
select distinct notes.page_number
from notes
where notes.document_id = ? and notes.access = 'public'
order by notes.page_number

-- anonymous: GET /api/projects/1/documents/?per_page=1&
select (
  select count(*)
  from project_memberships
  where project_memberships.project_id = ? and project_memberships.is_public = true
) as count

-- administrator: GET /api/productions/?per_page=1&
select "productions".*, false as behind
from "productions"
where "productions"."user_id" = ?
order by "productions"."id" desc
limit 2

-- anonymous: GET /api/documents/1/notes/?per_page=1&
select notes.*, false as behind
from "notes"
where "notes"."document_id" = ? and notes.access = 'public'
order by "notes"."id"
limit 2

-- anonymous: GET /api/addon_events/?per_page=1&
select addon_events.*, false as behind
from "addon_events"
where "addon_events"."user_id" = ?
order by "addon_events"."id" desc
limit 2

-- user: GET /api/documents/search/saved/?per_page=1&
select "saved_searches".*, false as behind
from "saved_searches"
where "saved_searches"."user_id" = ?
order by "saved_searches"."id"
limit 2

-- administrator: GET /api/webhooks/?per_page=1&cursor=cj0xJnA9MQ==
select "webhooks".*, false as behind
from "webhooks"
where "webhooks"."user_id" = ? and "webhooks"."id" >= ?
order by "webhooks"."id"
limit 1

-- collaborator: GET /api/documents/1/sections/?per_page=1&cursor=cj0xJnA9MQ==
select "sections".*, false as behind
from "sections"
where "sections"."document_id" = ? and "sections"."id" >= ?
order by "sections"."id"
limit 1

-- administrator: GET /api/webhooks/?per_page=1&cursor=cD0x
select "webhooks".*, false as behind
from "webhooks"
where "webhooks"."user_id" = ? and "webhooks"."id" <= ?
order by "webhooks"."id" desc
limit 1

-- user: GET /api/addon_runs/?per_page=1&cursor=cD0x
select addon_runs.*, false as behind
from "addon_runs"
where "addon_runs"."user_id" = ? and "addon_runs"."id" >= ?
order by "addon_runs"."id"
limit 1

-- user: GET /api/holds/?per_page=1&
select "holds".*, false as behind
from "holds"
where "holds"."organization_id" in (
  select value
  from json_each(?)
)
order by "holds"."id" desc
limit 2

-- user: GET /api/documents/1/sections/?per_page=1&cursor=cD0x
select "sections".*, false as behind
from "sections"
where "sections"."document_id" = ? and "sections"."id" <= ?
order by "sections"."id" desc
limit 1

-- administrator: GET /api/admin/retention_rules/?per_page=1&cursor=cD0x
select "retention_rules".*, false as behind
from "retention_rules"
where 1 = 1 and "retention_rules"."id" >= ?
order by "retention_rules"."id"
limit 1

-- collaborator: GET /api/addon_runs/?per_page=1&cursor=cj0xJnA9MQ==
select addon_runs.*, false as behind
from "addon_runs"
where "addon_runs"."user_id" = ? and "addon_runs"."id" <= ?
order by "addon_runs"."id" desc
limit 1

-- administrator: GET /api/admin/retention_rules/?per_page=1&cursor=cj0xJnA9MQ==
select "retention_rules".*, false as behind
from "retention_rules"
where 1 = 1 and "retention_rules"."id" <= ?
order by "retention_rules"."id" desc
limit 1

-- administrator: GET /api/productions/?per_page=1&cursor=cD0x
select "productions".*, false as behind
from "productions"
where "productions"."user_id" = ? and "productions"."id" >= ?
order by "productions"."id"
limit 1

-- anonymous: GET /api/documents/1/entities/?per_page=1&
select entity_occurrences.*, false as behind
from "entity_occurrences"
where "entity_occurrences"."document_id" = ?
order by "entity_occurrences"."id"
limit 2

-- user: GET /api/addon_events/?per_page=1&cursor=cD0x
select addon_events.*, false as behind
from "addon_events"
where "addon_events"."user_id" = ? and "addon_events"."id" >= ?
order by "addon_events"."id"
limit 1

-- administrator: GET /api/productions/?per_page=1&cursor=cj0xJnA9MQ==
select "productions".*, false as behind
from "productions"
where "productions"."user_id" = ? and "productions"."id" <= ?
order by "productions"."id" desc
limit 1

-- administrator: GET /api/admin/identity_providers/?per_page=1&cursor=cj0xJnA9MQ==
select "identity_providers".*, false as behind
from "identity_providers"
where 1 = 1 and "identity_providers"."id" >= ?
order by "identity_providers"."id"
limit 1

-- anonymous: GET /api/documents/1/notes/?page_number=1&per_page=1&
select notes.*, false as behind
from "notes"
where "notes"."document_id" = ? and "notes"."page_number" = ? and notes.access = 'public'
order by "notes"."id"
limit 2

-- collaborator: GET /api/addon_events/?per_page=1&cursor=cj0xJnA9MQ==
select addon_events.*, false as behind
from "addon_events"
where "addon_events"."user_id" = ? and "addon_events"."id" <= ?
order by "addon_events"."id" desc
limit 1

-- administrator: GET /api/webhooks/1/deliveries/?per_page=1&
select "webhook_deliveries".*, false as behind
from "webhook_deliveries"
where "webhook_deliveries"."webhook_id" = ?
order by "webhook_deliveries"."id" desc
limit 2

-- administrator: GET /api/admin/certificates/?per_page=1&
select id, at, document_id, changes, false as behind
from "document_history"
where document_history.action = 'disposed'
order by "document_history"."id" desc
limit 2

-- administrator: GET /api/admin/identity_providers/?per_page=1&cursor=cD0x
select "identity_providers".*, false as behind
from "identity_providers"
where 1 = 1 and "identity_providers"."id" <= ?
order by "identity_providers"."id" desc
limit 1

-- administrator: GET /api/documents/1/history/?per_page=1&
select id, at, user_id, action, changes, false as behind
from "document_history"
where "document_history"."document_id" = ?
order by "document_history"."id" desc
limit 2

-- administrator: GET /api/productions/1/documents/?per_page=1&
select "production_documents".*, false as behind
from "production_documents"
where "production_documents"."production_id" = ?
order by "production_documents"."id"
limit 2

-- administrator: GET /api/documents/search/saved/?per_page=1&cursor=cj0xJnA9MQ==
select "saved_searches".*, false as behind
from "saved_searches"
where "saved_searches"."user_id" = ? and "saved_searches"."id" >= ?
order by "saved_searches"."id"
limit 1

-- administrator: GET /api/projects/1/users/?per_page=1&
select user_id as id, access, false as behind
from "project_collaborators"
where "project_collaborators"."project_id" = ?
order by "project_collaborators"."user_id"
limit 2

-- administrator: GET /api/documents/search/saved/?per_page=1&cursor=cD0x
select "saved_searches".*, false as behind
from "saved_searches"
where "saved_searches"."user_id" = ? and "saved_searches"."id" <= ?
order by "saved_searches"."id" desc
limit 1

-- administrator: GET /api/documents/1/receipts/?per_page=1&
select id, step, outcome, at, milliseconds, details, false as behind
from "document_receipts"
where "document_receipts"."document_id" = ?
order by "document_receipts"."id"
limit 2

-- administrator: GET /documents/1-a/
select id, step, outcome, at, milliseconds, details, false as behind
from "document_receipts"
where "document_receipts"."document_id" = ?
order by "document_receipts"."id" desc
limit 101

-- anonymous: GET /documents/1-a/
select asked.value as page, document_pages.text
from (
  select value
  from json_each(?)
) as asked left join document_pages on document_pages.document_id = ? and document_pages.page = asked.value

-- collaborator: GET /api/documents/1/entities/?per_page=1&cursor=cj0xJnA9MQ==
select entity_occurrences.*, false as behind
from "entity_occurrences"
where "entity_occurrences"."document_id" = ? and "entity_occurrences"."id" >= ?
order by "entity_occurrences"."id"
limit 1

-- administrator: GET /api/admin/certificates/?per_page=1&cursor=cD0x
select id, at, document_id, changes, false as behind
from "document_history"
where document_history.action = 'disposed' and "document_history"."id" >= ?
order by "document_history"."id"
limit 1

-- administrator: GET /api/webhooks/1/deliveries/?per_page=1&cursor=cD0x
select "webhook_deliveries".*, false as behind
from "webhook_deliveries"
where "webhook_deliveries"."webhook_id" = ? and "webhook_deliveries"."id" >= ?
order by "webhook_deliveries"."id"
limit 1

-- user: GET /api/documents/1/entities/?per_page=1&cursor=cD0x
select entity_occurrences.*, false as behind
from "entity_occurrences"
where "entity_occurrences"."document_id" = ? and "entity_occurrences"."id" <= ?
order by "entity_occurrences"."id" desc
limit 1

-- administrator: GET /api/admin/certificates/?per_page=1&cursor=cj0xJnA9MQ==
select id, at, document_id, changes, false as behind
from "document_history"
where document_history.action = 'disposed' and "document_history"."id" <= ?
order by "document_history"."id" desc
limit 1

-- administrator: GET /api/webhooks/1/deliveries/?per_page=1&cursor=cj0xJnA9MQ==
select "webhook_deliveries".*, false as behind
from "webhook_deliveries"
where "webhook_deliveries"."webhook_id" = ? and "webhook_deliveries"."id" <= ?
order by "webhook_deliveries"."id" desc
limit 1

-- anonymous: GET /files/documents/1/a.txt
select page, text, ocr, documents.updated_at
from document_pages join documents on documents.id = document_pages.document_id
where document_id = ? and page >= ?
order by page
limit 32

-- anonymous: GET /api/documents/1/mentioned/
select mentions.*, (mentions.page * 1073741824 + mentions.start) as id, false as behind
from "mentions"
where "mentions"."document_id" = ?
order by (mentions.page * 1073741824 + mentions.start)
limit 26

-- administrator: GET /api/productions/1/documents/?per_page=1&cursor=cj0xJnA9MQ==
select "production_documents".*, false as behind
from "production_documents"
where "production_documents"."production_id" = ? and "production_documents"."id" >= ?
order by "production_documents"."id"
limit 1

-- anonymous: GET /api/documents/1/?expand=~all
select sections.*
from sections
where "sections"."document_id" in (
  select value
  from json_each(?)
) and ("sections"."page_number", "sections"."id") > (?, ?)
order by "sections"."page_number", "sections"."id"
limit ?

-- anonymous: GET /api/projects/1/documents/?ordering=created_at&document_id__in=1,2&per_page=1&
select (
  select count(*)
  from project_memberships
  where project_memberships.project_id = ? and project_memberships.is_public = true and "project_memberships"."document_id" in (
    select value
    from json_each(?)
  )
) as count

-- anonymous: GET /api/entities/?name=a&wikidata_id=Q1&wikidata_id__in=Q1,Q2&per_page=1&
select entities.*, false as behind
from "entities"
where "entities"."name" = ? and "entities"."wikidata_id" = ? and "entities"."wikidata_id" in (
  select value
  from json_each(?)
)
order by "entities"."id"
limit 2

-- administrator: GET /api/productions/1/documents/?per_page=1&cursor=cD0x
select "production_documents".*, false as behind
from "production_documents"
where "production_documents"."production_id" = ? and "production_documents"."id" <= ?
order by "production_documents"."id" desc
limit 1

-- administrator: GET /api/documents/1/receipts/?per_page=1&cursor=cj0xJnA9MQ==
select id, step, outcome, at, milliseconds, details, false as behind
from "document_receipts"
where "document_receipts"."document_id" = ? and "document_receipts"."id" >= ?
order by "document_receipts"."id"
limit 1

-- administrator: GET /api/projects/1/users/?per_page=1&cursor=cj0xJnA9MQ==
select user_id as id, access, false as behind
from "project_collaborators"
where "project_collaborators"."project_id" = ? and "project_collaborators"."user_id" >= ?
order by "project_collaborators"."user_id"
limit 1

-- administrator: GET /api/holds/?per_page=1&cursor=cD0x
select "holds".*, ((
    select 1
    from "holds"
    where 1 = 1 and "holds"."id" >= ?
    order by "holds"."id"
    limit 1
  ) is not null
) as behind
from "holds"
where 1 = 1 and "holds"."id" < ?
order by "holds"."id" desc
limit 2

-- administrator: GET /api/holds/?per_page=1&cursor=cj0xJnA9MQ==
select "holds".*, ((
    select 1
    from "holds"
    where 1 = 1 and "holds"."id" <= ?
    order by "holds"."id" desc
    limit 1
  ) is not null
) as behind
from "holds"
where 1 = 1 and "holds"."id" > ?
order by "holds"."id"
limit 2

-- administrator: GET /api/documents/1/receipts/?per_page=1&cursor=cD0x
select id, step, outcome, at, milliseconds, details, false as behind
from "document_receipts"
where "document_receipts"."document_id" = ? and "document_receipts"."id" <= ?
order by "document_receipts"."id" desc
limit 1

-- administrator: GET /api/projects/1/users/?per_page=1&cursor=cD0x
select user_id as id, access, false as behind
from "project_collaborators"
where "project_collaborators"."project_id" = ? and "project_collaborators"."user_id" <= ?
order by "project_collaborators"."user_id" desc
limit 1

-- administrator: GET /api/imports/1/files/?per_page=1&
select import_files.*, (
  select status
  from documents
  where documents.id = import_files.document_id
) as status, false as behind
from "import_files"
where "import_files"."import_id" = ?
order by "import_files"."id"
limit 2

-- anonymous: GET /api/documents/1/?expand=~all
select notes.*
from notes
where "notes"."document_id" in (
  select value
  from json_each(?)
) and notes.access = 'public' and ("notes"."page_number", "notes"."id") > (?, ?)
order by "notes"."page_number", "notes"."id"
limit ?

-- anonymous: GET /api/addon_events/?addon=1&site=a&ordering=id&per_page=1&
select addon_events.*, false as behind
from "addon_events"
where "addon_events"."user_id" = ? and "addon_events"."addon_id" in (
  select value
  from json_each(?)
) and "addon_events"."site" = ?
order by "addon_events"."id"
limit 2

-- anonymous: GET /sitemap-1.xml
select documents.id, slug, updated_at, noindex, admin_noindex
from documents
where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."id" > ?
order by "documents"."id"
limit ?

-- anonymous: GET /api/documents/spreadsheet/export/
select (
  select count(*)
  from documents indexed by "documents_searched"
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true)
) as total

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

-- user: GET /api/entities/?per_page=1&cursor=cD0x
select entities.*, ((
    select 1
    from "entities"
    where 1 = 1 and "entities"."id" <= ?
    order by "entities"."id" desc
    limit 1
  ) is not null
) as behind
from "entities"
where 1 = 1 and "entities"."id" > ?
order by "entities"."id"
limit 2

-- collaborator: GET /api/entities/?per_page=1&cursor=cj0xJnA9MQ==
select entities.*, ((
    select 1
    from "entities"
    where 1 = 1 and "entities"."id" >= ?
    order by "entities"."id"
    limit 1
  ) is not null
) as behind
from "entities"
where 1 = 1 and "entities"."id" < ?
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

-- anonymous: GET /api/projects/?id__in=1,2&user=1,2&document=1,2&query=a&private=false&slug=a&title=a&per_page=1&
select users.id
from users
where "users"."id" in (
  select value
  from json_each(?)
) and exists (
  select 1
  from documents
  where documents.user_id = users.id and documents.access = 'public' and documents.status in ('success', 'readable')
)

-- administrator: GET /api/imports/1/files/?per_page=1&cursor=cj0xJnA9MQ==
select import_files.*, (
  select status
  from documents
  where documents.id = import_files.document_id
) as status, false as behind
from "import_files"
where "import_files"."import_id" = ? and "import_files"."id" >= ?
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

-- administrator: GET /api/imports/1/files/?per_page=1&cursor=cD0x
select import_files.*, (
  select status
  from documents
  where documents.id = import_files.document_id
) as status, false as behind
from "import_files"
where "import_files"."import_id" = ? and "import_files"."id" <= ?
order by "import_files"."id" desc
limit 1

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

-- anonymous: GET /api/projects/1/documents/?per_page=1&
select project_memberships.document_id as id, project_memberships.edit_access, false as behind
from project_memberships
where project_memberships.project_id = ? and project_memberships.is_public = true
order by "project_memberships"."document_id" desc
limit 2

-- administrator: GET /api/organizations/?per_page=1&cursor=cj0xJnA9MQ==
select id, uuid, name, slug, avatar_url, individual, false as behind
from "organizations"
where not exists (
  select 1
  from users
  where users.uuid = organizations.uuid and not 1 = 1
) and "organizations"."id" >= ?
order by "organizations"."id"
limit 1

-- user: GET /api/documents/spreadsheet/export/
select (
  select count(*)
  from documents indexed by "documents_by_id"
  where documents.access = 'public' and documents.status in ('success', 'readable')
) + (
  select count(*)
  from (
    select document_id
    from document_audiences
    where audience = ?
    order by 1
  ) as own
) as total

-- guest: GET /api/documents/1/
select guest_links.*
from guest_sessions join guest_links on guest_links.id = guest_sessions.link_id
where guest_sessions.digest = ? and guest_sessions.expires_at > ? and guest_links.revoked_at is null and guest_links.expires_at > ?
order by guest_links.id

-- administrator: GET /api/admin/organizations/1/members/?per_page=1&
select organizations.id, name, avatar_url, (
  select count(*)
  from organization_members
  where organization_id = organizations.id
) as members, false as behind
from "organizations"
where individual = false and "organizations"."id" = ?
order by "organizations"."id"
limit 2

-- administrator: GET /api/admin/sign-ins/?kind=refused&per_page=1&
select sign_in_events.id, kind, network, is_known, times, began_at, at, (
  select username
  from users
  where users.id = sign_in_events.user_id
) as username, false as behind
from "sign_in_events"
where "sign_in_events"."kind" = ?
order by "sign_in_events"."id" desc
limit 2

-- administrator: GET /api/webhooks/?per_page=1&cursor=cD0x
select "webhooks".*, ((
    select 1
    from "webhooks"
    where "webhooks"."user_id" = ? and "webhooks"."id" <= ?
    order by "webhooks"."id" desc
    limit 1
  ) is not null
) as behind
from "webhooks"
where "webhooks"."user_id" = ? and "webhooks"."id" > ?
order by "webhooks"."id"
limit 2

-- administrator: GET /api/webhooks/?per_page=1&cursor=cj0xJnA9MQ==
select "webhooks".*, ((
    select 1
    from "webhooks"
    where "webhooks"."user_id" = ? and "webhooks"."id" >= ?
    order by "webhooks"."id"
    limit 1
  ) is not null
) as behind
from "webhooks"
where "webhooks"."user_id" = ? and "webhooks"."id" < ?
order by "webhooks"."id" desc
limit 2

-- administrator: GET /api/admin/sign-ins/?per_page=1&cursor=cD0x
select sign_in_events.id, kind, network, is_known, times, began_at, at, (
  select username
  from users
  where users.id = sign_in_events.user_id
) as username, false as behind
from "sign_in_events"
where 1 = 1 and "sign_in_events"."id" >= ?
order by "sign_in_events"."id"
limit 1

-- administrator: GET /api/admin/refused_mails/?per_page=1&cursor=cD0x
select mail_arrivals.id, way, sender, reason, times, arrived_at, (
  select username
  from users
  where users.id = mail_arrivals.user_id
) as username, false as behind
from "mail_arrivals"
where reason is not null and "mail_arrivals"."id" >= ?
order by "mail_arrivals"."id"
limit 1

-- user: GET /api/account/tokens/?per_page=1&
select "api_tokens"."id", "api_tokens"."name", "api_tokens"."prefix", "api_tokens"."may_write", "api_tokens"."created_at", "api_tokens"."expires_at", "api_tokens"."last_used_at", false as behind
from "api_tokens"
where "api_tokens"."user_id" = ?
order by "api_tokens"."id"
limit 2

-- administrator: GET /api/admin/sign-ins/?per_page=1&cursor=cj0xJnA9MQ==
select sign_in_events.id, kind, network, is_known, times, began_at, at, (
  select username
  from users
  where users.id = sign_in_events.user_id
) as username, false as behind
from "sign_in_events"
where 1 = 1 and "sign_in_events"."id" <= ?
order by "sign_in_events"."id" desc
limit 1

-- user: GET /api/documents/1/sections/?per_page=1&cursor=cD0x
select "sections".*, ((
    select 1
    from "sections"
    where "sections"."document_id" = ? and "sections"."id" <= ?
    order by "sections"."id" desc
    limit 1
  ) is not null
) as behind
from "sections"
where "sections"."document_id" = ? and "sections"."id" > ?
order by "sections"."id"
limit 2

-- collaborator: GET /api/documents/1/sections/?per_page=1&cursor=cj0xJnA9MQ==
select "sections".*, ((
    select 1
    from "sections"
    where "sections"."document_id" = ? and "sections"."id" >= ?
    order by "sections"."id"
    limit 1
  ) is not null
) as behind
from "sections"
where "sections"."document_id" = ? and "sections"."id" < ?
order by "sections"."id" desc
limit 2

-- administrator: GET /api/organizations/?individual=false&uuid=00000000-0000-4000-8000-000000000000&per_page=1&
select id, uuid, name, slug, avatar_url, individual, false as behind
from "organizations"
where not exists (
  select 1
  from users
  where users.uuid = organizations.uuid and not 1 = 1
) and "organizations"."uuid" = ? and individual = false
order by "organizations"."id"
limit 2

-- administrator: GET /api/admin/refused_mails/?per_page=1&cursor=cj0xJnA9MQ==
select mail_arrivals.id, way, sender, reason, times, arrived_at, (
  select username
  from users
  where users.id = mail_arrivals.user_id
) as username, false as behind
from "mail_arrivals"
where reason is not null and "mail_arrivals"."id" <= ?
order by "mail_arrivals"."id" desc
limit 1

-- administrator: GET /api/admin/retention_rules/?per_page=1&cursor=cD0x
select "retention_rules".*, ((
    select 1
    from "retention_rules"
    where 1 = 1 and "retention_rules"."id" >= ?
    order by "retention_rules"."id"
    limit 1
  ) is not null
) as behind
from "retention_rules"
where 1 = 1 and "retention_rules"."id" < ?
order by "retention_rules"."id" desc
limit 2

-- administrator: GET /api/admin/retention_rules/?per_page=1&cursor=cj0xJnA9MQ==
select "retention_rules".*, ((
    select 1
    from "retention_rules"
    where 1 = 1 and "retention_rules"."id" <= ?
    order by "retention_rules"."id" desc
    limit 1
  ) is not null
) as behind
from "retention_rules"
where 1 = 1 and "retention_rules"."id" > ?
order by "retention_rules"."id"
limit 2

-- user: GET /iiif/1/manifest.json
select distinct notes.page_number
from notes
where notes.document_id = ? and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = ?) or (notes.access = 'organization' and "notes"."document_id" in (
  select value
  from json_each(?)
)))
order by notes.page_number

-- administrator: GET /api/documents/1/errors/?per_page=1&
select id, step, outcome, at, milliseconds, details, false as behind
from "document_receipts"
where "document_receipts"."document_id" = ? and (outcome = 'failed' or step = 'unpacked' and replace(details, '"reason":"empty"', '') like '%"reason":%')
order by "document_receipts"."id"
limit 2

-- user: GET /api/addon_runs/?per_page=1&cursor=cD0x
select addon_runs.*, ((
    select 1
    from "addon_runs"
    where "addon_runs"."user_id" = ? and "addon_runs"."id" >= ?
    order by "addon_runs"."id"
    limit 1
  ) is not null
) as behind
from "addon_runs"
where "addon_runs"."user_id" = ? and "addon_runs"."id" < ?
order by "addon_runs"."id" desc
limit 2

-- collaborator: GET /api/addon_runs/?per_page=1&cursor=cj0xJnA9MQ==
select addon_runs.*, ((
    select 1
    from "addon_runs"
    where "addon_runs"."user_id" = ? and "addon_runs"."id" <= ?
    order by "addon_runs"."id" desc
    limit 1
  ) is not null
) as behind
from "addon_runs"
where "addon_runs"."user_id" = ? and "addon_runs"."id" > ?
order by "addon_runs"."id"
limit 2

-- anonymous: GET /api/documents/tree/?&cursor=
select (
  select cast(count(distinct document_id) as text) || ' ' || cast(count(*) as text)
  from (
    select t.document_id
    from document_path_audiences t
    where "t"."audience" in (
      select value
      from json_each(?)
    ) and t.path > '1' and t.path < '3'
    limit 10001
  ) as listed
) as counts

-- administrator: GET /api/productions/?per_page=1&cursor=cD0x
select "productions".*, ((
    select 1
    from "productions"
    where "productions"."user_id" = ? and "productions"."id" >= ?
    order by "productions"."id"
    limit 1
  ) is not null
) as behind
from "productions"
where "productions"."user_id" = ? and "productions"."id" < ?
order by "productions"."id" desc
limit 2

-- administrator: GET /api/productions/?per_page=1&cursor=cj0xJnA9MQ==
select "productions".*, ((
    select 1
    from "productions"
    where "productions"."user_id" = ? and "productions"."id" <= ?
    order by "productions"."id" desc
    limit 1
  ) is not null
) as behind
from "productions"
where "productions"."user_id" = ? and "productions"."id" > ?
order by "productions"."id"
limit 2

-- user: GET /api/imports/?per_page=1&
select imports.*, false as behind
from "imports"
where (imports.user_id = ? or exists (
  select 1
  from documents
  where documents.id = imports.document_id and documents.user_id = ? and documents.status <> 'deleted' and documents.access <> 'invisible'
) or 1 = 0)
order by "imports"."id" desc
limit 2

-- anonymous: GET /files/documents/1/a.txt
select documents.updated_at, extent.pages, extent.last, extent.bytes
from documents, (
  select count(*) as pages, max(page) as last, cast(coalesce(sum(octet_length(text)), 0) as bigint) as bytes
  from document_pages
  where document_id = ?
) as extent
where documents.id = ?

-- administrator: GET /api/account/tokens/?per_page=1&cursor=cj0xJnA9MQ==
select "api_tokens"."id", "api_tokens"."name", "api_tokens"."prefix", "api_tokens"."may_write", "api_tokens"."created_at", "api_tokens"."expires_at", "api_tokens"."last_used_at", false as behind
from "api_tokens"
where "api_tokens"."user_id" = ? and "api_tokens"."id" >= ?
order by "api_tokens"."id"
limit 1

-- administrator: GET /api/admin/identity_providers/?per_page=1&cursor=cD0x
select "identity_providers".*, ((
    select 1
    from "identity_providers"
    where 1 = 1 and "identity_providers"."id" <= ?
    order by "identity_providers"."id" desc
    limit 1
  ) is not null
) as behind
from "identity_providers"
where 1 = 1 and "identity_providers"."id" > ?
order by "identity_providers"."id"
limit 2

-- administrator: GET /api/admin/identity_providers/?per_page=1&cursor=cj0xJnA9MQ==
select "identity_providers".*, ((
    select 1
    from "identity_providers"
    where 1 = 1 and "identity_providers"."id" >= ?
    order by "identity_providers"."id"
    limit 1
  ) is not null
) as behind
from "identity_providers"
where 1 = 1 and "identity_providers"."id" < ?
order by "identity_providers"."id" desc
limit 2

-- administrator: GET /api/admin/organizations/1/members/?per_page=1&
select users.id, username, name, (
  select is_admin
  from organization_members
  where organization_id = ? and user_id = users.id
) as is_admin, false as behind
from "users"
where exists (
  select 1
  from organization_members
  where organization_id = ? and user_id = users.id
)
order by "users"."id"
limit 2

-- collaborator: GET /api/projects/?per_page=1&cursor=cj0xJnA9MQ==
select api_tokens.id, api_tokens.user_id, may_write, last_used_at, run_id, addon_runs.uuid as run_uuid, addon_runs.event_id as run_event, addon_runs.scope as run_scope
from api_tokens left join addon_runs on addon_runs.id = run_id
where digest = ? and (expires_at is null or expires_at > ?)

-- user: GET /api/addon_events/?per_page=1&cursor=cD0x
select addon_events.*, ((
    select 1
    from "addon_events"
    where "addon_events"."user_id" = ? and "addon_events"."id" >= ?
    order by "addon_events"."id"
    limit 1
  ) is not null
) as behind
from "addon_events"
where "addon_events"."user_id" = ? and "addon_events"."id" < ?
order by "addon_events"."id" desc
limit 2

-- collaborator: GET /api/addon_events/?per_page=1&cursor=cj0xJnA9MQ==
select addon_events.*, ((
    select 1
    from "addon_events"
    where "addon_events"."user_id" = ? and "addon_events"."id" <= ?
    order by "addon_events"."id" desc
    limit 1
  ) is not null
) as behind
from "addon_events"
where "addon_events"."user_id" = ? and "addon_events"."id" > ?
order by "addon_events"."id"
limit 2

-- administrator: GET /api/account/tokens/?per_page=1&cursor=cD0x
select "api_tokens"."id", "api_tokens"."name", "api_tokens"."prefix", "api_tokens"."may_write", "api_tokens"."created_at", "api_tokens"."expires_at", "api_tokens"."last_used_at", false as behind
from "api_tokens"
where "api_tokens"."user_id" = ? and "api_tokens"."id" <= ?
order by "api_tokens"."id" desc
limit 1

-- anonymous: GET /api/documents/1/errors/?per_page=1&
select id, step, outcome, at, milliseconds, details, false as behind
from "document_receipts"
where "document_receipts"."document_id" = ? and (outcome = 'failed' or step = 'unpacked' and replace(details, '"reason":"empty"', '') like '%"reason":%') and step <> 'redacted'
order by "document_receipts"."id"
limit 2

-- anonymous: GET /api/documents/1/mentioned/?kind=email&value=a&cursor=cD0x
select mentions.*, (mentions.page * 1073741824 + mentions.start) as id, false as behind
from "mentions"
where "mentions"."document_id" = ? and "mentions"."kind" = ? and "mentions"."value" = ? and (mentions.page * 1073741824 + mentions.start) <= ?
order by (mentions.page * 1073741824 + mentions.start) desc
limit 1

-- collaborator: GET /api/documents/1/notes/?per_page=1&cursor=cj0xJnA9MQ==
select notes.*, false as behind
from "notes"
where "notes"."document_id" = ? and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = ?) or (notes.access = 'organization' and "notes"."document_id" in (
  select value
  from json_each(?)
))) and "notes"."id" >= ?
order by "notes"."id"
limit 1

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

-- administrator: GET /api/organizations/?individual=false&uuid=00000000-0000-4000-8000-000000000000&per_page=1&cursor=cD0x
select id, uuid, name, slug, avatar_url, individual, false as behind
from "organizations"
where not exists (
  select 1
  from users
  where users.uuid = organizations.uuid and not 1 = 1
) and "organizations"."uuid" = ? and individual = false and "organizations"."id" <= ?
order by "organizations"."id" desc
limit 1

-- user: GET /api/documents/1/notes/?per_page=1&cursor=cD0x
select notes.*, false as behind
from "notes"
where "notes"."document_id" = ? and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = ?) or (notes.access = 'organization' and "notes"."document_id" in (
  select value
  from json_each(?)
))) and "notes"."id" <= ?
order by "notes"."id" desc
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

-- administrator: GET /api/documents/search/saved/?per_page=1&cursor=cD0x
select "saved_searches".*, ((
    select 1
    from "saved_searches"
    where "saved_searches"."user_id" = ? and "saved_searches"."id" <= ?
    order by "saved_searches"."id" desc
    limit 1
  ) is not null
) as behind
from "saved_searches"
where "saved_searches"."user_id" = ? and "saved_searches"."id" > ?
order by "saved_searches"."id"
limit 2

-- administrator: GET /api/documents/search/saved/?per_page=1&cursor=cj0xJnA9MQ==
select "saved_searches".*, ((
    select 1
    from "saved_searches"
    where "saved_searches"."user_id" = ? and "saved_searches"."id" >= ?
    order by "saved_searches"."id"
    limit 1
  ) is not null
) as behind
from "saved_searches"
where "saved_searches"."user_id" = ? and "saved_searches"."id" < ?
order by "saved_searches"."id" desc
limit 2

-- anonymous: GET /api/projects/1/documents/?ordering=created_at&document_id__in=1,2&per_page=1&
select project_memberships.document_id as id, project_memberships.edit_access, false as behind
from project_memberships
where project_memberships.project_id = ? and project_memberships.is_public = true and "project_memberships"."document_id" in (
  select value
  from json_each(?)
)
order by "project_memberships"."document_id"
limit 2

-- administrator: GET /api/admin/organizations/1/members/?per_page=1&cursor=cj0xJnA9MQ==
select users.id, username, name, (
  select is_admin
  from organization_members
  where organization_id = ? and user_id = users.id
) as is_admin, false as behind
from "users"
where exists (
  select 1
  from organization_members
  where organization_id = ? and user_id = users.id
) and "users"."id" >= ?
order by "users"."id"
limit 1

-- collaborator: GET /api/documents/spreadsheet/export/
select (
  select count(*)
  from documents indexed by "documents_by_id"
  where documents.access = 'public' and documents.status in ('success', 'readable')
) + (
  select count(*)
  from (
    select document_id
    from document_audiences
    where audience = ?
    union
    select document_id
    from document_audiences
    where audience = ?
    order by 1
  ) as own
) as total

-- administrator: GET /api/admin/organizations/1/members/?per_page=1&cursor=cD0x
select users.id, username, name, (
  select is_admin
  from organization_members
  where organization_id = ? and user_id = users.id
) as is_admin, false as behind
from "users"
where exists (
  select 1
  from organization_members
  where organization_id = ? and user_id = users.id
) and "users"."id" <= ?
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
where guest_links.user_id = ?
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
where 1 = 1 and "guest_links"."id" >= ?
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
where "guest_links"."project_id" = ?
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
where "guest_links"."document_id" = ?
order by "guest_links"."id" desc
limit 2

-- administrator: GET /api/imports/?per_page=1&
select imports.*, false as behind
from "imports"
where (imports.user_id = ? or exists (
  select 1
  from documents
  where documents.id = imports.document_id and documents.user_id = ? and documents.status <> 'deleted' and documents.access <> 'invisible'
) or (imports.user_id is null and imports.document_id is null))
order by "imports"."id" desc
limit 2

-- administrator: GET /api/admin/certificates/?per_page=1&cursor=cD0x
select id, at, document_id, changes, ((
    select 1
    from "document_history"
    where document_history.action = 'disposed' and "document_history"."id" >= ?
    order by "document_history"."id"
    limit 1
  ) is not null
) as behind
from "document_history"
where document_history.action = 'disposed' and "document_history"."id" < ?
order by "document_history"."id" desc
limit 2

-- administrator: GET /api/admin/certificates/?per_page=1&cursor=cj0xJnA9MQ==
select id, at, document_id, changes, ((
    select 1
    from "document_history"
    where document_history.action = 'disposed' and "document_history"."id" <= ?
    order by "document_history"."id" desc
    limit 1
  ) is not null
) as behind
from "document_history"
where document_history.action = 'disposed' and "document_history"."id" > ?
order by "document_history"."id"
limit 2

-- user: GET /account/searches/00000000-0000-4000-8000-000000000002/
select documents.id
from documents
where "documents"."id" in (
  select value
  from json_each(?)
) and (documents.access = 'public' and documents.status in ('success', 'readable') or exists (
  select 1
  from document_audiences
  where document_audiences.document_id = documents.id and "document_audiences"."audience" in (
    select value
    from json_each(?)
  )
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
where guest_links.user_id = ? and "guest_links"."id" <= ?
order by "guest_links"."id" desc
limit 1

-- user: GET /api/documents/1/entities/?per_page=1&cursor=cD0x
select entity_occurrences.*, ((
    select 1
    from "entity_occurrences"
    where "entity_occurrences"."document_id" = ? and "entity_occurrences"."id" <= ?
    order by "entity_occurrences"."id" desc
    limit 1
  ) is not null
) as behind
from "entity_occurrences"
where "entity_occurrences"."document_id" = ? and "entity_occurrences"."id" > ?
order by "entity_occurrences"."id"
limit 2

-- collaborator: GET /api/documents/1/entities/?per_page=1&cursor=cj0xJnA9MQ==
select entity_occurrences.*, ((
    select 1
    from "entity_occurrences"
    where "entity_occurrences"."document_id" = ? and "entity_occurrences"."id" >= ?
    order by "entity_occurrences"."id"
    limit 1
  ) is not null
) as behind
from "entity_occurrences"
where "entity_occurrences"."document_id" = ? and "entity_occurrences"."id" < ?
order by "entity_occurrences"."id" desc
limit 2

-- administrator: GET /api/webhooks/1/deliveries/?per_page=1&cursor=cD0x
select "webhook_deliveries".*, ((
    select 1
    from "webhook_deliveries"
    where "webhook_deliveries"."webhook_id" = ? and "webhook_deliveries"."id" >= ?
    order by "webhook_deliveries"."id"
    limit 1
  ) is not null
) as behind
from "webhook_deliveries"
where "webhook_deliveries"."webhook_id" = ? and "webhook_deliveries"."id" < ?
order by "webhook_deliveries"."id" desc
limit 2

-- administrator: GET /api/webhooks/1/deliveries/?per_page=1&cursor=cj0xJnA9MQ==
select "webhook_deliveries".*, ((
    select 1
    from "webhook_deliveries"
    where "webhook_deliveries"."webhook_id" = ? and "webhook_deliveries"."id" <= ?
    order by "webhook_deliveries"."id" desc
    limit 1
  ) is not null
) as behind
from "webhook_deliveries"
where "webhook_deliveries"."webhook_id" = ? and "webhook_deliveries"."id" > ?
order by "webhook_deliveries"."id"
limit 2

-- anonymous: GET /
select count(*) as count
from (
  select documents.id
  from documents indexed by "documents_searched"
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and not exists (
    select 1
    from document_children
    where document_children.child_id = documents.id
  )
  limit 10001
) as listed

-- anonymous: GET /api/notes/?per_page=1&
select notes.*, documents.title as document_title, documents.slug as document_slug, case when 1 = 0 then 1 else 0 end as is_editable
from notes join documents on documents.id = notes.document_id
where (documents.access = 'public' and documents.status in ('success', 'readable') or 1 = 0) and notes.access = 'public'
order by notes.id desc
limit 2

-- administrator: GET /api/imports/?per_page=1&cursor=cD0x
select imports.*, false as behind
from "imports"
where (imports.user_id = ? or exists (
  select 1
  from documents
  where documents.id = imports.document_id and documents.user_id = ? and documents.status <> 'deleted' and documents.access <> 'invisible'
) or (imports.user_id is null and imports.document_id is null)) and "imports"."id" >= ?
order by "imports"."id"
limit 1

-- administrator: GET /api/imports/?per_page=1&cursor=cj0xJnA9MQ==
select imports.*, false as behind
from "imports"
where (imports.user_id = ? or exists (
  select 1
  from documents
  where documents.id = imports.document_id and documents.user_id = ? and documents.status <> 'deleted' and documents.access <> 'invisible'
) or (imports.user_id is null and imports.document_id is null)) and "imports"."id" <= ?
order by "imports"."id" desc
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

-- administrator: GET /api/documents/1/receipts/?per_page=1&cursor=cD0x
select id, step, outcome, at, milliseconds, details, ((
    select 1
    from "document_receipts"
    where "document_receipts"."document_id" = ? and "document_receipts"."id" <= ?
    order by "document_receipts"."id" desc
    limit 1
  ) is not null
) as behind
from "document_receipts"
where "document_receipts"."document_id" = ? and "document_receipts"."id" > ?
order by "document_receipts"."id"
limit 2

-- administrator: GET /api/documents/1/receipts/?per_page=1&cursor=cj0xJnA9MQ==
select id, step, outcome, at, milliseconds, details, ((
    select 1
    from "document_receipts"
    where "document_receipts"."document_id" = ? and "document_receipts"."id" >= ?
    order by "document_receipts"."id"
    limit 1
  ) is not null
) as behind
from "document_receipts"
where "document_receipts"."document_id" = ? and "document_receipts"."id" < ?
order by "document_receipts"."id" desc
limit 2

-- anonymous: GET /api/documents/1/entities/?name=a&wikidata_id=Q1&per_page=1&
select entity_occurrences.*, false as behind
from "entity_occurrences"
where "entity_occurrences"."document_id" = ? and exists (
  select 1
  from entities
  where entities.id = entity_occurrences.entity_id and entities.name = ?
) and exists (
  select 1
  from entities
  where entities.id = entity_occurrences.entity_id and entities.wikidata_id = ?
)
order by "entity_occurrences"."id"
limit 2

-- administrator: GET /api/productions/1/documents/?per_page=1&cursor=cD0x
select "production_documents".*, ((
    select 1
    from "production_documents"
    where "production_documents"."production_id" = ? and "production_documents"."id" <= ?
    order by "production_documents"."id" desc
    limit 1
  ) is not null
) as behind
from "production_documents"
where "production_documents"."production_id" = ? and "production_documents"."id" > ?
order by "production_documents"."id"
limit 2

-- administrator: GET /api/productions/1/documents/?per_page=1&cursor=cj0xJnA9MQ==
select "production_documents".*, ((
    select 1
    from "production_documents"
    where "production_documents"."production_id" = ? and "production_documents"."id" >= ?
    order by "production_documents"."id"
    limit 1
  ) is not null
) as behind
from "production_documents"
where "production_documents"."production_id" = ? and "production_documents"."id" < ?
order by "production_documents"."id" desc
limit 2

-- anonymous: GET /api/documents/1/notes/?per_page=1&
select documents.*, (
  select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
  from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
  where project_memberships.document_id = documents.id
) as public_projects
from documents
where "documents"."id" in (
  select value
  from json_each(?)
)

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
where user_id is not null and "mails"."id" >= ?
order by "mails"."id"
limit 1

-- administrator: GET /api/imports/1/files/?per_page=1&cursor=cD0x
select import_files.*, (
  select status
  from documents
  where documents.id = import_files.document_id
) as status, ((
    select 1
    from "import_files"
    where "import_files"."import_id" = ? and "import_files"."id" <= ?
    order by "import_files"."id" desc
    limit 1
  ) is not null
) as behind
from "import_files"
where "import_files"."import_id" = ? and "import_files"."id" > ?
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
    where "import_files"."import_id" = ? and "import_files"."id" >= ?
    order by "import_files"."id"
    limit 1
  ) is not null
) as behind
from "import_files"
where "import_files"."import_id" = ? and "import_files"."id" < ?
order by "import_files"."id" desc
limit 2

-- anonymous: GET /api/documents/tree/?&cursor=
select branch.value as branch, (
  select cast(count(distinct document_id) as text) || ' ' || cast(count(*) as text)
  from (
    select t.document_id
    from document_path_audiences t
    where "t"."audience" in (
      select value
      from json_each(?)
    ) and t.path > branch.value || '/' and t.path < branch.value || '0'
    limit 10001
  ) as listed
) as counts
from (
  select value
  from json_each(?)
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
where user_id is not null and "mails"."id" <= ?
order by "mails"."id" desc
limit 1

-- administrator: GET /api/admin/sign-ins/?per_page=1&cursor=cD0x
select sign_in_events.id, kind, network, is_known, times, began_at, at, (
  select username
  from users
  where users.id = sign_in_events.user_id
) as username, ((
    select 1
    from "sign_in_events"
    where 1 = 1 and "sign_in_events"."id" >= ?
    order by "sign_in_events"."id"
    limit 1
  ) is not null
) as behind
from "sign_in_events"
where 1 = 1 and "sign_in_events"."id" < ?
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
    where 1 = 1 and "sign_in_events"."id" <= ?
    order by "sign_in_events"."id" desc
    limit 1
  ) is not null
) as behind
from "sign_in_events"
where 1 = 1 and "sign_in_events"."id" > ?
order by "sign_in_events"."id"
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

-- administrator: GET /api/projects/1/users/?per_page=1&cursor=cD0x
select user_id as id, access, ((
    select 1
    from "project_collaborators"
    where "project_collaborators"."project_id" = ? and "project_collaborators"."user_id" <= ?
    order by "project_collaborators"."user_id" desc
    limit 1
  ) is not null
) as behind
from "project_collaborators"
where "project_collaborators"."project_id" = ? and "project_collaborators"."user_id" > ?
order by "project_collaborators"."user_id"
limit 2

-- administrator: GET /api/projects/1/users/?per_page=1&cursor=cj0xJnA9MQ==
select user_id as id, access, ((
    select 1
    from "project_collaborators"
    where "project_collaborators"."project_id" = ? and "project_collaborators"."user_id" >= ?
    order by "project_collaborators"."user_id"
    limit 1
  ) is not null
) as behind
from "project_collaborators"
where "project_collaborators"."project_id" = ? and "project_collaborators"."user_id" < ?
order by "project_collaborators"."user_id" desc
limit 2

-- administrator: GET /api/admin/organizations/?per_page=1&cursor=cD0x
select organizations.id, name, avatar_url, (
  select count(*)
  from organization_members
  where organization_id = organizations.id
) as members, ((
    select 1
    from "organizations"
    where individual = false and "organizations"."id" <= ?
    order by "organizations"."id" desc
    limit 1
  ) is not null
) as behind
from "organizations"
where individual = false and "organizations"."id" > ?
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
    where individual = false and "organizations"."id" >= ?
    order by "organizations"."id"
    limit 1
  ) is not null
) as behind
from "organizations"
where individual = false and "organizations"."id" < ?
order by "organizations"."id" desc
limit 2

-- anonymous: GET /api/addon_runs/?event=1&addon=1,2&dismissed=false&site=a&ordering=created_at&per_page=1&
select addon_runs.*, false as behind
from "addon_runs"
where "addon_runs"."user_id" = ? and "addon_runs"."event_id" in (
  select value
  from json_each(?)
) and "addon_runs"."addon_id" in (
  select value
  from json_each(?)
) and addon_runs.dismissed = false and addon_runs.event_id in (
  select addon_events.id
  from addon_events
  where addon_events.user_id = ? and addon_events.site = ?
)
order by "addon_runs"."id"
limit 2

-- anonymous: GET /api/addons/?per_page=1&
select addons.*, exists (
  select 1
  from addon_pins
  where addon_pins.addon_id = addons.id and addon_pins.user_id = ?
) as active, false as behind
from "addons"
where (addons.is_removed = false and addons.is_enabled = true and (addons.access = 'public' or addons.user_id = ? or (addons.access = 'organization' and "addons"."organization_id" in (
  select value
  from json_each(?)
))))
order by "addons"."id"
limit 2

-- administrator: GET /api/admin/refused_mails/?per_page=1&cursor=cD0x
select mail_arrivals.id, way, sender, reason, times, arrived_at, (
  select username
  from users
  where users.id = mail_arrivals.user_id
) as username, ((
    select 1
    from "mail_arrivals"
    where reason is not null and "mail_arrivals"."id" >= ?
    order by "mail_arrivals"."id"
    limit 1
  ) is not null
) as behind
from "mail_arrivals"
where reason is not null and "mail_arrivals"."id" < ?
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
    where reason is not null and "mail_arrivals"."id" <= ?
    order by "mail_arrivals"."id" desc
    limit 1
  ) is not null
) as behind
from "mail_arrivals"
where reason is not null and "mail_arrivals"."id" > ?
order by "mail_arrivals"."id"
limit 2

-- administrator: GET /api/organizations/?id__in=1,2&individual=true&slug=a&name=a&name__istartswith=a&per_page=1&
select id, uuid, name, slug, avatar_url, individual, false as behind
from "organizations"
where not exists (
  select 1
  from users
  where users.uuid = organizations.uuid and not 1 = 1
) and "organizations"."id" in (
  select value
  from json_each(?)
) and "organizations"."slug" = ? and "organizations"."name" = ? and fold("organizations"."name") like fold(?) escape '\' and individual = true
order by "organizations"."id"
limit 2

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
where "dispositions"."state" = ?
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
where "dispositions"."rule_id" = ?
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
) as organization_id, false as behind
from "dispositions"
where 1 = 1 and "dispositions"."id" >= ?
order by "dispositions"."id"
limit 1

-- collaborator: GET /api/addons/?per_page=1&cursor=cj0xJnA9MQ==
select addons.*, exists (
  select 1
  from addon_pins
  where addon_pins.addon_id = addons.id and addon_pins.user_id = ?
) as active, false as behind
from "addons"
where (addons.is_removed = false and addons.is_enabled = true and (addons.access = 'public' or addons.user_id = ? or (addons.access = 'organization' and "addons"."organization_id" in (
  select value
  from json_each(?)
)))) and "addons"."id" >= ?
order by "addons"."id"
limit 1

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
where 1 = 1 and "dispositions"."id" <= ?
order by "dispositions"."id" desc
limit 1

-- administrator: GET /api/account/tokens/?per_page=1&cursor=cD0x
select "api_tokens"."id", "api_tokens"."name", "api_tokens"."prefix", "api_tokens"."may_write", "api_tokens"."created_at", "api_tokens"."expires_at", "api_tokens"."last_used_at", ((
    select 1
    from "api_tokens"
    where "api_tokens"."user_id" = ? and "api_tokens"."id" <= ?
    order by "api_tokens"."id" desc
    limit 1
  ) is not null
) as behind
from "api_tokens"
where "api_tokens"."user_id" = ? and "api_tokens"."id" > ?
order by "api_tokens"."id"
limit 2

-- administrator: GET /api/account/tokens/?per_page=1&cursor=cj0xJnA9MQ==
select "api_tokens"."id", "api_tokens"."name", "api_tokens"."prefix", "api_tokens"."may_write", "api_tokens"."created_at", "api_tokens"."expires_at", "api_tokens"."last_used_at", ((
    select 1
    from "api_tokens"
    where "api_tokens"."user_id" = ? and "api_tokens"."id" >= ?
    order by "api_tokens"."id"
    limit 1
  ) is not null
) as behind
from "api_tokens"
where "api_tokens"."user_id" = ? and "api_tokens"."id" < ?
order by "api_tokens"."id" desc
limit 2

-- anonymous: GET /api/projects/1/documents/?per_page=1&
select projects.id, projects.title, projects.slug, projects.description, projects.private, projects.user_id, projects.created_at, projects.updated_at, (
  select access
  from project_collaborators
  where project_id = projects.id and user_id = ?
) as access, exists (
  select 1
  from project_pins
  where project_id = projects.id and user_id = ?
) as pinned
from projects
where "projects"."id" in (
  select value
  from json_each(?)
) and projects.private = false

-- user: GET /api/addons/?per_page=1&cursor=cD0x
select addons.*, exists (
  select 1
  from addon_pins
  where addon_pins.addon_id = addons.id and addon_pins.user_id = ?
) as active, false as behind
from "addons"
where (addons.is_removed = false and addons.is_enabled = true and (addons.access = 'public' or addons.user_id = ? or (addons.access = 'organization' and "addons"."organization_id" in (
  select value
  from json_each(?)
)))) and "addons"."id" <= ?
order by "addons"."id" desc
limit 1

-- anonymous: GET /api/projects/?per_page=1&
select projects.id, projects.title, projects.slug, projects.description, projects.private, projects.user_id, projects.created_at, projects.updated_at, (
  select access
  from project_collaborators
  where project_id = projects.id and user_id = ?
) as access, exists (
  select 1
  from project_pins
  where project_id = projects.id and user_id = ?
) as pinned, false as behind
from "projects"
where projects.private = false
order by "projects"."id"
limit 2

-- user: GET /api/projects/1/documents/?per_page=1&cursor=cD0x
select (
  select count(*)
  from project_memberships
  where project_memberships.project_id = ? and project_memberships.is_public = true
) + (
  select count(*)
  from project_memberships
  where project_memberships.project_id = ? and project_memberships.is_public = false and exists (
    select 1
    from document_audiences
    where document_audiences.document_id = "project_memberships"."document_id" and "document_audiences"."audience" in (
      select value
      from json_each(?)
    )
  )
) as count

-- administrator: GET /api/admin/users/?per_page=1&cursor=cD0x
select users.id, username, name, email, is_active, is_administrator, created_at, (password_hash <> 'unset') as has_password, (
  select max(seen_at)
  from known_networks
  where known_networks.user_id = users.id
) as signed_in_at, ((
    select 1
    from "users"
    where password_hash is not null and "users"."id" <= ?
    order by "users"."id" desc
    limit 1
  ) is not null
) as behind
from "users"
where password_hash is not null and "users"."id" > ?
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
    where password_hash is not null and "users"."id" >= ?
    order by "users"."id"
    limit 1
  ) is not null
) as behind
from "users"
where password_hash is not null and "users"."id" < ?
order by "users"."id" desc
limit 2

-- administrator: GET /api/admin/users/?q=a&per_page=1&
select users.id, username, name, email, is_active, is_administrator, created_at, (password_hash <> 'unset') as has_password, (
  select max(seen_at)
  from known_networks
  where known_networks.user_id = users.id
) as signed_in_at, false as behind
from "users"
where password_hash is not null and (fold("users"."username") like fold(?) escape '\' or fold("users"."name") like fold(?) escape '\' or fold("users"."email") like fold(?) escape '\')
order by "users"."id"
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
    where 1 = 1 and "guest_links"."id" >= ?
    order by "guest_links"."id"
    limit 1
  ) is not null
) as behind
from "guest_links"
where 1 = 1 and "guest_links"."id" < ?
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
    where 1 = 1 and "guest_links"."id" <= ?
    order by "guest_links"."id" desc
    limit 1
  ) is not null
) as behind
from "guest_links"
where 1 = 1 and "guest_links"."id" > ?
order by "guest_links"."id"
limit 2

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
where "production_documents"."document_id" = ?
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
    where user_id is not null and "mails"."id" >= ?
    order by "mails"."id"
    limit 1
  ) is not null
) as behind
from "mails"
where user_id is not null and "mails"."id" < ?
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
    where user_id is not null and "mails"."id" <= ?
    order by "mails"."id" desc
    limit 1
  ) is not null
) as behind
from "mails"
where user_id is not null and "mails"."id" > ?
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
      from documents indexed by "documents_by_created_at"
      where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
    ) as ranked
    order by value desc, id desc
    limit 501
  ) as first
) as parts
order by value desc, id desc
limit 501 offset 0

-- anonymous: GET /api/projects/?pinned=true&is_shared=true&owned_by_user=true&per_page=1&
select projects.id, projects.title, projects.slug, projects.description, projects.private, projects.user_id, projects.created_at, projects.updated_at, (
  select access
  from project_collaborators
  where project_id = projects.id and user_id = ?
) as access, exists (
  select 1
  from project_pins
  where project_id = projects.id and user_id = ?
) as pinned, false as behind
from "projects"
where projects.private = false and projects.id in (
  select project_id
  from project_pins
  where user_id = ?
)
order by "projects"."id"
limit 2

-- anonymous: GET /api/projects/?pinned=false&private=true&per_page=1&
select projects.id, projects.title, projects.slug, projects.description, projects.private, projects.user_id, projects.created_at, projects.updated_at, (
  select access
  from project_collaborators
  where project_id = projects.id and user_id = ?
) as access, exists (
  select 1
  from project_pins
  where project_id = projects.id and user_id = ?
) as pinned, false as behind
from "projects"
where projects.private = false and projects.private = true and projects.id not in (
  select project_id
  from project_pins
  where user_id = ?
)
order by "projects"."id"
limit 2

-- anonymous: GET /api/documents/1/mentioned/?kind=email&value=a&cursor=cD0x
select mentions.*, (mentions.page * 1073741824 + mentions.start) as id, ((
    select 1
    from "mentions"
    where "mentions"."document_id" = ? and "mentions"."kind" = ? and "mentions"."value" = ? and (mentions.page * 1073741824 + mentions.start) <= ?
    order by (mentions.page * 1073741824 + mentions.start) desc
    limit 1
  ) is not null
) as behind
from "mentions"
where "mentions"."document_id" = ? and "mentions"."kind" = ? and "mentions"."value" = ? and (mentions.page * 1073741824 + mentions.start) > ?
order by (mentions.page * 1073741824 + mentions.start)
limit 26

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
    where 1 = 1 and "dispositions"."id" <= ?
    order by "dispositions"."id" desc
    limit 1
  ) is not null
) as behind
from "dispositions"
where 1 = 1 and "dispositions"."id" > ?
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
    where 1 = 1 and "dispositions"."id" >= ?
    order by "dispositions"."id"
    limit 1
  ) is not null
) as behind
from "dispositions"
where 1 = 1 and "dispositions"."id" < ?
order by "dispositions"."id" desc
limit 2

-- user: GET /api/projects/1/documents/?per_page=1&cursor=cD0x
select projects.id, projects.title, projects.slug, projects.description, projects.private, projects.user_id, projects.created_at, projects.updated_at, (
  select access
  from project_collaborators
  where project_id = projects.id and user_id = ?
) as access, exists (
  select 1
  from project_pins
  where project_id = projects.id and user_id = ?
) as pinned
from projects
where "projects"."id" in (
  select value
  from json_each(?)
) and (projects.private = false or exists (
  select 1
  from project_collaborators mine
  where mine.project_id = projects.id and mine.user_id = ?
))

-- collaborator: GET /api/projects/?per_page=1&cursor=cj0xJnA9MQ==
select projects.id, projects.title, projects.slug, projects.description, projects.private, projects.user_id, projects.created_at, projects.updated_at, (
  select access
  from project_collaborators
  where project_id = projects.id and user_id = ?
) as access, exists (
  select 1
  from project_pins
  where project_id = projects.id and user_id = ?
) as pinned, false as behind
from "projects"
where (projects.private = false or exists (
  select 1
  from project_collaborators mine
  where mine.project_id = projects.id and mine.user_id = ?
)) and "projects"."id" >= ?
order by "projects"."id"
limit 1

-- administrator: GET /api/users/1/
select users.id, users.uuid, users.username, users.name, users.email, users.avatar_url, users.is_active, users.is_administrator, users.organization_id, (
  select group_concat("organization_members"."organization_id", ',' order by "organization_members"."organization_id")
  from organization_members
  where user_id = users.id
) as organizations, (
  select group_concat("organization_members"."organization_id", ',' order by "organization_members"."organization_id")
  from organization_members
  where user_id = users.id and is_admin = true
) as admin_organizations
from users
where users.id = ? and 1 = 1

-- user: GET /
select (
  select count(*)
  from (
    select documents.id
    from documents
    where documents.access = 'public' and documents.status in ('success', 'readable') and not exists (
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
    where "document_audiences"."audience" in (
      select value
      from json_each(?)
    ) and not exists (
      select 1
      from document_children
      where document_children.child_id = documents.id
    )
    limit 10001
  ) as own
) as count

-- user: GET /api/documents/1/notes/?per_page=1&cursor=cD0x
select notes.*, ((
    select 1
    from "notes"
    where "notes"."document_id" = ? and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = ?) or (notes.access = 'organization' and "notes"."document_id" in (
      select value
      from json_each(?)
    ))) and "notes"."id" <= ?
    order by "notes"."id" desc
    limit 1
  ) is not null
) as behind
from "notes"
where "notes"."document_id" = ? and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = ?) or (notes.access = 'organization' and "notes"."document_id" in (
  select value
  from json_each(?)
))) and "notes"."id" > ?
order by "notes"."id"
limit 2

-- collaborator: GET /api/documents/1/notes/?per_page=1&cursor=cj0xJnA9MQ==
select notes.*, ((
    select 1
    from "notes"
    where "notes"."document_id" = ? and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = ?) or (notes.access = 'organization' and "notes"."document_id" in (
      select value
      from json_each(?)
    ))) and "notes"."id" >= ?
    order by "notes"."id"
    limit 1
  ) is not null
) as behind
from "notes"
where "notes"."document_id" = ? and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = ?) or (notes.access = 'organization' and "notes"."document_id" in (
  select value
  from json_each(?)
))) and "notes"."id" < ?
order by "notes"."id" desc
limit 2

-- anonymous: GET /api/projects/?id__in=1,2&user=1,2&document=1,2&query=a&private=false&slug=a&title=a&per_page=1&
select id
from documents as listed
where "listed"."id" in (
  select value
  from json_each(?)
) and (exists (
  select 1
  from documents
  where documents.id = "listed"."id" and documents.access = 'public' and documents.status in ('success', 'readable')
) or exists (
  select 1
  from document_audiences
  where document_audiences.document_id = "listed"."id" and audience in (
    select 'user:' || id
    from users
    where id = ?
    union all
    select 'organization:' || organization_id
    from organization_members
    where user_id = ?
    union all
    select 'project:' || project_id
    from project_collaborators
    where user_id = ?
  )
))

-- administrator: GET /api/admin/audit_entries/?source=membership&per_page=1&cursor=WyJhdCIsMCwzMiwiMjAyNS0wMS0zMVQxMjowMDowMC4wMDAwMDBaIl0=
select *, false as behind
from (
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "at" as at, id * 32 + 3 as id
      from "membership_history"
      where "at" is not null
    ) as entries
    where 1 = 1 and "entries"."at" = ? and "entries"."id" >= ?
    order by "entries"."at", "entries"."id"
    limit 1
  ) as "part0"
  union all
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "at" as at, id * 32 + 3 as id
      from "membership_history"
      where "at" is not null
    ) as entries
    where 1 = 1 and "entries"."at" > ?
    order by "entries"."at", "entries"."id"
    limit 1
  ) as "part1"
) as parts
order by value, id
limit 1

-- user: GET /api/projects/?id__in=1,2&user=1,2&document=1,2&query=a&private=false&slug=a&title=a&per_page=1&cursor=cD0x
select users.id
from users
where "users"."id" in (
  select value
  from json_each(?)
) and (users.id = ? or exists (
  select 1
  from organization_members mine join organization_members theirs on theirs.organization_id = mine.organization_id
  where mine.user_id = ? and theirs.user_id = users.id
) or exists (
  select 1
  from project_collaborators mine join project_collaborators theirs on theirs.project_id = mine.project_id
  where mine.user_id = ? and theirs.user_id = users.id
) or exists (
  select 1
  from documents
  where documents.user_id = users.id and documents.access = 'public' and documents.status in ('success', 'readable')
))

-- anonymous: GET /api/notes/?document=1&project=1&user=1&access=public,private&per_page=1&
select notes.*, documents.title as document_title, documents.slug as document_slug, case when 1 = 0 then 1 else 0 end as is_editable
from notes join documents on documents.id = notes.document_id
where (documents.access = 'public' and documents.status in ('success', 'readable') or 1 = 0) and notes.access = 'public' and "notes"."document_id" in (
  select value
  from json_each(?)
) and "notes"."user_id" in (
  select value
  from json_each(?)
) and notes.access in (?, ?) and notes.document_id in (
  select document_id
  from project_memberships
  where "project_memberships"."project_id" in (
    select value
    from json_each(?)
  )
)
order by notes.id desc
limit 2

-- anonymous: GET /api/addons/?active=false&default=false&featured=true&premium=false&category=ai&per_page=1&
select addons.*, exists (
  select 1
  from addon_pins
  where addon_pins.addon_id = addons.id and addon_pins.user_id = ?
) as active, false as behind
from "addons"
where (addons.is_removed = false and addons.is_enabled = true and (addons.access = 'public' or addons.user_id = ? or (addons.access = 'organization' and "addons"."organization_id" in (
  select value
  from json_each(?)
)))) and exists (
  select 1
  from addon_pins
  where addon_pins.addon_id = addons.id and addon_pins.user_id = ?
) = false and "addons"."is_default" = false and "addons"."is_featured" = true and addons.categories not like '%,premium,%' and (addons.categories like ?)
order by "addons"."id"
limit 2

-- anonymous: GET /
select documents.*, (
  select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
  from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
  where project_memberships.document_id = documents.id
) as public_projects, "documents"."created_at" as value, false as behind
from documents indexed by "documents_by_created_at"
where documents.access = 'public' and documents.status in ('success', 'readable') and not exists (
  select 1
  from document_children
  where document_children.child_id = documents.id
)
order by "documents"."created_at" desc, "documents"."id" desc
limit 9

-- administrator: GET /api/documents/trash/?per_page=1&
select count(*) as count
from (
  select deleted_documents.id
  from deleted_documents join documents on documents.id = deleted_documents.document_id
  where deleted_documents.deleted_at > ? and ((documents.access = 'public' and "deleted_documents"."status" in ('success', 'readable')) or (documents.access <> 'invisible' and (documents.user_id = ? or (documents.access = 'organization' and "documents"."organization_id" in (
      select value
      from json_each(?)
    )) or exists (
      select 1
      from project_memberships
      where project_memberships.document_id = documents.id and project_memberships.edit_access = true and "project_memberships"."project_id" in (
        select value
        from json_each(?)
      )
    )))
  )
) as in_trash

-- administrator: GET /api/admin/audit_entries/?source=membership&per_page=1&cursor=WyJhdCIsMSwzMiwiMjAyNS0wMS0zMVQxMjowMDowMC4wMDAwMDBaIl0=
select *, false as behind
from (
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "at" as at, id * 32 + 3 as id
      from "membership_history"
      where "at" is not null
    ) as entries
    where 1 = 1 and "entries"."at" = ? and "entries"."id" <= ?
    order by "entries"."at" desc, "entries"."id" desc
    limit 1
  ) as "part0"
  union all
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "at" as at, id * 32 + 3 as id
      from "membership_history"
      where "at" is not null
    ) as entries
    where 1 = 1 and "entries"."at" < ?
    order by "entries"."at" desc, "entries"."id" desc
    limit 1
  ) as "part1"
) as parts
order by value desc, id desc
limit 1

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
  where project_id = projects.id and user_id = ?
) as access, exists (
  select 1
  from project_pins
  where project_id = projects.id and user_id = ?
) as pinned, false as behind
from "projects"
where (projects.private = false or exists (
  select 1
  from project_collaborators mine
  where mine.project_id = projects.id and mine.user_id = ?
)) and projects.private = true and projects.id not in (
  select project_id
  from project_pins
  where user_id = ?
) and "projects"."id" <= ?
order by "projects"."id" desc
limit 1

-- administrator: GET /api/users/?name=a&name__istartswith=a&per_page=1&
select users.id, users.uuid, users.username, users.name, users.email, users.avatar_url, users.is_active, users.is_administrator, users.organization_id, (
  select group_concat("organization_members"."organization_id", ',' order by "organization_members"."organization_id")
  from organization_members
  where user_id = users.id
) as organizations, (
  select group_concat("organization_members"."organization_id", ',' order by "organization_members"."organization_id")
  from organization_members
  where user_id = users.id and is_admin = true
) as admin_organizations, false as behind
from "users"
where 1 = 1 and "users"."name" = ? and fold("users"."name") like fold(?) escape '\'
order by "users"."id"
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
) as "total", false as behind
from "jobs"
where cancelled_at is null and "jobs"."id" >= ?
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
where cancelled_at is null and "jobs"."id" <= ?
order by "jobs"."id" desc
limit 1

-- administrator: GET /api/imports/?per_page=1&cursor=cD0x
select imports.*, ((
    select 1
    from "imports"
    where (imports.user_id = ? or exists (
      select 1
      from documents
      where documents.id = imports.document_id and documents.user_id = ? and documents.status <> 'deleted' and documents.access <> 'invisible'
    ) or (imports.user_id is null and imports.document_id is null)) and "imports"."id" >= ?
    order by "imports"."id"
    limit 1
  ) is not null
) as behind
from "imports"
where (imports.user_id = ? or exists (
  select 1
  from documents
  where documents.id = imports.document_id and documents.user_id = ? and documents.status <> 'deleted' and documents.access <> 'invisible'
) or (imports.user_id is null and imports.document_id is null)) and "imports"."id" < ?
order by "imports"."id" desc
limit 2

-- administrator: GET /api/imports/?per_page=1&cursor=cj0xJnA9MQ==
select imports.*, ((
    select 1
    from "imports"
    where (imports.user_id = ? or exists (
      select 1
      from documents
      where documents.id = imports.document_id and documents.user_id = ? and documents.status <> 'deleted' and documents.access <> 'invisible'
    ) or (imports.user_id is null and imports.document_id is null)) and "imports"."id" <= ?
    order by "imports"."id" desc
    limit 1
  ) is not null
) as behind
from "imports"
where (imports.user_id = ? or exists (
  select 1
  from documents
  where documents.id = imports.document_id and documents.user_id = ? and documents.status <> 'deleted' and documents.access <> 'invisible'
) or (imports.user_id is null and imports.document_id is null)) and "imports"."id" > ?
order by "imports"."id"
limit 2

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
where cancelled_at is null and lease is not null and due_at > ?
order by "jobs"."id"
limit 2

-- user: GET /api/account/shared/?per_page=1&
select projects.id, projects.title, projects.slug, projects.description, projects.private, projects.user_id, projects.created_at, projects.updated_at, (
  select access
  from project_collaborators
  where project_id = projects.id and user_id = ?
) as access, exists (
  select 1
  from project_pins
  where project_id = projects.id and user_id = ?
) as pinned, (
  select added_by
  from project_collaborators
  where project_id = projects.id and user_id = ?
) as added_by, (
  select added_at
  from project_collaborators
  where project_id = projects.id and user_id = ?
) as added_at, false as behind
from "projects"
where projects.user_id <> ? and projects.id in (
  select project_id
  from project_collaborators
  where user_id = ?
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
where cancelled_at is null and not (lease is not null and due_at > ?) and attempts = 0
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
where cancelled_at is null and not (lease is not null and due_at > ?) and attempts > 0
order by "jobs"."id"
limit 2

-- administrator: GET /mentioned/correct/?kind=email&value=a
with found as materialized (
  select documents.id
  from documents indexed by "documents_by_id"
  where documents.access = 'public' and documents.status in ('success', 'readable') and 1 = 1
  union all
  select documents.id
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" in (
      select value
      from json_each(?)
    )
  ) as own cross join documents on documents.id = own.document_id
  where not (documents.access = 'public' and documents.status in ('success', 'readable')) and 1 = 1
)
select documents.id
from documents
where documents.id in (
  select document_id
  from "mentions"
  where "mentions"."kind" = ? and "mentions"."value" = ?
) and documents.id in (
  select id
  from found
) and 1 = 1
order by documents.id
limit 501

-- user: GET /api/addons/?per_page=1&cursor=cD0x
select addons.*, exists (
  select 1
  from addon_pins
  where addon_pins.addon_id = addons.id and addon_pins.user_id = ?
) as active, ((
    select 1
    from "addons"
    where (addons.is_removed = false and addons.is_enabled = true and (addons.access = 'public' or addons.user_id = ? or (addons.access = 'organization' and "addons"."organization_id" in (
      select value
      from json_each(?)
    )))) and "addons"."id" <= ?
    order by "addons"."id" desc
    limit 1
  ) is not null
) as behind
from "addons"
where (addons.is_removed = false and addons.is_enabled = true and (addons.access = 'public' or addons.user_id = ? or (addons.access = 'organization' and "addons"."organization_id" in (
  select value
  from json_each(?)
)))) and "addons"."id" > ?
order by "addons"."id"
limit 2

-- collaborator: GET /api/addons/?per_page=1&cursor=cj0xJnA9MQ==
select addons.*, exists (
  select 1
  from addon_pins
  where addon_pins.addon_id = addons.id and addon_pins.user_id = ?
) as active, ((
    select 1
    from "addons"
    where (addons.is_removed = false and addons.is_enabled = true and (addons.access = 'public' or addons.user_id = ? or (addons.access = 'organization' and "addons"."organization_id" in (
      select value
      from json_each(?)
    )))) and "addons"."id" >= ?
    order by "addons"."id"
    limit 1
  ) is not null
) as behind
from "addons"
where (addons.is_removed = false and addons.is_enabled = true and (addons.access = 'public' or addons.user_id = ? or (addons.access = 'organization' and "addons"."organization_id" in (
  select value
  from json_each(?)
)))) and "addons"."id" < ?
order by "addons"."id" desc
limit 2

-- anonymous: GET /api/documents/tree/?&cursor=
with recursive child (path, step) as (
  select (
    select min((
        select t.path
        from document_path_audiences t
        where t.audience = a.value and t.path >= ? and t.path < ?
        order by t.path
        limit 1
      )
    )
    from (
      select value
      from json_each(?)
    ) as a
  ), 1
  union all
  select (
    select min((
        select t.path
        from document_path_audiences t
        where t.audience = a.value and t.path >= ? || substr(substr(child.path, ? + 1), 1, instr(substr(child.path, ? + 1) || '/', '/') - 1) || '0' and t.path < ?
        order by t.path
        limit 1
      )
    )
    from (
      select value
      from json_each(?)
    ) as a
  ), step + 1
  from child
  where path is not null and step < ?
)
select substr(substr(path, ? + 1), 1, instr(substr(path, ? + 1) || '/', '/') - 1) as name
from child
where path is not null
order by step

-- administrator: GET /api/projects/?pinned=true&is_shared=true&owned_by_user=true&per_page=1&
select projects.id, projects.title, projects.slug, projects.description, projects.private, projects.user_id, projects.created_at, projects.updated_at, (
  select access
  from project_collaborators
  where project_id = projects.id and user_id = ?
) as access, exists (
  select 1
  from project_pins
  where project_id = projects.id and user_id = ?
) as pinned, false as behind
from "projects"
where (projects.private = false or exists (
  select 1
  from project_collaborators mine
  where mine.project_id = projects.id and mine.user_id = ?
)) and projects.id in (
  select project_id
  from project_pins
  where user_id = ?
) and projects.user_id = ? and projects.user_id <> ? and projects.id in (
  select project_id
  from project_collaborators
  where user_id = ?
)
order by "projects"."id"
limit 2

-- administrator: GET /mentioned/correct/?kind=email&value=a
with found as materialized (
  select documents.id
  from documents indexed by "documents_by_id"
  where documents.access = 'public' and documents.status in ('success', 'readable') and 1 = 1
  union all
  select documents.id
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" in (
      select value
      from json_each(?)
    )
  ) as own cross join documents on documents.id = own.document_id
  where not (documents.access = 'public' and documents.status in ('success', 'readable')) and 1 = 1
)
select documents.id
from documents
where documents.id in (
  select document_id
  from "mention_corrections"
  where "mention_corrections"."kind" = ? and "mention_corrections"."value" = ?
) and documents.id in (
  select id
  from found
) and 1 = 1
order by documents.id
limit 501

-- anonymous: GET /api/addons/?active=true&default=true&featured=false&premium=true&repository=a&query=a&category=ai,bulk&per_page=1&
select addons.*, exists (
  select 1
  from addon_pins
  where addon_pins.addon_id = addons.id and addon_pins.user_id = ?
) as active, false as behind
from "addons"
where (addons.is_removed = false and addons.is_enabled = true and (addons.access = 'public' or addons.user_id = ? or (addons.access = 'organization' and "addons"."organization_id" in (
  select value
  from json_each(?)
)))) and exists (
  select 1
  from addon_pins
  where addon_pins.addon_id = addons.id and addon_pins.user_id = ?
) = true and "addons"."is_default" = true and "addons"."is_featured" = false and addons.categories like '%,premium,%' and "addons"."repository" = ? and (fold("addons"."name") like fold(?) escape '\' or fold("addons"."description") like fold(?) escape '\') and (addons.categories like ? or addons.categories like ?)
order by "addons"."id"
limit 2

-- administrator: GET /api/projects/1/documents/?per_page=1&
select *, false as behind
from (
  select *
  from (
    select project_memberships.document_id as id, project_memberships.edit_access
    from project_memberships
    where project_memberships.project_id = ? and project_memberships.is_public = true
    order by "project_memberships"."document_id" desc
    limit 2
  ) as "part0"
  union
  select *
  from (
    select project_memberships.document_id as id, project_memberships.edit_access
    from project_memberships
    where project_memberships.project_id = ? and project_memberships.is_public = false and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "project_memberships"."document_id" and "document_audiences"."audience" in (
        select value
        from json_each(?)
      )
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
    where cancelled_at is null and "jobs"."id" <= ?
    order by "jobs"."id" desc
    limit 1
  ) is not null
) as behind
from "jobs"
where cancelled_at is null and "jobs"."id" > ?
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
    where cancelled_at is null and "jobs"."id" >= ?
    order by "jobs"."id"
    limit 1
  ) is not null
) as behind
from "jobs"
where cancelled_at is null and "jobs"."id" < ?
order by "jobs"."id" desc
limit 2

-- user: GET /api/projects/?per_page=1&cursor=cD0x
select projects.id, projects.title, projects.slug, projects.description, projects.private, projects.user_id, projects.created_at, projects.updated_at, (
  select access
  from project_collaborators
  where project_id = projects.id and user_id = ?
) as access, exists (
  select 1
  from project_pins
  where project_id = projects.id and user_id = ?
) as pinned, ((
    select 1
    from "projects"
    where (projects.private = false or exists (
      select 1
      from project_collaborators mine
      where mine.project_id = projects.id and mine.user_id = ?
    )) and "projects"."id" <= ?
    order by "projects"."id" desc
    limit 1
  ) is not null
) as behind
from "projects"
where (projects.private = false or exists (
  select 1
  from project_collaborators mine
  where mine.project_id = projects.id and mine.user_id = ?
)) and "projects"."id" > ?
order by "projects"."id"
limit 2

-- collaborator: GET /api/projects/?per_page=1&cursor=cj0xJnA9MQ==
select projects.id, projects.title, projects.slug, projects.description, projects.private, projects.user_id, projects.created_at, projects.updated_at, (
  select access
  from project_collaborators
  where project_id = projects.id and user_id = ?
) as access, exists (
  select 1
  from project_pins
  where project_id = projects.id and user_id = ?
) as pinned, ((
    select 1
    from "projects"
    where (projects.private = false or exists (
      select 1
      from project_collaborators mine
      where mine.project_id = projects.id and mine.user_id = ?
    )) and "projects"."id" >= ?
    order by "projects"."id"
    limit 1
  ) is not null
) as behind
from "projects"
where (projects.private = false or exists (
  select 1
  from project_collaborators mine
  where mine.project_id = projects.id and mine.user_id = ?
)) and "projects"."id" < ?
order by "projects"."id" desc
limit 2

-- collaborator: GET /api/events/?per_page=1&cursor=cj0xJnA9MQ==
select id, access, status, user_id, organization_id , (
  select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
  from project_memberships
  where project_memberships.document_id = documents.id and "project_memberships"."project_id" in (
    select value
    from json_each(?)
  ) and project_memberships.edit_access = true
) as sharing_projects, (
  select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
  from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = true
  where project_memberships.document_id = documents.id and "project_memberships"."project_id" in (
    select value
    from json_each(?)
  )
) as private_projects
from documents
where "documents"."id" in (
  select value
  from json_each(?)
)

-- administrator: GET /api/documents/trash/?per_page=1&
select deleted_documents.id, document_id, title, access, deleted_documents.status, page_count, deleted_documents.user_id, deleted_documents.organization_id, deleted_at, deleted_by, false as behind
from deleted_documents join documents on documents.id = deleted_documents.document_id
where deleted_documents.deleted_at > ? and ((documents.access = 'public' and "deleted_documents"."status" in ('success', 'readable')) or (documents.access <> 'invisible' and (documents.user_id = ? or (documents.access = 'organization' and "documents"."organization_id" in (
    select value
    from json_each(?)
  )) or exists (
    select 1
    from project_memberships
    where project_memberships.document_id = documents.id and project_memberships.edit_access = true and "project_memberships"."project_id" in (
      select value
      from json_each(?)
    )
  )))
)
order by "deleted_documents"."id" desc
limit 2

-- anonymous: GET /api/documents/timeline/?of=created_at&by=day&within=2024-03
with found as materialized (
  select documents.id
  from documents indexed by "documents_searched"
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
), dated as materialized (
  select distinct "documents"."id" as document_id, substr("documents"."created_at", 1, 10) as date
  from "found" cross join "documents"
  where "documents"."id" = "found"."id" and "documents"."created_at" >= ? and "documents"."created_at" < ?
)
select (
  select value_counts(json_group_array(joined_values), ?, 3660000)
  from (
    select cast("dated"."date" as text) as joined_values
    from dated
  ) as counted
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

-- user: GET /api/documents/spreadsheet/export/
select id, value, created_at
from (
  select *
  from (
    select id, value, created_at
    from (
      select "documents"."id" as id, "documents"."created_at" as value, documents.created_at
      from documents indexed by "documents_by_created_at"
      where documents.access = 'public' and documents.status in ('success', 'readable') and 1 = 1
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
      from document_audiences indexed by "document_audiences_by_created_at" cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ? and 1 = 1
    ) as ranked
    order by value desc, id desc
    limit 501
  ) as first
) as parts
order by value desc, id desc
limit 501 offset 0

-- administrator: GET /api/documents/trash/?per_page=1&cursor=cD0x
select deleted_documents.id, document_id, title, access, deleted_documents.status, page_count, deleted_documents.user_id, deleted_documents.organization_id, deleted_at, deleted_by, false as behind
from deleted_documents join documents on documents.id = deleted_documents.document_id
where deleted_documents.deleted_at > ? and ((documents.access = 'public' and "deleted_documents"."status" in ('success', 'readable')) or (documents.access <> 'invisible' and (documents.user_id = ? or (documents.access = 'organization' and "documents"."organization_id" in (
    select value
    from json_each(?)
  )) or exists (
    select 1
    from project_memberships
    where project_memberships.document_id = documents.id and project_memberships.edit_access = true and "project_memberships"."project_id" in (
      select value
      from json_each(?)
    )
  )))
) and "deleted_documents"."id" >= ?
order by "deleted_documents"."id"
limit 1

-- anonymous: GET /api/documents/timeline/?within=2024&cursor=2024-03
with found as materialized (
  select documents.id
  from documents indexed by "documents_searched"
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
), dated as materialized (
  select distinct "mentions"."document_id" as document_id, substr("mentions"."value", 1, 7) as date
  from "found" cross join "mentions"
  where "mentions"."document_id" = "found"."id" and mentions.kind = 'date' and "mentions"."value" >= ? and "mentions"."value" < ?
)
select (
  select value_counts(json_group_array(joined_values), ?, 3660000)
  from (
    select cast("dated"."date" as text) as joined_values
    from dated
  ) as counted
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

-- administrator: GET /api/documents/trash/?per_page=1&cursor=cj0xJnA9MQ==
select deleted_documents.id, document_id, title, access, deleted_documents.status, page_count, deleted_documents.user_id, deleted_documents.organization_id, deleted_at, deleted_by, false as behind
from deleted_documents join documents on documents.id = deleted_documents.document_id
where deleted_documents.deleted_at > ? and ((documents.access = 'public' and "deleted_documents"."status" in ('success', 'readable')) or (documents.access <> 'invisible' and (documents.user_id = ? or (documents.access = 'organization' and "documents"."organization_id" in (
    select value
    from json_each(?)
  )) or exists (
    select 1
    from project_memberships
    where project_memberships.document_id = documents.id and project_memberships.edit_access = true and "project_memberships"."project_id" in (
      select value
      from json_each(?)
    )
  )))
) and "deleted_documents"."id" <= ?
order by "deleted_documents"."id" desc
limit 1

-- user: GET /api/projects/1/documents/?per_page=1&cursor=cD0x
select *, false as behind
from (
  select *
  from (
    select project_memberships.document_id as id, project_memberships.edit_access
    from project_memberships
    where project_memberships.project_id = ? and project_memberships.is_public = true and "project_memberships"."document_id" >= ?
    order by "project_memberships"."document_id"
    limit 1
  ) as "part0"
  union
  select *
  from (
    select project_memberships.document_id as id, project_memberships.edit_access
    from project_memberships
    where project_memberships.project_id = ? and project_memberships.is_public = false and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "project_memberships"."document_id" and "document_audiences"."audience" in (
        select value
        from json_each(?)
      )
    ) and "project_memberships"."document_id" >= ?
    order by "project_memberships"."document_id"
    limit 1
  ) as "part1"
) as parts
order by id
limit 1

-- anonymous: GET /api/documents/tree/?&cursor=WyJwYXRoIiwxLDAsIjFhIl0=
with recursive child (path, step) as (
  select (
    select max((
        select t.path
        from document_path_audiences t
        where t.audience = a.value and t.path < ? and t.path >= ?
        order by t.path desc
        limit 1
      )
    )
    from (
      select value
      from json_each(?)
    ) as a
  ), 1
  union all
  select (
    select max((
        select t.path
        from document_path_audiences t
        where t.audience = a.value and t.path < ? || substr(substr(child.path, ? + 1), 1, instr(substr(child.path, ? + 1) || '/', '/') - 1) || case when substr(substr(substr(child.path, ? + 1), 1, instr(substr(child.path, ? + 1) || '/', '/') - 1), 1, 1) = '1' then '/' else '' end and t.path >= ?
        order by t.path desc
        limit 1
      )
    )
    from (
      select value
      from json_each(?)
    ) as a
  ), step + 1
  from child
  where path is not null and step < ?
)
select substr(substr(path, ? + 1), 1, instr(substr(path, ? + 1) || '/', '/') - 1) as name
from child
where path is not null
order by step

-- anonymous: GET /api/documents/mentioned/?kind=email&ordering=value&cursor=WzEsImEiXQ
with found as materialized (
  select documents.id
  from documents indexed by "documents_searched"
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
), counted as materialized (
  select value, count(*) as documents
  from (
    select distinct mentions.document_id, "mentions"."value" as value
    from "found" cross join "mentions"
    where "mentions"."document_id" = "found"."id" and mentions.kind = ?
  ) as held
  group by value
), page as (
  select value, documents
  from counted
  where value > ?
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
  select group_concat("organization_members"."organization_id", ',' order by "organization_members"."organization_id")
  from organization_members
  where user_id = users.id
) as organizations, (
  select group_concat("organization_members"."organization_id", ',' order by "organization_members"."organization_id")
  from organization_members
  where user_id = users.id and is_admin = true
) as admin_organizations, false as behind
from "users"
where 1 = 1 and "users"."id" in (
  select value
  from json_each(?)
) and lower("users"."username") = ? and "users"."uuid" = ? and exists (
  select 1
  from organization_members
  where user_id = users.id and "organization_id" in (
    select value
    from json_each(?)
  )
) and exists (
  select 1
  from project_collaborators
  where user_id = users.id and "project_id" in (
    select value
    from json_each(?)
  )
)
order by "users"."id"
limit 2

-- anonymous: GET /api/documents/mentioned/?kind=email&cursor=WzEsImEiXQ
with found as materialized (
  select documents.id
  from documents indexed by "documents_searched"
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
), counted as materialized (
  select value, count(*) as documents
  from (
    select distinct mentions.document_id, "mentions"."value" as value
    from "found" cross join "mentions"
    where "mentions"."document_id" = "found"."id" and mentions.kind = ?
  ) as held
  group by value
), page as (
  select value, documents
  from counted
  where documents < ? or (documents = ? and value > ?)
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

-- administrator: GET /api/imports/1/files/?extension=pdf&state=waiting,read,unreadable,deleted,changed,known,skipped,failed&per_page=1&
select import_files.*, (
  select status
  from documents
  where documents.id = import_files.document_id
) as status, false as behind
from "import_files"
where "import_files"."import_id" = ? and "import_files"."extension" = ? and (import_files.outcome = 'added' and import_files.document_id in (
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

-- administrator: GET /api/admin/audit_entries/?source=membership&per_page=1&cursor=WyJhdCIsMSwzMiwiMjAyNS0wMS0zMVQxMjowMDowMC4wMDAwMDBaIl0=
select *, ((
    select 1
    from (
      select "at" as at, id * 32 + 3 as id
      from "membership_history"
      where "at" is not null
    ) as entries
    where 1 = 1 and "entries"."at" = ? and "entries"."id" <= ?
    order by "entries"."at" desc, "entries"."id" desc
    limit 1
  ) is not null or (
    select 1
    from (
      select "at" as at, id * 32 + 3 as id
      from "membership_history"
      where "at" is not null
    ) as entries
    where 1 = 1 and "entries"."at" < ?
    order by "entries"."at" desc, "entries"."id" desc
    limit 1
  ) is not null
) as behind
from (
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "at" as at, id * 32 + 3 as id
      from "membership_history"
      where "at" is not null
    ) as entries
    where 1 = 1 and "entries"."at" = ? and "entries"."id" > ?
    order by "entries"."at", "entries"."id"
    limit 2
  ) as "part0"
  union all
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "at" as at, id * 32 + 3 as id
      from "membership_history"
      where "at" is not null
    ) as entries
    where 1 = 1 and "entries"."at" > ?
    order by "entries"."at", "entries"."id"
    limit 2
  ) as "part1"
) as parts
order by value, id
limit 2

-- administrator: GET /api/admin/audit_entries/?source=membership&per_page=1&cursor=WyJhdCIsMCwzMiwiMjAyNS0wMS0zMVQxMjowMDowMC4wMDAwMDBaIl0=
select *, ((
    select 1
    from (
      select "at" as at, id * 32 + 3 as id
      from "membership_history"
      where "at" is not null
    ) as entries
    where 1 = 1 and "entries"."at" = ? and "entries"."id" >= ?
    order by "entries"."at", "entries"."id"
    limit 1
  ) is not null or (
    select 1
    from (
      select "at" as at, id * 32 + 3 as id
      from "membership_history"
      where "at" is not null
    ) as entries
    where 1 = 1 and "entries"."at" > ?
    order by "entries"."at", "entries"."id"
    limit 1
  ) is not null
) as behind
from (
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "at" as at, id * 32 + 3 as id
      from "membership_history"
      where "at" is not null
    ) as entries
    where 1 = 1 and "entries"."at" = ? and "entries"."id" < ?
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part0"
  union all
  select *
  from (
    select entries.id, "entries"."at" as value
    from (
      select "at" as at, id * 32 + 3 as id
      from "membership_history"
      where "at" is not null
    ) as entries
    where 1 = 1 and "entries"."at" < ?
    order by "entries"."at" desc, "entries"."id" desc
    limit 2
  ) as "part1"
) as parts
order by value desc, id desc
limit 2

-- user: GET /api/documents/?expand=~all
select *, false as behind
from (
  select *
  from (
    select documents.*, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects
    from documents indexed by "documents_by_id"
    where documents.access = 'public' and documents.status in ('success', 'readable')
    order by "documents"."id"
    limit 26
  ) as "part0"
  union
  select *
  from (
    select documents.*, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects
    from document_audiences cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ?
    order by "document_audiences"."document_id"
    limit 26
  ) as "part1"
) as parts
order by id
limit 26

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
  select group_concat("organization_members"."organization_id", ',' order by "organization_members"."organization_id")
  from organization_members
  where user_id = users.id
) as organizations, (
  select group_concat("project_collaborators"."project_id", ',' order by "project_collaborators"."project_id")
  from project_collaborators
  where user_id = users.id and access = 'view'
) as "viewed", (
  select group_concat("project_collaborators"."project_id", ',' order by "project_collaborators"."project_id")
  from project_collaborators
  where user_id = users.id and access = 'edit'
) as "edited", (
  select group_concat("project_collaborators"."project_id", ',' order by "project_collaborators"."project_id")
  from project_collaborators
  where user_id = users.id and access = 'admin'
) as "administered"
from users
where "users"."id" = ?

-- collaborator: GET /api/notes/?per_page=1&cursor=cj0xJnA9MQ==
select notes.*, documents.title as document_title, documents.slug as document_slug, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
    select value
    from json_each(?)
  ))) or (documents.access <> 'private' and "documents"."organization_id" in (
    select value
    from json_each(?)
  )) or (documents.access <> 'public' and exists (
    select 1
    from document_audiences
    where document_audiences.document_id = documents.id and "document_audiences"."audience" in (
      select value
      from json_each(?)
    )
  ))
) then 1 else 0 end as is_editable
from notes join documents on documents.id = notes.document_id
where (documents.access = 'public' and documents.status in ('success', 'readable') or exists (
  select 1
  from document_audiences
  where document_audiences.document_id = documents.id and "document_audiences"."audience" in (
    select value
    from json_each(?)
  )
)) and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = ?) or (notes.access = 'organization' and ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
    select value
    from json_each(?)
  ))) or (documents.access <> 'private' and "documents"."organization_id" in (
    select value
    from json_each(?)
  )) or (documents.access <> 'public' and exists (
    select 1
    from document_audiences
    where document_audiences.document_id = documents.id and "document_audiences"."audience" in (
      select value
      from json_each(?)
    )
  ))
))) and notes.id > ?
order by notes.id asc
limit 2

-- anonymous: GET /api/projects/?id__in=1,2&user=1,2&document=1,2&query=a&private=false&slug=a&title=a&per_page=1&
select projects.id, projects.title, projects.slug, projects.description, projects.private, projects.user_id, projects.created_at, projects.updated_at, (
  select access
  from project_collaborators
  where project_id = projects.id and user_id = ?
) as access, exists (
  select 1
  from project_pins
  where project_id = projects.id and user_id = ?
) as pinned, false as behind
from "projects"
where projects.private = false and "projects"."id" in (
  select value
  from json_each(?)
) and "projects"."slug" = ? and "projects"."title" = ? and (fold("projects"."title") like fold(?) escape '\' or fold("projects"."description") like fold(?) escape '\') and projects.id in (
  select project_id
  from project_collaborators
  where "user_id" in (
    select value
    from json_each(?)
  )
) and projects.id in (
  select project_id
  from project_memberships
  where "project_memberships"."document_id" in (
    select value
    from json_each(?)
  ) and (exists (
    select 1
    from documents
    where documents.id = "project_memberships"."document_id" and documents.access = 'public' and documents.status in ('success', 'readable')
  ) or exists (
    select 1
    from document_audiences
    where document_audiences.document_id = "project_memberships"."document_id" and audience in (
      select 'user:' || id
      from users
      where id = ?
      union all
      select 'organization:' || organization_id
      from organization_members
      where user_id = ?
      union all
      select 'project:' || project_id
      from project_collaborators
      where user_id = ?
    )
  ))
) and projects.private = false
order by "projects"."id"
limit 2

-- collaborator: GET /api/projects/1/documents/?per_page=1&cursor=cj0xJnA9MQ==
select *, ((
    select 1
    from project_memberships
    where project_memberships.project_id = ? and project_memberships.is_public = true and "project_memberships"."document_id" <= ?
    order by "project_memberships"."document_id" desc
    limit 1
  ) is not null or (
    select 1
    from project_memberships
    where project_memberships.project_id = ? and project_memberships.is_public = false and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "project_memberships"."document_id" and "document_audiences"."audience" in (
        select value
        from json_each(?)
      )
    ) and "project_memberships"."document_id" <= ?
    order by "project_memberships"."document_id" desc
    limit 1
  ) is not null
) as behind
from (
  select *
  from (
    select project_memberships.document_id as id, project_memberships.edit_access
    from project_memberships
    where project_memberships.project_id = ? and project_memberships.is_public = true and "project_memberships"."document_id" > ?
    order by "project_memberships"."document_id"
    limit 2
  ) as "part0"
  union
  select *
  from (
    select project_memberships.document_id as id, project_memberships.edit_access
    from project_memberships
    where project_memberships.project_id = ? and project_memberships.is_public = false and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "project_memberships"."document_id" and "document_audiences"."audience" in (
        select value
        from json_each(?)
      )
    ) and "project_memberships"."document_id" > ?
    order by "project_memberships"."document_id"
    limit 2
  ) as "part1"
) as parts
order by id
limit 2

-- user: GET /
select *, false as behind
from (
  select *
  from (
    select documents.*, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "documents"."created_at" as value
    from documents indexed by "documents_by_created_at"
    where documents.access = 'public' and documents.status in ('success', 'readable') and not exists (
      select 1
      from document_children
      where document_children.child_id = documents.id
    )
    order by "documents"."created_at" desc, "documents"."id" desc
    limit 9
  ) as "part0"
  union
  select *
  from (
    select documents.*, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "document_audiences"."created_at" as value
    from document_audiences indexed by "document_audiences_by_created_at" cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and not exists (
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

-- user: GET /api/projects/1/documents/?per_page=1&cursor=cD0x
select *, ((
    select 1
    from project_memberships
    where project_memberships.project_id = ? and project_memberships.is_public = true and "project_memberships"."document_id" >= ?
    order by "project_memberships"."document_id"
    limit 1
  ) is not null or (
    select 1
    from project_memberships
    where project_memberships.project_id = ? and project_memberships.is_public = false and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "project_memberships"."document_id" and "document_audiences"."audience" in (
        select value
        from json_each(?)
      )
    ) and "project_memberships"."document_id" >= ?
    order by "project_memberships"."document_id"
    limit 1
  ) is not null
) as behind
from (
  select *
  from (
    select project_memberships.document_id as id, project_memberships.edit_access
    from project_memberships
    where project_memberships.project_id = ? and project_memberships.is_public = true and "project_memberships"."document_id" < ?
    order by "project_memberships"."document_id" desc
    limit 2
  ) as "part0"
  union
  select *
  from (
    select project_memberships.document_id as id, project_memberships.edit_access
    from project_memberships
    where project_memberships.project_id = ? and project_memberships.is_public = false and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "project_memberships"."document_id" and "document_audiences"."audience" in (
        select value
        from json_each(?)
      )
    ) and "project_memberships"."document_id" < ?
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
    where deleted_documents.deleted_at > ? and ((documents.access = 'public' and "deleted_documents"."status" in ('success', 'readable')) or (documents.access <> 'invisible' and (documents.user_id = ? or (documents.access = 'organization' and "documents"."organization_id" in (
        select value
        from json_each(?)
      )) or exists (
        select 1
        from project_memberships
        where project_memberships.document_id = documents.id and project_memberships.edit_access = true and "project_memberships"."project_id" in (
          select value
          from json_each(?)
        )
      )))
    ) and "deleted_documents"."id" >= ?
    order by "deleted_documents"."id"
    limit 1
  ) is not null
) as behind
from deleted_documents join documents on documents.id = deleted_documents.document_id
where deleted_documents.deleted_at > ? and ((documents.access = 'public' and "deleted_documents"."status" in ('success', 'readable')) or (documents.access <> 'invisible' and (documents.user_id = ? or (documents.access = 'organization' and "documents"."organization_id" in (
    select value
    from json_each(?)
  )) or exists (
    select 1
    from project_memberships
    where project_memberships.document_id = documents.id and project_memberships.edit_access = true and "project_memberships"."project_id" in (
      select value
      from json_each(?)
    )
  )))
) and "deleted_documents"."id" < ?
order by "deleted_documents"."id" desc
limit 2

-- administrator: GET /api/documents/trash/?per_page=1&cursor=cj0xJnA9MQ==
select deleted_documents.id, document_id, title, access, deleted_documents.status, page_count, deleted_documents.user_id, deleted_documents.organization_id, deleted_at, deleted_by, ((
    select 1
    from deleted_documents join documents on documents.id = deleted_documents.document_id
    where deleted_documents.deleted_at > ? and ((documents.access = 'public' and "deleted_documents"."status" in ('success', 'readable')) or (documents.access <> 'invisible' and (documents.user_id = ? or (documents.access = 'organization' and "documents"."organization_id" in (
        select value
        from json_each(?)
      )) or exists (
        select 1
        from project_memberships
        where project_memberships.document_id = documents.id and project_memberships.edit_access = true and "project_memberships"."project_id" in (
          select value
          from json_each(?)
        )
      )))
    ) and "deleted_documents"."id" <= ?
    order by "deleted_documents"."id" desc
    limit 1
  ) is not null
) as behind
from deleted_documents join documents on documents.id = deleted_documents.document_id
where deleted_documents.deleted_at > ? and ((documents.access = 'public' and "deleted_documents"."status" in ('success', 'readable')) or (documents.access <> 'invisible' and (documents.user_id = ? or (documents.access = 'organization' and "documents"."organization_id" in (
    select value
    from json_each(?)
  )) or exists (
    select 1
    from project_memberships
    where project_memberships.document_id = documents.id and project_memberships.edit_access = true and "project_memberships"."project_id" in (
      select value
      from json_each(?)
    )
  )))
) and "deleted_documents"."id" > ?
order by "deleted_documents"."id"
limit 2

-- user: GET /api/documents/trash/?per_page=1&
select count(*) as count
from (
  select deleted_documents.id
  from deleted_documents join documents on documents.id = deleted_documents.document_id
  where deleted_documents.deleted_at > ? and ((documents.access = 'public' and "deleted_documents"."status" in ('success', 'readable')) or (documents.access <> 'invisible' and (documents.user_id = ? or (documents.access = 'organization' and "documents"."organization_id" in (
      select value
      from json_each(?)
    )) or exists (
      select 1
      from project_memberships
      where project_memberships.document_id = documents.id and project_memberships.edit_access = true and "project_memberships"."project_id" in (
        select value
        from json_each(?)
      )
    )))
  ) and ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
      select value
      from json_each(?)
    ))) or (documents.access <> 'private' and "documents"."organization_id" in (
      select value
      from json_each(?)
    ))
  ) and deleted_documents.user_id = ?
  union
  select deleted_documents.id
  from deleted_documents join documents on documents.id = deleted_documents.document_id
  where deleted_documents.deleted_at > ? and ((documents.access = 'public' and "deleted_documents"."status" in ('success', 'readable')) or (documents.access <> 'invisible' and (documents.user_id = ? or (documents.access = 'organization' and "documents"."organization_id" in (
      select value
      from json_each(?)
    )) or exists (
      select 1
      from project_memberships
      where project_memberships.document_id = documents.id and project_memberships.edit_access = true and "project_memberships"."project_id" in (
        select value
        from json_each(?)
      )
    )))
  ) and ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
      select value
      from json_each(?)
    ))) or (documents.access <> 'private' and "documents"."organization_id" in (
      select value
      from json_each(?)
    ))
  ) and "deleted_documents"."organization_id" in (
    select value
    from json_each(?)
  )
) as in_trash

-- administrator: GET /mentioned/correct/?kind=email&value=a&q=harbour
with found as materialized (with hits as (
    select cast(document_id as bigint) as document_id, cast(sum(weight) as bigint) as "weight0"
    from (
      select document_id, 0 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
      from (
        select word_counts.rowid % 1099511627776 as document_id, word_counts.rowid / 1099511627776 as part, terms.units as units
        from (
          select key as term, value as units, null as languages
          from json_each(?)
          union all
          select '"' || forms.word || marks.key || '"' as term, marks.value as units, forms.languages as languages
          from (
            select word, group_concat(language) as languages
            from (
              select word_forms.word as word, word_forms.language as language
              from json_each(?) as asked cross join word_forms
              where asked.value ->> 0 in (
                select language
                from analysed_languages
              ) and word_forms.language = asked.value ->> 0 and word_forms.stem = asked.value ->> 1 and word_forms.word <> ?
              union
              select asked.value ->> 1, asked.value ->> 0
              from json_each(?) as asked
              where asked.value ->> 0 in (
                select language
                from analysed_languages
              )
            )
            group by word
          ) as forms cross join json_each(?) as marks
        ) as terms cross join word_counts
        where word_counts match terms.term and ("terms"."languages" is null or (
          select count(*)
          from analysed_languages
        ) < 2 or instr("terms"."languages", coalesce( (
            select language
            from document_languages
            where document_id = word_counts.rowid % 1099511627776
          ), 'eng'
        )) > 0)
      ) as parts
      where (part < 524288 or exists (
        select 1
        from notes join documents on documents.id = notes.document_id
        where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = ?) or (notes.access = 'organization' and 1 = 1))
      ))
    ) as rows
    group by document_id
  )
  select document_id as id
  from hits
  where (exists (
    select 1
    from documents indexed by "documents_by_id"
    where documents.id = hits.document_id and documents.access = 'public' and documents.status in ('success', 'readable')
  ) or exists (
    select 1
    from document_audiences
    where document_audiences.document_id = hits.document_id and "document_audiences"."audience" in (
      select value
      from json_each(?)
    )
  )) and coalesce("hits"."weight0", 0) > 0
)
select documents.id
from documents
where documents.id in (
  select document_id
  from "mentions"
  where "mentions"."kind" = ? and "mentions"."value" = ?
) and documents.id in (
  select id
  from found
) and 1 = 1
order by documents.id
limit 501

-- guest: GET /api/documents/1/
with hits as materialized (
  select cast(document_id as bigint) as document_id, cast(sum(case word when 0 then weight else 0 end) as bigint) as "weight0"
  from (
    select document_id, 0 as word, 1 as weight
    from (with forms as materialized (
        select ? as word, null as languages
        union all
        select word, group_concat(language) as languages
        from (
          select word_forms.word as word, word_forms.language as language
          from json_each(?) as asked cross join word_forms
          where asked.value ->> 0 in (
            select language
            from analysed_languages
          ) and word_forms.language = asked.value ->> 0 and word_forms.stem = asked.value ->> 1 and word_forms.word <> ?
          union
          select asked.value ->> 1, asked.value ->> 0
          from json_each(?) as asked
          where asked.value ->> 0 in (
            select language
            from analysed_languages
          )
        )
        group by word
      ), asked as materialized (
        select value as document_id, value * 1048576 as first, value * 1048576 + 1048575 as last
        from json_each(?)
      )
      select asked.document_id, document_words.rowid - asked.first as part
      from asked cross join forms cross join document_words
      where document_words match '"' || forms.word || '"' and ("forms"."languages" is null or (
        select count(*)
        from analysed_languages
      ) < 2 or instr("forms"."languages", coalesce( (
          select language
          from document_languages
          where document_id = document_words.rowid / 1048576
        ), 'eng'
      )) > 0) and document_words.rowid between asked.first and asked.last
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = ?) or (notes.access = 'organization' and ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
          select value
          from json_each(?)
        ))) or (documents.access <> 'private' and "documents"."organization_id" in (
          select value
          from json_each(?)
        )) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" in (
            select value
            from json_each(?)
          )
        ))
      )))
    ))
  ) as rows
  group by document_id
)
select documents.id
from documents left join hits on hits.document_id = documents.id
where "documents"."id" in (
  select value
  from json_each(?)
) and (documents.access = 'public' and documents.status in ('success', 'readable') or exists (
  select 1
  from document_audiences
  where document_audiences.document_id = documents.id and "document_audiences"."audience" in (
    select value
    from json_each(?)
  )
)) and coalesce("hits"."weight0", 0) > 0

-- anonymous: GET /api/documents/timeline/?q=harbour
with found as materialized (with hits as (
    select cast(document_id as bigint) as document_id, cast(sum(weight) as bigint) as "weight0"
    from (
      select document_id, 0 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
      from (
        select word_counts.rowid % 1099511627776 as document_id, word_counts.rowid / 1099511627776 as part, terms.units as units
        from (
          select key as term, value as units, null as languages
          from json_each(?)
          union all
          select '"' || forms.word || marks.key || '"' as term, marks.value as units, forms.languages as languages
          from (
            select word, group_concat(language) as languages
            from (
              select word_forms.word as word, word_forms.language as language
              from json_each(?) as asked cross join word_forms
              where asked.value ->> 0 in (
                select language
                from analysed_languages
              ) and word_forms.language = asked.value ->> 0 and word_forms.stem = asked.value ->> 1 and word_forms.word <> ?
              union
              select asked.value ->> 1, asked.value ->> 0
              from json_each(?) as asked
              where asked.value ->> 0 in (
                select language
                from analysed_languages
              )
            )
            group by word
          ) as forms cross join json_each(?) as marks
        ) as terms cross join word_counts
        where word_counts match terms.term and ("terms"."languages" is null or (
          select count(*)
          from analysed_languages
        ) < 2 or instr("terms"."languages", coalesce( (
            select language
            from document_languages
            where document_id = word_counts.rowid % 1099511627776
          ), 'eng'
        )) > 0)
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
  from "hits" cross join "documents" indexed by "documents_searched"
  where "documents"."id" = "hits"."document_id" and documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and coalesce("hits"."weight0", 0) > 0
), dated as materialized (
  select distinct "mentions"."document_id" as document_id, substr("mentions"."value", 1, 4) as date
  from "found" cross join "mentions"
  where "mentions"."document_id" = "found"."id" and mentions.kind = 'date'
)
select (
  select value_counts(json_group_array(joined_values), ?, 3660000)
  from (
    select cast("dated"."date" as text) as joined_values
    from dated
  ) as counted
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
      where "at" is not null and "at" >= ? and "at" < ? and (user_id = ?)
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
      where "began_at" is not null and "began_at" >= ? and "began_at" < ? and (user_id = ?)
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
      where "at" is not null and "at" >= ? and "at" < ? and (by_id = ? or "user_id" = ?)
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
      where "at" is not null and "at" >= ? and "at" < ? and (by_id = ? or "user_id" = ?)
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
      where "created_at" is not null and "created_at" >= ? and "created_at" < ? and (user_id = ?)
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
      where "released_at" is not null and "released_at" >= ? and "released_at" < ? and (released_by = ?)
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
      where "created_at" is not null and "created_at" >= ? and "created_at" < ? and (user_id = ?)
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
      where "ended_at" is not null and "ended_at" >= ? and "ended_at" < ? and (ended_by = ?)
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
      where "decided_at" is not null and "decided_at" >= ? and "decided_at" < ? and (decided_by = ?)
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
      where "created_at" is not null and "created_at" >= ? and "created_at" < ? and (user_id = ?)
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
      where "revoked_at" is not null and "revoked_at" >= ? and "revoked_at" < ? and (coalesce(revoked_by, user_id) = ?)
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
      where "at" is not null and "at" >= ? and "at" < ? and (user_id = ?)
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
      where "at" is not null and "at" >= ? and "at" < ? and (by_id = ? or "user_id" = ?)
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
    where band = ? and document_id <> ? and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = ? and document_id <> ? and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = ? and document_id <> ? and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = ? and document_id <> ? and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = ? and document_id <> ? and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = ? and document_id <> ? and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = ? and document_id <> ? and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = ? and document_id <> ? and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = ? and document_id <> ? and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = ? and document_id <> ? and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = ? and document_id <> ? and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = ? and document_id <> ? and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = ? and document_id <> ? and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = ? and document_id <> ? and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = ? and document_id <> ? and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
  union
  select document_id
  from (
    select document_id
    from fingerprint_bands
    where band = ? and document_id <> ? and exists (
      select 1
      from documents
      where documents.id = fingerprint_bands.document_id and (documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    order by document_id desc
    limit 200
  ) as newest
)
