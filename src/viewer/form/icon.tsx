/**
 * An icon of `contract/icons.ts`, which says nothing by itself. One that `turns` points to where one reads on; a
 * `narrow-icon` stands in for a word where there is no room for it.
 */
export function Icon({ of, kind }: { of: string; kind?: "turns" | "narrow-icon" }) {
  return (
    <svg
      class={kind === undefined ? "icon" : `icon ${kind}`}
      viewBox="0 0 24 24"
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html: of }}
    />
  );
}
