import type { FastifyRequest } from "fastify";
import { type FileTaking, bodyOf } from "./request/body.ts";
import { checkCsrf } from "./request/csrf.ts";

/**
 * The options of a route whose forms carry a file. The CSRF token is checked before the file is read, so it has to come
 * before the file in the form, or in a header. If the request fails, the file is dropped.
 */
export function takingFile(taking: FileTaking) {
  const takesFile: FileTaking = {
    ...taking,
    async take(request, file, before) {
      checkCsrf(request, { form: before });
      return taking.take(request, file, before);
    },
  };
  return { config: { takesFile }, onError: dropFile };
}

async function dropFile(request: FastifyRequest): Promise<void> {
  const body = bodyOf(request);
  if ("form" in body && body.file !== undefined) await request.routeOptions.config.takesFile?.drop(body.file);
}
