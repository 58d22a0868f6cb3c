import { useSignal } from "@preact/signals";
import { organizationLimits, personLimits } from "../../contract/limits.ts";
import { momentInWords } from "../../viewer/texts/moments.ts";
import { useEffect, useId, useMemo } from "preact/hooks";
import { Dialog } from "../../viewer/dialog.tsx";
import { AdminResource, type ListAnswer } from "../model/admin-resource.ts";
import type { DeskApi } from "../model/desk-api.ts";
import { texts } from "../model/texts.ts";
import { AdminList, AdminPage, AdminRow, CheckField, RowButton, TextField } from "./parts.tsx";

const words = texts.admin.people;

interface User {
  id: number;
  username: string;
  name: string;
  email: string;
  is_active: boolean;
  is_administrator: boolean;
  has_password: boolean;
  signed_in_at: string | null;
  organizations: readonly { name: string }[];
}

/** A link that was just created. */
interface NewLink {
  name: string;
  /** Null if it is sent by mail. */
  link: string | null;
  expires_at: string | null;
}

type Users = AdminResource<ListAnswer<User>>;

/** The page on which administrators invite, change and disable users. */
export function PeoplePage({ api, hasMail }: { api: DeskApi; hasMail: boolean }) {
  const users = useMemo<Users>(() => new AdminResource(api, "admin/users/"), [api]);
  const text = useSignal("");
  const newLink = useSignal<NewLink | null>(null);
  const edited = useSignal<User | null>(null);
  const disabled = useSignal<User | null>(null);
  useEffect(() => void users.load(), [users]);

  const sendLink = async ({ id, username: name, email }: User): Promise<void> => {
    const isMailed = hasMail && email !== "";
    const path = `admin/users/${id}/link/`;
    const made = await users.act<Omit<NewLink, "name">>("POST", path, { send_mail: isMailed }, "");
    if (made === null) return;
    if (made.link === null) users.notify(words.mailed(name));
    else newLink.value = { ...made, name };
  };
  const switchUser = (user: User, isActive: boolean): Promise<unknown> =>
    users.act(
      "PATCH",
      `admin/users/${user.id}/`,
      { is_active: isActive },
      isActive ? words.enabledNow(user.username) : words.disabledNow(user.username),
    );
  return (
    <AdminPage api={api} current="people" message={users.message}>
      <InviteForm users={users} hasMail={hasMail} onInvited={(made) => (newLink.value = made)} />
      <form
        class="desk-fields"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          void users.load(`admin/users/?${new URLSearchParams({ q: text.value })}`);
        }}
      >
        <div class="with-button search-field">
          <TextField label={words.find} value={text} type="search" />
          <button class="button">{texts.show}</button>
        </div>
      </form>
      <AdminList resource={users} label={words.list}>
        {(user) => (
          <AdminRow key={user.id} title={user.name === "" ? user.username : user.name} facts={factsOf(user)}>
            <RowButton action={words.edit} of={user.username} onClick={() => (edited.value = user)} />
            {user.is_active && (
              <RowButton action={words.link} of={user.username} onClick={() => void sendLink(user)} />
            )}
            {user.is_active ? (
              <RowButton
                action={words.disable}
                of={user.username}
                isDangerous
                isDisabled={user.id === api.options.user}
                onClick={() => (disabled.value = user)}
              />
            ) : (
              <RowButton
                action={words.enable}
                of={user.username}
                onClick={() => void switchUser(user, true)}
              />
            )}
          </AdminRow>
        )}
      </AdminList>
      {newLink.value !== null && <LinkDialog made={newLink.value} onClose={() => (newLink.value = null)} />}
      {edited.value !== null && (
        <EditDialog user={edited.value} users={users} onClose={() => (edited.value = null)} />
      )}
      {disabled.value !== null && (
        <Dialog title={words.disableTitle(disabled.value.username)} onClose={() => (disabled.value = null)}>
          <p>{words.disableHelp}</p>
          <p class="buttons">
            <button
              type="button"
              class="button danger"
              onClick={() => {
                const user = disabled.value;
                disabled.value = null;
                if (user !== null) void switchUser(user, false);
              }}
            >
              {words.disable}
            </button>
          </p>
        </Dialog>
      )}
    </AdminPage>
  );
}

function factsOf(user: User): (string | false)[] {
  return [
    user.username,
    user.email,
    ...user.organizations.map(({ name }) => name),
    user.is_administrator && words.administrator,
    !user.is_active ? words.disabled : user.has_password ? words.active : words.waiting,
    user.signed_in_at === null ? words.neverSignedIn : words.signedIn(momentInWords(user.signed_in_at)),
  ];
}

