-- user: GET /api/documents/?per_page=2&ordering=id&user=1&expand=user
select digest, user_id, seen_at
from sessions
where digest = $1 and expires_at > $2

-- user: GET /api/documents/?per_page=2&ordering=data_k&user=1,2&created_at__lt=2026-01-01&cursor=cj0x
select count(*) as seen
from (
  select 1
  from document_audiences
  where "document_audiences"."audience" = any($1::text[])
  limit 5000
) as found

-- administrator: GET /api/documents/?per_page=2&ordering=-data_k&organization=1,2&page_count__gt=0&page_count__lt=9&expand=user&cursor=WyItZGF0YV9rIiwwLDMsImIiXQ%3D%3D
select organizations.id
from organizations
where "organizations"."id" = any($1::bigint[]) and not exists (
  select 1
  from users
  where users.uuid = organizations.uuid and not 1 = 1
)

-- anonymous: GET /api/documents/?per_page=2&ordering=-created_at&user=1&cursor=cj0x
select 1
where (
  select id
  from documents
  where user_id = $1 and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end
  limit 1
) is not null

-- anonymous: GET /api/documents/?per_page=2&ordering=data_k&organization=1&page_count=1&expand=user&cursor=WyJkYXRhX2siLDEsMywiYiJd
select organizations.id
from organizations
where "organizations"."id" = any($1::bigint[]) and exists (
  select 1
  from documents
  where documents.organization_id = organizations.id and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end
)

-- collaborator: GET /api/documents/?per_page=2&ordering=created_at&user=1,2&created_at__lt=2026-01-01&expand=user&cursor=WyJjcmVhdGVkX2F0IiwwLDMsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiJd
select api_tokens.id, api_tokens.user_id, may_write, last_used_at, run_id, addon_runs.uuid as run_uuid, addon_runs.event_id as run_event, addon_runs.scope as run_scope
from api_tokens left join addon_runs on addon_runs.id = run_id
where digest = $1 and (expires_at is null or expires_at > $2)

-- anonymous: GET /api/documents/?per_page=2&ordering=id&organization=1&page_count=1&cursor=cD0z
select documents.id, false as behind
from documents
where "documents"."organization_id" = $1 and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."page_count" = $2 and (documents.id + 0) <= $3
order by (documents.id + 0) desc
limit 1

-- anonymous: GET /api/documents/?per_page=2&ordering=-data_k&id__in=1,2,3&cursor=WyItZGF0YV9rIiwxLDMsImIiXQ%3D%3D
select documents.id, false as behind
from documents
where not exists (
  select 1
  from document_data
  where document_data.key = $1 and document_data.document_id = documents.id
) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."id" = any($2::bigint[])
order by (documents.id + 0) desc
limit 1

-- user: GET /api/documents/?per_page=2&ordering=id&user=1&expand=user
select documents.*, (
  select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
  from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
  where project_memberships.document_id = documents.id
) as public_projects, false as behind
from documents
where "documents"."user_id" = $1 and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end
order by (documents.id + 0)
limit 3

-- anonymous: GET /api/documents/?per_page=2&ordering=-data_k&id__in=1,2,3&cursor=WyItZGF0YV9rIiwxLDMsImIiXQ%3D%3D
select documents.id, "document_data"."highest" as value, false as behind
from document_data cross join lateral (
  select *
  from documents
  where documents.id = "document_data"."document_id" offset 0
) as documents
where "document_data"."is_public" = true and document_data.key = $1 and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."id" = any($2::bigint[]) and ("document_data"."highest", "document_data"."document_id") <= ($3, $4)
order by "document_data"."highest" desc, "document_data"."document_id" desc
limit 1

-- anonymous: GET /api/documents/?per_page=2&ordering=updated_at&id__in=2&expand=user
select documents.*, (
  select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
  from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
  where project_memberships.document_id = documents.id
) as public_projects, "documents"."updated_at" as value, false as behind
from documents
where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."id" = $1
order by "documents"."updated_at", (documents.id + 0)
limit 3

-- user: GET /api/documents/?per_page=2&ordering=id&user=1&expand=user
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
where "users"."id" = any($1::bigint[])

-- anonymous: GET /api/documents/?per_page=2&ordering=-source&id__in=1,2,3&expand=user
select documents.*, (
  select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
  from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
  where project_memberships.document_id = documents.id
) as public_projects, "documents"."source" as value, false as behind
from documents
where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."id" = any($1::bigint[])
order by "documents"."source" desc, (documents.id + 0) desc
limit 3

-- user: GET /api/documents/?per_page=2&ordering=id&user=1&expand=user
select 1
where (
  select id
  from documents
  where user_id = $1 and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end
  limit 1
) is not null or exists (
  select 1
  from organization_members mine join organization_members theirs on theirs.organization_id = mine.organization_id
  where mine.user_id = $2 and theirs.user_id = $3
) or exists (
  select 1
  from project_collaborators mine join project_collaborators theirs on theirs.project_id = mine.project_id
  where mine.user_id = $4 and theirs.user_id = $5
)

-- anonymous: GET /api/documents/?per_page=2&ordering=source&user=1,2&created_at__lt=2026-01-01&expand=user
select documents.*, (
  select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
  from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
  where project_memberships.document_id = documents.id
) as public_projects, "documents"."source" as value, false as behind
from documents
where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."user_id" = any($1::bigint[]) and "documents"."created_at" < $2
order by "documents"."source", (documents.id + 0)
limit 3

-- anonymous: GET /api/documents/?per_page=2&ordering=-id&parent=1&expand=user&cursor=WyItaWQiLDAsMyxudWxsXQ%3D%3D
select documents.*, (
  select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
  from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
  where project_memberships.document_id = documents.id
) as public_projects, false as behind
from documents
where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and documents.id in (
  select child_id
  from document_children
  where "document_children"."parent_id" = any($1::bigint[])
) and (documents.id + 0) >= $2
order by (documents.id + 0)
limit 1

-- anonymous: GET /api/documents/?per_page=2&ordering=data_k&parent=1&cursor=WyJkYXRhX2siLDAsMywiYiJd
select documents.id, "document_data"."lowest" as value, false as behind
from document_data cross join lateral (
  select *
  from documents
  where documents.id = "document_data"."document_id" offset 0
) as documents
where "document_data"."is_public" = true and document_data.key = $1 and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and documents.id in (
  select child_id
  from document_children
  where "document_children"."parent_id" = any($2::bigint[])
) and ("document_data"."lowest", "document_data"."document_id") <= ($3, $4)
order by "document_data"."lowest" desc, "document_data"."document_id" desc
limit 1

-- user: GET /api/documents/?per_page=2&ordering=page_count&access=private,organization&status=success,error&expand=user
select documents.*, (
  select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
  from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
  where project_memberships.document_id = documents.id
) as public_projects, "document_audiences"."page_count" as value, false as behind
from document_audiences cross join lateral (
  select *
  from documents
  where documents.id = "document_audiences"."document_id" offset 0
) as documents
where document_audiences.audience = $1 and "documents"."access" in ($2, $3) and "documents"."status" in ($4, $5)
order by "document_audiences"."page_count", "document_audiences"."document_id"
limit 3

