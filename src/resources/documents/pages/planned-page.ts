/** A page of the document as it is to be: which of which document it is now. */
export interface PlannedPage {
  document: number;
  page: number;
  /** Clockwise. */
  quarterTurns: number;
  /** Of a page of another document, the hash of the file that it was chosen from. */
  fileHash?: string;
}
