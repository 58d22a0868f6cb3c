import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/** What administrators say of the site: at most one row. An empty text stands for the default. */
export async function siteBranding(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await sql`create table site_branding (
    id bigint primary key check (id = 1),
    name ${text} not null,
    about ${text} not null,
    colour ${text} not null,
    imprint_url ${text} not null,
    privacy_url ${text} not null,
    logo ${text} not null
  )`.execute(db);
}
