/**
 * The files cannot be reached at the moment, or not with our permissions. Nothing is known about them, and they are
 * unchanged.
 */
export class FilesUnavailableError extends Error {
  override readonly name = "FilesUnavailableError";
  /** Whether the store may return by itself; false if a setting or a permission is wrong. */
  readonly mayComeBack: boolean;

  constructor(message: string, { mayComeBack = true }: { mayComeBack?: boolean } = {}) {
    super(message);
    this.mayComeBack = mayComeBack;
  }
}
