import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect, useId } from "preact/hooks";
import { texts } from "./model/texts.ts";
import { type GatheredFiles, droppedFiles } from "./uploads/dropped-files.ts";

/** A form that takes web addresses: one a line, or a single one. */
export function AddressForm({
  label,
  button,
  isMany = false,
  isDisabled = false,
  onSubmit,
}: {
  label: string;
  button: string;
  isMany?: boolean;
  isDisabled?: boolean;
  /** Takes the lines that are addresses, and returns the others. */
  onSubmit: (lines: readonly string[]) => readonly string[];
}) {
  const id = useId();
  const text = useSignal("");
  const wrong = useSignal<readonly string[]>([]);
  const attributes = {
    id,
    required: true,
    disabled: isDisabled,
    spellcheck: false,
    value: text.value,
    "aria-invalid": wrong.value.length > 0,
    "aria-describedby": `${id}-wrong`,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => (text.value = currentTarget.value),
  };
  return (
    <form
      class="address-form"
      onSubmit={(event) => {
        event.preventDefault();
        const lines = text.value.split("\n").map((line) => line.trim());
        wrong.value = onSubmit(lines.filter((line) => line !== ""));
        text.value = wrong.value.join("\n");
      }}
    >
      <label for={id}>{label}</label>
      {isMany ? (
        <textarea rows={5} {...attributes} />
      ) : (
        <input inputMode="url" autocomplete="off" {...attributes} />
      )}
      <p class="problem" id={`${id}-wrong`} role="alert">
        {wrong.value.map((line) => texts.notAddress(line)).join(" ")}
      </p>
      <p class="buttons">
        <button class={`button ${isMany ? "primary" : ""}`} disabled={isDisabled}>
          {button}
        </button>
      </p>
    </form>
  );
}

/** Takes files dropped anywhere on the page, as long as `isPossible`. The result is whether some are held over it. */
export function useDrops(
  isPossible: boolean,
  onFiles: (files: GatheredFiles) => void,
): ReadonlySignal<boolean> {
  const isDraggedOver = useSignal(false);
  useEffect(() => {
    if (!isPossible) return undefined;
    return takeDrops(onFiles, (isOver) => (isDraggedOver.value = isOver));
  }, [isPossible]);
  return isDraggedOver;
}

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") === true;

/** Accepts files dropped anywhere on the page. Returns a function that stops this. */
function takeDrops(onFiles: (files: GatheredFiles) => void, onOver: (isOver: boolean) => void): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  addEventListener(
    "dragover",
    (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      onOver(true);
    },
    { signal },
  );
  addEventListener(
    "dragleave",
    (event) => {
      if (event.relatedTarget === null) onOver(false);
    },
    { signal },
  );
  addEventListener(
    "drop",
    (event) => {
      if (!hasFiles(event) || event.dataTransfer === null) return;
      event.preventDefault();
      onOver(false);
      void droppedFiles(event.dataTransfer).then(onFiles);
    },
    { signal },
  );
  return () => leaving.abort();
}
