import { type Kysely, sql } from "kysely";

/**
 * PostgreSQL compares words within the search statement, as SQLite does with edit-distance.ts: no list of words
 * leaves the database, so none has to be truncated. The bits of a state say which prefixes of the searched word are
 * reached with a given number of edits; bit 0 is the empty prefix. Words have at most 60 letters
 * (search/word-folding.ts).
 */
export async function wordsAlike(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  if (engine === "postgres") await sql.raw(isWithinEdits).execute(db);
}

const isWithinEdits = `create function is_within_edits(word text, other text, edits integer) returns boolean
  language plpgsql immutable strict parallel safe as $$
  declare
    letters text := '';
    masks bigint[] := '{}';
    everything bigint := (1::bigint << (length(other) + 1)) - 1;
    state0 bigint := 1;
    state1 bigint := 3;
    state2 bigint := 7;
    earlier0 bigint := 0;
    earlier1 bigint := 0;
    next0 bigint;
    next1 bigint;
    place integer;
    mask bigint;
    mask_before bigint := 0;
    letter text;
  begin
    if abs(length(word) - length(other)) > edits then return false; end if;
    for i in 1..length(other) loop
      letter := substr(other, i, 1);
      place := strpos(letters, letter);
      if place = 0 then
        letters := letters || letter;
        masks := masks || (1::bigint << (i - 1));
      else
        masks[place] := masks[place] | (1::bigint << (i - 1));
      end if;
    end loop;
    for i in 1..length(word) loop
      place := strpos(letters, substr(word, i, 1));
      mask := case when place = 0 then 0 else masks[place] end;
      next0 := (state0 & mask) << 1;
      -- As it is, one added, one changed, one left out, or two swapped.
      next1 := (((state1 & mask) << 1) | state0 | (state0 << 1) | (next0 << 1)
        | ((earlier0 & mask & (mask_before >> 1)) << 2)) & everything;
      state2 := (((state2 & mask) << 1) | state1 | (state1 << 1) | (next1 << 1)
        | ((earlier1 & mask & (mask_before >> 1)) << 2)) & everything;
      earlier0 := state0;
      earlier1 := state1;
      state0 := next0;
      state1 := next1;
      mask_before := mask;
      if state2 = 0 then return false; end if;
    end loop;
    return (case edits when 0 then state0 when 1 then state1 else state2 end >> length(other)) & 1 = 1;
  end $$`;
