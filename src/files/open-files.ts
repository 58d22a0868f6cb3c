import path from "node:path";
import type { Config } from "../config.ts";
import type { FileStore } from "./file-store.ts";
import { LocalFileStore } from "./local-file-store.ts";

/** Opens the store that the settings name. What speaks S3 is large, and loaded only for who has a bucket. */
export async function openFiles(config: Config): Promise<FileStore> {
  const { s3Bucket: bucket, s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = config;
  if (bucket === null || accessKeyId === null || secretAccessKey === null) {
    return LocalFileStore.open(path.join(config.data, "files"));
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
    copiesBytes: config.s3CopiesMb * 1024 * 1024,
  });
}
