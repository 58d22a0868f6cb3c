import type { FastifyRequest } from "fastify";
import { bulkLimit } from "../../contract/limits.ts";
import {
  type Body,
  type Members,
  bodyOf,
  jsonBody,
  membersOf,
  multipartBody,
  urlencodedBody,
  typesOfBodies,
} from "../request/body.ts";
import { shownFields, withoutFile } from "../fields/field-metadata.ts";
import { type Field, type FieldTable } from "../fields/fields.ts";
import type { FormGroup, FormMethod, Forms } from "./forms.ts";
import { type View, queryOf } from "./view.ts";
import { mayWrite } from "../request/viewer.ts";

/** The parts of a response on which its forms depend. */
export interface AnswerView {
  status: number;
  /** The response's JSON. */
  body: string;
  etag: string;
  /** The methods of this path, for any viewer. */
  allow: string;
  /** The methods that this viewer may use. */
  offers: readonly (FormMethod | "DELETE")[];
}

export interface Offered {
  forms: Forms | null;
  /** The object that the DELETE button names; null if there is no button. */
  deletes: string | null;
}

const nothing: Offered = { forms: null, deletes: null };

/** Builds the forms for what a viewer may do here; those of a collection and of a single object differ. */
export function offeredForms(request: FastifyRequest, view: View, answer: AnswerView): Offered {
  const offers = answer.offers.length > 0 ? answer.offers : offeredAgain(request, view, answer);
  if (offers.length === 0) return nothing;
  const isCollection = answer.allow.includes("POST") && view.name.endsWith(" List");
  const record: unknown = answer.body === "" ? null : JSON.parse(answer.body);
  const changes = (["PUT", "PATCH"] as const).filter((method) => offers.includes(method));
  const groups = [
    ...(offers.includes("POST") ? postGroup(request, view, record, answer.status) : []),
    ...(isCollection
      ? bulkGroup(view, changes, record)
      : changeGroup(request, view, changes, record, answer)),
  ];
  return {
    forms: groups.length === 0 ? null : { csrfToken: csrfTokenOf(request), groups },
    deletes: offers.includes("DELETE") && !isCollection ? nameOf(record, view) : null,
  };
}

export function csrfTokenOf({ viewer }: FastifyRequest): string | null {
  return viewer.kind === "user" ? viewer.csrfToken : null;
}

/** A rejected form is shown again, to be corrected. A path that accepts only POST shows its form with the 405. */
function offeredAgain(
  { isInvited, method, viewer }: FastifyRequest,
  { fields }: View,
  { status }: AnswerView,
): readonly FormMethod[] {
  const isRefused = status === 400 && method === "POST";
  const mayTry = status === 405 && isInvited && mayWrite(viewer);
  return fields?.POST !== undefined && (isRefused || mayTry) ? ["POST"] : [];
}

function postGroup(
  request: FastifyRequest,
  view: View,
  record: unknown,
  status: number,
): readonly FormGroup[] {
  const table = view.fields?.POST;
  if (table === undefined) return [];
  const isRefused = request.method === "POST" && status === 400;
  const sent = isRefused ? textsIn(bodyOf(request), table) : new Map<string, string>();
  const faults = isRefused ? errorsIn(record) : new Map<string, readonly string[]>();
  const fields = shownFields(table).map(([name, field]) => ({
    name,
    field,
    value: field.default,
    sent: sent.get(name),
    messages: faults.get(name) ?? [],
  }));
  const names = new Set(fields.map(({ name }) => name));
  const blank = Object.fromEntries(
    shownFields(withoutFile(table)).flatMap(([name, field]) => {
      const value = field.default ?? emptyValue(field);
      // The field rejects null, and need not be sent.
      const wouldBeRefused = value === null && field.nullable !== true && field.required !== true;
      return wouldBeRefused ? [] : [[name, value]];
    }),
  );
  // Lists have no control in a form.
  const hasControls = fields.some(({ field }) => field.type !== "list");
  return [
    {
      ...common(view),
      id: "post",
      heading: view.name.endsWith(" List") ? "Add one" : "Send",
      methods: ["POST"],
      fields: hasControls ? fields : null,
      enctype: [multipartBody, urlencodedBody].find((type) => typesOfBodies(view).includes(type)) ?? null,
      raw: written(view.takesList === true ? [blank] : blank),
      faults: isRefused ? [...faults].flatMap(([name, messages]) => (names.has(name) ? [] : messages)) : null,
    },
  ];
}

