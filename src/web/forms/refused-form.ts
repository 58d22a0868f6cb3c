import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../../errors.ts";
import { formOf } from "../../http/request/body.ts";

/** A form that was rejected: the texts that were typed, and the reasons, by field. */
export interface RefusedForm {
  texts: Readonly<Record<string, string | undefined>>;
  errors: Readonly<Record<string, readonly string[]>>;
}

/**
 * What a form is shown with again. The response gets the status and the headers of the error.
 *
 * @throws the error itself if it does not have one of these statuses.
 */
export function refusedBy(
  error: unknown,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  statuses: readonly number[],
  explain: (error: ApiError) => RefusedForm["errors"],
): RefusedForm {
  if (!(error instanceof ApiError) || !statuses.includes(error.status)) throw error;
  reply.code(error.status).headers(error.headers);
  const texts = Object.fromEntries(
    [...formOf(request)].map(([name, values]) => [name, values.at(-1)] as const),
  );
  return { texts, errors: explain(error) };
}

/** The messages of an answer with the status 400, each in the words of the page as far as it has them. */
export function errorsInWords(
  { body }: ApiError,
  messages: Readonly<Record<string, string | undefined>>,
): RefusedForm["errors"] {
  return Object.fromEntries(
    Object.entries(body as RefusedForm["errors"]).map(([name, said]) => [
      name,
      // What the query language refuses is no list.
      [said].flat().map((message) => messages[message] ?? message),
    ]),
  );
}
