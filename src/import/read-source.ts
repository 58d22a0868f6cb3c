import { type ReadRecord, readRecord } from "./read-record.ts";
import { RecordError, isFields } from "./record-fields.ts";
import type { Candidate } from "./record-source.ts";

/** A record of a source, or the reason why it cannot be imported, with its position in the source. */
export interface SourceRecord extends Pick<Candidate, "line" | "record" | "bytes"> {
  /** Null if it cannot be imported. */
  read: ReadRecord | null;
  fault: { id: string; reason: string } | null;
}

/** Checks a value of a source. It needs no database, so any thread can do it. */
export function readCandidate(candidate: Candidate): SourceRecord {
  const { line, record, bytes, value, fault } = candidate;
  const refused = (reason: string, id = ""): SourceRecord => ({
    line,
    record,
    bytes,
    read: null,
    fault: { id, reason },
  });
  if (fault !== null) return refused(fault);
  try {
    return { line, record, bytes, read: readRecord(value), fault: null };
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    return refused(error.message, idOf(value));
  }
}

export function idOf(value: unknown): string {
  return isFields(value) && Number.isSafeInteger(value["id"]) ? ` (id ${String(value["id"])})` : "";
}
