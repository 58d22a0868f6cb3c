/**
 * The response to a request that fails: a status and a JSON body in one of Django REST framework's error shapes
 * (`{"detail": "…"}` for refusals, `{"<field>": ["…"]}` for invalid input).
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

/** For a format that a standard defines and Quire does not have. */
export const formatNotImplemented = (): ApiError =>
  new ApiError(501, { detail: "Only the format json is available." });

export const methodNotAllowed = (method: string): ApiError =>
  new ApiError(405, { detail: `Method "${method}" not allowed.` });

export const unsupportedMediaType = (type: string): ApiError =>
  new ApiError(415, { detail: `Unsupported media type "${type}" in request.` });

/** The body is not valid JSON, or not a valid form. */
export const unreadableBody = (detail: string): ApiError => new ApiError(400, { detail });

/** The client rarely receives this response, because its connection has ended. */
export const brokenOff = (what = "the request"): ApiError =>
  unreadableBody(`The connection ended before all of ${what} had come`);

/** Sent with every refusal that signing in may change. */
const challenge = { "www-authenticate": 'Bearer realm="api"' };

export const credentialsRequired = (): ApiError =>
  new ApiError(403, { detail: "Authentication credentials were not provided." }, challenge);

/** Invalid credentials are refused even where a request needs none. */
export const credentialsRefused = (body: unknown): ApiError => new ApiError(403, body, challenge);

/** The endpoints that take a name and a password, or a refresh token, return 401. No other endpoint does. */
export const signInRefused = (body: unknown): ApiError => new ApiError(401, body, challenge);

export const throttled = (seconds: number): ApiError =>
  new ApiError(
    429,
    { detail: `Request was throttled. Expected available in ${seconds} second${seconds === 1 ? "" : "s"}.` },
    { "retry-after": String(seconds) },
  );

export const permissionDenied = (detail = "You do not have permission to perform this action."): ApiError =>
  new ApiError(403, { detail });

export const tooManyUploads = (max: number): ApiError =>
  new ApiError(429, {
    detail: `You have ${max} unfinished uploads: go on with one of them, or give it up.`,
  });

export const preconditionFailed = (): ApiError =>
  new ApiError(412, { detail: "It has changed since you read it." });

/** The URL or the headers are longer than Quire accepts. */
export const headTooLarge = (): ApiError =>
  new ApiError(431, { detail: "The address or the headers of the request are too long." });

export const tooLarge = (detail: string): ApiError => new ApiError(413, { detail });

export const conflict = (detail: string): ApiError => new ApiError(409, { detail });

/** The disk or the store of the files is full. */
export const noRoom = (): ApiError =>
  new ApiError(507, { detail: "There is no room for more files. Nothing was kept of this one." });

/** The disk of the database is full. */
export const noRoomForRecords = (): ApiError =>
  new ApiError(507, { detail: "There is no room to keep this. Nothing was changed." });

const outOfRoomCodes: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);

/** Whether the operating system reports that the disk is full or that this user's quota is exceeded. */
export function isOutOfRoom(error: unknown): boolean {
  return error instanceof Error && "code" in error && outOfRoomCodes.has(error.code);
}

/** Gives an error about a full disk the folder as its path, unless it has one: a failed write names no file. */
export function namingFullFolder(error: unknown, folder: string): unknown {
  if (error instanceof Error && isOutOfRoom(error) && !("path" in error))
    Object.assign(error, { path: folder });
  return error;
}

/** Temporary: there are more requests than can be served at once. */
export const tooBusy = (retryAfterSeconds: number): ApiError =>
  new ApiError(
    503,
    { detail: "Too much is asked for at once." },
    { "retry-after": String(retryAfterSeconds) },
  );

/** Temporary: an administrator keeps the server from changing anything. */
export const readOnly = (retryAfterSeconds: number): ApiError =>
  new ApiError(
    503,
    {
      detail:
        "This server is read-only for now, because it is being maintained. Nothing was changed: try again later.",
    },
    { "retry-after": String(retryAfterSeconds) },
  );

/** Temporary: the store of the files does not answer. */
export const filesUnreachable = (retryAfterSeconds: number): ApiError =>
  new ApiError(
    503,
    { detail: "The files cannot be reached at the moment. Nothing is lost: try again later." },
    { "retry-after": String(retryAfterSeconds) },
  );

/** Temporary: the database does not answer. A change that was under way may or may not have been made. */
export const databaseUnreachable = (retryAfterSeconds: number): ApiError =>
  new ApiError(
    503,
    { detail: "The database cannot be reached at the moment: try again later." },
    { "retry-after": String(retryAfterSeconds) },
  );

/** An action that cannot be done, in the error shape that DocumentCloud's action endpoints use. */
export const actionRefused = (error: string): ApiError => new ApiError(400, { error });

/** All error messages by field, nested as the request's body is nested. */
export const invalidFields = (messages: Record<string, unknown>): ApiError => new ApiError(400, messages);

/** Errors in a request as a whole, as a plain list. */
export const invalidRequest = (...messages: string[]): ApiError => new ApiError(400, messages);

/** Errors that belong to no field. */
export const invalidWhole = (...messages: string[]): ApiError =>
  new ApiError(400, { non_field_errors: messages });

/** The message of a thrown value, for a log line or a report to a person. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