-- collaborator: GET /api/documents/?per_page=2&ordering=-id&organization=1,2&page_count__gt=0&page_count__lt=9&cursor=WyItaWQiLDEsMyxudWxsXQ%3D%3D
select organizations.id
from organizations
where "organizations"."id" = any($1::bigint[]) and not exists (
  select 1
  from users
  where users.uuid = organizations.uuid and not (users.id = $2 or exists (
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
)

-- anonymous: GET /api/documents/?per_page=2&ordering=data_k&organization=1&page_count=1&expand=user&cursor=WyJkYXRhX2siLDEsMywiYiJd
select documents.*, (
  select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
  from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
  where project_memberships.document_id = documents.id
) as public_projects, "document_data"."lowest" as value, false as behind
from document_data cross join lateral (
  select *
  from documents
  where documents.id = "document_data"."document_id" offset 0
) as documents
where "document_data"."is_public" = true and document_data.key = $1 and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."organization_id" = $2 and "documents"."page_count" = $3 and ("document_data"."lowest", "document_data"."document_id") >= ($4, $5)
order by "document_data"."lowest", "document_data"."document_id"
limit 1

-- anonymous: GET /api/documents/?per_page=2&ordering=-id&parent=1&expand=user&cursor=WyItaWQiLDAsMyxudWxsXQ%3D%3D
select documents.*, (
  select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
  from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
  where project_memberships.document_id = documents.id
) as public_projects, ((
    select 1
    from documents
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and documents.id in (
      select child_id
      from document_children
      where "document_children"."parent_id" = any($1::bigint[])
    ) and (documents.id + 0) >= $2
    order by (documents.id + 0)
    limit 1
  ) is not null
) as behind
from documents
where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and documents.id in (
  select child_id
  from document_children
  where "document_children"."parent_id" = any($3::bigint[])
) and (documents.id + 0) < $4
order by (documents.id + 0) desc
limit 3

-- user: GET /api/documents/?per_page=2&ordering=id&user=1&expand=user
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

-- anonymous: GET /api/documents/?per_page=2&ordering=-created_at&user=1&cursor=cj0x
select convert_from(convert_to(' ' || string_agg(coalesce(opening || case when has_own_files then $1 else $2 end || rest, ''), '') || ' ', 'UTF8'), 'LATIN1') as records, string_agg(cast(listed.id as text) || ' ' || coalesce(digest, ''), ' ') as lines, false as behind, string_agg(to_json("listed"."value")::text, ',') as values_
from (
  select documents.id, "documents"."created_at" as value
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."user_id" = $3
  order by "documents"."created_at", (documents.id + 0)
  limit 3
) as listed left join lateral (
  select *
  from document_records
  where document_records.document_id = listed.id and format = 1 offset 0
) as document_records on true

-- administrator: GET /api/documents/?per_page=2&ordering=-updated_at&parent=1&cursor=WyItdXBkYXRlZF9hdCIsMSwzLCIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiXQ%3D%3D
select *, false as behind
from (
  select *
  from (
    select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access, "documents"."updated_at" as value
    from documents
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and documents.id in (
      select child_id
      from document_children
      where "document_children"."parent_id" = any($1::bigint[])
    ) and ("documents"."updated_at", (documents.id + 0)) <= ($2, $3)
    order by "documents"."updated_at" desc, (documents.id + 0) desc
    limit 1
  ) as "part0"
  union
  select *
  from (
    select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access, "documents"."updated_at" as value
    from documents
    where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "documents"."id" and "document_audiences"."audience" = any($4::text[])
    ) and documents.id in (
      select child_id
      from document_children
      where "document_children"."parent_id" = any($5::bigint[])
    ) and ("documents"."updated_at", "documents"."id") <= ($6, $7)
    order by "documents"."updated_at" desc, "documents"."id" desc
    limit 1
  ) as "part1"
) as parts
order by value desc, id desc
limit 1

-- anonymous: GET /api/documents/?per_page=2&ordering=data_k&parent=none&cursor=WyJkYXRhX2siLDAsMywiYiJd
select convert_from(convert_to(' ' || string_agg(coalesce(opening || case when has_own_files then $1 else $2 end || rest, ''), '') || ' ', 'UTF8'), 'LATIN1') as records, string_agg(cast(listed.id as text) || ' ' || coalesce(digest, ''), ' ') as lines, false as behind
from (
  select documents.id
  from documents
  where not exists (
    select 1
    from document_data
    where document_data.key = $3 and document_data.document_id = documents.id
  ) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not exists (
    select 1
    from document_children
    where document_children.child_id = documents.id
  )
  order by (documents.id + 0)
  limit 1
) as listed left join lateral (
  select *
  from document_records
  where document_records.document_id = listed.id and format = 1 offset 0
) as document_records on true

-- anonymous: GET /api/documents/?per_page=2&ordering=created_at&organization=1,2&page_count__gt=0&page_count__lt=9&cursor=cj0x
select convert_from(convert_to(' ' || string_agg(coalesce(opening || case when has_own_files then $1 else $2 end || rest, ''), '') || ' ', 'UTF8'), 'LATIN1') as records, string_agg(cast(listed.id as text) || ' ' || coalesce(digest, ''), ' ') as lines, false as behind, string_agg(to_json("listed"."value")::text, ',') as values_
from (
  select documents.id, "documents"."created_at" as value
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."organization_id" = any($3::bigint[]) and "documents"."page_count" < $4 and "documents"."page_count" > $5
  order by "documents"."created_at" desc, (documents.id + 0) desc
  limit 3
) as listed left join lateral (
  select *
  from document_records
  where document_records.document_id = listed.id and format = 1 offset 0
) as document_records on true

-- anonymous: GET /api/documents/?per_page=2&ordering=id&cursor=cD0z
select convert_from(convert_to(' ' || string_agg(coalesce(opening || case when has_own_files then $1 else $2 end || rest, ''), '') || ' ', 'UTF8'), 'LATIN1') as records, string_agg(cast(listed.id as text) || ' ' || coalesce(digest, ''), ' ') as lines, ((
    select 1
    from documents
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and (documents.id + 0) <= $3
    order by (documents.id + 0) desc
    limit 1
  ) is not null
) as behind
from (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and (documents.id + 0) > $4
  order by (documents.id + 0)
  limit 3
) as listed left join lateral (
  select *
  from document_records
  where document_records.document_id = listed.id and format = 1 offset 0
) as document_records on true

-- user: GET /api/documents/?per_page=2&ordering=title&status=success&expand=user
select *, false as behind
from (
  select *
  from (
    select documents.*, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "documents"."title" as value
    from documents
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."status" = $1
    order by "documents"."title", (documents.id + 0)
    limit 3
  ) as "part0"
  union
  select *
  from (
    select documents.*, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "document_audiences"."title" as value
    from document_audiences cross join lateral (
      select *
      from documents
      where documents.id = "document_audiences"."document_id" offset 0
    ) as documents
    where document_audiences.audience = $2 and "documents"."status" in ($3)
    order by "document_audiences"."title", "document_audiences"."document_id"
    limit 3
  ) as "part1"
) as parts
order by value, id
limit 3

-- anonymous: GET /api/documents/?per_page=2&ordering=data_k&organization=1&page_count=1&expand=user&cursor=WyJkYXRhX2siLDEsMywiYiJd
select documents.*, (
  select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
  from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
  where project_memberships.document_id = documents.id
) as public_projects, "document_data"."lowest" as value, ((
    select 1
    from document_data cross join lateral (
      select *
      from documents
      where documents.id = "document_data"."document_id" offset 0
    ) as documents
    where "document_data"."is_public" = true and document_data.key = $1 and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."organization_id" = $2 and "documents"."page_count" = $3 and ("document_data"."lowest", "document_data"."document_id") >= ($4, $5)
    order by "document_data"."lowest", "document_data"."document_id"
    limit 1
  ) is not null
) as behind
from document_data cross join lateral (
  select *
  from documents
  where documents.id = "document_data"."document_id" offset 0
) as documents
where "document_data"."is_public" = true and document_data.key = $6 and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."organization_id" = $7 and "documents"."page_count" = $8 and ("document_data"."lowest", "document_data"."document_id") < ($9, $10)
order by "document_data"."lowest" desc, "document_data"."document_id" desc
limit 3

-- user: GET /api/documents/?per_page=2&ordering=-page_count&organization=1,2&page_count__gt=0&page_count__lt=9&expand=user
select *, false as behind
from (
  select *
  from (
    select documents.*, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "documents"."page_count" as value
    from documents
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."organization_id" = any($1::bigint[]) and "documents"."page_count" < $2 and "documents"."page_count" > $3
    order by "documents"."page_count" desc, (documents.id + 0) desc
    limit 3
  ) as "part0"
  union
  select *
  from (
    select documents.*, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "document_audiences"."page_count" as value
    from document_audiences cross join lateral (
      select *
      from documents
      where documents.id = "document_audiences"."document_id" offset 0
    ) as documents
    where document_audiences.audience = $4 and "documents"."organization_id" = any($5::bigint[]) and "documents"."page_count" < $6 and "documents"."page_count" > $7
    order by "document_audiences"."page_count" desc, "document_audiences"."document_id" desc
    limit 3
  ) as "part1"
) as parts
order by value desc, id desc
limit 3

-- anonymous: GET /api/documents/?per_page=2&ordering=page_count&status=success&cursor=WyJwYWdlX2NvdW50IiwwLDMsMV0%3D
select convert_from(convert_to(' ' || string_agg(coalesce(opening || case when has_own_files then $1 else $2 end || rest, ''), '') || ' ', 'UTF8'), 'LATIN1') as records, string_agg(cast(listed.id as text) || ' ' || coalesce(digest, ''), ' ') as lines, ((
    select 1
    from documents
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."status" = $3 and ("documents"."page_count", (documents.id + 0)) <= ($4, $5)
    order by "documents"."page_count" desc, (documents.id + 0) desc
    limit 1
  ) is not null
) as behind, string_agg(to_json("listed"."value")::text, ',') as values_
from (
  select documents.id, "documents"."page_count" as value
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."status" = $6 and ("documents"."page_count", (documents.id + 0)) > ($7, $8)
  order by "documents"."page_count", (documents.id + 0)
  limit 3
) as listed left join lateral (
  select *
  from document_records
  where document_records.document_id = listed.id and format = 1 offset 0
) as document_records on true

-- user: GET /api/documents/?per_page=2&ordering=-title&parent=1&expand=user
select *, false as behind
from (
  select *
  from (
    select documents.*, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "documents"."title" as value
    from documents
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and documents.id in (
      select child_id
      from document_children
      where "document_children"."parent_id" = any($1::bigint[])
    )
    order by "documents"."title" desc, (documents.id + 0) desc
    limit 3
  ) as "part0"
  union
  select *
  from (
    select documents.*, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "documents"."title" as value
    from documents
    where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "documents"."id" and "document_audiences"."audience" = any($2::text[])
    ) and documents.id in (
      select child_id
      from document_children
      where "document_children"."parent_id" = any($3::bigint[])
    )
    order by "documents"."title" desc, "documents"."id" desc
    limit 3
  ) as "part1"
) as parts
order by value desc, id desc
limit 3

