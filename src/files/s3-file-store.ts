import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  type ListObjectsV2CommandOutput,
  S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { reasonOf } from "../errors.ts";
import type { ServedType } from "./content-types.ts";
import type { BorrowedFile, ByteRange, FileSource, FileStat, FileStore } from "./file-store.ts";
import { FilesUnavailableError } from "./files-unavailable.ts";
import { namesInKey } from "./keys.ts";
import { LocalCopies } from "./local-copies.ts";
import { answered, answeredAlways, unavailable } from "./s3-answers.ts";

/*
 * Files as objects in a bucket of any server that speaks S3. Nothing is asked of it but to put, get, head, list and
 * delete objects, and to put large ones in parts: no access lists, no versions, no checksums of its own, no deleting of
 * many at once, since each of these is missing somewhere. An object is replaced whole or not at all, whoever reads the
 * earlier one reads on, and what was put is there for the next reader: all of that S3 promises by itself.
 *
 * What comes in is held in memory only by the part: at most three parts for each file, however large it is. A source
 * that fails has its parts taken back. Those of a process that dies stay in the bucket, where nobody sees them, until
 * its rule for unfinished uploads removes them.
 *
 * A file that is to be read by its path is copied to this machine's disk (local-copies.ts). Each time it is wanted the
 * store is asked for its tag first, so a copy is never taken for the file that has replaced it.
 */

const partBytes = 8 * 1024 * 1024;
const partsAtOnce = 2;
const deletionsAtOnce = 16;
/** Until the answer begins; only a part that goes up may take longer. */
const answerMilliseconds = 20_000;
const listMilliseconds = 60_000;
/** Whoever watches over this process waits no longer than that for an answer. */
const pingMilliseconds = 5000;
const uploadMilliseconds = 120_000;
/** Of nothing at all coming, also in the midst of a file: a reader may take a break. */
const silenceMilliseconds = 120_000;
/** How often a file may be replaced while it is being copied. */
const copyAttempts = 5;

export interface S3Settings {
  bucket: string;
  /** Null: Amazon's, for the region. */
  endpoint: string | null;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The bucket's name is in the path of addresses, and not in their host. */
  pathStyle: boolean;
  /** The folder in the bucket; null: all of it. */
  prefix: string | null;
  /** The folder on this machine for copies that are lent. */
  copies: string;
  /** What may be kept of them, in bytes. */
  copiesBytes: number;
}

export class S3FileStore implements FileStore {
  readonly #client: S3Client;
  readonly #copies: LocalCopies;
  readonly #bucket: string;
  readonly #prefix: string;

