/** The facts about a document in a row of a list. Facts that do not apply are left out. */
export function Facts({ facts }: { facts: readonly (string | false | undefined)[] }) {
  const shown = facts.filter((fact) => fact !== false && fact !== undefined && fact !== "");
  return (
    <ul class="facts">
      {shown.map((fact) => (
        <li key={fact} dir="auto">
          {fact}
        </li>
      ))}
    </ul>
  );
}
