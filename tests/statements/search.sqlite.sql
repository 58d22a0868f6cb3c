-- anonymous: GET /api/documents/search/?q=harbour&sort=score
select counted_to
from word_count_progress

-- user: GET /api/documents/search/?q=harbour+-port&sort=score&facets=access,status,user,organization,language,text_language,original_extension,year,project,data,data_k,mention,mention_iban&cursor=WzIsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiIsMyxbMywxMF1d
select id, name
from organizations
where "id" in (
  select value
  from json_each(?)
)

-- user: GET /api/documents/search/?q=harbour+-port&sort=score&facets=access,status,user,organization,language,text_language,original_extension,year,project,data,data_k,mention,mention_iban&cursor=WzIsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiIsMyxbMywxMF1d
select digest, user_id, seen_at
from sessions
where digest = ? and expires_at > ?

-- collaborator: GET /api/documents/1/search/?q=harbour%20title%3Aharbour%20source%3Aharbour%20description%3Aharbour%20text%3Aharbour%20page_no_2%3Aharbour
select document_id, language
from document_languages
where "document_id" in (
  select value
  from json_each(?)
)

-- user: GET /api/documents/search/?q=language:eng+-original_extension:docx
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

-- collaborator: GET /api/documents/1/search/?q=harbour%20title%3Aharbour%20source%3Aharbour%20description%3Aharbour%20text%3Aharbour%20page_no_2%3Aharbour
select asked.value as page, document_pages.text
from (
  select value
  from json_each(?)
) as asked left join document_pages on document_pages.document_id = ? and document_pages.page = asked.value

-- user: GET /api/documents/search/?q=user:1
select count(*) as total
from (
  select documents.id
  from documents indexed by "documents_by_user_id"
  where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" = ?
) as found

-- anonymous: GET /api/documents/search/?q=harbour&sort=score
select notes.*
from notes
where "notes"."document_id" in (
  select value
  from json_each(?)
) and notes.access = 'public' and ("notes"."page_number", "notes"."id") > (?, ?)
order by "notes"."page_number", "notes"."id"
limit ?

-- anonymous: GET /api/documents/search/?sort=page_count
select (
  select count(*)
  from documents indexed by "documents_searched"
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true)
) as total

-- user: GET /api/documents/search/?sort=-page_count
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

-- anonymous: GET /api/documents/search/?q=container:*
select count(*) as total
from (
  select documents.id
  from documents
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and documents.id in (
    select child_id
    from document_children
  )
) as found

-- anonymous: GET /api/documents/search/?q=organization:1
select count(*) as total
from (
  select documents.id
  from documents indexed by "documents_by_organization_id"
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and "documents"."organization_id" = ?
) as found

-- collaborator: GET /api/documents/search/?q=harbour+port&sort=-score&facets=access,status,user,organization,language,text_language,original_extension,year,project,data,data_k,mention,mention_iban
select api_tokens.id, api_tokens.user_id, may_write, last_used_at, run_id, addon_runs.uuid as run_uuid, addon_runs.event_id as run_event, addon_runs.scope as run_scope
from api_tokens left join addon_runs on addon_runs.id = run_id
where digest = ? and (expires_at is null or expires_at > ?)

-- anonymous: GET /api/documents/search/?q=created_at:[2024+TO+2026]
select count(*) as total
from (
  select documents.id
  from documents indexed by "documents_by_created_at"
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and "documents"."created_at" >= ? and "documents"."created_at" < ?
) as found

-- anonymous: GET /api/documents/search/?q=updated_at:[2024+TO+2026]
select count(*) as total
from (
  select documents.id
  from documents indexed by "documents_by_updated_at"
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and "documents"."updated_at" >= ? and "documents"."updated_at" < ?
) as found

-- anonymous: GET /api/documents/search/?q=page_count:[1+TO+2]
select count(*) as total
from (
  select documents.id
  from documents indexed by "documents_by_page_count"
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and "documents"."page_count" >= ? and "documents"."page_count" <= ?
) as found

-- collaborator: GET /api/documents/search/?sort=-created_at&cursor=WyIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLCIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLDNd
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

-- anonymous: GET /api/documents/search/?q=language:eng+-original_extension:docx
select count(*) as total
from (
  select documents.id
  from documents indexed by "documents_filtered"
  where ("documents"."language" = ? and not ("documents"."original_extension" = ?)) and documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and documents.id > 0
) as found

-- collaborator: GET /api/documents/search/?q=harbour+port&sort=-score&facets=access,status,user,organization,language,text_language,original_extension,year,project,data,data_k,mention,mention_iban
select notes.*
from notes
where "notes"."document_id" in (
  select value
  from json_each(?)
) and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = ?) or (notes.access = 'organization' and "notes"."document_id" in (
  select value
  from json_each(?)
))) and ("notes"."page_number", "notes"."id") > (?, ?)
order by "notes"."page_number", "notes"."id"
limit ?

-- user: GET /api/documents/search/?q=container:*
select count(*) as total
from (
  select documents.id
  from documents
  where (documents.access = 'public' and documents.status in ('success', 'readable') or exists (
    select 1
    from document_audiences
    where document_audiences.document_id = documents.id and "document_audiences"."audience" in (
      select value
      from json_each(?)
    )
  )) and documents.id in (
    select child_id
    from document_children
  )
) as found

-- anonymous: GET /api/documents/search/?q=harbour&sort=score
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

