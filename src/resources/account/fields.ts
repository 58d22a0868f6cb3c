import { maxTokenNameLength } from "../../contract/limits.ts";
import { noticeChoices } from "../../contract/notification.ts";
import { type Field, FieldError } from "../../http/fields/fields.ts";
import { boolean, choice, dateTime, text } from "../../http/fields/field-kinds.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { languages } from "../../texts/languages.ts";
import { passwordProblem } from "../users/add-user.ts";
import { nameAndEmail } from "../users/profile-fields.ts";
import { passwordField } from "../users/credentials/credential-fields.ts";

export const preferenceFields = {
  language: {
    ...choice(["", ...languages], { label: "Language" }),
    help: "Of pages. Empty: your browser's languages decide",
    example: "de" as const,
  },
  time_zone: timeZone(),
};

const notice = (label: string) =>
  choice(noticeChoices, {
    label,
    help: "On the page alone, by mail too, or not at all",
    example: "mail" as const,
  });

/** How the person wants to be told of each kind. */
export const noticeChoiceFields = {
  notice_shared: notice("Notice: shared projects"),
  notice_mentioned: notice("Notice: mentions in notes"),
  notice_processed: notice("Notice: your documents are ready"),
  notice_failed: notice("Notice: the work on your documents failed"),
  notice_redacted: notice("Notice: your redactions have ended"),
  notice_annotated: notice("Notice: others annotate your documents"),
  notice_opened: notice("Notice: others share your documents"),
  notice_finished: notice("Notice: documents of your projects are ready"),
  notice_stopped: notice("Notice: your webhooks are switched off"),
};

export const noticeFields = {
  mail_notices: boolean({
    label: "Mail notices",
    help: "Without it, no notice is sent by mail, and nothing that saved searches find",
  }),
  ...noticeChoiceFields,
};

/** Mail to a new address leads into the account, so an unattended browser must not be enough to enter one. */
const passwordForEmail: Field<string> = {
  ...passwordField,
  label: "Current password",
  help: "For another email address, if the account has a password",
  required: false,
  read: (value) => (value === "" ? "" : passwordField.read(value)),
};

export const profileFields = {
  ...nameAndEmail,
  current_password: passwordForEmail,
  ...preferenceFields,
  ...noticeFields,
};

export const readUntilFields = {
  read_until: dateTime({ label: "Read until", help: "Empty: everything up to now" }),
};

/** The current password proves that the user makes the change, not somebody at an unattended browser. */
export const passwordFields = {
  current_password: { ...passwordField, label: "Current password" },
  password: { ...newPassword(), required: true as const },
};

export const newTokenFields = {
  name: text({
    maxLength: maxTokenNameLength,
    label: "Name",
    help: "The purpose of the token",
    required: true,
    example: "Nightly import",
  }),
  may_write: boolean({ label: "May write", help: "Without it, the token only reads", default: false }),
  expires_at: future(),
};

function timeZone(): Field<string> {
  const { read, ...field } = text({ maxLength: 64, blank: true, label: "Time zone" });
  return {
    ...field,
    help: "Of moments on pages, as an IANA name. Empty: UTC",
    example: "Europe/Berlin",
    read: (value) => {
      const name = read(value);
      if (name !== "" && !isTimeZone(name)) throw new FieldError("Enter a time zone such as Europe/Berlin.");
      return name;
    },
  };
}

function isTimeZone(name: string): boolean {
  // Offsets such as +01:00 are accepted by Intl too, but they have no summer time.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

function newPassword(): Field<string> {
  return {
    ...passwordField,
    label: "New password",
    example: "a lamp beside the harbour",
    read: (value) => {
      const password = passwordField.read(value);
      const problem = passwordProblem(password);
      if (problem !== null) throw new FieldError(`${problem}.`);
      return password;
    },
  };
}

function future(): Field<string> & { nullable: true } {
  const { read, ...field } = dateTime({
    label: "Expires at",
    help: "Empty for a token that does not expire",
  });
  return {
    ...field,
    nullable: true,
    example: "2099-01-31T00:00:00Z",
    read: (value) => {
      const at = read(value);
      if (at <= timestampNow()) throw new FieldError("This moment has passed.");
      return at;
    },
  };
}
