import { Fragment, type ImgHTMLAttributes } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Note } from "../contract/note.ts";
import { turnedBox } from "./model/boxes.ts";
import { boxesOfHits } from "./model/hits.ts";
import { NoteCard } from "./notes.tsx";
import type { ViewerState } from "./state/viewer-state.ts";
import { inPercent, px } from "./model/style-values.ts";
import { textLayer } from "./text-layer.ts";
import { useText } from "./text-view.tsx";
import type { PageWord } from "./model/words.ts";
import { texts } from "./texts/texts.ts";

/** The delay before a page outside the window loads anything, once the pages in the window are loaded. */
const besideMilliseconds = 250;

/**
 * The delay between a page's image and the request for its words. The server reads one page of a document after the
 * other, and the reader waits for the image. A reader who turns on at once needs no words. To cancel a request would
 * close its connection, and the next one may lead to another process of the server, which would have to open the file
 * as well.
 */
const wordsMilliseconds = 60;

/** The delay before each further request for an image, since a busy server refuses some requests. */
const retryMilliseconds = [1000, 3000, 8000];

/** One page: its image, its words, its hits and its notes. `page` counts from 1. */
export function Page({ viewer, page }: { viewer: ViewerState; page: number }) {
  const { scrolling } = viewer;
  const record = viewer.record.value;
  const layout = scrolling.layout.value;
  const box = layout.boxOf(page - 1);
  const turns = scrolling.quarterTurns.value;
  const isNear = useNear(viewer, page);
  const [imageState, setImageState] = useState<"loading" | "shown" | "failed">("loading");
  const isOnSide = turns % 2 === 1;
  const width = isOnSide ? box.height : box.width;
  const height = isOnSide ? box.width : box.height;
  const sections = viewer.sectionsByPage.value.get(page) ?? [];
  const changedNote = viewer.changedNote.value;
  const notes = (viewer.notesByPage.value.get(page) ?? []).filter(({ id }) => id !== changedNote);
  const Overlay = viewer.overlay.value;
  const address = viewer.api.imageAddress(record, page - 1, width * devicePixelRatio);
  const isWithoutImage = imageState === "failed" || address === null;
  const hasHits = viewer.search.hitsOn(page) !== undefined;
  const areWordsDue = hasHits || isWithoutImage || imageState === "shown";
  const [words, fault] = useWords(viewer, page, isNear && areWordsDue, hasHits ? 0 : wordsMilliseconds);
  const isAwaited = imageState === "loading" && address !== null && scrolling.isInWindow(page);
  useLayoutEffect(() => {
    if (!isAwaited) return undefined;
    viewer.awaitedPages.value += 1;
    return () => {
      viewer.awaitedPages.value -= 1;
    };
  }, [isAwaited]);
  return (
    <section
      class={`page${isWithoutImage ? " without-image" : ""}`}
      aria-label={texts.page(page)}
      aria-busy={isNear && words === null && fault === null}
      data-page={page}
      data-image={isWithoutImage ? "none" : imageState}
      style={{
        top: px(scrolling.elementPositionOf(box.top)),
        left: px(box.left),
        width: px(box.width),
        height: px(box.height),
      }}
    >
      <span class="page-number" aria-hidden="true">
        {page}
      </span>
      <div
        class="sheet"
        style={{ width: px(width), height: px(height), transform: turned(turns, width, height) }}
      >
        {isNear && address !== null && <PageImage address={address} onState={setImageState} />}
        {words !== null && words.length > 0 && (
          <TextLayer words={words} shape={width / height} language={viewer.languageTag} />
        )}
        {words !== null && words.length === 0 && <PlainText viewer={viewer} page={page} />}
      </div>
      {isWithoutImage && <p class="page-fault">{texts.noImage}</p>}
      {words !== null && <Hits viewer={viewer} page={page} words={words} />}
      {sections.length > 0 && (
        <p class="page-sections" dir="auto">
          {sections.map(({ title }) => title).join(" · ")}
        </p>
      )}
      <Notes viewer={viewer} notes={notes} />
      {Overlay !== null && <Overlay page={page} />}
    </section>
  );
}

/**
 * Whether a page may load: at once if it is in the window. Pages outside the window wait until those in it are loaded.
 * All pages wait while the reader scrolls past them.
 */
function useNear(viewer: ViewerState, page: number): boolean {
  const { scrolling } = viewer;
  const isUrgent = scrolling.isInWindow(page) && !scrolling.isRushing.value;
  const mustWait = viewer.awaitedPages.value > 0;
  const [isNear, setNear] = useState(isUrgent);
  useEffect(() => {
    if (isNear) return undefined;
    if (isUrgent) {
      setNear(true);
      return undefined;
    }
    if (mustWait) return undefined;
    const timer = setTimeout(() => setNear(true), besideMilliseconds);
    return () => clearTimeout(timer);
  }, [isNear, isUrgent, mustWait]);
  return isNear;
}

