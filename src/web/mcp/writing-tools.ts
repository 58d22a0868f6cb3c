import type { Document } from "../../contract/document.ts";
import { documentLimits, noteLimits, projectLimits } from "../../contract/limits.ts";
import { noteAccess } from "../../contract/note.ts";
import type { Note } from "../../contract/note.ts";
import type { Project } from "../../contract/project.ts";
import { Type, enumeration } from "../../contract/shape.ts";
import { ApiRefusalError } from "./ask-api.ts";
import { presentNote, presentProject } from "./reading-tools.ts";
import { type Tool, documentId, optional, tool } from "./tool.ts";

const fraction = (what: string) => optional(Type.Number({ minimum: 0, maximum: 1, description: what }));

const addNote = tool(
  {
    name: "add_note",
    title: "Write a note",
    description:
      "Writes a note on a page of a document, or on a part of it: fractions of its width and height, as verify_quote " +
      "gives them. Private unless you say otherwise.",
    writes: true,
    input: {
      document: documentId,
      page: Type.Integer({ minimum: 1, description: "from 1" }),
      title: Type.String({ minLength: 1, maxLength: noteLimits.title }),
      content: optional(Type.String({ maxLength: noteLimits.content, description: "text or simple HTML" })),
      access: optional(enumeration(noteAccess)),
      x1: fraction("left"),
      x2: fraction("right"),
      y1: fraction("top"),
      y2: fraction("bottom"),
    },
  },
  async ({ document: id, page, ...note }, ask) => {
    const record = (await ask({ path: `/api/documents/${id}/` })) as Document;
    const value = { ...note, page_number: page - 1 };
    const written = (await ask({ path: `/api/documents/${id}/notes/`, value })) as Note;
    return presentNote(written, record.canonical_url);
  },
);

const createProject = tool(
  {
    name: "create_project",
    title: "Create a project",
    description: "Creates a project, a collection of documents. Private unless you say otherwise.",
    writes: true,
    input: {
      title: Type.String({ minLength: 1, maxLength: projectLimits.title }),
      description: optional(Type.String({ maxLength: projectLimits.description })),
      private: optional(
        Type.Boolean({ description: "true, which is the default: only collaborators see it" }),
      ),
    },
  },
  async ({ private: isPrivate = true, ...project }, ask) => {
    const value = { ...project, private: isPrivate };
    return presentProject((await ask({ path: "/api/projects/", value })) as Project, ask.web);
  },
);

const addToProject = tool(
  {
    name: "add_to_project",
    title: "Add a document to a project",
    description: "Adds a document to a project. The document shows the same to its readers as before.",
    writes: true,
    input: {
      project: Type.Integer({ minimum: 1, description: "the id of a project" }),
      document: documentId,
    },
  },
  async ({ project, document }, ask) => {
    await ask({ path: `/api/projects/${project}/documents/`, value: { document } });
    const { canonical_url } = (await ask({ path: `/api/documents/${document}/` })) as Document;
    return { project, document, url: canonical_url };
  },
);

const upload = tool(
  {
    name: "upload_document",
    title: "Upload a document",
    description:
      "Makes a document of a file on the web (url), or of a text. It is processed afterwards: get_document says " +
      "when its status is success. Private unless you say otherwise.",
    writes: true,
    input: {
      title: Type.String({ minLength: 1, maxLength: documentLimits.title }),
      url: optional(Type.String({ description: "the address of a file" })),
      text: optional(Type.String({ description: "in place of url: the text of the document" })),
      access: optional(enumeration(["private", "organization", "public"])),
      project: optional(Type.Integer({ minimum: 1, description: "a project to add it to" })),
    },
  },
  async ({ title, url, text, access = "private", project }, ask) => {
    if ((url === undefined) === (text === undefined)) {
      throw new ApiRefusalError(400, '{"url":["Send either an address or a text."]}');
    }
    const path = "/api/documents/";
    const projects = project === undefined ? {} : { projects: [project] };
    const record = (await ask(
      text === undefined
        ? { path, value: { title, access, file_url: url, ...projects } }
        : { path, form: { texts: { title, access, ...projects }, file: { name: "text.txt", text } } },
    )) as Document;
    return { id: record.id, title: record.title, status: record.status, url: record.canonical_url };
  },
);

export const writingTools: readonly Tool[] = [addNote, createProject, addToProject, upload];