-- anonymous: GET /api/documents/search/?q=folder:a
select count(*) as total
from (
  select documents.id
  from documents
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and documents.id in (
    select positions.document_id
    from document_path_audiences as positions
    where "positions"."audience" in (
      select value
      from json_each(?)
    ) and positions.path > ? and positions.path < ?
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
      from documents indexed by "documents_by_user_id"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" = ?
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
      from documents indexed by "documents_by_user_id"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" = ?
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

-- user: GET /api/documents/search/?q=user:1&sort=title
select id, value, created_at
from (
  select *
  from (
    select id, value, created_at
    from (
      select "documents"."id" as id, "documents"."title" as value, documents.created_at
      from documents indexed by "documents_by_user_id"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" = ?
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
      from documents indexed by "documents_by_user_id"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" = ?
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
      from documents indexed by "documents_by_user_id"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" = ?
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
      from documents indexed by "documents_by_user_id"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" = ?
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
      from documents indexed by "documents_by_user_id"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" = ?
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
      from documents indexed by "documents_by_user_id"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" = ?
    ) as ranked
    order by value asc, id desc
    limit 26
  ) as first
) as parts
order by value asc, id desc
limit 26 offset 0

-- anonymous: GET /api/documents/search/?sort=id
select id, value, created_at
from (
  select *
  from (
    select id, value, created_at
    from (
      select "documents"."id" as id, "documents"."id" as value, documents.created_at
      from documents indexed by "documents_by_id"
      where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
    ) as ranked
    order by id asc
    limit 26
  ) as first
) as parts
order by id asc
limit 26 offset 0

-- anonymous: GET /api/documents/search/?q=container:*
with found as (
  select documents.id, documents.created_at
  from documents
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and documents.id in (
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

-- anonymous: GET /api/documents/search/?sort=title
select id, value, created_at
from (
  select *
  from (
    select id, value, created_at
    from (
      select "documents"."id" as id, "documents"."title" as value, documents.created_at
      from documents indexed by "documents_by_title"
      where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
    ) as ranked
    order by value asc, id desc
    limit 26
  ) as first
) as parts
order by value asc, id desc
limit 26 offset 0

-- anonymous: GET /api/documents/search/?sort=source
select id, value, created_at
from (
  select *
  from (
    select id, value, created_at
    from (
      select "documents"."id" as id, "documents"."source" as value, documents.created_at
      from documents indexed by "documents_by_source"
      where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
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
  from documents indexed by "documents_filtered"
  where "documents"."language" = ? and documents.access in ('public', 'organization', 'private') and documents.status in ('success', 'readable', 'pending', 'error', 'nofile') and (documents.access = 'public' and documents.status in ('success', 'readable') or documents.user_id = ? or (documents.access = 'organization' and "documents"."organization_id" in (
    select value
    from json_each(?)
  ))) and documents.id > 0
) as found

-- user: GET /api/documents/search/?q=user:1&sort=data_k
with found as (
  select documents.id, documents.created_at
  from documents indexed by "documents_by_user_id"
  where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" = ?
), ranked as (
  select found.id, found.created_at, "document_data"."lowest" as value
  from found left join document_data on document_data.document_id = found.id and document_data.key = ?
)
select id, value, created_at
from ranked
order by value is null, value asc, id desc
limit 26 offset 0

-- user: GET /api/documents/search/?q=user:1&sort=-data_k
with found as (
  select documents.id, documents.created_at
  from documents indexed by "documents_by_user_id"
  where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" = ?
), ranked as (
  select found.id, found.created_at, "document_data"."highest" as value
  from found left join document_data on document_data.document_id = found.id and document_data.key = ?
)
select id, value, created_at
from ranked
order by value is null, value desc, id desc
limit 26 offset 0

-- anonymous: GET /api/documents/search/?q=container:2
select count(*) as total
from (
  select documents.id
  from documents
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and documents.id in (
    select positions.document_id
    from document_paths as container cross join document_path_audiences as positions
    where container.document_id = ? and "positions"."audience" in (
      select value
      from json_each(?)
    ) and positions.path > container.path || ? and positions.path < container.path || ?
  )
) as found

-- reader of many: GET /api/documents/search/?q=language:eng+access:public
select count(*) as total
from (
  select documents.id
  from documents indexed by "documents_filtered"
  where ("documents"."language" = ? and "documents"."access" = ?) and documents.access in ('public', 'organization', 'private') and documents.status in ('success', 'readable', 'pending', 'error', 'nofile') and (documents.access = 'public' and documents.status in ('success', 'readable') or documents.user_id = ? or (documents.access = 'organization' and "documents"."organization_id" in (
    select value
    from json_each(?)
  ))) and documents.id > 0
) as found

-- user: GET /api/documents/search/?q=parent%3A1%20-parent%3A*
select count(*) as total
from (
  select documents.id
  from documents
  where (documents.access = 'public' and documents.status in ('success', 'readable') or exists (
    select 1
    from document_audiences
    where document_audiences.document_id = documents.id and "document_audiences"."audience" in (
      select value
      from json_each(?)
    )
  )) and (documents.id in (
    select document_children.child_id
    from document_children
    where document_children.parent_id = ?
  ) and not (documents.id in (
    select document_children.child_id
    from document_children
    where 1 = 1
  )))
) as found

-- anonymous: GET /api/documents/search/?q=-port&cursor=WyIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLCIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLDNd
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
    where value <= ? and (value < ? or id < ?)
    order by value desc, id desc
    limit 104
  ) as first
) as parts
order by value desc, id desc
limit 104 offset 0

-- user: GET /api/documents/search/?q=harbour+-port&sort=score&facets=access,status,user,organization,language,text_language,original_extension,year,project,data,data_k,mention,mention_iban&cursor=WzIsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiIsMyxbMywxMF1d
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

-- user: GET /api/documents/search/?q=organization:1
select count(*) as total
from (
  select documents.id
  from documents indexed by "documents_by_organization_id"
  where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."organization_id" = ?
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
  where not (documents.access = 'public' and documents.status in ('success', 'readable')) and "documents"."organization_id" = ?
) as found

-- anonymous: GET /api/documents/search/?sort=data_k&cursor=W251bGwsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiIsM10
with found as (
  select documents.id, documents.created_at
  from documents indexed by "documents_searched"
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
), ranked as (
  select found.id, found.created_at, "document_data"."lowest" as value
  from found left join document_data on document_data.document_id = found.id and document_data.key = ?
)
select id, value, created_at
from ranked
where value is null and id < ?
order by value is null, value asc, id desc
limit 26 offset 0

-- user: GET /api/documents/search/?q=harbour+-port&sort=score&facets=access,status,user,organization,language,text_language,original_extension,year,project,data,data_k,mention,mention_iban&cursor=WzIsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiIsMyxbMywxMF1d
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

-- collaborator: GET /api/documents/search/?q=user:1
select count(*) as total
from (
  select documents.id
  from documents indexed by "documents_by_user_id"
  where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" = ?
  union all
  select documents.id
  from (
    select distinct document_id
    from document_audiences indexed by "document_audiences_by_user_id"
    where "document_audiences"."audience" in (
      select value
      from json_each(?)
    ) and document_audiences.user_id = ?
  ) as own cross join documents on documents.id = own.document_id
  where not (documents.access = 'public' and documents.status in ('success', 'readable')) and "documents"."user_id" = ?
) as found

-- anonymous: GET /api/documents/search/?facets=access
with newest as materialized (
  select documents.id
  from documents indexed by "documents_searched"
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  order by documents.id desc
  limit 100000
), faceted as materialized (
  select documents.id, cast("documents"."access" as text) as joined_values
  from "newest" cross join "documents"
  where "documents"."id" = "newest"."id"
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (
  select value_counts(json_group_array(joined_values), ?, 51)
  from faceted
) as facets

-- anonymous: GET /api/documents/search/?facets=status
with newest as materialized (
  select documents.id
  from documents indexed by "documents_searched"
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  order by documents.id desc
  limit 100000
), faceted as materialized (
  select documents.id, cast("documents"."status" as text) as joined_values
  from "newest" cross join "documents"
  where "documents"."id" = "newest"."id"
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (
  select value_counts(json_group_array(joined_values), ?, 51)
  from faceted
) as facets

-- anonymous: GET /api/documents/search/?facets=user
with newest as materialized (
  select documents.id
  from documents indexed by "documents_searched"
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  order by documents.id desc
  limit 100000
), faceted as materialized (
  select documents.id, cast("documents"."user_id" as text) as joined_values
  from "newest" cross join "documents"
  where "documents"."id" = "newest"."id"
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (
  select value_counts(json_group_array(joined_values), ?, 51)
  from faceted
) as facets

-- anonymous: GET /api/documents/search/?facets=language
with newest as materialized (
  select documents.id
  from documents indexed by "documents_searched"
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  order by documents.id desc
  limit 100000
), faceted as materialized (
  select documents.id, cast("documents"."language" as text) as joined_values
  from "newest" cross join "documents"
  where "documents"."id" = "newest"."id"
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (
  select value_counts(json_group_array(joined_values), ?, 51)
  from faceted
) as facets

-- anonymous: GET /api/documents/search/?facets=organization
with newest as materialized (
  select documents.id
  from documents indexed by "documents_searched"
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  order by documents.id desc
  limit 100000
), faceted as materialized (
  select documents.id, cast("documents"."organization_id" as text) as joined_values
  from "newest" cross join "documents"
  where "documents"."id" = "newest"."id"
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (
  select value_counts(json_group_array(joined_values), ?, 51)
  from faceted
) as facets

-- anonymous: GET /api/documents/search/?facets=original_extension
with newest as materialized (
  select documents.id
  from documents indexed by "documents_searched"
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  order by documents.id desc
  limit 100000
), faceted as materialized (
  select documents.id, cast("documents"."original_extension" as text) as joined_values
  from "newest" cross join "documents"
  where "documents"."id" = "newest"."id"
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (
  select value_counts(json_group_array(joined_values), ?, 51)
  from faceted
) as facets

-- anonymous: GET /api/documents/search/?facets=year
with newest as materialized (
  select documents.id
  from documents indexed by "documents_searched"
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  order by documents.id desc
  limit 100000
), faceted as materialized (
  select documents.id, cast(substr(documents.created_at, 1, 4) as text) as joined_values
  from "newest" cross join "documents"
  where "documents"."id" = "newest"."id"
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (
  select value_counts(json_group_array(joined_values), ?, 51)
  from faceted
) as facets

-- user: GET /api/documents/search/?q=created_at:[2024+TO+2026]
select count(*) as total
from (
  select documents.id
  from documents indexed by "documents_by_created_at"
  where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."created_at" >= ? and "documents"."created_at" < ?
  union all
  select documents.id
  from (
    select distinct document_id
    from document_audiences indexed by "document_audiences_by_created_at"
    where "document_audiences"."audience" in (
      select value
      from json_each(?)
    ) and "document_audiences"."created_at" >= ? and "document_audiences"."created_at" < ?
  ) as own cross join documents on documents.id = own.document_id
  where not (documents.access = 'public' and documents.status in ('success', 'readable')) and "documents"."created_at" >= ? and "documents"."created_at" < ?
) as found

-- user: GET /api/documents/search/?q=updated_at:[2024+TO+2026]
select count(*) as total
from (
  select documents.id
  from documents indexed by "documents_by_updated_at"
  where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."updated_at" >= ? and "documents"."updated_at" < ?
  union all
  select documents.id
  from (
    select distinct document_id
    from document_audiences indexed by "document_audiences_by_updated_at"
    where "document_audiences"."audience" in (
      select value
      from json_each(?)
    ) and "document_audiences"."updated_at" >= ? and "document_audiences"."updated_at" < ?
  ) as own cross join documents on documents.id = own.document_id
  where not (documents.access = 'public' and documents.status in ('success', 'readable')) and "documents"."updated_at" >= ? and "documents"."updated_at" < ?
) as found

-- user: GET /api/documents/search/?q=page_count:[1+TO+2]
select count(*) as total
from (
  select documents.id
  from documents indexed by "documents_by_page_count"
  where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."page_count" >= ? and "documents"."page_count" <= ?
  union all
  select documents.id
  from (
    select distinct document_id
    from document_audiences indexed by "document_audiences_by_page_count"
    where "document_audiences"."audience" in (
      select value
      from json_each(?)
    ) and "document_audiences"."page_count" >= ? and "document_audiences"."page_count" <= ?
  ) as own cross join documents on documents.id = own.document_id
  where not (documents.access = 'public' and documents.status in ('success', 'readable')) and "documents"."page_count" >= ? and "documents"."page_count" <= ?
) as found

-- anonymous: GET /api/documents/search/?facets=text_language
with newest as materialized (
  select documents.id
  from documents indexed by "documents_searched"
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  order by documents.id desc
  limit 100000
), faceted as materialized (
  select documents.id, cast(coalesce((
      select document_languages.language
      from document_languages
      where document_languages.document_id = documents.id
    ), documents.language
  ) as text) as joined_values
  from "newest" cross join "documents"
  where "documents"."id" = "newest"."id"
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (
  select value_counts(json_group_array(joined_values), ?, 51)
  from faceted
) as facets

-- anonymous: GET /api/documents/search/?facets=data
with newest as materialized (
  select documents.id
  from documents indexed by "documents_searched"
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  order by documents.id desc
  limit 100000
), faceted as materialized (
  select documents.id
  from "newest" cross join "documents"
  where "documents"."id" = "newest"."id"
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (
  select value_counts(json_group_array(joined_values), ?, 51)
  from (
    select cast("held"."value" as text) as joined_values
    from (
      select document_data.key as value
      from "faceted" cross join "document_data"
      where "document_data"."document_id" = "faceted"."id"
    ) as held
  ) as held
) as "facets0"

-- collaborator: GET /api/documents/search/?hl=true&q=h%3Frbour%20OR%20NOT%20harbor~1
select document_id, page, total
from (
  select document_id, part - 3 as page, count(*) over (partition by document_id) as total, row_number() over (partition by document_id order by part) as position
  from (
    select document_id, part
    from (
      select distinct document_words.rowid / 1048576 as document_id, document_words.rowid % 1048576 as part
      from search_vocabulary cross join document_words
      where search_vocabulary.term >= ? and search_vocabulary.term < ? and search_vocabulary.term like ? escape '\' and document_words match '"' || search_vocabulary.term || '"' and document_words.rowid / 1048576 in (
        select value
        from json_each(?)
      )
    ) as parts
    where part >= 3 and part < 524288
  ) as matching
) as numbered
where position <= 150
order by document_id, page

-- anonymous: GET /api/documents/search/?facets=mention
with newest as materialized (
  select documents.id
  from documents indexed by "documents_searched"
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  order by documents.id desc
  limit 100000
), faceted as materialized (
  select documents.id
  from "newest" cross join "documents"
  where "documents"."id" = "newest"."id"
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (
  select value_counts(json_group_array(joined_values), ?, 51)
  from (
    select cast("held"."value" as text) as joined_values
    from (
      select distinct mentions.document_id, "mentions"."kind" as value
      from "faceted" cross join "mentions"
      where "mentions"."document_id" = "faceted"."id"
    ) as held
  ) as held
) as "facets0"

-- anonymous: GET /api/documents/search/?facets=mention_iban
with newest as materialized (
  select documents.id
  from documents indexed by "documents_searched"
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  order by documents.id desc
  limit 100000
), faceted as materialized (
  select documents.id
  from "newest" cross join "documents"
  where "documents"."id" = "newest"."id"
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (
  select value_counts(json_group_array(joined_values), ?, 51)
  from (
    select cast("held"."value" as text) as joined_values
    from (
      select distinct mentions.document_id, "mentions"."value" as value
      from "faceted" cross join "mentions"
      where "mentions"."document_id" = "faceted"."id" and mentions.kind = ?
    ) as held
  ) as held
) as "facets0"

-- user: GET /api/documents/search/?sort=-page_count
select id, value, created_at
from (
  select *
  from (
    select id, value, created_at
    from (
      select "documents"."id" as id, "documents"."page_count" as value, documents.created_at
      from documents indexed by "documents_by_page_count"
      where documents.access = 'public' and documents.status in ('success', 'readable') and 1 = 1
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
      from document_audiences indexed by "document_audiences_by_page_count" cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ? and 1 = 1
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
      from documents indexed by "documents_by_created_at"
      where documents.access = 'public' and documents.status in ('success', 'readable') and 1 = 1
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
      from document_audiences indexed by "document_audiences_by_created_at" cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ? and 1 = 1
    ) as ranked
    order by value desc, id desc
    limit 26
  ) as first
) as parts
order by value desc, id desc
limit 26 offset 0

-- user: GET /api/documents/search/?q=created_at%3A%5B2024%20TO%202026%5D%20updated_at%3A%5B2024%20TO%202026%5D%20(status%3Aerror%20OR%20page_count%3A1)
select count(*) as total
from (
  select documents.id
  from documents indexed by "documents_by_id"
  where documents.access = 'public' and documents.status in ('success', 'readable') and ("documents"."created_at" >= ? and "documents"."created_at" < ? or "documents"."updated_at" >= ? and "documents"."updated_at" < ? or ("documents"."status" = ? or "documents"."page_count" = ?))
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
  where not (documents.access = 'public' and documents.status in ('success', 'readable')) and ("documents"."created_at" >= ? and "documents"."created_at" < ? or "documents"."updated_at" >= ? and "documents"."updated_at" < ? or ("documents"."status" = ? or "documents"."page_count" = ?))
) as found

-- user: GET /api/documents/search/?q=user%3A%7B0%20TO%209%7D%20organization%3A%7B0%20TO%209%7D%20project%3A%7B0%20TO%209%7D%20id%3A%7B0%20TO%209%7D%20page_count%3A%7B0%20TO%209%7D
select count(*) as total
from (
  select documents.id
  from documents
  where (documents.access = 'public' and documents.status in ('success', 'readable') or exists (
    select 1
    from document_audiences
    where document_audiences.document_id = documents.id and "document_audiences"."audience" in (
      select value
      from json_each(?)
    )
  )) and ("documents"."user_id" > ? and "documents"."user_id" < ? and "documents"."organization_id" > ? and "documents"."organization_id" < ? and documents.id in (
    select project_memberships.document_id
    from project_memberships join projects on projects.id = project_memberships.project_id
    where project_memberships.project_id > ? and project_memberships.project_id < ? and (projects.private = false or "projects"."id" in (
      select value
      from json_each(?)
    ))
  ) and "documents"."id" > ? and "documents"."id" < ? and "documents"."page_count" > ? and "documents"."page_count" < ?)
) as found

-- collaborator: GET /api/documents/search/?q=user:1&sort=id
select id, value, created_at
from (
  select *
  from (
    select id, value, created_at
    from (
      select "documents"."id" as id, "documents"."id" as value, documents.created_at
      from documents indexed by "documents_by_user_id"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" = ?
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
      from document_audiences indexed by "document_audiences_by_user_id" cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ? and document_audiences.user_id = ? and "documents"."user_id" = ?
    ) as ranked
    order by id asc
    limit 26
  ) as first
) as parts
order by id asc
limit 26 offset 0

-- user: GET /api/documents/search/?q=user%3A%5B1%20TO%202%5D%20organization%3A%5B1%20TO%202%5D%20project%3A%5B1%20TO%202%5D%20id%3A%5B1%20TO%202%5D%20page_count%3A%5B1%20TO%202%5D
select count(*) as total
from (
  select documents.id
  from documents
  where (documents.access = 'public' and documents.status in ('success', 'readable') or exists (
    select 1
    from document_audiences
    where document_audiences.document_id = documents.id and "document_audiences"."audience" in (
      select value
      from json_each(?)
    )
  )) and ("documents"."user_id" >= ? and "documents"."user_id" <= ? and "documents"."organization_id" >= ? and "documents"."organization_id" <= ? and documents.id in (
    select project_memberships.document_id
    from project_memberships join projects on projects.id = project_memberships.project_id
    where project_memberships.project_id >= ? and project_memberships.project_id <= ? and (projects.private = false or "projects"."id" in (
      select value
      from json_each(?)
    ))
  ) and "documents"."id" >= ? and "documents"."id" <= ? and "documents"."page_count" >= ? and "documents"."page_count" <= ?)
) as found

-- collaborator: GET /api/documents/search/?q=user:1&sort=title
select id, value, created_at
from (
  select *
  from (
    select id, value, created_at
    from (
      select "documents"."id" as id, "documents"."title" as value, documents.created_at
      from documents indexed by "documents_by_user_id"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" = ?
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
      from document_audiences indexed by "document_audiences_by_user_id" cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ? and document_audiences.user_id = ? and "documents"."user_id" = ?
    ) as ranked
    order by value asc, id desc
    limit 26
  ) as first
) as parts
order by value asc, id desc
limit 26 offset 0

-- collaborator: GET /api/documents/search/?q=user:1&sort=source
select id, value, created_at
from (
  select *
  from (
    select id, value, created_at
    from (
      select "documents"."id" as id, "documents"."source" as value, documents.created_at
      from documents indexed by "documents_by_user_id"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" = ?
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
      from document_audiences indexed by "document_audiences_by_user_id" cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ? and document_audiences.user_id = ? and "documents"."user_id" = ?
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
      from documents indexed by "documents_by_user_id"
      where documents.access = 'public' and documents.status in ('success', 'readable') and "documents"."user_id" = ?
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
      from document_audiences indexed by "document_audiences_by_user_id" cross join documents on documents.id = "document_audiences"."document_id"
      where document_audiences.audience = ? and document_audiences.user_id = ? and "documents"."user_id" = ?
    ) as ranked
    order by value asc, id desc
    limit 26
  ) as first
) as parts
order by value asc, id desc
limit 26 offset 0

-- anonymous: GET /api/documents/search/?facets=project
with newest as materialized (
  select documents.id
  from documents indexed by "documents_searched"
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  order by documents.id desc
  limit 100000
), faceted as materialized (
  select documents.id
  from "newest" cross join "documents"
  where "documents"."id" = "newest"."id"
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (
  select value_counts(json_group_array(joined_values), ?, 51)
  from (
    select cast("held"."value" as text) as joined_values
    from (
      select project_memberships.project_id as value
      from faceted cross join project_memberships on project_memberships.document_id = faceted.id cross join projects on projects.id = project_memberships.project_id
      where (projects.private = false or "projects"."id" in (
        select value
        from json_each(?)
      ))
    ) as held
  ) as held
) as "facets0"

-- anonymous: GET /api/documents/search/?suggest=true&q=harbuor
select word
from (with terms as materialized (
    select substr("counted_terms"."term", 1, length("counted_terms"."term") - 1) as word, (
      select count(*)
      from (
        select 1
        from word_counts cross join documents on documents.id = word_counts.rowid % 1099511627776
        where word_counts match '"' || "counted_terms"."term" || '"' and word_counts.rowid < 524288 * 1099511627776 and (documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
        limit 100
      )
    ) as blocks
    from counted_terms
    where "counted_terms"."term" >= ? and "counted_terms"."term" < ? and substr("counted_terms"."term", 1, length("counted_terms"."term") - 1) >= ? and substr("counted_terms"."term", 1, length("counted_terms"."term") - 1) < ? and substr("counted_terms"."term", 1, length("counted_terms"."term") - 1) like ? escape '\'
  )
  select word, min(sum(blocks), 100) as blocks
  from terms
  where blocks > 0
  group by word
) as words
order by blocks desc, word
limit 1

-- anonymous: GET /api/documents/search/?suggest=true&q=harbuor
select word
from (with terms as materialized (
    select substr("counted_terms"."term", 1, length("counted_terms"."term") - 1) as word, (
      select count(*)
      from (
        select 1
        from word_counts cross join documents on documents.id = word_counts.rowid % 1099511627776
        where word_counts match '"' || "counted_terms"."term" || '"' and word_counts.rowid < 524288 * 1099511627776 and (documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
        limit 100
      )
    ) as blocks
    from counted_terms
    where "counted_terms"."term" >= ? and "counted_terms"."term" < ? and substr("counted_terms"."term", 1, length("counted_terms"."term") - 1) >= ? and substr("counted_terms"."term", 1, length("counted_terms"."term") - 1) < ? and is_within_edits(substr("counted_terms"."term", 1, length("counted_terms"."term") - 1), ?, ?)
  )
  select word, min(sum(blocks), 100) as blocks
  from terms
  where blocks > 0
  group by word
) as words
order by blocks desc, word
limit 1

-- user: GET /api/documents/search/?q=status%3Asuccess%20access%3Apublic%20language%3Aeng%20text_language%3Aeng%20slug%3Aa%20original_extension%3Apdf%20noindex%3Afalse%20tag%3Aa%20-data_j%3Ab
select count(*) as total
from (
  select documents.id
  from documents
  where (documents.access = 'public' and documents.status in ('success', 'readable') or exists (
    select 1
    from document_audiences
    where document_audiences.document_id = documents.id and "document_audiences"."audience" in (
      select value
      from json_each(?)
    )
  )) and ("documents"."status" = ? and "documents"."access" = ? and "documents"."language" = ? and coalesce((
      select document_languages.language
      from document_languages
      where document_languages.document_id = documents.id
    ), documents.language
  ) = ? and "documents"."slug" = ? and "documents"."original_extension" = ? and (case when documents.noindex = true or documents.admin_noindex = true then 'true' else 'false' end) = ? and (documents.id in (
    select document_id
    from document_data
    where key = ?
  ) and exists (
    select 1
    from json_each("documents"."data", ?) as item
    where item.value = ?
  )) and not ((documents.id in (
      select document_id
      from document_data
      where key = ?
    ) and exists (
      select 1
      from json_each("documents"."data", ?) as item
      where item.value = ?
    ))
  ))
) as found

-- collaborator: GET /api/documents/search/?q=harbour+port&sort=-score&facets=access,status,user,organization,language,text_language,original_extension,year,project,data,data_k,mention,mention_iban
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
where "documents"."id" in (
  select value
  from json_each(?)
)

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

-- anonymous: GET /api/documents/search/?q=-port&cursor=WyIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLCIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLDNd
with hits as materialized (
  select cast(document_id as bigint) as document_id, cast(sum(case word when 0 then weight else 0 end) as bigint) as "weight0"
  from (
    select document_id, 0 as word, 1 as weight
    from (with asked as materialized (
        select value as document_id, value * 1048576 as first, value * 1048576 + 1048575 as last
        from json_each(?)
      )
      select asked.document_id, document_words.rowid - asked.first as part
      from asked cross join document_words
      where document_words match ? and document_words.rowid between asked.first and asked.last
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
where "documents"."id" in (
  select value
  from json_each(?)
) and (documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0) and not (coalesce("hits"."weight0", 0) > 0)

-- user: GET /api/documents/search/?q=status%3As*%20access%3Ap*%20language%3Ae*%20text_language%3Ae*%20slug%3Aa*%20original_extension%3Ap*%20noindex%3Af*%20tag%3Aa*%20data_k%3A*
select count(*) as total
from (
  select documents.id
  from documents
  where (documents.access = 'public' and documents.status in ('success', 'readable') or exists (
    select 1
    from document_audiences
    where document_audiences.document_id = documents.id and "document_audiences"."audience" in (
      select value
      from json_each(?)
    )
  )) and (substr("documents"."status", 1, 1) = ? and substr("documents"."access", 1, 1) = ? and substr("documents"."language", 1, 1) = ? and substr(coalesce((
      select document_languages.language
      from document_languages
      where document_languages.document_id = documents.id
    ), documents.language
  ), 1, 1) = ? and substr("documents"."slug", 1, 1) = ? and substr("documents"."original_extension", 1, 1) = ? and substr((case when documents.noindex = true or documents.admin_noindex = true then 'true' else 'false' end), 1, 1
  ) = ? and (documents.id in (
    select document_id
    from document_data
    where key = ?
  ) and exists (
    select 1
    from json_each("documents"."data", ?) as item
    where substr(item.value, 1, 1) = ?
  )) and (documents.id in (
    select document_id
    from document_data
    where key = ?
  ) and exists (
    select 1
    from json_each("documents"."data", ?) as item
    where substr(item.value, 1, 0) = ?
  )))
) as found

-- anonymous: GET /api/documents/search/?facets=data_k
with newest as materialized (
  select documents.id
  from documents indexed by "documents_searched"
  where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
  order by documents.id desc
  limit 100000
), faceted as materialized (
  select documents.id
  from "newest" cross join "documents"
  where "documents"."id" = "newest"."id"
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (
  select value_counts(json_group_array(joined_values), ?, 51)
  from (
    select cast("held"."value" as text) as joined_values
    from (with keyed as materialized (
        select faceted.id, document_data.lowest, document_data.highest
        from "faceted" cross join "document_data"
        where "document_data"."document_id" = "faceted"."id" and document_data.key = ?
      )
      select lowest as value
      from keyed
      where lowest = highest
      union all
      select several.value
      from (
        select distinct keyed.id, item.value
        from keyed cross join documents on documents.id = "keyed"."id" cross join json_each("documents"."data", ?) as item
        where keyed.lowest <> keyed.highest
      ) as several
    ) as held
  ) as held
) as "facets0"

-- anonymous: GET /api/documents/search/?q=-port&cursor=WyIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLCIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLDNd
select count(*) as total
from (with hits as (
    select cast(document_id as bigint) as document_id, cast(sum(weight) as bigint) as "weight0"
    from (
      select document_id, 0 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
      from (
        select word_counts.rowid % 1099511627776 as document_id, word_counts.rowid / 1099511627776 as part, terms.units as units
        from (
          select key as term, value as units, null as languages
          from json_each(?)
        ) as terms cross join word_counts
        where word_counts match terms.term
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
  where "documents"."id" = "hits"."document_id" and documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and not (not (coalesce("hits"."weight0", 0) > 0))
) as found

-- user: GET /api/documents/search/?q=title%3A*%20source%3A*%20description%3A*%20-text%3A*%20-page_no_2%3A*
select count(*) as total
from (
  select documents.id
  from documents indexed by "documents_by_id"
  where documents.access = 'public' and documents.status in ('success', 'readable') and (("documents"."title" <> '' or "documents"."source" <> '' or "documents"."description" <> '') and not ((exists (
        select 1
        from document_pages
        where document_pages.document_id = documents.id and document_pages.text <> ''
      ) or exists (
        select 1
        from document_pages
        where document_pages.document_id = documents.id and document_pages.page = ? and document_pages.text <> ''
      ))
    )
  )
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
  where not (documents.access = 'public' and documents.status in ('success', 'readable')) and (("documents"."title" <> '' or "documents"."source" <> '' or "documents"."description" <> '') and not ((exists (
        select 1
        from document_pages
        where document_pages.document_id = documents.id and document_pages.text <> ''
      ) or exists (
        select 1
        from document_pages
        where document_pages.document_id = documents.id and document_pages.page = ? and document_pages.text <> ''
      ))
    )
  )
) as found

-- anonymous: GET /api/documents/search/?like_text=harbour+port
select 0 as word, (
  select count(*)
  from (
    select distinct counts.document_id
    from (
      select word_counts.rowid % 1099511627776 as document_id, word_counts.rowid / 1099511627776 as part, terms.units as units
      from (
        select key as term, value as units, null as languages
        from json_each(?)
      ) as terms cross join word_counts
      where word_counts match terms.term
    ) as counts
    where counts.part < 524288 and exists (
      select 1
      from documents
      where documents.id = counts.document_id and (documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
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
      select word_counts.rowid % 1099511627776 as document_id, word_counts.rowid / 1099511627776 as part, terms.units as units
      from (
        select key as term, value as units, null as languages
        from json_each(?)
      ) as terms cross join word_counts
      where word_counts match terms.term
    ) as counts
    where counts.part < 524288 and exists (
      select 1
      from documents
      where documents.id = counts.document_id and (documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0)
    )
    limit 200
  ) as found
) as documents

-- user: GET /api/documents/search/?q=mention%3Aa%20mention%3A%22a%40example.org%22%20-mention_iban%3Ab%20mention%3A*%20mention_phone%3A1*%20mention_date%3A%5B2020%20TO%202021%7D%20mention_birth_date%3A%7B2020%20TO%202021%5D
select count(*) as total
from (
  select documents.id
  from documents
  where (documents.access = 'public' and documents.status in ('success', 'readable') or exists (
    select 1
    from document_audiences
    where document_audiences.document_id = documents.id and "document_audiences"."audience" in (
      select value
      from json_each(?)
    )
  )) and (((documents.id in (
        select mentions.document_id
        from mentions
        where "mentions"."kind" in (
          select value
          from json_each(?)
        ) and mentions.value = ?
      ) or documents.id in (
        select mentions.document_id
        from mentions
        where "mentions"."kind" in (
          select value
          from json_each(?)
        ) and mentions.value = ?
      )) or documents.id in (
        select mentions.document_id
        from mentions
        where mentions.kind = ? and mentions.value = ?
      ) or documents.id in (
        select mentions.document_id
        from mentions
        where "mentions"."kind" in (
          select value
          from json_each(?)
        ) and substr(mentions.value, 1, 0) = ?
      )
    ) and documents.id in (
      select mentions.document_id
      from mentions
      where mentions.kind = ? and substr(mentions.value, 1, 1) = ?
    ) and documents.id in (
      select mentions.document_id
      from mentions
      where mentions.kind = ? and mentions.value >= ? and mentions.value < ?
    ) and documents.id in (
      select mentions.document_id
      from mentions
      where mentions.kind = ? and mentions.value > ? and mentions.value <= ?
    ) and not (documents.id in (
      select mentions.document_id
      from mentions
      where mentions.kind = ? and mentions.value = ?
    ))
  )
) as found

-- collaborator: GET /api/documents/search/?sort=-created_at&cursor=WyIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLCIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLDNd
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
    where value >= ? and (value > ? or id < ?)
    order by value asc, id desc
    limit 26
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
    where value >= ? and (value > ? or id < ?)
    order by value asc, id desc
    limit 26
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
    where value >= ? and (value > ? or id < ?)
    order by value asc, id desc
    limit 26
  ) as first
) as parts
order by value asc, id desc
limit 26 offset 0

-- user: GET /api/documents/search/?q=user%3A1%20organization%3A(1%202)%20project%3A1%20id%3A(1%20OR%202%20OR%203)
select count(*) as total
from (
  select documents.id
  from documents indexed by "documents_by_id"
  where documents.access = 'public' and documents.status in ('success', 'readable') and (("documents"."organization_id" in (
      select value
      from json_each(?)
    )) or documents.id in (
      select project_memberships.document_id
      from project_memberships join projects on projects.id = project_memberships.project_id
      where project_memberships.project_id = ? and (projects.private = false or "projects"."id" in (
        select value
        from json_each(?)
      ))
    ) or ("documents"."id" in (
      select value
      from json_each(?)
    )) or "documents"."user_id" in (
      select value
      from json_each(?)
    )
  )
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
  where not (documents.access = 'public' and documents.status in ('success', 'readable')) and (("documents"."organization_id" in (
      select value
      from json_each(?)
    )) or documents.id in (
      select project_memberships.document_id
      from project_memberships join projects on projects.id = project_memberships.project_id
      where project_memberships.project_id = ? and (projects.private = false or "projects"."id" in (
        select value
        from json_each(?)
      ))
    ) or ("documents"."id" in (
      select value
      from json_each(?)
    )) or "documents"."user_id" in (
      select value
      from json_each(?)
    )
  )
) as found

-- anonymous: GET /api/documents/search/?like=1
select 0 as word, (
  select count(*)
  from (
    select distinct counts.document_id
    from (
      select word_counts.rowid % 1099511627776 as document_id, word_counts.rowid / 1099511627776 as part, terms.units as units
      from (
        select key as term, value as units, null as languages
        from json_each(?)
      ) as terms cross join word_counts
      where word_counts match terms.term
    ) as counts
    where counts.part < 524288 and exists (
      select 1
      from documents
      where documents.id = counts.document_id and (documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0) and documents.id <> ?
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
      select word_counts.rowid % 1099511627776 as document_id, word_counts.rowid / 1099511627776 as part, terms.units as units
      from (
        select key as term, value as units, null as languages
        from json_each(?)
      ) as terms cross join word_counts
      where word_counts match terms.term
    ) as counts
    where counts.part < 524288 and exists (
      select 1
      from documents
      where documents.id = counts.document_id and (documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) or 1 = 0) and documents.id <> ?
    )
    limit 200
  ) as found
) as documents

-- administrator: GET /api/documents/search/?q=-port&cursor=WyIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLCIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLDNd
select count(*) as total
from (with hits as (
    select cast(document_id as bigint) as document_id, cast(sum(weight) as bigint) as "weight0"
    from (
      select document_id, 0 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
      from (
        select word_counts.rowid % 1099511627776 as document_id, word_counts.rowid / 1099511627776 as part, terms.units as units
        from (
          select key as term, value as units, null as languages
          from json_each(?)
        ) as terms cross join word_counts
        where word_counts match terms.term
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
  )) and not (not (coalesce("hits"."weight0", 0) > 0))
) as found

-- collaborator: GET /api/documents/search/?hl=true&q=harbour%20NOT%20port%20-title%3Aport
select document_id, page, total
from (
  select document_id, part - 3 as page, count(*) over (partition by document_id) as total, row_number() over (partition by document_id order by part) as position
  from (
    select document_id, part
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
    where part >= 3 and part < 524288
  ) as matching
) as numbered
where position <= 150
order by document_id, page

-- user: GET /api/documents/search/?q=-port&cursor=WyIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLCIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLDNd
with hits as materialized (
  select cast(document_id as bigint) as document_id, cast(sum(case word when 0 then weight else 0 end) as bigint) as "weight0"
  from (
    select document_id, 0 as word, 1 as weight
    from (with asked as materialized (
        select value as document_id, value * 1048576 as first, value * 1048576 + 1048575 as last
        from json_each(?)
      )
      select asked.document_id, document_words.rowid - asked.first as part
      from asked cross join document_words
      where document_words match ? and document_words.rowid between asked.first and asked.last
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
)) and not (coalesce("hits"."weight0", 0) > 0)

-- collaborator: GET /api/documents/search/?hl=true&q=h%3Frbour%20harbor~%20title%3Ap*t
select document_id, page, total
from (
  select document_id, part - 3 as page, count(*) over (partition by document_id) as total, row_number() over (partition by document_id order by part) as position
  from (
    select document_id, part
    from (
      select distinct document_words.rowid / 1048576 as document_id, document_words.rowid % 1048576 as part
      from search_vocabulary cross join document_words
      where search_vocabulary.term >= ? and search_vocabulary.term < ? and search_vocabulary.term like ? escape '\' and document_words match '"' || search_vocabulary.term || '"' and document_words.rowid / 1048576 in (
        select value
        from json_each(?)
      )
    ) as parts
    where part >= 3 and part < 524288
    union
    select document_id, part
    from (
      select distinct document_words.rowid / 1048576 as document_id, document_words.rowid % 1048576 as part
      from search_vocabulary cross join document_words
      where search_vocabulary.term >= ? and search_vocabulary.term < ? and is_within_edits(search_vocabulary.term, ?, ?) and document_words match '"' || search_vocabulary.term || '"' and document_words.rowid / 1048576 in (
        select value
        from json_each(?)
      )
    ) as parts
    where part >= 3 and part < 524288
    union
    select document_id, part
    from (
      select distinct document_words.rowid / 1048576 as document_id, document_words.rowid % 1048576 as part
      from search_vocabulary cross join document_words
      where search_vocabulary.term >= ? and search_vocabulary.term < ? and search_vocabulary.term like ? escape '\' and document_words match '"' || search_vocabulary.term || '"' and document_words.rowid / 1048576 in (
        select value
        from json_each(?)
      )
    ) as parts
    where part >= 3 and part < 524288 and part = 0
  ) as matching
) as numbered
where position <= 150
order by document_id, page

-- anonymous: GET /api/documents/1/search/?paged=true&q=harbour
with held as materialized (
  select (
    select group_concat(cast(part as text), ',')
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
  where documents.id = ? and coalesce("hits"."weight0", 0) > 0
)

-- anonymous: GET /api/documents/search/?q=title:b
with hits as (
  select cast(document_id as bigint) as document_id, cast(sum(weight) as bigint) as "weight0"
  from (
    select document_id, 0 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select word_counts.rowid % 1099511627776 as document_id, word_counts.rowid / 1099511627776 as part, terms.units as units
      from (
        select key as term, value as units, null as languages
        from json_each(?)
      ) as terms cross join word_counts
      where word_counts match terms.term
    ) as parts
    where part = 0
  ) as rows
  group by document_id
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", cast(coalesce(document_lengths.words, 0) as double precision) as length
  from "hits" cross join "documents" indexed by "documents_ranked" left join document_lengths on document_lengths.document_id = documents.id
  where "documents"."id" = "hits"."document_id" and documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and coalesce("hits"."weight0", 0) > 0
), totals as materialized (
  select cast(count(*) as double precision) as "found", cast(coalesce(sum(length), 0) as double precision) as "length"
  from found
), factors as materialized (
  select case when length > 0 then length / found else 1 end as length, 1000000 * cast(? as double precision) * 1 as "rarity0"
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

-- user: GET /api/documents/search/?q=title:b
with hits as (
  select cast(document_id as bigint) as document_id, cast(sum(weight) as bigint) as "weight0"
  from (
    select document_id, 0 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select word_counts.rowid % 1099511627776 as document_id, word_counts.rowid / 1099511627776 as part, terms.units as units
      from (
        select key as term, value as units, null as languages
        from json_each(?)
      ) as terms cross join word_counts
      where word_counts match terms.term
    ) as parts
    where part = 0
  ) as rows
  group by document_id
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", cast(coalesce(document_lengths.words, 0) as double precision) as length
  from "hits" cross join "documents" left join document_lengths on document_lengths.document_id = documents.id
  where "documents"."id" = "hits"."document_id" and (documents.access = 'public' and documents.status in ('success', 'readable') or exists (
    select 1
    from document_audiences
    where document_audiences.document_id = documents.id and "document_audiences"."audience" in (
      select value
      from json_each(?)
    )
  )) and coalesce("hits"."weight0", 0) > 0
), totals as materialized (
  select cast(count(*) as double precision) as "found", cast(coalesce(sum(length), 0) as double precision) as "length"
  from found
), factors as materialized (
  select case when length > 0 then length / found else 1 end as length, 1000000 * cast(? as double precision) * 1 as "rarity0"
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

-- anonymous: GET /api/documents/search/?q=harbour&sort=id
with hits as (
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
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0"
  from "hits" cross join "documents" indexed by "documents_ranked"
  where "documents"."id" = "hits"."document_id" and documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and coalesce("hits"."weight0", 0) > 0
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

-- anonymous: GET /api/documents/search/?q=harbour&sort=title
with hits as (
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
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0"
  from "hits" cross join "documents" indexed by "documents_ranked"
  where "documents"."id" = "hits"."document_id" and documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and coalesce("hits"."weight0", 0) > 0
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

-- collaborator: GET /api/notes/?q=title%3A*%20source%3A*%20description%3A*%20-text%3A*%20-page_no_2%3A*
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
))) and notes.document_id in (
  select documents.id
  from documents indexed by "documents_by_id"
  where documents.access = 'public' and documents.status in ('success', 'readable') and (("documents"."title" <> '' or "documents"."source" <> '' or "documents"."description" <> '') and not ((exists (
        select 1
        from document_pages
        where document_pages.document_id = documents.id and document_pages.text <> ''
      ) or exists (
        select 1
        from document_pages
        where document_pages.document_id = documents.id and document_pages.page = ? and document_pages.text <> ''
      ))
    )
  )
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
  where not (documents.access = 'public' and documents.status in ('success', 'readable')) and (("documents"."title" <> '' or "documents"."source" <> '' or "documents"."description" <> '') and not ((exists (
        select 1
        from document_pages
        where document_pages.document_id = documents.id and document_pages.text <> ''
      ) or exists (
        select 1
        from document_pages
        where document_pages.document_id = documents.id and document_pages.page = ? and document_pages.text <> ''
      ))
    )
  )
)
order by notes.id desc
limit 26

-- collaborator: GET /api/documents/1/search/?q=h%3Frbour%20OR%20NOT%20harbor~1
with held as materialized (
  select (
    select group_concat(cast(part as text), ',')
    from (
      select distinct document_words.rowid / 1048576 as document_id, document_words.rowid % 1048576 as part
      from search_vocabulary cross join document_words
      where search_vocabulary.term >= ? and search_vocabulary.term < ? and search_vocabulary.term like ? escape '\' and document_words match '"' || search_vocabulary.term || '"' and document_words.rowid / 1048576 in (
        select value
        from json_each(?)
      )
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
  ) as "parts0", (
    select min(part)
    from (
      select distinct document_words.rowid / 1048576 as document_id, document_words.rowid % 1048576 as part
      from search_vocabulary cross join document_words
      where search_vocabulary.term >= ? and search_vocabulary.term < ? and is_within_edits(search_vocabulary.term, ?, ?) and document_words match '"' || search_vocabulary.term || '"' and document_words.rowid / 1048576 in (
        select value
        from json_each(?)
      )
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
  where documents.id = ? and (coalesce("hits"."weight0", 0) > 0 or not (coalesce("hits"."weight1", 0) > 0))
)

-- anonymous: GET /api/documents/search/?q=harbour+-port&sort=created_at&cursor=WyIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLCIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLDNd
with hits as (
  select cast(document_id as bigint) as document_id, cast(sum(case word when 0 then weight else 0 end) as bigint) as "weight0", cast(sum(case word when 1 then weight else 0 end) as bigint) as "weight1"
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
    union all
    select document_id, 1 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select word_counts.rowid % 1099511627776 as document_id, word_counts.rowid / 1099511627776 as part, terms.units as units
      from (
        select key as term, value as units, null as languages
        from json_each(?)
      ) as terms cross join word_counts
      where word_counts match terms.term
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
  from "hits" cross join "documents" indexed by "documents_ranked"
  where "documents"."id" = "hits"."document_id" and documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and (coalesce("hits"."weight0", 0) > 0 and not (coalesce("hits"."weight1", 0) > 0))
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
)
select (
  select count(*)
  from found
) as total

-- user: GET /api/documents/search/?q=harbour&sort=created_at
with hits as (
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
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0"
  from "hits" cross join "documents"
  where "documents"."id" = "hits"."document_id" and (documents.access = 'public' and documents.status in ('success', 'readable') or exists (
    select 1
    from document_audiences
    where document_audiences.document_id = documents.id and "document_audiences"."audience" in (
      select value
      from json_each(?)
    )
  )) and coalesce("hits"."weight0", 0) > 0
), ranked as (
  select found.id, found.created_at, found.created_at as value
  from found
), page as materialized (
  select id, value, created_at
  from ranked
  order by value desc, id desc
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
order by value desc, id desc

-- collaborator: GET /api/documents/1/search/?q=h%3Frbour%20harbor~%20title%3Ap*t
with held as materialized (
  select (
    select group_concat(cast(part as text), ',')
    from (
      select distinct document_words.rowid / 1048576 as document_id, document_words.rowid % 1048576 as part
      from search_vocabulary cross join document_words
      where search_vocabulary.term >= ? and search_vocabulary.term < ? and search_vocabulary.term like ? escape '\' and document_words match '"' || search_vocabulary.term || '"' and document_words.rowid / 1048576 in (
        select value
        from json_each(?)
      )
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
  ) as "parts0", (
    select group_concat(cast(part as text), ',')
    from (
      select distinct document_words.rowid / 1048576 as document_id, document_words.rowid % 1048576 as part
      from search_vocabulary cross join document_words
      where search_vocabulary.term >= ? and search_vocabulary.term < ? and is_within_edits(search_vocabulary.term, ?, ?) and document_words match '"' || search_vocabulary.term || '"' and document_words.rowid / 1048576 in (
        select value
        from json_each(?)
      )
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
  ) as "parts1", (
    select group_concat(cast(part as text), ',')
    from (
      select distinct document_words.rowid / 1048576 as document_id, document_words.rowid % 1048576 as part
      from search_vocabulary cross join document_words
      where search_vocabulary.term >= ? and search_vocabulary.term < ? and search_vocabulary.term like ? escape '\' and document_words match '"' || search_vocabulary.term || '"' and document_words.rowid / 1048576 in (
        select value
        from json_each(?)
      )
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
  where documents.id = ? and (coalesce("hits"."weight0", 0) > 0 or coalesce("hits"."weight1", 0) > 0 or coalesce("hits"."weight2", 0) > 0)
)

-- administrator: GET /api/documents/search/?sort=created_at&facets=access,status,user,organization,language,text_language,original_extension,year,project,data,data_k,mention,mention_iban
with newest as materialized (
  select *
  from (
    select documents.id
    from documents indexed by "documents_by_id"
    where documents.access = 'public' and documents.status in ('success', 'readable') and 1 = 1
    order by documents.id desc
    limit 100000
  ) as "part0"
  union
  select *
  from (
    select document_audiences.document_id
    from document_audiences
    where document_audiences.audience = ? and 1 = 1
    order by document_audiences.document_id desc
    limit 100000
  ) as "part1"
  union
  select *
  from (
    select document_audiences.document_id
    from document_audiences
    where document_audiences.audience = ? and 1 = 1
    order by document_audiences.document_id desc
    limit 100000
  ) as "part2"
  order by id desc
  limit 100000
), faceted as materialized (
  select documents.id, cast("documents"."access" || char(127) || "documents"."status" || char(127) || "documents"."user_id" || char(127) || "documents"."organization_id" || char(127) || "documents"."language" || char(127) || coalesce((
      select document_languages.language
      from document_languages
      where document_languages.document_id = documents.id
    ), documents.language
  ) || char(127) || "documents"."original_extension" || char(127) || substr(documents.created_at, 1, 4) as text) as joined_values
  from "newest" cross join "documents"
  where "documents"."id" = "newest"."id"
)
select (
  select count(*)
  from faceted
) as total, (
  select count(*)
  from faceted
) as faceted, (
  select value_counts(json_group_array(joined_values), ?, 51)
  from faceted
) as facets, (
  select value_counts(json_group_array(joined_values), ?, 51)
  from (
    select cast("held"."value" as text) as joined_values
    from (
      select project_memberships.project_id as value
      from faceted cross join project_memberships on project_memberships.document_id = faceted.id cross join projects on projects.id = project_memberships.project_id
      where (projects.private = false or "projects"."id" in (
        select value
        from json_each(?)
      ))
    ) as held
  ) as held
) as "facets8", (
  select value_counts(json_group_array(joined_values), ?, 51)
  from (
    select cast("held"."value" as text) as joined_values
    from (
      select document_data.key as value
      from "faceted" cross join "document_data"
      where "document_data"."document_id" = "faceted"."id"
    ) as held
  ) as held
) as "facets9", (
  select value_counts(json_group_array(joined_values), ?, 51)
  from (
    select cast("held"."value" as text) as joined_values
    from (with keyed as materialized (
        select faceted.id, document_data.lowest, document_data.highest
        from "faceted" cross join "document_data"
        where "document_data"."document_id" = "faceted"."id" and document_data.key = ?
      )
      select lowest as value
      from keyed
      where lowest = highest
      union all
      select several.value
      from (
        select distinct keyed.id, item.value
        from keyed cross join documents on documents.id = "keyed"."id" cross join json_each("documents"."data", ?) as item
        where keyed.lowest <> keyed.highest
      ) as several
    ) as held
  ) as held
) as "facets10", (
  select value_counts(json_group_array(joined_values), ?, 51)
  from (
    select cast("held"."value" as text) as joined_values
    from (
      select distinct mentions.document_id, "mentions"."kind" as value
      from "faceted" cross join "mentions"
      where "mentions"."document_id" = "faceted"."id"
    ) as held
  ) as held
) as "facets11", (
  select value_counts(json_group_array(joined_values), ?, 51)
  from (
    select cast("held"."value" as text) as joined_values
    from (
      select distinct mentions.document_id, "mentions"."value" as value
      from "faceted" cross join "mentions"
      where "mentions"."document_id" = "faceted"."id" and mentions.kind = ?
    ) as held
  ) as held
) as "facets12"

-- anonymous: GET /api/documents/search/?q=harbour&sort=score
with hits as (
  select cast(document_id as bigint) as document_id, cast(sum(weight) as bigint) as "weight0"
  from (
    select document_id, 0 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select document_id, part, units
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
      ) as counts
      where document_id <= ?
      union all
      select document_id, part, units
      from (
        select document_id, part, 10 as units
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
          )
          select document_words.rowid / 1048576 as document_id, document_words.rowid % 1048576 as part
          from forms cross join document_words
          where document_words match '"' || forms.word || '"' and ("forms"."languages" is null or (
            select count(*)
            from analysed_languages
          ) < 2 or instr("forms"."languages", coalesce( (
              select language
              from document_languages
              where document_id = document_words.rowid / 1048576
            ), 'eng'
          )) > 0)
        ) as holding
      ) as later
      where document_id > ?
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
  from "hits" cross join "documents" indexed by "documents_ranked" left join document_lengths on document_lengths.document_id = documents.id
  where "documents"."id" = "hits"."document_id" and documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and coalesce("hits"."weight0", 0) > 0
), totals as materialized (
  select cast(count(*) as double precision) as "found", cast(coalesce(sum(length), 0) as double precision) as "length"
  from found
), factors as materialized (
  select case when length > 0 then length / found else 1 end as length, 1000000 * cast(? as double precision) * 1 as "rarity0"
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
    union all
    select document_id, 1 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
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
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", coalesce("hits"."weight1", 0) as "weight1"
  from "hits" cross join "documents"
  where "documents"."id" = "hits"."document_id" and (documents.access = 'public' and documents.status in ('success', 'readable') or exists (
    select 1
    from document_audiences
    where document_audiences.document_id = documents.id and "document_audiences"."audience" in (
      select value
      from json_each(?)
    )
  )) and (coalesce("hits"."weight0", 0) > 0 or coalesce("hits"."weight1", 0) > 0)
), ranked as (
  select found.id, found.created_at, "document_data"."lowest" as value
  from found left join document_data on document_data.document_id = found.id and document_data.key = ?
), page as materialized (
  select id, value, created_at
  from ranked
  where value is null or value > ? or (value = ? and id < ?)
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

-- user: GET /api/documents/search/?q=harbour%20(status%3Asuccess%20OR%20-user%3A1)%20project%3A%5B1%20TO%20*%5D
with hits as materialized (
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
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", cast(coalesce(document_lengths.words, 0) as double precision) as length
  from documents left join hits on hits.document_id = documents.id left join document_lengths on document_lengths.document_id = documents.id
  where documents.access = 'public' and documents.status in ('success', 'readable') and (coalesce("hits"."weight0", 0) > 0 or ("documents"."status" = ? or not ("documents"."user_id" = ?)) or documents.id in (
    select project_memberships.document_id
    from project_memberships join projects on projects.id = project_memberships.project_id
    where project_memberships.project_id >= ? and (projects.private = false or "projects"."id" in (
      select value
      from json_each(?)
    ))
  ))
  union all
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", cast(coalesce(document_lengths.words, 0) as double precision) as length
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" in (
      select value
      from json_each(?)
    )
  ) as own cross join documents on documents.id = own.document_id left join hits on hits.document_id = documents.id left join document_lengths on document_lengths.document_id = documents.id
  where not (documents.access = 'public' and documents.status in ('success', 'readable')) and (coalesce("hits"."weight0", 0) > 0 or ("documents"."status" = ? or not ("documents"."user_id" = ?)) or documents.id in (
    select project_memberships.document_id
    from project_memberships join projects on projects.id = project_memberships.project_id
    where project_memberships.project_id >= ? and (projects.private = false or "projects"."id" in (
      select value
      from json_each(?)
    ))
  ))
), totals as materialized (
  select cast(count(*) as double precision) as "found", cast(coalesce(sum(length), 0) as double precision) as "length"
  from found
), factors as materialized (
  select case when length > 0 then length / found else 1 end as length, 1000000 * cast(? as double precision) * 1 as "rarity0"
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

-- collaborator: GET /api/notes/?q=h%3Frbour%20OR%20NOT%20harbor~1
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
))) and notes.document_id in (with hits as materialized (
    select cast(document_id as bigint) as document_id, cast(sum(case word when 0 then weight else 0 end) as bigint) as "weight0", cast(sum(case word when 1 then weight else 0 end) as bigint) as "weight1"
    from (
      select document_id, 0 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
      from (
        select document_id, part, 10 as units
        from (
          select distinct document_words.rowid / 1048576 as document_id, document_words.rowid % 1048576 as part
          from search_vocabulary cross join document_words
          where search_vocabulary.term >= ? and search_vocabulary.term < ? and search_vocabulary.term like ? escape '\' and document_words match '"' || search_vocabulary.term || '"'
        ) as holding
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
      union all
      select document_id, 1 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
      from (
        select document_id, part, 10 as units
        from (
          select distinct document_words.rowid / 1048576 as document_id, document_words.rowid % 1048576 as part
          from search_vocabulary cross join document_words
          where search_vocabulary.term >= ? and search_vocabulary.term < ? and is_within_edits(search_vocabulary.term, ?, ?) and document_words match '"' || search_vocabulary.term || '"'
        ) as holding
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
  where documents.access = 'public' and documents.status in ('success', 'readable') and (coalesce("hits"."weight0", 0) > 0 or not (coalesce("hits"."weight1", 0) > 0))
  union all
  select documents.id
  from (
    select distinct document_id
    from document_audiences
    where "document_audiences"."audience" in (
      select value
      from json_each(?)
    )
  ) as own cross join documents on documents.id = own.document_id left join hits on hits.document_id = documents.id
  where not (documents.access = 'public' and documents.status in ('success', 'readable')) and (coalesce("hits"."weight0", 0) > 0 or not (coalesce("hits"."weight1", 0) > 0))
)
order by notes.id desc
limit 26

-- administrator: GET /api/documents/search/?q=harbour&sort=-updated_at&facets=access,status,user,organization,language,text_language,original_extension,year,project,data,data_k,mention,mention_iban&cursor=WyIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLCIyMDI1LTAxLTMxVDEyOjAwOjAwLjAwMDAwMFoiLDNd
with hits as (
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
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0"
  from "hits" cross join "documents"
  where "documents"."id" = "hits"."document_id" and (documents.access = 'public' and documents.status in ('success', 'readable') or exists (
    select 1
    from document_audiences
    where document_audiences.document_id = documents.id and "document_audiences"."audience" in (
      select value
      from json_each(?)
    )
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
  select documents.id, cast("documents"."access" || char(127) || "documents"."status" || char(127) || "documents"."user_id" || char(127) || "documents"."organization_id" || char(127) || "documents"."language" || char(127) || coalesce((
      select document_languages.language
      from document_languages
      where document_languages.document_id = documents.id
    ), documents.language
  ) || char(127) || "documents"."original_extension" || char(127) || substr(documents.created_at, 1, 4) as text) as joined_values
  from "newest" cross join "documents"
  where "documents"."id" = "newest"."id"
), page as materialized (
  select id, value, created_at
  from ranked
  where value >= ? and (value > ? or id < ?)
  order by value asc, id desc
  limit 26 offset 0
), counted as materialized (
  select (
    select count(*)
    from found
  ) as total, (
    select count(*)
    from faceted
  ) as faceted, (
    select value_counts(json_group_array(joined_values), ?, 51)
    from faceted
  ) as facets, (
    select value_counts(json_group_array(joined_values), ?, 51)
    from (
      select cast("held"."value" as text) as joined_values
      from (
        select project_memberships.project_id as value
        from faceted cross join project_memberships on project_memberships.document_id = faceted.id cross join projects on projects.id = project_memberships.project_id
        where (projects.private = false or "projects"."id" in (
          select value
          from json_each(?)
        ))
      ) as held
    ) as held
  ) as "facets8", (
    select value_counts(json_group_array(joined_values), ?, 51)
    from (
      select cast("held"."value" as text) as joined_values
      from (
        select document_data.key as value
        from "faceted" cross join "document_data"
        where "document_data"."document_id" = "faceted"."id"
      ) as held
    ) as held
  ) as "facets9", (
    select value_counts(json_group_array(joined_values), ?, 51)
    from (
      select cast("held"."value" as text) as joined_values
      from (with keyed as materialized (
          select faceted.id, document_data.lowest, document_data.highest
          from "faceted" cross join "document_data"
          where "document_data"."document_id" = "faceted"."id" and document_data.key = ?
        )
        select lowest as value
        from keyed
        where lowest = highest
        union all
        select several.value
        from (
          select distinct keyed.id, item.value
          from keyed cross join documents on documents.id = "keyed"."id" cross join json_each("documents"."data", ?) as item
          where keyed.lowest <> keyed.highest
        ) as several
      ) as held
    ) as held
  ) as "facets10", (
    select value_counts(json_group_array(joined_values), ?, 51)
    from (
      select cast("held"."value" as text) as joined_values
      from (
        select distinct mentions.document_id, "mentions"."kind" as value
        from "faceted" cross join "mentions"
        where "mentions"."document_id" = "faceted"."id"
      ) as held
    ) as held
  ) as "facets11", (
    select value_counts(json_group_array(joined_values), ?, 51)
    from (
      select cast("held"."value" as text) as joined_values
      from (
        select distinct mentions.document_id, "mentions"."value" as value
        from "faceted" cross join "mentions"
        where "mentions"."document_id" = "faceted"."id" and mentions.kind = ?
      ) as held
    ) as held
  ) as "facets12"
)
select page.id, page.value, page.created_at, counted.*
from page left join counted on page.id = (
  select min(id)
  from page
)
order by value asc, id desc

-- anonymous: GET /api/documents/search/?q=harbour+port
with hits as (
  select cast(document_id as bigint) as document_id, cast(sum(case word when 0 then weight else 0 end) as bigint) as "weight0", cast(sum(case word when 1 then weight else 0 end) as bigint) as "weight1"
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
    union all
    select document_id, 1 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
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
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", coalesce("hits"."weight1", 0) as "weight1", cast(coalesce(document_lengths.words, 0) as double precision) as length
  from "hits" cross join "documents" indexed by "documents_ranked" left join document_lengths on document_lengths.document_id = documents.id
  where "documents"."id" = "hits"."document_id" and documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and (coalesce("hits"."weight0", 0) > 0 or coalesce("hits"."weight1", 0) > 0)
), totals as materialized (with searched as materialized (
    select (
      select count(*)
      from (
        select 1
        from documents indexed by "documents_searched"
        where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true)
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
  select case when length > 0 then length / found else 1 end as length, 1000000 * cast(? as double precision) * ln(1 + (searched - "having0" + 0.5) / ("having0" + 0.5)) as "rarity0", 1000000 * cast(? as double precision) * ln(1 + (searched - "having1" + 0.5) / ("having1" + 0.5)) as "rarity1"
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
    union all
    select document_id, 1 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
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
    union all
    select document_id, 2 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select word_counts.rowid % 1099511627776 as document_id, word_counts.rowid / 1099511627776 as part, terms.units as units
      from (
        select key as term, value as units, null as languages
        from json_each(?)
      ) as terms cross join word_counts
      where word_counts match terms.term
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and notes.access = 'public'
    ))
    union all
    select document_id, 3 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select word_counts.rowid % 1099511627776 as document_id, word_counts.rowid / 1099511627776 as part, terms.units as units
      from (
        select key as term, value as units, null as languages
        from json_each(?)
      ) as terms cross join word_counts
      where word_counts match terms.term
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and notes.access = 'public'
    ))
    union all
    select document_id, 4 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select word_counts.rowid % 1099511627776 as document_id, word_counts.rowid / 1099511627776 as part, terms.units as units
      from (
        select key as term, value as units, null as languages
        from json_each(?)
      ) as terms cross join word_counts
      where word_counts match terms.term
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and notes.access = 'public'
    ))
    union all
    select document_id, 5 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select word_counts.rowid % 1099511627776 as document_id, word_counts.rowid / 1099511627776 as part, terms.units as units
      from (
        select key as term, value as units, null as languages
        from json_each(?)
      ) as terms cross join word_counts
      where word_counts match terms.term
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
  from "hits" cross join "documents" indexed by "documents_ranked"
  where "documents"."id" = "hits"."document_id" and documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
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

-- user: GET /api/documents/search/?q=harbour+-port&sort=id&facets=access,status,user,organization,language,text_language,original_extension,year,project,data,data_k,mention,mention_iban&cursor=WzIsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiIsM10
with hits as (
  select cast(document_id as bigint) as document_id, cast(sum(case word when 0 then weight else 0 end) as bigint) as "weight0", cast(sum(case word when 1 then weight else 0 end) as bigint) as "weight1"
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
    union all
    select document_id, 1 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select word_counts.rowid % 1099511627776 as document_id, word_counts.rowid / 1099511627776 as part, terms.units as units
      from (
        select key as term, value as units, null as languages
        from json_each(?)
      ) as terms cross join word_counts
      where word_counts match terms.term
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
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", coalesce("hits"."weight1", 0) as "weight1"
  from "hits" cross join "documents"
  where "documents"."id" = "hits"."document_id" and (documents.access = 'public' and documents.status in ('success', 'readable') or exists (
    select 1
    from document_audiences
    where document_audiences.document_id = documents.id and "document_audiences"."audience" in (
      select value
      from json_each(?)
    )
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
  select documents.id, cast("documents"."access" || char(127) || "documents"."status" || char(127) || "documents"."user_id" || char(127) || "documents"."organization_id" || char(127) || "documents"."language" || char(127) || coalesce((
      select document_languages.language
      from document_languages
      where document_languages.document_id = documents.id
    ), documents.language
  ) || char(127) || "documents"."original_extension" || char(127) || substr(documents.created_at, 1, 4) as text) as joined_values
  from "newest" cross join "documents"
  where "documents"."id" = "newest"."id"
), page as materialized (
  select id, value, created_at
  from ranked
  where id > ?
  order by id asc
  limit 26 offset 0
), counted as materialized (
  select (
    select count(*)
    from found
  ) as total, (
    select count(*)
    from faceted
  ) as faceted, (
    select value_counts(json_group_array(joined_values), ?, 51)
    from faceted
  ) as facets, (
    select value_counts(json_group_array(joined_values), ?, 51)
    from (
      select cast("held"."value" as text) as joined_values
      from (
        select project_memberships.project_id as value
        from faceted cross join project_memberships on project_memberships.document_id = faceted.id cross join projects on projects.id = project_memberships.project_id
        where (projects.private = false or "projects"."id" in (
          select value
          from json_each(?)
        ))
      ) as held
    ) as held
  ) as "facets8", (
    select value_counts(json_group_array(joined_values), ?, 51)
    from (
      select cast("held"."value" as text) as joined_values
      from (
        select document_data.key as value
        from "faceted" cross join "document_data"
        where "document_data"."document_id" = "faceted"."id"
      ) as held
    ) as held
  ) as "facets9", (
    select value_counts(json_group_array(joined_values), ?, 51)
    from (
      select cast("held"."value" as text) as joined_values
      from (with keyed as materialized (
          select faceted.id, document_data.lowest, document_data.highest
          from "faceted" cross join "document_data"
          where "document_data"."document_id" = "faceted"."id" and document_data.key = ?
        )
        select lowest as value
        from keyed
        where lowest = highest
        union all
        select several.value
        from (
          select distinct keyed.id, item.value
          from keyed cross join documents on documents.id = "keyed"."id" cross join json_each("documents"."data", ?) as item
          where keyed.lowest <> keyed.highest
        ) as several
      ) as held
    ) as held
  ) as "facets10", (
    select value_counts(json_group_array(joined_values), ?, 51)
    from (
      select cast("held"."value" as text) as joined_values
      from (
        select distinct mentions.document_id, "mentions"."kind" as value
        from "faceted" cross join "mentions"
        where "mentions"."document_id" = "faceted"."id"
      ) as held
    ) as held
  ) as "facets11", (
    select value_counts(json_group_array(joined_values), ?, 51)
    from (
      select cast("held"."value" as text) as joined_values
      from (
        select distinct mentions.document_id, "mentions"."value" as value
        from "faceted" cross join "mentions"
        where "mentions"."document_id" = "faceted"."id" and mentions.kind = ?
      ) as held
    ) as held
  ) as "facets12"
)
select page.id, page.value, page.created_at, counted.*
from page left join counted on page.id = (
  select min(id)
  from page
)
order by id asc

-- collaborator: GET /api/notes/?q=%22port%20harbour%22%20OR%20%22port%20harbour%22~2%20OR%20title%3A%22port%20harbour%22%20OR%20text%3Aharb*%20OR%20port%5E2
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
))) and notes.document_id in (with hits as (
    select cast(document_id as bigint) as document_id, cast(sum(case word when 0 then weight else 0 end) as bigint) as "weight0", cast(sum(case word when 1 then weight else 0 end) as bigint) as "weight1", cast(sum(case word when 2 then weight else 0 end) as bigint) as "weight2", cast(sum(case word when 3 then weight else 0 end) as bigint) as "weight3", cast(sum(case word when 4 then weight else 0 end) as bigint) as "weight4"
    from (
      select document_id, 0 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
      from (
        select document_id, part, 10 as units
        from (
          select document_words.rowid / 1048576 as document_id, document_words.rowid % 1048576 as part
          from document_words
          where document_words match ?
        ) as holding
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
      union all
      select document_id, 1 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
      from (
        select document_id, part, 10 as units
        from (
          select document_words.rowid / 1048576 as document_id, document_words.rowid % 1048576 as part
          from document_words
          where document_words match ?
        ) as holding
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
      union all
      select document_id, 2 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
      from (
        select document_id, part, 10 as units
        from (
          select document_words.rowid / 1048576 as document_id, document_words.rowid % 1048576 as part
          from document_words
          where document_words match ?
        ) as holding
      ) as parts
      where part = 0
      union all
      select document_id, 3 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
      from (
        select document_id, part, 10 as units
        from (
          select document_words.rowid / 1048576 as document_id, document_words.rowid % 1048576 as part
          from document_words
          where document_words match ?
        ) as holding
      ) as parts
      where part >= 3 and part < 524288
      union all
      select document_id, 4 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
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
  )) and (coalesce("hits"."weight0", 0) > 0 or coalesce("hits"."weight1", 0) > 0 or coalesce("hits"."weight2", 0) > 0 or coalesce("hits"."weight3", 0) > 0 or coalesce("hits"."weight4", 0) > 0)
)
order by notes.id desc
limit 26

-- collaborator: GET /api/documents/search/?hl=true&q=harbour%20title%3Aharbour%20source%3Aharbour%20description%3Aharbour%20text%3Aharbour%20page_no_2%3Aharbour
select document_id, page, total
from (
  select document_id, part - 3 as page, count(*) over (partition by document_id) as total, row_number() over (partition by document_id order by part) as position
  from (
    select document_id, part
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
    where part >= 3 and part < 524288
    union
    select document_id, part
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
    where part >= 3 and part < 524288 and part = 0
    union
    select document_id, part
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
    where part >= 3 and part < 524288 and part = 1
    union
    select document_id, part
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
    where part >= 3 and part < 524288 and part = 2
    union
    select document_id, part
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
    where part >= 3 and part < 524288 and part >= 3 and part < 524288
    union
    select document_id, part
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
    where part >= 3 and part < 524288 and part = ?
  ) as matching
) as numbered
where position <= 150
order by document_id, page

-- user: GET /api/documents/search/?q=harbour+-port&sort=score&facets=access,status,user,organization,language,text_language,original_extension,year,project,data,data_k,mention,mention_iban&cursor=WzIsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiIsMyxbMywxMF1d
with hits as (
  select cast(document_id as bigint) as document_id, cast(sum(case word when 0 then weight else 0 end) as bigint) as "weight0", cast(sum(case word when 1 then weight else 0 end) as bigint) as "weight1"
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
    union all
    select document_id, 1 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select word_counts.rowid % 1099511627776 as document_id, word_counts.rowid / 1099511627776 as part, terms.units as units
      from (
        select key as term, value as units, null as languages
        from json_each(?)
      ) as terms cross join word_counts
      where word_counts match terms.term
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
), found as materialized (
  select documents.id, documents.created_at, coalesce("hits"."weight0", 0) as "weight0", coalesce("hits"."weight1", 0) as "weight1", cast(coalesce(document_lengths.words, 0) as double precision) as length
  from "hits" cross join "documents" left join document_lengths on document_lengths.document_id = documents.id
  where "documents"."id" = "hits"."document_id" and (documents.access = 'public' and documents.status in ('success', 'readable') or exists (
    select 1
    from document_audiences
    where document_audiences.document_id = documents.id and "document_audiences"."audience" in (
      select value
      from json_each(?)
    )
  )) and (coalesce("hits"."weight0", 0) > 0 and not (coalesce("hits"."weight1", 0) > 0))
), totals as materialized (
  select cast(? as double precision) as "found", cast(? as double precision) as "length"
), factors as materialized (
  select case when length > 0 then length / found else 1 end as length, 1000000 * cast(? as double precision) * 1 as "rarity0"
  from totals
), ranked as (
  select found.id, found.created_at, cast(floor("factors"."rarity0" * (1 - 15 / (15 + ("found"."weight0" >> 32) + ("found"."weight0" & 4294967295) / (0.25 + 0.75 * found.length / factors.length)))) as bigint) as value
  from found cross join factors
), newest as materialized (
  select id
  from found
  order by id desc
  limit 100000
), faceted as materialized (
  select documents.id, cast("documents"."access" || char(127) || "documents"."status" || char(127) || "documents"."user_id" || char(127) || "documents"."organization_id" || char(127) || "documents"."language" || char(127) || coalesce((
      select document_languages.language
      from document_languages
      where document_languages.document_id = documents.id
    ), documents.language
  ) || char(127) || "documents"."original_extension" || char(127) || substr(documents.created_at, 1, 4) as text) as joined_values
  from "newest" cross join "documents"
  where "documents"."id" = "newest"."id"
), page as materialized (
  select id, value, created_at
  from ranked
  where value <= ? and (value < ? or (created_at < ? or (created_at = ? and id < ?)))
  order by value desc, created_at desc, id desc
  limit 26 offset 0
), counted as materialized (
  select (
    select count(*)
    from found
  ) as total, (
    select count(*)
    from faceted
  ) as faceted, (
    select value_counts(json_group_array(joined_values), ?, 51)
    from faceted
  ) as facets, (
    select value_counts(json_group_array(joined_values), ?, 51)
    from (
      select cast("held"."value" as text) as joined_values
      from (
        select project_memberships.project_id as value
        from faceted cross join project_memberships on project_memberships.document_id = faceted.id cross join projects on projects.id = project_memberships.project_id
        where (projects.private = false or "projects"."id" in (
          select value
          from json_each(?)
        ))
      ) as held
    ) as held
  ) as "facets8", (
    select value_counts(json_group_array(joined_values), ?, 51)
    from (
      select cast("held"."value" as text) as joined_values
      from (
        select document_data.key as value
        from "faceted" cross join "document_data"
        where "document_data"."document_id" = "faceted"."id"
      ) as held
    ) as held
  ) as "facets9", (
    select value_counts(json_group_array(joined_values), ?, 51)
    from (
      select cast("held"."value" as text) as joined_values
      from (with keyed as materialized (
          select faceted.id, document_data.lowest, document_data.highest
          from "faceted" cross join "document_data"
          where "document_data"."document_id" = "faceted"."id" and document_data.key = ?
        )
        select lowest as value
        from keyed
        where lowest = highest
        union all
        select several.value
        from (
          select distinct keyed.id, item.value
          from keyed cross join documents on documents.id = "keyed"."id" cross join json_each("documents"."data", ?) as item
          where keyed.lowest <> keyed.highest
        ) as several
      ) as held
    ) as held
  ) as "facets10", (
    select value_counts(json_group_array(joined_values), ?, 51)
    from (
      select cast("held"."value" as text) as joined_values
      from (
        select distinct mentions.document_id, "mentions"."kind" as value
        from "faceted" cross join "mentions"
        where "mentions"."document_id" = "faceted"."id"
      ) as held
    ) as held
  ) as "facets11", (
    select value_counts(json_group_array(joined_values), ?, 51)
    from (
      select cast("held"."value" as text) as joined_values
      from (
        select distinct mentions.document_id, "mentions"."value" as value
        from "faceted" cross join "mentions"
        where "mentions"."document_id" = "faceted"."id" and mentions.kind = ?
      ) as held
    ) as held
  ) as "facets12", totals."found" as "total_found", totals."length" as "total_length"
  from totals
)
select page.id, page.value, page.created_at, counted.*
from page left join counted on page.id = (
  select min(id)
  from page
)
order by value desc, created_at desc, id desc

-- administrator: GET /api/documents/search/?q=harbour+port+a+b+c+of&sort=-score&cursor=WzIsIjIwMjUtMDEtMzFUMTI6MDA6MDAuMDAwMDAwWiIsMyxbMywxMCw2LDEsMSwxLDEsMSwxXV0
with hits_by_word as materialized (
  select cast(document_id as bigint) as document_id, word, cast(sum(weight) as bigint) as weight
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
    union all
    select document_id, 1 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
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
    union all
    select document_id, 2 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select word_counts.rowid % 1099511627776 as document_id, word_counts.rowid / 1099511627776 as part, terms.units as units
      from (
        select key as term, value as units, null as languages
        from json_each(?)
      ) as terms cross join word_counts
      where word_counts match terms.term
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = ?) or (notes.access = 'organization' and 1 = 1))
    ))
    union all
    select document_id, 3 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select word_counts.rowid % 1099511627776 as document_id, word_counts.rowid / 1099511627776 as part, terms.units as units
      from (
        select key as term, value as units, null as languages
        from json_each(?)
      ) as terms cross join word_counts
      where word_counts match terms.term
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = ?) or (notes.access = 'organization' and 1 = 1))
    ))
    union all
    select document_id, 4 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select word_counts.rowid % 1099511627776 as document_id, word_counts.rowid / 1099511627776 as part, terms.units as units
      from (
        select key as term, value as units, null as languages
        from json_each(?)
      ) as terms cross join word_counts
      where word_counts match terms.term
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = ?) or (notes.access = 'organization' and 1 = 1))
    ))
    union all
    select document_id, 5 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select word_counts.rowid % 1099511627776 as document_id, word_counts.rowid / 1099511627776 as part, terms.units as units
      from (
        select key as term, value as units, null as languages
        from json_each(?)
      ) as terms cross join word_counts
      where word_counts match terms.term
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and (notes.access = 'public' or (notes.access <> 'invisible' and notes.user_id = ?) or (notes.access = 'organization' and 1 = 1))
    ))
  ) as rows
  group by document_id, word
), hits as (
  select distinct document_id
  from hits_by_word
), found as materialized (
  select documents.id, documents.created_at, cast(coalesce(document_lengths.words, 0) as double precision) as length
  from "hits" cross join "documents" left join document_lengths on document_lengths.document_id = documents.id
  where "documents"."id" = "hits"."document_id" and (documents.access = 'public' and documents.status in ('success', 'readable') or exists (
    select 1
    from document_audiences
    where document_audiences.document_id = documents.id and "document_audiences"."audience" in (
      select value
      from json_each(?)
    )
  )) and 1 = 1
), totals as materialized (
  select cast(? as double precision) as "found", cast(? as double precision) as "length", cast(? as double precision) as "searched", cast(? as double precision) as "having0", cast(? as double precision) as "having1", cast(? as double precision) as "having2", cast(? as double precision) as "having3", cast(? as double precision) as "having4", cast(? as double precision) as "having5"
), factors as materialized (
  select case when length > 0 then length / found else 1 end as length, 1000000 * cast(? as double precision) * ln(1 + (searched - "having0" + 0.5) / ("having0" + 0.5)) as "rarity0", 1000000 * cast(? as double precision) * ln(1 + (searched - "having1" + 0.5) / ("having1" + 0.5)) as "rarity1", 1000000 * cast(? as double precision) * ln(1 + (searched - "having2" + 0.5) / ("having2" + 0.5)) as "rarity2", 1000000 * cast(? as double precision) * ln(1 + (searched - "having3" + 0.5) / ("having3" + 0.5)) as "rarity3", 1000000 * cast(? as double precision) * ln(1 + (searched - "having4" + 0.5) / ("having4" + 0.5)) as "rarity4", 1000000 * cast(? as double precision) * ln(1 + (searched - "having5" + 0.5) / ("having5" + 0.5)) as "rarity5"
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

-- anonymous: GET /api/documents/search/?q=harbour+port+a+b+c+of
with hits_by_word as materialized (
  select cast(document_id as bigint) as document_id, word, cast(sum(weight) as bigint) as weight
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
    union all
    select document_id, 1 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
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
    union all
    select document_id, 2 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select word_counts.rowid % 1099511627776 as document_id, word_counts.rowid / 1099511627776 as part, terms.units as units
      from (
        select key as term, value as units, null as languages
        from json_each(?)
      ) as terms cross join word_counts
      where word_counts match terms.term
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and notes.access = 'public'
    ))
    union all
    select document_id, 3 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select word_counts.rowid % 1099511627776 as document_id, word_counts.rowid / 1099511627776 as part, terms.units as units
      from (
        select key as term, value as units, null as languages
        from json_each(?)
      ) as terms cross join word_counts
      where word_counts match terms.term
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and notes.access = 'public'
    ))
    union all
    select document_id, 4 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select word_counts.rowid % 1099511627776 as document_id, word_counts.rowid / 1099511627776 as part, terms.units as units
      from (
        select key as term, value as units, null as languages
        from json_each(?)
      ) as terms cross join word_counts
      where word_counts match terms.term
    ) as parts
    where (part < 524288 or exists (
      select 1
      from notes join documents on documents.id = notes.document_id
      where notes.document_id = parts.document_id and notes.part = parts.part and notes.access = 'public'
    ))
    union all
    select document_id, 5 as word, units * case when part < 3 then case part when 0 then 12884901888 when 1 then 12884901888 else 8589934592 end when part < 524288 then 1 else 4294967296 end as weight
    from (
      select word_counts.rowid % 1099511627776 as document_id, word_counts.rowid / 1099511627776 as part, terms.units as units
      from (
        select key as term, value as units, null as languages
        from json_each(?)
      ) as terms cross join word_counts
      where word_counts match terms.term
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
  from "hits" cross join "documents" indexed by "documents_ranked" left join document_lengths on document_lengths.document_id = documents.id
  where "documents"."id" = "hits"."document_id" and documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true) and 1 = 1
), totals as materialized (with searched as materialized (
    select (
      select count(*)
      from (
        select 1
        from documents indexed by "documents_searched"
        where documents.access = 'public' and documents.status in ('success', 'readable') and not (documents.noindex = true or documents.admin_noindex = true)
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
  select case when length > 0 then length / found else 1 end as length, 1000000 * cast(? as double precision) * ln(1 + (searched - "having0" + 0.5) / ("having0" + 0.5)) as "rarity0", 1000000 * cast(? as double precision) * ln(1 + (searched - "having1" + 0.5) / ("having1" + 0.5)) as "rarity1", 1000000 * cast(? as double precision) * ln(1 + (searched - "having2" + 0.5) / ("having2" + 0.5)) as "rarity2", 1000000 * cast(? as double precision) * ln(1 + (searched - "having3" + 0.5) / ("having3" + 0.5)) as "rarity3", 1000000 * cast(? as double precision) * ln(1 + (searched - "having4" + 0.5) / ("having4" + 0.5)) as "rarity4", 1000000 * cast(? as double precision) * ln(1 + (searched - "having5" + 0.5) / ("having5" + 0.5)) as "rarity5"
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
