/*
 * What a page of the server passes to its script: attributes of the element that the viewer fills, and a JSON object
 * for the desk. The server writes them and the script reads them with the functions here. Reading checks every value,
 * so a page and a script that do not fit together fail at once, and say which option is wrong.
 */

/** A page lacks an option of its script, or has one of another type. */
export class OptionsError extends Error {
  override readonly name = "OptionsError";

  constructor(option: string) {
    super(`The page has no valid option ${option}`);
  }
}

/** Reads the text of an attribute, undefined if it is absent. The result is undefined for an invalid text. */
type AttributeKind<T> = (text: string | undefined) => T | undefined;

const word: AttributeKind<string> = (text) => text;
const wordOrNull: AttributeKind<string | null> = (text) => text ?? null;
const count: AttributeKind<number> = (text) => (/^\d+$/.test(text ?? "") ? Number(text) : undefined);
const presence: AttributeKind<boolean> = (text) => text !== undefined;

/** The attributes of the viewer's element without `data-`, in the order in which pages have them. */
const viewerKinds = {
  /** The id of the document. */
  document: count,
  /** The address of the API. */
  api: word,
  /** The address below which this reader finds the files of documents. */
  files: word,
  /** The part of the document that the page is about, as a fragment; null for the whole document. */
  fragment: wordOrNull,
  /** The code of the language of its texts, which may be recognised. */
  language: word,
  /** The extension of page images; null if there is no PDF from which to make them. */
  images: wordOrNull,
  /** Whether this reader may look at the pages alone: no files, and no images in the largest size. */
  reading: presence,
  /** The page on which this reader runs add-ons; null for people who run none. */
  addons: wordOrNull,
  /** Whether the file is being processed, so that there are events to follow. */
  events: presence,
  /** The CSRF token of a reader who has signed in and may write; null for everyone else. */
  csrf: wordOrNull,
  /** The stage of the processing that the page shows, as {@link stageOf} names it; null on a page without it. */
  stage: wordOrNull,
  /** That stage, in words; null on a page without it. */
  said: wordOrNull,
};

type KindsOfAttributes = typeof viewerKinds;

/** The options of the viewer. */
export type ViewerOptions = {
  readonly [Name in keyof KindsOfAttributes]: Exclude<ReturnType<KindsOfAttributes[Name]>, undefined>;
};

/** The attributes that contain the options, by name. A flag has the value true. */
export function viewerAttributes(options: ViewerOptions): [name: string, value: string | true][] {
  return Object.keys(viewerKinds).flatMap((name) => {
    const value = options[name as keyof ViewerOptions];
    if (value === null || value === false) return [];
    return [[`data-${name}`, value === true ? value : String(value)] as [string, string | true]];
  });
}

/** Reads the options from the `dataset` of the viewer's element. @throws {OptionsError} */
export function readViewerOptions(dataset: Readonly<Record<string, string | undefined>>): ViewerOptions {
  return Object.fromEntries(
    Object.entries(viewerKinds).map(([name, read]) => {
      const value = read(dataset[name]);
      if (value === undefined) throw new OptionsError(`data-${name}`);
      return [name, value];
    }),
  ) as ViewerOptions;
}

/** The name of a stage of processing: it differs from that of the stage before. */
export function stageOf(status: string, step: string | null): string {
  return `${status} ${step ?? ""}`;
}

type JsonKind<T> = (value: unknown) => value is T;

const text: JsonKind<string> = (value) => typeof value === "string";
const number: JsonKind<number> = (value) => typeof value === "number";
const flag: JsonKind<boolean> = (value) => typeof value === "boolean";
const texts: JsonKind<readonly string[]> = (value) => Array.isArray(value) && value.every(text);

/** Things by their ids, with names. */
const named: JsonKind<readonly { id: number; name: string }[]> = (
  value,
): value is readonly { id: number; name: string }[] =>
  Array.isArray(value) &&
  value.every((one: { id?: unknown; name?: unknown } | null) => number(one?.id) && text(one?.name));

type JsonKinds = Readonly<Record<string, JsonKind<unknown>>>;
type Values<Kinds extends JsonKinds> = {
  readonly [Name in keyof Kinds]: Kinds[Name] extends JsonKind<infer T> ? T : never;
};

