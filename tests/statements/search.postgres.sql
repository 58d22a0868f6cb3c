-- anonymous: GET /api/documents/search/?q=harbour&sort=score
select counted_to
from word_count_progress

-- user: GET /api/documents/search/?q=harbour+-port&sort=score&facets=access,status,user,organization,language,text_language,original_extension,year,project,data,data_k,mention,mention_iban&cursor=WzIsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiIsMyxbMywxMF1d
select id, name
from organizations
where "id" = any($1::bigint[])

-- user: GET /api/documents/search/?q=harbour+-port&sort=score&facets=access,status,user,organization,language,text_language,original_extension,year,project,data,data_k,mention,mention_iban&cursor=WzIsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiIsMyxbMywxMF1d
select reltuples as rows
from pg_class
where oid = 'documents'::regclass

-- user: GET /api/documents/search/?q=harbour+-port&sort=score&facets=access,status,user,organization,language,text_language,original_extension,year,project,data,data_k,mention,mention_iban&cursor=WzIsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiIsMyxbMywxMF1d
select digest, user_id, seen_at
from sessions
where digest = $1 and expires_at > $2

-- collaborator: GET /api/documents/1/search/?q=harbour%20title%3Aharbour%20source%3Aharbour%20description%3Aharbour%20text%3Aharbour%20page_no_2%3Aharbour
select document_id, language
from document_languages
where "document_id" = any($1::bigint[])

-- user: GET /api/documents/search/?q=language:eng+-original_extension:docx
select count(*) as seen
from (
  select 1
  from document_audiences
  where "document_audiences"."audience" = any($1::text[])
  limit 5000
) as found

-- anonymous: GET /api/documents/search/?q=harbour&sort=score
select notes.*
from notes
where "notes"."document_id" = any($1::bigint[]) and notes.access = 'public' and ("notes"."page_number", "notes"."id") > ($2, $3)
order by "notes"."page_number", "notes"."id"
limit $4

-- user: GET /api/documents/search/?q=user:1
select count(*) as total
from (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."user_id" = $1
) as found

-- anonymous: GET /api/documents/search/?sort=page_count
select (
  select count(*)
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true)
) as total

-- user: GET /api/documents/search/?sort=-page_count
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

-- collaborator: GET /api/documents/1/search/?q=harbour%20title%3Aharbour%20source%3Aharbour%20description%3Aharbour%20text%3Aharbour%20page_no_2%3Aharbour
select asked.value as page, document_pages.text
from (
  select unnest($1::bigint[]) as value
) as asked left join lateral (
  select *
  from document_pages
  where document_pages.document_id = $2 and document_pages.page = asked.value offset 0
) as document_pages on true

-- anonymous: GET /api/documents/search/?q=organization:1
select count(*) as total
from (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and "documents"."organization_id" = $1
) as found

-- collaborator: GET /api/documents/search/?q=harbour+port&sort=-score&facets=access,status,user,organization,language,text_language,original_extension,year,project,data,data_k,mention,mention_iban
select api_tokens.id, api_tokens.user_id, may_write, last_used_at, run_id, addon_runs.uuid as run_uuid, addon_runs.event_id as run_event, addon_runs.scope as run_scope
from api_tokens left join addon_runs on addon_runs.id = run_id
where digest = $1 and (expires_at is null or expires_at > $2)

-- anonymous: GET /api/documents/search/?q=container:*
select count(*) as total
from (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and documents.id in (
    select child_id
    from document_children
  )
) as found

-- anonymous: GET /api/documents/search/?q=language:eng+-original_extension:docx
select count(*) as total
from (
  select documents.id
  from documents
  where ("documents"."language" = $1 and not ("documents"."original_extension" = $2)) and documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and documents.id > 0
) as found

-- anonymous: GET /api/documents/search/?q=created_at:[2024+TO+2026]
select count(*) as total
from (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and "documents"."created_at" >= $1 and "documents"."created_at" < $2
) as found

-- anonymous: GET /api/documents/search/?q=updated_at:[2024+TO+2026]
select count(*) as total
from (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and "documents"."updated_at" >= $1 and "documents"."updated_at" < $2
) as found

-- anonymous: GET /api/documents/search/?q=page_count:[1+TO+2]
select count(*) as total
from (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and "documents"."page_count" >= $1 and "documents"."page_count" <= $2
) as found

-- collaborator: GET /api/documents/search/?sort=-created_at&cursor=WyIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLCIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLDNd
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

-- collaborator: GET /api/documents/search/?q=harbour+port&sort=-score&facets=access,status,user,organization,language,text_language,original_extension,year,project,data,data_k,mention,mention_iban
select notes.*
from notes
where "notes"."document_id" = any($1::bigint[]) and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $2) or (notes.access = 'organization' and "notes"."document_id" = any($3::bigint[]))) and ("notes"."page_number", "notes"."id") > ($4, $5)
order by "notes"."page_number", "notes"."id"
limit $6

-- anonymous: GET /api/documents/search/?q=harbour&sort=score
select documents.*, (
  select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
  from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
  where project_memberships.document_id = documents.id
) as public_projects
from documents
where "documents"."id" = any($1::bigint[])

-- user: GET /api/documents/search/?q=container:*
select count(*) as total
from (
  select documents.id
  from documents
  where (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end or exists (
    select 1
    from document_audiences
    where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($1::text[])
  )) and documents.id in (
    select child_id
    from document_children
  )
) as found

-- user: GET /api/documents/search/?q=user:1&sort=id
select id, value, created_at
from (
  select *
  from (
    select id, value, created_at
    from (
      select "documents"."id" as id, "documents"."id" as value, documents.created_at
      from documents
      where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."user_id" = $1
    ) as ranked
    order by id asc
    limit 26
  ) as first
) as parts
order by id asc
limit 26 offset 0

-- user: GET /api/documents/search/?q=user:1&sort=-id
select id, value, created_at
from (
  select *
  from (
    select id, value, created_at
    from (
      select "documents"."id" as id, "documents"."id" as value, documents.created_at
      from documents
      where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."user_id" = $1
    ) as ranked
    order by id desc
    limit 26
  ) as first
) as parts
order by id desc
limit 26 offset 0

-- anonymous: GET /api/documents/search/?q=harbour+port+a+b+c+of&sort=data_k&facets=access,status,user,organization,language,text_language,original_extension,year,project,data,data_k,mention,mention_iban&cursor=W251bGwsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiIsM10
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

-- anonymous: GET /api/documents/search/?q=folder:a
select count(*) as total
from (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and documents.id in (
    select positions.document_id
    from document_path_audiences as positions
    where "positions"."audience" = any($1::text[]) and positions.path > $2 and positions.path < $3
  )
) as found

-- user: GET /api/documents/search/?q=user:1&sort=title
select id, value, created_at
from (
  select *
  from (
    select id, value, created_at
    from (
      select "documents"."id" as id, "documents"."title" as value, documents.created_at
      from documents
      where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."user_id" = $1
    ) as ranked
    order by value asc, id desc
    limit 26
  ) as first
) as parts
order by value asc, id desc
limit 26 offset 0

-- user: GET /api/documents/search/?q=user:1&sort=source
select id, value, created_at
from (
  select *
  from (
    select id, value, created_at
    from (
      select "documents"."id" as id, "documents"."source" as value, documents.created_at
      from documents
      where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."user_id" = $1
    ) as ranked
    order by value asc, id desc
    limit 26
  ) as first
) as parts
order by value asc, id desc
limit 26 offset 0

-- user: GET /api/documents/search/?q=user:1&sort=-title
select id, value, created_at
from (
  select *
  from (
    select id, value, created_at
    from (
      select "documents"."id" as id, "documents"."title" as value, documents.created_at
      from documents
      where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."user_id" = $1
    ) as ranked
    order by value desc, id desc
    limit 26
  ) as first
) as parts
order by value desc, id desc
limit 26 offset 0

-- user: GET /api/documents/search/?q=user:1&sort=-created_at
select id, value, created_at
from (
  select *
  from (
    select id, value, created_at
    from (
      select "documents"."id" as id, "documents"."created_at" as value, documents.created_at
      from documents
      where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."user_id" = $1
    ) as ranked
    order by value asc, id desc
    limit 26
  ) as first
) as parts
order by value asc, id desc
limit 26 offset 0

-- user: GET /api/documents/search/?q=user:1&sort=-updated_at
select id, value, created_at
from (
  select *
  from (
    select id, value, created_at
    from (
      select "documents"."id" as id, "documents"."updated_at" as value, documents.created_at
      from documents
      where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."user_id" = $1
    ) as ranked
    order by value asc, id desc
    limit 26
  ) as first
) as parts
order by value asc, id desc
limit 26 offset 0

-- user: GET /api/documents/search/?q=user:1&sort=-page_count
select id, value, created_at
from (
  select *
  from (
    select id, value, created_at
    from (
      select "documents"."id" as id, "documents"."page_count" as value, documents.created_at
      from documents
      where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."user_id" = $1
    ) as ranked
    order by value asc, id desc
    limit 26
  ) as first
) as parts
order by value asc, id desc
limit 26 offset 0

-- reader of many: GET /api/documents/search/?q=language:eng
select count(*) as total
from (
  select documents.id
  from documents
  where "documents"."language" = $1 and documents.access in ('public', 'organization', 'private') and documents.status in ('success', 'readable', 'pending', 'error', 'nofile') and (documents.access = 'public' and documents.status in ('success', 'readable') or documents.user_id = $2 or (documents.access = 'organization' and "documents"."organization_id" = any($3::bigint[]))) and documents.id > 0
) as found

-- anonymous: GET /api/documents/search/?sort=id
select id, value, created_at
from (
  select *
  from (
    select id, value, created_at
    from (
      select "documents"."id" as id, "documents"."id" as value, documents.created_at
      from documents
      where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
    ) as ranked
    order by id asc
    limit 26
  ) as first
) as parts
order by id asc
limit 26 offset 0

-- reader of many: GET /api/documents/search/?q=language:eng+access:public
select count(*) as total
from (
  select documents.id
  from documents
  where ("documents"."language" = $1 and "documents"."access" = $2) and documents.access in ('public', 'organization', 'private') and documents.status in ('success', 'readable', 'pending', 'error', 'nofile') and (documents.access = 'public' and documents.status in ('success', 'readable') or documents.user_id = $3 or (documents.access = 'organization' and "documents"."organization_id" = any($4::bigint[]))) and documents.id > 0
) as found

-- anonymous: GET /api/documents/search/?q=container:*
with found as (
  select documents.id, documents.created_at
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and documents.id in (
    select child_id
    from document_children
  )
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
)
select id, value, created_at
from ranked
order by value desc, id desc
limit 26 offset 0

-- user: GET /api/documents/search/?q=user:1&sort=data_k
with found as (
  select documents.id, documents.created_at
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."user_id" = $1
), ranked as (
  select found.id, found.created_at, "document_data"."lowest" as value
  from found left join document_data on document_data.document_id = found.id and document_data.key = $2
)
select id, value, created_at
from ranked
order by value is null, value asc, id desc
limit 26 offset 0

-- user: GET /api/documents/search/?q=user:1&sort=-data_k
with found as (
  select documents.id, documents.created_at
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."user_id" = $1
), ranked as (
  select found.id, found.created_at, "document_data"."highest" as value
  from found left join document_data on document_data.document_id = found.id and document_data.key = $2
)
select id, value, created_at
from ranked
order by value is null, value desc, id desc
limit 26 offset 0

-- user: GET /api/documents/search/?q=harbour+-port&sort=score&facets=access,status,user,organization,language,text_language,original_extension,year,project,data,data_k,mention,mention_iban&cursor=WzIsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiIsMyxbMywxMF1d
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

-- anonymous: GET /api/documents/search/?q=container:2
select count(*) as total
from (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and documents.id in (
    select positions.document_id
    from document_paths as container cross join document_path_audiences as positions
    where container.document_id = $1 and "positions"."audience" = any($2::text[]) and positions.path > container.path || $3 and positions.path < container.path || $4
  )
) as found

-- anonymous: GET /api/documents/search/?q=-port&cursor=WyIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLCIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLDNd
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
    where value <= $1 and (value < $2 or id < $3)
    order by value desc, id desc
    limit 104
  ) as first
) as parts
order by value desc, id desc
limit 104 offset 0

-- user: GET /api/documents/search/?q=parent%3A1%20-parent%3A*
select count(*) as total
from (
  select documents.id
  from documents
  where (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end or exists (
    select 1
    from document_audiences
    where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($1::text[])
  )) and (documents.id in (
    select document_children.child_id
    from document_children
    where document_children.parent_id = $2
  ) and not (documents.id in (
    select document_children.child_id
    from document_children
    where 1 = 1
  )))
) as found

-- user: GET /api/documents/search/?q=organization:1
select count(*) as total
from (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."organization_id" = $1
  union all
  select documents.id
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($2::text[])
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and "documents"."organization_id" = $3
) as found

-- anonymous: GET /api/documents/search/?sort=data_k&cursor=W251bGwsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiIsM10
with found as (
  select documents.id, documents.created_at
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
), ranked as (
  select found.id, found.created_at, "document_data"."lowest" as value
  from found left join document_data on document_data.document_id = found.id and document_data.key = $1
)
select id, value, created_at
from ranked
where value is null and id < $2
order by value is null, value asc, id desc
limit 26 offset 0

-- collaborator: GET /api/documents/search/?q=user:1
select count(*) as total
from (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."user_id" = $1
  union all
  select documents.id
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($2::text[]) and document_audiences.user_id = $3
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and "documents"."user_id" = $4
) as found

-- user: GET /api/documents/search/?q=harbour+-port&sort=score&facets=access,status,user,organization,language,text_language,original_extension,year,project,data,data_k,mention,mention_iban&cursor=WzIsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiIsMyxbMywxMF1d
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

-- user: GET /api/documents/search/?q=created_at:[2024+TO+2026]
select count(*) as total
from (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."created_at" >= $1 and "documents"."created_at" < $2
  union all
  select documents.id
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($3::text[]) and "document_audiences"."created_at" >= $4 and "document_audiences"."created_at" < $5
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and "documents"."created_at" >= $6 and "documents"."created_at" < $7
) as found

-- user: GET /api/documents/search/?q=updated_at:[2024+TO+2026]
select count(*) as total
from (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."updated_at" >= $1 and "documents"."updated_at" < $2
  union all
  select documents.id
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($3::text[]) and "document_audiences"."updated_at" >= $4 and "document_audiences"."updated_at" < $5
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and "documents"."updated_at" >= $6 and "documents"."updated_at" < $7
) as found

-- user: GET /api/documents/search/?q=page_count:[1+TO+2]
select count(*) as total
from (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."page_count" >= $1 and "documents"."page_count" <= $2
  union all
  select documents.id
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($3::text[]) and "document_audiences"."page_count" >= $4 and "document_audiences"."page_count" <= $5
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and "documents"."page_count" >= $6 and "documents"."page_count" <= $7
) as found

-- collaborator: GET /api/documents/search/?hl=true&q=h%3Frbour%20OR%20NOT%20harbor~1
select document_id, page, total
from (
  select document_id, part - 3 as page, count(*) over (partition by document_id) as total, row_number() over (partition by document_id order by part) as position
  from (
    select document_id, part
    from (
      select distinct holding.document_id, holding.part
      from search_vocabulary cross join lateral (
        select document_id, part
        from document_words
        where words @@ quote_literal(search_vocabulary.word)::tsquery and document_id = any($1::bigint[]) offset 0
      ) as holding
      where search_vocabulary.word >= $2 and search_vocabulary.word < $3 and search_vocabulary.word like $4 escape '\'
    ) as parts
    where part >= 3 and part < 524288
  ) as matching
) as numbered
where position <= 150
order by document_id, page

-- user: GET /api/documents/search/?sort=-page_count
select id, value, created_at
from (
  select *
  from (
    select id, value, created_at
    from (
      select "documents"."id" as id, "documents"."page_count" as value, documents.created_at
      from documents
      where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and 1 = 1
    ) as ranked
    order by value asc, id desc
    limit 26
  ) as first
  union
  select *
  from (
    select id, value, created_at
    from (
      select "document_audiences"."document_id" as id, "document_audiences"."page_count" as value, documents.created_at
      from document_audiences cross join lateral (
        select *
        from documents
        where documents.id = "document_audiences"."document_id" offset 0
      ) as documents
      where document_audiences.audience = $1 and 1 = 1
    ) as ranked
    order by value asc, id desc
    limit 26
  ) as first
) as parts
order by value asc, id desc
limit 26 offset 0

-- user: GET /api/documents/search/?q=*
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
    limit 26
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
    limit 26
  ) as first
) as parts
order by value desc, id desc
limit 26 offset 0

-- user: GET /api/documents/search/?q=user%3A%7B0%20TO%209%7D%20organization%3A%7B0%20TO%209%7D%20project%3A%7B0%20TO%209%7D%20id%3A%7B0%20TO%209%7D%20page_count%3A%7B0%20TO%209%7D
select count(*) as total
from (
  select documents.id
  from documents
  where (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end or exists (
    select 1
    from document_audiences
    where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($1::text[])
  )) and ("documents"."user_id" > $2 and "documents"."user_id" < $3 and "documents"."organization_id" > $4 and "documents"."organization_id" < $5 and documents.id in (
    select project_memberships.document_id
    from project_memberships join projects on projects.id = project_memberships.project_id
    where project_memberships.project_id > $6 and project_memberships.project_id < $7 and (projects.private = false or "projects"."id" = any($8::bigint[]))
  ) and "documents"."id" > $9 and "documents"."id" < $10 and "documents"."page_count" > $11 and "documents"."page_count" < $12)
) as found

