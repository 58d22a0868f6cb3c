import { useSignal } from "@preact/signals";
import { useId, useState } from "preact/hooks";
import type { User } from "../contract/person.ts";
import type { CollaboratorAccess } from "../contract/project.ts";
import { personLimits } from "../contract/limits.ts";
import { Draft } from "../viewer/form/draft.ts";
import { ChoiceField, TextField } from "../viewer/form/field.tsx";
import { Form } from "../viewer/form/form.tsx";
import { texts as viewerTexts } from "../viewer/texts/texts.ts";
import { RefusedError } from "./model/desk-api.ts";
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
              <select
                aria-label={words.rightOf(name)}
                value={collaborator.access}
                onChange={({ currentTarget }) =>
                  void workplace.changeRight(collaborator, currentTarget.value as CollaboratorAccess)
                }
              >
                {rights.map(([right, text]) => (
                  <option key={right} value={right}>
                    {text}
                  </option>
                ))}
              </select>
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

/** An email address is sent as it is. A name is looked up among the people whom this person knows of. */
function Invitation({ workplace }: { workplace: ProjectWorkplace }) {
  const [draft] = useState(
    () =>
      new Draft<{ person: string; access: CollaboratorAccess }>(
        { person: "", access: "view" },
        {
          limits: { person: personLimits.email },
          aliases: { email: "person", user: "person" },
          check: ({ person }) => (person.trim() === "" ? [["person", viewerTexts.form.needed]] : []),
        },
      ),
  );
  const candidates = useSignal<readonly User[]>([]);
  const add = async (who: { email: string } | { user: number }, name: string): Promise<void> => {
    candidates.value = [];
    await workplace.invite(who, name, draft.values.peek().access);
    draft.reset({ ...draft.values.peek(), person: "" });
  };
  const invite = async ({ person }: { person: string }): Promise<void> => {
    const value = person.trim();
    if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) return add({ email: value }, value);
    const people = await workplace.peopleNamed(value);
    const [only] = people;
    if (only === undefined)
      throw new RefusedError(400, words.nobody(value), new Map([["person", words.nobody(value)]]));
    if (people.length === 1) await add({ user: only.id }, nameOf(only));
    else candidates.value = people;
  };
  return (
    <Form draft={draft} send={() => draft.submit(invite)} submit={words.invite} class="columns invitation">
      <TextField field={draft.field("person")} label={words.person} isRequired />
      <ChoiceField field={draft.field("access")} label={words.right} choices={rights} />
      {candidates.value.length > 0 && (
        <div class="candidates" role="group" aria-label={words.choosePerson}>
          <p>{words.choosePerson}</p>
          <p class="buttons">
            {candidates.value.map((person) => (
              <button
                key={person.id}
                type="button"
                class="button small"
                onClick={() => void draft.submit(() => add({ user: person.id }, nameOf(person)))}
              >
                {words.choose(nameOf(person), person.username)}
              </button>
            ))}
          </p>
        </div>
      )}
    </Form>
  );
}
