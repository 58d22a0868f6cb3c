/*
 * Names that the format defines (ISO 32000) or that programs commonly write. Their presence in a file says nothing
 * about the text of its pages. Only names of four letters or more that may also occur in a text are listed.
 */
const standard = new Set(
  `Accepted AcroForm Action Actions Adobe AESV Alternate Alternates Angle Annot Annotation Annots Appearance
  AppearanceState Arial ArialMT Arrow ArtBox Article Artifact Ascent ASCII85Decode ASCIIHexDecode Associated Attached
  Author AvgWidth Back Background BaseEncoding BaseFont Baseline BaseState BaseVersion Basic BBox Bead Begin BibEntry
  BitsPerComponent BitsPerCoordinate BitsPerFlag BitsPerSample BlackIs BlackPoint BleedBox Block BlockAlign
  BlockQuote Border Bottom BoundingBox Bounds Butt ButtonField ByteRange Calendar CalGray CalRGB Cancelled CapHeight
  Caption Caret Cast Catalog CCITTFaxDecode Center CenterWindow CharProcs CharSet Check Choice Choices CIDFontType
  CIDFontType0C CIDSystemInfo CIDToGIDMap Circle Class ClassMap Code Collection Color Colorants ColorBurn ColorDodge
  Colors ColorSpace ColorTransform ColSpan Columns Comment Comments Compatible Completed Component Components Contact
  ContactInfo Content Contents Coords Copy Count Counter Courier Courier-Bold CreationDate Creator CropBox Cross
  Crypt CryptFilter CryptFilterDecodeParms CubeMap Current Custom Cyan Darken Dash Dashed Data Date Days DCTDecode
  Decimal Decode DecodeParms Default DefaultGray DefaultRGB Delete Desc Descendant DescendantFonts Descent Design
  Dest DestOutputProfile Dests DeviceCMYK DeviceGray DeviceN DeviceRGB Diamond Difference Differences Digest
  Direction Disc Display DisplayDocTitle Document Domain Download Draft Duration Embedded EmbeddedFile EmbeddedFiles
  Encode EncodedByteAlign Encoding Encrypt EncryptMetadata EndIndent EndOfBlock EndOfLine Event Exclusion
  Experimental Export ExportState Extend Extends Extensions ExtGState Feature Field Fields Figure File FileAttachment
  Files Filespec Filter Final First FirstChar FirstPage FitWindow FixedPrint Flags FlateDecode Font FontBBox
  FontDescriptor FontFamily FontFile FontMatrix FontName Fonts FontStretch FontWeight Footer Form Format Forms
  FormType Formula FreeText Function Functions FunctionType Gamma GoToE GoToR Graph Gray Group Groups Halftone
  HardLight Head Header Headers Height Help Helper Helvetica Helvetica-Bold Helvetica-Oblique Hidden Hide HideMenubar
  HideToolbar HideWindowUI Highlight Hoffset Horizontal ICCBased Icon Identity Identity-H Identity-V IDTree Image
  ImageB ImageC ImageI ImageMask Images Import ImportData Include Index Indexed Info InkList Inline InlineAlign
  InReplyTo Insert Intent Inter Interactive Interpolate Inverted ISRef ItalicAngle Item JavaScript JBIG2Decode
  JPXDecode Justify Keep Keywords Kids Label Labels Lang Language Last LastChar LastModified LastPage Launch Layer
  Layers Layout LBody Lbody Leading Left Legal Length Level Lighten Limits Line Linear Linearized LineEnding
  LineHeight Lines Link List ListMode ListNumbering Location Lock Locked Luminosity LZWDecode MacExpertEncoding
  MacRomanEncoding Magenta Margin Marked MarkedContent MarkInfo Mask Material Matrix MaxLen Maxlen MaxWidth Measure
  MediaBox Metadata MissingWidth MMType ModDate Mode Model Modify Month Movie Multiply Name Named Names
  NeedAppearances NewParagraph Next NextPage Nodes None NonFullScreenPageMode Nonstruct Normal Note Notes Number
  NumCopies Object Objects ObjStm OCGs OCMD OCProperties Open OpenAction OpenType Operation Optional Options Order
  Ordered Ordering Outline Outlines Output OutputCondition OutputConditionIdentifier OutputIntents Overlay Owner Page
  PageElement PageLabel PageLabels PageLayout PageMode Pages PageTemplate Pagination PaintType Para Paragraph Parent
  ParentTree ParentTreeNextKey Part Parts Path Pattern PatternType PDFDocEncoding Perceptual Permissions Perms
  PieceInfo Placement Polygon PolyLine Popup Position Predictor Prefix Prev Preview Previous PrevPage Print PrintArea
  PrintClip Printer PrintScaling PrintState Priority Private Process Processing ProcSet Producer Projection Proof
  Prop Properties Property Public Push QuadPoints Quote Radial Range Ranges Reason Recipients Record Rect Rectangle
  Redact Reference References Registry Rejected Relative Remote Rendition Repeat Replace Reply Required Reset
  ResetForm Resolution Resources Result Rich RichMedia Right Role RoleMap Roll Root Rotate Round Rows RowSpan Ruby
  RunLengthDecode Saturation Scale Scope Screen Script Search Sect Section Security Separation SetOCGState Shading
  ShadingType Shadow Short Show Side SigField SigFlags Sign Signature Simplex Single Size SMask SMaskInData SoftLight
  Solid Sound Source Space SpaceAfter SpaceBefore Span Square Squiggly Stamp Standard StandardCS StandardEncoding
  Start StartIndent State Statement StateModel Status Stem StemV Sticky Stitch StmF Stream StrF StrikeOut String
  Strong Struct StructElem StructParent StructParents StructTreeRoot Style Subj Subject Submit SubmitForm Subtype
  Summary Supplement Symbol Symbols System Table Tabs Tags Target TBody Template TemplateInstantiated Templates Text
  TextAlign TextDecorationType TextField TextIndent Texture TFoot THead Thread Threads Thumb TilingType Time Times
  Times-Bold Times-Roman Title TOCI Toggle Tool Tooltip ToUnicode Trans Transition Transparency TransparencyGroup
  Trapped TrimBox TrueType Type Underline Unit Units UnixTimes Unknown Unmarked Usage User UserUnit Value Values
  Vectors Verdict Version Vertical Vertices VerticesPerRow Video View ViewArea ViewClip Viewer ViewerPreferences
  ViewState Visible Warichu Watermark Weight White WhitePoint Widget Widgets Width Widths WinAnsiEncoding Window Wipe
  Word Words WordSpacing Wrap Write WritingMode XHeight XObject XRef XRefStm XStep Year Yellow ZapfDingbats Zoom`.split(
    /\s+/,
  ),
);

