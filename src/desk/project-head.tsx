import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import type { Project } from "../contract/project.ts";
import { projectLimits } from "../contract/limits.ts";
import { ChoiceField, notBlank } from "./choice-fields.tsx";
import type { ProjectWorkplace } from "./model/project.ts";
import { texts } from "./model/texts.ts";

const words = texts.projectPage;

type HeadFields = Pick<Project, "title" | "description" | "private">;

/** Title, description and pin; a form in their place while they are edited. */
export function ProjectHead({ project, workplace }: { project: Project; workplace: ProjectWorkplace }) {
  const isEdited = useSignal(false);
  const title = project.title === "" ? texts.untitled : project.title;
  if (isEdited.value)
    return <HeadForm project={project} workplace={workplace} onClose={() => (isEdited.value = false)} />;
  return (
    <header class="project-head">
      <h1 dir="auto">{title}</h1>
      {project.description !== "" && (
        <p class="description" dir="auto">
          {project.description}
        </p>
      )}
      <ul class="facts">
        <li>
          <span class={project.private ? "restricted" : ""}>
            {project.private ? words.isPrivate : words.isPublic}
          </span>
        </li>
      </ul>
      <p class="buttons">
        {project.edit_access === true && (
          <button type="button" class="button" onClick={() => (isEdited.value = true)}>
            {words.editProject}
          </button>
        )}
        <button type="button" class="button" onClick={() => void workplace.pin(!project.pinned)}>
          {project.pinned ? words.unpin : words.pin}
        </button>
      </p>
    </header>
  );
}

function HeadForm({
  project,
  workplace,
  onClose,
}: {
  project: Project;
  workplace: ProjectWorkplace;
  onClose: () => void;
}) {
  const id = useId();
  const fields = useSignal<HeadFields>(project);
  const titleField = useRef<HTMLInputElement>(null);
  useEffect(() => titleField.current?.focus(), []);
  const set = (change: Partial<HeadFields>): void => {
    fields.value = { ...fields.value, ...change };
  };
  const save = async (): Promise<void> => {
    const change = changesOf(project, fields.value);
    if (Object.keys(change).length === 0 || (await workplace.save(change))) onClose();
  };
  return (
    <form
      class="project-head dialog-fields"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h1 class="visually-hidden">{project.title === "" ? texts.untitled : project.title}</h1>
      <p class="field">
        <label for={`${id}-title`}>{words.title}</label>
        <input
          id={`${id}-title`}
          required
          pattern={notBlank}
          title={texts.titleNeeded}
          maxLength={projectLimits.title}
          value={fields.value.title}
          ref={titleField}
          onInput={({ currentTarget }) => set({ title: currentTarget.value })}
        />
      </p>
      <p class="field">
        <label for={`${id}-description`}>{words.description}</label>
        <textarea
          id={`${id}-description`}
          rows={4}
          maxLength={projectLimits.description}
          value={fields.value.description}
          onInput={({ currentTarget }) => set({ description: currentTarget.value })}
        />
      </p>
      <ChoiceField
        label={words.whoSees}
        value={String(fields.value.private)}
        choices={[
          ["true", words.private],
          ["false", words.public],
        ]}
        onChange={(value) => set({ private: value === "true" })}
      />
      <p class="buttons">
        <button class="button primary">{words.saveProject}</button>
        <button type="button" class="button" onClick={onClose}>
          {words.stopEditing}
        </button>
      </p>
    </form>
  );
}

/** Only what differs, so that the changes which others made meanwhile stay. */
function changesOf(project: Project, fields: HeadFields): Partial<HeadFields> {
  const names = ["title", "description", "private"] as const;
  return Object.fromEntries(
    names.filter((name) => fields[name] !== project[name]).map((name) => [name, fields[name]]),
  );
}
