/** Receives a file's text, one paragraph or table row per call. */
export type AddText = (text: string) => void;
