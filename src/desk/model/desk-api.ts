import { texts } from "./texts.ts";

/** The options that the page passes to its script, in `data-options` of the element that the desk fills. */
export interface DeskOptions {
  /** The address of the API: `/api/`. */
  api: string;
  /** The endpoint of resumable uploads. */
  tus: string;
  csrfToken: string;
  /** The id of the user. */
  user: number;
  /** The largest file, in bytes. */
  maxBytes: number;
  /** The extensions of the file types that can be uploaded. */
  extensions: readonly string[];
  languages: readonly string[];
  /** On the page of a project: its id, its address, and the path of the list of projects. */
  project?: number;
  projectPage?: string;
  projects?: string;
}

export interface Project {
  id: number;
  title: string;
  add_remove_access: boolean | null;
}

/** The fields of a document that the desk reads. */
export interface DeskDocument {
  id: number;
  title: string;
  access: string;
  status: string;
  page_count: number;
  canonical_url: string;
  asset_url: string;
  slug: string;
  source: string;
  description: string;
  language: string;
  created_at: string;
  edit_access: boolean;
}

export interface Duplicate {
  sha1: string;
  count: number;
  document: number;
  title: string;
  canonical_url: string;
}

/** The API refused a request, or did not respond. The message is meant for users. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Requests to the public API on behalf of the signed-in user. */
export class DeskApi {
  readonly options: DeskOptions;

  constructor(options: DeskOptions) {
    this.options = options;
  }

  get<Answer>(path: string): Promise<Answer> {
    return this.send("GET", path) as Promise<Answer>;
  }

  /** Sends JSON, and returns the parsed response, or null if it has no body. @throws {RefusedError} */
  async send(method: string, path: string, value?: unknown): Promise<unknown> {
    let answer: Response;
    let text: string;
    try {
      answer = await fetch(`${this.options.api}${path}`, {
        method,
        headers: {
          accept: "application/json",
          ...(value === undefined ? {} : { "content-type": "application/json" }),
          ...(method === "GET" ? {} : { "x-csrftoken": this.options.csrfToken }),
        },
        ...(value === undefined ? {} : { body: JSON.stringify(value) }),
      });
      text = await answer.text();
    } catch {
      throw new RefusedError(0, texts.noAnswer);
    }
    if (!answer.ok) throw new RefusedError(answer.status, messageIn(answer.status, text));
    return text === "" ? null : JSON.parse(text);
  }

  /** The projects in which the user may add documents. */
  async projects(): Promise<Project[]> {
    const { results } = await this.get<{ results: Project[] }>(
      `projects/?user=${this.options.user}&per_page=100`,
    );
    return results.filter((project) => project.add_remove_access === true);
  }

  async duplicates(hashes: readonly string[]): Promise<Duplicate[]> {
    const query = hashes.map((hash) => `sha1=${hash}`).join("&");
    return (await this.get<{ results: Duplicate[] }>(`documents/duplicates/?${query}`)).results;
  }

  /** The latest reason why processing failed. */
  async errorOf(id: number): Promise<string> {
    const { results } = await this.get<{ results: { id: number; message: string }[] }>(
      `documents/${id}/errors/?per_page=100`,
    );
    const [latest] = results.toSorted((left, right) => right.id - left.id);
    return latest?.message ?? texts.noReason;
  }
}

/** The messages in an error response, as one text for users. The body may have messages by field, or lists of them. */
export function messageIn(status: number, body: string): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return texts.status(status);
  }
  const messages = [...new Set(messagesIn(value))];
  if (status === 403 && messages.some((message) => /credentials|CSRF/.test(message))) return texts.signedOut;
  return messages.length === 0 ? texts.status(status) : messages.join(" ");
}

function messagesIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(messagesIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    messagesIn(inner).map((message) =>
      /^(detail|non_field_errors|\d+)$/.test(name) ? message : `${name}: ${message}`,
    ),
  );
}
