-- anonymous: GET /api/documents/search/?q=harbour&sort=score
select counted_to
from word_count_progress

-- user: GET /api/documents/search/?q=harbour+-port&sort=score&facets=access,status,user,organization,language,original_extension,year,project,data,data_k&cursor=WzIsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiIsM10
select id, name
from organizations
where "id" = any($1::bigint[])

-- user: GET /api/documents/search/?q=harbour+-port&sort=score&facets=access,status,user,organization,language,original_extension,year,project,data,data_k&cursor=WzIsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiIsM10
select digest, user_id, seen_at
from sessions
where digest = $1 and expires_at > $2

-- collaborator: GET /api/documents/search/?sort=-score&facets=access,status,user,organization,language,original_extension,year,project,data,data_k
select id, user_id, may_write, last_used_at
from api_tokens
where digest = $1 and (expires_at is null or expires_at > $2)

-- anonymous: GET /api/documents/search/?q=harbour&sort=score
select notes.*
from notes
where "notes"."document_id" = any($1::bigint[]) and notes.access = 'public' and ("notes"."page_number", "notes"."id") > ($2, $3)
order by "notes"."page_number", "notes"."id"
limit $4

-- collaborator: GET /api/documents/1/search/?q=harbour%20title%3Aharbour%20source%3Aharbour%20description%3Aharbour%20text%3Aharbour%20page_no_2%3Aharbour
select asked.value as page, document_pages.text
from (
  select unnest($1::bigint[]) as value
) as asked left join lateral (
  select *
  from document_pages
  where document_pages.document_id = $2 and document_pages.page = asked.value offset 0
) as document_pages on true

-- collaborator: GET /api/documents/search/?sort=-score&facets=access,status,user,organization,language,original_extension,year,project,data,data_k
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

-- anonymous: GET /api/documents/search/?q=harbour+-port&sort=created_at&facets=access,status,user,organization,language,original_extension,year,project,data,data_k
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

-- anonymous: GET /api/documents/search/?facets=project
with found as (
  select documents.id, documents.created_at
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
)
select id, value, created_at
from ranked
order by value desc, id desc
limit 26 offset 0

-- anonymous: GET /api/documents/search/?facets=access
with found as (
  select documents.id, documents.created_at, "documents"."access" as "facet0"
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
)
select id, value, created_at
from ranked
order by value desc, id desc
limit 26 offset 0

-- anonymous: GET /api/documents/search/?facets=status
with found as (
  select documents.id, documents.created_at, "documents"."status" as "facet0"
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
)
select id, value, created_at
from ranked
order by value desc, id desc
limit 26 offset 0

-- anonymous: GET /api/documents/search/?facets=user
with found as (
  select documents.id, documents.created_at, "documents"."user_id" as "facet0"
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
)
select id, value, created_at
from ranked
order by value desc, id desc
limit 26 offset 0

-- anonymous: GET /api/documents/search/?facets=language
with found as (
  select documents.id, documents.created_at, "documents"."language" as "facet0"
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
)
select id, value, created_at
from ranked
order by value desc, id desc
limit 26 offset 0

-- anonymous: GET /api/documents/search/?facets=organization
with found as (
  select documents.id, documents.created_at, "documents"."organization_id" as "facet0"
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
)
select id, value, created_at
from ranked
order by value desc, id desc
limit 26 offset 0

-- anonymous: GET /api/documents/search/?facets=original_extension
with found as (
  select documents.id, documents.created_at, "documents"."original_extension" as "facet0"
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
)
select id, value, created_at
from ranked
order by value desc, id desc
limit 26 offset 0

-- anonymous: GET /api/documents/search/?facets=year
with found as (
  select documents.id, documents.created_at, substr(documents.created_at, 1, 4) as "facet0"
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
)
select id, value, created_at
from ranked
order by value desc, id desc
limit 26 offset 0

-- collaborator: GET /api/documents/search/?hl=true&q=harbour%20NOT%20port%20-title%3Aport
select document_id, page, total
from (
  select document_id, part - 3 as page, count(*) over (partition by document_id) as total, row_number() over (partition by document_id order by part) as position
  from (
    select document_id, part
    from (
      select document_id, part
      from document_words
      where words @@ $1::tsquery and document_id = any($2::bigint[])
    ) as parts
    where part >= 3 and part < 524288
  ) as matching
) as numbered
where position <= 150
order by document_id, page

-- user: GET /api/documents/search/?q=harbour+-port&sort=score&facets=access,status,user,organization,language,original_extension,year,project,data,data_k&cursor=WzIsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiIsM10
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

-- user: GET /api/documents/search/?q=harbour+-port&sort=score&facets=access,status,user,organization,language,original_extension,year,project,data,data_k&cursor=WzIsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiIsM10
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

-- collaborator: GET /api/documents/search/?sort=id
with found as (
  select documents.id, documents.created_at
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and 1 = 1
  union all
  select documents.id, documents.created_at
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($1::text[])
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and 1 = 1
), ranked as (
  select found.id, found.created_at, found.id as value
  from found
)
select (
  select count(*)
  from found
) as total

