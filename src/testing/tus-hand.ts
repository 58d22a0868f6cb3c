import type { TestApp } from "./test-app.ts";

/** Where resumable uploads begin. */
export const tusEndpoint = "/uploads/tus/";

/** The header of the metadata, as the protocol encodes it. */
export const tusMetadata = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString("base64")}`)
    .join(",");

/** A client that speaks the protocol request by request. */
export class TusHand {
  readonly app: Pick<TestApp, "fetch">;
  readonly headers: Record<string, string>;

  constructor(app: Pick<TestApp, "fetch">, headers: Record<string, string>) {
    this.app = app;
    this.headers = headers;
  }

  send(
    method: string,
    target: string,
    headers: Record<string, string>,
    body?: Uint8Array,
  ): Promise<Response> {
    return this.app.fetch(target, {
      method,
      headers: { "tus-resumable": "1.0.0", ...this.headers, ...headers },
      ...(body !== undefined && { body: new Uint8Array(body) }),
    });
  }

  begin(size: number, values: Record<string, string>): Promise<Response> {
    return this.send("POST", tusEndpoint, {
      "upload-length": String(size),
      "upload-metadata": tusMetadata(values),
    });
  }

  async begun(size: number, values: Record<string, string> = { filename: "parts.pdf" }): Promise<string> {
    const answer = await this.begin(size, values);
    if (answer.status !== 201) throw new Error(await answer.text());
    return new URL(answer.headers.get("location") ?? "").pathname;
  }

  append(target: string, offset: number, bytes: Uint8Array): Promise<Response> {
    const headers = { "upload-offset": String(offset), "content-type": "application/offset+octet-stream" };
    return this.send("PATCH", target, headers, bytes);
  }

  head(target: string): Promise<Response> {
    return this.send("HEAD", target, {});
  }

  async offset(target: string): Promise<number> {
    return Number((await this.head(target)).headers.get("upload-offset"));
  }
}
