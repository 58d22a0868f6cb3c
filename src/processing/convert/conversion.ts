import type { UnreadableKind } from "../unreadable-file.ts";

/** A file to convert: its path, its extension without a dot, and the path that the PDF is written to. */
export interface ConversionTask {
  from: string;
  extension: string;
  to: string;
}

export interface Converted {
  engine: "image" | "text" | "mail" | "office-text" | "libreoffice";
  pages?: number;
  /** Sentences for a person. */
  notes: string[];
}

/** The output of the conversion process. */
export type ConversionAnswer =
  | { converted: Converted; memoryMb: number }
  | { refused: { kind: UnreadableKind; reason: string }; memoryMb: number };

/** Receives a file's text, one paragraph or table row a call. */
export type AddText = (text: string) => void;
