import type { HistoryEntry } from "../../../contract/document.ts";
import type { HistoryRow } from "../history-store.ts";

type Members = Record<string, [from: unknown, to: unknown]>;

/** The ids of the projects that these entries name. */
export function projectsIn(rows: readonly HistoryRow[]): number[] {
  const named = rows.flatMap(({ changes }) => {
    const { project = [], projects = [] } = JSON.parse(changes) as Members;
    return [...project, ...projects].flat();
  });
  return [...new Set(named.filter((id): id is number => typeof id === "number"))];
}

/** Which members of a history entry a viewer may see. */
export interface KnownInHistory {
  /** The projects that the viewer may know about. Null means all projects. */
  projects: ReadonlySet<number> | null;
  /** Whether the viewer may know the hashes of earlier files, as those who may change the document. */
  hashes: boolean;
}

/** A history entry as the API shows it to a viewer. */
export function presentHistory(
  { id, at, user_id, action, changes }: HistoryRow,
  { projects: known, hashes }: KnownInHistory,
): HistoryEntry {
  const ofKnown = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter((project) => known?.has(project as number));
    return known?.has(value as number) === true ? value : null;
  };
  const members = Object.entries(JSON.parse(changes) as Members).filter(
    ([name]) => hashes || name !== "file_hash",
  );
  const visible = members.map(([name, [from, to]]) => {
    const isOfSome = known !== null && (name === "project" || name === "projects");
    return [name, isOfSome ? { from: ofKnown(from), to: ofKnown(to) } : { from, to }] as const;
  });
  return { id, at, user: user_id, action, changes: Object.fromEntries(visible) };
}
