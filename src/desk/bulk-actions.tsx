import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { type DescribingName, describingNames, isDescribing } from "../contract/describing-fields.ts";
import { documentLimits, maxInArchive } from "../contract/limits.ts";
import { Dialog } from "../viewer/dialog.tsx";
import { inputFor } from "../viewer/model/describing-input.ts";
import { momentOf } from "../viewer/texts/local-time.ts";
import { timeZone } from "../viewer/texts/moments.ts";
import { AccessField, ChoiceField, LanguageField, ProjectField } from "./choice-fields.tsx";
import type { Project } from "../contract/project.ts";
import type { DeskApi } from "./model/desk-api.ts";
import type { DocumentList } from "./model/document-list.ts";
import { texts } from "./model/texts.ts";

type Action = keyof typeof texts.actions | DescribingName;

/** The actions in the order of the choice, with their names. */
const actions = Object.entries(texts.actions).flatMap((action) => {
  const setting = describingNames.map((each): [string, string] => [each, texts.describing[each].set]);
  return action[0] === "language" ? setting.concat([action]) : [action];
});

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
  const problem = useSignal("");
  const selected = list.selected.value.size;
  const changeable = list.changeable.value.length;
  const isPlanning = action.value === "publish_at";
  const count = isPlanning ? list.unpublished.value.length : changeable;
  const documents = [...list.selected.value.values()];
  const withoutFile = documents.filter((document) => !api.hasFile(document)).length;
  const setFirst = (value: string): void => {
    first.value = value;
    problem.value = "";
  };
  const start = (): void => {
    const [one, other] = [first.value, second.value];
    if (isDescribing(action.value)) return void list.change({ [action.value]: one });
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
      case "tag":
        void list.addData("_tag", one);
        break;
      case "publish_at":
        plan(one === "" ? null : momentOf(one, timeZone));
        break;
      case "language":
        void list.change({ language: one });
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
  const plan = (moment: string | null): void => {
    // The service would publish the documents at once.
    if (moment !== null && new Date(moment) <= new Date()) problem.value = texts.momentPassed;
    else void list.planPublication(moment);
  };
  const notes = [
    changeable < selected && texts.notChangeable(selected - changeable),
    count < changeable && texts.publicAlready(changeable - count),
    withoutFile > 0 && texts.withoutFile(withoutFile),
  ].filter((note) => note !== false);
  const isChanging = list.isChanging.value;
  const field = (name: string, label: string, value: typeof first, more: object = {}, help = "") => {
    const Input = "rows" in more ? "textarea" : "input";
    const isWrong = problem.value !== "";
    const described = [isWrong && `${id}-${name}-problem`, help !== "" && `${id}-${name}-help`];
    return (
      <p class="field">
        <label for={`${id}-${name}`}>{label}</label>
        <Input
          id={`${id}-${name}`}
          value={value.value}
          onInput={({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => {
            value.value = currentTarget.value;
            problem.value = "";
          }}
          aria-invalid={isWrong || undefined}
          aria-describedby={described.filter(Boolean).join(" ") || undefined}
          {...(help !== "" && { title: help })}
          {...more}
        />
        {isWrong && (
          <span class="problem" role="alert" id={`${id}-${name}-problem`}>
            {problem.value}
          </span>
        )}
        {help !== "" && (
          <span class="help" id={`${id}-${name}-help`}>
            {help}
          </span>
        )}
      </p>
    );
  };
  return (
    <form
      class="bulk"
      aria-label={texts.changeSelected}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isChanging) start();
      }}
    >
      <p class="bulk-count">{texts.selected(selected)}</p>
      {notes.length > 0 && <p class="help">{notes.join(" ")}</p>}
      <ChoiceField
        label={texts.changeSelected}
        value={action.value}
        choices={actions}
        onChange={(name) => {
          action.value = name as Action;
          first.value = "";
          second.value = "";
          problem.value = "";
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
          {texts.project.noneYours} <a href={api.pageAddress("projects/")}>{texts.project.newProject}</a>
        </p>
      )}
      {action.value === "data" && (
        <>
          {field(
            "key",
            texts.key,
            first,
            { required: true, maxLength: documentLimits.dataKey, pattern: "[A-Za-z0-9_\\-]+" },
            texts.keyHelp,
          )}
          {field("value", texts.value, second, { required: true, maxLength: documentLimits.dataValue })}
        </>
      )}
      {action.value === "tag" &&
        field("tag", texts.tag, first, { required: true, maxLength: documentLimits.dataValue, dir: "auto" })}
      {action.value === "language" && (
        <LanguageField
          isRequired
          languages={api.options.languages}
          value={first.value}
          help={texts.languageHelp}
          onChange={setFirst}
        />
      )}
      {isPlanning && field("moment", texts.publishAt, first, { type: "datetime-local" }, texts.publishAtHelp)}
      {isDescribing(action.value) &&
        field(
          action.value,
          texts.describing[action.value].label,
          first,
          inputFor(action.value),
          texts.emptyRemoves,
        )}
      <p class="buttons">
        <button
          class={`button ${action.value === "delete" ? "danger" : "primary"}`}
          disabled={count === 0}
          aria-disabled={isChanging || undefined}
        >
          {texts.apply}
        </button>
        {selected <= maxInArchive && withoutFile < selected && (
          <a class="button" href={api.archiveOf(documents)} download>
            {texts.download}
          </a>
        )}
        <button type="button" class="button" onClick={() => list.deselect()}>
          {texts.deselect}
        </button>
      </p>
      {isAsking.value && (
        <Dialog title={texts.askDelete(count)} onClose={() => (isAsking.value = false)}>
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
