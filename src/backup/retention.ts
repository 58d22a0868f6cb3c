import { momentOfName } from "./repository-format.ts";

/** How many backups to keep. A backup is kept if any of these keeps it. */
export interface RetentionPolicy {
  /** The newest ones. */
  last: number | null;
  /** The newest backup of each of this many days, weeks, months or years that have backups. */
  daily: number | null;
  weekly: number | null;
  monthly: number | null;
  yearly: number | null;
}

const dayMilliseconds = 86_400_000;

/** The names of the periods to which a moment belongs, in UTC. Weeks begin on Mondays. */
const periods = {
  daily: (moment) => moment.toISOString().slice(0, 10),
  weekly: (moment) => {
    const monday = moment.getTime() - ((moment.getUTCDay() + 6) % 7) * dayMilliseconds;
    return new Date(monday).toISOString().slice(0, 10);
  },
  monthly: (moment) => moment.toISOString().slice(0, 7),
  yearly: (moment) => moment.toISOString().slice(0, 4),
} as const satisfies Record<string, (moment: Date) => string>;

/** Null if no rule is given: then all backups are kept. */
export function policyOf(rules: RetentionPolicy): RetentionPolicy | null {
  return Object.values(rules).every((rule) => rule === null) ? null : rules;
}

/** The backups of these names that a policy keeps. The newest one is always kept. */
export function keptBackups(names: readonly string[], policy: RetentionPolicy): Set<string> {
  const newestFirst = names.toSorted().toReversed();
  const kept = new Set(newestFirst.slice(0, Math.max(1, policy.last ?? 0)));
  for (const [rule, periodOf] of Object.entries(periods)) {
    const left = policy[rule as keyof typeof periods] ?? 0;
    const seen = new Set<string>();
    for (const name of newestFirst) {
      const period = periodOf(momentOfName(name) ?? new Date(0));
      if (seen.size === left && !seen.has(period)) break;
      if (!seen.has(period)) kept.add(name);
      seen.add(period);
    }
  }
  return kept;
}
