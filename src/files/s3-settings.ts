/** What an S3 store is opened with. */
export interface S3Settings {
  bucket: string;
  /** Null means Amazon's endpoint for the region. */
  endpoint: string | null;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Whether addresses have the bucket's name in the path instead of the host. */
  pathStyle: boolean;
  /** The folder in the bucket; null for the whole bucket. */
  prefix: string | null;
  /** The local folder for copies. */
  copies: string;
  /** The maximum total size of the copies, in bytes. */
  copiesBytes: number;
}
