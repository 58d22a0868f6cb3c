-- user: GET /api/documents/?per_page=2&ordering=id&user=1&expand=user
select digest, user_id, seen_at
from sessions
where digest = ? and expires_at > ?

-- anonymous: GET /api/documents/?per_page=2&ordering=-created_at&user=1&cursor=cj0x
select 1
where (
  select id
  from documents
  where user_id = ? and documents.access = 'public' and documents.status in ('success', 'readable')
  limit 1
) is not null

-- user: GET /api/documents/?per_page=2&ordering=data_k&user=1,2&created_at__lt=2026-01-01&cursor=cj0x
select count(*) as seen
from (
  select 1
  from document_audiences
  where "document_audiences"."audience" in (
    select value
    from json_each(?)
  )
  limit 5000
) as found

-- administrator: GET /api/documents/?per_page=2&ordering=-data_k&organization=1,2&page_count__gt=0&page_count__lt=9&expand=user&cursor=WyItZGF0YV9rIiwwLDMsImIiXQ%3D%3D
select organizations.id
from organizations
where "organizations"."id" in (
  select value
  from json_each(?)
) and not exists (
  select 1
  from users
  where users.uuid = organizations.uuid and not 1 = 1
)

-- anonymous: GET /api/documents/?per_page=2&ordering=data_k&organization=1&page_count=1&expand=user&cursor=WyJkYXRhX2siLDEsMywiYiJd
select organizations.id
from organizations
where "organizations"."id" in (
  select value
  from json_each(?)
) and exists (
  select 1
  from documents
  where documents.organization_id = organizations.id and documents.access = 'public' and documents.status in ('success', 'readable')
)

-- collaborator: GET /api/documents/?per_page=2&ordering=created_at&user=1,2&created_at__lt=2026-01-01&expand=user&cursor=WyJjcmVhdGVkX2F0IiwwLDMsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiJd
select api_tokens.id, api_tokens.user_id, may_write, last_used_at, run_id, addon_runs.uuid as run_uuid, addon_runs.event_id as run_event, addon_runs.scope as run_scope
from api_tokens left join addon_runs on addon_runs.id = run_id
where digest = ? and (expires_at is null or expires_at > ?)

-- anonymous: GET /api/documents/?per_page=2&ordering=id&organization=1&page_count=1&cursor=cD0z
select documents.id, false as behind
from documents indexed by "documents_by_organization_id"
where "documents"."organization_id" = ? and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."page_count" = ? and "documents"."id" <= ?
order by "documents"."id" desc
limit 1

-- anonymous: GET /api/documents/?per_page=2&ordering=-data_k&id__in=1,2,3&cursor=WyItZGF0YV9rIiwxLDMsImIiXQ%3D%3D
select documents.id, false as behind
from documents indexed by "documents_by_id"
where not exists (
  select 1
  from document_data
  where document_data.key = ? and document_data.document_id = documents.id
) and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."id" in (
  select value
  from json_each(?)
)
order by "documents"."id" desc
limit 1

-- user: GET /api/documents/?per_page=2&ordering=id&user=1&expand=user
select documents.*, (
  select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
  from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
  where project_memberships.document_id = documents.id
) as public_projects, false as behind
from documents indexed by "documents_by_user_id"
where "documents"."user_id" = ? and documents.access = 'public' and documents.status in ('success', 'readable')
order by "documents"."id"
limit 3

-- anonymous: GET /api/documents/?per_page=2&ordering=updated_at&id__in=2&expand=user
select documents.*, (
  select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
  from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
  where project_memberships.document_id = documents.id
) as public_projects, "documents"."updated_at" as value, false as behind
from documents indexed by "documents_by_updated_at"
where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."id" = ?
order by "documents"."updated_at", "documents"."id"
limit 3

-- user: GET /api/documents/?per_page=2&ordering=id&user=1&expand=user
select 1
where (
  select id
  from documents
  where user_id = ? and documents.access = 'public' and documents.status in ('success', 'readable')
  limit 1
) is not null or exists (
  select 1
  from organization_members mine join organization_members theirs on theirs.organization_id = mine.organization_id
  where mine.user_id = ? and theirs.user_id = ?
) or exists (
  select 1
  from project_collaborators mine join project_collaborators theirs on theirs.project_id = mine.project_id
  where mine.user_id = ? and theirs.user_id = ?
)

-- user: GET /api/documents/?per_page=2&ordering=id&user=1&expand=user
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
where "users"."id" in (
  select value
  from json_each(?)
)

-- anonymous: GET /api/documents/?per_page=2&ordering=-source&id__in=1,2,3&expand=user
select documents.*, (
  select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
  from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
  where project_memberships.document_id = documents.id
) as public_projects, "documents"."source" as value, false as behind
from documents indexed by "documents_by_source"
where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."id" in (
  select value
  from json_each(?)
)
order by "documents"."source" desc, "documents"."id" desc
limit 3

-- anonymous: GET /api/documents/?per_page=2&ordering=source&user=1,2&created_at__lt=2026-01-01&expand=user
select documents.*, (
  select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
  from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
  where project_memberships.document_id = documents.id
) as public_projects, "documents"."source" as value, false as behind
from documents indexed by "documents_by_source"
where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" in (
  select value
  from json_each(?)
) and "documents"."created_at" < ?
order by "documents"."source", "documents"."id"
limit 3

-- anonymous: GET /api/documents/?per_page=2&ordering=-id&parent=1&expand=user&cursor=WyItaWQiLDAsMyxudWxsXQ%3D%3D
select documents.*, (
  select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
  from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
  where project_memberships.document_id = documents.id
) as public_projects, false as behind
from documents indexed by "documents_by_id"
where documents.access = 'public' and documents.status in ('success', 'readable') and documents.id in (
  select child_id
  from document_children
  where "document_children"."parent_id" in (
    select value
    from json_each(?)
  )
) and "documents"."id" >= ?
order by "documents"."id"
limit 1

-- user: GET /api/documents/?per_page=2&ordering=page_count&access=private,organization&status=success,error&expand=user
select documents.*, (
  select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
  from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
  where project_memberships.document_id = documents.id
) as public_projects, "document_audiences"."page_count" as value, false as behind
from document_audiences indexed by "document_audiences_by_page_count" cross join documents on documents.id = "document_audiences"."document_id"
where document_audiences.audience = ? and "documents"."access" in (?, ?) and "documents"."status" in (?, ?)
order by "document_audiences"."page_count", "document_audiences"."document_id"
limit 3

