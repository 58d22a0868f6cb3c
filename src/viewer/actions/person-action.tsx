import { useState } from "preact/hooks";
import type { Project } from "../../contract/project.ts";
import { projectLimits } from "../../contract/limits.ts";
import { Draft } from "../form/draft.ts";
import { RadioField, TextField } from "../form/field.tsx";
import { Form } from "../form/form.tsx";
import type { ViewerState } from "../state/viewer-state.ts";
import { actionTexts as texts } from "../texts/action-texts.ts";
import { texts as viewerTexts } from "../texts/texts.ts";

interface Values {
  email: string;
  access: "view" | "edit";
}

/** Gives the document to one person, in a private project of its own, which nobody has to make first. */
export function PersonAction({ viewer }: { viewer: ViewerState }) {
  const [draft] = useState(
    () =>
      new Draft<Values>(
        { email: "", access: "view" },
        { check: ({ email }) => (email.includes("@") ? [] : [["email", texts.person.needsMail]]) },
      ),
  );
  const send = async (): Promise<void> => {
    const isDone = await draft.submit((values) => give(viewer, values));
    if (!isDone) return;
    viewer.closeTool();
    await viewer.refreshPage();
    viewer.announcement.value = texts.person.done(draft.values.peek().email);
  };
  return (
    <Form draft={draft} send={send} submit={texts.person.give} onCancel={() => viewer.closeTool()}>
      <TextField
        field={draft.field("email")}
        label={texts.person.mail}
        help={texts.person.help}
        type="email"
        isRequired
        takesFocus
      />
      <RadioField
        field={draft.field("access")}
        label={texts.person.may}
        choices={[
          ["view", texts.person.read],
          ["edit", texts.person.change],
        ]}
      />
    </Form>
  );
}

/** The person comes first: a project for somebody who has no account is removed again. */
async function give({ api, record }: ViewerState, { email, access }: Values): Promise<void> {
  const { id, title } = record.peek();
  const name = Array.from(title || viewerTexts.untitled)
    .slice(0, projectLimits.title)
    .join("");
  const project = (await api.send("POST", "projects/", { title: name, private: true })) as Project;
  try {
    await api.send("POST", `projects/${project.id}/users/`, { email: email.trim(), access });
    await api.send("POST", `projects/${project.id}/documents/`, [{ document: id, edit_access: true }]);
  } catch (error) {
    await api.send("DELETE", `projects/${project.id}/`);
    throw error;
  }
}
