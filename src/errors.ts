/**
 * What a client is told when a request fails: a status and the JSON body of the API's error shapes
 * (`{"detail": "…"}` for the framework's refusals, `{"<field>": ["…"]}` for faults in what was sent).
 */
export class ApiError extends Error {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    super(JSON.stringify(body));
    this.name = "ApiError";
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

export const notFound = (): ApiError => new ApiError(404, { detail: "Not found." });

export const invalidCursor = (): ApiError => new ApiError(404, { detail: "Invalid cursor" });

export const notAcceptable = (): ApiError =>
  new ApiError(406, { detail: "Could not satisfy the request Accept header." });

export const methodNotAllowed = (method: string): ApiError =>
  new ApiError(405, { detail: `Method "${method}" not allowed.` });

export const unsupportedMediaType = (type: string): ApiError =>
  new ApiError(415, { detail: `Unsupported media type "${type}" in request.` });

/** The body is no JSON, or no form. */
export const unreadableBody = (detail: string): ApiError => new ApiError(400, { detail });

/** There is hardly anyone left to be told. */
export const brokenOff = (what = "the request"): ApiError =>
  unreadableBody(`The connection ended before all of ${what} had come`);

/** Said beside every refusal that signing in may change. */
const challenge = { "www-authenticate": 'Bearer realm="api"' };

export const credentialsRequired = (): ApiError =>
  new ApiError(403, { detail: "Authentication credentials were not provided." }, challenge);

/** What was given to sign in with is no good: also where nothing needs to be given. */
export const credentialsRefused = (body: unknown): ApiError => new ApiError(403, body, challenge);

/** Where one signs in with a name and a password, or with what stands for them: there, and only there, it is 401. */
export const signInRefused = (body: unknown): ApiError => new ApiError(401, body, challenge);

export const throttled = (seconds: number): ApiError =>
  new ApiError(
    429,
    { detail: `Request was throttled. Expected available in ${seconds} second${seconds === 1 ? "" : "s"}.` },
    { "retry-after": String(seconds) },
  );

export const permissionDenied = (detail = "You do not have permission to perform this action."): ApiError =>
  new ApiError(403, { detail });

export const tooManyUploads = (most: number): ApiError =>
  new ApiError(429, {
    detail: `You have ${most} unfinished uploads: go on with one of them, or give it up.`,
  });

export const preconditionFailed = (): ApiError =>
  new ApiError(412, { detail: "It has changed since you read it." });

/** An address or headers longer than anything here has a use for. */
export const headTooLarge = (): ApiError =>
  new ApiError(431, { detail: "The address or the headers of the request are too long." });

export const tooLarge = (detail: string): ApiError => new ApiError(413, { detail });

export const conflict = (detail: string): ApiError => new ApiError(409, { detail });

/** The disk, or whatever holds the files, is full. */
export const noRoom = (): ApiError =>
  new ApiError(507, { detail: "There is no room for more files. Nothing was kept of this one." });

/** What holds the database is full. */
export const noRoomForRecords = (): ApiError =>
  new ApiError(507, { detail: "There is no room to keep this. Nothing was changed." });

const outOfRoomCodes: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);

/** Whether the operating system says that the disk is full, or as full as this user may make it. */
export function isOutOfRoom(error: unknown): boolean {
  return error instanceof Error && "code" in error && outOfRoomCodes.has(error.code);
}

/** For now: more than can be done at once is asked for. */
export const tooBusy = (retryAfterSeconds: number): ApiError =>
  new ApiError(
    503,
    { detail: "Too much is asked for at once." },
    { "retry-after": String(retryAfterSeconds) },
  );

/** For now: what holds the files does not answer. */
export const filesUnreachable = (retryAfterSeconds: number): ApiError =>
  new ApiError(
    503,
    { detail: "The files cannot be reached at the moment. Nothing is lost: try again later." },
    { "retry-after": String(retryAfterSeconds) },
  );

/** For now: the database does not answer. Whether a change that was under way was made is not known. */
export const databaseUnreachable = (retryAfterSeconds: number): ApiError =>
  new ApiError(
    503,
    { detail: "The database cannot be reached at the moment: try again later." },
    { "retry-after": String(retryAfterSeconds) },
  );

/** A action that cannot be done, in the words of the views that are actions. */
export const actionRefused = (error: string): ApiError => new ApiError(400, { error });

/** Faults by field, each with every message about it; nested as what was sent is nested. */
export const invalidFields = (messages: Record<string, unknown>): ApiError => new ApiError(400, messages);

/** Faults in a request as a whole. */
export const invalidRequest = (...messages: string[]): ApiError => new ApiError(400, messages);

/** Faults in what belongs to no field. */
export const invalidWhole = (...messages: string[]): ApiError =>
  new ApiError(400, { non_field_errors: messages });

/** The reason inside anything thrown, for a log line or a report to a person. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
