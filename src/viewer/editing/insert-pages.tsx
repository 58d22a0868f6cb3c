import { useSignal } from "@preact/signals";
import { useState } from "preact/hooks";
import type { Document } from "../../contract/document.ts";
import type { SearchResults } from "../../contract/search.ts";
import { Draft } from "../form/draft.ts";
import { ChoiceField, RadioField, TextField } from "../form/field.tsx";
import { Form } from "../form/form.tsx";
import { SearchForm } from "../form/search-form.tsx";
import { Question } from "./question.tsx";
import { type Arrangement, type PageSource, maxPages, readPageNumbers } from "../model/arrangement.ts";
import type { ViewerState } from "../state/viewer-state.ts";
import { RefusedError, reasonOf } from "../model/send.ts";
import { editingTexts as texts } from "../texts/editing-texts.ts";
import { texts as viewerTexts } from "../texts/texts.ts";

interface InsertPagesProps {
  viewer: ViewerState;
  arrangement: Arrangement;
  onClose: () => void;
}

/** Asks for pages of another document and a position for them, and inserts them. */
export function InsertPages({ viewer, arrangement, onClose }: InsertPagesProps) {
  const query = useSignal("");
  const found = useSignal<readonly PageSource[] | null>(null);
  const problem = useSignal("");
  const find = async (): Promise<void> => {
    problem.value = "";
    const words = encodeURIComponent(query.value.trim());
    const path = `documents/search/?q=${words}&status=success&per_page=10`;
    try {
      const { results } = await viewer.api.get<SearchResults>(path);
      found.value = results
        .map((one) => Object.assign(one, { id: Number(one.id) }))
        .filter(({ page_count }) => page_count > 0);
    } catch (error) {
      problem.value = reasonOf(error);
    }
  };
  return (
    <Question title={texts.insert.heading} onClose={onClose}>
      <SearchForm
        query={query}
        label={texts.insert.find}
        submit={texts.insert.search}
        isRequired
        send={find}
      />
      <div role="alert">{problem.value !== "" && <p class="problem">{problem}</p>}</div>
      {found.value !== null && (
        <PagesForm viewer={viewer} arrangement={arrangement} onClose={onClose} found={found.value} />
      )}
    </Question>
  );
}

/** Chooses one of the documents that were found, its pages, and where they go. */
function PagesForm({
  viewer,
  arrangement,
  onClose,
  found,
}: InsertPagesProps & { found: readonly PageSource[] }) {
  const [draft] = useState(
    () => new Draft({ source: "", pages: "", position: "end" }, { isTransient: true }),
  );
  const chosen = arrangement.pages.value.findIndex(({ key }) => arrangement.selected.value.has(key));
  const insert = async ({ source, pages, position }: Record<"source" | "pages" | "position", string>) => {
    const from = found.find(({ id }) => String(id) === source);
    if (from === undefined) throw refused("source", texts.insert.chooseFirst);
    const numbers = readPageNumbers(pages, from.page_count);
    if (numbers === null) throw refused("pages", texts.insert.wrongPages(from.page_count));
    // A search result lacks what the images of its pages need.
    const whole = await viewer.api.get<Document>(`documents/${from.id}/`);
    const index = { end: arrangement.pages.value.length, start: 0, before: chosen }[position] ?? 0;
    if (!arrangement.insert(whole, numbers, index)) throw refused("pages", texts.insert.tooMany(maxPages));
    onClose();
  };
  return (
    <Form draft={draft} send={() => draft.submit(insert)} submit={texts.insert.insert}>
      <RadioField
        field={draft.field("source")}
        label={found.length === 0 ? texts.insert.nothing : viewerTexts.documents}
        choices={found.map(({ id, title, page_count }) => [
          String(id),
          <>
            {title === "" ? viewerTexts.untitled : title}{" "}
            <span class="quiet">{texts.pageCount(page_count)}</span>
          </>,
        ])}
      />
      <TextField
        field={draft.field("pages")}
        label={texts.insert.pages}
        placeholder={texts.insert.allPages}
        help={texts.insert.pagesHelp}
      />
      <ChoiceField
        field={draft.field("position")}
        label={texts.insert.where}
        choices={[
          ["end", texts.insert.atEnd],
          ["start", texts.insert.atBeginning],
          ...(chosen < 0 ? [] : [["before", texts.insert.before(chosen + 1)] as const]),
        ]}
      />
    </Form>
  );
}

const refused = (field: string, reason: string): RefusedError =>
  new RefusedError(400, reason, new Map([[field, reason]]));
