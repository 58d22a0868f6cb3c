import {
  type NoticeChoice,
  type NotificationKind,
  defaultNotices,
  notificationKinds,
} from "../../contract/notification.ts";

/** The name of the field and of the member that has the choice for a kind. */
export const noticeMember = <Kind extends NotificationKind>(kind: Kind): `notice_${Kind}` => `notice_${kind}`;

/** A choice for each kind, as fields and the account have it. */
export type NoticeChoices = { [Kind in NotificationKind as `notice_${Kind}`]: NoticeChoice };

/** How a person is told of each kind, from what is stored: see migrations/baseline/people.ts. */
export function choicesIn(stored: string): NoticeChoices {
  const chosen = JSON.parse(stored) as Partial<Record<NotificationKind, NoticeChoice>>;
  const entries = notificationKinds.map((kind) => [noticeMember(kind), chosen[kind] ?? defaultNotices[kind]]);
  return Object.fromEntries(entries) as NoticeChoices;
}

/** The same text with these choices. */
export function withChoices(stored: string, chosen: Partial<NoticeChoices>): string {
  const before = JSON.parse(stored) as Partial<Record<NotificationKind, NoticeChoice>>;
  const changed = notificationKinds.flatMap((kind) => {
    const choice = chosen[noticeMember(kind)];
    return choice === undefined ? [] : [[kind, choice] as const];
  });
  return JSON.stringify({ ...before, ...Object.fromEntries(changed) });
}