  private constructor(settings: S3Settings, copies: LocalCopies) {
    const { accessKeyId, secretAccessKey, endpoint, prefix } = settings;
    this.#bucket = settings.bucket;
    this.#prefix = prefix === null ? "" : `${prefix}/`;
    this.#copies = copies;
    // A slow reader has a connection for as long as it reads.
    const agent = { keepAlive: true, maxSockets: 1000 };
    this.#client = new S3Client({
      ...(endpoint !== null && { endpoint }),
      region: settings.region,
      forcePathStyle: settings.pathStyle,
      credentials: { accessKeyId, secretAccessKey },
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      maxAttempts: 3,
      requestHandler: {
        connectionTimeout: 5000,
        requestTimeout: uploadMilliseconds,
        throwOnRequestTimeout: true,
        socketTimeout: silenceMilliseconds,
        httpAgent: agent,
        httpsAgent: agent,
      },
    });
  }

  /** @throws {Error} that says what is wrong with the settings, or with the store that they name. */
  static async open(settings: S3Settings): Promise<S3FileStore> {
    const copies = await LocalCopies.open(settings.copies, settings.copiesBytes);
    const store = new S3FileStore(settings, copies);
    try {
      await store.ping();
      return store;
    } catch (error) {
      await store.close();
      const place = `bucket ${settings.bucket} at ${settings.endpoint ?? `Amazon S3, ${settings.region}`}`;
      throw new Error(`The files cannot be reached: ${place}: ${reasonOf(error)}`, { cause: error });
    }
  }

  async put(key: string, source: FileSource): Promise<void> {
    const object = this.#objectOf(key);
    const bytes = typeof source === "string" ? createReadStream(source) : source;
    const failures: unknown[] = [];
    const body = watched(bytes, (reason) => failures.push(reason));
    const upload = new Upload({
      client: this.#client,
      params: { ...object, Body: Readable.from(body) },
      partSize: partBytes,
      queueSize: partsAtOnce,
    });
    try {
      await upload.done();
    } catch (error) {
      throw failures.length > 0 ? failures[0] : unavailable(error);
    }
    await this.#copies.discard([key]);
  }

  async stat(key: string): Promise<FileStat | null> {
    const command = new HeadObjectCommand(this.#objectOf(key));
    const found = await answered(this.#client.send(command, { requestTimeout: answerMilliseconds }));
    if (found === null) return null;
    const { ContentLength: size = 0, LastModified: modifiedAt = new Date(0), ETag: tag } = found;
    return { size, modifiedAt, version: versionOf(tag) };
  }

  async read(key: string, range?: ByteRange, version?: string): Promise<Readable | null> {
    const found = await this.#get(key, range);
    if (found === null || version === undefined || found.version === version) return found?.bytes ?? null;
    found.bytes.destroy();
    return null;
  }

  async borrow(key: string): Promise<BorrowedFile | null> {
    for (let attempt = 1; ; attempt++) {
      const found = await this.stat(key);
      if (found === null) return null;
      try {
        const { size, version } = found;
        return await this.#copies.borrow({ key, size, version }, () => this.#readVersion(key, version));
      } catch (error) {
        if (error instanceof ReplacedMeanwhileError && attempt < copyAttempts) continue;
        throw error instanceof FilesUnavailableError ? error : unavailable(error);
      }
    }
  }

  signedAddress(
    key: string,
    { contentType, disposition }: ServedType,
    validSeconds: number,
  ): Promise<string> {
    return answeredAlways(async () => {
      const command = new GetObjectCommand({
        ...this.#objectOf(key),
        ResponseContentType: contentType,
        ResponseContentDisposition: disposition,
        ResponseCacheControl: "private, no-store",
      });
      return getSignedUrl(this.#client, command, { expiresIn: validSeconds });
    });
  }

  async deleteFolder(key: string): Promise<void> {
    const { Bucket, Key } = this.#objectOf(key);
    // Without the place where a list went on: what came before it is gone by then.
    for (let isMore = true; isMore;) {
      const found = await this.#list({ Bucket, Prefix: `${Key}/` });
      const names = (found.Contents ?? []).flatMap(({ Key: name }) => (name === undefined ? [] : [name]));
      await inTurns(names, deletionsAtOnce, (name) => this.#delete({ Bucket, Key: name }));
      await this.#copies.discard(names.map((name) => name.slice(this.#prefix.length)));
      isMore = found.IsTruncated === true;
    }
  }

  async *folders(key: string): AsyncGenerator<string> {
    const { Bucket, Key } = this.#objectOf(key);
    for await (const found of this.#lists({ Bucket, Prefix: `${Key}/`, Delimiter: "/" })) {
      for (const { Prefix = "" } of found.CommonPrefixes ?? []) yield Prefix.slice(Key.length + 1, -1);
    }
  }

  async changedAt(key: string): Promise<Date | null> {
    const { Bucket, Key } = this.#objectOf(key);
    let latest: Date | null = null;
    for await (const found of this.#lists({ Bucket, Prefix: `${Key}/` })) {
      for (const { LastModified: at } of found.Contents ?? []) {
        if (at !== undefined && (latest === null || at > latest)) latest = at;
      }
    }
    return latest;
  }

  async delete(key: string): Promise<void> {
    await this.#delete(this.#objectOf(key));
    await this.#copies.discard([key]);
  }

  async ping(): Promise<void> {
    const first = { Bucket: this.#bucket, Prefix: this.#prefix, MaxKeys: 1 };
    await this.#list(first, AbortSignal.timeout(pingMilliseconds));
  }

  async close(): Promise<void> {
    this.#client.destroy();
    await this.#copies.close();
  }

  async #get(key: string, range?: ByteRange): Promise<{ bytes: Readable; version: string } | null> {
    const Range = range === undefined ? undefined : `bytes=${range.start}-${range.end}`;
    const command = new GetObjectCommand({ ...this.#objectOf(key), Range });
    const found = await answered(this.#client.send(command, { requestTimeout: answerMilliseconds }));
    return found === null ? null : { bytes: found.Body as Readable, version: versionOf(found.ETag) };
  }

  async #readVersion(key: string, version: string): Promise<Readable> {
    const bytes = await this.read(key, undefined, version);
    if (bytes === null) throw new ReplacedMeanwhileError();
    return bytes;
  }

  #list(asked: ListObjectsV2CommandInput, abortSignal = AbortSignal.timeout(listMilliseconds)) {
    const command = new ListObjectsV2Command(asked);
    const options = { requestTimeout: answerMilliseconds, abortSignal };
    return answeredAlways(() => this.#client.send(command, options));
  }

  /** A list, in as many answers as the store gives it in. */
  async *#lists(asked: ListObjectsV2CommandInput): AsyncGenerator<ListObjectsV2CommandOutput> {
    let ContinuationToken: string | undefined;
    do {
      const found = await this.#list({ ...asked, ContinuationToken });
      yield found;
      ContinuationToken = found.IsTruncated === true ? found.NextContinuationToken : undefined;
    } while (ContinuationToken !== undefined);
  }

  async #delete(object: { Bucket: string; Key: string }): Promise<void> {
    const command = new DeleteObjectCommand(object);
    await answered(this.#client.send(command, { requestTimeout: answerMilliseconds }));
  }

  #objectOf(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + namesInKey(key).join("/") };
  }
}

/** The file was replaced between asking for its tag and reading it. */
class ReplacedMeanwhileError extends Error {}

/** The same bytes; if their source fails, it is told why. */
async function* watched(
  source: AsyncIterable<Uint8Array>,
  failed: (reason: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } catch (error) {
    failed(error);
    throw error;
  }
}

/** A tag is a hash in hexadecimal digits nearly everywhere, but may be anything. */
function versionOf(tag = ""): string {
  const [, plain = ""] = /^"?([\w.-]{1,100})"?$/.exec(tag) ?? [];
  return plain === "" ? createHash("sha1").update(tag).digest("hex") : plain;
}

async function inTurns<T>(all: readonly T[], atOnce: number, act: (one: T) => Promise<void>): Promise<void> {
  const left = all.values();
  const work = async (): Promise<void> => {
    for (const one of left) await act(one);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
