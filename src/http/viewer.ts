/** Who is asking. */
export interface Viewer {
  readonly kind: "anonymous";
}

export const anonymous: Viewer = { kind: "anonymous" };
