import { useEffect, useMemo, useState } from "preact/hooks";
import type {
  AdministeredOrganization,
  AdministeredUser,
  OrganizationMember,
} from "../../contract/administration.ts";
import { personLimits } from "../../contract/limits.ts";
import { Dialog } from "../../viewer/dialog.tsx";
import { Draft } from "../../viewer/form/draft.ts";
import { TextField } from "../../viewer/form/field.tsx";
import { Form } from "../../viewer/form/form.tsx";
import { adminTexts } from "../model/admin-texts.ts";
import { texts as viewerTexts } from "../../viewer/texts/texts.ts";
import { AdminResource, type ListAnswer } from "../model/admin-resource.ts";
import { type DeskApi, RefusedError } from "../model/desk-api.ts";
import { ResultLine } from "../parts/result-line.tsx";
import { RowButton } from "../parts/row-button.tsx";
import { AdminList, AdminRow } from "./parts.tsx";

const words = adminTexts.organizations;

type Members = AdminResource<ListAnswer<OrganizationMember>>;

/** The members of an organization, what each may do, and a form that adds one. */
export function MembersDialog({
  api,
  organization: { id, name },
  onClose,
}: {
  api: DeskApi;
  organization: AdministeredOrganization;
  onClose: () => void;
}) {
  const path = `admin/organizations/${id}/members/`;
  const members = useMemo<Members>(() => new AdminResource(api, path), [api, path]);
  useEffect(() => void members.load(), [members]);
  return (
    <Dialog title={words.membersOf(name)} onClose={onClose}>
      <div class="form">
        <AdminList resource={members} label={words.membersOf(name)}>
          {(member) => (
            <MemberRow key={member.user} path={`${path}${member.user}/`} member={member} members={members} />
          )}
        </AdminList>
        <NewMember path={path} members={members} />
        <ResultLine result={members.message} />
      </div>
    </Dialog>
  );
}

function MemberRow({
  path,
  member: { username, name, is_admin: isAdmin },
  members,
}: {
  path: string;
  member: OrganizationMember;
  members: Members;
}) {
  return (
    <AdminRow title={name === "" ? username : name} facts={[username, isAdmin ? words.admin : words.member]}>
      <RowButton
        action={isAdmin ? words.makeMember : words.makeAdmin}
        of={username}
        onClick={() => void members.act("PATCH", path, { is_admin: !isAdmin }, words.saved(username))}
      />
      <RowButton
        action={words.remove}
        of={username}
        isDangerous
        onClick={() => void members.act("DELETE", path, undefined, words.removed(username))}
      />
    </AdminRow>
  );
}

function NewMember({ path, members }: { path: string; members: Members }) {
  const [draft] = useState(
    () =>
      new Draft(
        { username: "" },
        {
          limits: personLimits,
          aliases: { user: "username" },
          check: ({ username }) => (username.trim() === "" ? [["username", viewerTexts.form.needed]] : []),
          gone: adminTexts.notFound,
        },
      ),
  );
  const add = async ({ username }: { username: string }): Promise<void> => {
    const user = await findUser(members.api, username);
    await members.api.send("POST", path, { user: user.id });
    draft.reset();
    await members.noteChange(words.added(user.username));
  };
  return (
    <Form draft={draft} send={() => draft.submit(add)} submit={words.addMember}>
      <TextField field={draft.field("username")} label={words.username} isRequired />
    </Form>
  );
}

/** @throws {RefusedError} If nobody has this username. */
async function findUser(api: DeskApi, username: string): Promise<AdministeredUser> {
  const sought = username.trim().toLowerCase();
  const query = new URLSearchParams({ q: sought, per_page: "100" });
  const { results } = await api.get<ListAnswer<AdministeredUser>>(`admin/users/?${query}`);
  const found = results.find((user) => user.username.toLowerCase() === sought);
  if (found !== undefined) return found;
  const reason = words.unknownUser(username);
  throw new RefusedError(400, reason, new Map([["username", reason]]));
}
