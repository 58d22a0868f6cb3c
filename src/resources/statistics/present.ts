const accesses = ["public", "organization", "private", "invisible"];
import { statuses } from "../../contract/document.ts";

/** A day's counts under the names that DocumentCloud's clients know. */
export function presentStatistics(
  counts: ReadonlyMap<string, number>,
  now: Date,
): Record<string, number | string> {
  const date = now.toISOString().slice(0, 10);
  const count = (name: string): number => counts.get(name) ?? 0;
  const byAccess = (kind: string): [string, number][] => [
    [`total_${kind}`, accesses.reduce((sum, access) => sum + count(`${kind} ${access}`), 0)],
    ...accesses.map((access): [string, number] => [`total_${kind}_${access}`, count(`${kind} ${access}`)]),
  ];
  const uploaded = (kind: string): [string, number][] => [
    [`total_${kind}_uploaded`, count(`${kind} uploaded`)],
    ...["public", "private", "organization"].map((access): [string, number] => [
      `total_${kind}_${access}_uploaded`,
      count(`${kind} ${access}`),
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
