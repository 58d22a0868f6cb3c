import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { Created } from "../../http/answer.ts";
import { listContent } from "../../http/collection.ts";
import { membersIn } from "../../http/fields/fields.ts";
import { bodyOf, shortBodyLimit } from "../../http/request/body.ts";
import { textIn } from "../../http/request/list-filters.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { type Content, content } from "../../http/response/representation.ts";
import { type AddressSettings, addressesOf, passwordAddress } from "../../http/text/addresses.ts";
import { findAccountHistory } from "../users/account-history-store.ts";
import { countFactors } from "../users/credentials/factor-store.ts";
import type { PasswordLink } from "../users/credentials/password-link-store.ts";
import { resetSecondFactors } from "../users/credentials/second-factor.ts";
import {
  changedMemberFields,
  changedOrganizationFields,
  changedUserFields,
  newMemberFields,
  newOrganizationFields,
  newUserFields,
  passwordLinkFields,
} from "./fields.ts";
import {
  addMember,
  changeMember,
  changeOrganization,
  createOrganization,
  endMembership,
  getMember,
  getOrganization,
} from "./manage-organizations.ts";
import { changeUser, getUser, inviteUser, linkUser } from "./manage-users.ts";
import { listAdministeredOrganizations, listMembers } from "./organization-store.ts";
import { presentMember, presentOrganization, presentUser } from "./present.ts";
import * as shapes from "./schema.ts";
import { type AdministeredUser, findMembershipsOf, listAdministeredUsers } from "./user-store.ts";
import {
  memberListView,
  memberView,
  organizationListView,
  organizationView,
  passwordLinkView,
  secondFactorsView,
  userListView,
  userView,
} from "./views.ts";

const reading = "hidden";

/** Users and organizations, for administrators. */
export function peopleRoutes(app: FastifyInstance, context: Context): void {
  userRoutes(app, context);
  passwordLinkRoute(app, context);
  secondFactorRoute(app, context);
  organizationRoutes(app, context);
  memberRoutes(app, context);
}

