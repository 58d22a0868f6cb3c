/** Gives pdfium a JavaScript function to call. Returns its index in pdfium's table of functions. */
export type AddFunction = (call: (...values: number[]) => number, signature: string) => number;

/**
 * The functions of pdfium that Quire uses. Pointers and handles are numbers, and 0 is null. Rectangles are FS_RECTF.
 */
export interface PdfiumExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  emscripten_stack_get_current(): number;
  _emscripten_stack_restore(pointer: number): void;
  /** Sets the global that holds the upper half of a 64-bit result. */
  _emscripten_tempret_set(value: number): void;
  malloc(bytes: number): number;
  free(pointer: number): void;
  FPDF_InitLibrary(): void;
  FPDF_LoadCustomDocument(fileAccess: number, password: number): number;
  FPDF_GetLastError(): number;
  FPDF_GetPageCount(document: number): number;
  /** -1 if the document is not encrypted. */
  FPDF_GetSecurityHandlerRevision(document: number): number;
  FPDF_GetPageSizeByIndexF(document: number, index: number, size: number): number;

  /** The first bookmark of the document if the parent is 0. */
  FPDFBookmark_GetFirstChild(document: number, parent: number): number;
  FPDFBookmark_GetNextSibling(document: number, bookmark: number): number;
  /** Writes UTF-16 that ends in a zero, if the buffer is large enough. Returns its length in bytes. */
  FPDFBookmark_GetTitle(bookmark: number, buffer: number, length: number): number;
  FPDFBookmark_GetDest(document: number, bookmark: number): number;
  FPDFBookmark_GetAction(bookmark: number): number;
  FPDFAction_GetType(action: number): number;
  FPDFAction_GetDest(document: number, action: number): number;
  FPDFDest_GetDestPageIndex(document: number, destination: number): number;

  FPDFDoc_GetAttachmentCount(document: number): number;

  FPDF_LoadPage(document: number, index: number): number;
  FPDF_ClosePage(page: number): void;
  FPDF_GetPageBoundingBox(page: number, rectangle: number): number;
  FPDFPage_GetRotation(page: number): number;
  FPDFPage_SetRotation(page: number, quarterTurns: number): void;
  FPDFPage_GetAnnotCount(page: number): number;
  FPDFPage_GetAnnot(page: number, index: number): number;
  FPDFPage_CloseAnnot(annotation: number): void;
  FPDFAnnot_GetSubtype(annotation: number): number;
  FPDFAnnot_GetFlags(annotation: number): number;
  FPDFAnnot_SetFlags(annotation: number, flags: number): number;
  FPDFAnnot_GetRect(annotation: number, rectangle: number): number;
  /** The key is a string that ends in a zero. */
  FPDFAnnot_HasKey(annotation: number, key: number): number;
  /** Writes UTF-16 that ends in a zero, if the buffer is large enough. Returns its length in bytes. */
  FPDFAnnot_GetStringValue(annotation: number, key: number, buffer: number, length: number): number;
  /** Draws an appearance for an annotation that has none. Specific to this build of pdfium. */
  EPDFAnnot_GenerateAppearance(annotation: number): number;
  FPDFPage_Flatten(page: number, usage: number): number;
  FPDFPage_CountObjects(page: number): number;
  FPDFPage_GetObject(page: number, index: number): number;
  FPDFPageObj_GetType(object: number): number;
  /** Writes four numbers of 4 bytes: left, bottom, right, top. */
  FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number;
  /** Writes two numbers of 4 bytes. */
  FPDFImageObj_GetImagePixelSize(image: number, width: number, height: number): number;
  FPDFPath_CountSegments(path: number): number;
  FPDFPageObj_CountMarks(object: number): number;
  FPDFPageObj_GetMark(object: number, index: number): number;
  FPDFPageObj_RemoveMark(object: number, mark: number): number;
  /**
   * The type of a member of the mark's properties; 0 if it has no such member. The key is a string that ends in a zero.
   */
  FPDFPageObjMark_GetParamValueType(mark: number, key: number): number;
  FPDFFormObj_CountObjects(object: number): number;
  FPDFFormObj_GetObject(object: number, index: number): number;

  FPDF_CreateNewDocument(): number;
  FPDF_ImportPagesByIndex(
    document: number,
    source: number,
    indexes: number,
    count: number,
    before: number,
  ): number;
  /** The writer is an FPDF_FILEWRITE. */
  FPDF_SaveAsCopy(document: number, writer: number, flags: number): number;

  FPDFText_LoadPage(page: number): number;
  FPDFText_ClosePage(text: number): void;
  FPDFText_CountChars(text: number): number;
  /** The page object that a character is part of. */
  FPDFText_GetTextObject(text: number, index: number): number;
  /** Whether a space or a line's end stands for a gap on the page: 1 if it does. */
  FPDFText_IsGenerated(text: number, index: number): number;
  FPDFText_GetUnicode(text: number, index: number): number;
  FPDFText_GetLooseCharBox(text: number, index: number, rectangle: number): number;
  FPDFText_GetCharAngle(text: number, index: number): number;
  FPDFText_IsHyphen(text: number, index: number): number;
  FPDFText_HasUnicodeMapError(text: number, index: number): number;
  FPDFText_GetTextObject(text: number, index: number): number;
  FPDFTextObj_GetTextRenderMode(object: number): number;

  FPDFBitmap_CreateEx(width: number, height: number, format: number, buffer: number, stride: number): number;
  FPDFBitmap_FillRect(
    bitmap: number,
    left: number,
    top: number,
    width: number,
    height: number,
    color: number,
  ): number;
  FPDFBitmap_GetBuffer(bitmap: number): number;
  FPDFBitmap_GetStride(bitmap: number): number;
  FPDFBitmap_Destroy(bitmap: number): void;
  FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    left: number,
    top: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ): void;

  /** Specific to this build of pdfium, like the next one: an FPDF_FORMFILLINFO whose callbacks do nothing. */
  PDFiumExt_OpenFormFillInfo(): number;
  PDFiumExt_InitFormFillEnvironment(document: number, info: number): number;
  FORM_OnAfterLoadPage(page: number, forms: number): void;
  FORM_OnBeforeClosePage(page: number, forms: number): void;
  FPDF_FFLDraw(
    forms: number,
    bitmap: number,
    page: number,
    left: number,
    top: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ): void;
}
