import type { DeskOptions } from "../contract/page-options.ts";
import type { Project } from "../contract/project.ts";
import { DescribingField } from "../viewer/form/describing-field.tsx";
import { CheckField } from "../viewer/form/field.tsx";
import { AccessField, LanguageField, ProjectField } from "./choice-fields.tsx";
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
  const { access, project, language, source, forceOcr } = settings;
  return (
    <div class="form columns">
      <AccessField field={{ value: access, set: (chosen) => onChange({ access: chosen }) }} />
      <ProjectField
        projects={projects}
        field={{
          value: String(project ?? ""),
          set: (chosen) => onChange({ project: chosen === "" ? null : Number(chosen) }),
        }}
      />
      <LanguageField
        languages={languages}
        field={{ value: language, set: (chosen) => onChange({ language: chosen }) }}
      />
      <DescribingField
        name="source"
        words={texts.describing}
        field={{ value: source, set: (text) => onChange({ source: text }) }}
      />
      <CheckField
        label={texts.forceOcr}
        field={{ value: forceOcr, set: (isOn) => onChange({ forceOcr: isOn }) }}
      />
    </div>
  );
}
