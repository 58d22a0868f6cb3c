import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Result } from "../model/resource.ts";

/**
 * Says how the last action ended, in a line that stays in the window while a long page is scrolled. It can have the
 * focus, for when the action removed the button that had it.
 */
export function ResultLine({ result, children }: { result: Signal<Result>; children?: ComponentChildren }) {
  const { text, isProblem } = result.value;
  return (
    <div class="result" tabIndex={-1}>
      <p class={isProblem ? "problem" : ""} role={isProblem ? "alert" : "status"}>
        {text}
      </p>
      {text !== "" && children}
    </div>
  );
}
