import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { HistoryEntry } from "../../contract/document.ts";
import type { Named } from "../../contract/project.ts";
import type { Page } from "../../contract/shape.ts";
import { type Names, idsIn, lineOf } from "../model/history-words.ts";
import type { ViewerState } from "../state/viewer-state.ts";
import { reasonOf } from "../model/send.ts";
import { Tool } from "./tool.tsx";
import { momentInWords } from "../texts/moments.ts";
import { editingTexts as texts } from "../texts/editing-texts.ts";
import { texts as viewerTexts } from "../texts/texts.ts";

/** Shows who changed what in the document, and when. */
export function openHistory(viewer: ViewerState): void {
  viewer.openTool(() => <DocumentHistory viewer={viewer} />);
}

function DocumentHistory({ viewer }: { viewer: ViewerState }) {
  const entries = useSignal<readonly HistoryEntry[]>([]);
  const names = useSignal<Names>({ users: new Map(), projects: new Map(), organizations: new Map() });
  const next = useSignal<string | null>(`${viewer.api.path}history/`);
  const isLoading = useSignal(false);
  const problem = useSignal("");

  const load = async (): Promise<void> => {
    const path = next.value;
    if (path === null || isLoading.value) return;
    isLoading.value = true;
    problem.value = "";
    try {
      const page = await viewer.api.get<Page<HistoryEntry>>(path);
      names.value = await namesFor(viewer, page.results, names.value);
      entries.value = [...entries.value, ...page.results];
      next.value = page.next;
    } catch (error) {
      problem.value = reasonOf(error);
    }
    isLoading.value = false;
  };
  useEffect(() => void load(), []);

  return (
    <Tool title={texts.history.heading}>
      <p class="buttons">
        <button type="button" class="button small" onClick={() => viewer.closeTool()}>
          {viewerTexts.close}
        </button>
      </p>
      {entries.value.length === 0 && !isLoading.value && problem.value === "" && (
        <p class="quiet">{texts.history.nothing}</p>
      )}
      <ol class="history-list">
        {entries.value.map((entry) => (
          <Entry key={entry.id} entry={entry} names={names.value} />
        ))}
      </ol>
      {isLoading.value && <p class="quiet">{viewerTexts.loading}</p>}
      {problem.value !== "" && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {next.value !== null && !isLoading.value && (
        <p class="buttons">
          <button type="button" class="button small" onClick={() => void load()}>
            {problem.value === "" ? texts.history.earlier : viewerTexts.tryAgain}
          </button>
        </p>
      )}
    </Tool>
  );
}

function Entry({ entry, names }: { entry: HistoryEntry; names: Names }) {
  const { who, what, details } = lineOf(entry, names);
  return (
    <li>
      <time class="quiet" dateTime={entry.at}>
        {momentInWords(entry.at)}
      </time>
      <p>
        <strong dir="auto">{who}</strong> <span dir="auto">{what}</span>
      </p>
      {details.length > 0 && (
        <ul>
          {details.map((detail) => (
            <li key={detail} dir="auto">
              {detail}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** Adds the names that are not known yet. Users and projects that the reader may not know stay without a name. */
async function namesFor(viewer: ViewerState, entries: readonly HistoryEntry[], known: Names): Promise<Names> {
  const ids = idsIn(entries);
  const found = await Promise.all(
    (["users", "projects", "organizations"] as const).map(async (kind) => {
      const missing = ids[kind].filter((id) => !known[kind].has(id));
      if (missing.length === 0) return known[kind];
      const path = `${kind}/?per_page=100&id__in=${missing.join(",")}`;
      const { results } = await viewer.api.get<Page<Named>>(path);
      return new Map([...known[kind], ...results.map((one) => [one.id, nameOf(one)] as const)]);
    }),
  );
  const [users = known.users, projects = known.projects, organizations = known.organizations] = found;
  return { users, projects, organizations };
}

function nameOf({ name = "", username = "", title = "" }: Named): string {
  return title || name || username;
}
