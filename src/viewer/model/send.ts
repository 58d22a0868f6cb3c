import type { Language } from "../../texts/languages.ts";

const english = {
  signedOut: "You are signed out. Sign in again in another tab, then continue here.",
  noAnswer: "The server did not answer.",
  status: (code: number): string => `The server answered ${code}.`,
};
const german: typeof english = {
  signedOut:
    "Sie sind abgemeldet. Melden Sie sich in einem anderen Tab wieder an und machen Sie dann hier weiter.",
  noAnswer: "Der Server hat nicht geantwortet.",
  status: (code) => `Der Server hat mit ${code} geantwortet.`,
};

/** The language of this script, which the bundler fills in. */
declare const pageLanguage: Language;

/** What people are told about requests that failed without an explanation from the API. */
export const requestTexts = typeof pageLanguage === "string" && pageLanguage === "de" ? german : english;

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

/**
 * Sends JSON on behalf of the signed-in user, and returns the parsed response, or null if it has no body. `csrfToken` is
 * the one with which the page was rendered.
 *
 * @throws {RefusedError}
 */
export async function sendJson(
  method: string,
  address: string,
  csrfToken: string,
  value?: unknown,
): Promise<unknown> {
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(address, {
      method,
      headers: {
        accept: "application/json",
        ...(value === undefined ? {} : { "content-type": "application/json" }),
        ...(method === "GET" ? {} : { "x-csrftoken": currentToken(csrfToken) }),
      },
      ...(value === undefined ? {} : { body: JSON.stringify(value) }),
    });
    text = await answer.text();
  } catch {
    throw new RefusedError(0, requestTexts.noAnswer);
  }
  if (!answer.ok) throw new RefusedError(answer.status, messageIn(answer.status, text));
  return text === "" ? null : JSON.parse(text);
}

/** The CSRF token of the current session. The page has an earlier one if its reader signed in again in another tab. */
function currentToken(ofPage: string): string {
  return /(?:^|;\s*)csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? ofPage;
}

/** The messages in an error response, as one text for users. The body may have messages by field, or lists of them. */
export function messageIn(status: number, body: string): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return requestTexts.status(status);
  }
  const messages = [...new Set(messagesIn(value))];
  if (status === 403 && messages.some((message) => /credentials|CSRF/.test(message)))
    return requestTexts.signedOut;
  return messages.length === 0 ? requestTexts.status(status) : messages.join(" ");
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
