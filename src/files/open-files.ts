import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { FileStore } from "./file-store.ts";
import { KeptImages } from "./kept-images.ts";
import { LocalFileStore } from "./local-file-store.ts";
import type { S3Settings } from "./s3-settings.ts";

/** The limit on the size of page images; null if they are in a bucket, which has its own rules. */
export function keptImagesOf(
  { data, s3Bucket, pageImagesMb }: Config,
  log: Logger,
  processes = 1,
): KeptImages | null {
  if (s3Bucket !== null) return null;
  return new KeptImages(localFolder(data), pageImagesMb * 1024 * 1024, log, processes);
}

export const localFolder = (data: string): string => path.join(data, "files");

export interface FilesOpening {
  /** The number of processes that serve together. Each gets its share of the space for copies. */
  processes?: number;
  /** Told why the store does not answer, if it may later. Without it, a store that does not answer is not opened. */
  isAway?: (message: string) => void;
}

/** Opens the configured store. The S3 client is large, so it is loaded only if a bucket is configured. */
export async function openFiles(config: Config, opening: FilesOpening = {}): Promise<FileStore> {
  const { s3Bucket: bucket, s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = config;
  if (bucket === null || accessKeyId === null || secretAccessKey === null) {
    return LocalFileStore.open(localFolder(config.data));
  }
  const settings = {
    bucket,
    prefix: config.s3Prefix,
    endpoint: config.s3Endpoint,
    region: config.s3Region,
    accessKeyId,
    secretAccessKey,
  };
  return openBucket(config, settings, opening);
}

/** A folder, or a folder in a bucket (null: the whole bucket), as a command line names it. */
export type StoreAddress = { folder: string } | { bucket: string; prefix: string | null };

/**
 * Opens the store at an address that a command line names. If it is a folder that does not exist, it is created so that
 * only its owner may read it.
 */
export async function openFilesAt(config: Config, address: StoreAddress): Promise<FileStore> {
  if ("folder" in address) {
    await mkdir(address.folder, { recursive: true, mode: 0o700 });
    return LocalFileStore.open(address.folder);
  }
  const accessKeyId = config.backupS3AccessKeyId ?? config.s3AccessKeyId;
  const secretAccessKey = config.backupS3SecretAccessKey ?? config.s3SecretAccessKey;
  if (accessKeyId === null || secretAccessKey === null) {
    throw new Error(
      "An s3:// address needs QUIRE_BACKUP_S3_ACCESS_KEY_ID and QUIRE_BACKUP_S3_SECRET_ACCESS_KEY",
    );
  }
  return openBucket(config, {
    ...address,
    endpoint: config.backupS3Endpoint ?? config.s3Endpoint,
    region: config.backupS3Region ?? config.s3Region,
    accessKeyId,
    secretAccessKey,
  });
}

type BucketSettings = Pick<
  S3Settings,
  "bucket" | "prefix" | "endpoint" | "region" | "accessKeyId" | "secretAccessKey"
>;

async function openBucket(
  config: Config,
  bucket: BucketSettings,
  { processes = 1, isAway }: FilesOpening = {},
): Promise<FileStore> {
  const { S3FileStore } = await import("./s3-file-store.ts");
  const settings = {
    ...bucket,
    pathStyle: config.s3PathStyle,
    copies: path.join(config.data, "copies"),
    copiesBytes: Math.floor((config.s3CopiesMb * 1024 * 1024) / processes),
  };
  return S3FileStore.open(settings, isAway);
}
