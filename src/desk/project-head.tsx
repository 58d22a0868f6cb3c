import { useSignal } from "@preact/signals";
import { useState } from "preact/hooks";
import { projectLimits } from "../contract/limits.ts";
import type { Project } from "../contract/project.ts";
import { Draft } from "../viewer/form/draft.ts";
import { ChoiceField, TextField } from "../viewer/form/field.tsx";
import { Form } from "../viewer/form/form.tsx";
import { recordAt } from "../viewer/form/merge.ts";
import type { DeskApi } from "./model/desk-api.ts";
import type { ProjectWorkplace } from "./model/project.ts";
import { texts } from "./model/texts.ts";

const words = texts.projectPage;

interface ProjectHeadProps {
  api: DeskApi;
  project: Project;
  workplace: ProjectWorkplace;
  /** The page with the addresses for mail; empty where the server has none. */
  mailIn: string;
}

/** Title, description and pin; a form in their place while they are edited. */
export function ProjectHead(props: ProjectHeadProps) {
  const { project, workplace, mailIn } = props;
  const isEdited = useSignal(false);
  if (isEdited.value) return <ProjectForm {...props} onClose={() => (isEdited.value = false)} />;
  return (
    <header class="project-head">
      <h1 dir="auto">{titleOf(project)}</h1>
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
        {mailIn !== "" && project.add_remove_access === true && (
          <a class="button" href={`${mailIn}#project-${project.id}`}>
            {words.mailIn}
          </a>
        )}
      </p>
    </header>
  );
}

const titleOf = ({ title }: Project): string => (title === "" ? texts.untitled : title);

interface ProjectValues {
  title: string;
  description: string;
  private: "true" | "false";
}

const valuesOf = ({ title, description, private: isPrivate }: Project): ProjectValues => ({
  title,
  description,
  private: isPrivate ? "true" : "false",
});

const inWords = (values: ProjectValues, field: keyof ProjectValues): string =>
  field === "private" ? audiences[values.private] : values[field];

const audiences = { true: texts.collaboratorsOnly, false: texts.everyone };

function ProjectForm({ api, project, workplace, onClose }: ProjectHeadProps & { onClose: () => void }) {
  const [draft] = useState(
    () =>
      new Draft(valuesOf(project), {
        limits: projectLimits,
        check: ({ title }) => (title.trim() === "" ? [["title", texts.titleNeeded]] : []),
        inWords,
      }),
  );
  const record = recordAt<ProjectValues, Project>(api, `projects/${project.id}/`, {
    valuesOf,
    changesOf: (from, to) => ({
      ...(to.title !== from.title && { title: to.title }),
      ...(to.description !== from.description && { description: to.description }),
      ...(to.private !== from.private && { private: to.private === "true" }),
    }),
  });
  const save = async (): Promise<void> => {
    if (await draft.save(record, (saved) => workplace.noteSaved(saved))) onClose();
  };
  return (
    <div class="project-head">
      <h1 class="visually-hidden">{titleOf(project)}</h1>
      <Form draft={draft} send={save} submit={texts.save} onCancel={onClose}>
        <TextField field={draft.field("title")} label={texts.title} isRequired takesFocus />
        <TextField field={draft.field("description")} label={words.description} rows={4} />
        <ChoiceField
          field={draft.field("private")}
          label={words.whoSees}
          choices={[
            ["true", texts.collaboratorsOnly],
            ["false", texts.everyone],
          ]}
        />
      </Form>
    </div>
  );
}
