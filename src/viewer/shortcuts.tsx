import { useSignal } from "@preact/signals";
import { type ComponentChildren, Fragment } from "preact";
import { Dialog } from "./dialog.tsx";
import { texts } from "./texts/texts.ts";

/** An action with keys that run it. */
export interface Command {
  /** Values of `KeyboardEvent.key`. */
  keys: readonly string[];
  label: string;
  run: () => void;
}

const storageName = "quire-single-keys";

export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(storageName) !== "off";
  } catch {
    return true;
  }
}

/** Whether a key press is for something else: a dialog, or code that has handled it. */
export function isTaken(event: KeyboardEvent): boolean {
  return event.defaultPrevented || document.querySelector("dialog[open]") !== null;
}

/** Whether a key press types or chooses something, or belongs to the browser. */
export function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true;
  const controls = "input:not([type=checkbox]), textarea, select, [contenteditable]";
  return (target as HTMLElement).closest(controls) !== null;
}

/** Runs the command of a key, if there is one. */
export function runCommand(event: KeyboardEvent, commands: readonly Command[]): void {
  const command = commands.find(({ keys }) => keys.includes(event.key));
  const isCharacter = event.key.length === 1;
  if (command === undefined || (isCharacter && event.key !== "?" && !areSingleKeysOn())) return;
  event.preventDefault();
  command.run();
}

/** The list of all shortcuts; `children` are further ones, each a `div` with `dt` and `dd`. */
export function ShortcutSheet({
  commands,
  children,
  onClose,
}: {
  commands: readonly Command[];
  children?: ComponentChildren;
  onClose: () => void;
}) {
  const isOn = useSignal(areSingleKeysOn());
  return (
    <Dialog title={texts.shortcuts} onClose={onClose}>
      <dl class="key-list">
        {commands.map(({ keys, label }) => (
          <div key={label}>
            <dt>
              {keys.map((key, index) => (
                <Fragment key={key}>
                  {index > 0 && texts.or}
                  <kbd>{texts.keyNames[key] ?? key}</kbd>
                </Fragment>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
        {children}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={isOn.value}
          onChange={(event) => {
            isOn.value = event.currentTarget.checked;
            try {
              localStorage.setItem(storageName, isOn.value ? "on" : "off");
            } catch {
              // Without storage, the choice lasts only while the page is open.
            }
          }}
        />{" "}
        {texts.singleLetters}
      </label>
    </Dialog>
  );
}
