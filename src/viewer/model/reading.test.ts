import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Api, DocumentRecord } from "./api.ts";
import { Reading } from "./reading.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

it("keeps the latest scrolling, whose event has not arrived yet, when it corrects the scroll bar", () => {
  const record = { page_count: 30_000, page_spec: "612x792:0-29999", notes: [], sections: [] };
  const reading = new Reading({} as Api, record as unknown as DocumentRecord);
  const scroller = { scrollTop: 0, scrollLeft: 0, firstElementChild: null };
  reading.attach(scroller as unknown as HTMLElement, { width: 1000, height: 800 });
  reading.goTo(15_001);
  scroller.scrollTop += 100;
  reading.scrolled(scroller.scrollTop);
  scroller.scrollTop = reading.elementHeight - 800;
  vi.runAllTimers();
  expect(reading.page.value).toBe(30_000);
});
