import type { Terms } from "./terms.ts";

/**
 * Projects, the people who work in them, and those who have pinned them. `added_by` and `added_at` are null for
 * collaborators from before they were noted.
 */
export const projects = ({ text, boolean, identity, no, withoutRowid }: Terms): string[] => [
  `create table projects (
    id ${identity},
    title ${text} not null,
    slug ${text} not null,
    description ${text} not null default '',
    private ${boolean} not null default ${no},
    user_id bigint not null references users (id),
    created_at ${text} not null,
    updated_at ${text} not null
  )`,
  `create table project_collaborators (
    project_id bigint not null references projects (id) on delete cascade,
    user_id bigint not null references users (id),
    access ${text} not null check (access in ('view', 'edit', 'admin')),
    added_by bigint references users (id) on delete set null,
    added_at ${text},
    primary key (user_id, project_id)
  ) ${withoutRowid}`,
  `create index project_collaborators_by_project on project_collaborators (project_id, user_id)`,
  `create table project_pins (
    user_id bigint not null references users (id),
    project_id bigint not null references projects (id) on delete cascade,
    primary key (user_id, project_id)
  ) ${withoutRowid}`,
  `create index project_pins_by_project on project_pins (project_id)`,
];
