import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useId } from "preact/hooks";
import { documentLimits } from "../../contract/limits.ts";

/** A form for the password of a locked file. It forgets the password once it has sent it. */
export function PasswordForm({
  label,
  submit,
  onPassword,
  field = null,
}: {
  label: string;
  submit: string;
  onPassword: (password: string) => void;
  /** Takes the input. */
  field?: RefObject<HTMLInputElement | null> | null;
}) {
  const id = useId();
  const password = useSignal("");
  return (
    <form
      class="upload-password"
      onSubmit={(event) => {
        event.preventDefault();
        onPassword(password.value);
        password.value = "";
      }}
    >
      <label for={id}>{label}</label>
      <input
        ref={field}
        id={id}
        type="password"
        required
        autocomplete="off"
        maxLength={documentLimits.password}
        value={password.value}
        onInput={({ currentTarget }) => (password.value = currentTarget.value)}
      />
      <button class="button small">{submit}</button>
    </form>
  );
}
