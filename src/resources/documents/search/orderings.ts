/** The ordering of results. Ties are broken by age, newest first. */
export interface SearchOrdering {
  /** The client's spelling. */
  name: string;
  by: "score" | "created_at" | "updated_at" | "page_count" | "title" | "source" | "id" | { data: string };
  isDescending: boolean;
}

const byScore: SearchOrdering = { name: "score", by: "score", isDescending: true };

/**
 * As in DocumentCloud (which cannot order by `updated_at`), dates and page counts are descending without a minus, and
 * ascending with one.
 */
const descendingByDefault: ReadonlySet<unknown> = new Set(["created_at", "updated_at", "page_count"]);

/** An unknown ordering is ignored. */
export function readSearchOrdering(text: string | undefined): SearchOrdering {
  const [, minus = "", name = ""] = /^(-?)([\w-]+)$/.exec(text ?? "") ?? [];
  const by = columnOf(name);
  if (text === undefined || by === null) return byScore;
  const isReversed = minus !== "";
  return { name: text, by, isDescending: descendingByDefault.has(by) ? !isReversed : isReversed };
}

function columnOf(name: string): Exclude<SearchOrdering["by"], "score"> | null {
  switch (name) {
    case "created_at":
    case "updated_at":
    case "page_count":
    case "title":
    case "source":
    case "id":
      return name;
    default:
      return /^data_[\w-]{1,50}$/.test(name) ? { data: name.slice("data_".length) } : null;
  }
}