-- collaborator: GET /api/documents/?per_page=2&ordering=-id&organization=1,2&page_count__gt=0&page_count__lt=9&cursor=WyItaWQiLDEsMyxudWxsXQ%3D%3D
select organizations.id
from organizations
where "organizations"."id" in (
  select value
  from json_each(?)
) and not exists (
  select 1
  from users
  where users.uuid = organizations.uuid and not (users.id = ? or exists (
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
)

-- anonymous: GET /api/documents/?per_page=2&ordering=-id&parent=1&expand=user&cursor=WyItaWQiLDAsMyxudWxsXQ%3D%3D
select documents.*, (
  select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
  from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
  where project_memberships.document_id = documents.id
) as public_projects, ((
    select 1
    from documents indexed by "documents_by_id"
    where documents.access = 'public' and documents.status in ('success', 'readable') and documents.id in (
      select child_id
      from document_children
      where "document_children"."parent_id" in (
        select value
        from json_each(?)
      )
    ) and "documents"."id" >= ?
    order by "documents"."id"
    limit 1
  ) is not null
) as behind
from documents indexed by "documents_by_id"
where documents.access = 'public' and documents.status in ('success', 'readable') and documents.id in (
  select child_id
  from document_children
  where "document_children"."parent_id" in (
    select value
    from json_each(?)
  )
) and "documents"."id" < ?
order by "documents"."id" desc
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

-- anonymous: GET /api/documents/?per_page=2&ordering=-data_k&id__in=1,2,3&cursor=WyItZGF0YV9rIiwxLDMsImIiXQ%3D%3D
select *, false as behind
from (
  select *
  from (
    select documents.id, "document_data"."highest" as value
    from document_data indexed by "document_data_by_highest" cross join documents on documents.id = "document_data"."document_id"
    where "document_data"."is_public" = true and document_data.key = ? and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."id" in (
      select value
      from json_each(?)
    ) and "document_data"."highest" = ? and "document_data"."document_id" <= ?
    order by "document_data"."highest" desc, "document_data"."document_id" desc
    limit 1
  ) as "part0"
  union all
  select *
  from (
    select documents.id, "document_data"."highest" as value
    from document_data indexed by "document_data_by_highest" cross join documents on documents.id = "document_data"."document_id"
    where "document_data"."is_public" = true and document_data.key = ? and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."id" in (
      select value
      from json_each(?)
    ) and "document_data"."highest" < ?
    order by "document_data"."highest" desc, "document_data"."document_id" desc
    limit 1
  ) as "part1"
) as parts
order by value desc, id desc
limit 1

-- anonymous: GET /api/documents/?per_page=2&ordering=-created_at&user=1&cursor=cj0x
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || rest, ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest, ''), ' ') as lines, false as behind, group_concat(json_quote("listed"."value"), ',') as values_
from (
  select documents.id, "documents"."created_at" as value
  from documents indexed by "documents_by_created_at"
  where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" = ?
  order by "documents"."created_at", "documents"."id"
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- anonymous: GET /api/documents/?per_page=2&ordering=data_k&parent=none&cursor=WyJkYXRhX2siLDAsMywiYiJd
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || rest, ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest, ''), ' ') as lines, false as behind
from (
  select documents.id
  from documents indexed by "documents_by_id"
  where not exists (
    select 1
    from document_data
    where document_data.key = ? and document_data.document_id = documents.id
  ) and documents.access = 'public' and documents.status in ('success', 'readable') and not exists (
    select 1
    from document_children
    where document_children.child_id = documents.id
  )
  order by "documents"."id"
  limit 1
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- anonymous: GET /api/documents/?per_page=2&ordering=id&cursor=cD0z
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || rest, ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest, ''), ' ') as lines, ((
    select 1
    from documents indexed by "documents_by_id"
    where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."id" <= ?
    order by "documents"."id" desc
    limit 1
  ) is not null
) as behind
from (
  select documents.id
  from documents indexed by "documents_by_id"
  where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."id" > ?
  order by "documents"."id"
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- anonymous: GET /api/documents/?per_page=2&ordering=created_at&organization=1,2&page_count__gt=0&page_count__lt=9&cursor=cj0x
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || rest, ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest, ''), ' ') as lines, false as behind, group_concat(json_quote("listed"."value"), ',') as values_
from (
  select documents.id, "documents"."created_at" as value
  from documents indexed by "documents_by_created_at"
  where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."organization_id" in (
    select value
    from json_each(?)
  ) and "documents"."page_count" < ? and "documents"."page_count" > ?
  order by "documents"."created_at" desc, "documents"."id" desc
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- anonymous: GET /api/documents/?per_page=2&ordering=id&status=success&cursor=cD0z
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || rest, ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest, ''), ' ') as lines, ((
    select 1
    from documents indexed by "documents_by_status"
    where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."status" = ? and "documents"."id" <= ?
    order by "documents"."id" desc
    limit 1
  ) is not null
) as behind
from (
  select documents.id
  from documents indexed by "documents_by_status"
  where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."status" = ? and "documents"."id" > ?
  order by "documents"."id"
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- anonymous: GET /api/documents/?per_page=2&ordering=data_k&parent=1&cursor=WyJkYXRhX2siLDAsMywiYiJd
select *, false as behind
from (
  select *
  from (
    select documents.id, "document_data"."lowest" as value
    from document_data indexed by "document_data_by_lowest" cross join documents on documents.id = "document_data"."document_id"
    where "document_data"."is_public" = true and document_data.key = ? and documents.access = 'public' and documents.status in ('success', 'readable') and documents.id in (
      select child_id
      from document_children
      where "document_children"."parent_id" in (
        select value
        from json_each(?)
      )
    ) and "document_data"."lowest" = ? and "document_data"."document_id" <= ?
    order by "document_data"."lowest" desc, "document_data"."document_id" desc
    limit 1
  ) as "part0"
  union all
  select *
  from (
    select documents.id, "document_data"."lowest" as value
    from document_data indexed by "document_data_by_lowest" cross join documents on documents.id = "document_data"."document_id"
    where "document_data"."is_public" = true and document_data.key = ? and documents.access = 'public' and documents.status in ('success', 'readable') and documents.id in (
      select child_id
      from document_children
      where "document_children"."parent_id" in (
        select value
        from json_each(?)
      )
    ) and "document_data"."lowest" < ?
    order by "document_data"."lowest" desc, "document_data"."document_id" desc
    limit 1
  ) as "part1"
) as parts
order by value desc, id desc
limit 1

-- user: GET /api/documents/?per_page=2&ordering=title&status=success&expand=user
select *, false as behind
from (
  select *
  from (
    select documents.*, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "documents"."title" as value
    from documents indexed by "documents_by_title"
    where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."status" = ?
    order by "documents"."title", "documents"."id"
    limit 3
  ) as "part0"
  union
  select *
  from (
    select documents.*, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "document_audiences"."title" as value
    from document_audiences indexed by "document_audiences_by_title" cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and "documents"."status" in (?)
    order by "document_audiences"."title", "document_audiences"."document_id"
    limit 3
  ) as "part1"
) as parts
order by value, id
limit 3

-- user: GET /api/documents/?per_page=2&ordering=-page_count&organization=1,2&page_count__gt=0&page_count__lt=9&expand=user
select *, false as behind
from (
  select *
  from (
    select documents.*, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "documents"."page_count" as value
    from documents indexed by "documents_by_page_count"
    where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."organization_id" in (
      select value
      from json_each(?)
    ) and "documents"."page_count" < ? and "documents"."page_count" > ?
    order by "documents"."page_count" desc, "documents"."id" desc
    limit 3
  ) as "part0"
  union
  select *
  from (
    select documents.*, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "document_audiences"."page_count" as value
    from document_audiences indexed by "document_audiences_by_page_count" cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and "documents"."organization_id" in (
      select value
      from json_each(?)
    ) and "documents"."page_count" < ? and "documents"."page_count" > ?
    order by "document_audiences"."page_count" desc, "document_audiences"."document_id" desc
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
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects
    from project_memberships indexed by "project_memberships_by_project" cross join documents on documents.id = "project_memberships"."document_id"
    where "project_memberships"."project_id" = ? and "project_memberships"."is_public" = true and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."created_at" > ?
    order by "project_memberships"."document_id"
    limit 3
  ) as "part0"
  union
  select *
  from (
    select documents.*, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects
    from documents
    where documents.id in (
      select document_id
      from project_memberships
      where "project_memberships"."project_id" in (
        select value
        from json_each(?)
      )
    ) and not (documents.access = 'public' and documents.status in ('success', 'readable')) and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "documents"."id" and "document_audiences"."audience" in (
        select value
        from json_each(?)
      )
    ) and "documents"."created_at" > ?
    order by "documents"."id"
    limit 3
  ) as "part1"
) as parts
order by id
limit 3

-- user: GET /api/documents/?per_page=2&ordering=-title&parent=1&expand=user
select *, false as behind
from (
  select *
  from (
    select documents.*, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "documents"."title" as value
    from documents indexed by "documents_by_title"
    where documents.access = 'public' and documents.status in ('success', 'readable') and documents.id in (
      select child_id
      from document_children
      where "document_children"."parent_id" in (
        select value
        from json_each(?)
      )
    )
    order by "documents"."title" desc, "documents"."id" desc
    limit 3
  ) as "part0"
  union
  select *
  from (
    select documents.*, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "documents"."title" as value
    from documents
    where not (documents.access = 'public' and documents.status in ('success', 'readable')) and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "documents"."id" and "document_audiences"."audience" in (
        select value
        from json_each(?)
      )
    ) and documents.id in (
      select child_id
      from document_children
      where "document_children"."parent_id" in (
        select value
        from json_each(?)
      )
    )
    order by "documents"."title" desc, "documents"."id" desc
    limit 3
  ) as "part1"
) as parts
order by value desc, id desc
limit 3

-- user: GET /api/documents/?per_page=2&user=1
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, false as behind
from (
  select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
  ) then 'true' else 'false' end as edit_access
  from documents indexed by "documents_by_user_id"
  where "documents"."user_id" = ? and documents.access = 'public' and documents.status in ('success', 'readable')
  order by "documents"."id"
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- administrator: GET /api/documents/?per_page=2&organization=11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, false as behind
from (
  select *
  from (
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access
      from documents indexed by "documents_by_id"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."organization_id" in (
        select value
        from json_each(?)
      )
      order by "documents"."id"
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access
      from document_audiences cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ? and "documents"."organization_id" in (
        select value
        from json_each(?)
      )
      order by "document_audiences"."document_id"
      limit 3
    ) as "part1"
  ) as parts
  order by id
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- administrator: GET /api/documents/?per_page=2&ordering=id&id__in=2&cursor=cj0x
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, false as behind
from (
  select *
  from (
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access
      from documents indexed by "documents_by_id"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."id" = ?
      order by "documents"."id" desc
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access
      from documents
      where not (documents.access = 'public' and documents.status in ('success', 'readable')) and exists (
        select 1
        from document_audiences
        where document_audiences.document_id = "documents"."id" and "document_audiences"."audience" in (
          select value
          from json_each(?)
        )
      ) and "documents"."id" = ?
      order by "documents"."id" desc
      limit 3
    ) as "part1"
  ) as parts
  order by id desc
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- anonymous: GET /api/documents/?per_page=2&ordering=data_k&organization=1&page_count=1&expand=user&cursor=WyJkYXRhX2siLDEsMywiYiJd
select *, false as behind
from (
  select *
  from (
    select documents.*, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "document_data"."lowest" as value
    from document_data indexed by "document_data_by_lowest" cross join documents on documents.id = "document_data"."document_id"
    where "document_data"."is_public" = true and document_data.key = ? and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."organization_id" = ? and "documents"."page_count" = ? and "document_data"."lowest" = ? and "document_data"."document_id" >= ?
    order by "document_data"."lowest", "document_data"."document_id"
    limit 1
  ) as "part0"
  union all
  select *
  from (
    select documents.*, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "document_data"."lowest" as value
    from document_data indexed by "document_data_by_lowest" cross join documents on documents.id = "document_data"."document_id"
    where "document_data"."is_public" = true and document_data.key = ? and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."organization_id" = ? and "documents"."page_count" = ? and "document_data"."lowest" > ?
    order by "document_data"."lowest", "document_data"."document_id"
    limit 1
  ) as "part1"
) as parts
order by value, id
limit 1

-- user: GET /api/documents/?per_page=2&ordering=data_k&cursor=WyJkYXRhX2siLDEsMyxudWxsXQ%3D%3D
select *, false as behind
from (
  select *
  from (
    select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
    ) then 'true' else 'false' end as edit_access
    from documents indexed by "documents_by_id"
    where not exists (
      select 1
      from document_data
      where document_data.key = ? and document_data.document_id = documents.id
    ) and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."id" >= ?
    order by "documents"."id"
    limit 1
  ) as "part0"
  union
  select *
  from (
    select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
    ) then 'true' else 'false' end as edit_access
    from document_audiences cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and not exists (
      select 1
      from document_data
      where document_data.key = ? and document_data.document_id = documents.id
    ) and "document_audiences"."document_id" >= ?
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
    select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
    ) then 'true' else 'false' end as edit_access
    from documents indexed by "documents_by_id"
    where not exists (
      select 1
      from document_data
      where document_data.key = ? and document_data.document_id = documents.id
    ) and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."id" <= ?
    order by "documents"."id" desc
    limit 1
  ) as "part0"
  union
  select *
  from (
    select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
    ) then 'true' else 'false' end as edit_access
    from document_audiences cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and not exists (
      select 1
      from document_data
      where document_data.key = ? and document_data.document_id = documents.id
    ) and "document_audiences"."document_id" <= ?
    order by "document_audiences"."document_id" desc
    limit 1
  ) as "part1"
) as parts
order by id desc
limit 1

