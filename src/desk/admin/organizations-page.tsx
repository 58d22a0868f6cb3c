import { useSignal } from "@preact/signals";
import { useEffect, useId, useMemo } from "preact/hooks";
import { organizationLimits, personLimits } from "../../contract/limits.ts";
import { Dialog } from "../../viewer/dialog.tsx";
import { AdminResource, type ListAnswer } from "../model/admin-resource.ts";
import type { DeskApi } from "../model/desk-api.ts";
import { texts } from "../model/texts.ts";
import { AdminList, AdminPage, AdminRow, RowButton, TextField } from "./parts.tsx";

const words = texts.admin.organizations;

interface Organization {
  id: number;
  name: string;
  avatar_url: string;
  members: number;
}

interface Member {
  user: number;
  username: string;
  name: string;
  is_admin: boolean;
}

type Organizations = AdminResource<ListAnswer<Organization>>;

/** The page on which administrators create and change organizations and their members. */
export function OrganizationsPage({ api }: { api: DeskApi }) {
  const organizations = useMemo<Organizations>(() => new AdminResource(api, "admin/organizations/"), [api]);
  const id = useId();
  const name = useSignal("");
  const edited = useSignal<Organization | null>(null);
  const opened = useSignal<Organization | null>(null);
  useEffect(() => void organizations.load(), [organizations]);
  const create = async (): Promise<void> => {
    const done = words.created(name.value);
    const made = await organizations.act("POST", "admin/organizations/", { name: name.value }, done);
    if (made !== null) name.value = "";
  };
  return (
    <AdminPage api={api} current="organizations" message={organizations.message}>
      <details class="panel">
        <summary id={id}>{words.add}</summary>
        <form
          class="panel-content desk-fields"
          aria-labelledby={id}
          onSubmit={(event) => {
            event.preventDefault();
            void create();
          }}
        >
          <TextField label={words.name} value={name} required maxLength={organizationLimits.name} />
          <p class="buttons">
            <button class="button primary">{words.create}</button>
          </p>
        </form>
      </details>
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
        <MembersDialog
          api={api}
          organization={opened.value}
          onClose={() => {
            opened.value = null;
            void organizations.load();
          }}
        />
      )}
    </AdminPage>
  );
}

function EditDialog({
  organization,
  organizations,
  onClose,
}: {
  organization: Organization;
  organizations: Organizations;
  onClose: () => void;
}) {
  const name = useSignal(organization.name);
  const picture = useSignal(organization.avatar_url);
  const save = async (): Promise<void> => {
    const change = { name: name.value, avatar_url: picture.value };
    const path = `admin/organizations/${organization.id}/`;
    if ((await organizations.act("PATCH", path, change, words.saved(name.value))) !== null) onClose();
  };
  const { text, isProblem } = organizations.message.value;
  // A problem from before has nothing to do with this form.
  useEffect(() => organizations.notify(""), [organizations]);
  return (
    <Dialog title={texts.of(words.edit, organization.name)} onClose={onClose}>
      <form
        class="dialog-fields"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField label={words.name} value={name} required maxLength={organizationLimits.name} />
        <TextField
          label={words.picture}
          value={picture}
          help={words.pictureHelp}
          type="url"
          maxLength={organizationLimits.avatarAddress}
        />
        <p class="problem" role="alert">
          {isProblem ? text : ""}
        </p>
        <p class="buttons">
          <button class="button primary">{texts.save}</button>
        </p>
      </form>
    </Dialog>
  );
}

function MembersDialog({
  api,
  organization,
  onClose,
}: {
  api: DeskApi;
  organization: Organization;
  onClose: () => void;
}) {
  const path = `admin/organizations/${organization.id}/members/`;
  const members = useMemo<AdminResource<ListAnswer<Member>>>(() => new AdminResource(api, path), [api, path]);
  const username = useSignal("");
  useEffect(() => void members.load(), [members]);
  const add = async (): Promise<void> => {
    const sought = username.value.trim().toLowerCase();
    const query = new URLSearchParams({ q: sought, per_page: "100" });
    const { results } = await api.get<ListAnswer<{ id: number; username: string }>>(`admin/users/?${query}`);
    const found = results.find((user) => user.username.toLowerCase() === sought);
    if (found === undefined) {
      members.message.value = { text: words.unknownUser(username.value), isProblem: true };
      return;
    }
    const value = { user: found.id };
    if ((await members.act("POST", path, value, words.added(found.username))) !== null) username.value = "";
  };
  const { text, isProblem } = members.message.value;
  return (
    <Dialog title={words.membersOf(organization.name)} onClose={onClose}>
      <div class="dialog-fields">
        <AdminList resource={members} label={words.membersOf(organization.name)}>
          {({ user, username: login, name, is_admin: isAdmin }) => (
            <AdminRow
              key={user}
              title={name === "" ? login : name}
              facts={[login, isAdmin ? words.admin : words.member]}
            >
              <RowButton
                action={isAdmin ? words.makeMember : words.makeAdmin}
                of={login}
                onClick={() =>
                  void members.act("PATCH", `${path}${user}/`, { is_admin: !isAdmin }, words.saved(login))
                }
              />
              <RowButton
                action={words.remove}
                of={login}
                isDangerous
                onClick={() => void members.act("DELETE", `${path}${user}/`, undefined, words.removed(login))}
              />
            </AdminRow>
          )}
        </AdminList>
        <form
          class="dialog-fields"
          onSubmit={(event) => {
            event.preventDefault();
            add().catch((error: unknown) => members.refuse(error));
          }}
        >
          <TextField
            label={words.username}
            value={username}
            required
            maxLength={personLimits.username}
            autocomplete="off"
          />
          <p class={isProblem ? "problem" : ""} role={isProblem ? "alert" : "status"}>
            {text}
          </p>
          <p class="buttons">
            <button class="button primary">{words.addMember}</button>
          </p>
        </form>
      </div>
    </Dialog>
  );
}
