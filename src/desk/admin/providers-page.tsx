import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import type {
  AdministeredOrganization,
  IdentityProvider,
  ProviderCheck,
} from "../../contract/administration.ts";
import { identityProviderLimits } from "../../contract/limits.ts";
import { Dialog } from "../../viewer/dialog.tsx";
import { Draft, type Field } from "../../viewer/form/draft.ts";
import { CheckField, TextField } from "../../viewer/form/field.tsx";
import { Form } from "../../viewer/form/form.tsx";
import { recordAt } from "../../viewer/form/merge.ts";
import { adminTexts } from "../model/admin-texts.ts";
import { texts as viewerTexts } from "../../viewer/texts/texts.ts";
import { AdminResource, type ListAnswer } from "../model/admin-resource.ts";
import type { DeskApi } from "../model/desk-api.ts";
import { texts } from "../model/texts.ts";
import { RowButton } from "../parts/row-button.tsx";
import { type GroupRole, GroupsField } from "./groups-field.tsx";
import { AddForm, AdminList, AdminPage, AdminRow, RemoveDialog } from "./parts.tsx";

const words = adminTexts.providers;
const folder = "admin/identity_providers/";

type Providers = AdminResource<ListAnswer<IdentityProvider>>;

/** The page on which administrators set up the services at which people sign in. */
export function ProvidersPage({ api }: { api: DeskApi }) {
  const providers = useMemo<Providers>(() => new AdminResource(api, folder), [api]);
  const organizations = useMemo<AdminResource<ListAnswer<AdministeredOrganization>>>(
    () => new AdminResource(api, "admin/organizations/?per_page=1000"),
    [api],
  );
  const edited = useSignal<IdentityProvider | null>(null);
  const removed = useSignal<IdentityProvider | null>(null);
  useEffect(() => {
    void providers.load();
    void organizations.load();
  }, [providers, organizations]);
  const check = async ({ id, name }: IdentityProvider): Promise<void> => {
    providers.notify(words.checking(name));
    try {
      const found = await api.get<ProviderCheck>(`${folder}${id}/check/`);
      providers.notify(resultIn(name, found), found.problem !== null);
    } catch (error) {
      providers.refuse(error);
    }
  };
  return (
    <AdminPage api={api} current="providers" message={providers.message}>
      <p class="help">{words.help}</p>
      <NewProvider providers={providers} />
      <AdminList resource={providers} label={words.list}>
        {(provider) => (
          <AdminRow
            key={provider.id}
            title={provider.name}
            facts={[provider.issuer, !provider.is_enabled && words.disabled]}
            more={<Addresses provider={provider} />}
          >
            <RowButton action={words.check} of={provider.name} onClick={() => void check(provider)} />
            <RowButton action={words.edit} of={provider.name} onClick={() => (edited.value = provider)} />
            <RowButton
              action={words.remove}
              of={provider.name}
              isDangerous
              onClick={() => (removed.value = provider)}
            />
          </AdminRow>
        )}
      </AdminList>
      {edited.value !== null && (
        <EditDialog
          provider={edited.value}
          providers={providers}
          organizations={organizations.answer.value?.results ?? []}
          onClose={() => (edited.value = null)}
        />
      )}
      {removed.value !== null && (
        <RemoveDialog
          item={removed.value}
          resource={providers}
          folder={folder}
          words={words}
          onClose={() => (removed.value = null)}
        />
      )}
    </AdminPage>
  );
}

function resultIn(name: string, { problem, scopes_unknown: unknown }: ProviderCheck): string {
  if (problem !== null) return words.failed(name, problem);
  return unknown.length === 0 ? words.works(name) : words.worksWithout(name, unknown.join(", "));
}

