import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { StaticFile } from "../http/response/static-file.ts";

/** The static files of the pages, at addresses that change with their contents, so that caches never go stale. */
export interface StaticFiles {
  /** Paths below the root of the service, starting with a slash. */
  stylesheet: string;
  icon: string;
  script: string;
  progressScript: string;
  register(app: FastifyInstance): void;
}

export function readStaticFiles(): StaticFiles {
  const files = [
    { name: "style", extension: "css", type: "text/css; charset=utf-8" },
    { name: "icon", extension: "svg", type: "image/svg+xml" },
    { name: "forms", extension: "js", type: "text/javascript; charset=utf-8" },
    { name: "progress", extension: "js", type: "text/javascript; charset=utf-8" },
  ].map(({ name, extension, type }) => {
    const file = new StaticFile(type, readFileSync(new URL(`./${name}.${extension}`, import.meta.url)));
    return { path: `/static/${name}-${file.digest}.${extension}`, file };
  });
  const [stylesheet = "", icon = "", script = "", progressScript = ""] = files.map(({ path }) => path);
  return {
    stylesheet,
    icon,
    script,
    progressScript,
    register(app) {
      for (const { path, file } of files) {
        app.get(path, { schema: {} }, (request, reply) => file.send(request, reply));
      }
    },
  };
}
