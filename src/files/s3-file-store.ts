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
import { forEachConcurrently } from "../concurrently.ts";
import type { BorrowedFile, ByteRange, FileSource, FileStat, FileStore, ListedFile } from "./file-store.ts";
import { watched } from "./file-bytes.ts";
import { FilesUnavailableError } from "./files-unavailable.ts";
import { namesInKey } from "./keys.ts";
import { LocalCopies } from "./local-copies.ts";
import { answered, answeredAlways, unavailable, versionOf } from "./s3-answers.ts";
import type { S3Settings } from "./s3-settings.ts";

/*
 * Files as objects in a bucket of any server with the S3 API. The store uses only put, get, head, list, delete and
 * multipart uploads. It uses no access lists, versions, checksums or bulk deletion, because each of these is missing in
 * some server. S3 itself guarantees that an object is replaced completely or not at all, that readers of the earlier
 * one can finish, and that a stored object is visible to the next reader.
 *
 * Uploads are held in memory one part at a time: at most three parts for each file, however large it is. The parts of a
 * failed upload are removed. Those of a process that dies stay in the bucket, where they are invisible, until the
 * bucket's rule for unfinished uploads removes them.
 *
 * A file that a tool needs by its path is copied to the local disk (local-copies.ts). Each time, the store is first
 * asked for the file's tag, so an outdated copy is never used.
 */

const partBytes = 8 * 1024 * 1024;
const partsAtOnce = 2;
const deletionsAtOnce = 16;
/** The time until a response begins; only uploading a part may take longer. */
const answerMilliseconds = 20_000;
const listMilliseconds = 60_000;
/** Shorter than the timeouts of health checks. */
const pingMilliseconds = 5000;
const uploadMilliseconds = 120_000;
/** The time without any data, even in the middle of a file, since a reader may pause. */
const silenceMilliseconds = 120_000;
/** The character that follows the slash: what comes after a folder's name and this comes after its files. */
const firstAfterSlash = "0";
/** How often a file may be replaced while it is being copied. */
const copyAttempts = 5;

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
    // A slow reader occupies a connection for as long as it reads.
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

  /**
   * If the store does not answer, but may later, `isAway` is told so and the store is open all the same. Without it,
   * the caller needs the files now.
   *
   * @throws {Error} with the fault in the settings or in the store.
   */
  static async open(settings: S3Settings, isAway?: (message: string) => void): Promise<S3FileStore> {
    const copies = await LocalCopies.open(settings.copies, settings.copiesBytes);
    const store = new S3FileStore(settings, copies);
    try {
      await store.ping();
    } catch (error) {
      const location = `bucket ${settings.bucket} at ${settings.endpoint ?? `Amazon S3, ${settings.region}`}`;
      const message = `The files cannot be reached: ${location}: ${reasonOf(error)}`;
      if (isAway === undefined || !(error instanceof FilesUnavailableError) || !error.mayComeBack) {
        await store.close();
        throw new Error(message, { cause: error });
      }
      isAway(message);
    }
    return store;
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
    // Without a continuation token, because the objects listed before are already deleted.
    for (let isMore = true; isMore;) {
      const found = await this.#list({ Bucket, Prefix: `${Key}/` });
      const names = (found.Contents ?? []).flatMap(({ Key: name }) => (name === undefined ? [] : [name]));
      await forEachConcurrently(names, deletionsAtOnce, (name) => this.#delete({ Bucket, Key: name }));
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

  async *names(key: string): AsyncGenerator<string> {
    const { Bucket, Key: folder } = this.#objectOf(key);
    for await (const found of this.#lists({ Bucket, Prefix: `${folder}/`, Delimiter: "/" })) {
      for (const { Key = "" } of found.Contents ?? []) yield Key.slice(folder.length + 1);
    }
  }

  async *list(key: string): AsyncGenerator<ListedFile> {
    const { Bucket, Key: folder } = this.#objectOf(key);
    for await (const found of this.#lists({ Bucket, Prefix: `${folder}/` })) {
      for (const { Key = "", Size: size = 0, LastModified: modifiedAt = new Date(0) } of found.Contents ?? [])
        yield { key: Key.slice(this.#prefix.length), size, modifiedAt };
    }
  }

  async *listInOrder(key: string, after: string | null): AsyncGenerator<string[]> {
    const { Bucket, Key: folder } = this.#objectOf(key);
    let StartAfter = after === null ? undefined : `${folder}/${after}${firstAfterSlash}`;
    for (let isMore = true; isMore;) {
      const found = await this.#list({ Bucket, Prefix: `${folder}/`, StartAfter });
      const names = (found.Contents ?? []).map(({ Key: name = "" }) => name);
      yield names.map((name) => name.slice(this.#prefix.length));
      StartAfter = names.at(-1);
      isMore = found.IsTruncated === true && names.length > 0;
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

  #list(input: ListObjectsV2CommandInput, abortSignal = AbortSignal.timeout(listMilliseconds)) {
    const command = new ListObjectsV2Command(input);
    const options = { requestTimeout: answerMilliseconds, abortSignal };
    return answeredAlways(() => this.#client.send(command, options));
  }

  /** The pages of a list. */
  async *#lists(input: ListObjectsV2CommandInput): AsyncGenerator<ListObjectsV2CommandOutput> {
    let ContinuationToken: string | undefined;
    do {
      const found = await this.#list({ ...input, ContinuationToken });
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

/** The file was replaced after its tag was read. */
class ReplacedMeanwhileError extends Error {}
