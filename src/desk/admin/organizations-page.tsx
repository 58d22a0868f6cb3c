import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { AdministeredOrganization } from "../../contract/administration.ts";
import { organizationLimits } from "../../contract/limits.ts";
import { Dialog } from "../../viewer/dialog.tsx";
import { Draft } from "../../viewer/form/draft.ts";
import { TextField } from "../../viewer/form/field.tsx";
import { Form } from "../../viewer/form/form.tsx";
import { recordAt } from "../../viewer/form/merge.ts";
import { adminTexts } from "../model/admin-texts.ts";
import { texts as viewerTexts } from "../../viewer/texts/texts.ts";
import { AdminResource, type ListAnswer } from "../model/admin-resource.ts";
import type { DeskApi } from "../model/desk-api.ts";
import { texts } from "../model/texts.ts";
import { MembersDialog } from "./members-dialog.tsx";
import { RowButton } from "../parts/row-button.tsx";
import { AddForm, AdminList, AdminPage, AdminRow } from "./parts.tsx";

const words = adminTexts.organizations;
const folder = "admin/organizations/";

type Organizations = AdminResource<ListAnswer<AdministeredOrganization>>;

/** The page on which administrators create and change organizations and their members. */
export function OrganizationsPage({ api }: { api: DeskApi }) {
  const organizations = useMemo<Organizations>(() => new AdminResource(api, folder), [api]);
  const edited = useSignal<AdministeredOrganization | null>(null);
  const opened = useSignal<AdministeredOrganization | null>(null);
  useEffect(() => void organizations.load(), [organizations]);
  const closeMembers = (): void => {
    opened.value = null;
    void organizations.load();
  };
  return (
    <AdminPage api={api} current="organizations" message={organizations.message}>
      <NewOrganization organizations={organizations} />
      <AdminList resource={organizations} label={words.list}>
        {(organization) => (
          <AdminRow
            key={organization.id}
            title={organization.name}
            facts={[words.members(organization.members)]}
          >
            <RowButton
              action={words.manage}
              of={organization.name}
              onClick={() => (opened.value = organization)}
            />
            <RowButton
              action={words.edit}
              of={organization.name}
              onClick={() => (edited.value = organization)}
            />
          </AdminRow>
        )}
      </AdminList>
      {edited.value !== null && (
        <EditDialog
          organization={edited.value}
          organizations={organizations}
          onClose={() => (edited.value = null)}
        />
      )}
      {opened.value !== null && (
        <MembersDialog api={api} organization={opened.value} onClose={closeMembers} />
      )}
    </AdminPage>
  );
}

type OrganizationValues = Pick<AdministeredOrganization, "name" | "avatar_url">;

const options = {
  limits: { name: organizationLimits.name, avatar_url: organizationLimits.avatarAddress },
  check: ({ name }: Pick<OrganizationValues, "name">): [["name", string]] | [] =>
    name.trim() === "" ? [["name", viewerTexts.form.needed]] : [],
  gone: adminTexts.notFound,
};

function NewOrganization({ organizations }: { organizations: Organizations }) {
  const [draft] = useState(() => new Draft({ name: "" }, options));
  const create = async (values: { name: string }): Promise<void> => {
    await organizations.api.send("POST", folder, values);
    draft.reset();
    await organizations.noteChange(words.created(values.name));
  };
  return (
    <AddForm title={words.add} draft={draft} send={create} submit={words.create}>
      <TextField field={draft.field("name")} label={words.name} isRequired />
    </AddForm>
  );
}

const valuesOf = ({ name, avatar_url }: AdministeredOrganization): OrganizationValues => ({
  name,
  avatar_url,
});

/** The form for an organization. What other administrators change meanwhile in the other field stays. */
function EditDialog({
  organization,
  organizations,
  onClose,
}: {
  organization: AdministeredOrganization;
  organizations: Organizations;
  onClose: () => void;
}) {
  const [draft] = useState(() => new Draft(valuesOf(organization), options));
  const record = recordAt<OrganizationValues, AdministeredOrganization>(
    organizations.api,
    `${folder}${organization.id}/`,
    { valuesOf },
  );
  const save = async (): Promise<void> => {
    if (await draft.save(record, ({ name }) => organizations.noteChange(words.saved(name)))) onClose();
  };
  return (
    <Dialog title={texts.of(words.edit, organization.name)} onClose={onClose}>
      <Form draft={draft} send={save} submit={viewerTexts.save}>
        <TextField field={draft.field("name")} label={words.name} isRequired />
        <TextField
          field={draft.field("avatar_url")}
          label={words.picture}
          help={words.pictureHelp}
          type="url"
        />
      </Form>
    </Dialog>
  );
}
