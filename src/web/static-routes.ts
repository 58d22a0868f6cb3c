import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";

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
    const body = readFileSync(new URL(`./${name}.${extension}`, import.meta.url));
    const digest = hash("sha1", body, "hex").slice(0, 12);
    return { path: `/static/${name}-${digest}.${extension}`, type, body, etag: `"${digest}"` };
  });
  const [stylesheet = "", icon = "", script = "", progressScript = ""] = files.map(({ path }) => path);
  return {
    stylesheet,
    icon,
    script,
    progressScript,
    register(app) {
      for (const { path, type, body, etag } of files) {
        app.get(path, { schema: {} }, (_request, reply) =>
          reply
            .headers({ "content-type": type, "cache-control": "public, max-age=31536000, immutable", etag })
            .send(body),
        );
      }
    },
  };
}
