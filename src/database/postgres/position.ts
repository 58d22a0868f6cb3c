import { timelineSql } from "./primary.ts";

/** Where the write-ahead log of a primary ended: a standby that has replayed it up to there has every commit before. */
export interface Position {
  timeline: number;
  /** In bytes. */
  location: number;
}

/**
 * After a failover, the new primary may give the same numbers to other transactions, so the version of the contents
 * names the timeline.
 */
export const versionSql = `pg_current_snapshot()::text || ' ' || ${timelineSql}`;

/**
 * A commit is visible to others once its log is flushed. So what the statement's snapshot shows is before the end of
 * what is flushed when the statement runs, unless commits do not wait for that.
 */
const locationSql = `case current_setting('synchronous_commit') when 'off'
  then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end`;

/** The version and the position in one question, for `readPosition`. */
export const versionAndPositionSql = `${versionSql}, ${timelineSql}, ${locationSql} - '0/0'`;

/** A row of {@link versionAndPositionSql}. */
export type VersionRow = [version: string, timeline: string, location: number];

export function positionIn([, timeline, location]: VersionRow): Position {
  return { timeline: Number.parseInt(timeline, 16), location };
}
