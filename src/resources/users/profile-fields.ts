import { personLimits } from "../../contract/limits.ts";
import { type Field, FieldError } from "../../http/fields/fields.ts";
import { text } from "../../http/fields/field-kinds.ts";
import { isEmailAddress } from "./add-user.ts";

/** The facts about users that they, and administrators, may change. */
export const nameAndEmail = {
  name: text({
    maxLength: personLimits.name,
    label: "Name",
    help: "The name that others see",
    example: "Maria Lind",
  }),
  email: emailAddress(),
};

function emailAddress(): Field<string> {
  const { read, ...field } = text({ maxLength: personLimits.email, blank: true, label: "Email" });
  return {
    ...field,
    example: "maria@example.org",
    read: (value) => {
      const address = read(value);
      if (address !== "" && !isEmailAddress(address)) throw new FieldError("Enter a valid email address.");
      return address;
    },
  };
}
