/*
 * The kinds of files that can be uploaded, by their extensions: those of DocumentCloud, e-mail and archives. What
 * Quire does with a file follows from its row: `processing/file-kind.ts` checks its bytes, `processing/convert/` makes
 * a PDF of it, `processing/unpack/` takes out what is in it, and `files/content-types.ts` serves it.
 */

/** What the bytes of a file may turn out to be. */
export type Signature =
  | "7z"
  | "bmp"
  | "bzip2"
  | "cab"
  | "docx"
  | "epub"
  | "excel4"
  | "gif"
  | "gzip"
  | "iso"
  | "jpeg"
  | "odb"
  | "odg"
  | "odp"
  | "ods"
  | "odt"
  | "ole"
  | "outlook"
  | "pdf"
  | "png"
  | "pptx"
  | "program"
  | "psd"
  | "rar"
  | "rtf"
  | "sxc"
  | "sxd"
  | "sxi"
  | "sxw"
  | "tar"
  | "tiff"
  | "tnef"
  | "webp"
  | "word2"
  | "xlsx"
  | "xz"
  | "zip";

interface FileKind<Name extends string = string> {
  /** What its bytes must be. Without `bytes` and `text`, the kind has no useful signature. */
  readonly bytes?: readonly Signature[];
  /** What a text must contain near its beginning. */
  readonly text?: RegExp;
  /** The part of Quire that makes a PDF of it. Without a converter, LibreOffice makes it. */
  readonly converter?: Name;
  /** The part that makes a PDF of its text, or an image of it, where LibreOffice is missing or fails. */
  readonly fallback?: Name;
  /** The part of it that people read without its pages. */
  readonly parts?: "table" | "mail";
  /** The part of Quire that takes out the files in it. Each becomes a document that is part of this one. */
  readonly unpacker?:
    | "gzip"
    | "mail"
    | "mbox"
    | "office"
    | "outlook"
    | "pdf"
    | "seven-zip"
    | "tar"
    | "tnef"
    | "zip";
  /** Its content type, if browsers may display it. Other files are for saving. */
  readonly shown?: string;
  /** Its content type, if it is for saving. Without one it is served as bytes. */
  readonly saved?: string;
}

const office = "application/vnd.openxmlformats-officedocument.";
const openDocument = "application/vnd.oasis.opendocument.";
const microsoft = "application/vnd.ms-";

/** The kinds of Office since 2007. Templates, and files with macros, differ from others in their content type alone. */
const word = { bytes: ["docx"], fallback: "office", unpacker: "office" } as const;
const excel = { bytes: ["xlsx"], fallback: "office", unpacker: "office", parts: "table" } as const;
const powerPoint = { bytes: ["pptx"], fallback: "office", unpacker: "office" } as const;

