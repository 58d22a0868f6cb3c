import type { LineChange, SpreadsheetImport } from "../contract/spreadsheet.ts";
import type { DeskApi } from "./model/desk-api.ts";
import { Spreadsheet } from "./model/spreadsheet.ts";
import { spreadsheetTexts as texts } from "./model/spreadsheet-texts.ts";
import { ResultLine } from "./parts/result-line.tsx";

/** The page that imports an edited spreadsheet with the metadata of documents. */
export function spreadsheetPageOf(api: DeskApi) {
  return <SpreadsheetPage api={api} spreadsheet={new Spreadsheet(api)} />;
}

function SpreadsheetPage({ api, spreadsheet }: { api: DeskApi; spreadsheet: Spreadsheet }) {
  const shown = spreadsheet.shown.value;
  return (
    <div class="desk">
      <p>
        {texts.intro} <a href={api.pageAddress("documents/")}>{texts.toDocuments}</a>
      </p>
      <p>
        <label class="field">
          <span>{texts.file}</span>
          <input
            type="file"
            accept=".csv,text/csv"
            onChange={({ currentTarget: { files } }) => {
              const [file] = files ?? [];
              if (file !== undefined) void spreadsheet.choose(file);
            }}
          />
        </label>
      </p>
      <ResultLine result={spreadsheet.message} />
      {shown !== null && <Outcome spreadsheet={spreadsheet} shown={shown} />}
    </div>
  );
}

function Outcome({ spreadsheet, shown }: { spreadsheet: Spreadsheet; shown: SpreadsheetImport }) {
  const { is_applied: isApplied, changed, unchanged, conflicts, errors, ignored_columns: ignored } = shown;
  const counts = [
    isApplied ? texts.hasChanged(changed) : texts.wouldChange(changed),
    unchanged > 0 && texts.unchanged(unchanged),
    conflicts > 0 && texts.conflicts(conflicts),
    errors > 0 && texts.errors(errors),
    ignored.length > 0 && texts.ignored(ignored),
  ].filter((text) => text !== false);
  const isBusy = spreadsheet.isBusy.value || undefined;
  return (
    <section aria-label={spreadsheet.name.value}>
      <p role="status">{counts.join(" ")}</p>
      {!isApplied && (conflicts > 0 || spreadsheet.overwrites.value) && (
        <p>
          <label>
            <input
              type="checkbox"
              checked={spreadsheet.overwrites.value}
              onChange={({ currentTarget: { checked } }) => void spreadsheet.setOverwrites(checked)}
            />{" "}
            {texts.overwrite}
          </label>
        </p>
      )}
      <p class="buttons">
        {!isApplied && changed > 0 && (
          <button
            type="button"
            class="button primary"
            aria-disabled={isBusy}
            onClick={() => void spreadsheet.apply()}
          >
            {texts.apply(changed)}
          </button>
        )}
        {isApplied && shown.undo !== null && changed > 0 && (
          <button type="button" class="button" aria-disabled={isBusy} onClick={() => void spreadsheet.undo()}>
            {texts.undo}
          </button>
        )}
      </p>
      {shown.lines.length > 0 && <Lines lines={shown.lines} />}
    </section>
  );
}

function Lines({ lines }: { lines: readonly LineChange[] }) {
  return (
    <div class="sheet-changes" tabIndex={0} role="group" aria-label={texts.lines}>
      <table>
        <thead>
          <tr>
            {[texts.document, texts.column, texts.before, texts.after].map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{lines.map((line) => rowsOf(line))}</tbody>
      </table>
    </div>
  );
}

function rowsOf({ line, title, changes, outcome, reason }: LineChange) {
  const name = (
    <>
      <bdi>{title === "" ? texts.line(line) : title}</bdi>
      {outcome !== "change" && <span class="problem"> {reason ?? texts.outcomes[outcome]}</span>}
    </>
  );
  if (changes.length === 0) {
    return (
      <tr key={line}>
        <td colSpan={4}>{name}</td>
      </tr>
    );
  }
  return changes.map(({ field, from, to }, index) => (
    <tr key={`${line} ${field}`}>
      {index === 0 && <td rowSpan={changes.length}>{name}</td>}
      <td>{field}</td>
      <td dir="auto">
        <del>{from}</del>
      </td>
      <td dir="auto">
        <ins>{to}</ins>
      </td>
    </tr>
  ));
}
