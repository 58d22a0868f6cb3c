import { documentLimits, maxBoxes, reasonLimits } from "../../../contract/limits.ts";
import type { RedactionReason } from "../../../contract/withheld.ts";
import { actionRefused, invalidFields, invalidWhole } from "../../../errors.ts";
import { type Members, membersOf } from "../../../http/request/body.ts";
import { FieldError, type Field, readFields, readList } from "../../../http/fields/fields.ts";
import { boolean, choice, integer, number, text } from "../../../http/fields/field-kinds.ts";
import { faultOf } from "../../../http/fields/nested-faults.ts";
import { pageOf } from "../parent-document.ts";
import type { RedactionPlan } from "../processing/rewrite-store.ts";
import { givenAccessLevels } from "../record-members.ts";
import type { BoxWithReason } from "../withheld/box-store.ts";

const part = { min: 0, max: 1, required: true } as const;

export const redactionFields = {
  x1: number({ ...part, label: "x1", help: "Left edge, as a fraction of the width: 0 to 1", example: 0.1 }),
  x2: number({ ...part, label: "x2", help: "Right edge", example: 0.9 }),
  y1: number({ ...part, label: "y1", help: "Upper edge, as a fraction of the height: 0 to 1", example: 0.2 }),
  y2: number({ ...part, label: "y2", help: "Lower edge", example: 0.4 }),
  page_number: integer({ required: true, label: "Page number", help: "Pages count from 0", example: 0 }),
  reason: text({
    maxLength: reasonLimits.code,
    blank: true,
    label: "Reason",
    help: "The code of a reason, as /api/redaction_reasons/ lists them",
    example: "(b)(6)",
  }),
};

const drawnBesides = {
  show_reasons: boolean({ label: "Show reasons", help: "Draws the codes of the reasons on the boxes" }),
  add_index: boolean({ label: "Add an index", help: "Adds a last page that lists what was withheld" }),
  file_hash: text({
    maxLength: 40,
    label: "Hash of the PDF",
    help: "SHA-1 of the PDF that the boxes were drawn on. If the document has another by now, nothing is done",
  }),
};

/** A document whose boxes are read, and the reasons that these may have. */
export interface RedactedDocument {
  id: number;
  page_count: number;
  file_hash: string;
  reasons: readonly RedactionReason[];
}

/** Reads the boxes to blacken. Throws 400 with every fault. */
function readBoxes(value: unknown, { reasons, ...document }: RedactedDocument): BoxWithReason[] {
  const parent = { ...document, isEditable: true };
  const labels = new Map(reasons.map(({ code, label }) => [code, label]));
  const table = { ...redactionFields, page_number: pageOf(parent, redactionFields.page_number) };
  const read = (members: Members): BoxWithReason => {
    const { reason: code, ...edges } = readFields(table, members, "whole");
    const { x1 = 0, x2 = 0, y1 = 0, y2 = 0, page_number = 0 } = edges;
    if (x1 >= x2) throw invalidWhole("`x1` must be less than `x2`");
    if (y1 >= y2) throw invalidWhole("`y1` must be less than `y2`");
    const box = { x1, x2, y1, y2, page: page_number };
    // A form sends an empty text where no reason was chosen.
    if (code === undefined || code === "") return box;
    const label = labels.get(code);
    if (label === undefined) throw invalidFields({ reason: [`"${code}" is not a valid choice.`] });
    return { ...box, reason: { code, label } };
  };
  if (Array.isArray(value) && value.length > maxBoxes) {
    throw invalidWhole(`A request may have ${maxBoxes} redactions at most`);
  }
  return readList(value, read, maxBoxes);
}

/** Reads a redaction: a list of boxes, or an object that says what is drawn besides. Throws 400 with every fault. */
export function readRedactions(value: unknown, document: RedactedDocument): RedactionPlan {
  if (typeof value !== "object" || value === null || !("redactions" in value))
    return { boxes: readBoxes(value, document) };
  const table = { ...drawnBesides, redactions: { ...boxesField(document), required: true as const } };
  const { redactions: boxes = [], file_hash, ...besides } = readFields(table, membersOf(value), "whole");
  checkFileHash(document, file_hash);
  return { boxes, ...drawnWith(besides) };
}

/** On other pages, or on pages that were turned, the boxes would hide something else. */
function checkFileHash({ id, file_hash }: RedactedDocument, drawnOn = file_hash): void {
  if (drawnOn === file_hash) return;
  throw actionRefused(`Document ${id} has another file than the one that was marked: mark this one`);
}

const boxesField = (document: RedactedDocument): Field<BoxWithReason[]> => ({
  type: "json",
  read: (value) => faultOf(() => readBoxes(value, document)),
});

function drawnWith({
  show_reasons = false,
  add_index = false,
}: {
  show_reasons?: boolean;
  add_index?: boolean;
}): Omit<RedactionPlan, "boxes"> {
  return { ...(show_reasons && { showsReasons: true }), ...(add_index && { addsIndex: true }) };
}

/** What a redacted copy is made with. */
export const copyFields = {
  redactions: {
    type: "json",
    required: true,
    label: "Redactions",
    help: "Boxes, as for a redaction of the document itself",
    example: [{ x1: 0.1, x2: 0.5, y1: 0.1, y2: 0.2, page_number: 0 }],
    read: (value) => value,
  } satisfies Field,
  title: text({ maxLength: documentLimits.title, label: "Title", help: "Of the copy" }),
  access: choice(givenAccessLevels, { default: "private", label: "Access", help: "Who sees the copy" }),
  original_access: choice(["private"], {
    label: "Access of the original",
    help: "private: others no longer see the original once the copy is made. Otherwise it stays as it is",
  }),
  ...drawnBesides,
};

/** Reads what to make a redacted copy with. Throws 400 with every fault. */
export function readCopy(value: unknown, document: RedactedDocument) {
  const redactions: Field<BoxWithReason[]> = {
    type: "json",
    read(boxes) {
      const read = boxesField(document).read(boxes);
      if (read.length === 0) throw new FieldError("This list may not be empty.");
      return read;
    },
  };
  const table = { ...copyFields, redactions: { ...redactions, required: true as const } };
  const {
    access = "private",
    redactions: boxes = [],
    show_reasons,
    add_index,
    file_hash,
    ...read
  } = readFields(table, membersOf(value), "whole");
  checkFileHash(document, file_hash);
  const plan: RedactionPlan = {
    boxes,
    ...drawnWith({ ...(show_reasons && { show_reasons }), ...(add_index && { add_index }) }),
  };
  return { ...read, access, plan };
}
