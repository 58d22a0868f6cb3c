import { useSignal } from "@preact/signals";
import { useEffect, useId, useMemo, useState } from "preact/hooks";
import type { AdministeredAddon } from "../../contract/addon.ts";
import type { AdministeredOrganization } from "../../contract/administration.ts";
import { addonLimits } from "../../contract/limits.ts";
import { Dialog } from "../../viewer/dialog.tsx";
import { Draft } from "../../viewer/form/draft.ts";
import { CheckField, ChoiceField, TextField } from "../../viewer/form/field.tsx";
import { Form } from "../../viewer/form/form.tsx";
import { recordAt } from "../../viewer/form/merge.ts";
import { texts as viewerTexts } from "../../viewer/texts/texts.ts";
import { AdminResource, type ListAnswer } from "../model/admin-resource.ts";
import { adminTexts } from "../model/admin-texts.ts";
import type { DeskApi } from "../model/desk-api.ts";
import { texts } from "../model/texts.ts";
import { AddForm, AdminList, AdminPage, AdminRow, RemoveDialog, RowButton } from "./parts.tsx";

const words = adminTexts.addons;
const folder = "admin/addons/";

type Addons = AdminResource<ListAnswer<AdministeredAddon>>;
type Organizations = readonly AdministeredOrganization[];

/** The page on which administrators register add-ons, change them, and switch them on and off. */
export function AddonsPage({ api }: { api: DeskApi }) {
  const addons = useMemo<Addons>(() => new AdminResource(api, folder), [api]);
  const organizations = useMemo<AdminResource<ListAnswer<AdministeredOrganization>>>(
    () => new AdminResource(api, "admin/organizations/?per_page=1000"),
    [api],
  );
  const edited = useSignal<AdministeredAddon | null>(null);
  const removed = useSignal<AdministeredAddon | null>(null);
  useEffect(() => {
    void addons.load();
    void organizations.load();
  }, [addons, organizations]);
  const known = organizations.answer.value?.results ?? [];
  const turn = ({ id, name, is_enabled: isOn }: AdministeredAddon): void => {
    const done = isOn ? words.isSwitchedOff(name) : words.isOn(name);
    void addons.act("PATCH", `${folder}${id}/`, { is_enabled: !isOn }, done);
  };
  return (
    <AdminPage api={api} current="addons" message={addons.message}>
      <p class="help">{words.help}</p>
      {api.options.addons === "" && <p class="notice">{words.off}</p>}
      <NewAddon addons={addons} organizations={known} />
      <AdminList resource={addons} label={words.list}>
        {(addon) => (
          <AdminRow key={addon.id} title={addon.name} facts={factsOf(addon, known)}>
            <RowButton
              action={addon.is_enabled ? words.switchOff : words.switchOn}
              of={addon.name}
              onClick={() => turn(addon)}
            />
            <RowButton action={words.edit} of={addon.name} onClick={() => (edited.value = addon)} />
            <RowButton
              action={words.remove}
              of={addon.name}
              isDangerous
              onClick={() => (removed.value = addon)}
            />
          </AdminRow>
        )}
      </AdminList>
      {edited.value !== null && (
        <EditDialog
          addon={edited.value}
          addons={addons}
          organizations={known}
          onClose={() => (edited.value = null)}
        />
      )}
      {removed.value !== null && (
        <RemoveDialog
          item={removed.value}
          resource={addons}
          folder={folder}
          words={words}
          onClose={() => (removed.value = null)}
        />
      )}
    </AdminPage>
  );
}

const factsOf = ({ repository, access, organization, ...addon }: AdministeredAddon, known: Organizations) => [
  repository,
  words.accesses[access],
  organization !== null && (known.find(({ id }) => id === organization)?.name ?? String(organization)),
  addon.config !== "" && words.ownConfig,
  !addon.is_enabled && words.isOff,
];

type Values = Pick<AdministeredAddon, "config" | "access" | "is_default" | "is_featured" | "is_enabled"> & {
  /** The id; empty for none. */
  organization: string;
};
type NewValues = Omit<Values, "is_default" | "is_featured" | "is_enabled"> & { repository: string };

const accesses = ["private", "organization", "public"] as const;

const blank: NewValues = { repository: "", config: "", access: "private", organization: "" };

/** What the API takes. */
const sentOf = <V extends { organization: string }>({ organization, ...values }: V) => ({
  ...values,
  organization: organization === "" ? null : Number(organization),
});

