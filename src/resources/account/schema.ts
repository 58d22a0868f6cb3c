import { Type } from "../../http/fields/json-schema.ts";
import {
  ErrorDetail,
  ValidationError,
  choicesParameter,
  dateTime,
  enumeration,
  expandable,
  id,
  listOf,
  nullable,
  oneOf,
  paging,
  selecting,
} from "../../http/fields/schema-shapes.ts";
import { User } from "../../contract/person.ts";
import { Project, collaboratorAccess } from "../../contract/project.ts";

const Account = Type.Object(
  {
    username: Type.String(),
    name: Type.String(),
    email: Type.String({ description: "Empty if unknown" }),
    language: Type.String({ description: "Of pages, such as de; empty if the browser's languages decide" }),
    time_zone: Type.String({ description: "Of moments on pages, such as Europe/Berlin; empty for UTC" }),
    mail_notices: Type.Boolean({
      description:
        "Whether you get mails about documents that could not be processed and about shared projects",
    }),
    is_administrator: Type.Boolean(),
  },
  { $id: "Account" },
);

const tokenMembers = {
  id: id(),
  name: Type.String(),
  prefix: Type.String({ description: "The first characters of the token" }),
  may_write: Type.Boolean(),
  created_at: dateTime(),
  expires_at: nullable(dateTime()),
  last_used_at: nullable(dateTime()),
};
const PersonalToken = Type.Object(tokenMembers, { $id: "PersonalToken" });
const NewPersonalToken = Type.Object(
  { ...tokenMembers, token: Type.String({ description: "The whole token, which is never shown again" }) },
  { $id: "NewPersonalToken" },
);

const SignInSession = Type.Object(
  {
    id: Type.String(),
    browser: Type.String({ description: "Its User-Agent" }),
    created_at: dateTime(),
    seen_at: nullable(dateTime()),
    expires_at: dateTime(),
    is_current: Type.Boolean({ description: "Whether this request was made with it" }),
  },
  { $id: "SignInSession" },
);

const SharedProject = Type.Object(
  {
    project: expandable(Project, "the project's id; the project, if expanded"),
    access: enumeration(collaboratorAccess),
    added_by: oneOf([id(), User, Type.Null()], "who added you, as an id or expanded; null if unknown"),
    added_at: nullable(dateTime()),
  },
  { $id: "SharedProject" },
);

export const listingShared = {
  summary: "The projects that others have shared with you, a page at a time",
  querystring: Type.Object({
    ...paging,
    expand: choicesParameter(["project", "added_by", "~all"], "what is shown in place of its id"),
    ...selecting,
  }),
  response: { 200: listOf("SharedProjectList", SharedProject), 403: ErrorDetail, 404: ErrorDetail },
};

export const reading = { summary: "Your account", response: { 200: Account, 403: ErrorDetail } };
export const changing = {
  summary: "Change your name, email address, language or time zone",
  response: { 200: Account, 400: ValidationError, 403: ErrorDetail },
};
export const changingPassword = {
  summary: "Change your password",
  response: { 204: Type.Null(), 400: ValidationError, 403: ErrorDetail, 429: ErrorDetail },
};
export const listingTokens = {
  summary: "Your personal tokens, a page at a time",
  querystring: Type.Object(paging),
  response: { 200: listOf("PersonalTokenList", PersonalToken), 403: ErrorDetail, 404: ErrorDetail },
};
export const creatingToken = {
  summary: "Create a personal token",
  response: { 201: NewPersonalToken, 400: ValidationError, 403: ErrorDetail },
};
const tokenParams = Type.Object({ id: id("the token's id") });
export const readingToken = {
  summary: "One of your personal tokens",
  params: tokenParams,
  response: { 200: PersonalToken, 403: ErrorDetail, 404: ErrorDetail },
};
export const revokingToken = {
  summary: "Revoke a personal token",
  params: tokenParams,
  response: { 204: Type.Null(), 403: ErrorDetail, 404: ErrorDetail },
};
export const revokingTokens = {
  summary: "Revoke all your personal tokens",
  response: { 204: Type.Null(), 403: ErrorDetail },
};
export const listingSessions = {
  summary: "Your sessions, newest first; at most 100",
  response: { 200: listOf("SignInSessionList", SignInSession), 403: ErrorDetail },
};
export const endingOtherSessions = {
  summary: "End all your sessions but this one",
  response: { 204: Type.Null(), 403: ErrorDetail },
};
const sessionParams = Type.Object({ session: Type.String({ description: "the session's id" }) });
export const readingSession = {
  summary: "One of your sessions",
  params: sessionParams,
  response: { 200: SignInSession, 403: ErrorDetail, 404: ErrorDetail },
};
export const endingSession = {
  summary: "End a session",
  params: sessionParams,
  response: { 204: Type.Null(), 403: ErrorDetail, 404: ErrorDetail },
};