-- user: GET /api/documents/?per_page=2&ordering=-data_k&cursor=WyItZGF0YV9rIiwwLDMsbnVsbF0%3D
select *, false as behind
from (
  select *
  from (
    select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
    ) then 'true' else 'false' end as edit_access, "document_data"."highest" as value
    from document_data indexed by "document_data_by_highest" cross join documents on documents.id = "document_data"."document_id"
    where "document_data"."is_public" = true and document_data.key = ? and documents.access = 'public' and documents.status in ('success', 'readable')
    order by "document_data"."highest", "document_data"."document_id"
    limit 1
  ) as "part0"
  union
  select *
  from (
    select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
    ) then 'true' else 'false' end as edit_access, "document_data"."highest" as value
    from document_audiences cross join documents on documents.id = "document_audiences"."document_id" join document_data on document_data.document_id = documents.id
    where document_audiences.audience = ? and document_data.key = ?
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
    select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
    ) then 'true' else 'false' end as edit_access
    from documents indexed by "documents_by_id"
    where not exists (
      select 1
      from document_data
      where document_data.key = ? and document_data.document_id = documents.id
    ) and documents.access = 'public' and documents.status in ('success', 'readable')
    order by "documents"."id" desc
    limit 1
  ) as "part0"
  union
  select *
  from (
    select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
    ) then 'true' else 'false' end as edit_access
    from (
      select distinct document_id, "created_at", "updated_at", "page_count", "title", "source", "status", "user_id"
      from document_audiences
      where "document_audiences"."audience" in (
        select value
        from json_each(?)
      )
    ) as document_audiences cross join documents on documents.id = "document_audiences"."document_id"
    where 1 = 1 and not exists (
      select 1
      from document_data
      where document_data.key = ? and document_data.document_id = documents.id
    )
    order by "document_audiences"."document_id" desc
    limit 1
  ) as "part1"
) as parts
order by id desc
limit 1

-- reader of many: GET /api/documents/?per_page=2&ordering=updated_at&cursor=cj0x
select *, false as behind
from (
  select *
  from (
    select documents.*, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "documents"."updated_at" as value
    from documents indexed by "documents_by_updated_at"
    where documents.access = 'public' and documents.status in ('success', 'readable')
    order by "documents"."updated_at" desc, "documents"."id" desc
    limit 3
  ) as "part0"
  union
  select *
  from (
    select documents.*, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "document_audiences"."updated_at" as value
    from document_audiences indexed by "document_audiences_by_updated_at" cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ?
    order by "document_audiences"."updated_at" desc, "document_audiences"."document_id" desc
    limit 3
  ) as "part1"
  union
  select *
  from (
    select documents.*, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "document_audiences"."updated_at" as value
    from document_audiences indexed by "document_audiences_by_updated_at" cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ?
    order by "document_audiences"."updated_at" desc, "document_audiences"."document_id" desc
    limit 3
  ) as "part2"
) as parts
order by value desc, id desc
limit 3

