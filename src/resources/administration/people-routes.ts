import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { listContent, sendCreated } from "../../http/collection.ts";
import { membersIn } from "../../http/fields/fields.ts";
import { bodyOf, shortBodyLimit } from "../../http/request/body.ts";
import { textIn } from "../../http/request/list-filters.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { type Content, content, send } from "../../http/response/representation.ts";
import { addressesOf, passwordAddress } from "../../http/text/addresses.ts";
import type { PasswordLink } from "../users/credentials/password-link-store.ts";
import { administrator } from "./administrator.ts";
import {
  changedMemberFields,
  changedOrganizationFields,
  changedUserFields,
  newMemberFields,
  newOrganizationFields,
  newUserFields,
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
  userListView,
  userView,
} from "./views.ts";

/** Users and organizations, for administrators. */
export function peopleRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context;
  const reading = "hidden";

  resourceRoute(app, {
    path: "/api/admin/users/",
    view: userListView,
    reading,
    get: {
      schema: shapes.listingUsers,
      async handler(request, reply) {
        administrator(request);
        const text = textIn(queryOf(request), "q");
        const page = await listContent(request, {
          address: addressOf(request, "users/"),
          find: (cursor, limit) => listAdministeredUsers(database, { text }, cursor, limit),
          present: presentUsers,
          offers: ["POST"],
        });
        return send(request, reply, page);
      },
    },
    post: {
      schema: shapes.invitingUser,
      bodyLimit: shortBodyLimit,
      async handler(request, reply) {
        administrator(request);
        const { id, link } = await inviteUser(context, membersIn(newUserFields, bodyOf(request)));
        const [user] = await presentUsers([await getUser(database, id)]);
        reply.header("cache-control", "no-store");
        const location = addressOf(request, `users/${id}/`);
        return sendCreated(request, reply, location, content({ ...user, ...linkMembers(request, link) }));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/admin/users/:id/",
    view: userView,
    reading,
    get: {
      schema: shapes.readingUser,
      async handler(request, reply) {
        administrator(request);
        return send(request, reply, await userContent(idIn(request, "id")));
      },
    },
    patch: {
      schema: shapes.changingUser,
      bodyLimit: shortBodyLimit,
      async handler(request, reply) {
        const viewer = administrator(request);
        const id = idIn(request, "id");
        await changeUser(context, viewer, id, membersIn(changedUserFields, bodyOf(request)));
        return send(request, reply, await userContent(id));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/admin/users/:id/link/",
    view: passwordLinkView,
    reading,
    post: {
      schema: shapes.linkingUser,
      bodyLimit: shortBodyLimit,
      async handler(request, reply) {
        administrator(request);
        const link = await linkUser(context, idIn(request, "id"));
        reply.header("cache-control", "no-store").code(201);
        return send(request, reply, content(linkMembers(request, link)));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/admin/organizations/",
    view: organizationListView,
    reading,
    get: {
      schema: shapes.listingOrganizations,
      async handler(request, reply) {
        administrator(request);
        const page = await listContent(request, {
          address: addressOf(request, "organizations/"),
          find: (cursor, limit) => listAdministeredOrganizations(database, {}, cursor, limit),
          present: (rows) => rows.map(presentOrganization),
          offers: ["POST"],
        });
        return send(request, reply, page);
      },
    },
    post: {
      schema: shapes.creatingOrganization,
      bodyLimit: shortBodyLimit,
      async handler(request, reply) {
        administrator(request);
        const id = await createOrganization(context, membersIn(newOrganizationFields, bodyOf(request)));
        const location = addressOf(request, `organizations/${id}/`);
        return sendCreated(
          request,
          reply,
          location,
          content(presentOrganization(await getOrganization(database, id))),
        );
      },
    },
  });

  resourceRoute(app, {
    path: "/api/admin/organizations/:id/",
    view: organizationView,
    reading,
    get: {
      schema: shapes.readingOrganization,
      async handler(request, reply) {
        administrator(request);
        return send(request, reply, await organizationContent(idIn(request, "id")));
      },
    },
    patch: {
      schema: shapes.changingOrganization,
      bodyLimit: shortBodyLimit,
      async handler(request, reply) {
        administrator(request);
        const id = idIn(request, "id");
        await changeOrganization(context, id, membersIn(changedOrganizationFields, bodyOf(request)));
        return send(request, reply, await organizationContent(id));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/admin/organizations/:id/members/",
    view: memberListView,
    reading,
    get: {
      schema: shapes.listingMembers,
      async handler(request, reply) {
        administrator(request);
        const { id } = await getOrganization(database, idIn(request, "id"));
        const page = await listContent(request, {
          address: addressOf(request, `organizations/${id}/members/`),
          find: (cursor, limit) => listMembers(database, id, {}, cursor, limit),
          present: (rows) => rows.map(presentMember),
          offers: ["POST"],
        });
        return send(request, reply, page);
      },
    },
    post: {
      schema: shapes.addingMember,
      bodyLimit: shortBodyLimit,
      async handler(request, reply) {
        administrator(request);
        const id = idIn(request, "id");
        const user = await addMember(context, id, membersIn(newMemberFields, bodyOf(request)));
        const location = addressOf(request, `organizations/${id}/members/${user}/`);
        return sendCreated(request, reply, location, await memberContent(id, user));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/admin/organizations/:id/members/:user/",
    view: memberView,
    reading,
    get: {
      schema: shapes.readingMember,
      async handler(request, reply) {
        administrator(request);
        const { organization, user } = membershipIn(request);
        await getOrganization(database, organization);
        return send(request, reply, await memberContent(organization, user));
      },
    },
    patch: {
      schema: shapes.changingMember,
      bodyLimit: shortBodyLimit,
      async handler(request, reply) {
        administrator(request);
        const { organization, user } = membershipIn(request);
        const members = membersIn(changedMemberFields, bodyOf(request));
        await changeMember(context, { organization, user }, members);
        return send(request, reply, await memberContent(organization, user));
      },
    },
    delete: {
      schema: shapes.removingMember,
      async handler(request, reply) {
        administrator(request);
        await endMembership(context, membershipIn(request));
        return reply.code(204).send();
      },
    },
  });

  function addressOf(request: FastifyRequest, path: string): string {
    return `${addressesOf(config, request).api}/api/admin/${path}`;
  }

  function linkMembers(request: FastifyRequest, { token, expiresAt }: PasswordLink) {
    return { link: passwordAddress(addressesOf(config, request).api, token), expires_at: expiresAt };
  }

  async function presentUsers(users: readonly AdministeredUser[]) {
    const memberships = await findMembershipsOf(
      database,
      users.map(({ id }) => id),
    );
    return users.map((user) => presentUser(user, memberships));
  }

  async function userContent(id: number): Promise<Content> {
    const [user] = await presentUsers([await getUser(database, id)]);
    return { ...content(user), offers: ["PATCH"] };
  }

  async function organizationContent(id: number): Promise<Content> {
    return { ...content(presentOrganization(await getOrganization(database, id))), offers: ["PATCH"] };
  }

  async function memberContent(organization: number, user: number): Promise<Content> {
    const member = presentMember(await getMember(database, organization, user));
    return { ...content(member), offers: ["PATCH", "DELETE"] };
  }
}

function membershipIn(request: FastifyRequest): { organization: number; user: number } {
  return { organization: idIn(request, "id"), user: idIn(request, "user") };
}
