import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { SettingInForce } from "../../contract/administration.ts";
import { AdminResource, type ListAnswer } from "../model/admin-resource.ts";
import type { DeskApi } from "../model/desk-api.ts";
import { adminTexts } from "../model/admin-texts.ts";
import { CheckField, fieldOf } from "../../viewer/form/field.tsx";
import { AdminPage, AdminRow } from "./parts.tsx";

const words = adminTexts.settings;

/** The page that shows the settings as they are in force. */
export function SettingsPage({ api }: { api: DeskApi }) {
  const settings = useMemo(
    () => new AdminResource<ListAnswer<SettingInForce>>(api, "admin/settings/"),
    [api],
  );
  const onlyChanged = useSignal(false);
  useEffect(() => void settings.load(), [settings]);
  const all = settings.answer.value?.results ?? [];
  return (
    <AdminPage api={api} current="settings" message={settings.message}>
      <p class="help">{words.help}</p>
      <CheckField label={words.onlyChanged} field={fieldOf(onlyChanged)} />
      <section aria-label={words.list}>
        <ul class="admin-rows">
          {all
            .filter((setting) => setting.is_changed || !onlyChanged.value)
            .map((setting) => (
              <AdminRow
                key={setting.variable}
                title={<code>{setting.variable}</code>}
                facts={[
                  valueInWords(setting),
                  !setting.is_changed && setting.is_set && words.isDefault,
                  setting.help,
                ]}
              />
            ))}
        </ul>
      </section>
    </AdminPage>
  );
}

function valueInWords({ value, is_set: isSet, is_secret: isSecret }: SettingInForce): string {
  return isSecret && isSet ? words.secret : (value ?? words.notSet);
}