-- collaborator: GET /api/documents/search/?q=user:1&sort=id
select id, value, created_at
from (
  select *
  from (
    select id, value, created_at
    from (
      select "documents"."id" as id, "documents"."id" as value, documents.created_at
      from documents
      where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."user_id" = $1
    ) as ranked
    order by id asc
    limit 26
  ) as first
  union
  select *
  from (
    select id, value, created_at
    from (
      select "document_audiences"."document_id" as id, "document_audiences"."document_id" as value, documents.created_at
      from document_audiences cross join lateral (
        select *
        from documents
        where documents.id = "document_audiences"."document_id" offset 0
      ) as documents
      where document_audiences.audience = $2 and document_audiences.user_id = $3 and "documents"."user_id" = $4
    ) as ranked
    order by id asc
    limit 26
  ) as first
) as parts
order by id asc
limit 26 offset 0

-- user: GET /api/documents/search/?q=created_at%3A%5B2024%20TO%202026%5D%20updated_at%3A%5B2024%20TO%202026%5D%20(status%3Aerror%20OR%20page_count%3A1)
select count(*) as total
from (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and ("documents"."created_at" >= $1 and "documents"."created_at" < $2 or "documents"."updated_at" >= $3 and "documents"."updated_at" < $4 or ("documents"."status" = $5 or "documents"."page_count" = $6))
  union all
  select documents.id
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($7::text[])
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and ("documents"."created_at" >= $8 and "documents"."created_at" < $9 or "documents"."updated_at" >= $10 and "documents"."updated_at" < $11 or ("documents"."status" = $12 or "documents"."page_count" = $13))
) as found

-- user: GET /api/documents/search/?q=user%3A%5B1%20TO%202%5D%20organization%3A%5B1%20TO%202%5D%20project%3A%5B1%20TO%202%5D%20id%3A%5B1%20TO%202%5D%20page_count%3A%5B1%20TO%202%5D
select count(*) as total
from (
  select documents.id
  from documents
  where (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end or exists (
    select 1
    from document_audiences
    where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($1::text[])
  )) and ("documents"."user_id" >= $2 and "documents"."user_id" <= $3 and "documents"."organization_id" >= $4 and "documents"."organization_id" <= $5 and documents.id in (
    select project_memberships.document_id
    from project_memberships join projects on projects.id = project_memberships.project_id
    where project_memberships.project_id >= $6 and project_memberships.project_id <= $7 and (projects.private = false or "projects"."id" = any($8::bigint[]))
  ) and "documents"."id" >= $9 and "documents"."id" <= $10 and "documents"."page_count" >= $11 and "documents"."page_count" <= $12)
) as found

-- collaborator: GET /api/documents/search/?q=user:1&sort=title
select id, value, created_at
from (
  select *
  from (
    select id, value, created_at
    from (
      select "documents"."id" as id, "documents"."title" as value, documents.created_at
      from documents
      where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."user_id" = $1
    ) as ranked
    order by value asc, id desc
    limit 26
  ) as first
  union
  select *
  from (
    select id, value, created_at
    from (
      select "document_audiences"."document_id" as id, "document_audiences"."title" as value, documents.created_at
      from document_audiences cross join lateral (
        select *
        from documents
        where documents.id = "document_audiences"."document_id" offset 0
      ) as documents
      where document_audiences.audience = $2 and document_audiences.user_id = $3 and "documents"."user_id" = $4
    ) as ranked
    order by value asc, id desc
    limit 26
  ) as first
) as parts
order by value asc, id desc
limit 26 offset 0

-- anonymous: GET /api/documents/search/?q=-port&cursor=WyIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLCIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLDNd
with hits as materialized (
  select cast(document_id as bigint) as document_id, cast(sum(case word when 0 then weight else 0 end) as bigint) as "weight0"
  from (
    select document_id, 0 as word, 1 as weight
    from (
      select document_id, part
      from document_words
      where words @@ $1::tsquery and document_id = any($2::bigint[])
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
from documents left join hits on hits.document_id = documents.id
where "documents"."id" = any($3::bigint[]) and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0) and not (coalesce("hits"."weight0", 0) > 0)

-- collaborator: GET /api/documents/search/?q=user:1&sort=source
select id, value, created_at
from (
  select *
  from (
    select id, value, created_at
    from (
      select "documents"."id" as id, "documents"."source" as value, documents.created_at
      from documents
      where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."user_id" = $1
    ) as ranked
    order by value asc, id desc
    limit 26
  ) as first
  union
  select *
  from (
    select id, value, created_at
    from (
      select "document_audiences"."document_id" as id, "document_audiences"."source" as value, documents.created_at
      from document_audiences cross join lateral (
        select *
        from documents
        where documents.id = "document_audiences"."document_id" offset 0
      ) as documents
      where document_audiences.audience = $2 and document_audiences.user_id = $3 and "documents"."user_id" = $4
    ) as ranked
    order by value asc, id desc
    limit 26
  ) as first
) as parts
order by value asc, id desc
limit 26 offset 0

-- collaborator: GET /api/documents/search/?q=user:1&sort=-updated_at
select id, value, created_at
from (
  select *
  from (
    select id, value, created_at
    from (
      select "documents"."id" as id, "documents"."updated_at" as value, documents.created_at
      from documents
      where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and "documents"."user_id" = $1
    ) as ranked
    order by value asc, id desc
    limit 26
  ) as first
  union
  select *
  from (
    select id, value, created_at
    from (
      select "document_audiences"."document_id" as id, "document_audiences"."updated_at" as value, documents.created_at
      from document_audiences cross join lateral (
        select *
        from documents
        where documents.id = "document_audiences"."document_id" offset 0
      ) as documents
      where document_audiences.audience = $2 and document_audiences.user_id = $3 and "documents"."user_id" = $4
    ) as ranked
    order by value asc, id desc
    limit 26
  ) as first
) as parts
order by value asc, id desc
limit 26 offset 0

-- collaborator: GET /api/documents/search/?hl=true&q=harbour%20NOT%20port%20-title%3Aport
select document_id, page, total
from (
  select document_id, part - 3 as page, count(*) over (partition by document_id) as total, row_number() over (partition by document_id order by part) as position
  from (
    select document_id, part
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
    where part >= 3 and part < 524288
  ) as matching
) as numbered
where position <= 150
order by document_id, page

-- collaborator: GET /api/documents/search/?q=harbour+port&sort=-score&facets=access,status,user,organization,language,text_language,original_extension,year,project,data,data_k,mention,mention_iban
select documents.*, (
  select string_agg("project_memberships"."project_id"::text, ',' order by "project_memberships"."project_id")
  from project_memberships join projects on projects.id = project_memberships.project_id and projects.private = false
  where project_memberships.document_id = documents.id
) as public_projects, (
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

-- user: GET /api/documents/search/?q=status%3Asuccess%20access%3Apublic%20language%3Aeng%20text_language%3Aeng%20slug%3Aa%20original_extension%3Apdf%20noindex%3Afalse%20tag%3Aa%20-data_j%3Ab
select count(*) as total
from (
  select documents.id
  from documents
  where (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end or exists (
    select 1
    from document_audiences
    where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($1::text[])
  )) and ("documents"."status" = $2 and "documents"."access" = $3 and "documents"."language" = $4 and coalesce((
      select document_languages.language
      from document_languages
      where document_languages.document_id = documents.id
    ), documents.language
  ) = $5 and "documents"."slug" = $6 and "documents"."original_extension" = $7 and (case when documents.noindex = true or documents.admin_noindex = true then 'true' else 'false' end) = $8 and (documents.id in (
    select document_id
    from document_data
    where key = $9
  ) and exists (
    select 1
    from json_array_elements_text("documents"."data"::json -> $10::text) as item
    where item.value = $11
  )) and not ((documents.id in (
      select document_id
      from document_data
      where key = $12
    ) and exists (
      select 1
      from json_array_elements_text("documents"."data"::json -> $13::text) as item
      where item.value = $14
    ))
  ))
) as found

-- user: GET /api/documents/search/?q=harbour+-port&sort=score&facets=access,status,user,organization,language,text_language,original_extension,year,project,data,data_k,mention,mention_iban&cursor=WzIsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiIsMyxbMywxMF1d
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

-- anonymous: GET /api/documents/1/search/?paged=true&q=harbour
with held as materialized (
  select (
    select string_agg(cast(part as text), ',')
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
      where notes.document_id = parts.document_id and notes.part = parts.part and notes.access = 'public'
    ))
  ) as "parts0"
), hits as (
  select case when "parts0" is null then 0 else 1 end as "weight0"
  from held
)
select "parts0"
from held
where exists (
  select 1
  from documents cross join hits
  where documents.id = $7 and coalesce("hits"."weight0", 0) > 0
)

-- anonymous: GET /api/documents/search/?like_text=harbour+port
select 0 as word, (
  select count(*)
  from (
    select distinct counts.document_id
    from (
      select document_id, block as part, units
      from word_counts_of( $1, $2::text[], $3::text[], $4::boolean[], $5::text[], $6::integer[], $7::integer[])
    ) as counts
    where counts.part < 524288 and exists (
      select 1
      from documents
      where documents.id = counts.document_id and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    limit 200
  ) as found
) as documents
union all
select 1 as word, (
  select count(*)
  from (
    select distinct counts.document_id
    from (
      select document_id, block as part, units
      from word_counts_of( $8, $9::text[], $10::text[], $11::boolean[], $12::text[], $13::integer[], $14::integer[])
    ) as counts
    where counts.part < 524288 and exists (
      select 1
      from documents
      where documents.id = counts.document_id and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    limit 200
  ) as found
) as documents

-- user: GET /api/documents/search/?q=title%3A*%20source%3A*%20description%3A*%20-text%3A*%20-page_no_2%3A*
select count(*) as total
from (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and (("documents"."title" <> '' or "documents"."source" <> '' or "documents"."description" <> '') and not ((exists (
        select 1
        from document_pages
        where document_pages.document_id = documents.id and document_pages.text <> ''
      ) or exists (
        select 1
        from document_pages
        where document_pages.document_id = documents.id and document_pages.page = $1 and document_pages.text <> ''
      ))
    )
  )
  union all
  select documents.id
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($2::text[])
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and (("documents"."title" <> '' or "documents"."source" <> '' or "documents"."description" <> '') and not ((exists (
        select 1
        from document_pages
        where document_pages.document_id = documents.id and document_pages.text <> ''
      ) or exists (
        select 1
        from document_pages
        where document_pages.document_id = documents.id and document_pages.page = $3 and document_pages.text <> ''
      ))
    )
  )
) as found

-- user: GET /api/documents/search/?q=status%3As*%20access%3Ap*%20language%3Ae*%20text_language%3Ae*%20slug%3Aa*%20original_extension%3Ap*%20noindex%3Af*%20tag%3Aa*%20data_k%3A*
select count(*) as total
from (
  select documents.id
  from documents
  where (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end or exists (
    select 1
    from document_audiences
    where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($1::text[])
  )) and (substr("documents"."status", 1, 1) = $2 and substr("documents"."access", 1, 1) = $3 and substr("documents"."language", 1, 1) = $4 and substr(coalesce((
      select document_languages.language
      from document_languages
      where document_languages.document_id = documents.id
    ), documents.language
  ), 1, 1) = $5 and substr("documents"."slug", 1, 1) = $6 and substr("documents"."original_extension", 1, 1) = $7 and substr((case when documents.noindex = true or documents.admin_noindex = true then 'true' else 'false' end), 1, 1
  ) = $8 and (documents.id in (
    select document_id
    from document_data
    where key = $9
  ) and exists (
    select 1
    from json_array_elements_text("documents"."data"::json -> $10::text) as item
    where substr(item.value, 1, 1) = $11
  )) and (documents.id in (
    select document_id
    from document_data
    where key = $12
  ) and exists (
    select 1
    from json_array_elements_text("documents"."data"::json -> $13::text) as item
    where substr(item.value, 1, 0) = $14
  )))
) as found

-- anonymous: GET /api/documents/search/?like=1
select 0 as word, (
  select count(*)
  from (
    select distinct counts.document_id
    from (
      select document_id, block as part, units
      from word_counts_of( $1, $2::text[], $3::text[], $4::boolean[], $5::text[], $6::integer[], $7::integer[])
    ) as counts
    where counts.part < 524288 and exists (
      select 1
      from documents
      where documents.id = counts.document_id and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0) and documents.id <> $8
    )
    limit 200
  ) as found
) as documents
union all
select 1 as word, (
  select count(*)
  from (
    select distinct counts.document_id
    from (
      select document_id, block as part, units
      from word_counts_of( $9, $10::text[], $11::text[], $12::boolean[], $13::text[], $14::integer[], $15::integer[])
    ) as counts
    where counts.part < 524288 and exists (
      select 1
      from documents
      where documents.id = counts.document_id and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0) and documents.id <> $16
    )
    limit 200
  ) as found
) as documents

-- user: GET /api/documents/search/?q=user%3A1%20organization%3A(1%202)%20project%3A1%20id%3A(1%20OR%202%20OR%203)
select count(*) as total
from (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and (("documents"."organization_id" = any($1::bigint[])) or documents.id in (
      select project_memberships.document_id
      from project_memberships join projects on projects.id = project_memberships.project_id
      where project_memberships.project_id = $2 and (projects.private = false or "projects"."id" = any($3::bigint[]))
    ) or ("documents"."id" = any($4::bigint[])) or "documents"."user_id" = any($5::bigint[])
  )
  union all
  select documents.id
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($6::text[])
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and (("documents"."organization_id" = any($7::bigint[])) or documents.id in (
      select project_memberships.document_id
      from project_memberships join projects on projects.id = project_memberships.project_id
      where project_memberships.project_id = $8 and (projects.private = false or "projects"."id" = any($9::bigint[]))
    ) or ("documents"."id" = any($10::bigint[])) or "documents"."user_id" = any($11::bigint[])
  )
) as found

-- anonymous: GET /api/documents/search/?facets=user
with newest as materialized (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  order by documents.id desc
  limit 100000
), faceted as materialized (
  select documents.id, "documents"."user_id" as "facet0"
  from "newest" join "documents" on "documents"."id" + 0 = "newest"."id"
  where 8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  )
  union all
  select documents.id, "documents"."user_id" as "facet0"
  from "newest" cross join lateral (
    select *
    from "documents"
    where "documents"."id" = "newest"."id" offset 0
  ) as "documents"
  where not (8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ))
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (with "combinations0" as materialized (
    select "facet0" as "value0", count(*) as n
    from faceted
    group by 1
  )
  select json_build_array((
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value0" as value, cast(sum(n) as bigint) as n
        from "combinations0"
        group by 1
        order by 2 desc, 1
        limit 51
      ) as counts
    )
  )::text
) as facets

-- anonymous: GET /api/documents/search/?facets=access
with newest as materialized (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  order by documents.id desc
  limit 100000
), faceted as materialized (
  select documents.id, "documents"."access" as "facet0"
  from "newest" join "documents" on "documents"."id" + 0 = "newest"."id"
  where 8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  )
  union all
  select documents.id, "documents"."access" as "facet0"
  from "newest" cross join lateral (
    select *
    from "documents"
    where "documents"."id" = "newest"."id" offset 0
  ) as "documents"
  where not (8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ))
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (with "combinations0" as materialized (
    select ("facet0" collate "C") as "value0", count(*) as n
    from faceted
    group by 1
  )
  select json_build_array((
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value0" as value, cast(sum(n) as bigint) as n
        from "combinations0"
        group by 1
        order by 2 desc, 1
        limit 51
      ) as counts
    )
  )::text
) as facets

-- anonymous: GET /api/documents/search/?facets=status
with newest as materialized (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  order by documents.id desc
  limit 100000
), faceted as materialized (
  select documents.id, "documents"."status" as "facet0"
  from "newest" join "documents" on "documents"."id" + 0 = "newest"."id"
  where 8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  )
  union all
  select documents.id, "documents"."status" as "facet0"
  from "newest" cross join lateral (
    select *
    from "documents"
    where "documents"."id" = "newest"."id" offset 0
  ) as "documents"
  where not (8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ))
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (with "combinations0" as materialized (
    select ("facet0" collate "C") as "value0", count(*) as n
    from faceted
    group by 1
  )
  select json_build_array((
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value0" as value, cast(sum(n) as bigint) as n
        from "combinations0"
        group by 1
        order by 2 desc, 1
        limit 51
      ) as counts
    )
  )::text
) as facets