-- anonymous: GET /api/documents/?per_page=2&ordering=-updated_at&cursor=WyItdXBkYXRlZF9hdCIsMCwzLCIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiXQ%3D%3D
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || rest, ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest, ''), ' ') as lines, ((
    select 1
    from documents indexed by "documents_by_updated_at"
    where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."updated_at" = ? and "documents"."id" >= ?
    order by "documents"."updated_at", "documents"."id"
    limit 1
  ) is not null or (
    select 1
    from documents indexed by "documents_by_updated_at"
    where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."updated_at" > ?
    order by "documents"."updated_at", "documents"."id"
    limit 1
  ) is not null
) as behind, group_concat(json_quote("listed"."value"), ',') as values_
from (
  select *
  from (
    select *
    from (
      select documents.id, "documents"."updated_at" as value
      from documents indexed by "documents_by_updated_at"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."updated_at" = ? and "documents"."id" < ?
      order by "documents"."updated_at" desc, "documents"."id" desc
      limit 3
    ) as "part0"
    union all
    select *
    from (
      select documents.id, "documents"."updated_at" as value
      from documents indexed by "documents_by_updated_at"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."updated_at" < ?
      order by "documents"."updated_at" desc, "documents"."id" desc
      limit 3
    ) as "part1"
  ) as parts
  order by value desc, id desc
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- administrator: GET /api/documents/?per_page=2&ordering=-source&cursor=cj0x
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, false as behind, group_concat(json_quote("listed"."value"), ',') as values_
from (
  select *
  from (
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access, "documents"."source" as value
      from documents indexed by "documents_by_source"
      where documents.access = 'public' and documents.status in ('success', 'readable')
      order by "documents"."source", "documents"."id"
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access, "document_audiences"."source" as value
      from document_audiences indexed by "document_audiences_by_source" cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ?
      order by "document_audiences"."source", "document_audiences"."document_id"
      limit 3
    ) as "part1"
    union
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access, "document_audiences"."source" as value
      from document_audiences indexed by "document_audiences_by_source" cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ?
      order by "document_audiences"."source", "document_audiences"."document_id"
      limit 3
    ) as "part2"
  ) as parts
  order by value, id
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- anonymous: GET /api/documents/?per_page=2&ordering=page_count&status=success&cursor=WyJwYWdlX2NvdW50IiwwLDMsMV0%3D
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || rest, ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest, ''), ' ') as lines, ((
    select 1
    from documents indexed by "documents_by_page_count"
    where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."status" = ? and "documents"."page_count" = ? and "documents"."id" <= ?
    order by "documents"."page_count" desc, "documents"."id" desc
    limit 1
  ) is not null or (
    select 1
    from documents indexed by "documents_by_page_count"
    where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."status" = ? and "documents"."page_count" < ?
    order by "documents"."page_count" desc, "documents"."id" desc
    limit 1
  ) is not null
) as behind, group_concat(json_quote("listed"."value"), ',') as values_
from (
  select *
  from (
    select *
    from (
      select documents.id, "documents"."page_count" as value
      from documents indexed by "documents_by_page_count"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."status" = ? and "documents"."page_count" = ? and "documents"."id" > ?
      order by "documents"."page_count", "documents"."id"
      limit 3
    ) as "part0"
    union all
    select *
    from (
      select documents.id, "documents"."page_count" as value
      from documents indexed by "documents_by_page_count"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."status" = ? and "documents"."page_count" > ?
      order by "documents"."page_count", "documents"."id"
      limit 3
    ) as "part1"
  ) as parts
  order by value, id
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- administrator: GET /api/documents/?per_page=2&ordering=-created_at
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, false as behind, group_concat(json_quote("listed"."value"), ',') as values_
from (
  select *
  from (
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access, "documents"."created_at" as value
      from documents indexed by "documents_by_created_at"
      where documents.access = 'public' and documents.status in ('success', 'readable')
      order by "documents"."created_at" desc, "documents"."id" desc
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access, "document_audiences"."created_at" as value
      from document_audiences indexed by "document_audiences_by_created_at" cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ?
      order by "document_audiences"."created_at" desc, "document_audiences"."document_id" desc
      limit 3
    ) as "part1"
    union
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access, "document_audiences"."created_at" as value
      from document_audiences indexed by "document_audiences_by_created_at" cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ?
      order by "document_audiences"."created_at" desc, "document_audiences"."document_id" desc
      limit 3
    ) as "part2"
  ) as parts
  order by value desc, id desc
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- administrator: GET /api/documents/?per_page=2&ordering=created_at&organization=1&page_count=1
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, false as behind, group_concat(json_quote("listed"."value"), ',') as values_
from (
  select *
  from (
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access, "documents"."created_at" as value
      from documents indexed by "documents_by_created_at"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."organization_id" = ? and "documents"."page_count" = ?
      order by "documents"."created_at", "documents"."id"
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access, "document_audiences"."created_at" as value
      from document_audiences indexed by "document_audiences_by_created_at" cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ? and "documents"."organization_id" = ? and "documents"."page_count" = ?
      order by "document_audiences"."created_at", "document_audiences"."document_id"
      limit 3
    ) as "part1"
    union
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access, "document_audiences"."created_at" as value
      from document_audiences indexed by "document_audiences_by_created_at" cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ? and "documents"."organization_id" = ? and "documents"."page_count" = ?
      order by "document_audiences"."created_at", "document_audiences"."document_id"
      limit 3
    ) as "part2"
  ) as parts
  order by value, id
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- anonymous: GET /api/documents/?per_page=2&ordering=-title&parent=none&cursor=WyItdGl0bGUiLDAsMywiYiJd
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || rest, ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest, ''), ' ') as lines, ((
    select 1
    from documents indexed by "documents_by_title"
    where documents.access = 'public' and documents.status in ('success', 'readable') and not exists (
      select 1
      from document_children
      where document_children.child_id = documents.id
    ) and "documents"."title" = ? and "documents"."id" >= ?
    order by "documents"."title", "documents"."id"
    limit 1
  ) is not null or (
    select 1
    from documents indexed by "documents_by_title"
    where documents.access = 'public' and documents.status in ('success', 'readable') and not exists (
      select 1
      from document_children
      where document_children.child_id = documents.id
    ) and "documents"."title" > ?
    order by "documents"."title", "documents"."id"
    limit 1
  ) is not null
) as behind, group_concat(json_quote("listed"."value"), ',') as values_
from (
  select *
  from (
    select *
    from (
      select documents.id, "documents"."title" as value
      from documents indexed by "documents_by_title"
      where documents.access = 'public' and documents.status in ('success', 'readable') and not exists (
        select 1
        from document_children
        where document_children.child_id = documents.id
      ) and "documents"."title" = ? and "documents"."id" < ?
      order by "documents"."title" desc, "documents"."id" desc
      limit 3
    ) as "part0"
    union all
    select *
    from (
      select documents.id, "documents"."title" as value
      from documents indexed by "documents_by_title"
      where documents.access = 'public' and documents.status in ('success', 'readable') and not exists (
        select 1
        from document_children
        where document_children.child_id = documents.id
      ) and "documents"."title" < ?
      order by "documents"."title" desc, "documents"."id" desc
      limit 3
    ) as "part1"
  ) as parts
  order by value desc, id desc
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- user: GET /api/documents/?per_page=2&status=success
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, false as behind
from (
  select *
  from (
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access
      from documents indexed by "documents_by_status"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."status" = ?
      order by "documents"."id"
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access
      from document_audiences indexed by "document_audiences_by_status" cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ? and document_audiences.status = ? and "documents"."status" in (?)
      order by "document_audiences"."document_id"
      limit 3
    ) as "part1"
  ) as parts
  order by id
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- user: GET /api/documents/?per_page=2&organization=1&page_count=1
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, false as behind
from (
  select *
  from (
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access
      from documents indexed by "documents_by_organization_id"
      where "documents"."organization_id" = ? and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."page_count" = ?
      order by "documents"."id"
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access
      from document_audiences indexed by "document_audiences_by_page_count" cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ? and document_audiences.page_count = ? and "documents"."organization_id" = ? and "documents"."page_count" = ?
      order by "document_audiences"."document_id"
      limit 3
    ) as "part1"
  ) as parts
  order by id
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- anonymous: GET /api/documents/?per_page=2&ordering=data_k&organization=1&page_count=1&expand=user&cursor=WyJkYXRhX2siLDEsMywiYiJd
select *, ((
    select 1
    from document_data indexed by "document_data_by_lowest" cross join documents on documents.id = "document_data"."document_id"
    where "document_data"."is_public" = true and document_data.key = ? and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."organization_id" = ? and "documents"."page_count" = ? and "document_data"."lowest" = ? and "document_data"."document_id" >= ?
    order by "document_data"."lowest", "document_data"."document_id"
    limit 1
  ) is not null or (
    select 1
    from document_data indexed by "document_data_by_lowest" cross join documents on documents.id = "document_data"."document_id"
    where "document_data"."is_public" = true and document_data.key = ? and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."organization_id" = ? and "documents"."page_count" = ? and "document_data"."lowest" > ?
    order by "document_data"."lowest", "document_data"."document_id"
    limit 1
  ) is not null
) as behind
from (
  select *
  from (
    select documents.*, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "document_data"."lowest" as value
    from document_data indexed by "document_data_by_lowest" cross join documents on documents.id = "document_data"."document_id"
    where "document_data"."is_public" = true and document_data.key = ? and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."organization_id" = ? and "documents"."page_count" = ? and "document_data"."lowest" = ? and "document_data"."document_id" < ?
    order by "document_data"."lowest" desc, "document_data"."document_id" desc
    limit 3
  ) as "part0"
  union all
  select *
  from (
    select documents.*, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "document_data"."lowest" as value
    from document_data indexed by "document_data_by_lowest" cross join documents on documents.id = "document_data"."document_id"
    where "document_data"."is_public" = true and document_data.key = ? and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."organization_id" = ? and "documents"."page_count" = ? and "document_data"."lowest" < ?
    order by "document_data"."lowest" desc, "document_data"."document_id" desc
    limit 3
  ) as "part1"
) as parts
order by value desc, id desc
limit 3

-- member of many: GET /api/documents/?per_page=2&ordering=updated_at&
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, false as behind, group_concat(json_quote("listed"."value"), ',') as values_
from (
  select *
  from (
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, "documents"."updated_at" as value
      from documents indexed by "documents_by_updated_at"
      where documents.access = 'public' and documents.status in ('success', 'readable')
      order by "documents"."updated_at", "documents"."id"
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, "document_audiences"."updated_at" as value
      from (
        select distinct document_id, "created_at", "updated_at", "page_count", "title", "source", "status", "user_id"
        from document_audiences
        where "document_audiences"."audience" in (
          select value
          from json_each(?)
        )
      ) as document_audiences cross join documents on documents.id = "document_audiences"."document_id"
      where 1 = 1
      order by "document_audiences"."updated_at", "document_audiences"."document_id"
      limit 3
    ) as "part1"
  ) as parts
  order by value, id
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- member of many: GET /api/documents/?per_page=2&ordering=title&cursor=cj0x
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, false as behind, group_concat(json_quote("listed"."value"), ',') as values_
from (
  select *
  from (
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, "documents"."title" as value
      from documents indexed by "documents_by_title"
      where documents.access = 'public' and documents.status in ('success', 'readable')
      order by "documents"."title" desc, "documents"."id" desc
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, "document_audiences"."title" as value
      from (
        select distinct document_id, "created_at", "updated_at", "page_count", "title", "source", "status", "user_id"
        from document_audiences
        where "document_audiences"."audience" in (
          select value
          from json_each(?)
        )
      ) as document_audiences cross join documents on documents.id = "document_audiences"."document_id"
      where 1 = 1
      order by "document_audiences"."title" desc, "document_audiences"."document_id" desc
      limit 3
    ) as "part1"
  ) as parts
  order by value desc, id desc
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- anonymous: GET /api/documents/?per_page=2&ordering=data_k&status=success&cursor=WyJkYXRhX2siLDAsMywiYiJd
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || rest, ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest, ''), ' ') as lines, ((
    select 1
    from document_data indexed by "document_data_by_lowest" cross join documents on documents.id = "document_data"."document_id"
    where "document_data"."is_public" = true and document_data.key = ? and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."status" = ? and "document_data"."lowest" = ? and "document_data"."document_id" <= ?
    order by "document_data"."lowest" desc, "document_data"."document_id" desc
    limit 1
  ) is not null or (
    select 1
    from document_data indexed by "document_data_by_lowest" cross join documents on documents.id = "document_data"."document_id"
    where "document_data"."is_public" = true and document_data.key = ? and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."status" = ? and "document_data"."lowest" < ?
    order by "document_data"."lowest" desc, "document_data"."document_id" desc
    limit 1
  ) is not null
) as behind, group_concat(json_quote("listed"."value"), ',') as values_
from (
  select *
  from (
    select *
    from (
      select documents.id, "document_data"."lowest" as value
      from document_data indexed by "document_data_by_lowest" cross join documents on documents.id = "document_data"."document_id"
      where "document_data"."is_public" = true and document_data.key = ? and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."status" = ? and "document_data"."lowest" = ? and "document_data"."document_id" > ?
      order by "document_data"."lowest", "document_data"."document_id"
      limit 3
    ) as "part0"
    union all
    select *
    from (
      select documents.id, "document_data"."lowest" as value
      from document_data indexed by "document_data_by_lowest" cross join documents on documents.id = "document_data"."document_id"
      where "document_data"."is_public" = true and document_data.key = ? and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."status" = ? and "document_data"."lowest" > ?
      order by "document_data"."lowest", "document_data"."document_id"
      limit 3
    ) as "part1"
  ) as parts
  order by value, id
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- anonymous: GET /api/documents/?per_page=2&ordering=-data_k&id__in=1,2,3&cursor=WyItZGF0YV9rIiwxLDMsImIiXQ%3D%3D
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || rest, ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest, ''), ' ') as lines, ((
    select 1
    from document_data indexed by "document_data_by_highest" cross join documents on documents.id = "document_data"."document_id"
    where "document_data"."is_public" = true and document_data.key = ? and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."id" in (
      select value
      from json_each(?)
    ) and "document_data"."highest" = ? and "document_data"."document_id" <= ?
    order by "document_data"."highest" desc, "document_data"."document_id" desc
    limit 1
  ) is not null or (
    select 1
    from document_data indexed by "document_data_by_highest" cross join documents on documents.id = "document_data"."document_id"
    where "document_data"."is_public" = true and document_data.key = ? and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."id" in (
      select value
      from json_each(?)
    ) and "document_data"."highest" < ?
    order by "document_data"."highest" desc, "document_data"."document_id" desc
    limit 1
  ) is not null
) as behind, group_concat(json_quote("listed"."value"), ',') as values_
from (
  select *
  from (
    select *
    from (
      select documents.id, "document_data"."highest" as value
      from document_data indexed by "document_data_by_highest" cross join documents on documents.id = "document_data"."document_id"
      where "document_data"."is_public" = true and document_data.key = ? and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."id" in (
        select value
        from json_each(?)
      ) and "document_data"."highest" = ? and "document_data"."document_id" > ?
      order by "document_data"."highest", "document_data"."document_id"
      limit 3
    ) as "part0"
    union all
    select *
    from (
      select documents.id, "document_data"."highest" as value
      from document_data indexed by "document_data_by_highest" cross join documents on documents.id = "document_data"."document_id"
      where "document_data"."is_public" = true and document_data.key = ? and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."id" in (
        select value
        from json_each(?)
      ) and "document_data"."highest" > ?
      order by "document_data"."highest", "document_data"."document_id"
      limit 3
    ) as "part1"
  ) as parts
  order by value, id
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- reader of many: GET /api/documents/?per_page=2&ordering=data_k&
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, false as behind, group_concat(json_quote("listed"."value"), ',') as values_
from (
  select *
  from (
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, "document_data"."lowest" as value
      from document_data indexed by "document_data_by_lowest" cross join documents on documents.id = "document_data"."document_id"
      where "document_data"."is_public" = true and document_data.key = ? and documents.access = 'public' and documents.status in ('success', 'readable')
      order by "document_data"."lowest", "document_data"."document_id"
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, "document_data"."lowest" as value
      from document_data indexed by "document_data_by_lowest" cross join documents on documents.id = "document_data"."document_id"
      where document_data.is_public = false and exists (
        select 1
        from document_audiences
        where document_audiences.document_id = "document_data"."document_id" and "document_audiences"."audience" in (
          select value
          from json_each(?)
        )
      ) and document_data.key = ?
      order by "document_data"."lowest", "document_data"."document_id"
      limit 3
    ) as "part1"
  ) as parts
  order by value, id
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- user: GET /api/documents/?per_page=2&ordering=-data_k&id__in=2&cursor=cj0x
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, false as behind, group_concat(json_quote("listed"."value"), ',') as values_
from (
  select *
  from (
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, "document_data"."highest" as value
      from document_data indexed by "document_data_by_highest" cross join documents on documents.id = "document_data"."document_id"
      where "document_data"."is_public" = true and document_data.key = ? and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."id" = ?
      order by "document_data"."highest", "document_data"."document_id"
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, "document_data"."highest" as value
      from documents join document_data on document_data.document_id = documents.id
      where not (documents.access = 'public' and documents.status in ('success', 'readable')) and exists (
        select 1
        from document_audiences
        where document_audiences.document_id = "documents"."id" and "document_audiences"."audience" in (
          select value
          from json_each(?)
        )
      ) and "documents"."id" = ? and document_data.key = ?
      order by "document_data"."highest", "documents"."id"
      limit 3
    ) as "part1"
  ) as parts
  order by value, id
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- member of many: GET /api/documents/?per_page=2&ordering=data_k&
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, false as behind, group_concat(json_quote("listed"."value"), ',') as values_
from (
  select *
  from (
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, "document_data"."lowest" as value
      from document_data indexed by "document_data_by_lowest" cross join documents on documents.id = "document_data"."document_id"
      where "document_data"."is_public" = true and document_data.key = ? and documents.access = 'public' and documents.status in ('success', 'readable')
      order by "document_data"."lowest", "document_data"."document_id"
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, "document_data"."lowest" as value
      from (
        select distinct document_id, "created_at", "updated_at", "page_count", "title", "source", "status", "user_id"
        from document_audiences
        where "document_audiences"."audience" in (
          select value
          from json_each(?)
        )
      ) as document_audiences cross join documents on documents.id = "document_audiences"."document_id" join document_data on document_data.document_id = documents.id
      where 1 = 1 and document_data.key = ?
      order by "document_data"."lowest", "document_audiences"."document_id"
      limit 3
    ) as "part1"
  ) as parts
  order by value, id
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- user: GET /api/documents/?per_page=2&ordering=data_k&cursor=WyJkYXRhX2siLDAsMyxudWxsXQ%3D%3D
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, ((
    select 1
    from documents indexed by "documents_by_id"
    where not exists (
      select 1
      from document_data
      where document_data.key = ? and document_data.document_id = documents.id
    ) and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."id" <= ?
    order by "documents"."id" desc
    limit 1
  ) is not null or (
    select 1
    from document_audiences cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and not exists (
      select 1
      from document_data
      where document_data.key = ? and document_data.document_id = documents.id
    ) and "document_audiences"."document_id" <= ?
    order by "document_audiences"."document_id" desc
    limit 1
  ) is not null
) as behind
from (
  select *
  from (
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access
      from documents indexed by "documents_by_id"
      where not exists (
        select 1
        from document_data
        where document_data.key = ? and document_data.document_id = documents.id
      ) and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."id" > ?
      order by "documents"."id"
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access
      from document_audiences cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ? and not exists (
        select 1
        from document_data
        where document_data.key = ? and document_data.document_id = documents.id
      ) and "document_audiences"."document_id" > ?
      order by "document_audiences"."document_id"
      limit 3
    ) as "part1"
  ) as parts
  order by id
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- user: GET /api/documents/?per_page=2&ordering=data_k&cursor=WyJkYXRhX2siLDEsMyxudWxsXQ%3D%3D
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, ((
    select 1
    from documents indexed by "documents_by_id"
    where not exists (
      select 1
      from document_data
      where document_data.key = ? and document_data.document_id = documents.id
    ) and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."id" >= ?
    order by "documents"."id"
    limit 1
  ) is not null or (
    select 1
    from document_audiences cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and not exists (
      select 1
      from document_data
      where document_data.key = ? and document_data.document_id = documents.id
    ) and "document_audiences"."document_id" >= ?
    order by "document_audiences"."document_id"
    limit 1
  ) is not null
) as behind
from (
  select *
  from (
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access
      from documents indexed by "documents_by_id"
      where not exists (
        select 1
        from document_data
        where document_data.key = ? and document_data.document_id = documents.id
      ) and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."id" < ?
      order by "documents"."id" desc
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access
      from document_audiences cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ? and not exists (
        select 1
        from document_data
        where document_data.key = ? and document_data.document_id = documents.id
      ) and "document_audiences"."document_id" < ?
      order by "document_audiences"."document_id" desc
      limit 3
    ) as "part1"
  ) as parts
  order by id desc
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- collaborator: GET /api/documents/?per_page=2&ordering=id&id__in=1,2,3&expand=user&cursor=cj0xJnA9Mw%3D%3D
select *, ((
    select 1
    from documents indexed by "documents_by_id"
    where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."id" in (
      select value
      from json_each(?)
    ) and "documents"."id" >= ?
    order by "documents"."id"
    limit 1
  ) is not null or (
    select 1
    from documents
    where not (documents.access = 'public' and documents.status in ('success', 'readable')) and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "documents"."id" and "document_audiences"."audience" in (
        select value
        from json_each(?)
      )
    ) and "documents"."id" in (
      select value
      from json_each(?)
    ) and "documents"."id" >= ?
    order by "documents"."id"
    limit 1
  ) is not null
) as behind
from (
  select *
  from (
    select documents.*, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, (
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
    from documents indexed by "documents_by_id"
    where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."id" in (
      select value
      from json_each(?)
    ) and "documents"."id" < ?
    order by "documents"."id" desc
    limit 3
  ) as "part0"
  union
  select *
  from (
    select documents.*, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, (
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
    where not (documents.access = 'public' and documents.status in ('success', 'readable')) and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "documents"."id" and "document_audiences"."audience" in (
        select value
        from json_each(?)
      )
    ) and "documents"."id" in (
      select value
      from json_each(?)
    ) and "documents"."id" < ?
    order by "documents"."id" desc
    limit 3
  ) as "part1"
) as parts
order by id desc
limit 3

-- user: GET /api/documents/?per_page=2&ordering=-source&id__in=2&cursor=WyItc291cmNlIiwwLDMsImIiXQ%3D%3D
select *, false as behind
from (
  select *
  from (
    select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
    ) then 'true' else 'false' end as edit_access, "documents"."source" as value
    from documents indexed by "documents_by_source"
    where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."id" = ? and "documents"."source" = ? and "documents"."id" >= ?
    order by "documents"."source", "documents"."id"
    limit 1
  ) as "part0"
  union
  select *
  from (
    select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
    ) then 'true' else 'false' end as edit_access, "documents"."source" as value
    from documents indexed by "documents_by_source"
    where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."id" = ? and "documents"."source" > ?
    order by "documents"."source", "documents"."id"
    limit 1
  ) as "part1"
  union
  select *
  from (
    select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
    ) then 'true' else 'false' end as edit_access, "documents"."source" as value
    from documents
    where not (documents.access = 'public' and documents.status in ('success', 'readable')) and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "documents"."id" and "document_audiences"."audience" in (
        select value
        from json_each(?)
      )
    ) and "documents"."id" = ? and "documents"."source" = ? and "documents"."id" >= ?
    order by "documents"."source", "documents"."id"
    limit 1
  ) as "part2"
  union
  select *
  from (
    select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
    ) then 'true' else 'false' end as edit_access, "documents"."source" as value
    from documents
    where not (documents.access = 'public' and documents.status in ('success', 'readable')) and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "documents"."id" and "document_audiences"."audience" in (
        select value
        from json_each(?)
      )
    ) and "documents"."id" = ? and "documents"."source" > ?
    order by "documents"."source", "documents"."id"
    limit 1
  ) as "part3"
) as parts
order by value, id
limit 1

