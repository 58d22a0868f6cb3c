import type { Profile } from "../users/account-store.ts";
import { choicesIn } from "../users/notice-choices.ts";
import type { ListedApiToken } from "../users/credentials/api-token-store.ts";
import {
  type ListedSession,
  isSessionOf,
  sessionIdOf,
  sessionMethods,
} from "../users/credentials/session-store.ts";

export const presentProfile = ({
  username,
  name,
  email,
  language,
  time_zone,
  mail_notices,
  notice_choices,
  is_administrator,
}: Profile) => ({
  username,
  name,
  email,
  language,
  time_zone,
  mail_notices: Boolean(mail_notices),
  ...choicesIn(notice_choices),
  is_administrator: Boolean(is_administrator),
});

/** Does not include the token itself: only its digest is stored. */
export const presentToken = (token: ListedApiToken) => ({
  id: token.id,
  name: token.name,
  prefix: token.prefix,
  may_write: Boolean(token.may_write),
  created_at: token.created_at,
  expires_at: token.expires_at,
  last_used_at: token.last_used_at,
});

/** @param secret the cookie of the request; null if it has none. */
export const presentSession = (session: ListedSession, secret: string | null) => ({
  id: sessionIdOf(session),
  browser: session.browser,
  created_at: session.created_at,
  seen_at: session.seen_at,
  expires_at: session.expires_at,
  provider: session.provider,
  method: sessionMethods.find((method) => method === session.method) ?? null,
  is_current: secret !== null && isSessionOf(session, secret),
});
