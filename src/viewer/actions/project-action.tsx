import { useSignal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { User } from "../../contract/person.ts";
import type { Project } from "../../contract/project.ts";
import type { Page } from "../../contract/shape.ts";
import { Draft } from "../form/draft.ts";
import { ChoiceField } from "../form/field.tsx";
import { Form } from "../form/form.tsx";
import { type Client, reasonOf } from "../model/send.ts";
import type { ViewerState } from "../state/viewer-state.ts";
import { actionTexts as texts } from "../texts/action-texts.ts";
import { texts as viewerTexts } from "../texts/texts.ts";

/** The projects in which the person may put documents. */
async function ownProjects(client: Client): Promise<Project[]> {
  const { id } = await client.get<User>("users/me/");
  const { results } = await client.get<Page<Project>>(`projects/?user=${id}&per_page=100`);
  return results.filter((project) => project.add_remove_access === true);
}

/** Puts the document into one of the person's projects. */
export function ProjectAction({ viewer }: { viewer: ViewerState }) {
  const { api, record } = viewer;
  const projects = useSignal<readonly Project[] | null>(null);
  const problem = useSignal("");
  const [draft] = useState(
    () =>
      new Draft(
        { project: "" },
        { check: ({ project }) => (project === "" ? [["project", viewerTexts.form.needed]] : []) },
      ),
  );
  useEffect(() => {
    const load = async (): Promise<void> => {
      try {
        projects.value = await ownProjects(api);
      } catch (error) {
        problem.value = reasonOf(error);
      }
    };
    void load();
  }, []);
  const send = async (): Promise<void> => {
    const isDone = await draft.submit(({ project }) =>
      api.send("PATCH", `projects/${project}/documents/`, [{ document: record.peek().id }]),
    );
    if (!isDone) return;
    viewer.closeTool();
    await viewer.refreshPage();
    viewer.announcement.value = texts.project.done;
  };
  if (problem.value !== "")
    return (
      <p class="problem" role="alert">
        {problem.value}
      </p>
    );
  if (projects.value === null) return <p class="quiet">{viewerTexts.loading}</p>;
  if (projects.value.length === 0)
    return (
      <>
        <p>{texts.project.none}</p>
        <p class="buttons">
          <a class="button primary" href={api.pageAddress("projects/")}>
            {viewerTexts.newProject}
          </a>
          <button type="button" class="button" onClick={() => viewer.closeTool()}>
            {viewerTexts.close}
          </button>
        </p>
      </>
    );
  return (
    <Form draft={draft} send={send} submit={texts.project.add} onCancel={() => viewer.closeTool()}>
      <ChoiceField
        field={draft.field("project")}
        label={texts.project.label}
        help={texts.project.help}
        choices={[
          ["", texts.project.choose],
          ...projects.value.map(({ id, title }) => [String(id), title || viewerTexts.untitled] as const),
        ]}
        isRequired
      />
    </Form>
  );
}