function useWords(
  viewer: ViewerState,
  page: number,
  areDue: boolean,
  delayMilliseconds: number,
): [words: PageWord[] | null, fault: unknown] {
  const [words, setWords] = useState<PageWord[] | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const record = viewer.record.value;
  useEffect(() => {
    if (!areDue) return undefined;
    const leaving = new AbortController();
    const load = async (): Promise<void> => {
      try {
        const found = await viewer.api.words(record, page - 1, leaving.signal);
        if (!leaving.signal.aborted) setWords(found);
      } catch (error) {
        if (leaving.signal.aborted) return;
        setFault(error);
        setWords([]);
      }
    };
    const timer = setTimeout(() => void load(), delayMilliseconds);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [areDue, record, page]);
  return [words, fault];
}

interface PageImageOptions extends Pick<ImgHTMLAttributes, "class" | "width" | "height"> {
  address: string;
  onState?: (state: "shown" | "failed") => void;
}

/** An image of a page, without a name. */
export function PageImage({ address, onState, ...more }: PageImageOptions) {
  const image = useRef<HTMLImageElement>(null);
  const [attempt, setAttempt] = useState(0);
  const waiting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  // An effect after layout is undone before the element leaves the document. Chromium keeps an image in memory whose
  // address changes after that.
  useLayoutEffect(() => {
    const element = image.current;
    return () => {
      clearTimeout(waiting.current);
      // This cancels the download of an image that is no longer needed.
      element?.removeAttribute("src");
    };
  }, [attempt]);
  const onError = (): void => {
    const delay = retryMilliseconds[attempt];
    if (delay === undefined) onState?.("failed");
    else waiting.current = setTimeout(() => setAttempt(attempt + 1), delay);
  };
  return (
    <img
      {...more}
      key={attempt}
      ref={image}
      src={address}
      alt=""
      decoding="async"
      draggable={false}
      onLoad={() => onState?.("shown")}
      onError={onError}
    />
  );
}

function TextLayer({
  words,
  shape,
  language,
}: {
  words: PageWord[];
  shape: number;
  language: string | undefined;
}) {
  const layer = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    layer.current?.replaceChildren(textLayer(words, shape));
    // Rounding to pixels changes the shape slightly; only a real change lays the text out again.
  }, [words, Math.round(shape * 100)]);
  return <div class="text-layer" ref={layer} lang={language} />;
}

/** The text of a page whose words have no positions, for screen readers. */
function PlainText({ viewer, page }: { viewer: ViewerState; page: number }) {
  const text = useText(viewer, page);
  if (text === null) return null;
  return (
    <p class="visually-hidden" lang={viewer.languageTag} dir="auto">
      {text.trim() === "" ? texts.noText : text}
    </p>
  );
}

function Hits({ viewer, page, words }: { viewer: ViewerState; page: number; words: PageWord[] }) {
  const hits = viewer.search.hitsOn(page);
  const current = viewer.search.currentHit.value;
  const turns = viewer.scrolling.quarterTurns.value;
  const boxes = useMemo(() => (hits === undefined ? [] : boxesOfHits(hits.fragments, words)), [hits, words]);
  useEffect(() => viewer.search.hitsPlaced(page, boxes), [boxes, current]);
  if (hits === undefined) return null;
  return (
    <div class="hits" aria-hidden="true">
      {boxes.flatMap((parts, index) => {
        const isCurrent = current?.page === page && current.index === index;
        return parts.map((part) => (
          <span
            key={`${index} ${part.x1} ${part.y1}`}
            class={isCurrent ? "hit current" : "hit"}
            style={inPercent(turnedBox(part, turns))}
          />
        ));
      })}
    </div>
  );
}

function Notes({ viewer, notes }: { viewer: ViewerState; notes: readonly Note[] }) {
  const open = viewer.openNote.value;
  const turns = viewer.scrolling.quarterTurns.value;
  let unplaced = 0;
  return (
    <>
      {notes.map((note) => {
        const { x1, x2, y1, y2 } = note;
        const box =
          x1 === null || x2 === null || y1 === null || y2 === null
            ? null
            : turnedBox({ x1, x2, y1, y2 }, turns);
        const isOpen = open === note.id;
        const style = box === null ? { top: `${unplaced++ * 2.5}rem`, right: "0" } : inPercent(box);
        return (
          <Fragment key={note.id}>
            <button
              type="button"
              class={`note-mark${box === null ? " whole-page" : ""}${isOpen ? " open" : ""}`}
              style={style}
              aria-expanded={isOpen}
              aria-label={texts.noteTitled(note.title === "" ? texts.untitled : note.title)}
              onClick={() => (viewer.openNote.value = isOpen ? null : note.id)}
            >
              {box === null && <span aria-hidden="true">✎ {note.title}</span>}
            </button>
            {isOpen && !viewer.isEmbedded && <NoteCard viewer={viewer} note={note} top={box?.y2 ?? 0.06} />}
          </Fragment>
        );
      })}
    </>
  );
}

function turned(turns: number, width: number, height: number): string {
  if (turns === 1) return `translateX(${height}px) rotate(90deg)`;
  if (turns === 2) return `translate(${width}px, ${height}px) rotate(180deg)`;
  if (turns === 3) return `translateY(${width}px) rotate(270deg)`;
  return "none";
}
