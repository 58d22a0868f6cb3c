import type { Person } from "./people.ts";

/** An answer as a program reads it. */
export interface Reply {
  status: number;
  /** The JSON of the answer; null where it has no body. */
  body: any; // oxlint-disable-line typescript/no-explicit-any -- tests say what they expect of it
  headers: Headers;
}

/** An application, as far as a request needs it: the path of the address, and what is sent. */
interface Answering {
  fetch(target: string, init?: RequestInit): Promise<Response>;
}

/** Sends JSON as a person, or without credentials if the person is null. */
export async function sendAs(
  app: Answering,
  person: Person | null,
  method: string,
  target: string,
  value?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const answer = await app.fetch(target, {
    method,
    headers: {
      ...person?.headers,
      ...(value === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(value === undefined ? {} : { body: JSON.stringify(value) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? null : JSON.parse(text), headers: answer.headers };
}
