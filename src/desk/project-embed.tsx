import { useSignal } from "@preact/signals";
import { useEffect, useId } from "preact/hooks";
import { copyText } from "../viewer/copy.ts";
import type { ProjectWorkplace } from "./model/project.ts";
import { texts } from "./model/texts.ts";

const words = texts.projectPage;

/** The code that embeds a project in another site, with a preview. */
export function ProjectEmbed({
  workplace,
  isPublic,
  address,
}: {
  workplace: ProjectWorkplace;
  isPublic: boolean;
  address: string;
}) {
  const id = useId();
  const isOpen = useSignal(false);
  const code = useSignal("");
  const said = useSignal("");
  const isShown = isOpen.value && isPublic;
  useEffect(() => {
    if (!isShown) return;
    void workplace.act(async () => {
      code.value = await workplace.embedCode(address);
      return "";
    });
  }, [isShown, address]);
  const copy = async (): Promise<void> => {
    said.value = (await copyText(code.value)) ? texts.copied : words.copyByHand;
  };
  return (
    <details
      class="panel project-share"
      onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}
    >
      <summary>{texts.embed}</summary>
      <div class="panel-content">
        {!isPublic && <p>{words.embedPrivate}</p>}
        {isShown && (
          <>
            <p class="help">{texts.embedHelp}</p>
            <p class="field">
              <label for={`${id}-code`}>{texts.embedCode}</label>
              <textarea
                id={`${id}-code`}
                class="code"
                rows={4}
                readOnly
                value={code.value}
                onFocus={({ currentTarget }) => currentTarget.select()}
              />
            </p>
            <p class="buttons">
              <button type="button" class="button" onClick={() => void copy()}>
                {words.copy}
              </button>
              <span role="status">{said.value}</span>
            </p>
            <iframe src={framePath(address)} title={texts.preview} width={500} height={500} loading="lazy" />
          </>
        )}
      </div>
    </details>
  );
}

/** The page in the frame, on this host, whose policy allows only its own frames. */
function framePath(address: string): string {
  return `${new URL(address, location.href).pathname}?embed=1`;
}
