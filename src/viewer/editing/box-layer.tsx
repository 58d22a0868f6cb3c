import { useEffect, useRef, useState } from "preact/hooks";
import { BoxDrawing, boxInWords, type BoxDrawingOptions, type DrawnBox } from "../model/box-drawing.ts";
import {
  type Box,
  type Handle,
  type Point,
  boxAround,
  boxBetween,
  handles,
  movedBox,
  resizedBox,
  turnedBackBox,
  turnedBox,
} from "../model/boxes.ts";
import type { ViewerState } from "../state/viewer-state.ts";
import { inPercent } from "../model/style-values.ts";
import { editingTexts as texts } from "../texts/editing-texts.ts";

/** The minimum size of a box on the screen, in CSS pixels. A shorter drag is a click. */
const minPixels = 6;
/** The distance by which an arrow key moves an edge, in CSS pixels: zooming in makes the steps finer. */
const stepPixels = 4;

/**
 * Lets a person draw boxes on the pages for as long as the component that uses the hook is mounted. Only one component
 * may use it at a time.
 */
export function useBoxDrawing(reading: ViewerState, options: BoxDrawingOptions): BoxDrawing {
  const [drawing] = useState(() => new BoxDrawing(options));
  useEffect(() => {
    reading.overlay.value = ({ page }) => <BoxLayer reading={reading} drawing={drawing} page={page} />;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || document.querySelector("dialog[open]") !== null) return;
      if (!drawing.cancel()) return;
      event.preventDefault();
      reading.announcement.value = texts.box.drawingCancelled;
    };
    document.addEventListener("keydown", onKeyDown, { capture: true });
    return () => {
      document.removeEventListener("keydown", onKeyDown, { capture: true });
      reading.overlay.value = null;
    };
  }, [reading]);
  return drawing;
}

/** Adds a box in the middle of the part of the current page that is in the window, and gives it the focus. */
export function addBoxInView(reading: ViewerState, drawing: BoxDrawing): void {
  const page = reading.scrolling.page.value;
  const sheet = document.querySelector(`.pages [data-page="${page}"]`)?.getBoundingClientRect();
  const view = document.querySelector(".pages")?.getBoundingClientRect();
  if (sheet === undefined || view === undefined) return;
  const middle = {
    x: (Math.max(sheet.left, view.left) + Math.min(sheet.right, view.right)) / 2,
    y: (Math.max(sheet.top, view.top) + Math.min(sheet.bottom, view.bottom)) / 2,
  };
  const size = { x: Math.min(160, view.width / 2) / sheet.width, y: 60 / sheet.height };
  const shown = boxAround(fractionsOf(middle, sheet), size);
  const box = turnedBackBox(shown, reading.scrolling.quarterTurns.value);
  drawing.focusNext = drawing.add(page, box);
  reading.announcement.value = texts.box.added(drawing.name, boxInWords(shown));
}

/** A pointer that draws, moves or resizes. Boxes and points are in fractions of the page as it is shown. */
interface Gesture {
  pointer: number;
  start: Point;
  /** Null while a new box is drawn. */
  changed: DrawnBox | null;
  /** The handle that is dragged; null for the whole box. */
  handle: Handle | null;
}