interface InviteFormProps {
  users: Users;
  /** Whether a mail server is set up. */
  hasMail: boolean;
  onInvited: (made: NewLink) => void;
}

function InviteForm({ users, hasMail, onInvited }: InviteFormProps) {
  const id = useId();
  const username = useSignal("");
  const name = useSignal("");
  const email = useSignal("");
  const organization = useSignal("");
  const isAdministrator = useSignal(false);
  const isMailed = useSignal(hasMail);
  const invite = async (): Promise<void> => {
    const made = await users.act<User & Omit<NewLink, "name">>(
      "POST",
      "admin/users/",
      {
        username: username.value,
        email: email.value,
        organization: organization.value,
        is_administrator: isAdministrator.value,
        send_mail: isMailed.value && email.value !== "",
        ...(name.value.trim() !== "" && { name: name.value }),
      },
      words.saved(username.value),
    );
    if (made === null) return;
    if (made.link === null) users.notify(words.mailed(made.username));
    else onInvited({ name: made.username, link: made.link, expires_at: made.expires_at });
    for (const field of [username, name, email, organization]) field.value = "";
    isAdministrator.value = false;
  };
  return (
    <details class="panel">
      <summary id={id}>{words.invite}</summary>
      <form
        class="panel-content desk-fields"
        aria-labelledby={id}
        onSubmit={(event) => {
          event.preventDefault();
          void invite();
        }}
      >
        <TextField
          label={words.username}
          value={username}
          help={words.usernameHelp}
          required
          maxLength={personLimits.username}
          autocomplete="off"
        />
        <TextField label={words.name} value={name} maxLength={personLimits.name} autocomplete="off" />
        <TextField
          label={words.email}
          value={email}
          type="email"
          maxLength={personLimits.email}
          autocomplete="off"
        />
        <TextField
          label={words.organization}
          value={organization}
          help={words.organizationHelp}
          maxLength={organizationLimits.name}
        />
        <CheckField label={words.administrator} value={isAdministrator} help={words.administratorHelp} />
        {hasMail && <CheckField label={words.sendMail} value={isMailed} help={words.sendMailHelp} />}
        <p class="buttons">
          <button class="button primary">{words.inviteNow}</button>
        </p>
      </form>
    </details>
  );
}

function LinkDialog({ made: { name, link, expires_at }, onClose }: { made: NewLink; onClose: () => void }) {
  const id = useId();
  const said = useSignal("");
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(link ?? "");
    said.value = words.copied;
  };
  return (
    <Dialog title={words.linkTitle(name)} onClose={onClose}>
      <div class="dialog-fields">
        <p>{words.linkHelp(momentInWords(expires_at ?? ""))}</p>
        <p class="field">
          <label for={id}>{words.linkLabel}</label>
          <input
            id={id}
            readOnly
            value={link ?? ""}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
        </p>
        <p class="buttons">
          {/* Browsers offer the clipboard only to pages that come by HTTPS or from this machine. */}
          {window.isSecureContext && (
            <button type="button" class="button primary" onClick={() => void copy()}>
              {words.copy}
            </button>
          )}
        </p>
        <p role="status">{said}</p>
      </div>
    </Dialog>
  );
}

function EditDialog({ user, users, onClose }: { user: User; users: Users; onClose: () => void }) {
  const name = useSignal(user.name);
  const email = useSignal(user.email);
  const isAdministrator = useSignal(user.is_administrator);
  const save = async (): Promise<void> => {
    const saved = await users.act(
      "PATCH",
      `admin/users/${user.id}/`,
      {
        ...(name.value !== user.name && { name: name.value }),
        ...(email.value !== user.email && { email: email.value }),
        ...(isAdministrator.value !== user.is_administrator && { is_administrator: isAdministrator.value }),
      },
      words.saved(user.username),
    );
    if (saved !== null) onClose();
  };
  const { text, isProblem } = users.message.value;
  // A problem from before has nothing to do with this form.
  useEffect(() => users.notify(""), [users]);
  return (
    <Dialog title={texts.of(words.edit, user.username)} onClose={onClose}>
      <form
        class="dialog-fields"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField
          label={words.name}
          value={name}
          required
          maxLength={personLimits.name}
          autocomplete="off"
        />
        <TextField
          label={words.email}
          value={email}
          type="email"
          maxLength={personLimits.email}
          autocomplete="off"
        />
        <CheckField label={words.administrator} value={isAdministrator} help={words.administratorHelp} />
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
