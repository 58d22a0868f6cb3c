/**
 * What a client is told when a request fails: a status and the JSON body of the API's error shapes
 * (`{"detail": "…"}` for the framework's refusals, `{"<field>": ["…"]}` for faults in what was sent).
 */
export class ApiError extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(JSON.stringify(body));
    this.name = "ApiError";
    this.status = status;
    this.body = body;
  }
}

export const notFound = (): ApiError => new ApiError(404, { detail: "Not found." });

export const invalidCursor = (): ApiError => new ApiError(404, { detail: "Invalid cursor" });

export const notAcceptable = (): ApiError =>
  new ApiError(406, { detail: "Could not satisfy the request Accept header." });

export const methodNotAllowed = (method: string): ApiError =>
  new ApiError(405, { detail: `Method "${method}" not allowed.` });

export const credentialsRequired = (): ApiError =>
  new ApiError(403, { detail: "Authentication credentials were not provided." });

/** Faults by field, each with every message about it. */
export const invalidFields = (messages: Record<string, string[]>): ApiError => new ApiError(400, messages);

/** The reason inside anything thrown, for a log line or a report to a person. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
