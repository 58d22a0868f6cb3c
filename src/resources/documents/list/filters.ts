import { type ApiError, invalidFields } from "../../../errors.ts";
import type { Query } from "../../../http/request/query.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { accessLevels, statuses } from "../../../contract/document.ts";
import { readyStatuses } from "../../document-states.ts";
import type { ContainerFilter } from "../children-store.ts";
import { readTimestamp } from "../../../http/text/timestamp.ts";

/** The filters of a list. Different filters are combined with "and", the values of one filter with "or". */
export interface DocumentFilters {
  user?: number[];
  organization?: number[];
  project?: number[];
  /** The documents directly in one of these containers, or those that are part of no other document. */
  parent?: ContainerFilter;
  ids?: number[];
  access?: string[];
  status?: string[];
  createdBefore?: string;
  createdAfter?: string;
  pageCount?: number;
  pageCountBelow?: number;
  pageCountAbove?: number;
}

const parameters = new Set([
  "user",
  "organization",
  "project",
  "parent",
  "id__in",
  "access",
  "status",
  "created_at__lt",
  "created_at__gt",
  "page_count",
  "page_count__lt",
  "page_count__gt",
]);

/** Reads the filters of a list request. Throws 400 with the errors of all parameters. */
export function readFilters(query: Query): DocumentFilters {
  if (!query.hasAny(parameters)) return {};
  const filters: DocumentFilters = {};
  const errors: Record<string, string[]> = {};
  const read = <Name extends keyof DocumentFilters>(
    parameter: string,
    name: Name,
    values: readonly string[],
    parse: (values: readonly string[]) => NonNullable<DocumentFilters[Name]>,
  ): void => {
    if (values.length === 0) return;
    try {
      filters[name] = parse(values);
    } catch (error) {
      if (!(error instanceof ParameterError)) throw error;
      errors[parameter] = [error.message];
    }
  };
  const lastValue = (name: string): readonly string[] => {
    const value = query.last(name)?.trim() ?? "";
    return value === "" ? [] : [value];
  };

  for (const name of ["user", "organization", "project"] as const) {
    read(name, name, query.list(name), (values) => values.map(readKey));
  }
  read("parent", "parent", query.list("parent"), readParent);
  read("id__in", "ids", query.list("id__in"), (values) => values.map(readNumber).filter(Number.isInteger));
  read("access", "access", query.list("access"), (values) => readChoices(values, accessLevels));
  read("status", "status", query.list("status"), (values) => readChoices(values, statuses));
  read("created_at__lt", "createdBefore", lastValue("created_at__lt"), readMoment);
  read("created_at__gt", "createdAfter", lastValue("created_at__gt"), readMoment);
  read("page_count", "pageCount", lastValue("page_count"), ([value]) => wholeOrNone(readNumber(value)));
  read("page_count__lt", "pageCountBelow", lastValue("page_count__lt"), ([value]) =>
    Math.ceil(readNumber(value)),
  );
  read("page_count__gt", "pageCountAbove", lastValue("page_count__gt"), ([value]) =>
    Math.floor(readNumber(value)),
  );

  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  return filters;
}

/** The same filters, among the documents of a run for the token of that run. */
export function withinRun(filters: DocumentFilters, viewer: Viewer): DocumentFilters {
  if (viewer.kind === "anonymous" || viewer.run === undefined) return filters;
  const { documents } = viewer.run;
  return { ...filters, ids: filters.ids?.filter((id) => documents.has(id)) ?? [...documents] };
}

/** Whether the filters name something that this viewer may not know about. */
export function hasChoices({ user, organization, project }: DocumentFilters): boolean {
  return user !== undefined || organization !== undefined || project !== undefined;
}

export function invalidChoice(parameter: string, value: string | number): ApiError {
  return invalidFields({ [parameter]: [invalidChoiceMessage(value)] });
}

function invalidChoiceMessage(value: string | number): string {
  return `Select a valid choice. ${value} is not one of the available choices.`;
}

class ParameterError extends Error {}

/** No row has an id beyond the range of safe integers. */
function readKey(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw new ParameterError(`“${text}” is not a valid value.`);
  const key = Number(text);
  if (!Number.isSafeInteger(key)) throw new ParameterError(invalidChoiceMessage(text));
  return key;
}

function readParent(values: readonly string[]): ContainerFilter {
  return values.length === 1 && values[0] === "none" ? "none" : values.map(readKey);
}

function readNumber(text: string | undefined): number {
  if (text === undefined || !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) {
    throw new ParameterError("Enter a number.");
  }
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number(text), Number.MAX_SAFE_INTEGER));
}

/** A fractional number becomes a page count that no document has. */
function wholeOrNone(count: number): number {
  return Number.isInteger(count) ? count : -1;
}

function readChoices(values: readonly string[], choices: readonly string[]): string[] {
  const unknown = values.find((value) => !choices.includes(value));
  if (unknown !== undefined) throw new ParameterError(invalidChoiceMessage(unknown));
  return [...values];
}

function readMoment([text]: readonly string[]): string {
  const moment = readTimestamp(text ?? "");
  if (moment === null) throw new ParameterError("Enter a valid date/time.");
  return moment;
}

/**
 * Drops the filters that every public document passes. Returns null if no public document can match, so that no query
 * has to scan all documents to find that out.
 */
export function withinPublic(filters: DocumentFilters): DocumentFilters | null {
  const { access, status, ...others } = filters;
  if (access !== undefined && !access.includes("public")) return null;
  if (status === undefined) return others;
  const visible = readyStatuses.filter((ready) => status.includes(ready));
  if (visible.length === 0) return null;
  return visible.length === readyStatuses.length ? others : { ...others, status: visible };
}
