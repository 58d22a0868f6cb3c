import { texts } from "../model/texts.ts";

/** A button for one item of a list. Its name for screen readers includes the item. */
export function RowButton({
  action,
  of,
  onClick,
  isDangerous = false,
  isDisabled = false,
}: {
  action: string;
  of: string;
  onClick: () => void;
  isDangerous?: boolean;
  isDisabled?: boolean;
}) {
  return (
    <button
      type="button"
      class={`button small ${isDangerous ? "danger" : ""}`}
      aria-label={texts.of(action, of)}
      disabled={isDisabled}
      onClick={onClick}
    >
      {action}
    </button>
  );
}
