import { Type } from "../../http/fields/json-schema.ts";
import {
  ErrorDetail,
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
import { sessionMethods } from "../users/credentials/session-store.ts";
import { Notifications, noticeChoices, notificationKinds } from "../../contract/notification.ts";
import { noticeMember } from "../users/notice-choices.ts";
import { User } from "../../contract/person.ts";
import { Project, collaboratorAccess } from "../../contract/project.ts";

const Account = Type.Object(
  {
    username: Type.String(),
    name: Type.String(),
    email: Type.String({ description: "Empty if unknown" }),
    language: Type.String({ description: "Of pages, such as de; empty if the browser's languages decide" }),
    time_zone: Type.String({ description: "Of moments on pages, such as Europe/Berlin; empty for UTC" }),
    mail_notices: Type.Boolean({ description: "Whether you get notices by mail" }),
    ...Object.fromEntries(
      notificationKinds.map((kind) => [noticeMember(kind), enumeration(noticeChoices)] as const),
    ),
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
    provider: nullable(
      Type.String({ description: "The identity provider at which it began; null for a password" }),
    ),
    method: Type.Union([enumeration(sessionMethods), Type.Null()], {
      description: "How it began: with a password, and what besides; null at a provider",
    }),
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
  query: {
    ...paging,
    expand: choicesParameter(["project", "added_by", "~all"], "what is shown in place of its id"),
    ...selecting,
  },
  gives: listOf("SharedProjectList", SharedProject),
};

export const listingNotifications = {
  summary: "What you are told of: shared projects, mentions in notes, the end of work on documents",
  gives: Notifications,
};
export const markingRead = { summary: "Mark as read what you are told of", gives: Notifications };

export const reading = { summary: "Your account", gives: Account };
export const changing = { summary: "Change your name, email address, language or time zone", gives: Account };
export const changingPassword = { summary: "Change your password", also: { 429: ErrorDetail } };
export const listingTokens = {
  summary: "Your personal tokens, a page at a time",
  query: paging,
  gives: listOf("PersonalTokenList", PersonalToken),
};
export const creatingToken = { summary: "Create a personal token", gives: NewPersonalToken };
export const readingToken = { summary: "One of your personal tokens", gives: PersonalToken };
export const revokingToken = { summary: "Revoke a personal token" };
export const revokingTokens = { summary: "Revoke all your personal tokens" };
export const listingSessions = {
  summary: "Your sessions, newest first; at most 100",
  gives: listOf("SignInSessionList", SignInSession),
};
export const endingOtherSessions = {
  summary: "End all your sessions but this one, and disconnect all assistants",
};
export const sessionParameters = { session: Type.String({ description: "the session's id" }) };
export const readingSession = { summary: "One of your sessions", gives: SignInSession };
export const endingSession = { summary: "End a session" };
