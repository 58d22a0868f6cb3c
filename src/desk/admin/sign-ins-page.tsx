import { useSignal } from "@preact/signals";
import type { SignIn } from "../../contract/administration.ts";
import { momentInWords } from "../../viewer/texts/moments.ts";
import { useEffect, useMemo } from "preact/hooks";
import { AdminResource, type ListAnswer } from "../model/admin-resource.ts";
import type { DeskApi } from "../model/desk-api.ts";
import { adminTexts } from "../model/admin-texts.ts";
import { texts } from "../model/texts.ts";
import { ChoiceField } from "../../viewer/form/field.tsx";
import { AdminList, AdminPage, AdminRow, Filter } from "./parts.tsx";

const words = adminTexts.signIns;

/** The page that shows recent sign-ins and refusals. */
export function SignInsPage({ api }: { api: DeskApi }) {
  const signIns = useMemo(() => new AdminResource<ListAnswer<SignIn>>(api, "admin/sign-ins/"), [api]);
  const kind = useSignal("");
  useEffect(() => void signIns.load(), [signIns]);
  return (
    <AdminPage api={api} current="sign-ins" message={signIns.message}>
      <p class="help">{words.help}</p>
      <Filter>
        <ChoiceField
          field={{
            value: kind.value,
            set: (chosen) => {
              kind.value = chosen;
              void signIns.load(`admin/sign-ins/?${new URLSearchParams({ kind: chosen })}`);
            },
          }}
          label={words.kind}
          choices={[["", words.all], ...Object.entries(words.kinds)]}
        />
      </Filter>
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
