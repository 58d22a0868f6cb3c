import {
  Addon,
  AddonEvent,
  AddonRun,
  AdministeredAddon,
  Message,
  SpentCredits,
  addonCategories,
} from "../../contract/addon.ts";
import {
  ErrorDetail,
  ValidationError,
  booleanParameter,
  bytes,
  choiceParameter,
  choicesParameter,
  idsParameter,
  listOf,
  paging,
  selecting,
  textParameter,
  uuid,
} from "../../http/fields/schema-shapes.ts";
import { operationsOf } from "../../http/schema/published-operation.ts";

export const uuidParameter = { uuid: uuid("the run's uuid") };
/** Of an upload. */
export const uploadParameters = { ...uuidParameter, "*": { type: "string", description: "the file's name" } };

export const listing = {
  summary: "The add-ons, a page at a time",
  query: {
    ...paging,
    active: booleanParameter("whether you have pinned it"),
    default: booleanParameter("whether pages offer it to everyone"),
    featured: booleanParameter("whether pages show it first"),
    premium: booleanParameter("whether it says that it needs credits"),
    repository: textParameter("exactly this"),
    query: textParameter("a part of the name or the description, in any case"),
    category: choicesParameter(addonCategories, "one of these"),
  },
  gives: listOf("AddOnList", Addon),
  also: { 400: ValidationError },
};
export const reading = { summary: "One add-on", gives: Addon };
export const changing = { summary: "Pin an add-on", ifMatch: true, gives: Addon };
export const replacing = changing;
export const deleting = { summary: "Always refused: administrators remove add-ons", gives: null };

const shownIn = (names: readonly string[]) => ({
  expand: choicesParameter([...names, "~all"], "what is shown in place of its id"),
  ...selecting,
});
const shownRun = shownIn(["addon", "event"]);
const shownEvent = shownIn(["addon"]);
const orderings = ["created_at", "-created_at"] as const;

export const listingRuns = {
  summary: "Your runs of add-ons, the newest first",
  query: {
    ...paging,
    ...shownRun,
    event: idsParameter("the event that has started it"),
    addon: idsParameter("the add-on"),
    dismissed: booleanParameter("whether it was dismissed"),
    site: textParameter("the site of the event that has started it"),
    ordering: choiceParameter(orderings, "the order"),
  },
  gives: listOf("AddOnRunList", AddonRun),
  also: { 400: ValidationError },
};
export const creatingRun = { summary: "Run an add-on", query: shownRun, gives: AddonRun };
export const readingRun = {
  summary: "One run of an add-on",
  query: { ...shownRun, upload_file: textParameter("the name of a file that the add-on uploads") },
  gives: AddonRun,
};
export const changingRun = {
  summary: "Say how far a run is",
  query: shownRun,
  ifMatch: true,
  gives: AddonRun,
};
export const replacingRun = {
  ...changingRun,
  summary: "Change a run, which keeps its add-on and parameters",
};
export const cancellingRun = { summary: "Cancel a run", ifMatch: true };

export const listingEvents = {
  summary: "The events that start add-ons for you, the newest first",
  query: {
    ...paging,
    ...shownEvent,
    addon: idsParameter("the add-on"),
    site: textParameter("the member site of the parameters"),
    ordering: choiceParameter(orderings, "the order"),
  },
  gives: listOf("AddOnEventList", AddonEvent),
  also: { 400: ValidationError },
};
export const creatingEvent = {
  summary: "Have an add-on started by itself",
  query: shownEvent,
  gives: AddonEvent,
};
export const readingEvent = { summary: "One event", query: shownEvent, gives: AddonEvent };
export const changingEvent = {
  summary: "Change an event",
  query: shownEvent,
  ifMatch: true,
  gives: AddonEvent,
};
export const deletingEvent = { summary: "Always refused: the event 0 switches it off", gives: null };
export const replacingEvent = { ...changingEvent, summary: "Replace an event" };

export const sendingMessage = { summary: "Send yourself a mail", gives: Message, status: 200 };
export const spendingCredits = {
  summary: "Always granted: nothing costs credits here",
  gives: SpentCredits,
  status: 200,
};

export const uploadingFile = {
  summary: "Upload the file of a run to its signed address",
  gives: { type: "null" },
  status: 200,
  also: { 403: ErrorDetail, 413: ErrorDetail },
};
export const readingFile = {
  summary: "The file that a run has made",
  gives: bytes(["application/octet-stream"], "the file"),
};

export const administering = operationsOf("AdministeredAddOnList", AdministeredAddon, {
  listing: "All add-ons of the server, a page at a time",
  creating: "Register the add-on of a folder",
  reading: "One add-on of the server",
  replacing: "Replace what is known of an add-on",
  changing: "Change an add-on, or switch it on or off",
  deleting: "Remove an add-on; its runs stay",
});