-- collaborator: GET /api/documents/?per_page=2&ordering=data_k&user=1&cursor=WyJkYXRhX2siLDAsMywiYiJd
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6), projects_at - (edit_at + 6) + 1) || coalesce(listed.shown_projects, '') || substr(rest, projects_at + length(projects) + 1), ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access || '/' || coalesce(listed.shown_projects, ''), ''), ' ') as lines, false as behind
from (
  select *
  from (
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, (
        select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
        from project_memberships join projects on projects.id = project_memberships.project_id
        where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" in (
          select value
          from json_each(?)
        ))
      ) as shown_projects
      from documents indexed by "documents_by_id"
      where not exists (
        select 1
        from document_data
        where document_data.key = ? and document_data.document_id = documents.id
      ) and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" = ?
      order by "documents"."id"
      limit 1
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, (
        select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
        from project_memberships join projects on projects.id = project_memberships.project_id
        where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" in (
          select value
          from json_each(?)
        ))
      ) as shown_projects
      from document_audiences indexed by "document_audiences_by_user_id" cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ? and "document_audiences"."user_id" = ? and "documents"."user_id" = ? and not exists (
        select 1
        from document_data
        where document_data.key = ? and document_data.document_id = documents.id
      )
      order by "document_audiences"."document_id"
      limit 1
    ) as "part1"
  ) as parts
  order by id
  limit 1
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- user: GET /api/documents/?per_page=2&ordering=source&organization=1&page_count=1&cursor=WyJzb3VyY2UiLDAsMywiYiJd
select *, false as behind
from (
  select *
  from (
    select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
    ) then 'true' else 'false' end as edit_access, "documents"."source" as value
    from documents indexed by "documents_by_source"
    where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."organization_id" = ? and "documents"."page_count" = ? and "documents"."source" = ? and "documents"."id" <= ?
    order by "documents"."source" desc, "documents"."id" desc
    limit 1
  ) as "part0"
  union
  select *
  from (
    select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
    ) then 'true' else 'false' end as edit_access, "documents"."source" as value
    from documents indexed by "documents_by_source"
    where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."organization_id" = ? and "documents"."page_count" = ? and "documents"."source" < ?
    order by "documents"."source" desc, "documents"."id" desc
    limit 1
  ) as "part1"
  union
  select *
  from (
    select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
    ) then 'true' else 'false' end as edit_access, "document_audiences"."source" as value
    from document_audiences indexed by "document_audiences_by_source" cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and "documents"."organization_id" = ? and "documents"."page_count" = ? and "document_audiences"."source" = ? and "document_audiences"."document_id" <= ?
    order by "document_audiences"."source" desc, "document_audiences"."document_id" desc
    limit 1
  ) as "part2"
  union
  select *
  from (
    select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
    ) then 'true' else 'false' end as edit_access, "document_audiences"."source" as value
    from document_audiences indexed by "document_audiences_by_source" cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and "documents"."organization_id" = ? and "documents"."page_count" = ? and "document_audiences"."source" < ?
    order by "document_audiences"."source" desc, "document_audiences"."document_id" desc
    limit 1
  ) as "part3"
) as parts
order by value desc, id desc
limit 1