-- anonymous: GET /api/documents/search/?facets=organization
with newest as materialized (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  order by documents.id desc
  limit 100000
), faceted as materialized (
  select documents.id, "documents"."organization_id" as "facet0"
  from "newest" join "documents" on "documents"."id" + 0 = "newest"."id"
  where 8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  )
  union all
  select documents.id, "documents"."organization_id" as "facet0"
  from "newest" cross join lateral (
    select *
    from "documents"
    where "documents"."id" = "newest"."id" offset 0
  ) as "documents"
  where not (8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ))
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (with "combinations0" as materialized (
    select "facet0" as "value0", count(*) as n
    from faceted
    group by 1
  )
  select json_build_array((
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value0" as value, cast(sum(n) as bigint) as n
        from "combinations0"
        group by 1
        order by 2 desc, 1
        limit 51
      ) as counts
    )
  )::text
) as facets

-- anonymous: GET /api/documents/search/?facets=language
with newest as materialized (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  order by documents.id desc
  limit 100000
), faceted as materialized (
  select documents.id, "documents"."language" as "facet0"
  from "newest" join "documents" on "documents"."id" + 0 = "newest"."id"
  where 8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  )
  union all
  select documents.id, "documents"."language" as "facet0"
  from "newest" cross join lateral (
    select *
    from "documents"
    where "documents"."id" = "newest"."id" offset 0
  ) as "documents"
  where not (8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ))
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (with "combinations0" as materialized (
    select ("facet0" collate "C") as "value0", count(*) as n
    from faceted
    group by 1
  )
  select json_build_array((
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value0" as value, cast(sum(n) as bigint) as n
        from "combinations0"
        group by 1
        order by 2 desc, 1
        limit 51
      ) as counts
    )
  )::text
) as facets

-- anonymous: GET /api/documents/search/?facets=original_extension
with newest as materialized (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  order by documents.id desc
  limit 100000
), faceted as materialized (
  select documents.id, "documents"."original_extension" as "facet0"
  from "newest" join "documents" on "documents"."id" + 0 = "newest"."id"
  where 8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  )
  union all
  select documents.id, "documents"."original_extension" as "facet0"
  from "newest" cross join lateral (
    select *
    from "documents"
    where "documents"."id" = "newest"."id" offset 0
  ) as "documents"
  where not (8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ))
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (with "combinations0" as materialized (
    select ("facet0" collate "C") as "value0", count(*) as n
    from faceted
    group by 1
  )
  select json_build_array((
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value0" as value, cast(sum(n) as bigint) as n
        from "combinations0"
        group by 1
        order by 2 desc, 1
        limit 51
      ) as counts
    )
  )::text
) as facets

-- anonymous: GET /api/documents/search/?facets=year
with newest as materialized (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  order by documents.id desc
  limit 100000
), faceted as materialized (
  select documents.id, substr(documents.created_at, 1, 4) as "facet0"
  from "newest" join "documents" on "documents"."id" + 0 = "newest"."id"
  where 8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  )
  union all
  select documents.id, substr(documents.created_at, 1, 4) as "facet0"
  from "newest" cross join lateral (
    select *
    from "documents"
    where "documents"."id" = "newest"."id" offset 0
  ) as "documents"
  where not (8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ))
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (with "combinations0" as materialized (
    select ("facet0" collate "C") as "value0", count(*) as n
    from faceted
    group by 1
  )
  select json_build_array((
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value0" as value, cast(sum(n) as bigint) as n
        from "combinations0"
        group by 1
        order by 2 desc, 1
        limit 51
      ) as counts
    )
  )::text
) as facets

-- anonymous: GET /api/documents/search/?suggest=true&q=harbuor
select word
from (
  select word, blocks
  from (
    select "search_vocabulary"."word" as word, array(
      select "search_vocabulary"."word" || mark
      from unnest($1::text[]) as mark
    ) as terms
    from search_vocabulary
    where "search_vocabulary"."word" >= $2 and "search_vocabulary"."word" < $3 and "search_vocabulary"."word" like $4 escape '\'
  ) as words cross join lateral (
    select count(*) as read, count(*) filter (where held.block < 524288 and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)) as shown
    from blocks_with_terms(words.terms, 300) as held join documents on documents.id = held.document_id offset 0
  ) as first cross join lateral (
    select case when first.shown < 100 and first.read = 300 then (
      select count(*)
      from (
        select 1
        from blocks_with_terms(words.terms, null) as held join documents on documents.id = held.document_id
        where held.block < 524288 and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
        limit 100
      ) as shown
    ) else least(first.shown, 100) end as blocks offset 0
  ) as counted
  where blocks > 0
) as words
order by blocks desc, word
limit 1

-- user: GET /api/documents/search/?q=mention%3Aa%20mention%3A%22a%40example.org%22%20-mention_iban%3Ab%20mention%3A*%20mention_phone%3A1*%20mention_date%3A%5B2020%20TO%202021%7D%20mention_birth_date%3A%7B2020%20TO%202021%5D
select count(*) as total
from (
  select documents.id
  from documents
  where (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end or exists (
    select 1
    from document_audiences
    where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($1::text[])
  )) and (((documents.id in (
        select mentions.document_id
        from mentions
        where "mentions"."kind" = any($2::text[]) and mentions.value = $3
      ) or documents.id in (
        select mentions.document_id
        from mentions
        where "mentions"."kind" = any($4::text[]) and mentions.value = $5
      )) or documents.id in (
        select mentions.document_id
        from mentions
        where mentions.kind = $6 and mentions.value = $7
      ) or documents.id in (
        select mentions.document_id
        from mentions
        where "mentions"."kind" = any($8::text[]) and substr(mentions.value, 1, 0) = $9
      )
    ) and documents.id in (
      select mentions.document_id
      from mentions
      where mentions.kind = $10 and substr(mentions.value, 1, 1) = $11
    ) and documents.id in (
      select mentions.document_id
      from mentions
      where mentions.kind = $12 and mentions.value >= $13 and mentions.value < $14
    ) and documents.id in (
      select mentions.document_id
      from mentions
      where mentions.kind = $15 and mentions.value > $16 and mentions.value <= $17
    ) and not (documents.id in (
      select mentions.document_id
      from mentions
      where mentions.kind = $18 and mentions.value = $19
    ))
  )
) as found

-- anonymous: GET /api/documents/search/?suggest=true&q=harbuor
select word
from (
  select word, blocks
  from (
    select "search_vocabulary"."word" as word, array(
      select "search_vocabulary"."word" || mark
      from unnest($1::text[]) as mark
    ) as terms
    from search_vocabulary
    where "search_vocabulary"."word" >= $2 and "search_vocabulary"."word" < $3 and is_within_edits("search_vocabulary"."word", $4, $5)
  ) as words cross join lateral (
    select count(*) as read, count(*) filter (where held.block < 524288 and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)) as shown
    from blocks_with_terms(words.terms, 300) as held join documents on documents.id = held.document_id offset 0
  ) as first cross join lateral (
    select case when first.shown < 100 and first.read = 300 then (
      select count(*)
      from (
        select 1
        from blocks_with_terms(words.terms, null) as held join documents on documents.id = held.document_id
        where held.block < 524288 and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
        limit 100
      ) as shown
    ) else least(first.shown, 100) end as blocks offset 0
  ) as counted
  where blocks > 0
) as words
order by blocks desc, word
limit 1

-- collaborator: GET /api/documents/search/?sort=-created_at&cursor=WyIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLCIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLDNd
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
    where value >= $1 and (value > $2 or id < $3)
    order by value asc, id desc
    limit 26
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
      where document_audiences.audience = $4 and 1 = 1
    ) as ranked
    where value >= $5 and (value > $6 or id < $7)
    order by value asc, id desc
    limit 26
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
      where document_audiences.audience = $8 and 1 = 1
    ) as ranked
    where value >= $9 and (value > $10 or id < $11)
    order by value asc, id desc
    limit 26
  ) as first
) as parts
order by value asc, id desc
limit 26 offset 0

-- reader of many: GET /api/documents/search/?q=language:eng
select id, value, created_at
from (
  select *
  from (
    select id, value, created_at
    from (
      select "documents"."id" as id, "documents"."created_at" as value, documents.created_at
      from documents
      where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and case when ("documents"."language" = $1) then true else false end
    ) as ranked
    order by value desc, id desc
    limit 26
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
      where document_audiences.audience = $2 and case when ("documents"."language" = $3) then true else false end
    ) as ranked
    order by value desc, id desc
    limit 26
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
      where document_audiences.audience = $4 and case when ("documents"."language" = $5) then true else false end
    ) as ranked
    order by value desc, id desc
    limit 26
  ) as first
) as parts
order by value desc, id desc
limit 26 offset 0

-- user: GET /api/documents/search/?q=-port&cursor=WyIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLCIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLDNd
with hits as materialized (
  select cast(document_id as bigint) as document_id, cast(sum(case word when 0 then weight else 0 end) as bigint) as "weight0"
  from (
    select document_id, 0 as word, 1 as weight
    from (
      select document_id, part
      from document_words
      where words @@ $1::tsquery and document_id = any($2::bigint[])
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $3) or (notes.access = 'organization' and ((documents.user_id = $4 and (documents.access <> 'public' or "documents"."organization_id" = any($5::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($6::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($7::text[])
        ))
      )))
    ))
  ) as rows
  group by document_id
)
select documents.id
from documents left join hits on hits.document_id = documents.id
where "documents"."id" = any($8::bigint[]) and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end or exists (
  select 1
  from document_audiences
  where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($9::text[])
)) and not (coalesce("hits"."weight0", 0) > 0)

-- anonymous: GET /api/documents/search/?facets=text_language
with newest as materialized (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  order by documents.id desc
  limit 100000
), faceted as materialized (
  select documents.id, coalesce((
      select document_languages.language
      from document_languages
      where document_languages.document_id = documents.id
    ), documents.language
  ) as "facet0"
  from "newest" join "documents" on "documents"."id" + 0 = "newest"."id"
  where 8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  )
  union all
  select documents.id, coalesce((
      select document_languages.language
      from document_languages
      where document_languages.document_id = documents.id
    ), documents.language
  ) as "facet0"
  from "newest" cross join lateral (
    select *
    from "documents"
    where "documents"."id" = "newest"."id" offset 0
  ) as "documents"
  where not (8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ))
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (with "combinations0" as materialized (
    select ("facet0" collate "C") as "value0", count(*) as n
    from faceted
    group by 1
  )
  select json_build_array((
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value0" as value, cast(sum(n) as bigint) as n
        from "combinations0"
        group by 1
        order by 2 desc, 1
        limit 51
      ) as counts
    )
  )::text
) as facets

-- anonymous: GET /api/documents/search/?facets=project
with newest as materialized (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  order by documents.id desc
  limit 100000
), faceted as materialized (
  select documents.id
  from "newest" join "documents" on "documents"."id" + 0 = "newest"."id"
  where 8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  )
  union all
  select documents.id
  from "newest" cross join lateral (
    select *
    from "documents"
    where "documents"."id" = "newest"."id" offset 0
  ) as "documents"
  where not (8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ))
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (with "combinations0" as materialized (
    select "value" as "value0", count(*) as n
    from (
      select "held"."value" as "value"
      from (
        select project_memberships.project_id as value
        from faceted join project_memberships on project_memberships.document_id = faceted.id join projects on projects.id = project_memberships.project_id
        where (projects.private = false or "projects"."id" = any($1::bigint[]))
      ) as held
    ) as held
    group by 1
  )
  select json_build_array((
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value0" as value, cast(sum(n) as bigint) as n
        from "combinations0"
        group by 1
        order by 2 desc, 1
        limit 51
      ) as counts
    )
  )::text
) as "facets0"

-- anonymous: GET /api/documents/search/?q=-port&cursor=WyIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLCIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLDNd
select count(*) as total
from (with hits as (
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
  ) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and not (not (coalesce("hits"."weight0", 0) > 0))
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
  )) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and not (not (coalesce("hits"."weight0", 0) > 0))
) as found

-- collaborator: GET /api/documents/search/?hl=true&q=h%3Frbour%20harbor~%20title%3Ap*t
select document_id, page, total
from (
  select document_id, part - 3 as page, count(*) over (partition by document_id) as total, row_number() over (partition by document_id order by part) as position
  from (
    select document_id, part
    from (
      select distinct holding.document_id, holding.part
      from search_vocabulary cross join lateral (
        select document_id, part
        from document_words
        where words @@ quote_literal(search_vocabulary.word)::tsquery and document_id = any($1::bigint[]) offset 0
      ) as holding
      where search_vocabulary.word >= $2 and search_vocabulary.word < $3 and search_vocabulary.word like $4 escape '\'
    ) as parts
    where part >= 3 and part < 524288
    union
    select document_id, part
    from (
      select distinct holding.document_id, holding.part
      from search_vocabulary cross join lateral (
        select document_id, part
        from document_words
        where words @@ quote_literal(search_vocabulary.word)::tsquery and document_id = any($5::bigint[]) offset 0
      ) as holding
      where search_vocabulary.word >= $6 and search_vocabulary.word < $7 and is_within_edits(search_vocabulary.word, $8, $9)
    ) as parts
    where part >= 3 and part < 524288
    union
    select document_id, part
    from (
      select distinct holding.document_id, holding.part
      from search_vocabulary cross join lateral (
        select document_id, part
        from document_words
        where words @@ quote_literal(search_vocabulary.word)::tsquery and document_id = any($10::bigint[]) offset 0
      ) as holding
      where search_vocabulary.word >= $11 and search_vocabulary.word < $12 and search_vocabulary.word like $13 escape '\'
    ) as parts
    where part >= 3 and part < 524288 and part = 0
  ) as matching
) as numbered
where position <= 150
order by document_id, page

-- anonymous: GET /api/documents/search/?facets=data
with newest as materialized (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  order by documents.id desc
  limit 100000
), faceted as materialized (
  select documents.id
  from "newest" join "documents" on "documents"."id" + 0 = "newest"."id"
  where 8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  )
  union all
  select documents.id
  from "newest" cross join lateral (
    select *
    from "documents"
    where "documents"."id" = "newest"."id" offset 0
  ) as "documents"
  where not (8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ))
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (with "combinations0" as materialized (
    select ("value" collate "C") as "value0", count(*) as n
    from (
      select "held"."value" as "value"
      from (
        select document_data.key as value
        from "faceted" join "document_data" on "document_data"."document_id" + 0 = "faceted"."id"
        where 8 * (
          select count(*)
          from "faceted"
        ) > (
          select reltuples
          from pg_class
          where oid = 'document_data'::regclass
        )
        union all
        select document_data.key as value
        from "faceted" cross join lateral (
          select *
          from "document_data"
          where "document_data"."document_id" = "faceted"."id" offset 0
        ) as "document_data"
        where not (8 * (
          select count(*)
          from "faceted"
        ) > (
          select reltuples
          from pg_class
          where oid = 'document_data'::regclass
        ))
      ) as held
    ) as held
    group by 1
  )
  select json_build_array((
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value0" as value, cast(sum(n) as bigint) as n
        from "combinations0"
        group by 1
        order by 2 desc, 1
        limit 51
      ) as counts
    )
  )::text
) as "facets0"

-- anonymous: GET /api/documents/search/?facets=mention
with newest as materialized (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  order by documents.id desc
  limit 100000
), faceted as materialized (
  select documents.id
  from "newest" join "documents" on "documents"."id" + 0 = "newest"."id"
  where 8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  )
  union all
  select documents.id
  from "newest" cross join lateral (
    select *
    from "documents"
    where "documents"."id" = "newest"."id" offset 0
  ) as "documents"
  where not (8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ))
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (with "combinations0" as materialized (
    select ("value" collate "C") as "value0", count(*) as n
    from (
      select "held"."value" as "value"
      from (
        select distinct mentions.document_id, "mentions"."kind" as value
        from "faceted" join "mentions" on "mentions"."document_id" + 0 = "faceted"."id"
        where 8 * (
          select count(*)
          from "faceted"
        ) > (
          select reltuples
          from pg_class
          where oid = 'mentions'::regclass
        )
        union all
        select distinct mentions.document_id, "mentions"."kind" as value
        from "faceted" cross join lateral (
          select *
          from "mentions"
          where "mentions"."document_id" = "faceted"."id" offset 0
        ) as "mentions"
        where not (8 * (
          select count(*)
          from "faceted"
        ) > (
          select reltuples
          from pg_class
          where oid = 'mentions'::regclass
        ))
      ) as held
    ) as held
    group by 1
  )
  select json_build_array((
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value0" as value, cast(sum(n) as bigint) as n
        from "combinations0"
        group by 1
        order by 2 desc, 1
        limit 51
      ) as counts
    )
  )::text
) as "facets0"

