import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { AdministeredUser, PasswordLink } from "../../contract/administration.ts";
import { Ask } from "../../viewer/dialog.tsx";
import { TextField, fieldOf } from "../../viewer/form/field.tsx";
import { momentInWords } from "../../viewer/texts/moments.ts";
import { AdminResource } from "../model/admin-resource.ts";
import type { DeskApi } from "../model/desk-api.ts";
import { adminTexts } from "../model/admin-texts.ts";
import { texts } from "../model/texts.ts";
import { RowButton } from "../parts/row-button.tsx";
import { AdminList, AdminPage, AdminRow, Filter } from "./parts.tsx";
import { EditUserDialog, InviteForm, LinkDialog, type NewLink, type Users } from "./people-forms.tsx";

const words = adminTexts.people;

/** The page on which administrators invite, change and disable users. */
export function PeoplePage({ api, hasMail }: { api: DeskApi; hasMail: boolean }) {
  const users = useMemo<Users>(() => new AdminResource(api, "admin/users/"), [api]);
  const text = useSignal("");
  const newLink = useSignal<NewLink | null>(null);
  const edited = useSignal<AdministeredUser | null>(null);
  useEffect(() => void users.load(), [users]);

  const sendLink = async ({ id, username: name, email }: AdministeredUser): Promise<void> => {
    const isMailed = hasMail && email !== "";
    const path = `admin/users/${id}/link/`;
    const made = await users.act<PasswordLink>("POST", path, { send_mail: isMailed }, "");
    if (made === null) return;
    if (made.link === null) users.notify(words.mailed(name));
    else newLink.value = { ...made, name };
  };
  return (
    <AdminPage api={api} current="people" message={users.message}>
      <InviteForm users={users} hasMail={hasMail} onInvited={(made) => (newLink.value = made)} />
      <Filter onSubmit={() => void users.load(`admin/users/?${new URLSearchParams({ q: text.value })}`)}>
        <TextField field={fieldOf(text)} label={words.find} type="search">
          <button class="button">{texts.show}</button>
        </TextField>
      </Filter>
      <AdminList resource={users} label={words.list}>
        {(user) => (
          <AdminRow key={user.id} title={user.name === "" ? user.username : user.name} facts={factsOf(user)}>
            <RowButton action={words.edit} of={user.username} onClick={() => (edited.value = user)} />
            {user.is_active && (
              <RowButton action={words.link} of={user.username} onClick={() => void sendLink(user)} />
            )}
            {user.second_factors > 0 && <FactorReset user={user} users={users} />}
            <Switch user={user} users={users} isSelf={user.id === api.options.user} />
          </AdminRow>
        )}
      </AdminList>
      {newLink.value !== null && <LinkDialog made={newLink.value} onClose={() => (newLink.value = null)} />}
      {edited.value !== null && (
        <EditUserDialog user={edited.value} users={users} onClose={() => (edited.value = null)} />
      )}
    </AdminPage>
  );
}

/** Removes the second factors of somebody who has lost them, after asking. */
function FactorReset({ user, users }: { user: AdministeredUser; users: Users }) {
  const isAsking = useSignal(false);
  const { id, username } = user;
  const reset = (): Promise<unknown> =>
    users.act("DELETE", `admin/users/${id}/second_factors/`, undefined, words.factorsReset(username));
  return (
    <>
      <RowButton
        action={words.resetFactors}
        of={username}
        isDangerous
        onClick={() => (isAsking.value = true)}
      />
      {isAsking.value && (
        <Ask
          title={words.resetFactorsTitle(username)}
          answer={words.resetFactors}
          onClose={() => (isAsking.value = false)}
          onAnswer={reset}
        >
          <p>{words.resetFactorsHelp}</p>
        </Ask>
      )}
    </>
  );
}

/** Disables a user, after asking, or lets them sign in again. */
function Switch({ user, users, isSelf }: { user: AdministeredUser; users: Users; isSelf: boolean }) {
  const isAsking = useSignal(false);
  const { id, username, is_active: isActive } = user;
  const change = (): Promise<unknown> =>
    users.act(
      "PATCH",
      `admin/users/${id}/`,
      { is_active: !isActive },
      isActive ? words.disabledNow(username) : words.enabledNow(username),
    );
  if (!isActive) return <RowButton action={words.enable} of={username} onClick={() => void change()} />;
  return (
    <>
      <RowButton
        action={words.disable}
        of={username}
        isDangerous
        isDisabled={isSelf}
        onClick={() => (isAsking.value = true)}
      />
      {isAsking.value && (
        <Ask
          title={words.disableTitle(username)}
          answer={words.disable}
          onClose={() => (isAsking.value = false)}
          onAnswer={change}
        >
          <p>{words.disableHelp}</p>
        </Ask>
      )}
    </>
  );
}

function factsOf(user: AdministeredUser): (string | false)[] {
  return [
    user.username,
    user.email,
    ...user.organizations.map(({ name }) => name),
    user.is_administrator && words.administrator,
    !user.is_active ? words.disabled : user.has_password ? words.active : words.waiting,
    user.second_factors > 0 && words.factors(user.second_factors),
    user.signed_in_at === null ? words.neverSignedIn : words.signedIn(momentInWords(user.signed_in_at)),
  ];
}