/** Ignores a number at the end, as in `Image12`. */
export function isStandardName(name: string): boolean {
  return standard.has(name.replace(/\d+$/, ""));
}

/** The shorter names of marked content and its properties that the format defines or that programs commonly write. */
const marks = new Set(
  `A Alt AF Art BBx BR Cl Div E Em Fig Fm H ID K L LI Lbl MC MP N NS O OC P Pr Prp R RB Ref RP RT S Sub Sup T TD TH TOC TR
  Tx WP WT Pg Obj Lyr Img Bot Top`.split(/\s+/),
);

/** Ignores a number at the end, as in `MC12`. */
export function isStandardMark(name: string): boolean {
  return marks.has(name.replace(/\d+$/, ""));
}

/** The names of fonts that most machines have, and the words for their styles. */
const fontWords = new Set(
  `arial black bold book calibri cambria candara century comic computer consolas constantia corbel courier dejavu demi
  demibold extra franklin futura garamond georgia gothic gulim helvetica heavy hiragino impact italic latin liberation
  light linotype lucida medium meiryo ming mincho minion modern mono monospace myriad narrow neue new noto nimbus oblique
  old open palatino plain roman rockwell regular sans sanserif schoolbook semi semibold serif song symbol tahoma thin times
  trebuchet type typewriter ultra unicode univers verdana webdings wingdings zapf dingbats`.split(/\s+/),
);

/** Whether the name of a font consists only of the name and style of a common font. */
export function isKnownFont(name: string): boolean {
  const words = name
    .replace(/^[A-Z]{6}\+/, "")
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/)
    .filter((word) => word.length > 2);
  return words.every((word) => fontWords.has(word.toLowerCase()));
}