/** The addresses that an administrator enters at the provider. */
function Addresses({ provider }: { provider: IdentityProvider }) {
  const rows = [
    [words.returnAddress, provider.return_address],
    [words.signOutAddress, provider.sign_out_address],
    [words.noticeAddress, provider.notice_address],
  ] as const;
  return (
    <details>
      <summary>{words.addresses}</summary>
      <dl class="addresses">
        {rows.map(([name, address]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{address}</code>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

const limits = {
  name: identityProviderLimits.name,
  issuer: identityProviderLimits.issuer,
  client_id: identityProviderLimits.clientId,
  client_secret: identityProviderLimits.clientSecret,
  scopes: identityProviderLimits.scopes,
  groups_claim: identityProviderLimits.group,
  administrators_group: identityProviderLimits.group,
};

type Basics = Pick<IdentityProvider, "name" | "issuer" | "client_id"> & { client_secret: string };
const basics: Basics = { name: "", issuer: "", client_id: "", client_secret: "" };

const needed = ["name", "issuer", "client_id"] as const;

function missing(values: Basics): [(typeof needed)[number], string][] {
  return needed.filter((name) => values[name].trim() === "").map((name) => [name, viewerTexts.form.needed]);
}

function NewProvider({ providers }: { providers: Providers }) {
  const [draft] = useState(() => new Draft(basics, { limits, check: missing, gone: adminTexts.notFound }));
  const create = async (values: Basics): Promise<void> => {
    await providers.api.send("POST", folder, values);
    draft.reset();
    await providers.noteChange(words.added(values.name));
  };
  return (
    <AddForm title={words.add} draft={draft} send={create} submit={words.create}>
      <BasicFields field={(name) => draft.field(name)} />
    </AddForm>
  );
}

function BasicFields({
  field,
  hasSecret = false,
}: {
  field: (name: keyof Basics) => Field<string>;
  hasSecret?: boolean;
}) {
  return (
    <>
      <TextField field={field("name")} label={words.name} help={words.nameHelp} isRequired />
      <TextField field={field("issuer")} label={words.issuer} help={words.issuerHelp} type="url" isRequired />
      <TextField field={field("client_id")} label={words.clientId} isRequired />
      <TextField
        field={field("client_secret")}
        label={words.clientSecret}
        help={hasSecret ? words.keptSecretHelp : words.secretHelp}
        type="password"
        autocomplete="off"
      />
    </>
  );
}

type ProviderValues = Basics &
  Pick<
    IdentityProvider,
    "scopes" | "groups_claim" | "administrators_group" | "creates_accounts" | "links_by_email" | "is_enabled"
  > & { groups: readonly GroupRole[] };

const valuesOf = (provider: IdentityProvider): ProviderValues => ({
  name: provider.name,
  issuer: provider.issuer,
  client_id: provider.client_id,
  client_secret: "",
  scopes: provider.scopes,
  groups_claim: provider.groups_claim,
  groups: provider.groups,
  administrators_group: provider.administrators_group,
  creates_accounts: provider.creates_accounts,
  links_by_email: provider.links_by_email,
  is_enabled: provider.is_enabled,
});

function EditDialog({
  provider,
  providers,
  organizations,
  onClose,
}: {
  provider: IdentityProvider;
  providers: Providers;
  organizations: readonly AdministeredOrganization[];
  onClose: () => void;
}) {
  const [draft] = useState(
    () => new Draft(valuesOf(provider), { limits, check: missing, gone: adminTexts.notFound }),
  );
  const record = recordAt<ProviderValues, IdentityProvider>(providers.api, `${folder}${provider.id}/`, {
    valuesOf,
  });
  const save = async (): Promise<void> => {
    if (await draft.save(record, ({ name }) => providers.noteChange(words.saved(name)))) onClose();
  };
  return (
    <Dialog title={texts.of(words.edit, provider.name)} onClose={onClose}>
      <Form draft={draft} send={save} submit={viewerTexts.save}>
        <BasicFields field={(name) => draft.field(name)} hasSecret={provider.has_secret} />
        <CheckField field={draft.field("is_enabled")} label={words.enabled} />
        <CheckField
          field={draft.field("creates_accounts")}
          label={words.createsAccounts}
          help={words.createsAccountsHelp}
        />
        <CheckField
          field={draft.field("links_by_email")}
          label={words.linksByEmail}
          help={words.linksByEmailHelp}
        />
        <TextField field={draft.field("scopes")} label={words.scopes} help={words.scopesHelp} />
        <TextField
          field={draft.field("groups_claim")}
          label={words.groupsClaim}
          help={words.groupsClaimHelp}
        />
        <GroupsField field={draft.field("groups")} organizations={organizations} />
        <TextField
          field={draft.field("administrators_group")}
          label={words.administratorsGroup}
          help={words.administratorsGroupHelp}
        />
      </Form>
    </Dialog>
  );
}
