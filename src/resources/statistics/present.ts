const accesses = ["public", "organization", "private", "invisible"];
import { statuses } from "../document-states.ts";

/** A day's counts under the names that clients of that API know. */
export function presentStatistics(
  counts: ReadonlyMap<string, number>,
  now: Date,
): Record<string, number | string> {
  const date = now.toISOString().slice(0, 10);
  const count = (name: string): number => counts.get(name) ?? 0;
  const byAccess = (what: string): [string, number][] => [
    [`total_${what}`, accesses.reduce((sum, access) => sum + count(`${what} ${access}`), 0)],
    ...accesses.map((access): [string, number] => [`total_${what}_${access}`, count(`${what} ${access}`)]),
  ];
  const uploaded = (what: string): [string, number][] => [
    [`total_${what}_uploaded`, count(`${what} uploaded`)],
    ...["public", "private", "organization"].map((access): [string, number] => [
      `total_${what}_${access}_uploaded`,
      count(`${what} ${access}`),
    ]),
  ];
  return Object.fromEntries([
    ["id", Number(date.replaceAll("-", ""))],
    ["date", date],
    ...byAccess("documents"),
    ...statuses.map((status): [string, number] => [
      `total_documents_${status}`,
      count(`documents ${status}`),
    ]),
    ...byAccess("pages"),
    ...byAccess("notes"),
    ["total_projects", count("projects")],
    ...uploaded("users"),
    ...uploaded("organizations"),
  ]);
}
