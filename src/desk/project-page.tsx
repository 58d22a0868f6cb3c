import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { Project } from "../contract/project.ts";
import { projectLimits } from "../contract/limits.ts";
import type { OwnDeskOptions } from "../contract/page-options.ts";
import { Dialog } from "../viewer/dialog.tsx";
import { AddDocuments } from "./add-documents.tsx";
import { Collaborators } from "./collaborators.tsx";
import { notBlank } from "./choice-fields.tsx";
import type { DeskApi } from "./model/desk-api.ts";
import type { ProjectWorkplace } from "./model/project.ts";
import { texts } from "./model/texts.ts";
import { DocumentChoice } from "./document-choice.tsx";
import { ProjectEmbed } from "./project-embed.tsx";
import { ResultLine } from "./model/result-line.tsx";

const words = texts.projectPage;

/** The page on which people work on a project: its documents, its collaborators, its description. */
export function ProjectPage({
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
      {project !== null && <Head project={project} workplace={workplace} />}
      {project === null && workplace.isLoading.value && <p>{texts.loading}</p>}
      <ResultLine result={workplace.message} />
      {project !== null && (
        <>
          <Documents
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

/** Title, description and pin; a form in their place while they are edited. */
function Head({ project, workplace }: { project: Project; workplace: ProjectWorkplace }) {
  const id = useId();
  const draft = useSignal<Pick<Project, "title" | "description" | "private"> | null>(null);
  const title = project.title === "" ? texts.untitled : project.title;
  const fields = draft.value;
  if (fields === null)
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
            <button
              type="button"
              class="button"
              onClick={() => {
                draft.value = {
                  title: project.title,
                  description: project.description,
                  private: project.private,
                };
              }}
            >
              {words.editProject}
            </button>
          )}
          <button type="button" class="button" onClick={() => void workplace.pin(!project.pinned)}>
            {project.pinned ? words.unpin : words.pin}
          </button>
        </p>
      </header>
    );
  const set = (change: Partial<typeof fields>): void => {
    draft.value = { ...fields, ...change };
  };
  const save = async (): Promise<void> => {
    const names = ["title", "description", "private"] as const;
    const changed = names.filter((name) => fields[name] !== project[name]);
    const change = Object.fromEntries(changed.map((name) => [name, fields[name]]));
    if (changed.length === 0 || (await workplace.save(change))) draft.value = null;
  };
  return (
    <form
      class="project-head dialog-fields"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h1 class="visually-hidden">{title}</h1>
      <p class="field">
        <label for={`${id}-title`}>{words.title}</label>
        <input
          id={`${id}-title`}
          required
          pattern={notBlank}
          title={texts.titleNeeded}
          maxLength={projectLimits.title}
          value={fields.title}
          ref={(input) => {
            if (input !== null && !input.dataset["seen"]) {
              input.dataset["seen"] = "true";
              input.focus();
            }
          }}
          onInput={({ currentTarget }) => set({ title: currentTarget.value })}
        />
      </p>
      <p class="field">
        <label for={`${id}-description`}>{words.description}</label>
        <textarea
          id={`${id}-description`}
          rows={4}
          maxLength={projectLimits.description}
          value={fields.description}
          onInput={({ currentTarget }) => set({ description: currentTarget.value })}
        />
      </p>
      <p class="field">
        <label for={`${id}-private`}>{words.whoSees}</label>
        <select
          id={`${id}-private`}
          value={String(fields.private)}
          onChange={({ currentTarget }) => set({ private: currentTarget.value === "true" })}
        >
          <option value="true">{words.private}</option>
          <option value="false">{words.public}</option>
        </select>
      </p>
      <p class="buttons">
        <button class="button primary">{words.saveProject}</button>
        <button type="button" class="button" onClick={() => (draft.value = null)}>
          {words.stopEditing}
        </button>
      </p>
    </form>
  );
}

function Documents({
  api,
  project,
  workplace,
  onAdd,
}: {
  api: DeskApi;
  project: Project;
  workplace: ProjectWorkplace;
  onAdd: () => void;
}) {
  const id = useId();
  const q = useSignal("");
  const mayChange = project.add_remove_access === true;
  const documents = workplace.documents.value;
  const selected = workplace.selected.value;
  return (
    <section class="project-part" aria-labelledby={`${id}-head`}>
      <h2 id={`${id}-head`}>{words.documents}</h2>
      <form
        class="with-button"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          void workplace.search(q.value);
        }}
      >
        <input
          type="search"
          aria-label={words.searchIn}
          placeholder={words.searchIn}
          value={q.value}
          onInput={({ currentTarget }) => (q.value = currentTarget.value)}
        />
        <button class="button">{words.find}</button>
      </form>
      <p class="buttons">
        {mayChange && (
          <button type="button" class="button primary" onClick={onAdd}>
            {words.add}
          </button>
        )}
        {selected.size > 0 && (
          <button type="button" class="button" onClick={() => void workplace.removeSelected()}>
            {words.remove(selected.size)}
          </button>
        )}
        {workplace.query.value !== "" && (
          <button
            type="button"
            class="button"
            onClick={() => {
              q.value = "";
              void workplace.search("");
            }}
          >
            {words.showAll}
          </button>
        )}
      </p>
      {documents.length === 0 && !workplace.isLoading.value && (
        <p>{workplace.query.value === "" ? words.empty : words.noMatch}</p>
      )}
      {documents.length > 0 && mayChange && (
        <p class="check select-all">
          <input
            id={`${id}-all`}
            type="checkbox"
            checked={workplace.isPageSelected.value}
            onChange={() => workplace.togglePage()}
          />
          <label for={`${id}-all`}>{texts.selectAll}</label>
        </p>
      )}
      {documents.length > 0 && (
        <ul class="document-rows">
          {documents.map((document) => (
            <DocumentChoice
              key={document.id}
              api={api}
              document={document}
              isSelected={mayChange ? selected.has(document.id) : null}
              onToggle={() => workplace.toggle(document)}
            />
          ))}
        </ul>
      )}
      {workplace.hasNext.value && (
        <p class="buttons">
          <button type="button" class="button" onClick={() => void workplace.loadMore()}>
            {words.more}
          </button>
        </p>
      )}
    </section>
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
    isAsking.value = false;
    if (await workplace.delete()) location.assign(projects);
  };
  return (
    <p class="buttons">
      <button type="button" class="button danger" onClick={() => (isAsking.value = true)}>
        {words.delete}
      </button>
      {isAsking.value && (
        <Dialog title={words.askDelete(project.title)} onClose={() => (isAsking.value = false)}>
          <p>{words.documentsStay}</p>
          <p class="buttons">
            <button type="button" class="button danger" onClick={() => void remove()}>
              {words.deleteProject}
            </button>
          </p>
        </Dialog>
      )}
    </p>
  );
}