-- user: GET /api/documents/?per_page=2&ordering=-created_at&expand=user&cursor=WyItY3JlYXRlZF9hdCIsMSwzLCIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiXQ%3D%3D
select *, ((
    select 1
    from documents indexed by "documents_by_created_at"
    where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."created_at" = ? and "documents"."id" <= ?
    order by "documents"."created_at" desc, "documents"."id" desc
    limit 1
  ) is not null or (
    select 1
    from documents indexed by "documents_by_created_at"
    where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."created_at" < ?
    order by "documents"."created_at" desc, "documents"."id" desc
    limit 1
  ) is not null or (
    select 1
    from document_audiences indexed by "document_audiences_by_created_at" cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and "document_audiences"."created_at" = ? and "document_audiences"."document_id" <= ?
    order by "document_audiences"."created_at" desc, "document_audiences"."document_id" desc
    limit 1
  ) is not null or (
    select 1
    from document_audiences indexed by "document_audiences_by_created_at" cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and "document_audiences"."created_at" < ?
    order by "document_audiences"."created_at" desc, "document_audiences"."document_id" desc
    limit 1
  ) is not null
) as behind
from (
  select *
  from (
    select documents.*, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "documents"."created_at" as value
    from documents indexed by "documents_by_created_at"
    where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."created_at" = ? and "documents"."id" > ?
    order by "documents"."created_at", "documents"."id"
    limit 3
  ) as "part0"
  union
  select *
  from (
    select documents.*, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "documents"."created_at" as value
    from documents indexed by "documents_by_created_at"
    where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."created_at" > ?
    order by "documents"."created_at", "documents"."id"
    limit 3
  ) as "part1"
  union
  select *
  from (
    select documents.*, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "document_audiences"."created_at" as value
    from document_audiences indexed by "document_audiences_by_created_at" cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and "document_audiences"."created_at" = ? and "document_audiences"."document_id" > ?
    order by "document_audiences"."created_at", "document_audiences"."document_id"
    limit 3
  ) as "part2"
  union
  select *
  from (
    select documents.*, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
      where project_memberships.document_id = documents.id
    ) as public_projects, "document_audiences"."created_at" as value
    from document_audiences indexed by "document_audiences_by_created_at" cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and "document_audiences"."created_at" > ?
    order by "document_audiences"."created_at", "document_audiences"."document_id"
    limit 3
  ) as "part3"
) as parts
order by value, id
limit 3

-- administrator: GET /api/documents/?per_page=2&ordering=title&user=1&cursor=WyJ0aXRsZSIsMSwzLCJiIl0%3D
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, ((
    select 1
    from documents indexed by "documents_by_title"
    where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" = ? and "documents"."title" = ? and "documents"."id" >= ?
    order by "documents"."title", "documents"."id"
    limit 1
  ) is not null or (
    select 1
    from documents indexed by "documents_by_title"
    where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" = ? and "documents"."title" > ?
    order by "documents"."title", "documents"."id"
    limit 1
  ) is not null or (
    select 1
    from document_audiences indexed by "document_audiences_by_user_id" cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and "document_audiences"."user_id" = ? and "documents"."user_id" = ? and "document_audiences"."title" = ? and "document_audiences"."document_id" >= ?
    order by "document_audiences"."title", "document_audiences"."document_id"
    limit 1
  ) is not null or (
    select 1
    from document_audiences indexed by "document_audiences_by_user_id" cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and "document_audiences"."user_id" = ? and "documents"."user_id" = ? and "document_audiences"."title" > ?
    order by "document_audiences"."title", "document_audiences"."document_id"
    limit 1
  ) is not null
) as behind, group_concat(json_quote("listed"."value"), ',') as values_
from (
  select *
  from (
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access, "documents"."title" as value
      from documents indexed by "documents_by_title"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" = ? and "documents"."title" = ? and "documents"."id" < ?
      order by "documents"."title" desc, "documents"."id" desc
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access, "documents"."title" as value
      from documents indexed by "documents_by_title"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" = ? and "documents"."title" < ?
      order by "documents"."title" desc, "documents"."id" desc
      limit 3
    ) as "part1"
    union
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access, "document_audiences"."title" as value
      from document_audiences indexed by "document_audiences_by_user_id" cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ? and "document_audiences"."user_id" = ? and "documents"."user_id" = ? and "document_audiences"."title" = ? and "document_audiences"."document_id" < ?
      order by "document_audiences"."title" desc, "document_audiences"."document_id" desc
      limit 3
    ) as "part2"
    union
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access, "document_audiences"."title" as value
      from document_audiences indexed by "document_audiences_by_user_id" cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ? and "document_audiences"."user_id" = ? and "documents"."user_id" = ? and "document_audiences"."title" < ?
      order by "document_audiences"."title" desc, "document_audiences"."document_id" desc
      limit 3
    ) as "part3"
  ) as parts
  order by value desc, id desc
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- administrator: GET /api/documents/?per_page=2&ordering=-title&user=1,2&created_at__lt=2026-01-01&cursor=WyItdGl0bGUiLDEsMywiYiJd
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, ((
    select 1
    from documents indexed by "documents_by_title"
    where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" in (
      select value
      from json_each(?)
    ) and "documents"."created_at" < ? and "documents"."title" = ? and "documents"."id" <= ?
    order by "documents"."title" desc, "documents"."id" desc
    limit 1
  ) is not null or (
    select 1
    from documents indexed by "documents_by_title"
    where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" in (
      select value
      from json_each(?)
    ) and "documents"."created_at" < ? and "documents"."title" < ?
    order by "documents"."title" desc, "documents"."id" desc
    limit 1
  ) is not null or (
    select 1
    from document_audiences indexed by "document_audiences_by_user_id" cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and "document_audiences"."user_id" in (
      select value
      from json_each(?)
    ) and "documents"."user_id" in (
      select value
      from json_each(?)
    ) and "documents"."created_at" < ? and "document_audiences"."title" = ? and "document_audiences"."document_id" <= ?
    order by "document_audiences"."title" desc, "document_audiences"."document_id" desc
    limit 1
  ) is not null or (
    select 1
    from document_audiences indexed by "document_audiences_by_user_id" cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and "document_audiences"."user_id" in (
      select value
      from json_each(?)
    ) and "documents"."user_id" in (
      select value
      from json_each(?)
    ) and "documents"."created_at" < ? and "document_audiences"."title" < ?
    order by "document_audiences"."title" desc, "document_audiences"."document_id" desc
    limit 1
  ) is not null
) as behind, group_concat(json_quote("listed"."value"), ',') as values_
from (
  select *
  from (
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access, "documents"."title" as value
      from documents indexed by "documents_by_title"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" in (
        select value
        from json_each(?)
      ) and "documents"."created_at" < ? and "documents"."title" = ? and "documents"."id" > ?
      order by "documents"."title", "documents"."id"
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access, "documents"."title" as value
      from documents indexed by "documents_by_title"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" in (
        select value
        from json_each(?)
      ) and "documents"."created_at" < ? and "documents"."title" > ?
      order by "documents"."title", "documents"."id"
      limit 3
    ) as "part1"
    union
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access, "document_audiences"."title" as value
      from document_audiences indexed by "document_audiences_by_user_id" cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ? and "document_audiences"."user_id" in (
        select value
        from json_each(?)
      ) and "documents"."user_id" in (
        select value
        from json_each(?)
      ) and "documents"."created_at" < ? and "document_audiences"."title" = ? and "document_audiences"."document_id" > ?
      order by "document_audiences"."title", "document_audiences"."document_id"
      limit 3
    ) as "part2"
    union
    select *
    from (
      select documents.id, case when 1 = 1 then 'true' else 'false' end as edit_access, "document_audiences"."title" as value
      from document_audiences indexed by "document_audiences_by_user_id" cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ? and "document_audiences"."user_id" in (
        select value
        from json_each(?)
      ) and "documents"."user_id" in (
        select value
        from json_each(?)
      ) and "documents"."created_at" < ? and "document_audiences"."title" > ?
      order by "document_audiences"."title", "document_audiences"."document_id"
      limit 3
    ) as "part3"
  ) as parts
  order by value, id
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- collaborator: GET /api/documents/?per_page=2&cursor=bz0xJnA9Mg%3D%3D
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6), projects_at - (edit_at + 6) + 1) || coalesce(listed.shown_projects, '') || substr(rest, projects_at + length(projects) + 1), ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access || '/' || coalesce(listed.shown_projects, ''), ''), ' ') as lines, ((
    select 1
    from documents indexed by "documents_by_id"
    where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."id" <= ?
    order by "documents"."id" desc
    limit 1
  ) is not null or (
    select 1
    from document_audiences cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and "document_audiences"."document_id" <= ?
    order by "document_audiences"."document_id" desc
    limit 1
  ) is not null or (
    select 1
    from document_audiences cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and "document_audiences"."document_id" <= ?
    order by "document_audiences"."document_id" desc
    limit 1
  ) is not null
) as behind
from (
  select *
  from (
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, (
        select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
        from project_memberships join projects on projects.id = project_memberships.project_id
        where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" in (
          select value
          from json_each(?)
        ))
      ) as shown_projects
      from documents indexed by "documents_by_id"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."id" > ?
      order by "documents"."id"
      limit ?
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, (
        select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
        from project_memberships join projects on projects.id = project_memberships.project_id
        where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" in (
          select value
          from json_each(?)
        ))
      ) as shown_projects
      from document_audiences cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ? and "document_audiences"."document_id" > ?
      order by "document_audiences"."document_id"
      limit ?
    ) as "part1"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, (
        select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
        from project_memberships join projects on projects.id = project_memberships.project_id
        where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" in (
          select value
          from json_each(?)
        ))
      ) as shown_projects
      from document_audiences cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ? and "document_audiences"."document_id" > ?
      order by "document_audiences"."document_id"
      limit ?
    ) as "part2"
  ) as parts
  order by id
  limit 3 offset ?
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- collaborator: GET /api/documents/?per_page=2&ordering=-page_count&access=private,organization&status=success,error&cursor=WyItcGFnZV9jb3VudCIsMSwzLDFd
select *, false as behind
from (
  select *
  from (
    select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
    ) then 'true' else 'false' end as edit_access, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id
      where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" in (
        select value
        from json_each(?)
      ))
    ) as shown_projects, "document_audiences"."page_count" as value
    from document_audiences indexed by "document_audiences_by_page_count" cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and "documents"."access" in (?, ?) and "documents"."status" in (?, ?) and "document_audiences"."page_count" = ? and "document_audiences"."document_id" <= ?
    order by "document_audiences"."page_count" desc, "document_audiences"."document_id" desc
    limit 1
  ) as "part0"
  union
  select *
  from (
    select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
    ) then 'true' else 'false' end as edit_access, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id
      where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" in (
        select value
        from json_each(?)
      ))
    ) as shown_projects, "document_audiences"."page_count" as value
    from document_audiences indexed by "document_audiences_by_page_count" cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and "documents"."access" in (?, ?) and "documents"."status" in (?, ?) and "document_audiences"."page_count" < ?
    order by "document_audiences"."page_count" desc, "document_audiences"."document_id" desc
    limit 1
  ) as "part1"
  union
  select *
  from (
    select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
    ) then 'true' else 'false' end as edit_access, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id
      where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" in (
        select value
        from json_each(?)
      ))
    ) as shown_projects, "document_audiences"."page_count" as value
    from document_audiences indexed by "document_audiences_by_page_count" cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and "documents"."access" in (?, ?) and "documents"."status" in (?, ?) and "document_audiences"."page_count" = ? and "document_audiences"."document_id" <= ?
    order by "document_audiences"."page_count" desc, "document_audiences"."document_id" desc
    limit 1
  ) as "part2"
  union
  select *
  from (
    select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
    ) then 'true' else 'false' end as edit_access, (
      select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
      from project_memberships join projects on projects.id = project_memberships.project_id
      where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" in (
        select value
        from json_each(?)
      ))
    ) as shown_projects, "document_audiences"."page_count" as value
    from document_audiences indexed by "document_audiences_by_page_count" cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and "documents"."access" in (?, ?) and "documents"."status" in (?, ?) and "document_audiences"."page_count" < ?
    order by "document_audiences"."page_count" desc, "document_audiences"."document_id" desc
    limit 1
  ) as "part3"
) as parts
order by value desc, id desc
limit 1

