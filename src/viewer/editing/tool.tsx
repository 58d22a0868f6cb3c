import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** The frame of a tool beside the pages: see {@link Reading.openTool}. Takes the focus, and returns it at the end. */
export function Tool({ title, children }: { title: string; children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    heading.current?.focus();
    return () => {
      const isThere = opener?.isConnected === true && opener !== document.body;
      (isThere ? opener : document.querySelector<HTMLElement>(".pages"))?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <aside class="viewer-tool" aria-label={title}>
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </aside>
  );
}