const knownKinds = {
  "7z": {
    bytes: ["7z"],
    converter: "contents",
    unpacker: "seven-zip",
    saved: "application/x-7z-compressed",
  },
  bmp: { bytes: ["bmp"], converter: "image", shown: "image/bmp" },
  bz2: { bytes: ["bzip2"], converter: "contents", unpacker: "seven-zip", saved: "application/x-bzip2" },
  cab: { bytes: ["cab"], converter: "contents", unpacker: "seven-zip" },
  csv: { text: /^/, converter: "text", parts: "table", saved: "text/csv" },
  // A mail of Outlook has its attachments in a file winmail.dat, where the reader's program is another one.
  dat: { bytes: ["tnef"], converter: "contents", unpacker: "tnef" },
  // Word and Excel before 1993 did not write OLE files.
  doc: { bytes: ["ole", "word2"], fallback: "office", saved: "application/msword" },
  docm: { ...word, saved: `${microsoft}word.document.macroEnabled.12` },
  docx: { ...word, saved: `${office}wordprocessingml.document` },
  dot: { bytes: ["ole", "word2"], fallback: "office" },
  dotm: { ...word, saved: `${microsoft}word.template.macroEnabled.12` },
  dotx: { ...word, saved: `${office}wordprocessingml.template` },
  eml: {
    text: /^(?:From .*\r?\n)?(?:[!-9;-~]+[ \t]*:.*\r?\n)/,
    converter: "mail",
    parts: "mail",
    unpacker: "mail",
  },
  // LibreOffice writes such books, and does not read them.
  epub: { bytes: ["epub"], converter: "office", saved: "application/epub+zip" },
  fb2: { text: /^\s*</ },
  fodg: { text: /office:document/ },
  fodp: { text: /office:document/, fallback: "office" },
  fods: { text: /office:document/, fallback: "office" },
  fodt: { text: /office:document/, fallback: "office" },
  gif: { bytes: ["gif"], converter: "image", shown: "image/gif" },
  gz: { bytes: ["gzip"], converter: "contents", unpacker: "gzip", saved: "application/gzip" },
  htm: { text: /^/, fallback: "html" },
  html: { text: /^/, fallback: "html" },
  ics: { text: /^BEGIN:VCALENDAR/i, converter: "text", saved: "text/calendar" },
  iso: { bytes: ["iso"], converter: "contents", unpacker: "seven-zip" },
  jpeg: { bytes: ["jpeg"], converter: "image", shown: "image/jpeg" },
  jpg: { bytes: ["jpeg"], converter: "image", shown: "image/jpeg" },
  mbox: {
    text: /^From .*\r?\n[!-9;-~]+:/,
    converter: "contents",
    unpacker: "mbox",
    saved: "application/mbox",
  },
  msg: {
    bytes: ["ole"],
    converter: "mail",
    parts: "mail",
    unpacker: "mail",
    saved: "application/vnd.ms-outlook",
  },
  odb: { bytes: ["odb"] },
  odg: { bytes: ["odg"] },
  odp: { bytes: ["odp"], fallback: "office", unpacker: "office", saved: `${openDocument}presentation` },
  ods: { bytes: ["ods"], fallback: "office", unpacker: "office", saved: `${openDocument}spreadsheet` },
  odt: { bytes: ["odt"], fallback: "office", unpacker: "office", saved: `${openDocument}text` },
  ost: { bytes: ["outlook"], converter: "contents", unpacker: "outlook" },
  pdf: { bytes: ["pdf"], unpacker: "pdf", shown: "application/pdf" },
  png: { bytes: ["png"], converter: "image", shown: "image/png" },
  pot: { bytes: ["ole"] },
  potm: { ...powerPoint, saved: `${microsoft}powerpoint.template.macroEnabled.12` },
  potx: { ...powerPoint, saved: `${office}presentationml.template` },
  pps: { bytes: ["ole"] },
  ppsm: { ...powerPoint, saved: `${microsoft}powerpoint.slideshow.macroEnabled.12` },
  ppsx: { ...powerPoint, saved: `${office}presentationml.slideshow` },
  ppt: { bytes: ["ole"], saved: "application/vnd.ms-powerpoint" },
  pptm: { ...powerPoint, saved: `${microsoft}powerpoint.presentation.macroEnabled.12` },
  pptx: { ...powerPoint, saved: `${office}presentationml.presentation` },
  psd: { bytes: ["psd"] },
  pst: { bytes: ["outlook"], converter: "contents", unpacker: "outlook" },
  pub: { bytes: ["ole"] },
  rar: { bytes: ["rar"], converter: "contents", unpacker: "seven-zip", saved: "application/vnd.rar" },
  rtf: { bytes: ["rtf"], fallback: "office", saved: "application/rtf" },
  slk: { text: /^ID/ },
  stc: { bytes: ["sxc"] },
  std: { bytes: ["sxd"] },
  sti: { bytes: ["sxi"] },
  stw: { bytes: ["sxw"] },
  svg: { text: /<(?:\w+:)?svg\b/, fallback: "image" },
  sxc: { bytes: ["sxc"] },
  sxd: { bytes: ["sxd"] },
  sxi: { bytes: ["sxi"] },
  sxw: { bytes: ["sxw"] },
  tar: { bytes: ["tar"], converter: "contents", unpacker: "tar", saved: "application/x-tar" },
  tbz: { bytes: ["bzip2"], converter: "contents", unpacker: "seven-zip", saved: "application/x-bzip2" },
  tbz2: { bytes: ["bzip2"], converter: "contents", unpacker: "seven-zip", saved: "application/x-bzip2" },
  tgz: { bytes: ["gzip"], converter: "contents", unpacker: "gzip", saved: "application/gzip" },
  tif: { bytes: ["tiff"], converter: "image", shown: "image/tiff" },
  tiff: { bytes: ["tiff"], converter: "image", shown: "image/tiff" },
  txt: { text: /^/, converter: "text", saved: "text/plain" },
  txz: { bytes: ["xz"], converter: "contents", unpacker: "seven-zip", saved: "application/x-xz" },
  vsd: { bytes: ["ole"] },
  xls: { bytes: ["ole", "excel4"], fallback: "office", saved: "application/vnd.ms-excel" },
  xlsm: { ...excel, saved: `${microsoft}excel.sheet.macroEnabled.12` },
  xlsx: { ...excel, saved: `${office}spreadsheetml.sheet` },
  xlt: { bytes: ["ole", "excel4"], fallback: "office" },
  xltm: { ...excel, saved: `${microsoft}excel.template.macroEnabled.12` },
  xltx: { ...excel, saved: `${office}spreadsheetml.template` },
  xlw: { bytes: ["ole", "excel4"], fallback: "office" },
  xml: { text: /^\s*</, converter: "text" },
  xz: { bytes: ["xz"], converter: "contents", unpacker: "seven-zip", saved: "application/x-xz" },
  zabw: { bytes: ["gzip"] },
  zip: { bytes: ["zip"], converter: "contents", unpacker: "zip", saved: "application/zip" },
} as const satisfies Readonly<Record<string, FileKind>>;

