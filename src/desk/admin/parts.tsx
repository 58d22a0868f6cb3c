import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { Dialog } from "../../viewer/dialog.tsx";
import { Draft } from "../../viewer/form/draft.ts";
import { Form } from "../../viewer/form/form.tsx";
import type { AdminResource, ListAnswer } from "../model/admin-resource.ts";
import type { DeskApi } from "../model/desk-api.ts";
import { adminTexts as admin } from "../model/admin-texts.ts";
import { texts } from "../model/texts.ts";
import type { Result } from "../model/resource.ts";
import { ResultLine } from "../parts/result-line.tsx";

export { RowButton } from "../parts/row-button.tsx";

const secondsBusy = 3;
const secondsIdle = 20;

/** A page for administrators: the links to the other pages, the outcome of the last action, and the content. */
export function AdminPage({
  api,
  current,
  message,
  isAlone = false,
  children,
}: {
  api: DeskApi;
  current: string;
  message: Signal<Result>;
  /** Whether the reader may see none of the other pages. */
  isAlone?: boolean;
  children: ComponentChildren;
}) {
  return (
    <div class={isAlone ? "desk" : "desk admin"}>
      {!isAlone && <AdminTabs base={api.pageAddress("admin/")} current={current} />}
      <ResultLine result={message} />
      {children}
    </div>
  );
}

function AdminTabs({ base, current }: { base: string; current: string }) {
  return (
    <nav aria-label={admin.pages.administration}>
      <ul class="tabs">
        {Object.entries({ "": admin.pages.overview, ...admin.pages.titles }).map(([name, title]) => (
          <li key={name}>
            <a
              href={name === "" ? base : `${base}${name}/`}
              aria-current={name === current ? "page" : undefined}
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/**
 * Reads resources again and again while the page is in sight: often if something is under way, seldom otherwise. Every
 * call needs the same array.
 */
export function useFresh(
  resources: readonly Pick<AdminResource<unknown>, "refresh">[],
  isBusy: boolean,
): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const wait = (): void => {
      if (!isOver) timer = setTimeout(() => void again(), (isBusy ? secondsBusy : secondsIdle) * 1000);
    };
    const again = async (): Promise<void> => {
      if (document.visibilityState === "visible")
        await Promise.all(resources.map((resource) => resource.refresh()));
      wait();
    };
    wait();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [resources, isBusy]);
}

/** The list that a resource has read, with buttons for its other pages. */
export function AdminList<Item>({
  resource,
  label,
  children,
}: {
  resource: AdminResource<ListAnswer<Item>>;
  label: string;
  children: (item: Item) => ComponentChildren;
}) {
  const answer = resource.answer.value;
  if (answer === null) return <p>{texts.loading}</p>;
  const { results, next, previous } = answer;
  const button = (title: string, link: string | null) => (
    <button
      type="button"
      class="button"
      disabled={link === null}
      onClick={() => void resource.load(link ?? "")}
    >
      {title}
    </button>
  );
  return (
    <section aria-label={label}>
      {results.length === 0 && <p class="notice">{admin.nothing}</p>}
      {results.length > 0 && <ul class="admin-rows">{results.map(children)}</ul>}
      {(next !== null || previous !== null) && (
        <p class="buttons admin-pages">
          {button(admin.back, previous)}
          {button(admin.more, next)}
        </p>
      )}
    </section>
  );
}

/** An item of a list: its heading, facts about it, what may be unfolded below them, and buttons. */
export function AdminRow({
  title,
  facts,
  more,
  children,
}: {
  title: ComponentChildren;
  facts: readonly (string | false | null)[];
  more?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const id = useId();
  const shown = facts.filter((fact) => fact !== false && fact !== null && fact !== "");
  return (
    <li class="admin-row" aria-labelledby={id}>
      <div>
        <h2 id={id} dir="auto">
          {title}
        </h2>
        <ul class="facts">
          {shown.map((fact, index) => (
            <li key={index} dir="auto">
              {fact}
            </li>
          ))}
        </ul>
        {more}
      </div>
      {children !== undefined && <p class="buttons">{children}</p>}
    </li>
  );
}

/** A form of a single field that shows another part of a list. */
export function Filter({ children, onSubmit }: { children: ComponentChildren; onSubmit?: () => void }) {
  return (
    <form
      class="form columns"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit?.();
      }}
    >
      {children}
    </form>
  );
}

/** "40 seconds", "5 minutes", "3 hours" or "2 days". */
export function durationInWords(seconds: number): string {
  const steps: readonly (readonly [unit: string, seconds: number])[] = [
    ["second", 1],
    ["minute", 60],
    ["hour", 3600],
    ["day", 86_400],
  ];
  const [unit, length] = steps.findLast(([, least]) => seconds >= 2 * least) ?? (["second", 1] as const);
  return texts.formats.unit(Math.round(seconds / length), unit);
}

/** A folded form that adds something to a list. */
export function AddForm<Values extends object>({
  title,
  draft,
  send,
  submit,
  children,
}: {
  title: string;
  draft: Draft<Values>;
  /** Sends what was typed. */
  send: (values: Values) => Promise<unknown>;
  submit: string;
  children: ComponentChildren;
}) {
  const id = useId();
  return (
    <details class="panel">
      <summary id={id}>{title}</summary>
      <Form
        draft={draft}
        send={() => draft.submit(send)}
        submit={submit}
        labelledBy={id}
        class="panel-content columns"
      >
        {children}
      </Form>
    </details>
  );
}

/** Asks before an item is removed, and says that it is gone. */
export function RemoveDialog({
  item: { id, name },
  resource,
  folder,
  words,
  onClose,
}: {
  item: { id: number; name: string };
  resource: Pick<AdminResource<unknown>, "api" | "noteChange">;
  /** The address of the list, below that of the API. */
  folder: string;
  words: {
    removeTitle: (name: string) => string;
    removeHelp: string;
    remove: string;
    removed: (name: string) => string;
  };
  onClose: () => void;
}) {
  const [draft] = useState(() => new Draft({}, { gone: admin.notFound }));
  const remove = async (): Promise<void> => {
    await resource.api.send("DELETE", `${folder}${id}/`);
    await resource.noteChange(words.removed(name));
  };
  const send = async (): Promise<void> => {
    if (await draft.submit(remove)) onClose();
  };
  return (
    <Dialog title={words.removeTitle(name)} onClose={onClose}>
      <Form draft={draft} send={send} submit={words.remove} isDangerous onCancel={onClose}>
        <p>{words.removeHelp}</p>
      </Form>
    </Dialog>
  );
}
