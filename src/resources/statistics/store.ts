import { sql } from "kysely";
import type { Database } from "../../database/database.ts";

export interface CountRow {
  name: string;
  count: number;
}

/** All counts by name. A single statement makes them consistent. */
export async function countAll(database: Database, timeLimitSeconds: number): Promise<Map<string, number>> {
  const rows = await database.queryWithTimeout(
    // Documents in the trash count only as deleted.
    sql<CountRow>`
      with listed as (select * from documents where status <> 'deleted')
      select 'documents ' || access as name, count(*) as count from listed group by access
      union all select 'documents ' || status, count(*) from documents group by status
      union all select 'pages ' || access, coalesce(sum(page_count), 0) from listed group by access
      union all select 'notes ' || notes.access, count(*) from notes
        join documents on documents.id = notes.document_id where documents.status <> 'deleted' group by notes.access
      union all select 'projects', count(*) from projects
      union all select 'users ' || access, count(distinct user_id) from listed group by access
      union all select 'users uploaded', count(distinct user_id) from listed
      union all select 'organizations ' || access, count(distinct organization_id) from listed group by access
      union all select 'organizations uploaded', count(distinct organization_id) from listed`,
    timeLimitSeconds,
  );
  return new Map(rows.map(({ name, count }) => [name, count]));
}