-- user: GET /api/documents/?per_page=2&ordering=source&organization=1&page_count=1&cursor=WyJzb3VyY2UiLDAsMywiYiJd
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, ((
    select 1
    from documents indexed by "documents_by_source"
    where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."organization_id" = ? and "documents"."page_count" = ? and "documents"."source" = ? and "documents"."id" <= ?
    order by "documents"."source" desc, "documents"."id" desc
    limit 1
  ) is not null or (
    select 1
    from documents indexed by "documents_by_source"
    where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."organization_id" = ? and "documents"."page_count" = ? and "documents"."source" < ?
    order by "documents"."source" desc, "documents"."id" desc
    limit 1
  ) is not null or (
    select 1
    from document_audiences indexed by "document_audiences_by_source" cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and "documents"."organization_id" = ? and "documents"."page_count" = ? and "document_audiences"."source" = ? and "document_audiences"."document_id" <= ?
    order by "document_audiences"."source" desc, "document_audiences"."document_id" desc
    limit 1
  ) is not null or (
    select 1
    from document_audiences indexed by "document_audiences_by_source" cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and "documents"."organization_id" = ? and "documents"."page_count" = ? and "document_audiences"."source" < ?
    order by "document_audiences"."source" desc, "document_audiences"."document_id" desc
    limit 1
  ) is not null
) as behind, group_concat(json_quote("listed"."value"), ',') as values_
from (
  select *
  from (
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, "documents"."source" as value
      from documents indexed by "documents_by_source"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."organization_id" = ? and "documents"."page_count" = ? and "documents"."source" = ? and "documents"."id" > ?
      order by "documents"."source", "documents"."id"
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, "documents"."source" as value
      from documents indexed by "documents_by_source"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."organization_id" = ? and "documents"."page_count" = ? and "documents"."source" > ?
      order by "documents"."source", "documents"."id"
      limit 3
    ) as "part1"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, "document_audiences"."source" as value
      from document_audiences indexed by "document_audiences_by_source" cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ? and "documents"."organization_id" = ? and "documents"."page_count" = ? and "document_audiences"."source" = ? and "document_audiences"."document_id" > ?
      order by "document_audiences"."source", "document_audiences"."document_id"
      limit 3
    ) as "part2"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, "document_audiences"."source" as value
      from document_audiences indexed by "document_audiences_by_source" cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ? and "documents"."organization_id" = ? and "documents"."page_count" = ? and "document_audiences"."source" > ?
      order by "document_audiences"."source", "document_audiences"."document_id"
      limit 3
    ) as "part3"
  ) as parts
  order by value, id
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- member of many: GET /api/documents/?per_page=2&ordering=updated_at&cursor=WyJ1cGRhdGVkX2F0IiwwLDMsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiJd
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6)), ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access, ''), ' ') as lines, ((
    select 1
    from documents indexed by "documents_by_updated_at"
    where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."updated_at" = ? and "documents"."id" <= ?
    order by "documents"."updated_at" desc, "documents"."id" desc
    limit 1
  ) is not null or (
    select 1
    from documents indexed by "documents_by_updated_at"
    where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."updated_at" < ?
    order by "documents"."updated_at" desc, "documents"."id" desc
    limit 1
  ) is not null or (
    select 1
    from (
      select distinct document_id, "created_at", "updated_at", "page_count", "title", "source", "status", "user_id"
      from document_audiences
      where "document_audiences"."audience" in (
        select value
        from json_each(?)
      )
    ) as document_audiences cross join documents on documents.id = "document_audiences"."document_id"
    where 1 = 1 and "document_audiences"."updated_at" = ? and "document_audiences"."document_id" <= ?
    order by "document_audiences"."updated_at" desc, "document_audiences"."document_id" desc
    limit 1
  ) is not null or (
    select 1
    from (
      select distinct document_id, "created_at", "updated_at", "page_count", "title", "source", "status", "user_id"
      from document_audiences
      where "document_audiences"."audience" in (
        select value
        from json_each(?)
      )
    ) as document_audiences cross join documents on documents.id = "document_audiences"."document_id"
    where 1 = 1 and "document_audiences"."updated_at" < ?
    order by "document_audiences"."updated_at" desc, "document_audiences"."document_id" desc
    limit 1
  ) is not null
) as behind, group_concat(json_quote("listed"."value"), ',') as values_
from (
  select *
  from (
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, "documents"."updated_at" as value
      from documents indexed by "documents_by_updated_at"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."updated_at" = ? and "documents"."id" > ?
      order by "documents"."updated_at", "documents"."id"
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, "documents"."updated_at" as value
      from documents indexed by "documents_by_updated_at"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."updated_at" > ?
      order by "documents"."updated_at", "documents"."id"
      limit 3
    ) as "part1"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, "document_audiences"."updated_at" as value
      from (
        select distinct document_id, "created_at", "updated_at", "page_count", "title", "source", "status", "user_id"
        from document_audiences
        where "document_audiences"."audience" in (
          select value
          from json_each(?)
        )
      ) as document_audiences cross join documents on documents.id = "document_audiences"."document_id"
      where 1 = 1 and "document_audiences"."updated_at" = ? and "document_audiences"."document_id" > ?
      order by "document_audiences"."updated_at", "document_audiences"."document_id"
      limit 3
    ) as "part2"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, "document_audiences"."updated_at" as value
      from (
        select distinct document_id, "created_at", "updated_at", "page_count", "title", "source", "status", "user_id"
        from document_audiences
        where "document_audiences"."audience" in (
          select value
          from json_each(?)
        )
      ) as document_audiences cross join documents on documents.id = "document_audiences"."document_id"
      where 1 = 1 and "document_audiences"."updated_at" > ?
      order by "document_audiences"."updated_at", "document_audiences"."document_id"
      limit 3
    ) as "part3"
  ) as parts
  order by value, id
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- collaborator: GET /api/documents/?per_page=2&project=1,2&cursor=bz0xJnA9Mg%3D%3D
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6), projects_at - (edit_at + 6) + 1) || coalesce(listed.shown_projects, '') || substr(rest, projects_at + length(projects) + 1), ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access || '/' || coalesce(listed.shown_projects, ''), ''), ' ') as lines, ((
    select 1
    from project_memberships indexed by "project_memberships_by_project" cross join documents on documents.id = "project_memberships"."document_id"
    where "project_memberships"."project_id" = ? and "project_memberships"."is_public" = true and documents.access = 'public' and documents.status in ('success', 'readable') and "project_memberships"."document_id" <= ?
    order by "project_memberships"."document_id" desc
    limit 1
  ) is not null or (
    select 1
    from project_memberships indexed by "project_memberships_by_project" cross join documents on documents.id = "project_memberships"."document_id"
    where "project_memberships"."project_id" = ? and "project_memberships"."is_public" = true and documents.access = 'public' and documents.status in ('success', 'readable') and "project_memberships"."document_id" <= ?
    order by "project_memberships"."document_id" desc
    limit 1
  ) is not null or (
    select 1
    from documents
    where documents.id in (
      select document_id
      from project_memberships
      where "project_memberships"."project_id" in (
        select value
        from json_each(?)
      )
    ) and not (documents.access = 'public' and documents.status in ('success', 'readable')) and exists (
      select 1
      from document_audiences
      where document_audiences.document_id = "documents"."id" and "document_audiences"."audience" in (
        select value
        from json_each(?)
      )
    ) and "documents"."id" <= ?
    order by "documents"."id" desc
    limit 1
  ) is not null
) as behind
from (
  select *
  from (
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, (
        select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
        from project_memberships join projects on projects.id = project_memberships.project_id
        where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" in (
          select value
          from json_each(?)
        ))
      ) as shown_projects
      from project_memberships indexed by "project_memberships_by_project" cross join documents on documents.id = "project_memberships"."document_id"
      where "project_memberships"."project_id" = ? and "project_memberships"."is_public" = true and documents.access = 'public' and documents.status in ('success', 'readable') and "project_memberships"."document_id" > ?
      order by "project_memberships"."document_id"
      limit ?
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, (
        select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
        from project_memberships join projects on projects.id = project_memberships.project_id
        where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" in (
          select value
          from json_each(?)
        ))
      ) as shown_projects
      from project_memberships indexed by "project_memberships_by_project" cross join documents on documents.id = "project_memberships"."document_id"
      where "project_memberships"."project_id" = ? and "project_memberships"."is_public" = true and documents.access = 'public' and documents.status in ('success', 'readable') and "project_memberships"."document_id" > ?
      order by "project_memberships"."document_id"
      limit ?
    ) as "part1"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, (
        select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
        from project_memberships join projects on projects.id = project_memberships.project_id
        where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" in (
          select value
          from json_each(?)
        ))
      ) as shown_projects
      from documents
      where documents.id in (
        select document_id
        from project_memberships
        where "project_memberships"."project_id" in (
          select value
          from json_each(?)
        )
      ) and not (documents.access = 'public' and documents.status in ('success', 'readable')) and exists (
        select 1
        from document_audiences
        where document_audiences.document_id = "documents"."id" and "document_audiences"."audience" in (
          select value
          from json_each(?)
        )
      ) and "documents"."id" > ?
      order by "documents"."id"
      limit ?
    ) as "part2"
  ) as parts
  order by id
  limit 3 offset ?
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- collaborator: GET /api/documents/?per_page=2&ordering=-page_count&access=private,organization&status=success,error&cursor=WyItcGFnZV9jb3VudCIsMSwzLDFd
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6), projects_at - (edit_at + 6) + 1) || coalesce(listed.shown_projects, '') || substr(rest, projects_at + length(projects) + 1), ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access || '/' || coalesce(listed.shown_projects, ''), ''), ' ') as lines, ((
    select 1
    from document_audiences indexed by "document_audiences_by_page_count" cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and "documents"."access" in (?, ?) and "documents"."status" in (?, ?) and "document_audiences"."page_count" = ? and "document_audiences"."document_id" <= ?
    order by "document_audiences"."page_count" desc, "document_audiences"."document_id" desc
    limit 1
  ) is not null or (
    select 1
    from document_audiences indexed by "document_audiences_by_page_count" cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and "documents"."access" in (?, ?) and "documents"."status" in (?, ?) and "document_audiences"."page_count" < ?
    order by "document_audiences"."page_count" desc, "document_audiences"."document_id" desc
    limit 1
  ) is not null or (
    select 1
    from document_audiences indexed by "document_audiences_by_page_count" cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and "documents"."access" in (?, ?) and "documents"."status" in (?, ?) and "document_audiences"."page_count" = ? and "document_audiences"."document_id" <= ?
    order by "document_audiences"."page_count" desc, "document_audiences"."document_id" desc
    limit 1
  ) is not null or (
    select 1
    from document_audiences indexed by "document_audiences_by_page_count" cross join documents on documents.id = "document_audiences"."document_id"
    where document_audiences.audience = ? and "documents"."access" in (?, ?) and "documents"."status" in (?, ?) and "document_audiences"."page_count" < ?
    order by "document_audiences"."page_count" desc, "document_audiences"."document_id" desc
    limit 1
  ) is not null
) as behind, group_concat(json_quote("listed"."value"), ',') as values_
from (
  select *
  from (
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, (
        select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
        from project_memberships join projects on projects.id = project_memberships.project_id
        where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" in (
          select value
          from json_each(?)
        ))
      ) as shown_projects, "document_audiences"."page_count" as value
      from document_audiences indexed by "document_audiences_by_page_count" cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ? and "documents"."access" in (?, ?) and "documents"."status" in (?, ?) and "document_audiences"."page_count" = ? and "document_audiences"."document_id" > ?
      order by "document_audiences"."page_count", "document_audiences"."document_id"
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, (
        select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
        from project_memberships join projects on projects.id = project_memberships.project_id
        where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" in (
          select value
          from json_each(?)
        ))
      ) as shown_projects, "document_audiences"."page_count" as value
      from document_audiences indexed by "document_audiences_by_page_count" cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ? and "documents"."access" in (?, ?) and "documents"."status" in (?, ?) and "document_audiences"."page_count" > ?
      order by "document_audiences"."page_count", "document_audiences"."document_id"
      limit 3
    ) as "part1"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, (
        select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
        from project_memberships join projects on projects.id = project_memberships.project_id
        where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" in (
          select value
          from json_each(?)
        ))
      ) as shown_projects, "document_audiences"."page_count" as value
      from document_audiences indexed by "document_audiences_by_page_count" cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ? and "documents"."access" in (?, ?) and "documents"."status" in (?, ?) and "document_audiences"."page_count" = ? and "document_audiences"."document_id" > ?
      order by "document_audiences"."page_count", "document_audiences"."document_id"
      limit 3
    ) as "part2"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, (
        select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
        from project_memberships join projects on projects.id = project_memberships.project_id
        where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" in (
          select value
          from json_each(?)
        ))
      ) as shown_projects, "document_audiences"."page_count" as value
      from document_audiences indexed by "document_audiences_by_page_count" cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ? and "documents"."access" in (?, ?) and "documents"."status" in (?, ?) and "document_audiences"."page_count" > ?
      order by "document_audiences"."page_count", "document_audiences"."document_id"
      limit 3
    ) as "part3"
  ) as parts
  order by value, id
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1

