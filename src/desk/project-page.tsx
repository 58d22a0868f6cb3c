import { useSignal } from "@preact/signals";
import type { Project } from "../contract/project.ts";
import type { OwnDeskOptions } from "../contract/page-options.ts";
import { Ask } from "../viewer/dialog.tsx";
import { AddDocuments } from "./add-documents.tsx";
import { Collaborators } from "./collaborators.tsx";
import type { DeskApi } from "./model/desk-api.ts";
import { ProjectWorkplace } from "./model/project.ts";
import { texts } from "./model/texts.ts";
import { ResultLine } from "./parts/result-line.tsx";
import { ProjectDocuments } from "./project-documents.tsx";
import { ProjectEmbed } from "./project-embed.tsx";
import { ProjectHead } from "./project-head.tsx";

const words = texts.projectPage;

/** The page on which people work on a project: its documents, its collaborators, its description. */
export function projectPageOf(api: DeskApi, page: OwnDeskOptions<"project">) {
  const workplace = new ProjectWorkplace(api, page.project);
  void workplace.open();
  return <ProjectPage api={api} workplace={workplace} page={page} />;
}

function ProjectPage({
  api,
  workplace,
  page,
}: {
  api: DeskApi;
  workplace: ProjectWorkplace;
  page: OwnDeskOptions<"project">;
}) {
  const project = workplace.project.value;
  const isAdding = useSignal(false);
  return (
    <div class="desk project">
      {project !== null && (
        <ProjectHead api={api} project={project} workplace={workplace} mailIn={page.mailIn} />
      )}
      {project === null && workplace.isLoading.value && <p>{texts.loading}</p>}
      <ResultLine result={workplace.message} />
      {project !== null && (
        <>
          <ProjectDocuments
            api={api}
            project={project}
            workplace={workplace}
            onAdd={() => (isAdding.value = true)}
          />
          {project.edit_access === true && <Collaborators workplace={workplace} user={api.options.user} />}
          <ProjectEmbed workplace={workplace} isPublic={!project.private} address={page.projectPage} />
          {project.edit_access === true && (
            <Deletion project={project} workplace={workplace} projects={page.projects} />
          )}
        </>
      )}
      {isAdding.value && (
        <AddDocuments api={api} workplace={workplace} onClose={() => (isAdding.value = false)} />
      )}
    </div>
  );
}

function Deletion({
  project,
  workplace,
  projects,
}: {
  project: Project;
  workplace: ProjectWorkplace;
  /** The path of the list of projects. */
  projects: string;
}) {
  const isAsking = useSignal(false);
  const remove = async (): Promise<void> => {
    if (await workplace.delete()) location.assign(projects);
  };
  return (
    <p class="buttons">
      <button type="button" class="button danger" onClick={() => (isAsking.value = true)}>
        {words.delete}
      </button>
      {isAsking.value && (
        <Ask
          title={words.askDelete(project.title)}
          answer={words.deleteProject}
          onClose={() => (isAsking.value = false)}
          onAnswer={remove}
        >
          <p>{words.documentsStay}</p>
        </Ask>
      )}
    </p>
  );
}
