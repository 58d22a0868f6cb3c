import { useId } from "preact/hooks";
import type { DeskOptions, Project } from "./model/desk-api.ts";
import { languageName, texts } from "./model/texts.ts";
import type { Settings } from "./model/upload-item.ts";

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
      <p class="field">
        <label for={`${id}-access`}>{texts.access.label}</label>
        <select
          id={`${id}-access`}
          value={settings.access}
          onChange={({ currentTarget }) => onChange({ access: currentTarget.value })}
        >
          <option value="private">{texts.access.private}</option>
          <option value="organization">{texts.access.organization}</option>
          <option value="public">{texts.access.public}</option>
        </select>
      </p>
      <p class="field">
        <label for={`${id}-project`}>{texts.project.label}</label>
        <select
          id={`${id}-project`}
          value={String(settings.project ?? "")}
          onChange={({ currentTarget: { value } }) =>
            onChange({ project: value === "" ? null : Number(value) })
          }
        >
          <option value="">{texts.project.none}</option>
          {projects.map((project) => (
            <option key={project.id} value={String(project.id)}>
              {project.title}
            </option>
          ))}
        </select>
      </p>
      <p class="field">
        <label for={`${id}-language`}>{texts.language}</label>
        <select
          id={`${id}-language`}
          value={settings.language}
          onChange={({ currentTarget }) => onChange({ language: currentTarget.value })}
        >
          {namesOf(languages).map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </p>
      <p class="field">
        <label for={`${id}-source`}>{texts.source}</label>
        <input
          id={`${id}-source`}
          maxLength={1000}
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

interface LanguageName {
  code: string;
  name: string;
}

let names: readonly LanguageName[] | undefined;

/** The languages, sorted by name. */
function namesOf(codes: readonly string[]): readonly LanguageName[] {
  names ??= codes
    .map((code) => ({ code, name: languageName(code) }))
    .toSorted((left, right) => left.name.localeCompare(right.name));
  return names;
}