-- anonymous: GET /api/documents/search/?facets=mention_iban
with newest as materialized (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  order by documents.id desc
  limit 100000
), faceted as materialized (
  select documents.id
  from "newest" join "documents" on "documents"."id" + 0 = "newest"."id"
  where 8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  )
  union all
  select documents.id
  from "newest" cross join lateral (
    select *
    from "documents"
    where "documents"."id" = "newest"."id" offset 0
  ) as "documents"
  where not (8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ))
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (with "combinations0" as materialized (
    select ("value" collate "C") as "value0", count(*) as n
    from (
      select "held"."value" as "value"
      from (
        select distinct mentions.document_id, "mentions"."value" as value
        from "faceted" join "mentions" on "mentions"."document_id" + 0 = "faceted"."id"
        where 8 * (
          select count(*)
          from "faceted"
        ) > (
          select reltuples
          from pg_class
          where oid = 'mentions'::regclass
        ) and mentions.kind = $1
        union all
        select distinct mentions.document_id, "mentions"."value" as value
        from "faceted" cross join lateral (
          select *
          from "mentions"
          where "mentions"."document_id" = "faceted"."id" offset 0
        ) as "mentions"
        where not (8 * (
          select count(*)
          from "faceted"
        ) > (
          select reltuples
          from pg_class
          where oid = 'mentions'::regclass
        )) and mentions.kind = $2
      ) as held
    ) as held
    group by 1
  )
  select json_build_array((
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value0" as value, cast(sum(n) as bigint) as n
        from "combinations0"
        group by 1
        order by 2 desc, 1
        limit 51
      ) as counts
    )
  )::text
) as "facets0"

-- anonymous: GET /api/documents/search/?q=harbour&sort=id
with hits as (
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
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0"
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
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0"
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
), ranked as (
  select found.id, found.created_at, found.id as value
  from found
), page as materialized (
  select id, value, created_at
  from ranked
  order by id asc
  limit 26 offset 0
), counted as materialized (
  select (
    select count(*)
    from found
  ) as total
)
select page.id, page.value, page.created_at, counted.*
from page left join counted on page.id = (
  select min(id)
  from page
)
order by id asc

-- administrator: GET /api/documents/search/?q=-port&cursor=WyIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLCIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLDNd
select count(*) as total
from (with hits as (
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
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (not (coalesce("hits"."weight0", 0) > 0))
    union all
    select distinct documents.id
    from hits join document_audiences on document_audiences.document_id * 1 = hits.document_id cross join lateral (
      select document_audiences.document_id as id, document_audiences.created_at
    ) as documents
    where "document_audiences"."audience" = any($9::text[]) and not (not (coalesce("hits"."weight0", 0) > 0))
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
  )) and not (not (coalesce("hits"."weight0", 0) > 0))
) as found

-- anonymous: GET /api/documents/search/?q=harbour&sort=title
with hits as (
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
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0"
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
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0"
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
), ranked as (
  select found.id, found.created_at, "documents"."title" as value
  from found join documents on documents.id = found.id
), page as materialized (
  select id, value, created_at
  from ranked
  order by value asc, id desc
  limit 26 offset 0
), counted as materialized (
  select (
    select count(*)
    from found
  ) as total
)
select page.id, page.value, page.created_at, counted.*
from page left join counted on page.id = (
  select min(id)
  from page
)
order by value asc, id desc

-- anonymous: GET /api/documents/search/?facets=data_k
with newest as materialized (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  order by documents.id desc
  limit 100000
), faceted as materialized (
  select documents.id
  from "newest" join "documents" on "documents"."id" + 0 = "newest"."id"
  where 8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  )
  union all
  select documents.id
  from "newest" cross join lateral (
    select *
    from "documents"
    where "documents"."id" = "newest"."id" offset 0
  ) as "documents"
  where not (8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ))
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (with "combinations0" as materialized (
    select ("value" collate "C") as "value0", count(*) as n
    from (
      select "held"."value" as "value"
      from (with keyed as materialized (
          select faceted.id, document_data.lowest, document_data.highest
          from "faceted" join "document_data" on "document_data"."document_id" + 0 = "faceted"."id"
          where 8 * (
            select count(*)
            from "faceted"
          ) > (
            select reltuples
            from pg_class
            where oid = 'document_data'::regclass
          ) and document_data.key = $1
          union all
          select faceted.id, document_data.lowest, document_data.highest
          from "faceted" cross join lateral (
            select *
            from "document_data"
            where "document_data"."document_id" = "faceted"."id" offset 0
          ) as "document_data"
          where not (8 * (
            select count(*)
            from "faceted"
          ) > (
            select reltuples
            from pg_class
            where oid = 'document_data'::regclass
          )) and document_data.key = $2
        )
        select lowest as value
        from keyed
        where lowest = highest
        union all
        select several.value
        from (
          select distinct keyed.id, item.value
          from keyed cross join lateral (
            select *
            from documents
            where documents.id = "keyed"."id" offset 0
          ) as documents cross join json_array_elements_text("documents"."data"::json -> $3::text) as item
          where keyed.lowest <> keyed.highest
        ) as several
      ) as held
    ) as held
    group by 1
  )
  select json_build_array((
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value0" as value, cast(sum(n) as bigint) as n
        from "combinations0"
        group by 1
        order by 2 desc, 1
        limit 51
      ) as counts
    )
  )::text
) as "facets0"

-- collaborator: GET /api/notes/?q=title%3A*%20source%3A*%20description%3A*%20-text%3A*%20-page_no_2%3A*
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
))) and notes.document_id in (
  select documents.id
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and (("documents"."title" <> '' or "documents"."source" <> '' or "documents"."description" <> '') and not ((exists (
        select 1
        from document_pages
        where document_pages.document_id = documents.id and document_pages.text <> ''
      ) or exists (
        select 1
        from document_pages
        where document_pages.document_id = documents.id and document_pages.page = $11 and document_pages.text <> ''
      ))
    )
  )
  union all
  select documents.id
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($12::text[])
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and (("documents"."title" <> '' or "documents"."source" <> '' or "documents"."description" <> '') and not ((exists (
        select 1
        from document_pages
        where document_pages.document_id = documents.id and document_pages.text <> ''
      ) or exists (
        select 1
        from document_pages
        where document_pages.document_id = documents.id and document_pages.page = $13 and document_pages.text <> ''
      ))
    )
  )
)
order by notes.id desc
limit 26

-- collaborator: GET /api/documents/1/search/?q=h%3Frbour%20OR%20NOT%20harbor~1
with held as materialized (
  select (
    select string_agg(cast(part as text), ',')
    from (
      select distinct holding.document_id, holding.part
      from search_vocabulary cross join lateral (
        select document_id, part
        from document_words
        where words @@ quote_literal(search_vocabulary.word)::tsquery and document_id = any($1::bigint[]) offset 0
      ) as holding
      where search_vocabulary.word >= $2 and search_vocabulary.word < $3 and search_vocabulary.word like $4 escape '\'
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $5) or (notes.access = 'organization' and ((documents.user_id = $6 and (documents.access <> 'public' or "documents"."organization_id" = any($7::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($8::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($9::text[])
        ))
      )))
    ))
  ) as "parts0", (
    select min(part)
    from (
      select distinct holding.document_id, holding.part
      from search_vocabulary cross join lateral (
        select document_id, part
        from document_words
        where words @@ quote_literal(search_vocabulary.word)::tsquery and document_id = any($10::bigint[]) offset 0
      ) as holding
      where search_vocabulary.word >= $11 and search_vocabulary.word < $12 and is_within_edits(search_vocabulary.word, $13, $14)
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $15) or (notes.access = 'organization' and ((documents.user_id = $16 and (documents.access <> 'public' or "documents"."organization_id" = any($17::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($18::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($19::text[])
        ))
      )))
    ))
  ) as "parts1"
), hits as (
  select case when "parts0" is null then 0 else 1 end as "weight0", case when "parts1" is null then 0 else 1 end as "weight1"
  from held
)
select "parts0"
from held
where exists (
  select 1
  from documents cross join hits
  where documents.id = $20 and (coalesce("hits"."weight0", 0) > 0 or not (coalesce("hits"."weight1", 0) > 0))
)

-- anonymous: GET /api/documents/search/?suggest=true&q=harbuor
with hits as (
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
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", cast(coalesce(document_lengths.words, 0) as double precision) as length
  from "hits" join "documents" on "documents"."id" + 0 = "hits"."document_id" left join document_lengths on document_lengths.document_id = documents.id
  where 8 * (
    select count(*)
    from "hits"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and coalesce("hits"."weight0", 0) > 0
  union all
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", cast(coalesce(document_lengths.words, 0) as double precision) as length
  from "hits" cross join lateral (
    select *
    from "documents"
    where "documents"."id" = "hits"."document_id" offset 0
  ) as "documents" left join document_lengths on document_lengths.document_id = documents.id
  where not (8 * (
    select count(*)
    from "hits"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  )) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and coalesce("hits"."weight0", 0) > 0
), totals as materialized (
  select cast(count(*) as double precision) as "found", cast(coalesce(sum(length), 0) as double precision) as "length"
  from found
), factors as materialized (
  select case when length > 0 then length / found else 1 end as length, 1000000 * cast($8 as double precision) * 1 as "rarity0"
  from totals
), ranked as (
  select found.id, found.created_at, cast(floor("factors"."rarity0" * (1 - 15 / (15 + ("found"."weight0" >> 32) + ("found"."weight0" & 4294967295) / (0.25 + 0.75 * found.length / factors.length)))) as bigint) as value
  from found cross join factors
)
select (
  select count(*)
  from found
) as total, totals."found" as "total_found", totals."length" as "total_length"
from totals

-- anonymous: GET /api/documents/search/?q=harbour+-port&sort=created_at&cursor=WyIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLCIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLDNd
with hits as (
  select cast(document_id as bigint) as document_id, cast(sum(case word when 0 then weight else 0 end) as bigint) as "weight0", cast(sum(case word when 1 then weight else 0 end) as bigint) as "weight1"
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
    union all
    select document_id, 1 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, block as part, units
      from word_counts_of( $8, $9::text[], $10::text[], $11::boolean[], $12::text[], $13::integer[], $14::integer[])
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and notes.access = 'public'
    ))
  ) as rows
  group by document_id
), found as (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", coalesce("hits"."weight1", 0) as "weight1"
  from "hits" join "documents" on "documents"."id" + 0 = "hits"."document_id"
  where 8 * (
    select count(*)
    from "hits"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and (coalesce("hits"."weight0", 0) > 0 and not (coalesce("hits"."weight1", 0) > 0))
  union all
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", coalesce("hits"."weight1", 0) as "weight1"
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
  )) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and (coalesce("hits"."weight0", 0) > 0 and not (coalesce("hits"."weight1", 0) > 0))
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
)
select (
  select count(*)
  from found
) as total

-- anonymous: GET /api/documents/search/?q=title:b
with hits as (
  select cast(document_id as bigint) as document_id, cast(sum(weight) as bigint) as "weight0"
  from (
    select document_id, 0 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, block as part, units
      from word_counts_of( $1, $2::text[], $3::text[], $4::boolean[], $5::text[], $6::integer[], $7::integer[])
    ) as parts
    where part = 0
  ) as rows
  group by document_id
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", cast(coalesce(document_lengths.words, 0) as double precision) as length
  from "hits" join "documents" on "documents"."id" + 0 = "hits"."document_id" left join document_lengths on document_lengths.document_id = documents.id
  where 8 * (
    select count(*)
    from "hits"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and coalesce("hits"."weight0", 0) > 0
  union all
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", cast(coalesce(document_lengths.words, 0) as double precision) as length
  from "hits" cross join lateral (
    select *
    from "documents"
    where "documents"."id" = "hits"."document_id" offset 0
  ) as "documents" left join document_lengths on document_lengths.document_id = documents.id
  where not (8 * (
    select count(*)
    from "hits"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  )) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and coalesce("hits"."weight0", 0) > 0
), totals as materialized (
  select cast(count(*) as double precision) as "found", cast(coalesce(sum(length), 0) as double precision) as "length"
  from found
), factors as materialized (
  select case when length > 0 then length / found else 1 end as length, 1000000 * cast($8 as double precision) * 1 as "rarity0"
  from totals
), ranked as (
  select found.id, found.created_at, cast(floor("factors"."rarity0" * (1 - 15 / (15 + ("found"."weight0" >> 32) + ("found"."weight0" & 4294967295) / (0.25 + 0.75 * found.length / factors.length)))) as bigint) as value
  from found cross join factors
), page as materialized (
  select id, value, created_at
  from ranked
  order by value desc, created_at desc, id desc
  limit 26 offset 0
), counted as materialized (
  select (
    select count(*)
    from found
  ) as total, totals."found" as "total_found", totals."length" as "total_length"
  from totals
)
select page.id, page.value, page.created_at, counted.*
from page left join counted on page.id = (
  select min(id)
  from page
)
order by value desc, created_at desc, id desc

-- collaborator: GET /api/documents/1/search/?q=h%3Frbour%20harbor~%20title%3Ap*t
with held as materialized (
  select (
    select string_agg(cast(part as text), ',')
    from (
      select distinct holding.document_id, holding.part
      from search_vocabulary cross join lateral (
        select document_id, part
        from document_words
        where words @@ quote_literal(search_vocabulary.word)::tsquery and document_id = any($1::bigint[]) offset 0
      ) as holding
      where search_vocabulary.word >= $2 and search_vocabulary.word < $3 and search_vocabulary.word like $4 escape '\'
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $5) or (notes.access = 'organization' and ((documents.user_id = $6 and (documents.access <> 'public' or "documents"."organization_id" = any($7::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($8::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($9::text[])
        ))
      )))
    ))
  ) as "parts0", (
    select string_agg(cast(part as text), ',')
    from (
      select distinct holding.document_id, holding.part
      from search_vocabulary cross join lateral (
        select document_id, part
        from document_words
        where words @@ quote_literal(search_vocabulary.word)::tsquery and document_id = any($10::bigint[]) offset 0
      ) as holding
      where search_vocabulary.word >= $11 and search_vocabulary.word < $12 and is_within_edits(search_vocabulary.word, $13, $14)
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $15) or (notes.access = 'organization' and ((documents.user_id = $16 and (documents.access <> 'public' or "documents"."organization_id" = any($17::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($18::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($19::text[])
        ))
      )))
    ))
  ) as "parts1", (
    select string_agg(cast(part as text), ',')
    from (
      select distinct holding.document_id, holding.part
      from search_vocabulary cross join lateral (
        select document_id, part
        from document_words
        where words @@ quote_literal(search_vocabulary.word)::tsquery and document_id = any($20::bigint[]) offset 0
      ) as holding
      where search_vocabulary.word >= $21 and search_vocabulary.word < $22 and search_vocabulary.word like $23 escape '\'
    ) as parts
    where part = 0
  ) as "parts2"
), hits as (
  select case when "parts0" is null then 0 else 1 end as "weight0", case when "parts1" is null then 0 else 1 end as "weight1", case when "parts2" is null then 0 else 1 end as "weight2"
  from held
)
select "parts0", "parts1", "parts2"
from held
where exists (
  select 1
  from documents cross join hits
  where documents.id = $24 and (coalesce("hits"."weight0", 0) > 0 or coalesce("hits"."weight1", 0) > 0 or coalesce("hits"."weight2", 0) > 0)
)

