const focusable = "a[href], button:not(:disabled), input, select, textarea, [tabindex]";

/** The element that has the focus, and where it is. */
interface Position {
  element: Element;
  /** The elements around it, the innermost first, each with its number among its siblings. */
  around: { element: Element; index: number }[];
}

/**
 * Keeps the focus near its place when the element that has it goes away, such as the button of a row that was removed:
 * then the next row gets it. Otherwise people who use the keyboard or a screen reader would begin at the top of the
 * page again.
 */
export function keepFocus(root: HTMLElement): void {
  let position: Position | null = null;
  root.addEventListener("focusin", ({ target }) => {
    if (target instanceof Element) position = positionOf(target, root);
  });
  // A person who clicks on no control gives the focus up.
  document.addEventListener("pointerdown", ({ target }) => {
    if (!(target instanceof Element) || target.closest(focusable) === null) position = null;
  });
  new MutationObserver(() => {
    const focused = document.activeElement;
    if (position === null || (focused !== null && focused !== document.body)) return;
    if (position.element.isConnected && !position.element.matches(":disabled")) return;
    nearest(position, root)?.focus({ preventScroll: true });
  }).observe(root, { childList: true, subtree: true, attributeFilter: ["disabled"] });
}

function positionOf(element: Element, root: Element): Position {
  const around: Position["around"] = [];
  for (let at: Element | null = element; at !== null && at !== root; at = at.parentElement)
    around.push({ element: at, index: [...(at.parentElement?.children ?? [])].indexOf(at) });
  return { element, around };
}

function nearest({ around }: Position, root: HTMLElement): HTMLElement | null {
  let before = 0;
  for (const { element, index } of around) {
    if (element.isConnected) {
      const sibling = element.children[Math.min(before, element.children.length - 1)];
      const found = firstIn(sibling) ?? firstIn(element);
      if (found !== null) return found;
    } else if (element.matches("dialog")) {
      // What stands beside a dialog in the document has nothing to do with it.
      break;
    }
    before = index;
  }
  return root.querySelector<HTMLElement>(".result:not(:has(> p:empty))") ?? firstIn(root);
}

function firstIn(element: Element | undefined): HTMLElement | null {
  if (element === undefined) return null;
  if (element.matches(focusable)) return element as HTMLElement;
  return element.querySelector<HTMLElement>(focusable);
}