/** The options that every page of the desk has. */
const deskKinds = {
  /** The address of the API: `/api/`. */
  api: text,
  /** Where records say that Quire's own files are, and where this page finds them: on its own site. */
  assets: text,
  files: text,
  /** Stores of mirrored documents, of whose pages this page may show images. */
  images: texts,
  /** The endpoint of resumable uploads. */
  tus: text,
  csrfToken: text,
  /** The id of the user, and the name that others see. */
  user: number,
  userName: text,
  /** The largest file, in bytes. */
  maxBytes: number,
  /** The extensions of the file types that can be uploaded. */
  extensions: texts,
  languages: texts,
  /** For how many days deleted documents can be brought back; 0 if they cannot. */
  trashDays: number,
  /** The page of the trash. */
  trash: text,
  /** The page for uploads, which also replaces files. */
  upload: text,
  /** The page on which people run add-ons; empty where the server runs none. */
  addons: text,
};

/** The pages for administrators, by the last part of their address. */
export const adminPageNames = [
  "",
  "people",
  "organizations",
  "providers",
  "queue",
  "storage",
  "checks",
  "sign-ins",
  "reasons",
  "addons",
  "holds",
  "retention",
  "audit",
  "branding",
  "settings",
  "mail",
] as const;
export type AdminPageName = (typeof adminPageNames)[number];

/** The kinds of pages of the desk, and the options that only they have. */
const deskPageKinds = {
  documents: {},
  redact: {},
  spreadsheet: {},
  trash: {},
  upload: {},
  replace: {
    /** The id of the document whose file is replaced. */
    replace: number,
  },
  project: {
    /** The id of the project, its address, and the path of the list of projects. */
    project: number,
    projectPage: text,
    projects: text,
    /** The page with the addresses for mail; empty where the server has none. */
    mailIn: text,
  },
  admin: {
    /** Which page for administrators it is. */
    adminPage: (value: unknown): value is AdminPageName =>
      (adminPageNames as readonly unknown[]).includes(value),
    /** Whether a mail server is set up. */
    hasMail: flag,
    /** Whether people can mail documents to the server. */
    hasMailIn: flag,
    /** Whether the reader administers the service. Otherwise they administer these organizations. */
    isAdministrator: flag,
    organizations: named,
  },
};

export type DeskPageName = keyof typeof deskPageKinds;

/** The options of every page of the desk. */
export type DeskOptions = Values<typeof deskKinds>;

/** The options that only the page of this name has. */
export type OwnDeskOptions<Name extends DeskPageName> = Values<(typeof deskPageKinds)[Name]>;

/** A page of the desk: its name and its own options. */
export type DeskPage = {
  [Name in DeskPageName]: { readonly name: Name; readonly own: OwnDeskOptions<Name> };
}[DeskPageName];

/** The properties by which the list of documents counts what it finds. */
export const listedFacets = [
  "access",
  "status",
  "user",
  "organization",
  "project",
  "language",
  "original_extension",
  "year",
] as const;

/** A row of the list shows so many of the pages on which a search has found something. */
const maxPassages = 2;

/** The first pages of a document on which a search has found something, from 1, each with a piece of its text. */
export function firstPassages({
  highlights,
}: {
  highlights?: Readonly<Record<string, readonly string[]>> | null;
}): { page: number; piece: string }[] {
  return Object.entries(highlights ?? {})
    .slice(0, maxPassages)
    .map(([name, [piece = ""]]) => ({ page: Number(name.slice("page_no_".length)), piece }));
}

/** The id of the element in which the page of documents has the first answer to its script, as JSON. */
export const firstAnswerId = "first-answer";

/** The attributes of the element that the desk fills, by name. */
export function deskAttributes(page: DeskPage, options: DeskOptions): [name: string, value: string][] {
  return [
    ["data-desk", page.name],
    ["data-options", JSON.stringify({ ...options, ...page.own })],
  ];
}

/** Reads the page and its options from the `dataset` of the desk's element. @throws {OptionsError} */
export function readDeskPage(dataset: Readonly<Record<string, string | undefined>>): {
  page: DeskPage;
  options: DeskOptions;
} {
  const { desk: name = "", options: json = "null" } = dataset;
  if (!Object.hasOwn(deskPageKinds, name)) throw new OptionsError("data-desk");
  const values = (JSON.parse(json) ?? {}) as Readonly<Record<string, unknown>>;
  const own = checked(deskPageKinds[name as DeskPageName], values);
  return { page: { name, own } as DeskPage, options: checked(deskKinds, values) };
}

function checked<Kinds extends JsonKinds>(
  kinds: Kinds,
  values: Readonly<Record<string, unknown>>,
): Values<Kinds> {
  return Object.fromEntries(
    Object.entries(kinds).map(([name, isValid]) => {
      if (!isValid(values[name])) throw new OptionsError(name);
      return [name, values[name]];
    }),
  ) as Values<Kinds>;
}