-- administrator: GET /api/documents/search/?suggest=true&q=harbuor
with hits as (
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
), found as materialized (
  select *
  from (
    select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", cast(coalesce(document_lengths.words, 0) as double precision) as length
    from hits join documents on documents.id * 1 = hits.document_id left join document_lengths on document_lengths.document_id = documents.id
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and coalesce("hits"."weight0", 0) > 0
    union all
    select distinct documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", cast(coalesce(document_lengths.words, 0) as double precision) as length
    from hits join document_audiences on document_audiences.document_id * 1 = hits.document_id cross join lateral (
      select document_audiences.document_id as id, document_audiences.created_at
    ) as documents left join document_lengths on document_lengths.document_id = documents.id
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
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", cast(coalesce(document_lengths.words, 0) as double precision) as length
  from "hits" cross join lateral (
    select *
    from "documents"
    where "documents"."id" = "hits"."document_id" offset 0
  ) as "documents" left join document_lengths on document_lengths.document_id = documents.id
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
), totals as materialized (
  select cast(count(*) as double precision) as "found", cast(coalesce(sum(length), 0) as double precision) as "length"
  from found
), factors as materialized (
  select case when length > 0 then length / found else 1 end as length, 1000000 * cast($11 as double precision) * 1 as "rarity0"
  from totals
), ranked as (
  select found.id, found.created_at, cast(floor("factors"."rarity0" * (1 - 15 / (15 + ("found"."weight0" >> 32) + ("found"."weight0" & 4294967295) / (0.25 + 0.75 * found.length / factors.length)))) as bigint) as value
  from found cross join factors
)
select (
  select count(*)
  from found
) as total, totals."found" as "total_found", totals."length" as "total_length"
from totals

-- anonymous: GET /api/documents/search/?q=harbour&sort=score
with hits as (
  select cast(document_id as bigint) as document_id, cast(sum(weight) as bigint) as "weight0"
  from (
    select document_id, 0 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, part, units
      from (
        select document_id, block as part, units
        from word_counts_of( $1, $2::text[], $3::text[], $4::boolean[], $5::text[], $6::integer[], $7::integer[])
      ) as counts
      where document_id <= $8
      union all
      select document_id, part, units
      from (
        select document_id, part, 10 as units
        from (
          select holding.document_id, holding.part
          from (
            select $9::text as word, null::text[] as languages
            union all
            select *
            from other_forms_of($10, $11::text[], $12::text[], $13::boolean[])
          ) as forms cross join lateral (
            select document_id, part
            from document_words
            where words @@ quote_literal(forms.word)::tsquery offset 0
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
        ) as holding
      ) as later
      where document_id > $14
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and notes.access = 'public'
    ))
  ) as rows
  group by document_id
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", cast(coalesce(document_lengths.words, 0) as double precision) as length
  from "hits" join "documents" on "documents"."id" + 0 = "hits"."document_id" left join document_lengths on document_lengths.document_id = documents.id
  where 8 * (
    select count(*)
    from "hits"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and coalesce("hits"."weight0", 0) > 0
  union all
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", cast(coalesce(document_lengths.words, 0) as double precision) as length
  from "hits" cross join lateral (
    select *
    from "documents"
    where "documents"."id" = "hits"."document_id" offset 0
  ) as "documents" left join document_lengths on document_lengths.document_id = documents.id
  where not (8 * (
    select count(*)
    from "hits"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  )) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and coalesce("hits"."weight0", 0) > 0
), totals as materialized (
  select cast(count(*) as double precision) as "found", cast(coalesce(sum(length), 0) as double precision) as "length"
  from found
), factors as materialized (
  select case when length > 0 then length / found else 1 end as length, 1000000 * cast($15 as double precision) * 1 as "rarity0"
  from totals
), ranked as (
  select found.id, found.created_at, cast(floor("factors"."rarity0" * (1 - 15 / (15 + ("found"."weight0" >> 32) + ("found"."weight0" & 4294967295) / (0.25 + 0.75 * found.length / factors.length)))) as bigint) as value
  from found cross join factors
), page as materialized (
  select id, value, created_at
  from ranked
  order by value desc, created_at desc, id desc
  limit 26 offset 0
), counted as materialized (
  select (
    select count(*)
    from found
  ) as total, totals."found" as "total_found", totals."length" as "total_length"
  from totals
)
select page.id, page.value, page.created_at, counted.*
from page left join counted on page.id = (
  select min(id)
  from page
)
order by value desc, created_at desc, id desc

-- user: GET /api/documents/search/?q=harbour%20(status%3Asuccess%20OR%20-user%3A1)%20project%3A%5B1%20TO%20*%5D
with hits as (
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
      where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $8) or (notes.access = 'organization' and ((documents.user_id = $9 and (documents.access <> 'public' or "documents"."organization_id" = any($10::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($11::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($12::text[])
        ))
      )))
    ))
  ) as rows
  group by document_id
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", cast(coalesce(document_lengths.words, 0) as double precision) as length
  from documents left join hits on hits.document_id = documents.id left join document_lengths on document_lengths.document_id = documents.id
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and (coalesce("hits"."weight0", 0) > 0 or ("documents"."status" = $13 or not ("documents"."user_id" = $14)) or documents.id in (
    select project_memberships.document_id
    from project_memberships join projects on projects.id = project_memberships.project_id
    where project_memberships.project_id >= $15 and (projects.private = false or "projects"."id" = any($16::bigint[]))
  ))
  union all
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", cast(coalesce(document_lengths.words, 0) as double precision) as length
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($17::text[])
  ) as own join documents on documents.id = own.document_id left join hits on hits.document_id = documents.id left join document_lengths on document_lengths.document_id = documents.id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and (coalesce("hits"."weight0", 0) > 0 or ("documents"."status" = $18 or not ("documents"."user_id" = $19)) or documents.id in (
    select project_memberships.document_id
    from project_memberships join projects on projects.id = project_memberships.project_id
    where project_memberships.project_id >= $20 and (projects.private = false or "projects"."id" = any($21::bigint[]))
  ))
), totals as materialized (
  select cast(count(*) as double precision) as "found", cast(coalesce(sum(length), 0) as double precision) as "length"
  from found
), factors as materialized (
  select case when length > 0 then length / found else 1 end as length, 1000000 * cast($22 as double precision) * 1 as "rarity0"
  from totals
), ranked as (
  select found.id, found.created_at, cast(floor("factors"."rarity0" * (1 - 15 / (15 + ("found"."weight0" >> 32) + ("found"."weight0" & 4294967295) / (0.25 + 0.75 * found.length / factors.length)))) as bigint) as value
  from found cross join factors
), page as materialized (
  select id, value, created_at
  from ranked
  order by value desc, created_at desc, id desc
  limit 26 offset 0
), counted as materialized (
  select (
    select count(*)
    from found
  ) as total, totals."found" as "total_found", totals."length" as "total_length"
  from totals
)
select page.id, page.value, page.created_at, counted.*
from page left join counted on page.id = (
  select min(id)
  from page
)
order by value desc, created_at desc, id desc

-- administrator: GET /api/documents/search/?q=harbour+port&sort=data_k&cursor=WyJiIiwiMjAyNS0wMS0zMVQxMjowMDowMC4wMDAwMDBaIiwzXQ
with hits as (
  select cast(document_id as bigint) as document_id, cast(sum(case word when 0 then weight else 0 end) as bigint) as "weight0", cast(sum(case word when 1 then weight else 0 end) as bigint) as "weight1"
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
    union all
    select document_id, 1 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, block as part, units
      from word_counts_of( $9, $10::text[], $11::text[], $12::boolean[], $13::text[], $14::integer[], $15::integer[])
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $16) or (notes.access = 'organization' and 1 = 1))
    ))
  ) as rows
  group by document_id
), found as materialized (
  select *
  from (
    select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", coalesce("hits"."weight1", 0) as "weight1"
    from hits join documents on documents.id * 1 = hits.document_id
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and (coalesce("hits"."weight0", 0) > 0 or coalesce("hits"."weight1", 0) > 0)
    union all
    select distinct documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", coalesce("hits"."weight1", 0) as "weight1"
    from hits join document_audiences on document_audiences.document_id * 1 = hits.document_id cross join lateral (
      select document_audiences.document_id as id, document_audiences.created_at
    ) as documents
    where "document_audiences"."audience" = any($17::text[]) and (coalesce("hits"."weight0", 0) > 0 or coalesce("hits"."weight1", 0) > 0)
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
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", coalesce("hits"."weight1", 0) as "weight1"
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
    where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($18::text[])
  )) and (coalesce("hits"."weight0", 0) > 0 or coalesce("hits"."weight1", 0) > 0)
), ranked as (
  select found.id, found.created_at, "document_data"."lowest" as value
  from found left join document_data on document_data.document_id = found.id and document_data.key = $19
), page as materialized (
  select id, value, created_at
  from ranked
  where value is null or value > $20 or (value = $21 and id < $22)
  order by value is null, value asc, id desc
  limit 26 offset 0
), counted as materialized (
  select (
    select count(*)
    from found
  ) as total
)
select page.id, page.value, page.created_at, counted.*
from page left join counted on page.id = (
  select min(id)
  from page
)
order by value is null, value asc, id desc

-- collaborator: GET /api/documents/search/?hl=true&q=harbour%20title%3Aharbour%20source%3Aharbour%20description%3Aharbour%20text%3Aharbour%20page_no_2%3Aharbour
select document_id, page, total
from (
  select document_id, part - 3 as page, count(*) over (partition by document_id) as total, row_number() over (partition by document_id order by part) as position
  from (
    select document_id, part
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
    where part >= 3 and part < 524288
    union
    select document_id, part
    from (
      select holding.document_id, holding.part
      from (
        select $7::text as word, null::text[] as languages
        union all
        select *
        from other_forms_of($8, $9::text[], $10::text[], $11::boolean[])
      ) as forms cross join lateral (
        select document_id, part
        from document_words
        where words @@ quote_literal(forms.word)::tsquery and document_id = any($12::bigint[]) offset 0
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
    where part >= 3 and part < 524288 and part = 0
    union
    select document_id, part
    from (
      select holding.document_id, holding.part
      from (
        select $13::text as word, null::text[] as languages
        union all
        select *
        from other_forms_of($14, $15::text[], $16::text[], $17::boolean[])
      ) as forms cross join lateral (
        select document_id, part
        from document_words
        where words @@ quote_literal(forms.word)::tsquery and document_id = any($18::bigint[]) offset 0
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
    where part >= 3 and part < 524288 and part = 1
    union
    select document_id, part
    from (
      select holding.document_id, holding.part
      from (
        select $19::text as word, null::text[] as languages
        union all
        select *
        from other_forms_of($20, $21::text[], $22::text[], $23::boolean[])
      ) as forms cross join lateral (
        select document_id, part
        from document_words
        where words @@ quote_literal(forms.word)::tsquery and document_id = any($24::bigint[]) offset 0
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
    where part >= 3 and part < 524288 and part = 2
    union
    select document_id, part
    from (
      select holding.document_id, holding.part
      from (
        select $25::text as word, null::text[] as languages
        union all
        select *
        from other_forms_of($26, $27::text[], $28::text[], $29::boolean[])
      ) as forms cross join lateral (
        select document_id, part
        from document_words
        where words @@ quote_literal(forms.word)::tsquery and document_id = any($30::bigint[]) offset 0
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
    where part >= 3 and part < 524288 and part >= 3 and part < 524288
    union
    select document_id, part
    from (
      select holding.document_id, holding.part
      from (
        select $31::text as word, null::text[] as languages
        union all
        select *
        from other_forms_of($32, $33::text[], $34::text[], $35::boolean[])
      ) as forms cross join lateral (
        select document_id, part
        from document_words
        where words @@ quote_literal(forms.word)::tsquery and document_id = any($36::bigint[]) offset 0
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
    where part >= 3 and part < 524288 and part = $37
  ) as matching
) as numbered
where position <= 150
order by document_id, page

-- collaborator: GET /api/notes/?q=h%3Frbour%20OR%20NOT%20harbor~1
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
))) and notes.document_id in (with hits as (
    select cast(document_id as bigint) as document_id, cast(sum(case word when 0 then weight else 0 end) as bigint) as "weight0", cast(sum(case word when 1 then weight else 0 end) as bigint) as "weight1"
    from (
      select document_id, 0 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
      from (
        select document_id, part, 10 as units
        from (
          select distinct holding.document_id, holding.part
          from search_vocabulary cross join lateral (
            select document_id, part
            from document_words
            where words @@ quote_literal(search_vocabulary.word)::tsquery offset 0
          ) as holding
          where search_vocabulary.word >= $11 and search_vocabulary.word < $12 and search_vocabulary.word like $13 escape '\'
        ) as holding
      ) as parts
      where (part < 524288 or exists (
        select 1
        from notes join documents on documents.id = notes.document_id
        where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $14) or (notes.access = 'organization' and ((documents.user_id = $15 and (documents.access <> 'public' or "documents"."organization_id" = any($16::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($17::bigint[])) or (documents.access <> 'public' and exists (
            select 1
            from document_audiences
            where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($18::text[])
          ))
        )))
      ))
      union all
      select document_id, 1 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
      from (
        select document_id, part, 10 as units
        from (
          select distinct holding.document_id, holding.part
          from search_vocabulary cross join lateral (
            select document_id, part
            from document_words
            where words @@ quote_literal(search_vocabulary.word)::tsquery offset 0
          ) as holding
          where search_vocabulary.word >= $19 and search_vocabulary.word < $20 and is_within_edits(search_vocabulary.word, $21, $22)
        ) as holding
      ) as parts
      where (part < 524288 or exists (
        select 1
        from notes join documents on documents.id = notes.document_id
        where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $23) or (notes.access = 'organization' and ((documents.user_id = $24 and (documents.access <> 'public' or "documents"."organization_id" = any($25::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($26::bigint[])) or (documents.access <> 'public' and exists (
            select 1
            from document_audiences
            where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($27::text[])
          ))
        )))
      ))
    ) as rows
    group by document_id
  )
  select documents.id
  from documents left join hits on hits.document_id = documents.id
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and (coalesce("hits"."weight0", 0) > 0 or not (coalesce("hits"."weight1", 0) > 0))
  union all
  select documents.id
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($28::text[])
  ) as own join documents on documents.id = own.document_id left join hits on hits.document_id = documents.id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and (coalesce("hits"."weight0", 0) > 0 or not (coalesce("hits"."weight1", 0) > 0))
)
order by notes.id desc
limit 26

-- anonymous: GET /api/documents/search/?q=harbour+port
with hits as (
  select cast(document_id as bigint) as document_id, cast(sum(case word when 0 then weight else 0 end) as bigint) as "weight0", cast(sum(case word when 1 then weight else 0 end) as bigint) as "weight1"
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
    union all
    select document_id, 1 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, block as part, units
      from word_counts_of( $8, $9::text[], $10::text[], $11::boolean[], $12::text[], $13::integer[], $14::integer[])
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and notes.access = 'public'
    ))
  ) as rows
  group by document_id
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", coalesce("hits"."weight1", 0) as "weight1", cast(coalesce(document_lengths.words, 0) as double precision) as length
  from "hits" join "documents" on "documents"."id" + 0 = "hits"."document_id" left join document_lengths on document_lengths.document_id = documents.id
  where 8 * (
    select count(*)
    from "hits"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and (coalesce("hits"."weight0", 0) > 0 or coalesce("hits"."weight1", 0) > 0)
  union all
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", coalesce("hits"."weight1", 0) as "weight1", cast(coalesce(document_lengths.words, 0) as double precision) as length
  from "hits" cross join lateral (
    select *
    from "documents"
    where "documents"."id" = "hits"."document_id" offset 0
  ) as "documents" left join document_lengths on document_lengths.document_id = documents.id
  where not (8 * (
    select count(*)
    from "hits"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  )) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and (coalesce("hits"."weight0", 0) > 0 or coalesce("hits"."weight1", 0) > 0)
), totals as materialized (with searched as materialized (
    select (
      select count(*)
      from (
        select 1
        from documents
        where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true)
        limit 20000
      ) as listed
    ) as documents
  )
  select cast("found" as double precision) as "found", cast("length" as double precision) as "length", cast(case when counted.found > searched.documents then counted.found else searched.documents end as double precision) as "searched", cast("having0" as double precision) as "having0", cast("having1" as double precision) as "having1"
  from (
    select count(*) as found, coalesce(sum(length), 0) as length, cast(coalesce(sum(case when "weight0" > 0 then 1 else 0 end), 0) as double precision) as "having0", cast(coalesce(sum(case when "weight1" > 0 then 1 else 0 end), 0) as double precision) as "having1"
    from found
  ) as counted cross join searched
), factors as materialized (
  select case when length > 0 then length / found else 1 end as length, 1000000 * cast($15 as double precision) * ln(1 + (searched - "having0" + 0.5) / ("having0" + 0.5)) as "rarity0", 1000000 * cast($16 as double precision) * ln(1 + (searched - "having1" + 0.5) / ("having1" + 0.5)) as "rarity1"
  from totals
), ranked as (
  select found.id, found.created_at, cast(floor("factors"."rarity0" * (1 - 15 / (15 + ("found"."weight0" >> 32) + ("found"."weight0" & 4294967295) / (0.25 + 0.75 * found.length / factors.length))) + "factors"."rarity1" * (1 - 15 / (15 + ("found"."weight1" >> 32) + ("found"."weight1" & 4294967295) / (0.25 + 0.75 * found.length / factors.length)))) as bigint) as value
  from found cross join factors
), page as materialized (
  select id, value, created_at
  from ranked
  order by value desc, created_at desc, id desc
  limit 26 offset 0
), counted as materialized (
  select (
    select count(*)
    from found
  ) as total, totals."found" as "total_found", totals."length" as "total_length", totals."searched" as "total_searched", totals."having0" as "total_having0", totals."having1" as "total_having1"
  from totals
)
select page.id, page.value, page.created_at, counted.*
from page left join counted on page.id = (
  select min(id)
  from page
)
order by value desc, created_at desc, id desc

-- anonymous: GET /api/documents/search/?q=harbour+port+a+b+c+of&sort=-created_at
with hits_by_word as materialized (
  select cast(document_id as bigint) as document_id, word, cast(sum(weight) as bigint) as weight
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
    union all
    select document_id, 1 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, block as part, units
      from word_counts_of( $8, $9::text[], $10::text[], $11::boolean[], $12::text[], $13::integer[], $14::integer[])
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and notes.access = 'public'
    ))
    union all
    select document_id, 2 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, block as part, units
      from word_counts_of( $15, $16::text[], $17::text[], $18::boolean[], $19::text[], $20::integer[], $21::integer[])
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and notes.access = 'public'
    ))
    union all
    select document_id, 3 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, block as part, units
      from word_counts_of( $22, $23::text[], $24::text[], $25::boolean[], $26::text[], $27::integer[], $28::integer[])
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and notes.access = 'public'
    ))
    union all
    select document_id, 4 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, block as part, units
      from word_counts_of( $29, $30::text[], $31::text[], $32::boolean[], $33::text[], $34::integer[], $35::integer[])
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and notes.access = 'public'
    ))
    union all
    select document_id, 5 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, block as part, units
      from word_counts_of( $36, $37::text[], $38::text[], $39::boolean[], $40::text[], $41::integer[], $42::integer[])
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and notes.access = 'public'
    ))
  ) as rows
  group by document_id, word
), hits as (
  select distinct document_id
  from hits_by_word
), found as materialized (
  select documents.id, documents.created_at
  from "hits" join "documents" on "documents"."id" + 0 = "hits"."document_id"
  where 8 * (
    select count(*)
    from "hits"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  union all
  select documents.id, documents.created_at
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
  )) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
), page as materialized (
  select id, value, created_at
  from ranked
  order by value asc, id desc
  limit 26 offset 0
), counted as materialized (
  select (
    select count(*)
    from found
  ) as total
)
select page.id, page.value, page.created_at, counted.*
from page left join counted on page.id = (
  select min(id)
  from page
)
order by value asc, id desc

