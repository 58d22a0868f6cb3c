import { batch, computed, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { isLanguageChosen } from "../../contract/describing-fields.ts";
import type { Note } from "../../contract/note.ts";
import type { Api, DocumentRecord } from "../model/api.ts";
import { languageTag } from "../model/language.ts";
import { closeWhereNarrow } from "../model/narrow.ts";
import type { Destination } from "../model/destination.ts";
import { texts } from "../texts/texts.ts";
import { DocumentSearch } from "./document-search.ts";
import { Scrolling } from "./scrolling.ts";

export type PanelName = "search" | "contents" | "notes" | "mail" | "about";
export type ViewName = "pages" | "grid" | "text" | "table";

interface ViewerStateOptions {
  isEmbedded?: boolean;
  start?: Destination | null;
  /** The code of the language that was recognised; empty if it is unknown. */
  language?: string;
}

/** The state of the viewer for one document: what is open beside the pages, the position in them, the search. */
export class ViewerState {
  readonly api: Api;
  readonly record = signal<DocumentRecord>(null as unknown as DocumentRecord);
  /** Whether the viewer is in a frame of another site: it is smaller, and does not change its own address. */
  readonly isEmbedded: boolean;
  /** The initial place, unless the fragment of the address names another. */
  readonly start: Destination | null;

  readonly view = signal<ViewName>("pages");
  readonly panel = signal<PanelName | null>(null);
  readonly scrolling = new Scrolling(this.record);
  /** The id of the open note. */
  readonly openNote = signal<number | null>(null);
  /** The tool beside the pages, such as the form of a note; null for none. */
  readonly tool = signal<ComponentType | null>(null);
  /** The id of the note that is being changed: its box is drawn by the tool instead. */
  readonly changedNote = signal<number | null>(null);
  /** What is shown over every page, such as a surface to draw on; null for nothing. Pages count from 1. */
  readonly overlay = signal<ComponentType<{ page: number }> | null>(null);
  /** The progress of the work on the document's file, where its pages are counted. */
  readonly progress = signal<{ done: number; pages: number } | null>(null);
  /** Called when work on the document's file has been queued. Keeps the page up to date until that has ended. */
  followWork: () => void = () => undefined;
  /** The latest message for screen readers. */
  readonly announcement = signal("");
  /** The number of pages in the window whose images are not loaded yet. */
  readonly awaitedPages = signal(0);

  readonly noteById = computed(() => new Map(this.record.value.notes.map((note) => [note.id, note])));
  readonly notesByPage = computed(() => Map.groupBy(this.record.value.notes, (note) => note.page_number + 1));
  readonly sectionsByPage = computed(() =>
    Map.groupBy(this.record.value.sections, (section) => section.page_number + 1),
  );
  readonly search = new DocumentSearch(this);
  readonly #recognisedLanguage: string;

  constructor(
    api: Api,
    record: DocumentRecord,
    { isEmbedded = false, start = null, language = "" }: ViewerStateOptions = {},
  ) {
    this.api = api;
    this.#recognisedLanguage = language;
    this.record.value = record;
    this.isEmbedded = isEmbedded;
    this.start = start;
    // The frame of an embedded page has the same aspect ratio as the page.
    if (isEmbedded && start !== null && start.note === null) this.scrolling.zoom.value = "page";
  }

  /** Whether this reader may change the document. */
  get mayEdit(): boolean {
    return this.api.mayWrite && this.record.value.edit_access;
  }

  /** The language of the texts as a tag for `lang`, undefined if it is unknown. */
  get languageTag(): string | undefined {
    const { language } = this.record.value;
    return languageTag(isLanguageChosen(language) ? language : this.#recognisedLanguage);
  }

  // Tools

  /** Brings the parts of the page that the server renders, and the record, up to date: see progress.ts. */
  refreshPage: () => Promise<void> = () => Promise.resolve();

  /**
   * Shows a tool beside the pages. While another tool is open, this moves the focus to that one instead, so that
   * nothing that was typed there is lost. The panel closes where it would cover the pages.
   */
  openTool(tool: ComponentType): void {
    closeWhereNarrow(this);
    if (this.tool.value !== null) {
      document.querySelector<HTMLElement>(".viewer-tool h2")?.focus();
      this.announcement.value = texts.finishFirst;
      return;
    }
    batch(() => {
      this.openNote.value = null;
      if (this.view.value !== "pages") this.view.value = "pages";
      this.tool.value = tool;
    });
  }

  closeTool(): void {
    this.tool.value = null;
  }

  /** Adds a note to the record or, if it is there, replaces it. */
  putNote(note: Note): void {
    const others = this.record.value.notes.filter(({ id }) => id !== note.id);
    this.record.value = { ...this.record.value, notes: [...others, note] };
  }

  dropNote(note: Note): void {
    if (this.openNote.value === note.id) this.openNote.value = null;
    const notes = this.record.value.notes.filter(({ id }) => id !== note.id);
    this.record.value = { ...this.record.value, notes };
  }

  /** Switches from the thumbnails or the text to a page. */
  showPages(page: number): void {
    this.view.value = "pages";
    this.scrolling.goTo(page);
  }

  goTo({ page, note }: Destination): void {
    const found = note === null ? undefined : this.noteById.peek().get(note);
    if (found === undefined) this.scrolling.goTo(page);
    else this.showNote(found);
  }

  showNote(note: Note): void {
    this.openNote.value = note.id;
    if (this.view.peek() !== "pages") this.view.value = "pages";
    const share = note.y1 === null ? null : this.scrolling.turnedShare(note.y1, note.x1 ?? 0);
    this.scrolling.goTo(note.page_number + 1, share);
    if (this.isEmbedded && this.scrolling.quarterTurns.peek() === 0) this.scrolling.frame(note);
  }

  /** Turns the pages clockwise. */
  rotate(): void {
    const { quarterTurns } = this.scrolling;
    this.scrolling.rearrange(() => {
      quarterTurns.value = ((quarterTurns.value + 1) % 4) as 0 | 1 | 2 | 3;
    });
    this.announcement.value = texts.rotated(quarterTurns.value * 90);
  }
}
