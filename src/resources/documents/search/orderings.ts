/** How what was found is ordered; those that are alike, the newest first. */
export interface SearchOrdering {
  /** As it was asked for. */
  name: string;
  by: "score" | "created_at" | "page_count" | "title" | "source" | "id" | { data: string };
  isDescending: boolean;
}

const byScore: SearchOrdering = { name: "score", by: "score", isDescending: true };

/** As in that API, numbers and dates go down where a minus would be expected to make them. */
const downByThemselves: ReadonlySet<unknown> = new Set(["created_at", "page_count"]);

/** What is not known is as if nothing had been asked for. */
export function readSearchOrdering(text: string | undefined): SearchOrdering {
  const [, minus = "", name = ""] = /^(-?)([\w-]+)$/.exec(text ?? "") ?? [];
  const by = columnOf(name);
  if (text === undefined || by === null) return byScore;
  const isTurned = minus !== "";
  return { name: text, by, isDescending: downByThemselves.has(by) ? !isTurned : isTurned };
}

function columnOf(name: string): Exclude<SearchOrdering["by"], "score"> | null {
  switch (name) {
    case "created_at":
    case "page_count":
    case "title":
    case "source":
    case "id":
      return name;
    default:
      return /^data_[\w-]{1,50}$/.test(name) ? { data: name.slice("data_".length) } : null;
  }
}
