import { type Field, FieldError, checkLength, readText, text } from "../../../http/fields/fields.ts";

/** The text is not trimmed: white space around a password is part of it. */
export const passwordField: Field<string> & { required: true } = {
  type: "string",
  label: "Password",
  required: true,
  maxLength: 1000,
  read: (value) => {
    const read = readText(value);
    if (read === "") throw new FieldError("This field may not be blank.");
    checkLength(read, 1000);
    return read;
  },
};

/** Fields for signing in with a password. */
export const credentialFields = {
  username: text({ label: "Username", required: true, maxLength: 150 }),
  password: passwordField,
};

export const refreshFields = {
  refresh: text({ label: "Refresh token", required: true, maxLength: 4000 }),
};