-- anonymous: GET /api/documents/1/search/?paged=true&q=harbour
with held as materialized (
  select (
    select string_agg(cast(part as text), ',')
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
  where documents.id = $3 and coalesce("hits"."weight0", 0.0) > 0
)

-- collaborator: GET /api/documents/search/?sort=id
with found as (
  select documents.id, documents.created_at
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and 1 = 1
  union all
  select documents.id, documents.created_at
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($1::text[])
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and 1 = 1
), ranked as (
  select found.id, found.created_at, found.id as value
  from found
)
select id, value, created_at
from ranked
order by id asc
limit 26 offset 0

-- collaborator: GET /api/documents/search/?sort=-id
with found as (
  select documents.id, documents.created_at
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and 1 = 1
  union all
  select documents.id, documents.created_at
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($1::text[])
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and 1 = 1
), ranked as (
  select found.id, found.created_at, found.id as value
  from found
)
select id, value, created_at
from ranked
order by id desc
limit 26 offset 0

-- collaborator: GET /api/documents/search/?sort=title
with found as (
  select documents.id, documents.created_at
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and 1 = 1
  union all
  select documents.id, documents.created_at
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($1::text[])
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and 1 = 1
), ranked as (
  select found.id, found.created_at, "documents"."title" as value
  from found join documents on documents.id = found.id
)
select (
  select count(*)
  from found
) as total

-- collaborator: GET /api/documents/search/?sort=source
with found as (
  select documents.id, documents.created_at
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and 1 = 1
  union all
  select documents.id, documents.created_at
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($1::text[])
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and 1 = 1
), ranked as (
  select found.id, found.created_at, "documents"."source" as value
  from found join documents on documents.id = found.id
)
select (
  select count(*)
  from found
) as total

-- user: GET /api/documents/search/?sort=-created_at
with found as (
  select documents.id, documents.created_at
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and 1 = 1
  union all
  select documents.id, documents.created_at
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($1::text[])
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and 1 = 1
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
)
select id, value, created_at
from ranked
order by value asc, id desc
limit 26 offset 0

-- collaborator: GET /api/documents/search/?sort=-updated_at
with found as (
  select documents.id, documents.created_at
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and 1 = 1
  union all
  select documents.id, documents.created_at
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($1::text[])
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and 1 = 1
), ranked as (
  select found.id, found.created_at, "documents"."updated_at" as value
  from found join documents on documents.id = found.id
)
select (
  select count(*)
  from found
) as total

-- collaborator: GET /api/documents/search/?sort=page_count
with found as (
  select documents.id, documents.created_at
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and 1 = 1
  union all
  select documents.id, documents.created_at
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($1::text[])
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and 1 = 1
), ranked as (
  select found.id, found.created_at, "documents"."page_count" as value
  from found join documents on documents.id = found.id
)
select (
  select count(*)
  from found
) as total

-- user: GET /api/documents/search/?sort=-data_k&cursor=WyJiIiwiMjAyNS0wMS0zMVQxMjowMDowMC4wMDAwMDBaIiwzXQ
with found as (
  select documents.id, documents.created_at
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and 1 = 1
  union all
  select documents.id, documents.created_at
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($1::text[])
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and 1 = 1
), ranked as (
  select found.id, found.created_at, "document_data"."highest" as value
  from found left join document_data on document_data.document_id = found.id and document_data.key = $2
)
select (
  select count(*)
  from found
) as total

-- administrator: GET /api/documents/search/?sort=created_at&cursor=WyIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLCIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLDNd
with found as (
  select documents.id, documents.created_at
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and 1 = 1
  union all
  select documents.id, documents.created_at
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($1::text[])
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and 1 = 1
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
)
select id, value, created_at
from ranked
where value is null or value < $2 or (value = $3 and id < $4)
order by value desc, id desc
limit 26 offset 0

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

-- anonymous: GET /api/documents/search/?facets=user
with found as materialized (
  select documents.id, documents.created_at, "documents"."user_id" as "facet0"
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
)
select (
  select count(*)
  from found
) as total, (with "combinations0" as materialized (
    select "facet0" as "value0", count(*) as n
    from found
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
with found as materialized (
  select documents.id, documents.created_at, "documents"."access" as "facet0"
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
)
select (
  select count(*)
  from found
) as total, (with "combinations0" as materialized (
    select ("facet0" collate "C") as "value0", count(*) as n
    from found
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

-- anonymous: GET /api/documents/search/?sort=data_k&facets=access,status,user,organization,language,original_extension,year,project,data,data_k&cursor=W251bGwsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiIsM10
with found as (
  select documents.id, documents.created_at, "documents"."access" as "facet0", "documents"."status" as "facet1", "documents"."user_id" as "facet2", "documents"."organization_id" as "facet3", "documents"."language" as "facet4", "documents"."original_extension" as "facet5", substr(documents.created_at, 1, 4) as "facet6"
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

-- user: GET /api/documents/search/?sort=-data_k&cursor=WyJiIiwiMjAyNS0wMS0zMVQxMjowMDowMC4wMDAwMDBaIiwzXQ
with found as (
  select documents.id, documents.created_at
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and 1 = 1
  union all
  select documents.id, documents.created_at
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($1::text[])
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and 1 = 1
), ranked as (
  select found.id, found.created_at, "document_data"."highest" as value
  from found left join document_data on document_data.document_id = found.id and document_data.key = $2
)
select id, value, created_at
from ranked
where value is null or value < $3 or (value = $4 and id < $5)
order by value is null, value desc, id desc
limit 26 offset 0

-- user: GET /api/documents/search/?q=harbour+-port&sort=score&facets=access,status,user,organization,language,original_extension,year,project,data,data_k&cursor=WzIsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiIsM10
select id, username, name, language, time_zone, is_active, is_administrator, organization_id, token_generation, (
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

-- collaborator: GET /api/documents/search/?sort=-score&facets=access,status,user,organization,language,original_extension,year,project,data,data_k
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

-- anonymous: GET /api/documents/search/?facets=project
with found as materialized (
  select documents.id, documents.created_at
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
)
select (
  select count(*)
  from found
) as total, (with "combinations0" as materialized (
    select "value" as "value0", count(*) as n
    from (
      select "held"."value" as "value"
      from (
        select project_memberships.project_id as value
        from found join project_memberships on project_memberships.document_id = found.id join projects on projects.id = project_memberships.project_id
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

-- user: GET /api/documents/search/?q=created_at%3A%5B2024%20TO%202026%5D%20updated_at%3A%5B2024%20TO%202026%5D%20(status%3Aerror%20OR%20page_count%3A1)
with found as (
  select documents.id, documents.created_at
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and ("documents"."created_at" >= $1 and "documents"."created_at" < $2 or "documents"."updated_at" >= $3 and "documents"."updated_at" < $4 or ("documents"."status" = $5 or "documents"."page_count" >= $6 and "documents"."page_count" <= $7))
  union all
  select documents.id, documents.created_at
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($8::text[])
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and ("documents"."created_at" >= $9 and "documents"."created_at" < $10 or "documents"."updated_at" >= $11 and "documents"."updated_at" < $12 or ("documents"."status" = $13 or "documents"."page_count" >= $14 and "documents"."page_count" <= $15))
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
)
select (
  select count(*)
  from found
) as total

-- user: GET /api/documents/1/search/?paged=true&q=harbour
with held as materialized (
  select (
    select string_agg(cast(part as text), ',')
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
  where documents.id = $8 and coalesce("hits"."weight0", 0.0) > 0
)

-- collaborator: GET /api/documents/search/?hl=true&q=%22port%20harbour%22%20OR%20%22port%20harbour%22~2%20OR%20title%3A%22port%20harbour%22%20OR%20text%3Aharb*%20OR%20port%5E2
select document_id, page, total
from (
  select document_id, part - 3 as page, count(*) over (partition by document_id) as total, row_number() over (partition by document_id order by part) as position
  from (
    select document_id, part
    from (
      select document_id, part
      from document_words
      where words @@ $1::tsquery and document_id = any($2::bigint[])
    ) as parts
    where part >= 3 and part < 524288
    union
    select document_id, part
    from (
      select document_id, part
      from document_words
      where words @@ $3::tsquery and document_id = any($4::bigint[])
    ) as parts
    where part >= 3 and part < 524288
    union
    select document_id, part
    from (
      select document_id, part
      from document_words
      where words @@ $5::tsquery and document_id = any($6::bigint[])
    ) as parts
    where part >= 3 and part < 524288 and part = 0
    union
    select document_id, part
    from (
      select document_id, part
      from document_words
      where words @@ $7::tsquery and document_id = any($8::bigint[])
    ) as parts
    where part >= 3 and part < 524288 and part >= 3 and part < 524288
    union
    select document_id, part
    from (
      select document_id, part
      from document_words
      where words @@ $9::tsquery and document_id = any($10::bigint[])
    ) as parts
    where part >= 3 and part < 524288
  ) as matching
) as numbered
where position <= 150
order by document_id, page

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

-- user: GET /api/documents/search/?q=title%3A*%20source%3A*%20description%3A*%20-text%3A*%20-page_no_2%3A*
with found as (
  select documents.id, documents.created_at
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
  select documents.id, documents.created_at
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
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
)
select (
  select count(*)
  from found
) as total

-- anonymous: GET /api/documents/search/?facets=data
with found as materialized (
  select documents.id, documents.created_at
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
)
select (
  select count(*)
  from found
) as total, (with "combinations0" as materialized (
    select ("value" collate "C") as "value0", count(*) as n
    from (
      select "held"."value" as "value"
      from (
        select document_data.key as value
        from "found" join "document_data" on "document_data"."document_id" + 0 = "found"."id"
        where 8 * (
          select count(*)
          from "found"
        ) > (
          select reltuples
          from pg_class
          where oid = 'document_data'::regclass
        )
        union all
        select document_data.key as value
        from "found" cross join lateral (
          select *
          from "document_data"
          where "document_data"."document_id" = "found"."id" offset 0
        ) as "document_data"
        where not (8 * (
          select count(*)
          from "found"
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

-- user: GET /api/documents/search/?q=user%3A1%20organization%3A(1%202)%20project%3A1%20id%3A(1%20OR%202%20OR%203)
with found as (
  select documents.id, documents.created_at
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and (("documents"."organization_id" = any($1::bigint[])) or documents.id in (
      select project_memberships.document_id
      from project_memberships join projects on projects.id = project_memberships.project_id
      where project_memberships.project_id >= $2 and project_memberships.project_id <= $3 and (projects.private = false or "projects"."id" = any($4::bigint[]))
    ) or ("documents"."id" = any($5::bigint[])) or "documents"."user_id" = any($6::bigint[])
  )
  union all
  select documents.id, documents.created_at
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($7::text[])
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and (("documents"."organization_id" = any($8::bigint[])) or documents.id in (
      select project_memberships.document_id
      from project_memberships join projects on projects.id = project_memberships.project_id
      where project_memberships.project_id >= $9 and project_memberships.project_id <= $10 and (projects.private = false or "projects"."id" = any($11::bigint[]))
    ) or ("documents"."id" = any($12::bigint[])) or "documents"."user_id" = any($13::bigint[])
  )
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
)
select (
  select count(*)
  from found
) as total

-- collaborator: GET /api/documents/search/?hl=true&q=harbour%20title%3Aharbour%20source%3Aharbour%20description%3Aharbour%20text%3Aharbour%20page_no_2%3Aharbour
select document_id, page, total
from (
  select document_id, part - 3 as page, count(*) over (partition by document_id) as total, row_number() over (partition by document_id order by part) as position
  from (
    select document_id, part
    from (
      select document_id, part
      from document_words
      where words @@ $1::tsquery and document_id = any($2::bigint[])
    ) as parts
    where part >= 3 and part < 524288
    union
    select document_id, part
    from (
      select document_id, part
      from document_words
      where words @@ $3::tsquery and document_id = any($4::bigint[])
    ) as parts
    where part >= 3 and part < 524288 and part = 0
    union
    select document_id, part
    from (
      select document_id, part
      from document_words
      where words @@ $5::tsquery and document_id = any($6::bigint[])
    ) as parts
    where part >= 3 and part < 524288 and part = 1
    union
    select document_id, part
    from (
      select document_id, part
      from document_words
      where words @@ $7::tsquery and document_id = any($8::bigint[])
    ) as parts
    where part >= 3 and part < 524288 and part = 2
    union
    select document_id, part
    from (
      select document_id, part
      from document_words
      where words @@ $9::tsquery and document_id = any($10::bigint[])
    ) as parts
    where part >= 3 and part < 524288 and part >= 3 and part < 524288
    union
    select document_id, part
    from (
      select document_id, part
      from document_words
      where words @@ $11::tsquery and document_id = any($12::bigint[])
    ) as parts
    where part >= 3 and part < 524288 and part = $13
  ) as matching
) as numbered
where position <= 150
order by document_id, page

-- user: GET /api/documents/search/?q=user%3A%7B0%20TO%209%7D%20organization%3A%7B0%20TO%209%7D%20project%3A%7B0%20TO%209%7D%20id%3A%7B0%20TO%209%7D%20page_count%3A%7B0%20TO%209%7D
with found as (
  select documents.id, documents.created_at
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and ("documents"."user_id" > $1 and "documents"."user_id" < $2 and "documents"."organization_id" > $3 and "documents"."organization_id" < $4 and documents.id in (
    select project_memberships.document_id
    from project_memberships join projects on projects.id = project_memberships.project_id
    where project_memberships.project_id > $5 and project_memberships.project_id < $6 and (projects.private = false or "projects"."id" = any($7::bigint[]))
  ) and "documents"."id" > $8 and "documents"."id" < $9 and "documents"."page_count" > $10 and "documents"."page_count" < $11)
  union all
  select documents.id, documents.created_at
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($12::text[])
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and ("documents"."user_id" > $13 and "documents"."user_id" < $14 and "documents"."organization_id" > $15 and "documents"."organization_id" < $16 and documents.id in (
    select project_memberships.document_id
    from project_memberships join projects on projects.id = project_memberships.project_id
    where project_memberships.project_id > $17 and project_memberships.project_id < $18 and (projects.private = false or "projects"."id" = any($19::bigint[]))
  ) and "documents"."id" > $20 and "documents"."id" < $21 and "documents"."page_count" > $22 and "documents"."page_count" < $23)
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
)
select (
  select count(*)
  from found
) as total

-- user: GET /api/documents/search/?q=user%3A%5B1%20TO%202%5D%20organization%3A%5B1%20TO%202%5D%20project%3A%5B1%20TO%202%5D%20id%3A%5B1%20TO%202%5D%20page_count%3A%5B1%20TO%202%5D
with found as (
  select documents.id, documents.created_at
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and ("documents"."user_id" >= $1 and "documents"."user_id" <= $2 and "documents"."organization_id" >= $3 and "documents"."organization_id" <= $4 and documents.id in (
    select project_memberships.document_id
    from project_memberships join projects on projects.id = project_memberships.project_id
    where project_memberships.project_id >= $5 and project_memberships.project_id <= $6 and (projects.private = false or "projects"."id" = any($7::bigint[]))
  ) and "documents"."id" >= $8 and "documents"."id" <= $9 and "documents"."page_count" >= $10 and "documents"."page_count" <= $11)
  union all
  select documents.id, documents.created_at
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($12::text[])
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and ("documents"."user_id" >= $13 and "documents"."user_id" <= $14 and "documents"."organization_id" >= $15 and "documents"."organization_id" <= $16 and documents.id in (
    select project_memberships.document_id
    from project_memberships join projects on projects.id = project_memberships.project_id
    where project_memberships.project_id >= $17 and project_memberships.project_id <= $18 and (projects.private = false or "projects"."id" = any($19::bigint[]))
  ) and "documents"."id" >= $20 and "documents"."id" <= $21 and "documents"."page_count" >= $22 and "documents"."page_count" <= $23)
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
)
select (
  select count(*)
  from found
) as total

-- anonymous: GET /api/documents/search/?facets=data_k
with found as materialized (
  select documents.id, documents.created_at
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
)
select (
  select count(*)
  from found
) as total, (with "combinations0" as materialized (
    select ("value" collate "C") as "value0", count(*) as n
    from (
      select "held"."value" as "value"
      from (with keyed as materialized (
          select found.id, document_data.lowest, document_data.highest
          from "found" join "document_data" on "document_data"."document_id" + 0 = "found"."id"
          where 8 * (
            select count(*)
            from "found"
          ) > (
            select reltuples
            from pg_class
            where oid = 'document_data'::regclass
          ) and document_data.key = $1
          union all
          select found.id, document_data.lowest, document_data.highest
          from "found" cross join lateral (
            select *
            from "document_data"
            where "document_data"."document_id" = "found"."id" offset 0
          ) as "document_data"
          where not (8 * (
            select count(*)
            from "found"
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

-- user: GET /api/documents/search/?q=status%3Asuccess%20access%3Apublic%20language%3Aeng%20slug%3Aa%20original_extension%3Apdf%20noindex%3Afalse%20tag%3Aa%20-data_j%3Ab
with found as (
  select documents.id, documents.created_at
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and ("documents"."status" = $1 and "documents"."access" = $2 and "documents"."language" = $3 and "documents"."slug" = $4 and "documents"."original_extension" = $5 and (case when documents.noindex = true or documents.admin_noindex = true then 'true' else 'false' end) = $6 and (documents.id in (
    select document_id
    from document_data
    where key = $7
  ) and exists (
    select 1
    from json_array_elements_text("documents"."data"::json -> $8::text) as item
    where item.value = $9
  )) and not ((documents.id in (
      select document_id
      from document_data
      where key = $10
    ) and exists (
      select 1
      from json_array_elements_text("documents"."data"::json -> $11::text) as item
      where item.value = $12
    ))
  ))
  union all
  select documents.id, documents.created_at
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($13::text[])
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and ("documents"."status" = $14 and "documents"."access" = $15 and "documents"."language" = $16 and "documents"."slug" = $17 and "documents"."original_extension" = $18 and (case when documents.noindex = true or documents.admin_noindex = true then 'true' else 'false' end) = $19 and (documents.id in (
    select document_id
    from document_data
    where key = $20
  ) and exists (
    select 1
    from json_array_elements_text("documents"."data"::json -> $21::text) as item
    where item.value = $22
  )) and not ((documents.id in (
      select document_id
      from document_data
      where key = $23
    ) and exists (
      select 1
      from json_array_elements_text("documents"."data"::json -> $24::text) as item
      where item.value = $25
    ))
  ))
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
)
select (
  select count(*)
  from found
) as total

-- user: GET /api/documents/search/?q=status%3As*%20access%3Ap*%20language%3Ae*%20slug%3Aa*%20original_extension%3Ap*%20noindex%3Af*%20tag%3Aa*%20data_k%3A*
with found as (
  select documents.id, documents.created_at
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and (substr("documents"."status", 1, 1) = $1 and substr("documents"."access", 1, 1) = $2 and substr("documents"."language", 1, 1) = $3 and substr("documents"."slug", 1, 1) = $4 and substr("documents"."original_extension", 1, 1) = $5 and substr((case when documents.noindex = true or documents.admin_noindex = true then 'true' else 'false' end), 1, 1
  ) = $6 and (documents.id in (
    select document_id
    from document_data
    where key = $7
  ) and exists (
    select 1
    from json_array_elements_text("documents"."data"::json -> $8::text) as item
    where substr(item.value, 1, 1) = $9
  )) and (documents.id in (
    select document_id
    from document_data
    where key = $10
  ) and exists (
    select 1
    from json_array_elements_text("documents"."data"::json -> $11::text) as item
    where substr(item.value, 1, 0) = $12
  )))
  union all
  select documents.id, documents.created_at
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($13::text[])
  ) as own join documents on documents.id = own.document_id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and (substr("documents"."status", 1, 1) = $14 and substr("documents"."access", 1, 1) = $15 and substr("documents"."language", 1, 1) = $16 and substr("documents"."slug", 1, 1) = $17 and substr("documents"."original_extension", 1, 1) = $18 and substr((case when documents.noindex = true or documents.admin_noindex = true then 'true' else 'false' end), 1, 1
  ) = $19 and (documents.id in (
    select document_id
    from document_data
    where key = $20
  ) and exists (
    select 1
    from json_array_elements_text("documents"."data"::json -> $21::text) as item
    where substr(item.value, 1, 1) = $22
  )) and (documents.id in (
    select document_id
    from document_data
    where key = $23
  ) and exists (
    select 1
    from json_array_elements_text("documents"."data"::json -> $24::text) as item
    where substr(item.value, 1, 0) = $25
  )))
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
)
select (
  select count(*)
  from found
) as total

-- anonymous: GET /api/documents/search/?suggest=true&q=harbuor
with hits as (
  select cast(document_id as bigint) as document_id, cast(("sum0" >> 20) + 2.2 * cast("sum0" & 1048575 as double precision) / (cast("sum0" & 1048575 as double precision) + 1.2) as double precision
  ) as "weight0"
  from (
    select document_id, sum(counted) as "sum0"
    from (
      select document_id, 0 as word, case part when 0 then 10485760 when 1 then 10485760 when 2 then 5242880 else pages end as counted
      from (
        select document_id, block as part, pages
        from word_counts_of( $1::text[], $2::integer[])
      ) as parts
      where (part < 524288 or exists (
        select 1
        from notes join documents on documents.id = notes.document_id
        where notes.document_id = parts.document_id and notes.part = parts.part and notes.access = 'public'
      ))
    ) as rows
    group by document_id
  ) as sums
), found as (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0.0) as "weight0"
  from "hits" join "documents" on "documents"."id" + 0 = "hits"."document_id"
  where 8 * (
    select count(*)
    from "hits"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ) and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0) and coalesce("hits"."weight0", 0.0) > 0
  union all
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0.0) as "weight0"
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
  )) and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0) and coalesce("hits"."weight0", 0.0) > 0
), ranked as (
  select found.id, found.created_at, cast(floor(1000 * ($3 * "found"."weight0" * "totals"."rarity0")) as bigint) as value
  from found cross join (
    select coalesce(ln(1 + cast(count(*) as double precision) / nullif(sum(case when "weight0" > 0 then 1 else 0 end), 0)), 0.0) as "rarity0"
    from found
  ) as totals
)
select (
  select count(*)
  from found
) as total

-- anonymous: GET /api/documents/search/?q=harbour&sort=id
with hits as (
  select cast(document_id as bigint) as document_id, cast(("sum0" >> 20) + 2.2 * cast("sum0" & 1048575 as double precision) / (cast("sum0" & 1048575 as double precision) + 1.2) as double precision
  ) as "weight0"
  from (
    select document_id, sum(counted) as "sum0"
    from (
      select document_id, 0 as word, case part when 0 then 10485760 when 1 then 10485760 when 2 then 5242880 else pages end as counted
      from (
        select document_id, block as part, pages
        from word_counts_of( $1::text[], $2::integer[])
      ) as parts
      where (part < 524288 or exists (
        select 1
        from notes join documents on documents.id = notes.document_id
        where notes.document_id = parts.document_id and notes.part = parts.part and notes.access = 'public'
      ))
    ) as rows
    group by document_id
  ) as sums
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0.0) as "weight0"
  from "hits" join "documents" on "documents"."id" + 0 = "hits"."document_id"
  where 8 * (
    select count(*)
    from "hits"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ) and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0) and coalesce("hits"."weight0", 0.0) > 0
  union all
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0.0) as "weight0"
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
  )) and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0) and coalesce("hits"."weight0", 0.0) > 0
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

-- collaborator: GET /api/documents/1/search/?q=harbour%20NOT%20port%20-title%3Aport
with held as materialized (
  select (
    select string_agg(cast(part as text), ',')
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
  ) as "parts0", (
    select min(part)
    from (
      select document_id, part
      from document_words
      where words @@ $8::tsquery and document_id = any($9::bigint[])
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $10) or (notes.access = 'organization' and ((documents.user_id = $11 and (documents.access <> 'public' or "documents"."organization_id" = any($12::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($13::bigint[])) or (documents.access <> 'public' and exists (
          select 1
          from document_audiences
          where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($14::text[])
        ))
      )))
    ))
  ) as "parts1", (
    select min(part)
    from (
      select document_id, part
      from document_words
      where words @@ $15::tsquery and document_id = any($16::bigint[])
    ) as parts
    where part = 0
  ) as "parts2"
), hits as (
  select case when "parts0" is null then 0 else 1 end as "weight0", case when "parts1" is null then 0 else 1 end as "weight1", case when "parts2" is null then 0 else 1 end as "weight2"
  from held
)
select "parts0"
from held
where exists (
  select 1
  from documents cross join hits
  where documents.id = $17 and (coalesce("hits"."weight0", 0.0) > 0 and not ((coalesce("hits"."weight1", 0.0) > 0 or coalesce("hits"."weight2", 0.0) > 0)
  ))
)

-- anonymous: GET /api/documents/search/?suggest=true&q=harbuor
with hits as (
  select cast(document_id as bigint) as document_id, cast(("sum0" >> 20) + 2.2 * cast("sum0" & 1048575 as double precision) / (cast("sum0" & 1048575 as double precision) + 1.2) as double precision
  ) as "weight0"
  from (
    select document_id, sum(counted) as "sum0"
    from (
      select document_id, 0 as word, case part when 0 then 10485760 when 1 then 10485760 when 2 then 5242880 else pages end as counted
      from (
        select document_id, block as part, pages
        from word_counts_of( $1::text[], $2::integer[])
      ) as parts
      where (part < 524288 or exists (
        select 1
        from notes join documents on documents.id = notes.document_id
        where notes.document_id = parts.document_id and notes.part = parts.part and notes.access = 'public'
      ))
    ) as rows
    group by document_id
  ) as sums
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0.0) as "weight0"
  from "hits" join "documents" on "documents"."id" + 0 = "hits"."document_id"
  where 8 * (
    select count(*)
    from "hits"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ) and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0) and coalesce("hits"."weight0", 0.0) > 0
  union all
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0.0) as "weight0"
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
  )) and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0) and coalesce("hits"."weight0", 0.0) > 0
), ranked as (
  select found.id, found.created_at, cast(floor(1000 * ($3 * "found"."weight0" * "totals"."rarity0")) as bigint) as value
  from found cross join (
    select coalesce(ln(1 + cast(count(*) as double precision) / nullif(sum(case when "weight0" > 0 then 1 else 0 end), 0)), 0.0) as "rarity0"
    from found
  ) as totals
), page as materialized (
  select id, value, created_at
  from ranked
  order by value desc, created_at desc, id desc
  limit 1 offset 0
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
order by value desc, created_at desc, id desc

-- collaborator: GET /api/documents/1/search/?q=harbour%20title%3Aharbour%20source%3Aharbour%20description%3Aharbour%20text%3Aharbour%20page_no_2%3Aharbour
with held as materialized (
  select (
    select string_agg(cast(part as text), ',')
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
  ) as "parts0", (
    select string_agg(cast(part as text), ',')
    from (
      select document_id, part
      from document_words
      where words @@ $8::tsquery and document_id = any($9::bigint[])
    ) as parts
    where part = 0
  ) as "parts1", (
    select string_agg(cast(part as text), ',')
    from (
      select document_id, part
      from document_words
      where words @@ $10::tsquery and document_id = any($11::bigint[])
    ) as parts
    where part = 1
  ) as "parts2", (
    select string_agg(cast(part as text), ',')
    from (
      select document_id, part
      from document_words
      where words @@ $12::tsquery and document_id = any($13::bigint[])
    ) as parts
    where part = 2
  ) as "parts3", (
    select string_agg(cast(part as text), ',')
    from (
      select document_id, part
      from document_words
      where words @@ $14::tsquery and document_id = any($15::bigint[])
    ) as parts
    where part >= 3 and part < 524288
  ) as "parts4", (
    select string_agg(cast(part as text), ',')
    from (
      select document_id, part
      from document_words
      where words @@ $16::tsquery and document_id = any($17::bigint[])
    ) as parts
    where part = $18
  ) as "parts5"
), hits as (
  select case when "parts0" is null then 0 else 1 end as "weight0", case when "parts1" is null then 0 else 1 end as "weight1", case when "parts2" is null then 0 else 1 end as "weight2", case when "parts3" is null then 0 else 1 end as "weight3", case when "parts4" is null then 0 else 1 end as "weight4", case when "parts5" is null then 0 else 1 end as "weight5"
  from held
)
select "parts0", "parts1", "parts2", "parts3", "parts4", "parts5"
from held
where exists (
  select 1
  from documents cross join hits
  where documents.id = $19 and (coalesce("hits"."weight0", 0.0) > 0 or coalesce("hits"."weight1", 0.0) > 0 or coalesce("hits"."weight2", 0.0) > 0 or coalesce("hits"."weight3", 0.0) > 0 or coalesce("hits"."weight4", 0.0) > 0 or coalesce("hits"."weight5", 0.0) > 0)
)

-- administrator: GET /api/documents/search/?q=harbour&sort=data_k&cursor=WyJiIiwiMjAyNS0wMS0zMVQxMjowMDowMC4wMDAwMDBaIiwzXQ
with hits as (
  select cast(document_id as bigint) as document_id, cast(("sum0" >> 20) + 2.2 * cast("sum0" & 1048575 as double precision) / (cast("sum0" & 1048575 as double precision) + 1.2) as double precision
  ) as "weight0"
  from (
    select document_id, sum(counted) as "sum0"
    from (
      select document_id, 0 as word, case part when 0 then 10485760 when 1 then 10485760 when 2 then 5242880 else pages end as counted
      from (
        select document_id, block as part, pages
        from word_counts_of( $1::text[], $2::integer[])
      ) as parts
      where (part < 524288 or exists (
        select 1
        from notes join documents on documents.id = notes.document_id
        where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $3) or (notes.access = 'organization' and 1 = 1))
      ))
    ) as rows
    group by document_id
  ) as sums
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0.0) as "weight0"
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
    where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($4::text[])
  )) and coalesce("hits"."weight0", 0.0) > 0
  union all
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0.0) as "weight0"
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
    where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($5::text[])
  )) and coalesce("hits"."weight0", 0.0) > 0
), ranked as (
  select found.id, found.created_at, "document_data"."lowest" as value
  from found left join document_data on document_data.document_id = found.id and document_data.key = $6
), page as materialized (
  select id, value, created_at
  from ranked
  where value is null or value > $7 or (value = $8 and id < $9)
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
))) and notes.document_id in (with found as (
    select documents.id, documents.created_at
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
    select documents.id, documents.created_at
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
  ), ranked as (
    select found.id, found.created_at, found.id as value
    from found
  )
  select id
  from found
)
order by notes.id desc
limit 26