function NewAddon({ addons, organizations }: { addons: Addons; organizations: Organizations }) {
  const [draft] = useState(
    () =>
      new Draft<NewValues>(blank, {
        limits: { config: addonLimits.config },
        check: ({ repository }) =>
          repository.trim() === "" ? [["repository", viewerTexts.form.needed]] : [],
        gone: adminTexts.notFound,
      }),
  );
  const register = async (values: NewValues): Promise<void> => {
    const sent = { ...sentOf(values), repository: values.repository.trim() };
    const { name } = (await addons.api.send("POST", folder, sent)) as AdministeredAddon;
    draft.reset();
    await addons.noteChange(words.added(name));
  };
  return (
    <AddForm title={words.add} draft={draft} send={register} submit={words.register}>
      <TextField field={draft.field("repository")} label={words.folder} help={words.folderHelp} isRequired />
      <AudienceFields draft={draft} organizations={organizations} />
      <ConfigField draft={draft} />
    </AddForm>
  );
}

/** The fields that say which people may run the add-on. */
function AudienceFields<V extends Pick<Values, "access" | "organization">>({
  draft,
  organizations,
}: {
  draft: Draft<V>;
  organizations: Organizations;
}) {
  const shared = draft as unknown as Draft<Pick<Values, "access" | "organization">>;
  return (
    <>
      <ChoiceField
        field={shared.field("access")}
        label={words.access}
        choices={accesses.map((access) => [access, words.accesses[access]])}
      />
      {shared.values.value.access === "organization" && (
        <ChoiceField
          field={shared.field("organization")}
          label={words.organization}
          choices={[
            ["", words.noOrganization],
            ...organizations.map(({ id, name }) => [String(id), name] as const),
          ]}
        />
      )}
    </>
  );
}

/** The configuration, pasted or read from a file. */
function ConfigField<V extends Pick<Values, "config">>({ draft }: { draft: Draft<V> }) {
  const shared = draft as unknown as Draft<Pick<Values, "config">>;
  const id = useId();
  const read = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    if (file.size > addonLimits.config) shared.say(new Map([["config", words.fileTooLarge]]));
    else shared.set({ config: await file.text() });
  };
  return (
    <div class="wide">
      <TextField field={shared.field("config")} label={words.config} help={words.configHelp} rows={8} />
      <p class="field">
        <label for={id}>{words.upload}</label>
        <input
          id={id}
          type="file"
          accept=".yaml,.yml"
          onChange={({ currentTarget }) => void read(currentTarget.files?.[0])}
        />
      </p>
    </div>
  );
}

const valuesOf = (addon: AdministeredAddon): Values => ({
  config: addon.config,
  access: addon.access,
  organization: addon.organization === null ? "" : String(addon.organization),
  is_default: addon.is_default,
  is_featured: addon.is_featured,
  is_enabled: addon.is_enabled,
});

function EditDialog({
  addon,
  addons,
  organizations,
  onClose,
}: {
  addon: AdministeredAddon;
  addons: Addons;
  organizations: Organizations;
  onClose: () => void;
}) {
  const [draft] = useState(
    () => new Draft(valuesOf(addon), { limits: { config: addonLimits.config }, gone: adminTexts.notFound }),
  );
  const record = recordAt<Values, AdministeredAddon>(addons.api, `${folder}${addon.id}/`, {
    valuesOf,
    changesOf: (from, to) => changesOf(sentOf(from), sentOf(to)),
  });
  const save = async (): Promise<void> => {
    if (await draft.save(record, ({ name }) => addons.noteChange(words.saved(name)))) onClose();
  };
  return (
    <Dialog title={texts.of(words.edit, addon.name)} onClose={onClose}>
      <Form draft={draft} send={save} submit={viewerTexts.save}>
        <AudienceFields draft={draft} organizations={organizations} />
        <ConfigField draft={draft} />
        <CheckField field={draft.field("is_enabled")} label={words.enabled} />
        <CheckField field={draft.field("is_featured")} label={words.featured} />
        <CheckField field={draft.field("is_default")} label={words.default} />
      </Form>
    </Dialog>
  );
}

const changesOf = (from: object, to: object): object =>
  Object.fromEntries(
    Object.entries(to).filter(([name, value]) => (from as Record<string, unknown>)[name] !== value),
  );