function userRoutes(app: FastifyInstance, context: Context): void {
  const { database } = context;

  resourceRoute(app, {
    path: "/api/admin/users/",
    view: userListView,
    reading,
    get: {
      schema: shapes.listingUsers,
      async answer(request) {
        const text = textIn(queryOf(request), "q");
        return listContent(request, {
          find: (cursor, limit) => listAdministeredUsers(database, { text }, cursor, limit),
          present: presentUsers,
          offers: ["POST"],
        });
      },
    },
    post: {
      schema: shapes.invitingUser,
      isSecret: true,
      bodyLimit: shortBodyLimit,
      async answer(request, viewer) {
        const { id, link } = await inviteUser(context, viewer, membersIn(newUserFields, bodyOf(request)));
        const [user] = await presentUsers([await getUser(database, id)]);
        return new Created(id, content({ ...user, ...linkMembers(context.config, request, link) }));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/admin/users/:id/",
    view: userView,
    reading,
    get: {
      schema: shapes.readingUser,
      answer: (request) => userContent(idIn(request, "id")),
    },
    patch: {
      schema: shapes.changingUser,
      bodyLimit: shortBodyLimit,
      async answer(request, viewer) {
        const id = idIn(request, "id");
        await changeUser(context, viewer, id, membersIn(changedUserFields, bodyOf(request)));
        return userContent(id);
      },
    },
  });

  async function presentUsers(users: readonly AdministeredUser[]) {
    const ids = users.map(({ id }) => id);
    const memberships = await findMembershipsOf(database, ids);
    const factors = await countFactors(database.reader, ids);
    return users.map((user) => presentUser(user, memberships, factors));
  }

  async function userContent(id: number): Promise<Content> {
    const [user] = await presentUsers([await getUser(database, id)]);
    const history = (await findAccountHistory(database.reader, id)).map(({ at, action, by }) => ({
      at,
      action,
      by,
    }));
    return content({ ...user, history }, ["PATCH"]);
  }
}

function secondFactorRoute(app: FastifyInstance, context: Context): void {
  resourceRoute(app, {
    path: "/api/admin/users/:id/second_factors/",
    view: secondFactorsView,
    reading,
    delete: {
      schema: shapes.resettingFactors,
      async answer(request, viewer) {
        const { id } = await getUser(context.database, idIn(request, "id"));
        await resetSecondFactors(context, id, viewer.id);
      },
    },
  });
}

function passwordLinkRoute(app: FastifyInstance, context: Context): void {
  resourceRoute(app, {
    path: "/api/admin/users/:id/link/",
    view: passwordLinkView,
    reading,
    post: {
      schema: shapes.linkingUser,
      isSecret: true,
      bodyLimit: shortBodyLimit,
      async answer(request) {
        const members = membersIn(passwordLinkFields, bodyOf(request));
        const link = await linkUser(context, idIn(request, "id"), members);
        return linkMembers(context.config, request, link);
      },
    },
  });
}

function organizationRoutes(app: FastifyInstance, context: Context): void {
  const { database } = context;

  resourceRoute(app, {
    path: "/api/admin/organizations/",
    view: organizationListView,
    reading,
    get: {
      schema: shapes.listingOrganizations,
      async answer(request) {
        return listContent(request, {
          find: (cursor, limit) => listAdministeredOrganizations(database, {}, cursor, limit),
          present: (rows) => rows.map(presentOrganization),
          offers: ["POST"],
        });
      },
    },
    post: {
      schema: shapes.creatingOrganization,
      bodyLimit: shortBodyLimit,
      async answer(request, viewer) {
        const id = await createOrganization(
          context,
          viewer,
          membersIn(newOrganizationFields, bodyOf(request)),
        );
        return new Created(id, content(presentOrganization(await getOrganization(database, id))));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/admin/organizations/:id/",
    view: organizationView,
    reading,
    get: {
      schema: shapes.readingOrganization,
      answer: (request) => organizationContent(idIn(request, "id")),
    },
    patch: {
      schema: shapes.changingOrganization,
      bodyLimit: shortBodyLimit,
      async answer(request, viewer) {
        const id = idIn(request, "id");
        await changeOrganization(context, viewer, id, membersIn(changedOrganizationFields, bodyOf(request)));
        return organizationContent(id);
      },
    },
  });

  async function organizationContent(id: number): Promise<Content> {
    return content(presentOrganization(await getOrganization(database, id)), ["PATCH"]);
  }
}

/** The members of an organization. */
function memberRoutes(app: FastifyInstance, context: Context): void {
  const { database } = context;

  resourceRoute(app, {
    path: "/api/admin/organizations/:id/members/",
    view: memberListView,
    reading,
    get: {
      schema: shapes.listingMembers,
      async answer(request) {
        const { id } = await getOrganization(database, idIn(request, "id"));
        return listContent(request, {
          find: (cursor, limit) => listMembers(database, id, {}, cursor, limit),
          present: (rows) => rows.map(presentMember),
          offers: ["POST"],
        });
      },
    },
    post: {
      schema: shapes.addingMember,
      bodyLimit: shortBodyLimit,
      async answer(request, viewer) {
        const id = idIn(request, "id");
        const user = await addMember(context, viewer, id, membersIn(newMemberFields, bodyOf(request)));
        return new Created(user, await memberContent(id, user));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/admin/organizations/:id/members/:user/",
    view: memberView,
    reading,
    get: {
      schema: shapes.readingMember,
      async answer(request) {
        const { organization, user } = membershipIn(request);
        await getOrganization(database, organization);
        return memberContent(organization, user);
      },
    },
    patch: {
      schema: shapes.changingMember,
      bodyLimit: shortBodyLimit,
      async answer(request, viewer) {
        const { organization, user } = membershipIn(request);
        const members = membersIn(changedMemberFields, bodyOf(request));
        await changeMember(context, viewer, { organization, user }, members);
        return memberContent(organization, user);
      },
    },
    delete: {
      schema: shapes.removingMember,
      answer: (request, viewer) => endMembership(context, viewer, membershipIn(request)),
    },
  });

  async function memberContent(organization: number, user: number): Promise<Content> {
    return content(presentMember(await getMember(database, organization, user)), ["PATCH", "DELETE"]);
  }
}

function linkMembers(settings: AddressSettings, request: FastifyRequest, made: PasswordLink | null) {
  if (made === null) return { link: null, expires_at: null };
  return {
    link: passwordAddress(addressesOf(settings, request).api, made.token),
    expires_at: made.expiresAt,
  };
}

function membershipIn(request: FastifyRequest): { organization: number; user: number } {
  return { organization: idIn(request, "id"), user: idIn(request, "user") };
}
