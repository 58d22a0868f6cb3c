import { type ReadonlySignal, batch, computed, signal } from "@preact/signals";
import { editingTexts } from "../texts/editing-texts.ts";
import type { Box } from "./boxes.ts";

/** A box on a page of the document. */
export interface DrawnBox {
  /** A number that identifies the box in its drawing. */
  id: number;
  /** Counting from 1. */
  page: number;
  /** In fractions of the page, independent of zoom and rotation. */
  box: Box;
  /** What the box is for, if the owner of the drawing tells boxes apart. */
  purpose?: string;
}

export interface BoxDrawingOptions {
  /** What one box is called in labels, with a capital: "Box of the note". */
  name: string;
  /** Whether a new box replaces the one before it, and ends the drawing. */
  isSingle?: boolean;
  /** A class of the elements of the boxes, for their colours. */
  className?: string;
}

/**
 * The boxes that a person draws on the pages of a document, and the state of the drawing. It does not know what the
 * boxes are for. `boxes` changes only when an action is complete: a box that is being drawn, moved or resized is a
 * `draft` until the pointer lifts.
 */
export class BoxDrawing {
  readonly name: string;
  readonly className: string;
  readonly #isSingle: boolean;
  readonly #boxes = signal<readonly DrawnBox[]>([]);
  readonly boxes: ReadonlySignal<readonly DrawnBox[]> = this.#boxes;
  readonly byPage = computed(() => Map.groupBy(this.#boxes.value, ({ page }) => page));
  /** The id of the selected box, which shows its handles. */
  readonly selected = signal<number | null>(null);
  /** Whether dragging on a page draws a box, instead of scrolling or selecting text. */
  readonly isOn = signal(false);
  /** The box that is being drawn (id null) or changed. */
  readonly draft = signal<(Omit<DrawnBox, "id"> & { id: number | null }) | null>(null);
  /** The id of a box whose element takes the focus when it appears. */
  focusNext: number | null = null;
  #lastId = 0;

  constructor({ name, isSingle = false, className = "" }: BoxDrawingOptions) {
    this.name = name;
    this.className = className;
    this.#isSingle = isSingle;
  }

  /** Adds a box and selects it. Returns its id. */
  add(page: number, box: Box, purpose = ""): number {
    const id = ++this.#lastId;
    batch(() => {
      const others = this.#isSingle ? [] : this.#boxes.value;
      this.#boxes.value = [...others, { id, page, box, ...(purpose !== "" && { purpose }) }];
      this.selected.value = id;
      this.draft.value = null;
      if (this.#isSingle) this.isOn.value = false;
    });
    return id;
  }

  /** Changes the box, or its page. */
  change(id: number, changed: Partial<Omit<DrawnBox, "id">>): void {
    batch(() => {
      this.draft.value = null;
      this.#boxes.value = this.#boxes.value.map((box) => (box.id === id ? { ...box, ...changed } : box));
    });
  }

  remove(id: number): void {
    batch(() => {
      this.draft.value = null;
      this.#boxes.value = this.#boxes.value.filter((box) => box.id !== id);
      if (this.selected.value === id) this.selected.value = null;
    });
  }

  clear(): void {
    batch(() => {
      this.draft.value = null;
      this.#boxes.value = [];
      this.selected.value = null;
    });
  }

  /** Drops the draft or, without one, ends the drawing. Returns whether there was anything to cancel. */
  cancel(): boolean {
    if (this.draft.value !== null) {
      this.draft.value = null;
      return true;
    }
    const wasOn = this.isOn.value;
    this.isOn.value = false;
    return wasOn;
  }
}

/** "12 % from the left, 30 % from the top, 40 % wide, 5 % high" */
export function boxInWords({ x1, x2, y1, y2 }: Box): string {
  return editingTexts.box.rectangle(percent(x1), percent(y1), percent(x2 - x1), percent(y2 - y1));
}

function percent(share: number): number {
  return Math.round(share * 100);
}
