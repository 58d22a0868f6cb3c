import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { User } from "../contract/person.ts";
import type { CollaboratorAccess } from "../contract/project.ts";
import { personLimits } from "../contract/limits.ts";
import { reasonOf } from "./model/desk-api.ts";
import { type ProjectWorkplace, nameOf } from "./model/project.ts";
import { texts } from "./model/texts.ts";

const words = texts.projectPage;
const rights = Object.entries(words.rights) as [CollaboratorAccess, string][];

/** The people who work on a project, what each may do, and a form that adds another. */
export function Collaborators({ workplace, user }: { workplace: ProjectWorkplace; user: number }) {
  const id = useId();
  return (
    <section class="project-part" aria-labelledby={`${id}-head`}>
      <h2 id={`${id}-head`}>{words.collaborators}</h2>
      <ul class="help">
        {rights.map(([right, name]) => (
          <li key={right}>
            <strong>{name}</strong> {words.meaning[right]}
          </li>
        ))}
      </ul>
      <ul class="people">
        {workplace.collaborators.value.map((collaborator) => {
          const name = nameOf(collaborator.user);
          const isMe = collaborator.user.id === user;
          return (
            <li key={collaborator.user.id}>
              <span class="person" dir="auto">
                {name}
                {isMe && ` (${words.you})`}
              </span>
              <RightSelect
                label={words.rightOf(name)}
                value={collaborator.access}
                onChange={(access) => void workplace.changeRight(collaborator, access)}
              />
              <button
                type="button"
                class="button small"
                aria-label={words.dismiss(name)}
                onClick={() => void workplace.dismiss(collaborator)}
              >
                {texts.remove}
              </button>
            </li>
          );
        })}
      </ul>
      <Invitation workplace={workplace} />
    </section>
  );
}

function RightSelect({
  id,
  label,
  value,
  onChange,
}: {
  id?: string;
  label?: string;
  value: CollaboratorAccess;
  onChange: (right: CollaboratorAccess) => void;
}) {
  return (
    <select
      {...(id === undefined ? {} : { id })}
      {...(label === undefined ? {} : { "aria-label": label })}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value as CollaboratorAccess)}
    >
      {rights.map(([right, text]) => (
        <option key={right} value={right}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** An email address is sent as it is. A name is looked up among the people whom this person knows of. */
function Invitation({ workplace }: { workplace: ProjectWorkplace }) {
  const id = useId();
  const text = useSignal("");
  const right = useSignal<CollaboratorAccess>("view");
  const candidates = useSignal<readonly User[]>([]);
  const problem = useSignal("");
  const add = async (who: { email: string } | { user: number }, name: string): Promise<void> => {
    candidates.value = [];
    if (await workplace.invite(who, name, right.value)) text.value = "";
  };
  const submit = async (): Promise<void> => {
    const value = text.value.trim();
    problem.value = "";
    if (value === "") return;
    if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) return add({ email: value }, value);
    try {
      const people = await workplace.peopleNamed(value);
      const [only] = people;
      if (only === undefined) problem.value = words.nobody(value);
      else if (people.length === 1) await add({ user: only.id }, nameOf(only));
      else candidates.value = people;
    } catch (error) {
      problem.value = reasonOf(error);
    }
  };
  return (
    <form
      class="desk-fields invitation"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <p class="field">
        <label for={`${id}-person`}>{words.person}</label>
        <input
          id={`${id}-person`}
          required
          autocomplete="off"
          maxLength={personLimits.email}
          value={text.value}
          {...(problem.value === "" ? {} : { "aria-invalid": "true", "aria-describedby": `${id}-problem` })}
          onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        />
      </p>
      <p class="field">
        <label for={`${id}-right`}>{words.right}</label>
        <RightSelect id={`${id}-right`} value={right.value} onChange={(chosen) => (right.value = chosen)} />
      </p>
      <p class="buttons">
        <button class="button">{words.invite}</button>
      </p>
      <p class="problem" role="alert" id={`${id}-problem`}>
        {problem.value}
      </p>
      {candidates.value.length > 0 && (
        <div class="candidates" role="group" aria-label={words.choosePerson}>
          <p>{words.choosePerson}</p>
          <p class="buttons">
            {candidates.value.map((person) => (
              <button
                key={person.id}
                type="button"
                class="button small"
                onClick={() => void add({ user: person.id }, nameOf(person))}
              >
                {words.choose(nameOf(person), person.username)}
              </button>
            ))}
          </p>
        </div>
      )}
    </form>
  );
}
