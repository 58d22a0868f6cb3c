import { sql } from "kysely";
import type { Database } from "../../database/database.ts";

export interface CountRow {
  name: string;
  count: number;
}

/** All counts by name. A single statement makes them consistent. */
export async function countAll(database: Database, timeLimitSeconds: number): Promise<Map<string, number>> {
  const rows = await database.queryWithTimeout(
    sql<CountRow>`
      select 'documents ' || access as name, count(*) as count from documents group by access
      union all select 'documents ' || status, count(*) from documents group by status
      union all select 'pages ' || access, coalesce(sum(page_count), 0) from documents group by access
      union all select 'notes ' || access, count(*) from notes group by access
      union all select 'projects', count(*) from projects
      union all select 'users ' || access, count(distinct user_id) from documents group by access
      union all select 'users uploaded', count(distinct user_id) from documents
      union all select 'organizations ' || access, count(distinct organization_id) from documents group by access
      union all select 'organizations uploaded', count(distinct organization_id) from documents`,
    timeLimitSeconds,
  );
  return new Map(rows.map(({ name, count }) => [name, count]));
}