-- administrator: GET /api/documents/search/?q=harbour+port+a+b+c+of&sort=-score&cursor=WzIsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiIsMyxbMywxMCw2LDEsMSwxLDEsMSwxXV0
with hits_by_word as materialized (
  select cast(document_id as bigint) as document_id, word, cast(sum(weight) as bigint) as weight
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
    union all
    select document_id, 1 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, block as part, units
      from word_counts_of( $9, $10::text[], $11::text[], $12::boolean[], $13::text[], $14::integer[], $15::integer[])
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $16) or (notes.access = 'organization' and 1 = 1))
    ))
    union all
    select document_id, 2 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, block as part, units
      from word_counts_of( $17, $18::text[], $19::text[], $20::boolean[], $21::text[], $22::integer[], $23::integer[])
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $24) or (notes.access = 'organization' and 1 = 1))
    ))
    union all
    select document_id, 3 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, block as part, units
      from word_counts_of( $25, $26::text[], $27::text[], $28::boolean[], $29::text[], $30::integer[], $31::integer[])
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $32) or (notes.access = 'organization' and 1 = 1))
    ))
    union all
    select document_id, 4 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, block as part, units
      from word_counts_of( $33, $34::text[], $35::text[], $36::boolean[], $37::text[], $38::integer[], $39::integer[])
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $40) or (notes.access = 'organization' and 1 = 1))
    ))
    union all
    select document_id, 5 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, block as part, units
      from word_counts_of( $41, $42::text[], $43::text[], $44::boolean[], $45::text[], $46::integer[], $47::integer[])
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $48) or (notes.access = 'organization' and 1 = 1))
    ))
  ) as rows
  group by document_id, word
), hits as (
  select distinct document_id
  from hits_by_word
), found as materialized (
  select *
  from (
    select documents.id, documents.created_at, cast(coalesce(document_lengths.words, 0) as double precision) as length
    from hits join documents on documents.id * 1 = hits.document_id left join document_lengths on document_lengths.document_id = documents.id
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and 1 = 1
    union all
    select distinct documents.id, documents.created_at, cast(coalesce(document_lengths.words, 0) as double precision) as length
    from hits join document_audiences on document_audiences.document_id * 1 = hits.document_id cross join lateral (
      select document_audiences.document_id as id, document_audiences.created_at
    ) as documents left join document_lengths on document_lengths.document_id = documents.id
    where "document_audiences"."audience" = any($49::text[]) and 1 = 1
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
  select documents.id, documents.created_at, cast(coalesce(document_lengths.words, 0) as double precision) as length
  from "hits" cross join lateral (
    select *
    from "documents"
    where "documents"."id" = "hits"."document_id" offset 0
  ) as "documents" left join document_lengths on document_lengths.document_id = documents.id
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
    where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($50::text[])
  )) and 1 = 1
), totals as materialized (
  select cast($51 as double precision) as "found", cast($52 as double precision) as "length", cast($53 as double precision) as "searched", cast($54 as double precision) as "having0", cast($55 as double precision) as "having1", cast($56 as double precision) as "having2", cast($57 as double precision) as "having3", cast($58 as double precision) as "having4", cast($59 as double precision) as "having5"
), factors as materialized (
  select case when length > 0 then length / found else 1 end as length, 1000000 * cast($60 as double precision) * ln(1 + (searched - "having0" + 0.5) / ("having0" + 0.5)) as "rarity0", 1000000 * cast($61 as double precision) * ln(1 + (searched - "having1" + 0.5) / ("having1" + 0.5)) as "rarity1", 1000000 * cast($62 as double precision) * ln(1 + (searched - "having2" + 0.5) / ("having2" + 0.5)) as "rarity2", 1000000 * cast($63 as double precision) * ln(1 + (searched - "having3" + 0.5) / ("having3" + 0.5)) as "rarity3", 1000000 * cast($64 as double precision) * ln(1 + (searched - "having4" + 0.5) / ("having4" + 0.5)) as "rarity4", 1000000 * cast($65 as double precision) * ln(1 + (searched - "having5" + 0.5) / ("having5" + 0.5)) as "rarity5"
  from totals
), ranked as (
  select found.id, min(found.created_at) as created_at, cast(sum(cast(floor(case hits_by_word.word when 0 then "factors"."rarity0" when 1 then "factors"."rarity1" when 2 then "factors"."rarity2" when 3 then "factors"."rarity3" when 4 then "factors"."rarity4" when 5 then "factors"."rarity5" end * (1 - 15 / (15 + ("hits_by_word"."weight" >> 32) + ("hits_by_word"."weight" & 4294967295) / (0.25 + 0.75 * found.length / factors.length)))) as bigint)) as bigint) as value
  from hits_by_word join found on found.id = hits_by_word.document_id cross join factors
  group by found.id
)
select (
  select count(*)
  from found
) as total, totals."found" as "total_found", totals."length" as "total_length", totals."searched" as "total_searched", totals."having0" as "total_having0", totals."having1" as "total_having1", totals."having2" as "total_having2", totals."having3" as "total_having3", totals."having4" as "total_having4", totals."having5" as "total_having5"
from totals

-- administrator: GET /api/documents/search/?q=harbour+port+a+b+c+of&sort=-score&cursor=WzIsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiIsMyxbMywxMCw2LDEsMSwxLDEsMSwxXV0
with hits_by_word as materialized (
  select cast(document_id as bigint) as document_id, word, cast(sum(weight) as bigint) as weight
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
    union all
    select document_id, 1 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, block as part, units
      from word_counts_of( $9, $10::text[], $11::text[], $12::boolean[], $13::text[], $14::integer[], $15::integer[])
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $16) or (notes.access = 'organization' and 1 = 1))
    ))
    union all
    select document_id, 2 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, block as part, units
      from word_counts_of( $17, $18::text[], $19::text[], $20::boolean[], $21::text[], $22::integer[], $23::integer[])
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $24) or (notes.access = 'organization' and 1 = 1))
    ))
    union all
    select document_id, 3 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, block as part, units
      from word_counts_of( $25, $26::text[], $27::text[], $28::boolean[], $29::text[], $30::integer[], $31::integer[])
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $32) or (notes.access = 'organization' and 1 = 1))
    ))
    union all
    select document_id, 4 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, block as part, units
      from word_counts_of( $33, $34::text[], $35::text[], $36::boolean[], $37::text[], $38::integer[], $39::integer[])
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $40) or (notes.access = 'organization' and 1 = 1))
    ))
    union all
    select document_id, 5 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, block as part, units
      from word_counts_of( $41, $42::text[], $43::text[], $44::boolean[], $45::text[], $46::integer[], $47::integer[])
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $48) or (notes.access = 'organization' and 1 = 1))
    ))
  ) as rows
  group by document_id, word
), hits as (
  select distinct document_id
  from hits_by_word
), found as materialized (
  select *
  from (
    select documents.id, documents.created_at, cast(coalesce(document_lengths.words, 0) as double precision) as length
    from hits join documents on documents.id * 1 = hits.document_id left join document_lengths on document_lengths.document_id = documents.id
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and 1 = 1
    union all
    select distinct documents.id, documents.created_at, cast(coalesce(document_lengths.words, 0) as double precision) as length
    from hits join document_audiences on document_audiences.document_id * 1 = hits.document_id cross join lateral (
      select document_audiences.document_id as id, document_audiences.created_at
    ) as documents left join document_lengths on document_lengths.document_id = documents.id
    where "document_audiences"."audience" = any($49::text[]) and 1 = 1
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
  select documents.id, documents.created_at, cast(coalesce(document_lengths.words, 0) as double precision) as length
  from "hits" cross join lateral (
    select *
    from "documents"
    where "documents"."id" = "hits"."document_id" offset 0
  ) as "documents" left join document_lengths on document_lengths.document_id = documents.id
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
    where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($50::text[])
  )) and 1 = 1
), totals as materialized (
  select cast($51 as double precision) as "found", cast($52 as double precision) as "length", cast($53 as double precision) as "searched", cast($54 as double precision) as "having0", cast($55 as double precision) as "having1", cast($56 as double precision) as "having2", cast($57 as double precision) as "having3", cast($58 as double precision) as "having4", cast($59 as double precision) as "having5"
), factors as materialized (
  select case when length > 0 then length / found else 1 end as length, 1000000 * cast($60 as double precision) * ln(1 + (searched - "having0" + 0.5) / ("having0" + 0.5)) as "rarity0", 1000000 * cast($61 as double precision) * ln(1 + (searched - "having1" + 0.5) / ("having1" + 0.5)) as "rarity1", 1000000 * cast($62 as double precision) * ln(1 + (searched - "having2" + 0.5) / ("having2" + 0.5)) as "rarity2", 1000000 * cast($63 as double precision) * ln(1 + (searched - "having3" + 0.5) / ("having3" + 0.5)) as "rarity3", 1000000 * cast($64 as double precision) * ln(1 + (searched - "having4" + 0.5) / ("having4" + 0.5)) as "rarity4", 1000000 * cast($65 as double precision) * ln(1 + (searched - "having5" + 0.5) / ("having5" + 0.5)) as "rarity5"
  from totals
), ranked as (
  select found.id, min(found.created_at) as created_at, cast(sum(cast(floor(case hits_by_word.word when 0 then "factors"."rarity0" when 1 then "factors"."rarity1" when 2 then "factors"."rarity2" when 3 then "factors"."rarity3" when 4 then "factors"."rarity4" when 5 then "factors"."rarity5" end * (1 - 15 / (15 + ("hits_by_word"."weight" >> 32) + ("hits_by_word"."weight" & 4294967295) / (0.25 + 0.75 * found.length / factors.length)))) as bigint)) as bigint) as value
  from hits_by_word join found on found.id = hits_by_word.document_id cross join factors
  group by found.id
), page as materialized (
  select id, value, created_at
  from ranked
  where value <= $66 and (value < $67 or (created_at < $68 or (created_at = $69 and id < $70)))
  order by value desc, created_at desc, id desc
  limit 26 offset 0
), counted as materialized (
  select (
    select count(*)
    from found
  ) as total, totals."found" as "total_found", totals."length" as "total_length", totals."searched" as "total_searched", totals."having0" as "total_having0", totals."having1" as "total_having1", totals."having2" as "total_having2", totals."having3" as "total_having3", totals."having4" as "total_having4", totals."having5" as "total_having5"
  from totals
)
select page.id, page.value, page.created_at, counted.*
from page left join counted on page.id = (
  select min(id)
  from page
)
order by value desc, created_at desc, id desc

-- anonymous: GET /api/documents/search/?q=harbour+port+a+b+c+of
with hits_by_word as materialized (
  select cast(document_id as bigint) as document_id, word, cast(sum(weight) as bigint) as weight
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
    union all
    select document_id, 1 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, block as part, units
      from word_counts_of( $8, $9::text[], $10::text[], $11::boolean[], $12::text[], $13::integer[], $14::integer[])
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and notes.access = 'public'
    ))
    union all
    select document_id, 2 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, block as part, units
      from word_counts_of( $15, $16::text[], $17::text[], $18::boolean[], $19::text[], $20::integer[], $21::integer[])
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and notes.access = 'public'
    ))
    union all
    select document_id, 3 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, block as part, units
      from word_counts_of( $22, $23::text[], $24::text[], $25::boolean[], $26::text[], $27::integer[], $28::integer[])
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and notes.access = 'public'
    ))
    union all
    select document_id, 4 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, block as part, units
      from word_counts_of( $29, $30::text[], $31::text[], $32::boolean[], $33::text[], $34::integer[], $35::integer[])
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and notes.access = 'public'
    ))
    union all
    select document_id, 5 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, block as part, units
      from word_counts_of( $36, $37::text[], $38::text[], $39::boolean[], $40::text[], $41::integer[], $42::integer[])
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and notes.access = 'public'
    ))
  ) as rows
  group by document_id, word
), hits as (
  select distinct document_id
  from hits_by_word
), found as materialized (
  select documents.id, documents.created_at, cast(coalesce(document_lengths.words, 0) as double precision) as length
  from "hits" join "documents" on "documents"."id" + 0 = "hits"."document_id" left join document_lengths on document_lengths.document_id = documents.id
  where 8 * (
    select count(*)
    from "hits"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  union all
  select documents.id, documents.created_at, cast(coalesce(document_lengths.words, 0) as double precision) as length
  from "hits" cross join lateral (
    select *
    from "documents"
    where "documents"."id" = "hits"."document_id" offset 0
  ) as "documents" left join document_lengths on document_lengths.document_id = documents.id
  where not (8 * (
    select count(*)
    from "hits"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  )) and case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
), totals as materialized (with searched as materialized (
    select (
      select count(*)
      from (
        select 1
        from documents
        where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true)
        limit 20000
      ) as listed
    ) as documents
  )
  select cast("found" as double precision) as "found", cast("length" as double precision) as "length", cast(case when counted.found > searched.documents then counted.found else searched.documents end as double precision) as "searched", cast("having0" as double precision) as "having0", cast("having1" as double precision) as "having1", cast("having2" as double precision) as "having2", cast("having3" as double precision) as "having3", cast("having4" as double precision) as "having4", cast("having5" as double precision) as "having5"
  from (
    select count(*) as found, coalesce(sum(length), 0) as length
    from found
  ) as counted cross join (
    select cast(coalesce(sum(case word when 0 then documents else 0 end), 0) as double precision) as "having0", cast(coalesce(sum(case word when 1 then documents else 0 end), 0) as double precision) as "having1", cast(coalesce(sum(case word when 2 then documents else 0 end), 0) as double precision) as "having2", cast(coalesce(sum(case word when 3 then documents else 0 end), 0) as double precision) as "having3", cast(coalesce(sum(case word when 4 then documents else 0 end), 0) as double precision) as "having4", cast(coalesce(sum(case word when 5 then documents else 0 end), 0) as double precision) as "having5"
    from (
      select word, count(*) as documents
      from hits_by_word join found on found.id = hits_by_word.document_id
      group by word
    ) as counts
  ) as by_word cross join searched
), factors as materialized (
  select case when length > 0 then length / found else 1 end as length, 1000000 * cast($43 as double precision) * ln(1 + (searched - "having0" + 0.5) / ("having0" + 0.5)) as "rarity0", 1000000 * cast($44 as double precision) * ln(1 + (searched - "having1" + 0.5) / ("having1" + 0.5)) as "rarity1", 1000000 * cast($45 as double precision) * ln(1 + (searched - "having2" + 0.5) / ("having2" + 0.5)) as "rarity2", 1000000 * cast($46 as double precision) * ln(1 + (searched - "having3" + 0.5) / ("having3" + 0.5)) as "rarity3", 1000000 * cast($47 as double precision) * ln(1 + (searched - "having4" + 0.5) / ("having4" + 0.5)) as "rarity4", 1000000 * cast($48 as double precision) * ln(1 + (searched - "having5" + 0.5) / ("having5" + 0.5)) as "rarity5"
  from totals
), ranked as (
  select found.id, min(found.created_at) as created_at, cast(sum(cast(floor(case hits_by_word.word when 0 then "factors"."rarity0" when 1 then "factors"."rarity1" when 2 then "factors"."rarity2" when 3 then "factors"."rarity3" when 4 then "factors"."rarity4" when 5 then "factors"."rarity5" end * (1 - 15 / (15 + ("hits_by_word"."weight" >> 32) + ("hits_by_word"."weight" & 4294967295) / (0.25 + 0.75 * found.length / factors.length)))) as bigint)) as bigint) as value
  from hits_by_word join found on found.id = hits_by_word.document_id cross join factors
  group by found.id
), page as materialized (
  select id, value, created_at
  from ranked
  order by value desc, created_at desc, id desc
  limit 26 offset 0
), counted as materialized (
  select (
    select count(*)
    from found
  ) as total, totals."found" as "total_found", totals."length" as "total_length", totals."searched" as "total_searched", totals."having0" as "total_having0", totals."having1" as "total_having1", totals."having2" as "total_having2", totals."having3" as "total_having3", totals."having4" as "total_having4", totals."having5" as "total_having5"
  from totals
)
select page.id, page.value, page.created_at, counted.*
from page left join counted on page.id = (
  select min(id)
  from page
)
order by value desc, created_at desc, id desc

