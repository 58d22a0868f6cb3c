import { useSignal } from "@preact/signals";
import { useId, useState } from "preact/hooks";
import type { AdministeredUser, InvitedUser, PasswordLink } from "../../contract/administration.ts";
import { organizationLimits, personLimits } from "../../contract/limits.ts";
import { Dialog } from "../../viewer/dialog.tsx";
import { Draft } from "../../viewer/form/draft.ts";
import { CheckField, TextField } from "../../viewer/form/field.tsx";
import { Form } from "../../viewer/form/form.tsx";
import { recordAt } from "../../viewer/form/merge.ts";
import { momentInWords } from "../../viewer/texts/moments.ts";
import { adminTexts } from "../model/admin-texts.ts";
import { texts as viewerTexts } from "../../viewer/texts/texts.ts";
import type { AdminResource, ListAnswer } from "../model/admin-resource.ts";
import { texts } from "../model/texts.ts";
import { AddForm } from "./parts.tsx";

const words = adminTexts.people;
const limits = { ...personLimits, organization: organizationLimits.name };

export type Users = AdminResource<ListAnswer<AdministeredUser>>;

/** A link that was just created, and whose it is. */
export interface NewLink extends PasswordLink {
  name: string;
}

const invited = {
  username: "",
  name: "",
  email: "",
  organization: "",
  is_administrator: false,
  send_mail: true,
};

export function InviteForm({
  users,
  hasMail,
  onInvited,
}: {
  users: Users;
  /** Whether a mail server is set up. */
  hasMail: boolean;
  onInvited: (made: NewLink) => void;
}) {
  const [draft] = useState(
    () =>
      new Draft(invited, {
        limits,
        check: ({ username }) => (username.trim() === "" ? [["username", viewerTexts.form.needed]] : []),
        gone: adminTexts.notFound,
      }),
  );
  const invite = async ({ name, ...typed }: typeof invited): Promise<void> => {
    const made = (await users.api.send("POST", "admin/users/", {
      ...typed,
      ...(name.trim() !== "" && { name }),
      send_mail: hasMail && typed.send_mail && typed.email !== "",
    })) as InvitedUser;
    draft.reset();
    await users.noteChange(made.link === null ? words.mailed(made.username) : words.saved(made.username));
    if (made.link !== null) onInvited({ name: made.username, link: made.link, expires_at: made.expires_at });
  };
  return (
    <AddForm title={words.invite} draft={draft} send={invite} submit={words.inviteNow}>
      <TextField
        field={draft.field("username")}
        label={words.username}
        help={words.usernameHelp}
        isRequired
      />
      <TextField field={draft.field("name")} label={words.name} />
      <TextField field={draft.field("email")} label={words.email} type="email" />
      <TextField
        field={draft.field("organization")}
        label={words.organization}
        help={words.organizationHelp}
      />
      <CheckField
        field={draft.field("is_administrator")}
        label={words.administrator}
        help={words.administratorHelp}
      />
      {hasMail && (
        <CheckField field={draft.field("send_mail")} label={words.sendMail} help={words.sendMailHelp} />
      )}
    </AddForm>
  );
}

type UserValues = Pick<AdministeredUser, "name" | "email" | "is_administrator">;

const valuesOf = ({ name, email, is_administrator }: AdministeredUser): UserValues => ({
  name,
  email,
  is_administrator,
});

/** The form for a user. What other administrators change meanwhile in other fields stays. */
export function EditUserDialog({
  user,
  users,
  onClose,
}: {
  user: AdministeredUser;
  users: Users;
  onClose: () => void;
}) {
  const [draft] = useState(
    () =>
      new Draft(valuesOf(user), {
        limits,
        check: ({ name }) => (name.trim() === "" ? [["name", viewerTexts.form.needed]] : []),
        inWords: (values, field) => (field === "is_administrator" ? words.administrator : values[field]),
        gone: adminTexts.notFound,
      }),
  );
  const record = recordAt<UserValues, AdministeredUser>(users.api, `admin/users/${user.id}/`, { valuesOf });
  const save = async (): Promise<void> => {
    if (await draft.save(record, ({ username }) => users.noteChange(words.saved(username)))) onClose();
  };
  return (
    <Dialog title={texts.of(words.edit, user.username)} onClose={onClose}>
      <Form draft={draft} send={save} submit={viewerTexts.save}>
        <TextField field={draft.field("name")} label={words.name} isRequired />
        <TextField field={draft.field("email")} label={words.email} type="email" />
        <CheckField
          field={draft.field("is_administrator")}
          label={words.administrator}
          help={words.administratorHelp}
        />
      </Form>
    </Dialog>
  );
}

export function LinkDialog({
  made: { name, link, expires_at },
  onClose,
}: {
  made: NewLink;
  onClose: () => void;
}) {
  const id = useId();
  const said = useSignal("");
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(link ?? "");
    said.value = words.copied;
  };
  return (
    <Dialog title={words.linkTitle(name)} onClose={onClose}>
      <div class="form">
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
