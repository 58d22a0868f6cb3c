import type { AdministeredOrganization, IdentityProvider } from "../../contract/administration.ts";
import { identityProviderLimits } from "../../contract/limits.ts";
import type { Field } from "../../viewer/form/draft.ts";
import { CheckField, ChoiceField, Fieldset, TextField } from "../../viewer/form/field.tsx";
import { adminTexts } from "../model/admin-texts.ts";
import { RowButton } from "../parts/row-button.tsx";

const words = adminTexts.providers;

/** What membership in a group at the provider gives here. */
export type GroupRole = IdentityProvider["groups"][number];

/** The organizations that groups give: a row for each, and a button that adds one. */
export function GroupsField({
  field,
  organizations,
}: {
  field: Field<readonly GroupRole[]>;
  organizations: readonly AdministeredOrganization[];
}) {
  const { value: roles } = field;
  const change = (index: number, to: Partial<GroupRole>): void =>
    field.set(roles.map((role, at) => (at === index ? { ...role, ...to } : role)));
  const [first] = organizations;
  return (
    <Fieldset
      field={field}
      label={words.groups}
      help={first === undefined ? words.noOrganization : words.groupsHelp}
    >
      {roles.map((role, index) => (
        <div key={index} class="group-role" role="group" aria-label={words.groupNumber(index + 1)}>
          <TextField
            field={{
              value: role.group,
              maxLength: identityProviderLimits.group,
              set: (group) => change(index, { group }),
            }}
            label={words.group}
          />
          <ChoiceField
            field={{
              value: String(role.organization),
              set: (id) => change(index, { organization: Number(id) }),
            }}
            label={words.organization}
            choices={organizations.map(({ id, name }) => [String(id), name])}
          />
          <CheckField
            field={{ value: role.is_admin, set: (isAdmin) => change(index, { is_admin: isAdmin }) }}
            label={words.asAdmin}
          />
          <RowButton
            action={words.removeGroup}
            of={role.group}
            onClick={() => field.set(roles.filter((_role, at) => at !== index))}
          />
        </div>
      ))}
      {first !== undefined && (
        <p class="buttons">
          <button
            type="button"
            class="button small"
            onClick={() => field.set([...roles, { group: "", organization: first.id, is_admin: false }])}
          >
            {words.addGroup}
          </button>
        </p>
      )}
    </Fieldset>
  );
}
