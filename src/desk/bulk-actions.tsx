import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { Dialog } from "../viewer/dialog.tsx";
import { AccessField, ChoiceField, ProjectField } from "./choice-fields.tsx";
import type { DeskApi, Project } from "./model/desk-api.ts";
import { type DocumentList, maxSelected } from "./model/document-list.ts";
import { texts } from "./model/texts.ts";

type Action = keyof typeof texts.actions;

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
  const { trashDays } = api.options;
  const id = useId();
  const action = useSignal<Action>("access");
  const first = useSignal("");
  const second = useSignal("");
  const isAsking = useSignal(false);
  const selected = list.selected.value.size;
  const count = list.changeable.value.length;
  const documents = [...list.selected.value.values()];
  const withoutFile = documents.filter((document) => !api.hasFile(document)).length;
  const setFirst = (value: string): void => {
    first.value = value;
  };
  const start = (): void => {
    const [one, other] = [first.value, second.value];
    switch (action.value) {
      case "access":
        void list.change({ access: one === "" ? "private" : one });
        break;
      case "project":
        if (one !== "") void list.addToProject(Number(one));
        break;
      case "data":
        void list.addData(one, other);
        break;
      case "source":
        void list.change({ source: one });
        break;
      case "process":
        void list.process();
        break;
      case "redact":
        location.assign(list.redactAddress());
        break;
      case "delete":
        isAsking.value = true;
        break;
    }
  };
  const isChanging = list.isChanging.value;
  const field = (name: string, label: string, value: typeof first, more: object = {}, help = "") => (
    <p class="field">
      <label for={`${id}-${name}`}>{label}</label>
      <input
        id={`${id}-${name}`}
        value={value.value}
        onInput={({ currentTarget }) => {
          value.value = currentTarget.value;
        }}
        {...(help !== "" && { title: help, "aria-describedby": `${id}-${name}-help` })}
        {...more}
      />
      {help !== "" && (
        <span class="help" id={`${id}-${name}-help`}>
          {help}
        </span>
      )}
    </p>
  );
  return (
    <form
      class="bulk"
      aria-label={texts.changeSelected}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isChanging) start();
      }}
    >
      <p class="bulk-count">
        {texts.selected(selected)} {count < selected && texts.notChangeable(selected - count)}{" "}
        {withoutFile > 0 && texts.withoutFile(withoutFile)}
      </p>
      <ChoiceField
        label={texts.changeSelected}
        value={action.value}
        choices={Object.entries(texts.actions)}
        onChange={(name) => {
          action.value = name as Action;
          first.value = "";
          second.value = "";
        }}
      />
      {action.value === "access" && (
        <AccessField
          value={first.value === "" ? "private" : first.value}
          help={texts.access.means[first.value === "" ? "private" : first.value]}
          onChange={setFirst}
        />
      )}
      {action.value === "project" && projects.length > 0 && (
        <ProjectField isRequired projects={projects} value={first.value} onChange={setFirst} />
      )}
      {action.value === "project" && projects.length === 0 && (
        <p>
          {texts.project.noneYours} <a href={api.projectsPage}>{texts.project.newProject}</a>
        </p>
      )}
      {action.value === "data" && (
        <>
          {field(
            "key",
            texts.key,
            first,
            { required: true, maxLength: 50, pattern: "[A-Za-z0-9_\\-]+" },
            texts.keyHelp,
          )}
          {field("value", texts.value, second, { required: true, maxLength: 300 })}
        </>
      )}
      {action.value === "source" && field("source", texts.source, first, { maxLength: 1000 })}
      <p class="buttons">
        <button
          class={`button ${action.value === "delete" ? "danger" : "primary"}`}
          disabled={count === 0}
          aria-disabled={isChanging || undefined}
        >
          {texts.apply}
        </button>
        {selected <= maxSelected && withoutFile < selected && (
          <a class="button" href={api.archiveOf(documents)} download>
            {texts.download}
          </a>
        )}
        <button type="button" class="button" onClick={() => list.deselect()}>
          {texts.deselect}
        </button>
      </p>
      {isAsking.value && (
        <Dialog
          title={texts.askDelete(count)}
          onClose={() => {
            isAsking.value = false;
          }}
        >
          <p>{trashDays === 0 ? texts.deletedForEver : texts.deletedFor(trashDays)}</p>
          <p class="buttons">
            <button
              type="button"
              class="button danger"
              onClick={() => {
                isAsking.value = false;
                void list.remove();
              }}
            >
              {trashDays === 0 ? texts.deleteForGood : texts.deleteThem}
            </button>
          </p>
        </Dialog>
      )}
    </form>
  );
}