-- administrator: GET /api/documents/?per_page=2&ordering=-id&project=1&created_at__gt=2020-01-01&expand=user&cursor=cj0x
select *, false as behind
from (
  select *
  from (
    select documents.*, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects
    from project_memberships cross join lateral (
      select *
      from documents
      where documents.id = "project_memberships"."document_id" offset 0
    ) as documents
    where "project_memberships"."project_id" = $1 and "project_memberships"."is_public" = true and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."created_at" > $2
    order by "project_memberships"."document_id"
    limit 3
  ) as "part0"
  union
  select *
  from (
    select documents.*, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects
    from documents
    where documents.id in (
      select document_id
      from project_memberships
      where "project_memberships"."project_id" = any($3::bigint[])
    ) and not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "documents"."id" and "document_audiences"."audience" = any($4::text[])
    ) and "documents"."created_at" > $5
    order by "documents"."id"
    limit 3
  ) as "part1"
) as parts
order by id
limit 3

-- user: GET /api/documents/?per_page=2&user=1
select convert_from(convert_to(' ' || string_agg(coalesce(opening || case when has_own_files then $1 else $2 end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ', 'UTF8'), 'LATIN1') as records, string_agg(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, false as behind
from (
  select documents.id, case when ((documents.user_id = $3 and (documents.access <> 'public' or "documents"."organization_id" = any($4::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($5::bigint[])) or (documents.access <> 'public' and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($6::text[])
    ))
  ) then 'true' else 'false' end as edit_access
  from documents
  where "documents"."user_id" = $7 and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end
  order by (documents.id + 0)
  limit 3
) as listed left join lateral (
  select *
  from document_records
  where document_records.document_id = listed.id and format = 1 offset 0
) as document_records on true

-- anonymous: GET /api/documents/?per_page=2&ordering=-title&parent=none&cursor=WyItdGl0bGUiLDAsMywiYiJd
select convert_from(convert_to(' ' || string_agg(coalesce(opening || case when has_own_files then $1 else $2 end || rest, ''), '') || ' ', 'UTF8'), 'LATIN1') as records, string_agg(cast(listed.id as text) || ' ' || coalesce(digest, ''), ' ') as lines, ((
    select 1
    from documents
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not exists (
      select 1
      from document_children
      where document_children.child_id = documents.id
    ) and ("documents"."title", (documents.id + 0)) >= ($3, $4)
    order by "documents"."title", (documents.id + 0)
    limit 1
  ) is not null
) as behind, string_agg(to_json("listed"."value")::text, ',') as values_
from (
  select documents.id, "documents"."title" as value
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not exists (
    select 1
    from document_children
    where document_children.child_id = documents.id
  ) and ("documents"."title", (documents.id + 0)) < ($5, $6)
  order by "documents"."title" desc, (documents.id + 0) desc
  limit 3
) as listed left join lateral (
  select *
  from document_records
  where document_records.document_id = listed.id and format = 1 offset 0
) as document_records on true

-- user: GET /api/documents/?per_page=2&ordering=data_k&cursor=WyJkYXRhX2siLDEsMyxudWxsXQ%3D%3D
select *, false as behind
from (
  select *
  from (
    select documents.id, case when ((documents.user_id = $1 and (documents.access <> 'public' or "documents"."organization_id" = any($2::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($3::bigint[])) or (documents.access <> 'public' and exists (
        select 1
        from document_audiences
        where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($4::text[])
      ))
    ) then 'true' else 'false' end as edit_access
    from documents
    where not exists (
      select 1
      from document_data
      where document_data.key = $5 and document_data.document_id = documents.id
    ) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and (documents.id + 0) >= $6
    order by (documents.id + 0)
    limit 1
  ) as "part0"
  union
  select *
  from (
    select documents.id, case when ((documents.user_id = $7 and (documents.access <> 'public' or "documents"."organization_id" = any($8::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($9::bigint[])) or (documents.access <> 'public' and exists (
        select 1
        from document_audiences
        where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($10::text[])
      ))
    ) then 'true' else 'false' end as edit_access
    from document_audiences cross join lateral (
      select *
      from documents
      where documents.id = "document_audiences"."document_id" offset 0
    ) as documents
    where document_audiences.audience = $11 and not exists (
      select 1
      from document_data
      where document_data.key = $12 and document_data.document_id = documents.id
    ) and "document_audiences"."document_id" >= $13
    order by "document_audiences"."document_id"
    limit 1
  ) as "part1"
) as parts
order by id
limit 1

-- user: GET /api/documents/?per_page=2&ordering=data_k&cursor=WyJkYXRhX2siLDAsMyxudWxsXQ%3D%3D
select *, false as behind
from (
  select *
  from (
    select documents.id, case when ((documents.user_id = $1 and (documents.access <> 'public' or "documents"."organization_id" = any($2::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($3::bigint[])) or (documents.access <> 'public' and exists (
        select 1
        from document_audiences
        where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($4::text[])
      ))
    ) then 'true' else 'false' end as edit_access
    from documents
    where not exists (
      select 1
      from document_data
      where document_data.key = $5 and document_data.document_id = documents.id
    ) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and (documents.id + 0) <= $6
    order by (documents.id + 0) desc
    limit 1
  ) as "part0"
  union
  select *
  from (
    select documents.id, case when ((documents.user_id = $7 and (documents.access <> 'public' or "documents"."organization_id" = any($8::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($9::bigint[])) or (documents.access <> 'public' and exists (
        select 1
        from document_audiences
        where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($10::text[])
      ))
    ) then 'true' else 'false' end as edit_access
    from document_audiences cross join lateral (
      select *
      from documents
      where documents.id = "document_audiences"."document_id" offset 0
    ) as documents
    where document_audiences.audience = $11 and not exists (
      select 1
      from document_data
      where document_data.key = $12 and document_data.document_id = documents.id
    ) and "document_audiences"."document_id" <= $13
    order by "document_audiences"."document_id" desc
    limit 1
  ) as "part1"
) as parts
order by id desc
limit 1

-- reader of many: GET /api/documents/?per_page=2&ordering=-data_k&cursor=WyItZGF0YV9rIiwwLDMsImIiXQ%3D%3D
select *, false as behind
from (
  select *
  from (
    select documents.*, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "document_data"."highest" as value
    from document_data cross join lateral (
      select *
      from documents
      where documents.id = "document_data"."document_id" offset 0
    ) as documents
    where "document_data"."is_public" = true and document_data.key = $1 and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and ("document_data"."highest", "document_data"."document_id") >= ($2, $3)
    order by "document_data"."highest", "document_data"."document_id"
    limit 1
  ) as "part0"
  union
  select *
  from (
    select documents.*, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "document_data"."highest" as value
    from document_data cross join lateral (
      select *
      from documents
      where documents.id = "document_data"."document_id" offset 0
    ) as documents
    where document_data.is_public = false and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "document_data"."document_id" and "document_audiences"."audience" = any($4::text[])
    ) and document_data.key = $5 and ("document_data"."highest", "document_data"."document_id") >= ($6, $7)
    order by "document_data"."highest", "document_data"."document_id"
    limit 1
  ) as "part1"
) as parts
order by value, id
limit 1

-- user: GET /api/documents/?per_page=2&ordering=-source&id__in=2&cursor=WyItc291cmNlIiwwLDMsImIiXQ%3D%3D
select *, false as behind
from (
  select *
  from (
    select documents.id, case when ((documents.user_id = $1 and (documents.access <> 'public' or "documents"."organization_id" = any($2::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($3::bigint[])) or (documents.access <> 'public' and exists (
        select 1
        from document_audiences
        where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($4::text[])
      ))
    ) then 'true' else 'false' end as edit_access, "documents"."source" as value
    from documents
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."id" = $5 and ("documents"."source", (documents.id + 0)) >= ($6, $7)
    order by "documents"."source", (documents.id + 0)
    limit 1
  ) as "part0"
  union
  select *
  from (
    select documents.id, case when ((documents.user_id = $8 and (documents.access <> 'public' or "documents"."organization_id" = any($9::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($10::bigint[])) or (documents.access <> 'public' and exists (
        select 1
        from document_audiences
        where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($11::text[])
      ))
    ) then 'true' else 'false' end as edit_access, "documents"."source" as value
    from documents
    where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "documents"."id" and "document_audiences"."audience" = any($12::text[])
    ) and "documents"."id" = $13 and ("documents"."source", "documents"."id") >= ($14, $15)
    order by "documents"."source", "documents"."id"
    limit 1
  ) as "part1"
) as parts
order by value, id
limit 1

-- administrator: GET /api/documents/?per_page=2&ordering=id&id__in=2&cursor=cj0x
select convert_from(convert_to(' ' || string_agg(coalesce(opening || case when has_own_files then $1 else $2 end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ', 'UTF8'), 'LATIN1') as records, string_agg(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, false as behind
from (
  select *
  from (
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access
      from documents
      where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."id" = $3
      order by (documents.id + 0) desc
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access
      from documents
      where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and exists (
        select 1
        from document_audiences
        where document_audiences.document_id = "documents"."id" and "document_audiences"."audience" = any($4::text[])
      ) and "documents"."id" = $5
      order by "documents"."id" desc
      limit 3
    ) as "part1"
  ) as parts
  order by id desc
  limit 3
) as listed left join lateral (
  select *
  from document_records
  where document_records.document_id = listed.id and format = 1 offset 0
) as document_records on true

-- user: GET /api/documents/?per_page=2&ordering=-data_k&cursor=WyItZGF0YV9rIiwwLDMsbnVsbF0%3D
select *, false as behind
from (
  select *
  from (
    select documents.id, case when ((documents.user_id = $1 and (documents.access <> 'public' or "documents"."organization_id" = any($2::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($3::bigint[])) or (documents.access <> 'public' and exists (
        select 1
        from document_audiences
        where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($4::text[])
      ))
    ) then 'true' else 'false' end as edit_access, "document_data"."highest" as value
    from document_data cross join lateral (
      select *
      from documents
      where documents.id = "document_data"."document_id" offset 0
    ) as documents
    where "document_data"."is_public" = true and document_data.key = $5 and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end
    order by "document_data"."highest", "document_data"."document_id"
    limit 1
  ) as "part0"
  union
  select *
  from (
    select documents.id, case when ((documents.user_id = $6 and (documents.access <> 'public' or "documents"."organization_id" = any($7::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($8::bigint[])) or (documents.access <> 'public' and exists (
        select 1
        from document_audiences
        where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($9::text[])
      ))
    ) then 'true' else 'false' end as edit_access, "document_data"."highest" as value
    from document_audiences cross join lateral (
      select *
      from documents
      where documents.id = "document_audiences"."document_id" offset 0
    ) as documents join document_data on document_data.document_id = documents.id
    where document_audiences.audience = $10 and document_data.key = $11
    order by "document_data"."highest", "document_audiences"."document_id"
    limit 1
  ) as "part1"
) as parts
order by value, id
limit 1

-- member of many: GET /api/documents/?per_page=2&ordering=-data_k&cursor=WyItZGF0YV9rIiwxLDMsImIiXQ%3D%3D
select *, false as behind
from (
  select *
  from (
    select documents.id, case when ((documents.user_id = $1 and (documents.access <> 'public' or "documents"."organization_id" = any($2::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($3::bigint[])) or (documents.access <> 'public' and exists (
        select 1
        from document_audiences
        where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($4::text[])
      ))
    ) then 'true' else 'false' end as edit_access
    from documents
    where not exists (
      select 1
      from document_data
      where document_data.key = $5 and document_data.document_id = documents.id
    ) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end
    order by (documents.id + 0) desc
    limit 1
  ) as "part0"
  union
  select *
  from (
    select documents.id, case when ((documents.user_id = $6 and (documents.access <> 'public' or "documents"."organization_id" = any($7::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($8::bigint[])) or (documents.access <> 'public' and exists (
        select 1
        from document_audiences
        where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($9::text[])
      ))
    ) then 'true' else 'false' end as edit_access
    from (
      select distinct document_id, "created_at", "updated_at", "page_count", "title", "source", "status", "user_id"
      from document_audiences
      where "document_audiences"."audience" = any($10::text[])
    ) as document_audiences cross join lateral (
      select *
      from documents
      where documents.id = "document_audiences"."document_id" offset 0
    ) as documents
    where 1 = 1 and not exists (
      select 1
      from document_data
      where document_data.key = $11 and document_data.document_id = documents.id
    )
    order by "document_audiences"."document_id" desc
    limit 1
  ) as "part1"
) as parts
order by id desc
limit 1

-- user: GET /api/documents/?per_page=2&ordering=source&organization=1&page_count=1&cursor=WyJzb3VyY2UiLDAsMywiYiJd
select *, false as behind
from (
  select *
  from (
    select documents.id, case when ((documents.user_id = $1 and (documents.access <> 'public' or "documents"."organization_id" = any($2::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($3::bigint[])) or (documents.access <> 'public' and exists (
        select 1
        from document_audiences
        where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($4::text[])
      ))
    ) then 'true' else 'false' end as edit_access, "documents"."source" as value
    from documents
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."organization_id" = $5 and "documents"."page_count" = $6 and ("documents"."source", (documents.id + 0)) <= ($7, $8)
    order by "documents"."source" desc, (documents.id + 0) desc
    limit 1
  ) as "part0"
  union
  select *
  from (
    select documents.id, case when ((documents.user_id = $9 and (documents.access <> 'public' or "documents"."organization_id" = any($10::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($11::bigint[])) or (documents.access <> 'public' and exists (
        select 1
        from document_audiences
        where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($12::text[])
      ))
    ) then 'true' else 'false' end as edit_access, "document_audiences"."source" as value
    from document_audiences cross join lateral (
      select *
      from documents
      where documents.id = "document_audiences"."document_id" offset 0
    ) as documents
    where document_audiences.audience = $13 and "documents"."organization_id" = $14 and "documents"."page_count" = $15 and ("document_audiences"."source", "document_audiences"."document_id") <= ($16, $17)
    order by "document_audiences"."source" desc, "document_audiences"."document_id" desc
    limit 1
  ) as "part1"
) as parts
order by value desc, id desc
limit 1

-- reader of many: GET /api/documents/?per_page=2&ordering=updated_at&cursor=cj0x
select *, false as behind
from (
  select *
  from (
    select documents.*, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "documents"."updated_at" as value
    from documents
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end
    order by "documents"."updated_at" desc, (documents.id + 0) desc
    limit 3
  ) as "part0"
  union
  select *
  from (
    select documents.*, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "document_audiences"."updated_at" as value
    from document_audiences cross join lateral (
      select *
      from documents
      where documents.id = "document_audiences"."document_id" offset 0
    ) as documents
    where document_audiences.audience = $1
    order by "document_audiences"."updated_at" desc, "document_audiences"."document_id" desc
    limit 3
  ) as "part1"
  union
  select *
  from (
    select documents.*, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "document_audiences"."updated_at" as value
    from document_audiences cross join lateral (
      select *
      from documents
      where documents.id = "document_audiences"."document_id" offset 0
    ) as documents
    where document_audiences.audience = $2
    order by "document_audiences"."updated_at" desc, "document_audiences"."document_id" desc
    limit 3
  ) as "part2"
) as parts
order by value desc, id desc
limit 3

-- user: GET /api/documents/?per_page=2&ordering=-created_at&expand=user&cursor=WyItY3JlYXRlZF9hdCIsMSwzLCIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiXQ%3D%3D
select *, ((
    select 1
    from documents
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and ("documents"."created_at", (documents.id + 0)) <= ($1, $2)
    order by "documents"."created_at" desc, (documents.id + 0) desc
    limit 1
  ) is not null or (
    select 1
    from document_audiences cross join lateral (
      select *
      from documents
      where documents.id = "document_audiences"."document_id" offset 0
    ) as documents
    where document_audiences.audience = $3 and ("document_audiences"."created_at", "document_audiences"."document_id") <= ($4, $5)
    order by "document_audiences"."created_at" desc, "document_audiences"."document_id" desc
    limit 1
  ) is not null
) as behind
from (
  select *
  from (
    select documents.*, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "documents"."created_at" as value
    from documents
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and ("documents"."created_at", (documents.id + 0)) > ($6, $7)
    order by "documents"."created_at", (documents.id + 0)
    limit 3
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
    where document_audiences.audience = $8 and ("document_audiences"."created_at", "document_audiences"."document_id") > ($9, $10)
    order by "document_audiences"."created_at", "document_audiences"."document_id"
    limit 3
  ) as "part1"
) as parts
order by value, id
limit 3

-- member of many: GET /api/documents/?per_page=2&ordering=-data_k&cursor=WyItZGF0YV9rIiwwLDMsImIiXQ%3D%3D
select *, false as behind
from (
  select *
  from (
    select documents.id, case when ((documents.user_id = $1 and (documents.access <> 'public' or "documents"."organization_id" = any($2::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($3::bigint[])) or (documents.access <> 'public' and exists (
        select 1
        from document_audiences
        where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($4::text[])
      ))
    ) then 'true' else 'false' end as edit_access, "document_data"."highest" as value
    from document_data cross join lateral (
      select *
      from documents
      where documents.id = "document_data"."document_id" offset 0
    ) as documents
    where "document_data"."is_public" = true and document_data.key = $5 and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and ("document_data"."highest", "document_data"."document_id") >= ($6, $7)
    order by "document_data"."highest", "document_data"."document_id"
    limit 1
  ) as "part0"
  union
  select *
  from (
    select documents.id, case when ((documents.user_id = $8 and (documents.access <> 'public' or "documents"."organization_id" = any($9::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($10::bigint[])) or (documents.access <> 'public' and exists (
        select 1
        from document_audiences
        where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($11::text[])
      ))
    ) then 'true' else 'false' end as edit_access, "document_data"."highest" as value
    from (
      select distinct document_id, "created_at", "updated_at", "page_count", "title", "source", "status", "user_id"
      from document_audiences
      where "document_audiences"."audience" = any($12::text[])
    ) as document_audiences cross join lateral (
      select *
      from documents
      where documents.id = "document_audiences"."document_id" offset 0
    ) as documents join document_data on document_data.document_id = documents.id
    where 1 = 1 and document_data.key = $13 and ("document_data"."highest", "document_audiences"."document_id") >= ($14, $15)
    order by "document_data"."highest", "document_audiences"."document_id"
    limit 1
  ) as "part1"
) as parts
order by value, id
limit 1

-- administrator: GET /api/documents/?per_page=2&ordering=-source&cursor=cj0x
select convert_from(convert_to(' ' || string_agg(coalesce(opening || case when has_own_files then $1 else $2 end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ', 'UTF8'), 'LATIN1') as records, string_agg(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, false as behind, string_agg(to_json("listed"."value")::text, ',') as values_
from (
  select *
  from (
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access, "documents"."source" as value
      from documents
      where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end
      order by "documents"."source", (documents.id + 0)
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access, "document_audiences"."source" as value
      from document_audiences cross join lateral (
        select *
        from documents
        where documents.id = "document_audiences"."document_id" offset 0
      ) as documents
      where document_audiences.audience = $3
      order by "document_audiences"."source", "document_audiences"."document_id"
      limit 3
    ) as "part1"
    union
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access, "document_audiences"."source" as value
      from document_audiences cross join lateral (
        select *
        from documents
        where documents.id = "document_audiences"."document_id" offset 0
      ) as documents
      where document_audiences.audience = $4
      order by "document_audiences"."source", "document_audiences"."document_id"
      limit 3
    ) as "part2"
  ) as parts
  order by value, id
  limit 3
) as listed left join lateral (
  select *
  from document_records
  where document_records.document_id = listed.id and format = 1 offset 0
) as document_records on true

-- user: GET /api/documents/?per_page=2&status=success
select convert_from(convert_to(' ' || string_agg(coalesce(opening || case when has_own_files then $1 else $2 end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ', 'UTF8'), 'LATIN1') as records, string_agg(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, false as behind
from (
  select *
  from (
    select *
    from (
      select documents.id, case when ((documents.user_id = $3 and (documents.access <> 'public' or "documents"."organization_id" = any($4::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($5::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($6::text[])
        ))
      ) then 'true' else 'false' end as edit_access
      from documents
      where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."status" = $7
      order by (documents.id + 0)
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = $8 and (documents.access <> 'public' or "documents"."organization_id" = any($9::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($10::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($11::text[])
        ))
      ) then 'true' else 'false' end as edit_access
      from document_audiences cross join lateral (
        select *
        from documents
        where documents.id = "document_audiences"."document_id" offset 0
      ) as documents
      where document_audiences.audience = $12 and document_audiences.status = $13 and "documents"."status" in ($14)
      order by "document_audiences"."document_id"
      limit 3
    ) as "part1"
  ) as parts
  order by id
  limit 3
) as listed left join lateral (
  select *
  from document_records
  where document_records.document_id = listed.id and format = 1 offset 0
) as document_records on true

-- collaborator: GET /api/documents/?per_page=2&ordering=updated_at&id__in=2&cursor=WyJ1cGRhdGVkX2F0IiwxLDMsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiJd
select *, false as behind
from (
  select *
  from (
    select documents.id, case when ((documents.user_id = $1 and (documents.access <> 'public' or "documents"."organization_id" = any($2::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($3::bigint[])) or (documents.access <> 'public' and exists (
        select 1
        from document_audiences
        where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($4::text[])
      ))
    ) then 'true' else 'false' end as edit_access, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id
      where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" = any($5::bigint[]))
    ) as shown_projects, "documents"."updated_at" as value
    from documents
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."id" = $6 and ("documents"."updated_at", (documents.id + 0)) >= ($7, $8)
    order by "documents"."updated_at", (documents.id + 0)
    limit 1
  ) as "part0"
  union
  select *
  from (
    select documents.id, case when ((documents.user_id = $9 and (documents.access <> 'public' or "documents"."organization_id" = any($10::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($11::bigint[])) or (documents.access <> 'public' and exists (
        select 1
        from document_audiences
        where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($12::text[])
      ))
    ) then 'true' else 'false' end as edit_access, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id
      where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" = any($13::bigint[]))
    ) as shown_projects, "documents"."updated_at" as value
    from documents
    where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "documents"."id" and "document_audiences"."audience" = any($14::text[])
    ) and "documents"."id" = $15 and ("documents"."updated_at", "documents"."id") >= ($16, $17)
    order by "documents"."updated_at", "documents"."id"
    limit 1
  ) as "part1"
) as parts
order by value, id
limit 1

-- user: GET /api/documents/?per_page=2&organization=1&page_count=1
select convert_from(convert_to(' ' || string_agg(coalesce(opening || case when has_own_files then $1 else $2 end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ', 'UTF8'), 'LATIN1') as records, string_agg(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, false as behind
from (
  select *
  from (
    select *
    from (
      select documents.id, case when ((documents.user_id = $3 and (documents.access <> 'public' or "documents"."organization_id" = any($4::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($5::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($6::text[])
        ))
      ) then 'true' else 'false' end as edit_access
      from documents
      where "documents"."organization_id" = $7 and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."page_count" = $8
      order by (documents.id + 0)
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = $9 and (documents.access <> 'public' or "documents"."organization_id" = any($10::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($11::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($12::text[])
        ))
      ) then 'true' else 'false' end as edit_access
      from document_audiences cross join lateral (
        select *
        from documents
        where documents.id = "document_audiences"."document_id" offset 0
      ) as documents
      where document_audiences.audience = $13 and document_audiences.page_count = $14 and "documents"."organization_id" = $15 and "documents"."page_count" = $16
      order by "document_audiences"."document_id"
      limit 3
    ) as "part1"
  ) as parts
  order by id
  limit 3
) as listed left join lateral (
  select *
  from document_records
  where document_records.document_id = listed.id and format = 1 offset 0
) as document_records on true

-- collaborator: GET /api/documents/?per_page=2&ordering=-page_count&access=private,organization&status=success,error&cursor=WyItcGFnZV9jb3VudCIsMSwzLDFd
select *, false as behind
from (
  select *
  from (
    select documents.id, case when ((documents.user_id = $1 and (documents.access <> 'public' or "documents"."organization_id" = any($2::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($3::bigint[])) or (documents.access <> 'public' and exists (
        select 1
        from document_audiences
        where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($4::text[])
      ))
    ) then 'true' else 'false' end as edit_access, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id
      where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" = any($5::bigint[]))
    ) as shown_projects, "document_audiences"."page_count" as value
    from document_audiences cross join lateral (
      select *
      from documents
      where documents.id = "document_audiences"."document_id" offset 0
    ) as documents
    where document_audiences.audience = $6 and "documents"."access" in ($7, $8) and "documents"."status" in ($9, $10) and ("document_audiences"."page_count", "document_audiences"."document_id") <= ($11, $12)
    order by "document_audiences"."page_count" desc, "document_audiences"."document_id" desc
    limit 1
  ) as "part0"
  union
  select *
  from (
    select documents.id, case when ((documents.user_id = $13 and (documents.access <> 'public' or "documents"."organization_id" = any($14::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($15::bigint[])) or (documents.access <> 'public' and exists (
        select 1
        from document_audiences
        where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($16::text[])
      ))
    ) then 'true' else 'false' end as edit_access, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id
      where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" = any($17::bigint[]))
    ) as shown_projects, "document_audiences"."page_count" as value
    from document_audiences cross join lateral (
      select *
      from documents
      where documents.id = "document_audiences"."document_id" offset 0
    ) as documents
    where document_audiences.audience = $18 and "documents"."access" in ($19, $20) and "documents"."status" in ($21, $22) and ("document_audiences"."page_count", "document_audiences"."document_id") <= ($23, $24)
    order by "document_audiences"."page_count" desc, "document_audiences"."document_id" desc
    limit 1
  ) as "part1"
) as parts
order by value desc, id desc
limit 1

-- member of many: GET /api/documents/?per_page=2&ordering=updated_at&
select convert_from(convert_to(' ' || string_agg(coalesce(opening || case when has_own_files then $1 else $2 end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ', 'UTF8'), 'LATIN1') as records, string_agg(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, false as behind, string_agg(to_json("listed"."value")::text, ',') as values_
from (
  select *
  from (
    select *
    from (
      select documents.id, case when ((documents.user_id = $3 and (documents.access <> 'public' or "documents"."organization_id" = any($4::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($5::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($6::text[])
        ))
      ) then 'true' else 'false' end as edit_access, "documents"."updated_at" as value
      from documents
      where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end
      order by "documents"."updated_at", (documents.id + 0)
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = $7 and (documents.access <> 'public' or "documents"."organization_id" = any($8::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($9::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($10::text[])
        ))
      ) then 'true' else 'false' end as edit_access, "document_audiences"."updated_at" as value
      from (
        select distinct document_id, "created_at", "updated_at", "page_count", "title", "source", "status", "user_id"
        from document_audiences
        where "document_audiences"."audience" = any($11::text[])
      ) as document_audiences cross join lateral (
        select *
        from documents
        where documents.id = "document_audiences"."document_id" offset 0
      ) as documents
      where 1 = 1
      order by "document_audiences"."updated_at", "document_audiences"."document_id"
      limit 3
    ) as "part1"
  ) as parts
  order by value, id
  limit 3
) as listed left join lateral (
  select *
  from document_records
  where document_records.document_id = listed.id and format = 1 offset 0
) as document_records on true

-- member of many: GET /api/documents/?per_page=2&ordering=title&cursor=cj0x
select convert_from(convert_to(' ' || string_agg(coalesce(opening || case when has_own_files then $1 else $2 end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ', 'UTF8'), 'LATIN1') as records, string_agg(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, false as behind, string_agg(to_json("listed"."value")::text, ',') as values_
from (
  select *
  from (
    select *
    from (
      select documents.id, case when ((documents.user_id = $3 and (documents.access <> 'public' or "documents"."organization_id" = any($4::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($5::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($6::text[])
        ))
      ) then 'true' else 'false' end as edit_access, "documents"."title" as value
      from documents
      where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end
      order by "documents"."title" desc, (documents.id + 0) desc
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = $7 and (documents.access <> 'public' or "documents"."organization_id" = any($8::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($9::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($10::text[])
        ))
      ) then 'true' else 'false' end as edit_access, "document_audiences"."title" as value
      from (
        select distinct document_id, "created_at", "updated_at", "page_count", "title", "source", "status", "user_id"
        from document_audiences
        where "document_audiences"."audience" = any($11::text[])
      ) as document_audiences cross join lateral (
        select *
        from documents
        where documents.id = "document_audiences"."document_id" offset 0
      ) as documents
      where 1 = 1
      order by "document_audiences"."title" desc, "document_audiences"."document_id" desc
      limit 3
    ) as "part1"
  ) as parts
  order by value desc, id desc
  limit 3
) as listed left join lateral (
  select *
  from document_records
  where document_records.document_id = listed.id and format = 1 offset 0
) as document_records on true

-- administrator: GET /api/documents/?per_page=2&ordering=title&user=1&cursor=WyJ0aXRsZSIsMSwzLCJiIl0%3D
select convert_from(convert_to(' ' || string_agg(coalesce(opening || case when has_own_files then $1 else $2 end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ', 'UTF8'), 'LATIN1') as records, string_agg(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, ((
    select 1
    from documents
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."user_id" = $3 and ("documents"."title", (documents.id + 0)) >= ($4, $5)
    order by "documents"."title", (documents.id + 0)
    limit 1
  ) is not null or (
    select 1
    from document_audiences cross join lateral (
      select *
      from documents
      where documents.id = "document_audiences"."document_id" offset 0
    ) as documents
    where document_audiences.audience = $6 and "document_audiences"."user_id" = $7 and "documents"."user_id" = $8 and ("document_audiences"."title", "document_audiences"."document_id") >= ($9, $10)
    order by "document_audiences"."title", "document_audiences"."document_id"
    limit 1
  ) is not null
) as behind, string_agg(to_json("listed"."value")::text, ',') as values_
from (
  select *
  from (
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access, "documents"."title" as value
      from documents
      where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."user_id" = $11 and ("documents"."title", (documents.id + 0)) < ($12, $13)
      order by "documents"."title" desc, (documents.id + 0) desc
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access, "document_audiences"."title" as value
      from document_audiences cross join lateral (
        select *
        from documents
        where documents.id = "document_audiences"."document_id" offset 0
      ) as documents
      where document_audiences.audience = $14 and "document_audiences"."user_id" = $15 and "documents"."user_id" = $16 and ("document_audiences"."title", "document_audiences"."document_id") < ($17, $18)
      order by "document_audiences"."title" desc, "document_audiences"."document_id" desc
      limit 3
    ) as "part1"
  ) as parts
  order by value desc, id desc
  limit 3
) as listed left join lateral (
  select *
  from document_records
  where document_records.document_id = listed.id and format = 1 offset 0
) as document_records on true

-- user: GET /api/documents/?per_page=2&ordering=-data_k&id__in=2&cursor=cj0x
select convert_from(convert_to(' ' || string_agg(coalesce(opening || case when has_own_files then $1 else $2 end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ', 'UTF8'), 'LATIN1') as records, string_agg(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, false as behind, string_agg(to_json("listed"."value")::text, ',') as values_
from (
  select *
  from (
    select *
    from (
      select documents.id, case when ((documents.user_id = $3 and (documents.access <> 'public' or "documents"."organization_id" = any($4::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($5::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($6::text[])
        ))
      ) then 'true' else 'false' end as edit_access, "document_data"."highest" as value
      from document_data cross join lateral (
        select *
        from documents
        where documents.id = "document_data"."document_id" offset 0
      ) as documents
      where "document_data"."is_public" = true and document_data.key = $7 and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."id" = $8
      order by "document_data"."highest", "document_data"."document_id"
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = $9 and (documents.access <> 'public' or "documents"."organization_id" = any($10::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($11::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($12::text[])
        ))
      ) then 'true' else 'false' end as edit_access, "document_data"."highest" as value
      from documents join document_data on document_data.document_id = documents.id
      where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and exists (
        select 1
        from document_audiences
        where document_audiences.document_id = "documents"."id" and "document_audiences"."audience" = any($13::text[])
      ) and "documents"."id" = $14 and document_data.key = $15
      order by "document_data"."highest", "documents"."id"
      limit 3
    ) as "part1"
  ) as parts
  order by value, id
  limit 3
) as listed left join lateral (
  select *
  from document_records
  where document_records.document_id = listed.id and format = 1 offset 0
) as document_records on true

-- administrator: GET /api/documents/?per_page=2&ordering=-title&user=1,2&created_at__lt=2026-01-01&cursor=WyItdGl0bGUiLDEsMywiYiJd
select convert_from(convert_to(' ' || string_agg(coalesce(opening || case when has_own_files then $1 else $2 end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ', 'UTF8'), 'LATIN1') as records, string_agg(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, ((
    select 1
    from documents
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."user_id" = any($3::bigint[]) and "documents"."created_at" < $4 and ("documents"."title", (documents.id + 0)) <= ($5, $6)
    order by "documents"."title" desc, (documents.id + 0) desc
    limit 1
  ) is not null or (
    select 1
    from document_audiences cross join lateral (
      select *
      from documents
      where documents.id = "document_audiences"."document_id" offset 0
    ) as documents
    where document_audiences.audience = $7 and "document_audiences"."user_id" = any($8::bigint[]) and "documents"."user_id" = any($9::bigint[]) and "documents"."created_at" < $10 and ("document_audiences"."title", "document_audiences"."document_id") <= ($11, $12)
    order by "document_audiences"."title" desc, "document_audiences"."document_id" desc
    limit 1
  ) is not null
) as behind, string_agg(to_json("listed"."value")::text, ',') as values_
from (
  select *
  from (
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access, "documents"."title" as value
      from documents
      where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."user_id" = any($13::bigint[]) and "documents"."created_at" < $14 and ("documents"."title", (documents.id + 0)) > ($15, $16)
      order by "documents"."title", (documents.id + 0)
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access, "document_audiences"."title" as value
      from document_audiences cross join lateral (
        select *
        from documents
        where documents.id = "document_audiences"."document_id" offset 0
      ) as documents
      where document_audiences.audience = $17 and "document_audiences"."user_id" = any($18::bigint[]) and "documents"."user_id" = any($19::bigint[]) and "documents"."created_at" < $20 and ("document_audiences"."title", "document_audiences"."document_id") > ($21, $22)
      order by "document_audiences"."title", "document_audiences"."document_id"
      limit 3
    ) as "part1"
  ) as parts
  order by value, id
  limit 3
) as listed left join lateral (
  select *
  from document_records
  where document_records.document_id = listed.id and format = 1 offset 0
) as document_records on true

-- collaborator: GET /api/documents/?per_page=2&ordering=id&id__in=1,2,3&expand=user&cursor=cj0xJnA9Mw%3D%3D
select *, ((
    select 1
    from documents
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."id" = any($1::bigint[]) and (documents.id + 0) >= $2
    order by (documents.id + 0)
    limit 1
  ) is not null or (
    select 1
    from documents
    where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "documents"."id" and "document_audiences"."audience" = any($3::text[])
    ) and "documents"."id" = any($4::bigint[]) and "documents"."id" >= $5
    order by "documents"."id"
    limit 1
  ) is not null
) as behind
from (
  select *
  from (
    select documents.*, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships
      where project_memberships.document_id = documents.id and "project_memberships"."project_id" = any($6::bigint[]) and project_memberships.edit_access = true
    ) as sharing_projects, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = true
      where project_memberships.document_id = documents.id and "project_memberships"."project_id" = any($7::bigint[])
    ) as private_projects
    from documents
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."id" = any($8::bigint[]) and (documents.id + 0) < $9
    order by (documents.id + 0) desc
    limit 3
  ) as "part0"
  union
  select *
  from (
    select documents.*, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships
      where project_memberships.document_id = documents.id and "project_memberships"."project_id" = any($10::bigint[]) and project_memberships.edit_access = true
    ) as sharing_projects, (
      select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = true
      where project_memberships.document_id = documents.id and "project_memberships"."project_id" = any($11::bigint[])
    ) as private_projects
    from documents
    where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "documents"."id" and "document_audiences"."audience" = any($12::text[])
    ) and "documents"."id" = any($13::bigint[]) and "documents"."id" < $14
    order by "documents"."id" desc
    limit 3
  ) as "part1"
) as parts
order by id desc
limit 3

-- user: GET /api/documents/?per_page=2&ordering=data_k&cursor=WyJkYXRhX2siLDAsMyxudWxsXQ%3D%3D
select convert_from(convert_to(' ' || string_agg(coalesce(opening || case when has_own_files then $1 else $2 end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ', 'UTF8'), 'LATIN1') as records, string_agg(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, ((
    select 1
    from documents
    where not exists (
      select 1
      from document_data
      where document_data.key = $3 and document_data.document_id = documents.id
    ) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and (documents.id + 0) <= $4
    order by (documents.id + 0) desc
    limit 1
  ) is not null or (
    select 1
    from document_audiences cross join lateral (
      select *
      from documents
      where documents.id = "document_audiences"."document_id" offset 0
    ) as documents
    where document_audiences.audience = $5 and not exists (
      select 1
      from document_data
      where document_data.key = $6 and document_data.document_id = documents.id
    ) and "document_audiences"."document_id" <= $7
    order by "document_audiences"."document_id" desc
    limit 1
  ) is not null
) as behind
from (
  select *
  from (
    select *
    from (
      select documents.id, case when ((documents.user_id = $8 and (documents.access <> 'public' or "documents"."organization_id" = any($9::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($10::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($11::text[])
        ))
      ) then 'true' else 'false' end as edit_access
      from documents
      where not exists (
        select 1
        from document_data
        where document_data.key = $12 and document_data.document_id = documents.id
      ) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and (documents.id + 0) > $13
      order by (documents.id + 0)
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = $14 and (documents.access <> 'public' or "documents"."organization_id" = any($15::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($16::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($17::text[])
        ))
      ) then 'true' else 'false' end as edit_access
      from document_audiences cross join lateral (
        select *
        from documents
        where documents.id = "document_audiences"."document_id" offset 0
      ) as documents
      where document_audiences.audience = $18 and not exists (
        select 1
        from document_data
        where document_data.key = $19 and document_data.document_id = documents.id
      ) and "document_audiences"."document_id" > $20
      order by "document_audiences"."document_id"
      limit 3
    ) as "part1"
  ) as parts
  order by id
  limit 3
) as listed left join lateral (
  select *
  from document_records
  where document_records.document_id = listed.id and format = 1 offset 0
) as document_records on true

-- user: GET /api/documents/?per_page=2&ordering=data_k&cursor=WyJkYXRhX2siLDEsMyxudWxsXQ%3D%3D
select convert_from(convert_to(' ' || string_agg(coalesce(opening || case when has_own_files then $1 else $2 end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ', 'UTF8'), 'LATIN1') as records, string_agg(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, ((
    select 1
    from documents
    where not exists (
      select 1
      from document_data
      where document_data.key = $3 and document_data.document_id = documents.id
    ) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and (documents.id + 0) >= $4
    order by (documents.id + 0)
    limit 1
  ) is not null or (
    select 1
    from document_audiences cross join lateral (
      select *
      from documents
      where documents.id = "document_audiences"."document_id" offset 0
    ) as documents
    where document_audiences.audience = $5 and not exists (
      select 1
      from document_data
      where document_data.key = $6 and document_data.document_id = documents.id
    ) and "document_audiences"."document_id" >= $7
    order by "document_audiences"."document_id"
    limit 1
  ) is not null
) as behind
from (
  select *
  from (
    select *
    from (
      select documents.id, case when ((documents.user_id = $8 and (documents.access <> 'public' or "documents"."organization_id" = any($9::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($10::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($11::text[])
        ))
      ) then 'true' else 'false' end as edit_access
      from documents
      where not exists (
        select 1
        from document_data
        where document_data.key = $12 and document_data.document_id = documents.id
      ) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and (documents.id + 0) < $13
      order by (documents.id + 0) desc
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = $14 and (documents.access <> 'public' or "documents"."organization_id" = any($15::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($16::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($17::text[])
        ))
      ) then 'true' else 'false' end as edit_access
      from document_audiences cross join lateral (
        select *
        from documents
        where documents.id = "document_audiences"."document_id" offset 0
      ) as documents
      where document_audiences.audience = $18 and not exists (
        select 1
        from document_data
        where document_data.key = $19 and document_data.document_id = documents.id
      ) and "document_audiences"."document_id" < $20
      order by "document_audiences"."document_id" desc
      limit 3
    ) as "part1"
  ) as parts
  order by id desc
  limit 3
) as listed left join lateral (
  select *
  from document_records
  where document_records.document_id = listed.id and format = 1 offset 0
) as document_records on true

-- collaborator: GET /api/documents/?per_page=2&ordering=data_k&user=1&cursor=WyJkYXRhX2siLDAsMywiYiJd
select convert_from(convert_to(' ' || string_agg(coalesce(opening || case when has_own_files then $1 else $2 end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6), projects_at - (edit_at + 6) + 1) || coalesce(listed.shown_projects, '') || substr(rest, projects_at + length(projects) + 1), ''), '') || ' ', 'UTF8'), 'LATIN1') as records, string_agg(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access || '/' || coalesce(listed.shown_projects, ''), ''), ' ') as lines, false as behind
from (
  select *
  from (
    select *
    from (
      select documents.id, case when ((documents.user_id = $3 and (documents.access <> 'public' or "documents"."organization_id" = any($4::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($5::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($6::text[])
        ))
      ) then 'true' else 'false' end as edit_access, (
        select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
        from project_memberships join projects on projects.id = project_memberships.project_id
        where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" = any($7::bigint[]))
      ) as shown_projects
      from documents
      where not exists (
        select 1
        from document_data
        where document_data.key = $8 and document_data.document_id = documents.id
      ) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."user_id" = $9
      order by (documents.id + 0)
      limit 1
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = $10 and (documents.access <> 'public' or "documents"."organization_id" = any($11::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($12::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($13::text[])
        ))
      ) then 'true' else 'false' end as edit_access, (
        select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
        from project_memberships join projects on projects.id = project_memberships.project_id
        where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" = any($14::bigint[]))
      ) as shown_projects
      from document_audiences cross join lateral (
        select *
        from documents
        where documents.id = "document_audiences"."document_id" offset 0
      ) as documents
      where document_audiences.audience = $15 and "document_audiences"."user_id" = $16 and "documents"."user_id" = $17 and not exists (
        select 1
        from document_data
        where document_data.key = $18 and document_data.document_id = documents.id
      )
      order by "document_audiences"."document_id"
      limit 1
    ) as "part1"
  ) as parts
  order by id
  limit 1
) as listed left join lateral (
  select *
  from document_records
  where document_records.document_id = listed.id and format = 1 offset 0
) as document_records on true

-- member of many: GET /api/documents/?per_page=2&ordering=updated_at&cursor=WyJ1cGRhdGVkX2F0IiwwLDMsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiJd
select convert_from(convert_to(' ' || string_agg(coalesce(opening || case when has_own_files then $1 else $2 end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ', 'UTF8'), 'LATIN1') as records, string_agg(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, ((
    select 1
    from documents
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and ("documents"."updated_at", (documents.id + 0)) <= ($3, $4)
    order by "documents"."updated_at" desc, (documents.id + 0) desc
    limit 1
  ) is not null or (
    select 1
    from (
      select distinct document_id, "created_at", "updated_at", "page_count", "title", "source", "status", "user_id"
      from document_audiences
      where "document_audiences"."audience" = any($5::text[])
    ) as document_audiences cross join lateral (
      select *
      from documents
      where documents.id = "document_audiences"."document_id" offset 0
    ) as documents
    where 1 = 1 and ("document_audiences"."updated_at", "document_audiences"."document_id") <= ($6, $7)
    order by "document_audiences"."updated_at" desc, "document_audiences"."document_id" desc
    limit 1
  ) is not null
) as behind, string_agg(to_json("listed"."value")::text, ',') as values_
from (
  select *
  from (
    select *
    from (
      select documents.id, case when ((documents.user_id = $8 and (documents.access <> 'public' or "documents"."organization_id" = any($9::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($10::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($11::text[])
        ))
      ) then 'true' else 'false' end as edit_access, "documents"."updated_at" as value
      from documents
      where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and ("documents"."updated_at", (documents.id + 0)) > ($12, $13)
      order by "documents"."updated_at", (documents.id + 0)
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = $14 and (documents.access <> 'public' or "documents"."organization_id" = any($15::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($16::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($17::text[])
        ))
      ) then 'true' else 'false' end as edit_access, "document_audiences"."updated_at" as value
      from (
        select distinct document_id, "created_at", "updated_at", "page_count", "title", "source", "status", "user_id"
        from document_audiences
        where "document_audiences"."audience" = any($18::text[])
      ) as document_audiences cross join lateral (
        select *
        from documents
        where documents.id = "document_audiences"."document_id" offset 0
      ) as documents
      where 1 = 1 and ("document_audiences"."updated_at", "document_audiences"."document_id") > ($19, $20)
      order by "document_audiences"."updated_at", "document_audiences"."document_id"
      limit 3
    ) as "part1"
  ) as parts
  order by value, id
  limit 3
) as listed left join lateral (
  select *
  from document_records
  where document_records.document_id = listed.id and format = 1 offset 0
) as document_records on true

-- collaborator: GET /api/documents/?per_page=2&cursor=bz0xJnA9Mg%3D%3D
select convert_from(convert_to(' ' || string_agg(coalesce(opening || case when has_own_files then $1 else $2 end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6), projects_at - (edit_at + 6) + 1) || coalesce(listed.shown_projects, '') || substr(rest, projects_at + length(projects) + 1), ''), '') || ' ', 'UTF8'), 'LATIN1') as records, string_agg(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access || '/' || coalesce(listed.shown_projects, ''), ''), ' ') as lines, ((
    select 1
    from documents
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and (documents.id + 0) <= $3
    order by (documents.id + 0) desc
    limit 1
  ) is not null or (
    select 1
    from document_audiences cross join lateral (
      select *
      from documents
      where documents.id = "document_audiences"."document_id" offset 0
    ) as documents
    where document_audiences.audience = $4 and "document_audiences"."document_id" <= $5
    order by "document_audiences"."document_id" desc
    limit 1
  ) is not null or (
    select 1
    from document_audiences cross join lateral (
      select *
      from documents
      where documents.id = "document_audiences"."document_id" offset 0
    ) as documents
    where document_audiences.audience = $6 and "document_audiences"."document_id" <= $7
    order by "document_audiences"."document_id" desc
    limit 1
  ) is not null
) as behind
from (
  select *
  from (
    select *
    from (
      select documents.id, case when ((documents.user_id = $8 and (documents.access <> 'public' or "documents"."organization_id" = any($9::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($10::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($11::text[])
        ))
      ) then 'true' else 'false' end as edit_access, (
        select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
        from project_memberships join projects on projects.id = project_memberships.project_id
        where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" = any($12::bigint[]))
      ) as shown_projects
      from documents
      where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and (documents.id + 0) > $13
      order by (documents.id + 0)
      limit $14
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = $15 and (documents.access <> 'public' or "documents"."organization_id" = any($16::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($17::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($18::text[])
        ))
      ) then 'true' else 'false' end as edit_access, (
        select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
        from project_memberships join projects on projects.id = project_memberships.project_id
        where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" = any($19::bigint[]))
      ) as shown_projects
      from document_audiences cross join lateral (
        select *
        from documents
        where documents.id = "document_audiences"."document_id" offset 0
      ) as documents
      where document_audiences.audience = $20 and "document_audiences"."document_id" > $21
      order by "document_audiences"."document_id"
      limit $22
    ) as "part1"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = $23 and (documents.access <> 'public' or "documents"."organization_id" = any($24::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($25::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($26::text[])
        ))
      ) then 'true' else 'false' end as edit_access, (
        select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
        from project_memberships join projects on projects.id = project_memberships.project_id
        where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" = any($27::bigint[]))
      ) as shown_projects
      from document_audiences cross join lateral (
        select *
        from documents
        where documents.id = "document_audiences"."document_id" offset 0
      ) as documents
      where document_audiences.audience = $28 and "document_audiences"."document_id" > $29
      order by "document_audiences"."document_id"
      limit $30
    ) as "part2"
  ) as parts
  order by id
  limit 3 offset $31
) as listed left join lateral (
  select *
  from document_records
  where document_records.document_id = listed.id and format = 1 offset 0
) as document_records on true

-- collaborator: GET /api/documents/?per_page=2&project=1,2&cursor=bz0xJnA9Mg%3D%3D
select convert_from(convert_to(' ' || string_agg(coalesce(opening || case when has_own_files then $1 else $2 end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6), projects_at - (edit_at + 6) + 1) || coalesce(listed.shown_projects, '') || substr(rest, projects_at + length(projects) + 1), ''), '') || ' ', 'UTF8'), 'LATIN1') as records, string_agg(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access || '/' || coalesce(listed.shown_projects, ''), ''), ' ') as lines, ((
    select 1
    from project_memberships cross join lateral (
      select *
      from documents
      where documents.id = "project_memberships"."document_id" offset 0
    ) as documents
    where "project_memberships"."project_id" = $3 and "project_memberships"."is_public" = true and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "project_memberships"."document_id" <= $4
    order by "project_memberships"."document_id" desc
    limit 1
  ) is not null or (
    select 1
    from project_memberships cross join lateral (
      select *
      from documents
      where documents.id = "project_memberships"."document_id" offset 0
    ) as documents
    where "project_memberships"."project_id" = $5 and "project_memberships"."is_public" = true and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "project_memberships"."document_id" <= $6
    order by "project_memberships"."document_id" desc
    limit 1
  ) is not null or (
    select 1
    from documents
    where documents.id in (
      select document_id
      from project_memberships
      where "project_memberships"."project_id" = any($7::bigint[])
    ) and not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "documents"."id" and "document_audiences"."audience" = any($8::text[])
    ) and "documents"."id" <= $9
    order by "documents"."id" desc
    limit 1
  ) is not null
) as behind
from (
  select *
  from (
    select *
    from (
      select documents.id, case when ((documents.user_id = $10 and (documents.access <> 'public' or "documents"."organization_id" = any($11::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($12::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($13::text[])
        ))
      ) then 'true' else 'false' end as edit_access, (
        select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
        from project_memberships join projects on projects.id = project_memberships.project_id
        where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" = any($14::bigint[]))
      ) as shown_projects
      from project_memberships cross join lateral (
        select *
        from documents
        where documents.id = "project_memberships"."document_id" offset 0
      ) as documents
      where "project_memberships"."project_id" = $15 and "project_memberships"."is_public" = true and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "project_memberships"."document_id" > $16
      order by "project_memberships"."document_id"
      limit $17
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = $18 and (documents.access <> 'public' or "documents"."organization_id" = any($19::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($20::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($21::text[])
        ))
      ) then 'true' else 'false' end as edit_access, (
        select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
        from project_memberships join projects on projects.id = project_memberships.project_id
        where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" = any($22::bigint[]))
      ) as shown_projects
      from project_memberships cross join lateral (
        select *
        from documents
        where documents.id = "project_memberships"."document_id" offset 0
      ) as documents
      where "project_memberships"."project_id" = $23 and "project_memberships"."is_public" = true and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "project_memberships"."document_id" > $24
      order by "project_memberships"."document_id"
      limit $25
    ) as "part1"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = $26 and (documents.access <> 'public' or "documents"."organization_id" = any($27::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($28::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($29::text[])
        ))
      ) then 'true' else 'false' end as edit_access, (
        select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
        from project_memberships join projects on projects.id = project_memberships.project_id
        where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" = any($30::bigint[]))
      ) as shown_projects
      from documents
      where documents.id in (
        select document_id
        from project_memberships
        where "project_memberships"."project_id" = any($31::bigint[])
      ) and not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and exists (
        select 1
        from document_audiences
        where document_audiences.document_id = "documents"."id" and "document_audiences"."audience" = any($32::text[])
      ) and "documents"."id" > $33
      order by "documents"."id"
      limit $34
    ) as "part2"
  ) as parts
  order by id
  limit 3 offset $35
) as listed left join lateral (
  select *
  from document_records
  where document_records.document_id = listed.id and format = 1 offset 0
) as document_records on true