-- administrator: GET /api/documents/search/?sort=created_at&facets=access,status,user,organization,language,text_language,original_extension,year,project,data,data_k,mention,mention_iban
with newest as materialized (
  select *
  from (
    select documents.id
    from documents
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and 1 = 1
    order by documents.id desc
    limit 100000
  ) as "part0"
  union
  select *
  from (
    select document_audiences.document_id
    from document_audiences
    where document_audiences.audience = $1 and 1 = 1
    order by document_audiences.document_id desc
    limit 100000
  ) as "part1"
  union
  select *
  from (
    select document_audiences.document_id
    from document_audiences
    where document_audiences.audience = $2 and 1 = 1
    order by document_audiences.document_id desc
    limit 100000
  ) as "part2"
  order by id desc
  limit 100000
), faceted as materialized (
  select documents.id, "documents"."access" as "facet0", "documents"."status" as "facet1", "documents"."user_id" as "facet2", "documents"."organization_id" as "facet3", "documents"."language" as "facet4", coalesce((
      select document_languages.language
      from document_languages
      where document_languages.document_id = documents.id
    ), documents.language
  ) as "facet5", "documents"."original_extension" as "facet6", substr(documents.created_at, 1, 4) as "facet7"
  from "newest" join "documents" on "documents"."id" + 0 = "newest"."id"
  where 8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  )
  union all
  select documents.id, "documents"."access" as "facet0", "documents"."status" as "facet1", "documents"."user_id" as "facet2", "documents"."organization_id" as "facet3", "documents"."language" as "facet4", coalesce((
      select document_languages.language
      from document_languages
      where document_languages.document_id = documents.id
    ), documents.language
  ) as "facet5", "documents"."original_extension" as "facet6", substr(documents.created_at, 1, 4) as "facet7"
  from "newest" cross join lateral (
    select *
    from "documents"
    where "documents"."id" = "newest"."id" offset 0
  ) as "documents"
  where not (8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ))
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (with "combinations0" as materialized (
    select ("facet0" collate "C") as "value0", ("facet1" collate "C") as "value1", ("facet4" collate "C") as "value4", ("facet5" collate "C") as "value5", ("facet6" collate "C") as "value6", ("facet7" collate "C") as "value7", count(*) as n
    from faceted
    group by 1, 2, 3, 4, 5, 6
  ), "combinations1" as materialized (
    select "facet2" as "value2", "facet3" as "value3", count(*) as n
    from faceted
    group by 1, 2
  )
  select json_build_array((
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value0" as value, cast(sum(n) as bigint) as n
        from "combinations0"
        group by 1
        order by 2 desc, 1
        limit 51
      ) as counts
    ), (
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value1" as value, cast(sum(n) as bigint) as n
        from "combinations0"
        group by 1
        order by 2 desc, 1
        limit 51
      ) as counts
    ), (
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value2" as value, cast(sum(n) as bigint) as n
        from "combinations1"
        group by 1
        order by 2 desc, 1
        limit 51
      ) as counts
    ), (
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value3" as value, cast(sum(n) as bigint) as n
        from "combinations1"
        group by 1
        order by 2 desc, 1
        limit 51
      ) as counts
    ), (
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value4" as value, cast(sum(n) as bigint) as n
        from "combinations0"
        group by 1
        order by 2 desc, 1
        limit 51
      ) as counts
    ), (
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value5" as value, cast(sum(n) as bigint) as n
        from "combinations0"
        group by 1
        order by 2 desc, 1
        limit 51
      ) as counts
    ), (
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value6" as value, cast(sum(n) as bigint) as n
        from "combinations0"
        group by 1
        order by 2 desc, 1
        limit 51
      ) as counts
    ), (
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value7" as value, cast(sum(n) as bigint) as n
        from "combinations0"
        group by 1
        order by 2 desc, 1
        limit 51
      ) as counts
    )
  )::text
) as facets, (with "combinations0" as materialized (
    select "value" as "value0", count(*) as n
    from (
      select "held"."value" as "value"
      from (
        select project_memberships.project_id as value
        from faceted join project_memberships on project_memberships.document_id = faceted.id join projects on projects.id = project_memberships.project_id
        where (projects.private = false or "projects"."id" = any($3::bigint[]))
      ) as held
    ) as held
    group by 1
  )
  select json_build_array((
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value0" as value, cast(sum(n) as bigint) as n
        from "combinations0"
        group by 1
        order by 2 desc, 1
        limit 51
      ) as counts
    )
  )::text
) as "facets8", (with "combinations0" as materialized (
    select ("value" collate "C") as "value0", count(*) as n
    from (
      select "held"."value" as "value"
      from (
        select document_data.key as value
        from "faceted" join "document_data" on "document_data"."document_id" + 0 = "faceted"."id"
        where 8 * (
          select count(*)
          from "faceted"
        ) > (
          select reltuples
          from pg_class
          where oid = 'document_data'::regclass
        )
        union all
        select document_data.key as value
        from "faceted" cross join lateral (
          select *
          from "document_data"
          where "document_data"."document_id" = "faceted"."id" offset 0
        ) as "document_data"
        where not (8 * (
          select count(*)
          from "faceted"
        ) > (
          select reltuples
          from pg_class
          where oid = 'document_data'::regclass
        ))
      ) as held
    ) as held
    group by 1
  )
  select json_build_array((
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value0" as value, cast(sum(n) as bigint) as n
        from "combinations0"
        group by 1
        order by 2 desc, 1
        limit 51
      ) as counts
    )
  )::text
) as "facets9", (with "combinations0" as materialized (
    select ("value" collate "C") as "value0", count(*) as n
    from (
      select "held"."value" as "value"
      from (with keyed as materialized (
          select faceted.id, document_data.lowest, document_data.highest
          from "faceted" join "document_data" on "document_data"."document_id" + 0 = "faceted"."id"
          where 8 * (
            select count(*)
            from "faceted"
          ) > (
            select reltuples
            from pg_class
            where oid = 'document_data'::regclass
          ) and document_data.key = $4
          union all
          select faceted.id, document_data.lowest, document_data.highest
          from "faceted" cross join lateral (
            select *
            from "document_data"
            where "document_data"."document_id" = "faceted"."id" offset 0
          ) as "document_data"
          where not (8 * (
            select count(*)
            from "faceted"
          ) > (
            select reltuples
            from pg_class
            where oid = 'document_data'::regclass
          )) and document_data.key = $5
        )
        select lowest as value
        from keyed
        where lowest = highest
        union all
        select several.value
        from (
          select distinct keyed.id, item.value
          from keyed cross join lateral (
            select *
            from documents
            where documents.id = "keyed"."id" offset 0
          ) as documents cross join json_array_elements_text("documents"."data"::json -> $6::text) as item
          where keyed.lowest <> keyed.highest
        ) as several
      ) as held
    ) as held
    group by 1
  )
  select json_build_array((
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value0" as value, cast(sum(n) as bigint) as n
        from "combinations0"
        group by 1
        order by 2 desc, 1
        limit 51
      ) as counts
    )
  )::text
) as "facets10", (with "combinations0" as materialized (
    select ("value" collate "C") as "value0", count(*) as n
    from (
      select "held"."value" as "value"
      from (
        select distinct mentions.document_id, "mentions"."kind" as value
        from "faceted" join "mentions" on "mentions"."document_id" + 0 = "faceted"."id"
        where 8 * (
          select count(*)
          from "faceted"
        ) > (
          select reltuples
          from pg_class
          where oid = 'mentions'::regclass
        )
        union all
        select distinct mentions.document_id, "mentions"."kind" as value
        from "faceted" cross join lateral (
          select *
          from "mentions"
          where "mentions"."document_id" = "faceted"."id" offset 0
        ) as "mentions"
        where not (8 * (
          select count(*)
          from "faceted"
        ) > (
          select reltuples
          from pg_class
          where oid = 'mentions'::regclass
        ))
      ) as held
    ) as held
    group by 1
  )
  select json_build_array((
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value0" as value, cast(sum(n) as bigint) as n
        from "combinations0"
        group by 1
        order by 2 desc, 1
        limit 51
      ) as counts
    )
  )::text
) as "facets11", (with "combinations0" as materialized (
    select ("value" collate "C") as "value0", count(*) as n
    from (
      select "held"."value" as "value"
      from (
        select distinct mentions.document_id, "mentions"."value" as value
        from "faceted" join "mentions" on "mentions"."document_id" + 0 = "faceted"."id"
        where 8 * (
          select count(*)
          from "faceted"
        ) > (
          select reltuples
          from pg_class
          where oid = 'mentions'::regclass
        ) and mentions.kind = $7
        union all
        select distinct mentions.document_id, "mentions"."value" as value
        from "faceted" cross join lateral (
          select *
          from "mentions"
          where "mentions"."document_id" = "faceted"."id" offset 0
        ) as "mentions"
        where not (8 * (
          select count(*)
          from "faceted"
        ) > (
          select reltuples
          from pg_class
          where oid = 'mentions'::regclass
        )) and mentions.kind = $8
      ) as held
    ) as held
    group by 1
  )
  select json_build_array((
      select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
      from (
        select "value0" as value, cast(sum(n) as bigint) as n
        from "combinations0"
        group by 1
        order by 2 desc, 1
        limit 51
      ) as counts
    )
  )::text
) as "facets12"

