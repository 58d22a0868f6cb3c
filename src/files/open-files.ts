import path from "node:path";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { FileStore } from "./file-store.ts";
import { KeptImages } from "./kept-images.ts";
import { LocalFileStore } from "./local-file-store.ts";

/** The limit on the size of page images; null if they are in a bucket, which has its own rules. */
export function keptImagesOf(
  { data, s3Bucket, pageImagesMb }: Config,
  log: Logger,
  processes = 1,
): KeptImages | null {
  if (s3Bucket !== null) return null;
  return new KeptImages(localFolder(data), pageImagesMb * 1024 * 1024, log, processes);
}

const localFolder = (data: string): string => path.join(data, "files");

/**
 * Opens the configured store, for one of several processes, each of which takes its part of the space for copies. The S3 client is large, so it is loaded only if a bucket is configured.
 */
export async function openFiles(config: Config, processes = 1): Promise<FileStore> {
  const { s3Bucket: bucket, s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = config;
  if (bucket === null || accessKeyId === null || secretAccessKey === null) {
    return LocalFileStore.open(localFolder(config.data));
  }
  const { S3FileStore } = await import("./s3-file-store.ts");
  return S3FileStore.open({
    bucket,
    endpoint: config.s3Endpoint,
    region: config.s3Region,
    accessKeyId,
    secretAccessKey,
    pathStyle: config.s3PathStyle,
    prefix: config.s3Prefix,
    copies: path.join(config.data, "copies"),
    copiesBytes: Math.floor((config.s3CopiesMb * 1024 * 1024) / processes),
  });
}
