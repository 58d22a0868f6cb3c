import { useSignal } from "@preact/signals";
import { momentInWords } from "../../viewer/texts/moments.ts";
import { useEffect, useId, useMemo } from "preact/hooks";
import { AdminResource, type ListAnswer } from "../model/admin-resource.ts";
import type { DeskApi } from "../model/desk-api.ts";
import { texts } from "../model/texts.ts";
import { AdminList, AdminPage, AdminRow } from "./parts.tsx";

const words = texts.admin.signIns;

interface SignIn {
  id: number;
  kind: string;
  username: string | null;
  network: string;
  is_known: boolean;
  times: number;
  at: string;
}

/** The page that shows recent sign-ins and refusals. */
export function SignInsPage({ api }: { api: DeskApi }) {
  const id = useId();
  const signIns = useMemo(() => new AdminResource<ListAnswer<SignIn>>(api, "admin/sign-ins/"), [api]);
  const kind = useSignal("");
  useEffect(() => void signIns.load(), [signIns]);
  return (
    <AdminPage api={api} current="sign-ins" message={signIns.message}>
      <p class="help">{words.help}</p>
      <div class="desk-fields">
        <p class="field">
          <label for={id}>{words.kind}</label>
          <select
            id={id}
            value={kind.value}
            onChange={({ currentTarget }) => {
              kind.value = currentTarget.value;
              void signIns.load(`admin/sign-ins/?${new URLSearchParams({ kind: kind.value })}`);
            }}
          >
            <option value="">{words.all}</option>
            {Object.entries(words.kinds).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </p>
      </div>
      <AdminList resource={signIns} label={words.list}>
        {(event) => (
          <AdminRow
            key={event.id}
            title={texts.of(words.kinds[event.kind] ?? event.kind, event.username ?? words.somebody)}
            facts={[
              momentInWords(event.at),
              event.times > 1 && words.times(event.times),
              event.username !== null && (event.is_known ? words.known : words.unknown),
              words.network(event.network),
            ]}
          />
        )}
      </AdminList>
    </AdminPage>
  );
}