-- administrator: GET /api/documents/search/?q=harbour&sort=-updated_at&facets=access,status,user,organization,language,text_language,original_extension,year,project,data,data_k,mention,mention_iban&cursor=WyIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLCIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLDNd
with hits as (
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
), found as materialized (
  select *
  from (
    select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0"
    from hits join documents on documents.id * 1 = hits.document_id
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and coalesce("hits"."weight0", 0) > 0
    union all
    select distinct documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0"
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
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0"
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
), ranked as (
  select found.id, found.created_at, "documents"."updated_at" as value
  from found join documents on documents.id = found.id
), newest as materialized (
  select id
  from found
  order by id desc
  limit 100000
), faceted as materialized (
  select documents.id, "documents"."access" as "facet0", "documents"."status" as "facet1", "documents"."user_id" as "facet2", "documents"."organization_id" as "facet3", "documents"."language" as "facet4", coalesce((
      select document_languages.language
      from document_languages
      where document_languages.document_id = documents.id
    ), documents.language
  ) as "facet5", "documents"."original_extension" as "facet6", substr(documents.created_at, 1, 4) as "facet7"
  from "newest" join "documents" on "documents"."id" + 0 = "newest"."id"
  where 8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  )
  union all
  select documents.id, "documents"."access" as "facet0", "documents"."status" as "facet1", "documents"."user_id" as "facet2", "documents"."organization_id" as "facet3", "documents"."language" as "facet4", coalesce((
      select document_languages.language
      from document_languages
      where document_languages.document_id = documents.id
    ), documents.language
  ) as "facet5", "documents"."original_extension" as "facet6", substr(documents.created_at, 1, 4) as "facet7"
  from "newest" cross join lateral (
    select *
    from "documents"
    where "documents"."id" = "newest"."id" offset 0
  ) as "documents"
  where not (8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ))
), page as materialized (
  select id, value, created_at
  from ranked
  where value >= $11 and (value > $12 or id < $13)
  order by value asc, id desc
  limit 26 offset 0
), counted as materialized (
  select (
    select count(*)
    from found
  ) as total, (
    select count(*)
    from faceted
  ) as faceted, (with "combinations0" as materialized (
      select ("facet0" collate "C") as "value0", ("facet1" collate "C") as "value1", ("facet4" collate "C") as "value4", ("facet5" collate "C") as "value5", ("facet6" collate "C") as "value6", ("facet7" collate "C") as "value7", count(*) as n
      from faceted
      group by 1, 2, 3, 4, 5, 6
    ), "combinations1" as materialized (
      select "facet2" as "value2", "facet3" as "value3", count(*) as n
      from faceted
      group by 1, 2
    )
    select json_build_array((
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value0" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      ), (
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value1" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      ), (
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value2" as value, cast(sum(n) as bigint) as n
          from "combinations1"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      ), (
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value3" as value, cast(sum(n) as bigint) as n
          from "combinations1"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      ), (
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value4" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      ), (
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value5" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      ), (
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value6" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      ), (
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value7" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      )
    )::text
  ) as facets, (with "combinations0" as materialized (
      select "value" as "value0", count(*) as n
      from (
        select "held"."value" as "value"
        from (
          select project_memberships.project_id as value
          from faceted join project_memberships on project_memberships.document_id = faceted.id join projects on projects.id = project_memberships.project_id
          where (projects.private = false or "projects"."id" = any($14::bigint[]))
        ) as held
      ) as held
      group by 1
    )
    select json_build_array((
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value0" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      )
    )::text
  ) as "facets8", (with "combinations0" as materialized (
      select ("value" collate "C") as "value0", count(*) as n
      from (
        select "held"."value" as "value"
        from (
          select document_data.key as value
          from "faceted" join "document_data" on "document_data"."document_id" + 0 = "faceted"."id"
          where 8 * (
            select count(*)
            from "faceted"
          ) > (
            select reltuples
            from pg_class
            where oid = 'document_data'::regclass
          )
          union all
          select document_data.key as value
          from "faceted" cross join lateral (
            select *
            from "document_data"
            where "document_data"."document_id" = "faceted"."id" offset 0
          ) as "document_data"
          where not (8 * (
            select count(*)
            from "faceted"
          ) > (
            select reltuples
            from pg_class
            where oid = 'document_data'::regclass
          ))
        ) as held
      ) as held
      group by 1
    )
    select json_build_array((
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value0" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      )
    )::text
  ) as "facets9", (with "combinations0" as materialized (
      select ("value" collate "C") as "value0", count(*) as n
      from (
        select "held"."value" as "value"
        from (with keyed as materialized (
            select faceted.id, document_data.lowest, document_data.highest
            from "faceted" join "document_data" on "document_data"."document_id" + 0 = "faceted"."id"
            where 8 * (
              select count(*)
              from "faceted"
            ) > (
              select reltuples
              from pg_class
              where oid = 'document_data'::regclass
            ) and document_data.key = $15
            union all
            select faceted.id, document_data.lowest, document_data.highest
            from "faceted" cross join lateral (
              select *
              from "document_data"
              where "document_data"."document_id" = "faceted"."id" offset 0
            ) as "document_data"
            where not (8 * (
              select count(*)
              from "faceted"
            ) > (
              select reltuples
              from pg_class
              where oid = 'document_data'::regclass
            )) and document_data.key = $16
          )
          select lowest as value
          from keyed
          where lowest = highest
          union all
          select several.value
          from (
            select distinct keyed.id, item.value
            from keyed cross join lateral (
              select *
              from documents
              where documents.id = "keyed"."id" offset 0
            ) as documents cross join json_array_elements_text("documents"."data"::json -> $17::text) as item
            where keyed.lowest <> keyed.highest
          ) as several
        ) as held
      ) as held
      group by 1
    )
    select json_build_array((
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value0" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      )
    )::text
  ) as "facets10", (with "combinations0" as materialized (
      select ("value" collate "C") as "value0", count(*) as n
      from (
        select "held"."value" as "value"
        from (
          select distinct mentions.document_id, "mentions"."kind" as value
          from "faceted" join "mentions" on "mentions"."document_id" + 0 = "faceted"."id"
          where 8 * (
            select count(*)
            from "faceted"
          ) > (
            select reltuples
            from pg_class
            where oid = 'mentions'::regclass
          )
          union all
          select distinct mentions.document_id, "mentions"."kind" as value
          from "faceted" cross join lateral (
            select *
            from "mentions"
            where "mentions"."document_id" = "faceted"."id" offset 0
          ) as "mentions"
          where not (8 * (
            select count(*)
            from "faceted"
          ) > (
            select reltuples
            from pg_class
            where oid = 'mentions'::regclass
          ))
        ) as held
      ) as held
      group by 1
    )
    select json_build_array((
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value0" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      )
    )::text
  ) as "facets11", (with "combinations0" as materialized (
      select ("value" collate "C") as "value0", count(*) as n
      from (
        select "held"."value" as "value"
        from (
          select distinct mentions.document_id, "mentions"."value" as value
          from "faceted" join "mentions" on "mentions"."document_id" + 0 = "faceted"."id"
          where 8 * (
            select count(*)
            from "faceted"
          ) > (
            select reltuples
            from pg_class
            where oid = 'mentions'::regclass
          ) and mentions.kind = $18
          union all
          select distinct mentions.document_id, "mentions"."value" as value
          from "faceted" cross join lateral (
            select *
            from "mentions"
            where "mentions"."document_id" = "faceted"."id" offset 0
          ) as "mentions"
          where not (8 * (
            select count(*)
            from "faceted"
          ) > (
            select reltuples
            from pg_class
            where oid = 'mentions'::regclass
          )) and mentions.kind = $19
        ) as held
      ) as held
      group by 1
    )
    select json_build_array((
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value0" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      )
    )::text
  ) as "facets12"
)
select page.id, page.value, page.created_at, counted.*
from page left join counted on page.id = (
  select min(id)
  from page
)
order by value asc, id desc

-- user: GET /api/documents/search/?q=harbour&sort=-created_at&facets=access,status,user,organization,language,text_language,original_extension,year,project,data,data_k,mention,mention_iban
with hits as (
  select cast(document_id as bigint) as document_id, cast(sum(weight) as bigint) as "weight0"
  from (
    select document_id, 0 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, part, units
      from (
        select document_id, block as part, units
        from word_counts_of( $1, $2::text[], $3::text[], $4::boolean[], $5::text[], $6::integer[], $7::integer[])
      ) as counts
      where document_id <= $8
      union all
      select document_id, part, units
      from (
        select document_id, part, 10 as units
        from (
          select holding.document_id, holding.part
          from (
            select $9::text as word, null::text[] as languages
            union all
            select *
            from other_forms_of($10, $11::text[], $12::text[], $13::boolean[])
          ) as forms cross join lateral (
            select document_id, part
            from document_words
            where words @@ quote_literal(forms.word)::tsquery offset 0
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
        ) as holding
      ) as later
      where document_id > $14
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $15) or (notes.access = 'organization' and ((documents.user_id = $16 and (documents.access <> 'public' or "documents"."organization_id" = any($17::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($18::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($19::text[])
        ))
      )))
    ))
  ) as rows
  group by document_id
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", "documents"."access" as "facet0", "documents"."status" as "facet1", "documents"."user_id" as "facet2", "documents"."organization_id" as "facet3", "documents"."language" as "facet4", coalesce((
      select document_languages.language
      from document_languages
      where document_languages.document_id = documents.id
    ), documents.language
  ) as "facet5", "documents"."original_extension" as "facet6", substr(documents.created_at, 1, 4) as "facet7"
  from "hits" join "documents" on "documents"."id" + 0 = "hits"."document_id"
  where 8 * (
    select count(*)
    from "hits"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ) and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end or exists (
    select 1
    from document_audiences
    where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($20::text[])
  )) and coalesce("hits"."weight0", 0) > 0
  union all
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", "documents"."access" as "facet0", "documents"."status" as "facet1", "documents"."user_id" as "facet2", "documents"."organization_id" as "facet3", "documents"."language" as "facet4", coalesce((
      select document_languages.language
      from document_languages
      where document_languages.document_id = documents.id
    ), documents.language
  ) as "facet5", "documents"."original_extension" as "facet6", substr(documents.created_at, 1, 4) as "facet7"
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
    where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($21::text[])
  )) and coalesce("hits"."weight0", 0) > 0
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
), faceted as not materialized (
  select *
  from found
), page as materialized (
  select id, value, created_at
  from ranked
  order by value asc, id desc
  limit 26 offset 0
), counted as materialized (
  select (
    select count(*)
    from found
  ) as total, (
    select count(*)
    from faceted
  ) as faceted, (with "combinations0" as materialized (
      select ("facet0" collate "C") as "value0", ("facet1" collate "C") as "value1", ("facet4" collate "C") as "value4", ("facet5" collate "C") as "value5", ("facet6" collate "C") as "value6", ("facet7" collate "C") as "value7", count(*) as n
      from faceted
      group by 1, 2, 3, 4, 5, 6
    ), "combinations1" as materialized (
      select "facet2" as "value2", "facet3" as "value3", count(*) as n
      from faceted
      group by 1, 2
    )
    select json_build_array((
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value0" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      ), (
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value1" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      ), (
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value2" as value, cast(sum(n) as bigint) as n
          from "combinations1"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      ), (
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value3" as value, cast(sum(n) as bigint) as n
          from "combinations1"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      ), (
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value4" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      ), (
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value5" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      ), (
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value6" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      ), (
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value7" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      )
    )::text
  ) as facets, (with "combinations0" as materialized (
      select "value" as "value0", count(*) as n
      from (
        select "held"."value" as "value"
        from (
          select project_memberships.project_id as value
          from faceted join project_memberships on project_memberships.document_id = faceted.id join projects on projects.id = project_memberships.project_id
          where (projects.private = false or "projects"."id" = any($22::bigint[]))
        ) as held
      ) as held
      group by 1
    )
    select json_build_array((
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value0" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      )
    )::text
  ) as "facets8", (with "combinations0" as materialized (
      select ("value" collate "C") as "value0", count(*) as n
      from (
        select "held"."value" as "value"
        from (
          select document_data.key as value
          from "faceted" join "document_data" on "document_data"."document_id" + 0 = "faceted"."id"
          where 8 * (
            select count(*)
            from "faceted"
          ) > (
            select reltuples
            from pg_class
            where oid = 'document_data'::regclass
          )
          union all
          select document_data.key as value
          from "faceted" cross join lateral (
            select *
            from "document_data"
            where "document_data"."document_id" = "faceted"."id" offset 0
          ) as "document_data"
          where not (8 * (
            select count(*)
            from "faceted"
          ) > (
            select reltuples
            from pg_class
            where oid = 'document_data'::regclass
          ))
        ) as held
      ) as held
      group by 1
    )
    select json_build_array((
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value0" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      )
    )::text
  ) as "facets9", (with "combinations0" as materialized (
      select ("value" collate "C") as "value0", count(*) as n
      from (
        select "held"."value" as "value"
        from (with keyed as materialized (
            select faceted.id, document_data.lowest, document_data.highest
            from "faceted" join "document_data" on "document_data"."document_id" + 0 = "faceted"."id"
            where 8 * (
              select count(*)
              from "faceted"
            ) > (
              select reltuples
              from pg_class
              where oid = 'document_data'::regclass
            ) and document_data.key = $23
            union all
            select faceted.id, document_data.lowest, document_data.highest
            from "faceted" cross join lateral (
              select *
              from "document_data"
              where "document_data"."document_id" = "faceted"."id" offset 0
            ) as "document_data"
            where not (8 * (
              select count(*)
              from "faceted"
            ) > (
              select reltuples
              from pg_class
              where oid = 'document_data'::regclass
            )) and document_data.key = $24
          )
          select lowest as value
          from keyed
          where lowest = highest
          union all
          select several.value
          from (
            select distinct keyed.id, item.value
            from keyed cross join lateral (
              select *
              from documents
              where documents.id = "keyed"."id" offset 0
            ) as documents cross join json_array_elements_text("documents"."data"::json -> $25::text) as item
            where keyed.lowest <> keyed.highest
          ) as several
        ) as held
      ) as held
      group by 1
    )
    select json_build_array((
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value0" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      )
    )::text
  ) as "facets10", (with "combinations0" as materialized (
      select ("value" collate "C") as "value0", count(*) as n
      from (
        select "held"."value" as "value"
        from (
          select distinct mentions.document_id, "mentions"."kind" as value
          from "faceted" join "mentions" on "mentions"."document_id" + 0 = "faceted"."id"
          where 8 * (
            select count(*)
            from "faceted"
          ) > (
            select reltuples
            from pg_class
            where oid = 'mentions'::regclass
          )
          union all
          select distinct mentions.document_id, "mentions"."kind" as value
          from "faceted" cross join lateral (
            select *
            from "mentions"
            where "mentions"."document_id" = "faceted"."id" offset 0
          ) as "mentions"
          where not (8 * (
            select count(*)
            from "faceted"
          ) > (
            select reltuples
            from pg_class
            where oid = 'mentions'::regclass
          ))
        ) as held
      ) as held
      group by 1
    )
    select json_build_array((
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value0" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      )
    )::text
  ) as "facets11", (with "combinations0" as materialized (
      select ("value" collate "C") as "value0", count(*) as n
      from (
        select "held"."value" as "value"
        from (
          select distinct mentions.document_id, "mentions"."value" as value
          from "faceted" join "mentions" on "mentions"."document_id" + 0 = "faceted"."id"
          where 8 * (
            select count(*)
            from "faceted"
          ) > (
            select reltuples
            from pg_class
            where oid = 'mentions'::regclass
          ) and mentions.kind = $26
          union all
          select distinct mentions.document_id, "mentions"."value" as value
          from "faceted" cross join lateral (
            select *
            from "mentions"
            where "mentions"."document_id" = "faceted"."id" offset 0
          ) as "mentions"
          where not (8 * (
            select count(*)
            from "faceted"
          ) > (
            select reltuples
            from pg_class
            where oid = 'mentions'::regclass
          )) and mentions.kind = $27
        ) as held
      ) as held
      group by 1
    )
    select json_build_array((
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value0" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      )
    )::text
  ) as "facets12"
)
select page.id, page.value, page.created_at, counted.*
from page left join counted on page.id = (
  select min(id)
  from page
)
order by value asc, id desc

-- user: GET /api/documents/search/?q=harbour+-port&sort=id&facets=access,status,user,organization,language,text_language,original_extension,year,project,data,data_k,mention,mention_iban&cursor=WzIsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiIsM10
with hits as (
  select cast(document_id as bigint) as document_id, cast(sum(case word when 0 then weight else 0 end) as bigint) as "weight0", cast(sum(case word when 1 then weight else 0 end) as bigint) as "weight1"
  from (
    select document_id, 0 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, block as part, units
      from word_counts_of( $1, $2::text[], $3::text[], $4::boolean[], $5::text[], $6::integer[], $7::integer[])
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $8) or (notes.access = 'organization' and ((documents.user_id = $9 and (documents.access <> 'public' or "documents"."organization_id" = any($10::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($11::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($12::text[])
        ))
      )))
    ))
    union all
    select document_id, 1 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, block as part, units
      from word_counts_of( $13, $14::text[], $15::text[], $16::boolean[], $17::text[], $18::integer[], $19::integer[])
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $20) or (notes.access = 'organization' and ((documents.user_id = $21 and (documents.access <> 'public' or "documents"."organization_id" = any($22::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($23::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($24::text[])
        ))
      )))
    ))
  ) as rows
  group by document_id
), found as materialized (
  select *
  from (
    select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", coalesce("hits"."weight1", 0) as "weight1"
    from hits join documents on documents.id * 1 = hits.document_id
    where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and (coalesce("hits"."weight0", 0) > 0 and not (coalesce("hits"."weight1", 0) > 0))
    union all
    select distinct documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", coalesce("hits"."weight1", 0) as "weight1"
    from hits join document_audiences on document_audiences.document_id * 1 = hits.document_id cross join lateral (
      select document_audiences.document_id as id, document_audiences.created_at
    ) as documents
    where "document_audiences"."audience" = any($25::text[]) and (coalesce("hits"."weight0", 0) > 0 and not (coalesce("hits"."weight1", 0) > 0))
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
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", coalesce("hits"."weight1", 0) as "weight1"
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
    where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($26::text[])
  )) and (coalesce("hits"."weight0", 0) > 0 and not (coalesce("hits"."weight1", 0) > 0))
), ranked as (
  select found.id, found.created_at, found.id as value
  from found
), newest as materialized (
  select id
  from found
  order by id desc
  limit 100000
), faceted as materialized (
  select documents.id, "documents"."access" as "facet0", "documents"."status" as "facet1", "documents"."user_id" as "facet2", "documents"."organization_id" as "facet3", "documents"."language" as "facet4", coalesce((
      select document_languages.language
      from document_languages
      where document_languages.document_id = documents.id
    ), documents.language
  ) as "facet5", "documents"."original_extension" as "facet6", substr(documents.created_at, 1, 4) as "facet7"
  from "newest" join "documents" on "documents"."id" + 0 = "newest"."id"
  where 8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  )
  union all
  select documents.id, "documents"."access" as "facet0", "documents"."status" as "facet1", "documents"."user_id" as "facet2", "documents"."organization_id" as "facet3", "documents"."language" as "facet4", coalesce((
      select document_languages.language
      from document_languages
      where document_languages.document_id = documents.id
    ), documents.language
  ) as "facet5", "documents"."original_extension" as "facet6", substr(documents.created_at, 1, 4) as "facet7"
  from "newest" cross join lateral (
    select *
    from "documents"
    where "documents"."id" = "newest"."id" offset 0
  ) as "documents"
  where not (8 * (
    select count(*)
    from "newest"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ))
), page as materialized (
  select id, value, created_at
  from ranked
  where id > $27
  order by id asc
  limit 26 offset 0
), counted as materialized (
  select (
    select count(*)
    from found
  ) as total, (
    select count(*)
    from faceted
  ) as faceted, (with "combinations0" as materialized (
      select ("facet0" collate "C") as "value0", ("facet1" collate "C") as "value1", ("facet4" collate "C") as "value4", ("facet5" collate "C") as "value5", ("facet6" collate "C") as "value6", ("facet7" collate "C") as "value7", count(*) as n
      from faceted
      group by 1, 2, 3, 4, 5, 6
    ), "combinations1" as materialized (
      select "facet2" as "value2", "facet3" as "value3", count(*) as n
      from faceted
      group by 1, 2
    )
    select json_build_array((
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value0" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      ), (
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value1" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      ), (
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value2" as value, cast(sum(n) as bigint) as n
          from "combinations1"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      ), (
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value3" as value, cast(sum(n) as bigint) as n
          from "combinations1"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      ), (
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value4" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      ), (
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value5" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      ), (
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value6" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      ), (
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value7" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      )
    )::text
  ) as facets, (with "combinations0" as materialized (
      select "value" as "value0", count(*) as n
      from (
        select "held"."value" as "value"
        from (
          select project_memberships.project_id as value
          from faceted join project_memberships on project_memberships.document_id = faceted.id join projects on projects.id = project_memberships.project_id
          where (projects.private = false or "projects"."id" = any($28::bigint[]))
        ) as held
      ) as held
      group by 1
    )
    select json_build_array((
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value0" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      )
    )::text
  ) as "facets8", (with "combinations0" as materialized (
      select ("value" collate "C") as "value0", count(*) as n
      from (
        select "held"."value" as "value"
        from (
          select document_data.key as value
          from "faceted" join "document_data" on "document_data"."document_id" + 0 = "faceted"."id"
          where 8 * (
            select count(*)
            from "faceted"
          ) > (
            select reltuples
            from pg_class
            where oid = 'document_data'::regclass
          )
          union all
          select document_data.key as value
          from "faceted" cross join lateral (
            select *
            from "document_data"
            where "document_data"."document_id" = "faceted"."id" offset 0
          ) as "document_data"
          where not (8 * (
            select count(*)
            from "faceted"
          ) > (
            select reltuples
            from pg_class
            where oid = 'document_data'::regclass
          ))
        ) as held
      ) as held
      group by 1
    )
    select json_build_array((
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value0" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      )
    )::text
  ) as "facets9", (with "combinations0" as materialized (
      select ("value" collate "C") as "value0", count(*) as n
      from (
        select "held"."value" as "value"
        from (with keyed as materialized (
            select faceted.id, document_data.lowest, document_data.highest
            from "faceted" join "document_data" on "document_data"."document_id" + 0 = "faceted"."id"
            where 8 * (
              select count(*)
              from "faceted"
            ) > (
              select reltuples
              from pg_class
              where oid = 'document_data'::regclass
            ) and document_data.key = $29
            union all
            select faceted.id, document_data.lowest, document_data.highest
            from "faceted" cross join lateral (
              select *
              from "document_data"
              where "document_data"."document_id" = "faceted"."id" offset 0
            ) as "document_data"
            where not (8 * (
              select count(*)
              from "faceted"
            ) > (
              select reltuples
              from pg_class
              where oid = 'document_data'::regclass
            )) and document_data.key = $30
          )
          select lowest as value
          from keyed
          where lowest = highest
          union all
          select several.value
          from (
            select distinct keyed.id, item.value
            from keyed cross join lateral (
              select *
              from documents
              where documents.id = "keyed"."id" offset 0
            ) as documents cross join json_array_elements_text("documents"."data"::json -> $31::text) as item
            where keyed.lowest <> keyed.highest
          ) as several
        ) as held
      ) as held
      group by 1
    )
    select json_build_array((
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value0" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      )
    )::text
  ) as "facets10", (with "combinations0" as materialized (
      select ("value" collate "C") as "value0", count(*) as n
      from (
        select "held"."value" as "value"
        from (
          select distinct mentions.document_id, "mentions"."kind" as value
          from "faceted" join "mentions" on "mentions"."document_id" + 0 = "faceted"."id"
          where 8 * (
            select count(*)
            from "faceted"
          ) > (
            select reltuples
            from pg_class
            where oid = 'mentions'::regclass
          )
          union all
          select distinct mentions.document_id, "mentions"."kind" as value
          from "faceted" cross join lateral (
            select *
            from "mentions"
            where "mentions"."document_id" = "faceted"."id" offset 0
          ) as "mentions"
          where not (8 * (
            select count(*)
            from "faceted"
          ) > (
            select reltuples
            from pg_class
            where oid = 'mentions'::regclass
          ))
        ) as held
      ) as held
      group by 1
    )
    select json_build_array((
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value0" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      )
    )::text
  ) as "facets11", (with "combinations0" as materialized (
      select ("value" collate "C") as "value0", count(*) as n
      from (
        select "held"."value" as "value"
        from (
          select distinct mentions.document_id, "mentions"."value" as value
          from "faceted" join "mentions" on "mentions"."document_id" + 0 = "faceted"."id"
          where 8 * (
            select count(*)
            from "faceted"
          ) > (
            select reltuples
            from pg_class
            where oid = 'mentions'::regclass
          ) and mentions.kind = $32
          union all
          select distinct mentions.document_id, "mentions"."value" as value
          from "faceted" cross join lateral (
            select *
            from "mentions"
            where "mentions"."document_id" = "faceted"."id" offset 0
          ) as "mentions"
          where not (8 * (
            select count(*)
            from "faceted"
          ) > (
            select reltuples
            from pg_class
            where oid = 'mentions'::regclass
          )) and mentions.kind = $33
        ) as held
      ) as held
      group by 1
    )
    select json_build_array((
        select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (
          select "value0" as value, cast(sum(n) as bigint) as n
          from "combinations0"
          group by 1
          order by 2 desc, 1
          limit 51
        ) as counts
      )
    )::text
  ) as "facets12"
)
select page.id, page.value, page.created_at, counted.*
from page left join counted on page.id = (
  select min(id)
  from page
)
order by id asc