/** Kinds that LibreOffice alone converts, and whose bytes have no useful signature. */
const otherKinds = `
  123 602 abw agd cdr cgm cmx cwk dbf dif emf eps fhd gnm gnumeric hwp jtd jtt key kth mml numbers odf p65 pages pbm
  pcd pct pcx pgm plt pm3 pm4 pm5 pm6 pmd ppm qxp ras rlf sda sdc sdd sdp sdw sgf sgl sgv svm sxm tga uof uop uos uot
  vor wb2 wdb wk1 wk3 wk4 wks wpd wps wq1 wq2 wri xbm xpm zmf
`;

type KnownKinds = (typeof knownKinds)[keyof typeof knownKinds];

/** The names of Quire's own converters. `processing/convert/conversion-process.ts` has one for each. */
export type ConverterName =
  | Extract<KnownKinds, { converter: string }>["converter"]
  | Extract<KnownKinds, { fallback: string }>["fallback"];

/** The names of the parts that take out what is in a file. `processing/unpack/unpack.ts` has one for each. */
export type UnpackerName = Extract<KnownKinds, { unpacker: string }>["unpacker"];

/** A row of the table, whose converters are known. */
type Row = FileKind<ConverterName>;

/** The kinds by extension, in lower case and without the dot, in alphabetical order. */
export const fileKinds: ReadonlyMap<string, Row> = new Map<string, Row>(
  [
    ...Object.entries<Row>(knownKinds),
    ...otherKinds
      .trim()
      .split(/\s+/)
      .map((extension): [string, Row] => [extension, {}]),
  ].toSorted(([one], [other]) => (one < other ? -1 : 1)),
);

/** Whether files of this kind are only containers, which may be as large as any upload. */
export function isArchive(extension: string): boolean {
  const { converter } = fileKinds.get(extension) ?? {};
  return converter === "contents";
}

/** The extensions of the kinds of which people read this part without the pages. */
export function extensionsWith(parts: Row["parts"]): string[] {
  return [...fileKinds].flatMap(([extension, kind]) => (kind.parts === parts ? [extension] : []));
}
