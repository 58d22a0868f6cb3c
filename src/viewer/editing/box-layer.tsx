import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { BoxDrawing, boxInWords, type BoxDrawingOptions, type DrawnBox } from "../model/box-drawing.ts";
import { BoxGestures, fractionsOf } from "../model/box-gestures.ts";
import { type Box, boxAround, handles, turnedBackBox, turnedBox } from "../model/boxes.ts";
import type { ViewerState } from "../state/viewer-state.ts";
import { inPercent } from "../model/style-values.ts";
import { editingTexts as texts } from "../texts/editing-texts.ts";

/**
 * Lets a person draw boxes on the pages for as long as the component that uses the hook is mounted. Only one component
 * may use it at a time.
 */
export function useBoxDrawing(viewer: ViewerState, options: BoxDrawingOptions): BoxDrawing {
  const [drawing] = useState(() => new BoxDrawing(options));
  useEffect(() => {
    viewer.overlay.value = ({ page }) => <BoxLayer viewer={viewer} drawing={drawing} page={page} />;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || document.querySelector("dialog[open]") !== null) return;
      if (!drawing.cancel()) return;
      event.preventDefault();
      viewer.announcement.value = texts.box.drawingCancelled;
    };
    document.addEventListener("keydown", onKeyDown, { capture: true });
    return () => {
      document.removeEventListener("keydown", onKeyDown, { capture: true });
      viewer.overlay.value = null;
    };
  }, [viewer]);
  return drawing;
}

/** Adds a box in the middle of the part of the current page that is in the window, and gives it the focus. */
export function addBoxInView(viewer: ViewerState, drawing: BoxDrawing): void {
  const page = viewer.scrolling.page.value;
  const sheet = document.querySelector(`.pages [data-page="${page}"]`)?.getBoundingClientRect();
  const view = document.querySelector(".pages")?.getBoundingClientRect();
  if (sheet === undefined || view === undefined) return;
  const middle = {
    x: (Math.max(sheet.left, view.left) + Math.min(sheet.right, view.right)) / 2,
    y: (Math.max(sheet.top, view.top) + Math.min(sheet.bottom, view.bottom)) / 2,
  };
  const size = { x: Math.min(160, view.width / 2) / sheet.width, y: 60 / sheet.height };
  const shown = boxAround(fractionsOf(middle, sheet), size);
  const box = turnedBackBox(shown, viewer.scrolling.quarterTurns.value);
  drawing.focusNext = drawing.add(page, box);
  viewer.announcement.value = texts.box.added(drawing.name, boxInWords(shown));
}

/** The boxes on one page, and the surface on which they are drawn. */
function BoxLayer({ viewer, drawing, page }: { viewer: ViewerState; drawing: BoxDrawing; page: number }) {
  const { quarterTurns } = viewer.scrolling;
  const gestures = useMemo(
    () =>
      new BoxGestures({
        page,
        drawing,
        quarterTurns: () => quarterTurns.peek(),
        announce: (text) => (viewer.announcement.value = text),
      }),
    [viewer, drawing, page],
  );
  useEffect(() => gestures.followDraft(), [gestures]);
  const turns = quarterTurns.value;
  const draft = drawing.draft.value;
  const boxes = drawing.byPage.value.get(page) ?? [];
  return (
    <div
      ref={(layer) => void (gestures.layer = layer)}
      class={`box-layer${drawing.isOn.value ? " on" : ""}`}
      onPointerDown={(event) => gestures.begin(event)}
      onPointerMove={(event) => gestures.move(event)}
      onPointerUp={(event) => gestures.end(event)}
      onPointerCancel={() => gestures.cancel()}
      onLostPointerCapture={() => gestures.cancel()}
    >
      {boxes.map((drawn) => (
        <BoxElement
          key={drawn.id}
          drawing={drawing}
          drawn={drawn}
          shown={turnedBox(draft?.id === drawn.id ? draft.box : drawn.box, turns)}
          onKeyDown={(event) => gestures.press(event, drawn)}
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
