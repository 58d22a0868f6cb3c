import visibility from "#words/visibility.json" with { type: "json" };
import { useState } from "preact/hooks";
import type { Document } from "../../contract/document.ts";
import { Draft } from "../form/draft.ts";
import { RadioField } from "../form/field.tsx";
import { Form } from "../form/form.tsx";
import type { ViewerState } from "../state/viewer-state.ts";
import { actionTexts as texts } from "../texts/action-texts.ts";
import { texts as viewerTexts } from "../texts/texts.ts";

type Level = keyof typeof visibility.levels;

/** Chooses who can see the document, with what each choice means. */
export function AccessAction({ viewer }: { viewer: ViewerState }) {
  const { api, record } = viewer;
  const [draft] = useState(() => new Draft<Pick<Document, "access">>({ access: record.peek().access }));
  const send = async (): Promise<void> => {
    const isDone = await draft.submit((values) => api.send("PATCH", api.path, values));
    if (!isDone) return;
    viewer.closeTool();
    await viewer.refreshPage();
    viewer.announcement.value = texts.access.done;
  };
  return (
    <Form draft={draft} send={send} submit={viewerTexts.save} onCancel={() => viewer.closeTool()}>
      <RadioField
        field={draft.field("access")}
        label={visibility.label}
        choices={(Object.keys(visibility.levels) as Level[]).map((level) => [
          level,
          <>
            <strong>{visibility.levels[level]}</strong> {texts.access.means[level]}
          </>,
        ])}
      />
    </Form>
  );
}
