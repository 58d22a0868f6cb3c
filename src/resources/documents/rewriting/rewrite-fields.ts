import { invalidFields, invalidWhole, permissionDenied } from "../../../errors.ts";
import { type Members, membersOf } from "../../../http/request/body.ts";
import {
  FieldError,
  type Field,
  type FieldTable,
  readFields,
  readList,
} from "../../../http/fields/fields.ts";
import { choice, integer, listOf, text } from "../../../http/fields/field-kinds.ts";
import { faultOf } from "../../../http/fields/nested-faults.ts";
import type { PlannedPage } from "../pages/planned-page.ts";

export const angles = { cc: 1, hw: 2, ccw: 3 } as const;
type Angle = keyof typeof angles;

interface Turning {
  type: "rotate";
  angle: Angle;
}

const turningFields = {
  type: choice(["rotate"], { required: true, label: "Type" }),
  angle: choice(["cc", "ccw", "hw"], {
    label: "Angle",
    help: "cc: clockwise. ccw: counter-clockwise. hw: half a turn",
  }),
};

/** A modification of an item's pages. The only type is `rotate`. */
const turning: Field<Turning> = {
  type: "json",
  read: (value) => {
    const { type = "rotate", angle } = faultOf(() => readFields(turningFields, membersOf(value), "whole"));
    if (angle === undefined) {
      throw FieldError.nested({ non_field_errors: ["Angle must be specified for rotation modifications"] });
    }
    return { type, angle };
  },
};

const turnings = listOf(turning, {
  label: "Modifications",
  help: 'At most one: [{"type": "rotate", "angle": "cc"}]',
  example: [{ type: "rotate", angle: "cc" }],
});

export const modificationFields = {
  page: text({ required: true, label: "Pages", help: "From 0: 0-2,5", example: "0" }),
  id: integer({ label: "Document", help: "The document that the pages come from, unless it is this one" }),
  modifications: {
    ...turnings,
    read: (value: unknown): Turning[] => {
      if (Array.isArray(value) && value.length > maxTurningsRead) throw tooManyTurnings();
      const read = readEach(value);
      if (read.length > 1) throw tooManyTurnings();
      return read;
    },
  },
} satisfies FieldTable;

/**
 * Only one is allowed. Up to this many, the faults of each are reported, as in DocumentCloud. If there are more, the
 * only fault reported is that there are too many.
 */
const maxTurningsRead = 5;

const tooManyTurnings = (): FieldError =>
  new FieldError("Invalid to specify more than one rotation modification per item");

/** Reads all items. Faults are listed by index, with `{}` for valid items, as in Django REST framework. */
function readEach(value: unknown): Turning[] {
  if (!Array.isArray(value)) return turnings.read(value);
  const faults: unknown[] = [];
  const read = value.map((item: unknown, index) => {
    faults.push({});
    try {
      return turning.read(item);
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      faults[index] = error.messages;
      return null;
    }
  });
  if (faults.some((fault) => Object.keys(fault as object).length > 0)) throw FieldError.nested(faults);
  return read.filter((item) => item !== null);
}

/** A document that pages may be taken from. */
export interface PageSource {
  id: number;
  slug: string;
  page_count: number;
  file_hash: string;
}

export interface Modification {
  /** The modification as the response shows it. */
  shown: Record<string, unknown>;
  pages: PlannedPage[];
}

/** The limit on the pages of an assembled document. */
const maxPages = 20_000;

/**
 * Reads the new order of a document's pages. `sources` holds this document, and those of the named documents that exist
 * and that the viewer may view.
 */
export function readModifications(
  value: unknown,
  own: PageSource,
  sources: ReadonlyMap<number, PageSource>,
): Modification[] {
  let pages = 0;
  const read = (members: Members): Modification => {
    const { page = "", id, modifications } = readFields(modificationFields, members, "whole");
    const source = id === undefined ? own : sources.get(id);
    if (source === undefined) {
      throw permissionDenied("You may only import pages from documents you can view");
    }
    const runs = readRuns(page, source);
    const length = runs.reduce((sum, [first, last]) => sum + last - first + 1, 0);
    pages += length;
    if (pages > maxPages) throw invalidWhole(`A document may be given ${maxPages} pages at most`);
    const quarterTurns = modifications?.[0] === undefined ? 0 : angles[modifications[0].angle];
    return {
      shown: {
        page: runs
          .map(([first, last]) => (first === last ? `${first + 1}` : `${first + 1}-${last + 1}`))
          .join(","),
        slug: source.slug,
        page_spec: runs.map(([first, last]) => (first === last ? first : [first, last])),
        page_length: length,
        ...(id !== undefined && { id }),
        ...(modifications !== undefined && { modifications }),
      },
      pages: runs.flatMap(([first, last]) =>
        Array.from({ length: last - first + 1 }, (_, index) => ({
          document: source.id,
          page: first + index,
          quarterTurns,
          ...(source.id !== own.id && { fileHash: source.file_hash }),
        })),
      ),
    };
  };
  return withinData(() => {
    const items = readList(value, read, Infinity);
    if (items.length === 0) throw invalidWhole("This list may not be empty.");
    return items;
  });
}

/** Faults of this list are reported under `data`. */
function withinData<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && "status" in error && error.status === 400 && "body" in error) {
      throw invalidFields({ data: error.body });
    }
    throw error;
  }
}

type Run = readonly [first: number, last: number];

function readRuns(written: string, source: PageSource): Run[] {
  const pageIn = (digits: string): number => {
    if (!/^\s*\+?\d{1,15}\s*$/.test(digits)) throw invalidWhole("Page spec must have integer page numbers");
    const page = Number(digits);
    if (page >= source.page_count) {
      const details = `the document ${source.id}: ${page} (page count: ${source.page_count})`;
      throw invalidWhole(`Must be a valid page for ${details}`);
    }
    return page;
  };
  return written.split(",").map((run) => {
    const ends = run.split("-");
    if (ends.length > 2) {
      const quoted = ends.slice(0, 20).map((end) => `'${end.slice(0, 50).toWellFormed()}'`);
      throw invalidWhole(`Page spec has too many parts ([${quoted.join(", ")}])`);
    }
    const [first, last] = ends.map(pageIn);
    if (first !== undefined && last !== undefined && first >= last) {
      throw invalidWhole("Page range must be ascending");
    }
    return [first ?? 0, last ?? first ?? 0];
  });
}

/** The ids of the documents that a list of modifications names. Unreadable ids are left out. */
export function documentsNamed(value: unknown): number[] {
  if (!Array.isArray(value)) return [];
  const ids = value.flatMap((item: unknown) => {
    const idValue = typeof item === "object" && item !== null && "id" in item ? item.id : null;
    // Objects are not converted: one may have a `toString` that is not a function.
    const id = typeof idValue === "number" || typeof idValue === "string" ? Number(idValue) : NaN;
    return Number.isSafeInteger(id) && id >= 0 ? [id] : [];
  });
  return [...new Set(ids)];
}
