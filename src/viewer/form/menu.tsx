import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";

export interface MenuAction {
  label: string;
  /** For what leads elsewhere: its address. */
  href?: string;
  /** Whether it is only needed where the toolbar has no room for its button. */
  isNarrow?: boolean;
  isDangerous?: boolean;
  /** For an action that switches something: whether that is on. */
  isOn?: boolean;
  run: () => void;
}

/** A button that opens a list of actions, in groups. */
export function Menu({
  id,
  label,
  icon,
  narrowIcon,
  groups,
}: {
  id: string;
  label: string;
  /** What the button shows instead of the label: always, or where there is no room for it. */
  icon?: string;
  narrowIcon?: string;
  groups: readonly (readonly MenuAction[])[];
}) {
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = useSignal(false);
  return (
    <>
      <button
        ref={button}
        type="button"
        class={icon === undefined ? "button small" : "button small square"}
        popovertarget={id}
        aria-expanded={isOpen.value}
        aria-label={icon === undefined ? undefined : label}
      >
        {icon === undefined ? <span class="word">{label}</span> : <Icon of={icon} />}
        {narrowIcon !== undefined && <Icon of={narrowIcon} kind="narrow-icon" />}
      </button>
      <div
        id={id}
        ref={menu}
        popover="auto"
        class="menu"
        role="group"
        aria-label={label}
        onToggle={(event) => {
          isOpen.value = event.newState === "open";
          const anchor = button.current?.getBoundingClientRect();
          if (!isOpen.value || anchor === undefined) return;
          const { style, offsetWidth, offsetHeight } = event.currentTarget;
          style.top = `${topBeside(anchor, offsetHeight)}px`;
          style.left = `${Math.max(gap, Math.min(anchor.left, innerWidth - offsetWidth - gap))}px`;
        }}
      >
        {groups
          .filter((actions) => actions.length > 0)
          .map((actions, index) => (
            <Fragment key={index}>
              {index > 0 && <hr class={actions.every(isNarrowOnly) ? "narrow" : undefined} />}
              {actions.map((action) => (
                <MenuItem key={action.label} action={action} onDone={() => menu.current?.hidePopover()} />
              ))}
            </Fragment>
          ))}
      </div>
    </>
  );
}

/** Between a menu and its button or the edge of the window, in pixels. */
const gap = 4;

/** Where a menu begins: below its button, or above it if there is no room below, or else as far down as it fits. */
function topBeside({ top, bottom }: DOMRect, height: number): number {
  const last = innerHeight - height - gap;
  const [below, above] = [bottom + gap, top - height - gap];
  if (below <= last) return below;
  return above >= gap ? above : Math.max(gap, last);
}

const isNarrowOnly = ({ isNarrow }: MenuAction): boolean => isNarrow === true;

function MenuItem({ action, onDone }: { action: MenuAction; onDone: () => void }) {
  const { label, href, isOn, isNarrow = false, isDangerous = false, run } = action;
  const name = `menu-item${isNarrow ? " narrow" : ""}${isDangerous ? " danger" : ""}`;
  if (href !== undefined)
    return (
      <a class={name} href={href} download onClick={onDone}>
        {label}
      </a>
    );
  return (
    <button
      type="button"
      class={name}
      aria-pressed={isOn}
      onClick={() => {
        // Then the button of the menu has the focus, to which what opens now returns it.
        onDone();
        run();
      }}
    >
      {label}
    </button>
  );
}
