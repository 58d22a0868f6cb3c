import type { ComponentType } from "preact";
import type { ViewerState } from "../state/viewer-state.ts";
import { actionTexts } from "../texts/action-texts.ts";
import { AccessAction } from "./access-action.tsx";
import { DeletionAction, DuplicateAction } from "./file-actions.tsx";
import { PersonAction } from "./person-action.tsx";
import { ProjectAction } from "./project-action.tsx";
import { Tool } from "../editing/tool.tsx";

const actions = {
  access: [actionTexts.access.heading, AccessAction],
  project: [actionTexts.project.heading, ProjectAction],
  person: [actionTexts.person.heading, PersonAction],
  duplicate: [actionTexts.duplicate.heading, DuplicateAction],
  deletion: [actionTexts.deletion.heading, DeletionAction],
} satisfies Record<string, readonly [heading: string, action: ComponentType<{ viewer: ViewerState }>]>;

export type DocumentActionName = keyof typeof actions;

/** Opens a form or a question about the document as a whole, beside its pages. */
export function openDocumentAction(name: DocumentActionName, viewer: ViewerState): void {
  const [heading, Action] = actions[name];
  viewer.openTool(() => (
    <Tool title={heading}>
      <Action viewer={viewer} />
    </Tool>
  ));
}