function changeGroup(
  request: FastifyRequest,
  view: View,
  methods: readonly ("PUT" | "PATCH")[],
  record: unknown,
  { etag }: AnswerView,
): readonly FormGroup[] {
  const table = tableOf(view, methods);
  if (table === undefined) return [];
  const present = view.shownInForms?.(record) ?? writable(table, record);
  const isPlain = [...queryOf(request).entries()].every(([name]) => name === "format");
  return [
    {
      ...common(view),
      id: "change",
      heading: "Change this",
      methods,
      fields: shownFields(table).map(([name, field]) => ({
        name,
        field,
        value: present[name],
        messages: [],
      })),
      raw: written(present),
      // A response to other parameters has another entity tag.
      etag: isPlain ? etag : null,
    },
  ];
}

/** The form for bulk changes holds the objects on the page, up to the bulk limit. */
function bulkGroup(view: View, methods: readonly ("PUT" | "PATCH")[], record: unknown): readonly FormGroup[] {
  const table = tableOf(view, methods);
  if (table === undefined) return [];
  const { results = [] } = (record ?? {}) as { results?: readonly unknown[] };
  const items = results.slice(0, bulkLimit).map((item) => {
    const id = (item as { id?: unknown } | null)?.id;
    return id === undefined ? writable(table, item) : Object.assign({ id }, writable(table, item));
  });
  return [
    { ...common(view), id: "bulk", heading: "Change several", methods, fields: null, raw: written(items) },
  ];
}

type Common = Pick<FormGroup, "enctype" | "mediaTypes" | "etag" | "faults" | "takesList" | "leadsTo">;

function common(view: View): Common {
  const { takesList, leadsTo } = view;
  const mediaTypes = typesOfBodies(view).filter((type) => type === jsonBody || type === urlencodedBody);
  return {
    enctype: null,
    mediaTypes,
    etag: null,
    faults: null,
    takesList: takesList === true,
    leadsTo: leadsTo ?? null,
  };
}

function tableOf({ fields }: View, methods: readonly ("PUT" | "PATCH")[]): FieldTable | undefined {
  return methods.map((method) => fields?.[method]).find((table) => table !== undefined);
}

/** The members of a record that may be sent back. */
function writable(table: FieldTable, record: unknown): Record<string, unknown> {
  const members: Members =
    typeof record === "object" && record !== null && !Array.isArray(record) ? membersOf(record) : new Map();
  return Object.fromEntries(
    shownFields(table).flatMap(([name, { type }]) =>
      members.has(name)
        ? [[name, type === "integer" || type === "list" ? unexpanded(members.get(name)) : members.get(name)]]
        : [],
    ),
  );
}

/** Replaces objects that `expand` put in place of an id by that id. */
function unexpanded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unexpanded);
  return typeof value === "object" && value !== null && "id" in value ? value.id : value;
}

function emptyValue({ type, nullable, choices }: Field): unknown {
  if (nullable === true) return null;
  if (type === "list") return [];
  if (type === "json") return {};
  if (type === "boolean") return false;
  if (type === "choice") return choices?.[0] ?? "";
  return type === "integer" ? null : "";
}

const written = (value: unknown): string => JSON.stringify(value, null, 4);

/** The values of a rejected form, by field. */
function textsIn(body: Body, table: FieldTable): ReadonlyMap<string, string> {
  if (!("form" in body)) return new Map();
  return new Map(
    shownFields(table).map(([name]) => {
      // Browsers do not send an unchecked checkbox.
      return [name, body.form.get(name)?.at(-1) ?? ""];
    }),
  );
}

/** The messages in an error body, by field; messages about the whole request have other names. */
function errorsIn(refusal: unknown): ReadonlyMap<string, readonly string[]> {
  if (typeof refusal !== "object" || refusal === null || Array.isArray(refusal)) {
    return new Map([["non_field_errors", messagesIn(refusal)]]);
  }
  return new Map(Object.entries(refusal).map(([name, messages]) => [name, messagesIn(messages)]));
}

/** Messages nest as the values they describe do. */
function messagesIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(messagesIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    messagesIn(inner).map((message) => `${name}: ${message}`),
  );
}

/** The name of an object for people. */
function nameOf(record: unknown, { name }: View): string {
  if (typeof record !== "object" || record === null) return name;
  const { title, name: objectName, username } = record as Record<string, unknown>;
  const found = [title, objectName, username].find((text) => typeof text === "string" && text !== "");
  return typeof found === "string" ? found : name;
}
