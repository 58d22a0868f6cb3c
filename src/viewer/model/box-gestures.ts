import { type BoxDrawing, type DrawnBox, boxInWords } from "./box-drawing.ts";
import {
  type Box,
  type Handle,
  type Point,
  boxBetween,
  handles,
  movedBox,
  resizedBox,
  turnedBackBox,
  turnedBox,
} from "./boxes.ts";
import { editingTexts as texts } from "../texts/editing-texts.ts";

/** The minimum size of a box on the screen, in CSS pixels. A shorter drag is a click. */
const minPixels = 6;
/** The distance by which an arrow key moves an edge, in CSS pixels: zooming in makes the steps finer. */
const stepPixels = 4;

const directions: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** A pointer that draws, moves or resizes. Boxes and points are in fractions of the page as it is shown. */
interface Gesture {
  pointer: number;
  start: Point;
  /** Null while a new box is drawn. */
  changed: DrawnBox | null;
  /** The handle that is dragged; null for the whole box. */
  handle: Handle | null;
}

interface DrawnPage {
  /** Counting from 1. */
  page: number;
  drawing: BoxDrawing;
  /** By how many quarters the page is shown turned. */
  quarterTurns: () => number;
  /** Says something to people who cannot see it. */
  announce: (text: string) => void;
}

/** What pointers and keys do with the boxes on one page. */
export class BoxGestures {
  /** The element on which boxes are drawn; null while it is not there. */
  layer: HTMLElement | null = null;
  readonly #page: DrawnPage;
  #gesture: Gesture | null = null;

  constructor(page: DrawnPage) {
    this.#page = page;
  }

  begin(event: PointerEvent): void {
    const { drawing, page } = this.#page;
    // A second finger means a pinch.
    if (!event.isPrimary) {
      this.#gesture = null;
      drawing.draft.value = null;
      return;
    }
    if (event.button !== 0) return;
    const target = event.target as HTMLElement;
    const id = target.closest<HTMLElement>("[data-box]")?.dataset["box"];
    const boxes = drawing.byPage.peek().get(page) ?? [];
    const changed = boxes.find((one) => String(one.id) === id) ?? null;
    if (changed === null && !drawing.isOn.peek()) return;
    const handle = handles[Number(target.dataset["handle"])] ?? null;
    drawing.selected.value = changed?.id ?? null;
    this.#gesture = { pointer: event.pointerId, start: this.#pointOf(event), changed, handle };
    target.setPointerCapture(event.pointerId);
  }

  move(event: PointerEvent): void {
    const { drawing, page } = this.#page;
    const gesture = this.#gestureOf(event);
    if (gesture === null) return;
    const point = this.#pointOf(event);
    const small = this.#sizeInPage(minPixels / 2);
    const isClick =
      drawing.draft.peek() === null &&
      Math.abs(point.x - gesture.start.x) < small.x &&
      Math.abs(point.y - gesture.start.y) < small.y;
    if (isClick) return;
    drawing.draft.value = { id: gesture.changed?.id ?? null, page, box: this.#shapeAt(gesture, point) };
  }

  end(event: PointerEvent): void {
    const { drawing, page } = this.#page;
    const gesture = this.#gestureOf(event);
    if (gesture === null) return;
    this.#gesture = null;
    // Escape has dropped the draft, or there never was one: a click.
    if (drawing.draft.peek() === null) return;
    const box = this.#shapeAt(gesture, this.#pointOf(event));
    if (gesture.changed !== null) {
      drawing.change(gesture.changed.id, { box });
      this.#say(box);
      return;
    }
    const min = this.#sizeInPage(minPixels);
    const shown = turnedBox(box, this.#page.quarterTurns());
    if (shown.x2 - shown.x1 < min.x || shown.y2 - shown.y1 < min.y) {
      drawing.draft.value = null;
      return;
    }
    drawing.focusNext = drawing.add(page, box);
    this.#say(box);
  }

  cancel(): void {
    if (this.#gesture === null) return;
    this.#gesture = null;
    this.#page.drawing.draft.value = null;
  }

  /**
   * An Escape during a gesture drops the draft; what the pointer does after it must not bring the draft back. Returns a
   * function that stops looking for that.
   */
  followDraft(): () => void {
    let wasDrafting = false;
    return this.#page.drawing.draft.subscribe((draft) => {
      if (draft === null && wasDrafting) this.#gesture = null;
      wasDrafting = draft !== null;
    });
  }

  /** Removes, moves or resizes the box that has the focus. */
  press(event: KeyboardEvent, drawn: DrawnBox): void {
    const { drawing, quarterTurns, announce } = this.#page;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      this.layer?.closest<HTMLElement>(".pages")?.focus({ preventScroll: true });
      drawing.remove(drawn.id);
      announce(texts.box.removed(drawing.name));
      return;
    }
    const direction = directions[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    const step = this.#sizeInPage(stepPixels);
    const by = { x: direction.x * step.x, y: direction.y * step.y };
    const shown = turnedBox(drawn.box, quarterTurns());
    const min = this.#sizeInPage(minPixels);
    const moved = event.shiftKey ? resizedBox(shown, { x: 1, y: 1 }, by, min) : movedBox(shown, by);
    const box = turnedBackBox(moved, quarterTurns());
    drawing.change(drawn.id, { box });
    this.#say(box);
  }

  #gestureOf({ pointerId }: PointerEvent): Gesture | null {
    return this.#gesture?.pointer === pointerId ? this.#gesture : null;
  }

  #sizeInPage(pixels: number): Point {
    const { width = 1, height = 1 } = this.layer?.getBoundingClientRect() ?? {};
    return { x: pixels / width, y: pixels / height };
  }

  #pointOf({ clientX, clientY }: PointerEvent): Point {
    if (this.layer === null) return { x: 0, y: 0 };
    return fractionsOf({ x: clientX, y: clientY }, this.layer.getBoundingClientRect());
  }

  #shapeAt({ start, changed, handle }: Gesture, point: Point): Box {
    const turns = this.#page.quarterTurns();
    const by = { x: point.x - start.x, y: point.y - start.y };
    if (changed === null) return turnedBackBox(boxBetween(start, point), turns);
    const shown = turnedBox(changed.box, turns);
    const moved =
      handle === null ? movedBox(shown, by) : resizedBox(shown, handle, by, this.#sizeInPage(minPixels));
    return turnedBackBox(moved, turns);
  }

  #say(box: Box): void {
    const { drawing, quarterTurns, announce } = this.#page;
    announce(texts.box.changed(drawing.name, boxInWords(turnedBox(box, quarterTurns()))));
  }
}

/** A point of the window in fractions of an element that is there. */
export function fractionsOf({ x, y }: Point, { left, top, width, height }: DOMRect): Point {
  return { x: (x - left) / Math.max(1, width), y: (y - top) / Math.max(1, height) };
}