/** The boxes on one page, and the surface on which they are drawn. */
function BoxLayer({ reading, drawing, page }: { reading: ViewerState; drawing: BoxDrawing; page: number }) {
  const layer = useRef<HTMLDivElement>(null);
  const gesture = useRef<Gesture | null>(null);
  const wasDrafting = useRef(false);
  const turns = reading.scrolling.quarterTurns.value;
  const draft = drawing.draft.value;
  const boxes = drawing.byPage.value.get(page) ?? [];

  const sizeInPage = (pixels: number): Point => {
    const { width = 1, height = 1 } = layer.current?.getBoundingClientRect() ?? {};
    return { x: pixels / width, y: pixels / height };
  };
  const pointOf = ({ clientX, clientY }: PointerEvent): Point =>
    layer.current === null
      ? { x: 0, y: 0 }
      : fractionsOf({ x: clientX, y: clientY }, layer.current.getBoundingClientRect());

  const shapeAt = ({ start, changed, handle }: Gesture, point: Point): Box => {
    const by = { x: point.x - start.x, y: point.y - start.y };
    const shown =
      changed === null
        ? boxBetween(start, point)
        : handle === null
          ? movedBox(turnedBox(changed.box, turns), by)
          : resizedBox(turnedBox(changed.box, turns), handle, by, sizeInPage(minPixels));
    return turnedBackBox(shown, turns);
  };

  const onPointerDown = (event: PointerEvent): void => {
    // A second finger means a pinch.
    if (!event.isPrimary) {
      gesture.current = null;
      drawing.draft.value = null;
      return;
    }
    if (event.button !== 0) return;
    const target = event.target as HTMLElement;
    const id = target.closest<HTMLElement>("[data-box]")?.dataset["box"];
    const changed = boxes.find((one) => String(one.id) === id) ?? null;
    if (changed === null && !drawing.isOn.value) return;
    const handle = handles[Number(target.dataset["handle"])] ?? null;
    drawing.selected.value = changed?.id ?? null;
    gesture.current = { pointer: event.pointerId, start: pointOf(event), changed, handle };
    target.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent): void => {
    const now = gesture.current;
    if (now?.pointer !== event.pointerId) return;
    const point = pointOf(event);
    const small = sizeInPage(minPixels / 2);
    const isClick =
      drawing.draft.value === null &&
      Math.abs(point.x - now.start.x) < small.x &&
      Math.abs(point.y - now.start.y) < small.y;
    if (isClick) return;
    drawing.draft.value = { id: now.changed?.id ?? null, page, box: shapeAt(now, point) };
  };
  const onPointerUp = (event: PointerEvent): void => {
    const now = gesture.current;
    if (now?.pointer !== event.pointerId) return;
    gesture.current = null;
    // Escape has dropped the draft, or there never was one: a click.
    if (drawing.draft.value === null) return;
    const box = shapeAt(now, pointOf(event));
    const min = sizeInPage(minPixels);
    if (now.changed !== null) {
      drawing.change(now.changed.id, { box });
      say(box);
      return;
    }
    const shown = turnedBox(box, turns);
    if (shown.x2 - shown.x1 < min.x || shown.y2 - shown.y1 < min.y) {
      drawing.draft.value = null;
      return;
    }
    drawing.focusNext = drawing.add(page, box);
    say(box);
  };
  const onLost = (): void => {
    if (gesture.current === null) return;
    gesture.current = null;
    drawing.draft.value = null;
  };
  // An Escape during a gesture drops the draft; what the pointer does after it must not bring the draft back.
  useEffect(
    () =>
      drawing.draft.subscribe((now) => {
        if (now === null && wasDrafting.current) gesture.current = null;
        wasDrafting.current = now !== null;
      }),
    [drawing],
  );

  const say = (box: Box): void => {
    reading.announcement.value = texts.box.changed(drawing.name, boxInWords(turnedBox(box, turns)));
  };

  const onKeyDown = (event: KeyboardEvent, drawn: DrawnBox): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      layer.current?.closest<HTMLElement>(".pages")?.focus({ preventScroll: true });
      drawing.remove(drawn.id);
      reading.announcement.value = texts.box.removed(drawing.name);
      return;
    }
    const direction = directions[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    const step = sizeInPage(stepPixels);
    const by = { x: direction.x * step.x, y: direction.y * step.y };
    const shown = turnedBox(drawn.box, turns);
    const min = sizeInPage(minPixels);
    const moved = event.shiftKey ? resizedBox(shown, { x: 1, y: 1 }, by, min) : movedBox(shown, by);
    const box = turnedBackBox(moved, turns);
    drawing.change(drawn.id, { box });
    say(box);
  };

  return (
    <div
      ref={layer}
      class={`box-layer${drawing.isOn.value ? " on" : ""}`}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onLost}
      onLostPointerCapture={onLost}
    >
      {boxes.map((drawn) => (
        <BoxElement
          key={drawn.id}
          drawing={drawing}
          drawn={drawn}
          shown={turnedBox(draft?.id === drawn.id ? draft.box : drawn.box, turns)}
          onKeyDown={(event) => onKeyDown(event, drawn)}
        />
      ))}
      {draft?.id === null && draft.page === page && (
        <div class={`drawn-box ${drawing.className}`} style={inPercent(turnedBox(draft.box, turns))} />
      )}
    </div>
  );
}

function BoxElement({
  drawing,
  drawn,
  shown,
  onKeyDown,
}: {
  drawing: BoxDrawing;
  drawn: DrawnBox;
  shown: Box;
  onKeyDown: (event: KeyboardEvent) => void;
}) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (drawing.focusNext !== drawn.id) return;
    drawing.focusNext = null;
    element.current?.focus({ preventScroll: true });
  }, []);
  const isSelected = drawing.selected.value === drawn.id;
  return (
    <div
      ref={element}
      class={`drawn-box ${drawing.className}${isSelected ? " selected" : ""}`}
      data-box={drawn.id}
      style={inPercent(shown)}
      tabIndex={0}
      // The role passes the arrow keys on to the box, also while a screen reader is running.
      role="application"
      aria-label={texts.box.onPage(drawing.name, drawn.page)}
      aria-description={texts.box.help}
      onFocus={() => (drawing.selected.value = drawn.id)}
      onKeyDown={onKeyDown}
    >
      {isSelected &&
        handles.map(({ x, y }, index) => (
          <span
            key={index}
            class={x !== 0 && y !== 0 ? "box-handle corner" : "box-handle"}
            data-handle={index}
            style={{
              left: `${(x + 1) * 50}%`,
              top: `${(y + 1) * 50}%`,
              cursor: x === 0 ? "ns-resize" : y === 0 ? "ew-resize" : x === y ? "nwse-resize" : "nesw-resize",
            }}
          />
        ))}
    </div>
  );
}

const directions: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** A point of the window in fractions of an element that is there. */
function fractionsOf({ x, y }: Point, { left, top, width, height }: DOMRect): Point {
  return { x: (x - left) / Math.max(1, width), y: (y - top) / Math.max(1, height) };
}
