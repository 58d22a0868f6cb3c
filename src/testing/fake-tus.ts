import type {
  FileReader,
  HttpRequest,
  HttpResponse,
  HttpStack,
  PreviousUpload,
  UrlStorage,
} from "tus-js-client";
import type { FakeNetwork, PageRequest, PageResponse } from "./fake-network.ts";

/** The requests of the tus library, over a network that a test has made. */
class FakeHttpStack implements HttpStack {
  readonly #network: FakeNetwork;

  constructor(network: FakeNetwork) {
    this.#network = network;
  }

  getName(): string {
    return "FakeHttpStack";
  }

  createRequest(method: string, url: string): HttpRequest {
    const headers = new Headers();
    const leaving = new AbortController();
    const { fetch } = this.#network;
    let onProgress: ((bytes: number) => void) | null = null;
    return {
      getMethod: () => method,
      getURL: () => url,
      setHeader: (name, value) => headers.set(name, value),
      getHeader: (name) => headers.get(name) ?? undefined,
      setProgressHandler: (handler) => (onProgress = handler),
      async send(body: Blob | null) {
        if (body !== null) onProgress?.(body.size);
        const { signal } = leaving;
        return responseOf(await fetch(url, { method, headers, signal, ...(body !== null && { body }) }));
      },
      abort: () => Promise.resolve(leaving.abort()),
      getUnderlyingObject: () => null,
    };
  }
}

async function responseOf(response: Response): Promise<HttpResponse> {
  const text = await response.text();
  return {
    getStatus: () => response.status,
    getHeader: (name) => response.headers.get(name) ?? undefined,
    getBody: () => text,
    getUnderlyingObject: () => null,
  };
}

/** Reads files as browsers do. The library has another reader for Node, which takes no files. */
const fileReader: FileReader = {
  openFile: (file: Blob) =>
    Promise.resolve({
      size: file.size,
      slice: (start, end) => Promise.resolve({ value: file.slice(start, end), done: end >= file.size }),
      close: () => undefined,
    }),
};

/** The addresses of uploads that a browser keeps. */
export class FakeUrlStorage implements UrlStorage {
  readonly uploads = new Map<string, PreviousUpload>();
  #last = 0;

  findAllUploads(): Promise<PreviousUpload[]> {
    return Promise.resolve([...this.uploads.values()]);
  }

  async findUploadsByFingerprint(fingerprint: string): Promise<PreviousUpload[]> {
    const all = await this.findAllUploads();
    return all.filter(({ urlStorageKey }) => urlStorageKey.startsWith(`tus::${fingerprint}::`));
  }

  removeUpload(urlStorageKey: string): Promise<void> {
    this.uploads.delete(urlStorageKey);
    return Promise.resolve();
  }

  addUpload(fingerprint: string, upload: PreviousUpload): Promise<string> {
    const urlStorageKey = `tus::${fingerprint}::${(this.#last += 1)}`;
    this.uploads.set(urlStorageKey, { ...upload, urlStorageKey });
    return Promise.resolve(urlStorageKey);
  }
}

/** What the tus library needs of a browser. */
export const fakeTus = (network: FakeNetwork, urlStorage = new FakeUrlStorage()) => ({
  httpStack: new FakeHttpStack(network),
  fileReader,
  urlStorage,
});

export interface ReceivedUpload {
  metadata: Readonly<Record<string, string>>;
  size: number;
  offset: number;
}

/** The resumable uploads of a server, as it responds to the requests of the library. */
export class FakeTusServer {
  readonly root: string;
  readonly uploads = new Map<string, ReceivedUpload>();
  #last = 0;

  constructor(root: string) {
    this.root = root;
  }

  /** Responds to a request below the endpoint; null to any other. The id of a new document is that of its upload. */
  respond({ method, path, headers, body }: PageRequest): PageResponse | null {
    if (!path.startsWith(this.root)) return null;
    if (method === "POST") {
      const id = String((this.#last += 1));
      const metadata = metadataIn(headers.get("upload-metadata") ?? "");
      this.uploads.set(id, { metadata, size: Number(headers.get("upload-length")), offset: 0 });
      return { status: 201, headers: { location: `${this.root}${id}` } };
    }
    const id = path.slice(this.root.length);
    const upload = this.uploads.get(id);
    if (upload === undefined) return { status: 404 };
    if (method === "DELETE") {
      this.uploads.delete(id);
      return { status: 204 };
    }
    if (method === "PATCH") {
      if (Number(headers.get("upload-offset")) !== upload.offset) return { status: 409 };
      upload.offset += (body as Blob).size;
    }
    const { offset, size } = upload;
    return {
      status: method === "PATCH" ? 204 : 200,
      headers: {
        "upload-offset": String(offset),
        "upload-length": String(size),
        ...(offset === size && { "quire-document": id }),
      },
    };
  }
}

function metadataIn(header: string): Record<string, string> {
  const pairs = header.split(",").map((pair) => pair.split(" "));
  return Object.fromEntries(
    pairs.map(([name = "", value = ""]) => [
      name,
      new TextDecoder().decode(Uint8Array.from(atob(value), (unit) => unit.charCodeAt(0))),
    ]),
  );
}
