import type { Terms } from "./terms.ts";

/** Organizations, and the people who are their members. */
export function people({ engine, text, boolean, identity, no, yes, withoutRowid }: Terms): string[] {
  // SQLite has no computed default for a uuid: there a trigger gives rows one.
  const uuid = `uuid ${text} not null default ${engine === "postgres" ? "gen_random_uuid()::text" : "''"}`;
  return [
    `create table organizations (
      id ${identity},
      name ${text} not null,
      slug ${text} not null,
      individual ${boolean} not null default ${no},
      created_at ${text} not null,
      updated_at ${text} not null,
      ${uuid},
      avatar_url ${text} not null default ''
    )`,
    `create unique index organizations_by_uuid on organizations (uuid) where uuid <> ''`,
    ...uuidOfNew(engine, "organizations"),

    // Without a password, nobody can sign in as this user by one. `token_generation` increases whenever all earlier
    // tokens become invalid. `notice_choices` is a JSON object of those kinds of notices for which the person has
    // chosen how to be told. An empty language or time zone says that they have chosen none.
    `create table users (
      id ${identity},
      username ${text} not null unique,
      name ${text} not null,
      created_at ${text} not null,
      updated_at ${text} not null,
      ${uuid},
      email ${text} not null default '',
      avatar_url ${text} not null default '',
      password_hash ${text},
      is_active ${boolean} not null default ${yes},
      is_administrator ${boolean} not null default ${no},
      organization_id bigint references organizations (id),
      token_generation bigint not null default 0,
      language ${text} not null default '',
      time_zone ${text} not null default '',
      mail_notices ${boolean} not null default ${yes},
      notice_choices ${text} not null default '{}'
    )`,
    `create unique index users_by_uuid on users (uuid) where uuid <> ''`,
    `create unique index users_by_email on users (lower(email)) where email <> ''`,
    `create index users_by_lower_username on users (lower(username))`,
    ...uuidOfNew(engine, "users"),

    `create table organization_members (
      organization_id bigint not null references organizations (id),
      user_id bigint not null references users (id),
      is_admin ${boolean} not null default ${no},
      primary key (user_id, organization_id)
    ) ${withoutRowid}`,
    `create index organization_members_by_organization on organization_members (organization_id, user_id)`,
  ];
}

const uuidOfNew = (engine: Terms["engine"], table: string): string[] =>
  engine === "postgres"
    ? []
    : [
        `create trigger ${table}_uuid after insert on ${table} when new.uuid = '' begin
          update ${table} set uuid =
            lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' ||
              substr('89ab', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))
            where id = new.id; end`,
      ];
