import { maxFactorCodeLength, personLimits } from "../../../contract/limits.ts";
import { type Field, FieldError } from "../../../http/fields/fields.ts";
import { checkLength, readText, text } from "../../../http/fields/field-kinds.ts";

/** The text is not trimmed: white space around a password is part of it. */
export const passwordField: Field<string> & { required: true } = {
  type: "string",
  label: "Password",
  required: true,
  maxLength: personLimits.password,
  read: (value) => {
    const read = readText(value);
    if (read === "") throw new FieldError("This field may not be blank.");
    checkLength(read, personLimits.password);
    return read;
  },
};

/** Fields for signing in with a password. */
export const credentialFields = {
  username: text({ label: "Username", required: true, maxLength: personLimits.username }),
  password: passwordField,
  code: text({
    label: "Code",
    help: "Of the second factor, if the account has one",
    blank: true,
    maxLength: maxFactorCodeLength,
    example: "",
  }),
};

export const refreshFields = {
  refresh: text({ label: "Refresh token", required: true, maxLength: 4000 }),
};