-- collaborator: GET /api/documents/?per_page=2&ordering=data_k&user=1&cursor=WyJkYXRhX2siLDAsMywiYiJd
select cast(' ' || group_concat(coalesce(opening || case when has_own_files then ? else ? end || substr(rest, 1, edit_at) || listed.edit_access || substr(rest, (edit_at + 6), projects_at - (edit_at + 6) + 1) || coalesce(listed.shown_projects, '') || substr(rest, projects_at + length(projects) + 1), ''), '') || ' ' as blob) as records, group_concat(cast(listed.id as text) || ' ' || coalesce(digest || '/' || listed.edit_access || '/' || coalesce(listed.shown_projects, ''), ''), ' ') as lines, ((
    select 1
    from document_data indexed by "document_data_by_lowest" cross join documents on documents.id = "document_data"."document_id"
    where "document_data"."is_public" = true and document_data.key = ? and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" = ? and "document_data"."lowest" = ? and "document_data"."document_id" <= ?
    order by "document_data"."lowest" desc, "document_data"."document_id" desc
    limit 1
  ) is not null or (
    select 1
    from document_data indexed by "document_data_by_lowest" cross join documents on documents.id = "document_data"."document_id"
    where "document_data"."is_public" = true and document_data.key = ? and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" = ? and "document_data"."lowest" < ?
    order by "document_data"."lowest" desc, "document_data"."document_id" desc
    limit 1
  ) is not null or (
    select 1
    from document_audiences indexed by "document_audiences_by_user_id" cross join documents on documents.id = "document_audiences"."document_id" join document_data on document_data.document_id = documents.id
    where document_audiences.audience = ? and "document_audiences"."user_id" = ? and "documents"."user_id" = ? and document_data.key = ? and "document_data"."lowest" = ? and "document_audiences"."document_id" <= ?
    order by "document_data"."lowest" desc, "document_audiences"."document_id" desc
    limit 1
  ) is not null or (
    select 1
    from document_audiences indexed by "document_audiences_by_user_id" cross join documents on documents.id = "document_audiences"."document_id" join document_data on document_data.document_id = documents.id
    where document_audiences.audience = ? and "document_audiences"."user_id" = ? and "documents"."user_id" = ? and document_data.key = ? and "document_data"."lowest" < ?
    order by "document_data"."lowest" desc, "document_audiences"."document_id" desc
    limit 1
  ) is not null
) as behind, group_concat(json_quote("listed"."value"), ',') as values_
from (
  select *
  from (
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, (
        select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
        from project_memberships join projects on projects.id = project_memberships.project_id
        where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" in (
          select value
          from json_each(?)
        ))
      ) as shown_projects, "document_data"."lowest" as value
      from document_data indexed by "document_data_by_lowest" cross join documents on documents.id = "document_data"."document_id"
      where "document_data"."is_public" = true and document_data.key = ? and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" = ? and "document_data"."lowest" = ? and "document_data"."document_id" > ?
      order by "document_data"."lowest", "document_data"."document_id"
      limit 3
    ) as "part0"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, (
        select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
        from project_memberships join projects on projects.id = project_memberships.project_id
        where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" in (
          select value
          from json_each(?)
        ))
      ) as shown_projects, "document_data"."lowest" as value
      from document_data indexed by "document_data_by_lowest" cross join documents on documents.id = "document_data"."document_id"
      where "document_data"."is_public" = true and document_data.key = ? and documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" = ? and "document_data"."lowest" > ?
      order by "document_data"."lowest", "document_data"."document_id"
      limit 3
    ) as "part1"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, (
        select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
        from project_memberships join projects on projects.id = project_memberships.project_id
        where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" in (
          select value
          from json_each(?)
        ))
      ) as shown_projects, "document_data"."lowest" as value
      from document_audiences indexed by "document_audiences_by_user_id" cross join documents on documents.id = "document_audiences"."document_id" join document_data on document_data.document_id = documents.id
      where document_audiences.audience = ? and "document_audiences"."user_id" = ? and "documents"."user_id" = ? and document_data.key = ? and "document_data"."lowest" = ? and "document_audiences"."document_id" > ?
      order by "document_data"."lowest", "document_audiences"."document_id"
      limit 3
    ) as "part2"
    union
    select *
    from (
      select documents.id, case when ((documents.user_id = ? and (documents.access <> 'public' or "documents"."organization_id" in (
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
      ) then 'true' else 'false' end as edit_access, (
        select group_concat("project_memberships"."project_id", ',' order by "project_memberships"."project_id")
        from project_memberships join projects on projects.id = project_memberships.project_id
        where project_memberships.document_id = documents.id and (projects.private = false or "project_memberships"."project_id" in (
          select value
          from json_each(?)
        ))
      ) as shown_projects, "document_data"."lowest" as value
      from document_audiences indexed by "document_audiences_by_user_id" cross join documents on documents.id = "document_audiences"."document_id" join document_data on document_data.document_id = documents.id
      where document_audiences.audience = ? and "document_audiences"."user_id" = ? and "documents"."user_id" = ? and document_data.key = ? and "document_data"."lowest" > ?
      order by "document_data"."lowest", "document_audiences"."document_id"
      limit 3
    ) as "part3"
  ) as parts
  order by value, id
  limit 3
) as listed left join document_records on document_records.document_id = listed.id and format = 1