-- anonymous: GET /api/documents/search/?q=harbour&sort=score
with hits as (
  select cast(document_id as bigint) as document_id, cast(("sum0" >> 20) + 2.2 * cast("sum0" & 1048575 as double precision) / (cast("sum0" & 1048575 as double precision) + 1.2) as double precision
  ) as "weight0"
  from (
    select document_id, sum(counted) as "sum0"
    from (
      select document_id, 0 as word, case part when 0 then 10485760 when 1 then 10485760 when 2 then 5242880 else pages end as counted
      from (
        select document_id, part, pages
        from (
          select document_id, block as part, pages
          from word_counts_of( $1::text[], $2::integer[])
        ) as counts
        where document_id <= $3
        union all
        select document_id, part, pages
        from (
          select document_id, part, 1 as pages
          from (
            select document_id, part
            from document_words
            where words @@ $4::tsquery
          ) as holding
        ) as later
        where document_id > $5
      ) as parts
      where (part < 524288 or exists (
        select 1
        from notes join documents on documents.id = notes.document_id
        where notes.document_id = parts.document_id and notes.part = parts.part and notes.access = 'public'
      ))
    ) as rows
    group by document_id
  ) as sums
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0.0) as "weight0"
  from "hits" join "documents" on "documents"."id" + 0 = "hits"."document_id"
  where 8 * (
    select count(*)
    from "hits"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ) and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0) and coalesce("hits"."weight0", 0.0) > 0
  union all
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0.0) as "weight0"
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
  )) and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0) and coalesce("hits"."weight0", 0.0) > 0
), ranked as (
  select found.id, found.created_at, cast(floor(1000 * ($6 * "found"."weight0" * "totals"."rarity0")) as bigint) as value
  from found cross join (
    select coalesce(ln(1 + cast(count(*) as double precision) / nullif(sum(case when "weight0" > 0 then 1 else 0 end), 0)), 0.0) as "rarity0"
    from found
  ) as totals
), page as materialized (
  select id, value, created_at
  from ranked
  order by value desc, created_at desc, id desc
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
order by value desc, created_at desc, id desc

-- anonymous: GET /api/documents/search/?q=harbour+-port&sort=-created_at
with hits as (
  select cast(document_id as bigint) as document_id, cast(("sum0" >> 20) + 2.2 * cast("sum0" & 1048575 as double precision) / (cast("sum0" & 1048575 as double precision) + 1.2) as double precision
  ) as "weight0", cast(("sum1" >> 20) + 2.2 * cast("sum1" & 1048575 as double precision) / (cast("sum1" & 1048575 as double precision) + 1.2) as double precision
  ) as "weight1"
  from (
    select document_id, sum(case word when 0 then counted else 0 end) as "sum0", sum(case word when 1 then counted else 0 end) as "sum1"
    from (
      select document_id, 0 as word, case part when 0 then 10485760 when 1 then 10485760 when 2 then 5242880 else pages end as counted
      from (
        select document_id, block as part, pages
        from word_counts_of( $1::text[], $2::integer[])
      ) as parts
      where (part < 524288 or exists (
        select 1
        from notes join documents on documents.id = notes.document_id
        where notes.document_id = parts.document_id and notes.part = parts.part and notes.access = 'public'
      ))
      union all
      select document_id, 1 as word, case part when 0 then 10485760 when 1 then 10485760 when 2 then 5242880 else pages end as counted
      from (
        select document_id, block as part, pages
        from word_counts_of( $3::text[], $4::integer[])
      ) as parts
      where (part < 524288 or exists (
        select 1
        from notes join documents on documents.id = notes.document_id
        where notes.document_id = parts.document_id and notes.part = parts.part and notes.access = 'public'
      ))
    ) as rows
    group by document_id
  ) as sums
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0.0) as "weight0", coalesce("hits"."weight1", 0.0) as "weight1"
  from "hits" join "documents" on "documents"."id" + 0 = "hits"."document_id"
  where 8 * (
    select count(*)
    from "hits"
  ) > (
    select reltuples
    from pg_class
    where oid = 'documents'::regclass
  ) and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0) and (coalesce("hits"."weight0", 0.0) > 0 and not (coalesce("hits"."weight1", 0.0) > 0))
  union all
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0.0) as "weight0", coalesce("hits"."weight1", 0.0) as "weight1"
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
  )) and (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0) and (coalesce("hits"."weight0", 0.0) > 0 and not (coalesce("hits"."weight1", 0.0) > 0))
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

