import type { AdministeredOrganization, Member } from "./organization-store.ts";
import type { AdministeredUser, Membership } from "./user-store.ts";

export const presentUser = (
  user: AdministeredUser,
  memberships: readonly Membership[],
  factors: ReadonlyMap<number, number>,
) => ({
  id: user.id,
  username: user.username,
  name: user.name,
  email: user.email,
  is_active: Boolean(user.is_active),
  is_administrator: Boolean(user.is_administrator),
  has_password: Boolean(user.has_password),
  created_at: user.created_at,
  signed_in_at: user.signed_in_at,
  second_factors: factors.get(user.id) ?? 0,
  organizations: memberships
    .filter(({ user_id }) => user_id === user.id)
    .map(({ id, name, is_admin }) => ({ id, name, is_admin: Boolean(is_admin) })),
});

export const presentOrganization = ({ id, name, avatar_url, members }: AdministeredOrganization) => ({
  id,
  name,
  avatar_url,
  members,
});

export const presentMember = ({ id, username, name, is_admin }: Member) => ({
  user: id,
  username,
  name,
  is_admin: Boolean(is_admin),
});
