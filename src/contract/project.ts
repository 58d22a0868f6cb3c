import { User } from "./person.ts";
import {
  type Expanded,
  type Static,
  Type,
  dateTime,
  enumeration,
  expandable,
  id,
  nullable,
} from "./shape.ts";

const right = (description: string) => nullable(Type.Boolean({ description }));

export const Project = Type.Object(
  {
    id: id(),
    created_at: dateTime(),
    updated_at: dateTime(),
    description: Type.String(),
    edit_access: right("whether you may change the project; null or false: you may not"),
    add_remove_access: right("whether you may put documents in; null or false: you may not"),
    private: Type.Boolean(),
    slug: Type.String(),
    title: Type.String(),
    user: id("the user who created it"),
    pinned: Type.Boolean({ description: "for you" }),
  },
  { $id: "Project" },
);
export type Project = Static<typeof Project>;

export const collaboratorAccess = ["view", "edit", "admin"] as const;
export type CollaboratorAccess = (typeof collaboratorAccess)[number];

export const Collaborator = Type.Object(
  {
    user: expandable(User, "the user's id; the user, if expanded"),
    access: enumeration(collaboratorAccess),
  },
  { $id: "Collaborator" },
);
export type Collaborator = Static<typeof Collaborator>;
export type CollaboratorWithUser = Expanded<Collaborator, "user">;

/** A user, an organization or a project: what it is called. */
export type Named = Pick<Project, "id"> & Partial<Pick<Project, "title"> & Pick<User, "name" | "username">>;
