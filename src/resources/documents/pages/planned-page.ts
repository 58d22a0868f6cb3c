/** A page of the document's new order: the existing page that it is made from. */
export interface PlannedPage {
  document: number;
  page: number;
  /** Clockwise. */
  quarterTurns: number;
  /** For a page of another document: the hash of the file that it was chosen from. */
  fileHash?: string;
}
