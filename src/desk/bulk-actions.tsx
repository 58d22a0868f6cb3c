import { useSignal } from "@preact/signals";
import { useState } from "preact/hooks";
import { isDescribing } from "../contract/describing-fields.ts";
import { maxInArchive } from "../contract/limits.ts";
import type { Project } from "../contract/project.ts";
import { Ask } from "../viewer/dialog.tsx";
import { DescribingField } from "../viewer/form/describing-field.tsx";
import type { Draft } from "../viewer/form/draft.ts";
import { ChoiceField, TextField } from "../viewer/form/field.tsx";
import { Form } from "../viewer/form/form.tsx";
import { menuTexts } from "../viewer/texts/menu-texts.ts";
import { type BulkValues, bulkActions, bulkDraft, changeSelected } from "./bulk-draft.ts";
import { AccessField, LanguageField, ProjectField } from "./choice-fields.tsx";
import type { DeskApi } from "./model/desk-api.ts";
import type { BulkAction, DocumentList } from "./model/document-list.ts";
import { texts } from "./model/texts.ts";

/** The actions on the selected documents. */
export function BulkActions({
  api,
  list,
  projects,
}: {
  api: DeskApi;
  list: DocumentList;
  projects: readonly Project[];
}) {
  const { action } = list;
  const [draft] = useState(() => bulkDraft(() => action.peek()));
  const isAsking = useSignal(false);
  const changeable = action.value === "publish_at" ? list.unpublished.value : list.changeable.value;
  const apply = async (): Promise<void> => {
    const isDone = await draft.submit((values) => changeSelected(list, action.peek(), values));
    if (isDone) draft.reset();
  };
  const start = (): void => {
    if (list.isChanging.peek()) return;
    if (action.value === "delete") isAsking.value = true;
    else void apply();
  };
  return (
    <>
      <Form
        draft={draft}
        send={start}
        submit={texts.apply}
        label={texts.changeSelected}
        class="bulk"
        isDangerous={action.value === "delete"}
        isUnavailable={changeable.length === 0}
        more={<OtherButtons api={api} list={list} />}
      >
        <p class="bulk-count">{texts.selected(list.selected.value.size)}</p>
        <Remarks api={api} list={list} count={changeable.length} />
        <ChoiceField
          field={{
            value: action.value,
            set: (chosen) => {
              action.value = chosen;
              draft.reset();
            },
          }}
          label={texts.changeSelected}
          choices={bulkActions}
        />
        <ActionFields api={api} action={action.value} draft={draft} projects={projects} />
      </Form>
      {isAsking.value && (
        <AskToDelete
          count={changeable.length}
          days={api.options.trashDays}
          onClose={() => (isAsking.value = false)}
          onAnswer={apply}
        />
      )}
    </>
  );
}

/** Which of the selected documents an action leaves out. */
function Remarks({ api, list, count }: { api: DeskApi; list: DocumentList; count: number }) {
  const selected = list.selected.value.size;
  const changeable = list.changeable.value.length;
  const withoutFile = selected - withFile(api, list).length;
  const remarks = [
    changeable < selected && texts.notChangeable(selected - changeable),
    count < changeable && texts.publicAlready(changeable - count),
    withoutFile > 0 && texts.withoutFile(withoutFile),
  ].filter((remark) => remark !== false);
  return remarks.length > 0 ? <p class="help">{remarks.join(" ")}</p> : null;
}

const withFile = (api: DeskApi, list: DocumentList) =>
  [...list.selected.value.values()].filter((document) => api.hasFile(document));

function OtherButtons({ api, list }: { api: DeskApi; list: DocumentList }) {
  const selected = [...list.selected.value.values()];
  const ids = selected.map(({ id }) => id).join();
  const { addons } = api.options;
  return (
    <>
      {selected.length <= maxInArchive && withFile(api, list).length > 0 && (
        <>
          <a class="button" href={api.archiveOf(selected)} download>
            {texts.download}
          </a>
          <a class="button" href={api.archiveOf(selected, true)} download>
            {texts.downloadSearchable}
          </a>
        </>
      )}
      <a class="button" href={api.pageAddress(`productions/new/?documents=${ids}`)}>
        {texts.produce}
      </a>
      {addons !== "" && (
        <a class="button" href={`${addons}?document=${ids}`}>
          {menuTexts.runAddon}
        </a>
      )}
      <button type="button" class="button" onClick={() => list.deselect()}>
        {texts.deselect}
      </button>
    </>
  );
}

function ActionFields({
  api,
  action,
  draft,
  projects,
}: {
  api: DeskApi;
  action: BulkAction;
  draft: Draft<BulkValues>;
  projects: readonly Project[];
}) {
  if (isDescribing(action))
    return (
      <DescribingField
        name={action}
        words={texts.describing}
        field={draft.field(action)}
        help={texts.emptyRemoves}
      />
    );
  switch (action) {
    case "access":
      return (
        <AccessField field={draft.field("access")} help={texts.access.means[draft.values.value.access]} />
      );
    case "project":
      return projects.length > 0 ? (
        <ProjectField isRequired projects={projects} field={draft.field("project")} />
      ) : (
        <p>
          {texts.project.noneYours} <a href={api.pageAddress("projects/")}>{texts.newProject}</a>
        </p>
      );
    case "data":
      return (
        <>
          <TextField field={draft.field("key")} label={texts.key} help={texts.keyHelp} isRequired />
          <TextField field={draft.field("value")} label={texts.value} isRequired />
        </>
      );
    case "tag":
      return <TextField field={draft.field("tag")} label={texts.tag} isRequired />;
    case "language":
      return (
        <LanguageField
          isRequired
          languages={api.options.languages}
          field={draft.field("language")}
          help={texts.languageHelp}
        />
      );
    case "publish_at":
      return (
        <TextField
          field={draft.field("publish_at")}
          label={texts.publishAt}
          type="datetime-local"
          help={texts.publishAtHelp}
        />
      );
    case "process":
    case "redact":
    case "delete":
      return null;
  }
}

function AskToDelete({
  count,
  days,
  ...answers
}: {
  count: number;
  /** How long the trash keeps documents. */
  days: number;
  onClose: () => void;
  onAnswer: () => unknown;
}) {
  return (
    <Ask
      title={texts.askDelete(count)}
      answer={days === 0 ? texts.deleteForGood : texts.deleteThem}
      {...answers}
    >
      <p>{days === 0 ? texts.deletedForEver : texts.deletedFor(days)}</p>
    </Ask>
  );
}