-- user: GET /api/documents/search/?q=harbour&sort=-score&cursor=WzIsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiIsM10
with hits as (
  select cast(document_id as bigint) as document_id, cast(("sum0" >> 20) + 2.2 * cast("sum0" & 1048575 as double precision) / (cast("sum0" & 1048575 as double precision) + 1.2) as double precision
  ) as "weight0"
  from (
    select document_id, sum(counted) as "sum0"
    from (
      select document_id, 0 as word, case part when 0 then 10485760 when 1 then 10485760 when 2 then 5242880 else pages end as counted
      from (
        select document_id, block as part, pages
        from word_counts_of( $1::text[], $2::integer[])
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
  ) as sums
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0.0) as "weight0"
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
    where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($8::text[])
  )) and coalesce("hits"."weight0", 0.0) > 0
  union all
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0.0) as "weight0"
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
    where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($9::text[])
  )) and coalesce("hits"."weight0", 0.0) > 0
), ranked as (
  select found.id, found.created_at, cast(floor(1000 * ($10 * "found"."weight0" * "totals"."rarity0")) as bigint) as value
  from found cross join (
    select coalesce(ln(1 + cast(count(*) as double precision) / nullif(sum(case when "weight0" > 0 then 1 else 0 end), 0)), 0.0) as "rarity0"
    from found
  ) as totals
), page as materialized (
  select id, value, created_at
  from ranked
  where value is null or value < $11 or (value = $12 and (created_at < $13 or (created_at = $14 and id < $15)))
  order by value desc, created_at desc, id desc
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
order by value desc, created_at desc, id desc

-- user: GET /api/documents/search/?q=harbour%20(status%3Asuccess%20OR%20-user%3A1)%20project%3A%5B1%20TO%20*%5D
with hits as (
  select cast(document_id as bigint) as document_id, cast(("sum0" >> 20) + 2.2 * cast("sum0" & 1048575 as double precision) / (cast("sum0" & 1048575 as double precision) + 1.2) as double precision
  ) as "weight0"
  from (
    select document_id, sum(counted) as "sum0"
    from (
      select document_id, 0 as word, case part when 0 then 10485760 when 1 then 10485760 when 2 then 5242880 else pages end as counted
      from (
        select document_id, block as part, pages
        from word_counts_of( $1::text[], $2::integer[])
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
  ) as sums
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0.0) as "weight0"
  from documents left join hits on hits.document_id = documents.id
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and (coalesce("hits"."weight0", 0.0) > 0 or ("documents"."status" = $8 or not ("documents"."user_id" >= $9 and "documents"."user_id" <= $10)) or documents.id in (
    select project_memberships.document_id
    from project_memberships join projects on projects.id = project_memberships.project_id
    where project_memberships.project_id >= $11 and (projects.private = false or "projects"."id" = any($12::bigint[]))
  ))
  union all
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0.0) as "weight0"
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" = any($13::text[])
  ) as own join documents on documents.id = own.document_id left join hits on hits.document_id = documents.id
  where not (case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end) and (coalesce("hits"."weight0", 0.0) > 0 or ("documents"."status" = $14 or not ("documents"."user_id" >= $15 and "documents"."user_id" <= $16)) or documents.id in (
    select project_memberships.document_id
    from project_memberships join projects on projects.id = project_memberships.project_id
    where project_memberships.project_id >= $17 and (projects.private = false or "projects"."id" = any($18::bigint[]))
  ))
), ranked as (
  select found.id, found.created_at, cast(floor(1000 * ($19 * "found"."weight0" * "totals"."rarity0")) as bigint) as value
  from found cross join (
    select coalesce(ln(1 + cast(count(*) as double precision) / nullif(sum(case when "weight0" > 0 then 1 else 0 end), 0)), 0.0) as "rarity0"
    from found
  ) as totals
), page as materialized (
  select id, value, created_at
  from ranked
  order by value desc, created_at desc, id desc
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
order by value desc, created_at desc, id desc

-- anonymous: GET /api/documents/search/?sort=updated_at&facets=access,status,user,organization,language,original_extension,year,project,data,data_k&cursor=WyIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLCIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLDNd
with found as materialized (
  select documents.id, documents.created_at, "documents"."access" as "facet0", "documents"."status" as "facet1", "documents"."user_id" as "facet2", "documents"."organization_id" as "facet3", "documents"."language" as "facet4", "documents"."original_extension" as "facet5", substr(documents.created_at, 1, 4) as "facet6"
  from documents
  where case when documents.access = 'public' and documents.status in ('success', 'readable') then true else false end and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
), ranked as (
  select found.id, found.created_at, "documents"."updated_at" as value
  from found join documents on documents.id = found.id
)
select (
  select count(*)
  from found
) as total, (with "combinations0" as materialized (
    select ("facet0" collate "C") as "value0", ("facet1" collate "C") as "value1", ("facet4" collate "C") as "value4", ("facet5" collate "C") as "value5", ("facet6" collate "C") as "value6", count(*) as n
    from found
    group by 1, 2, 3, 4, 5
  ), "combinations1" as materialized (
    select "facet2" as "value2", "facet3" as "value3", count(*) as n
    from found
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
    )
  )::text
) as facets, (with "combinations0" as materialized (
    select "value" as "value0", count(*) as n
    from (
      select "held"."value" as "value"
      from (
        select project_memberships.project_id as value
        from found join project_memberships on project_memberships.document_id = found.id join projects on projects.id = project_memberships.project_id
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
) as "facets7", (with "combinations0" as materialized (
    select ("value" collate "C") as "value0", count(*) as n
    from (
      select "held"."value" as "value"
      from (
        select document_data.key as value
        from "found" join "document_data" on "document_data"."document_id" + 0 = "found"."id"
        where 8 * (
          select count(*)
          from "found"
        ) > (
          select reltuples
          from pg_class
          where oid = 'document_data'::regclass
        )
        union all
        select document_data.key as value
        from "found" cross join lateral (
          select *
          from "document_data"
          where "document_data"."document_id" = "found"."id" offset 0
        ) as "document_data"
        where not (8 * (
          select count(*)
          from "found"
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
) as "facets8", (with "combinations0" as materialized (
    select ("value" collate "C") as "value0", count(*) as n
    from (
      select "held"."value" as "value"
      from (with keyed as materialized (
          select found.id, document_data.lowest, document_data.highest
          from "found" join "document_data" on "document_data"."document_id" + 0 = "found"."id"
          where 8 * (
            select count(*)
            from "found"
          ) > (
            select reltuples
            from pg_class
            where oid = 'document_data'::regclass
          ) and document_data.key = $2
          union all
          select found.id, document_data.lowest, document_data.highest
          from "found" cross join lateral (
            select *
            from "document_data"
            where "document_data"."document_id" = "found"."id" offset 0
          ) as "document_data"
          where not (8 * (
            select count(*)
            from "found"
          ) > (
            select reltuples
            from pg_class
            where oid = 'document_data'::regclass
          )) and document_data.key = $3
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
          ) as documents cross join json_array_elements_text("documents"."data"::json -> $4::text) as item
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
) as "facets9"

-- user: GET /api/documents/search/?q=h%3Frbour%20harbor~%20title%3Ap*t
with hits as (
  select cast(document_id as bigint) as document_id, cast(("sum0" >> 20) + 2.2 * cast("sum0" & 1048575 as double precision) / (cast("sum0" & 1048575 as double precision) + 1.2) as double precision
  ) as "weight0", cast(("sum1" >> 20) + 2.2 * cast("sum1" & 1048575 as double precision) / (cast("sum1" & 1048575 as double precision) + 1.2) as double precision
  ) as "weight1", cast(("sum2" >> 20) + 2.2 * cast("sum2" & 1048575 as double precision) / (cast("sum2" & 1048575 as double precision) + 1.2) as double precision
  ) as "weight2"
  from (
    select document_id, sum(case word when 0 then counted else 0 end) as "sum0", sum(case word when 1 then counted else 0 end) as "sum1", sum(case word when 2 then counted else 0 end) as "sum2"
    from (
      select document_id, 0 as word, case part when 0 then 10485760 when 1 then 10485760 when 2 then 5242880 else pages end as counted
      from (
        select document_id, part, 1 as pages
        from (
          select distinct holding.document_id, holding.part
          from search_vocabulary cross join lateral (
            select document_id, part
            from document_words
            where words @@ quote_literal(search_vocabulary.word)::tsquery offset 0
          ) as holding
          where search_vocabulary.word >= $1 and search_vocabulary.word < $2 and search_vocabulary.word like $3 escape '\'
        ) as holding
      ) as parts
      where (part < 524288 or exists (
        select 1
        from notes join documents on documents.id = notes.document_id
        where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $4) or (notes.access = 'organization' and ((documents.user_id = $5 and (documents.access <> 'public' or "documents"."organization_id" = any($6::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($7::bigint[])) or (documents.access <> 'public' and exists (
            select 1
            from document_audiences
            where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($8::text[])
          ))
        )))
      ))
      union all
      select document_id, 1 as word, case part when 0 then 10485760 when 1 then 10485760 when 2 then 5242880 else pages end as counted
      from (
        select document_id, part, 1 as pages
        from (
          select distinct holding.document_id, holding.part
          from search_vocabulary cross join lateral (
            select document_id, part
            from document_words
            where words @@ quote_literal(search_vocabulary.word)::tsquery offset 0
          ) as holding
          where search_vocabulary.word >= $9 and search_vocabulary.word < $10 and is_within_edits(search_vocabulary.word, $11, $12)
        ) as holding
      ) as parts
      where (part < 524288 or exists (
        select 1
        from notes join documents on documents.id = notes.document_id
        where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $13) or (notes.access = 'organization' and ((documents.user_id = $14 and (documents.access <> 'public' or "documents"."organization_id" = any($15::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($16::bigint[])) or (documents.access <> 'public' and exists (
            select 1
            from document_audiences
            where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($17::text[])
          ))
        )))
      ))
      union all
      select document_id, 2 as word, case part when 0 then 10485760 when 1 then 10485760 when 2 then 5242880 else pages end as counted
      from (
        select document_id, part, 1 as pages
        from (
          select distinct holding.document_id, holding.part
          from search_vocabulary cross join lateral (
            select document_id, part
            from document_words
            where words @@ quote_literal(search_vocabulary.word)::tsquery offset 0
          ) as holding
          where search_vocabulary.word >= $18 and search_vocabulary.word < $19 and search_vocabulary.word like $20 escape '\'
        ) as holding
      ) as parts
      where part = 0
    ) as rows
    group by document_id
  ) as sums
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0.0) as "weight0", coalesce("hits"."weight1", 0.0) as "weight1", coalesce("hits"."weight2", 0.0) as "weight2"
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
    where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($21::text[])
  )) and (coalesce("hits"."weight0", 0.0) > 0 or coalesce("hits"."weight1", 0.0) > 0 or coalesce("hits"."weight2", 0.0) > 0)
  union all
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0.0) as "weight0", coalesce("hits"."weight1", 0.0) as "weight1", coalesce("hits"."weight2", 0.0) as "weight2"
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
    where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($22::text[])
  )) and (coalesce("hits"."weight0", 0.0) > 0 or coalesce("hits"."weight1", 0.0) > 0 or coalesce("hits"."weight2", 0.0) > 0)
), ranked as (
  select found.id, found.created_at, cast(floor(1000 * ($23 * "found"."weight0" * "totals"."rarity0" + $24 * "found"."weight1" * "totals"."rarity1" + $25 * "found"."weight2" * "totals"."rarity2")) as bigint) as value
  from found cross join (
    select coalesce(ln(1 + cast(count(*) as double precision) / nullif(sum(case when "weight0" > 0 then 1 else 0 end), 0)), 0.0) as "rarity0", coalesce(ln(1 + cast(count(*) as double precision) / nullif(sum(case when "weight1" > 0 then 1 else 0 end), 0)), 0.0) as "rarity1", coalesce(ln(1 + cast(count(*) as double precision) / nullif(sum(case when "weight2" > 0 then 1 else 0 end), 0)), 0.0) as "rarity2"
    from found
  ) as totals
), page as materialized (
  select id, value, created_at
  from ranked
  order by value desc, created_at desc, id desc
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
order by value desc, created_at desc, id desc

-- user: GET /api/documents/search/?q=harbour+-port&sort=id&facets=access,status,user,organization,language,original_extension,year,project,data,data_k&cursor=WzIsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiIsM10
with hits as (
  select cast(document_id as bigint) as document_id, cast(("sum0" >> 20) + 2.2 * cast("sum0" & 1048575 as double precision) / (cast("sum0" & 1048575 as double precision) + 1.2) as double precision
  ) as "weight0", cast(("sum1" >> 20) + 2.2 * cast("sum1" & 1048575 as double precision) / (cast("sum1" & 1048575 as double precision) + 1.2) as double precision
  ) as "weight1"
  from (
    select document_id, sum(case word when 0 then counted else 0 end) as "sum0", sum(case word when 1 then counted else 0 end) as "sum1"
    from (
      select document_id, 0 as word, case part when 0 then 10485760 when 1 then 10485760 when 2 then 5242880 else pages end as counted
      from (
        select document_id, block as part, pages
        from word_counts_of( $1::text[], $2::integer[])
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
      union all
      select document_id, 1 as word, case part when 0 then 10485760 when 1 then 10485760 when 2 then 5242880 else pages end as counted
      from (
        select document_id, block as part, pages
        from word_counts_of( $8::text[], $9::integer[])
      ) as parts
      where (part < 524288 or exists (
        select 1
        from notes join documents on documents.id = notes.document_id
        where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = $10) or (notes.access = 'organization' and ((documents.user_id = $11 and (documents.access <> 'public' or "documents"."organization_id" = any($12::bigint[]))) or (documents.access <> 'private' and "documents"."organization_id" = any($13::bigint[])) or (documents.access <> 'public' and exists (
            select 1
            from document_audiences
            where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($14::text[])
          ))
        )))
      ))
    ) as rows
    group by document_id
  ) as sums
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0.0) as "weight0", coalesce("hits"."weight1", 0.0) as "weight1", "documents"."access" as "facet0", "documents"."status" as "facet1", "documents"."user_id" as "facet2", "documents"."organization_id" as "facet3", "documents"."language" as "facet4", "documents"."original_extension" as "facet5", substr(documents.created_at, 1, 4) as "facet6"
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
    where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($15::text[])
  )) and (coalesce("hits"."weight0", 0.0) > 0 and not (coalesce("hits"."weight1", 0.0) > 0))
  union all
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0.0) as "weight0", coalesce("hits"."weight1", 0.0) as "weight1", "documents"."access" as "facet0", "documents"."status" as "facet1", "documents"."user_id" as "facet2", "documents"."organization_id" as "facet3", "documents"."language" as "facet4", "documents"."original_extension" as "facet5", substr(documents.created_at, 1, 4) as "facet6"
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
    where document_audiences.document_id = documents.id and "document_audiences"."audience" = any($16::text[])
  )) and (coalesce("hits"."weight0", 0.0) > 0 and not (coalesce("hits"."weight1", 0.0) > 0))
), ranked as (
  select found.id, found.created_at, found.id as value
  from found
), page as materialized (
  select id, value, created_at
  from ranked
  where id > $17
  order by id asc
  limit 26 offset 0
), counted as materialized (
  select (
    select count(*)
    from found
  ) as total, (with "combinations0" as materialized (
      select ("facet0" collate "C") as "value0", ("facet1" collate "C") as "value1", ("facet4" collate "C") as "value4", ("facet5" collate "C") as "value5", ("facet6" collate "C") as "value6", count(*) as n
      from found
      group by 1, 2, 3, 4, 5
    ), "combinations1" as materialized (
      select "facet2" as "value2", "facet3" as "value3", count(*) as n
      from found
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
      )
    )::text
  ) as facets, (with "combinations0" as materialized (
      select "value" as "value0", count(*) as n
      from (
        select "held"."value" as "value"
        from (
          select project_memberships.project_id as value
          from found join project_memberships on project_memberships.document_id = found.id join projects on projects.id = project_memberships.project_id
          where (projects.private = false or "projects"."id" = any($18::bigint[]))
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
  ) as "facets7", (with "combinations0" as materialized (
      select ("value" collate "C") as "value0", count(*) as n
      from (
        select "held"."value" as "value"
        from (
          select document_data.key as value
          from "found" join "document_data" on "document_data"."document_id" + 0 = "found"."id"
          where 8 * (
            select count(*)
            from "found"
          ) > (
            select reltuples
            from pg_class
            where oid = 'document_data'::regclass
          )
          union all
          select document_data.key as value
          from "found" cross join lateral (
            select *
            from "document_data"
            where "document_data"."document_id" = "found"."id" offset 0
          ) as "document_data"
          where not (8 * (
            select count(*)
            from "found"
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
  ) as "facets8", (with "combinations0" as materialized (
      select ("value" collate "C") as "value0", count(*) as n
      from (
        select "held"."value" as "value"
        from (with keyed as materialized (
            select found.id, document_data.lowest, document_data.highest
            from "found" join "document_data" on "document_data"."document_id" + 0 = "found"."id"
            where 8 * (
              select count(*)
              from "found"
            ) > (
              select reltuples
              from pg_class
              where oid = 'document_data'::regclass
            ) and document_data.key = $19
            union all
            select found.id, document_data.lowest, document_data.highest
            from "found" cross join lateral (
              select *
              from "document_data"
              where "document_data"."document_id" = "found"."id" offset 0
            ) as "document_data"
            where not (8 * (
              select count(*)
              from "found"
            ) > (
              select reltuples
              from pg_class
              where oid = 'document_data'::regclass
            )) and document_data.key = $20
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
            ) as documents cross join json_array_elements_text("documents"."data"::json -> $21::text) as item
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
  ) as "facets9"
)
select page.id, page.value, page.created_at, counted.*
from page left join counted on page.id = (
  select min(id)
  from page
)
order by id asc
