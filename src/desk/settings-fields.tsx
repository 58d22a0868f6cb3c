import { useId } from "preact/hooks";
import { describingFields } from "../contract/describing-fields.ts";
import { AccessField, LanguageField, ProjectField } from "./choice-fields.tsx";
import type { DeskOptions } from "../contract/page-options.ts";
import type { Project } from "../contract/project.ts";
import { texts } from "./model/texts.ts";
import type { Settings } from "./uploads/upload-item.ts";

/** The settings of one file, or of all files. */
export function SettingsFields({
  settings,
  projects,
  languages,
  onChange,
}: {
  settings: Settings;
  projects: readonly Project[];
  languages: DeskOptions["languages"];
  onChange: (change: Partial<Settings>) => void;
}) {
  const id = useId();
  return (
    <div class="desk-fields">
      <AccessField value={settings.access} onChange={(access) => onChange({ access })} />
      <ProjectField
        projects={projects}
        value={String(settings.project ?? "")}
        onChange={(project) => onChange({ project: project === "" ? null : Number(project) })}
      />
      <LanguageField
        languages={languages}
        value={settings.language}
        onChange={(language) => onChange({ language })}
      />
      <p class="field">
        <label for={`${id}-source`}>{texts.describing.source.label}</label>
        <input
          id={`${id}-source`}
          maxLength={describingFields.source.maxLength}
          value={settings.source}
          onInput={({ currentTarget }) => onChange({ source: currentTarget.value })}
        />
      </p>
      <p class="check">
        <input
          id={`${id}-ocr`}
          type="checkbox"
          checked={settings.forceOcr}
          onChange={({ currentTarget }) => onChange({ forceOcr: currentTarget.checked })}
        />
        <label for={`${id}-ocr`}>{texts.forceOcr}</label>
      </p>
    </div>
  );
}
