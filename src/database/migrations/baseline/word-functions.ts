/*
 * PostgreSQL's planner assumes that rows are small although their words are stored elsewhere, and would read all rows
 * of `word_counts`: the settings of these functions make it use the index.
 */

/** The other words that have one of these stems, each with the languages in which it does. */
const otherFormsOf = `create function other_forms_of(sought text, languages text[], stems text[], are_words boolean[])
    returns table (word text, languages_of_word text[])
    language sql stable parallel safe rows 10 set enable_seqscan = off as $$
      select forms.word, array_agg(forms.language) from (
        select word_forms.word, word_forms.language
          from unnest(languages, stems) as asked (language, stem)
          join word_forms on word_forms.language = asked.language collate "C"
            and word_forms.stem = asked.stem collate "C"
          where word_forms.word <> sought
            and asked.language in (select language from analysed_languages)
        union select asked.stem, asked.language
          from unnest(languages, stems, are_words) as asked (language, stem, is_word)
          where asked.is_word and asked.language in (select language from analysed_languages)
      ) as forms group by forms.word
    $$`;

/**
 * The blocks of a word, and of the other words with one of its stems, whose occurrences count less, and only in
 * documents of a language in which they have it. A term is a word with the mark of its count.
 */
const wordCountsOf = `create function word_counts_of(
      sought text, languages text[], stems text[], are_words boolean[],
      marks text[], units_of_word integer[], units_of_form integer[])
    returns table (document_id bigint, block bigint, units integer)
    language plpgsql stable parallel safe rows 5000 set enable_seqscan = off as $$
    declare
      form text;
      of_languages text[];
      has_several boolean;
    begin
      for i in 1..cardinality(marks) loop
        return query
          select held.document_id, held.block, units_of_word[i]
          from word_counts held where held.words @> array[(sought || marks[i]) collate "C"];
      end loop;
      if cardinality(stems) = 0 then return; end if;
      has_several := (select count(*) > 1 from analysed_languages);
      for form, of_languages in select * from other_forms_of(sought, languages, stems, are_words) loop
        for i in 1..cardinality(marks) loop
          if has_several then
            return query
              select held.document_id, held.block, units_of_form[i]
              from word_counts held
              left join document_languages on document_languages.document_id = held.document_id
              where held.words @> array[(form || marks[i]) collate "C"]
                and coalesce(document_languages.language, 'eng') = any(of_languages);
          else
            return query
              select held.document_id, held.block, units_of_form[i]
              from word_counts held where held.words @> array[(form || marks[i]) collate "C"];
          end if;
        end loop;
      end loop;
    end $$`;

/** The blocks that contain a word, or at most `max_blocks` of them: for suggestions. */
const blocksWithTerms = `create function blocks_with_terms(terms text[], max_blocks bigint)
  returns table (document_id bigint, block bigint)
  language plpgsql stable parallel safe rows 100 set enable_seqscan = off set enable_indexscan = off as $$
  begin
    return query select held.document_id, held.block from word_counts held
      where held.words && (terms collate "C") limit max_blocks;
  end $$`;

/**
 * PostgreSQL compares words within the search statement, as SQLite does with edit-distance.ts: no list of words leaves
 * the database, so none has to be truncated. The bits of a state say which prefixes of the searched word are reached
 * with a given number of edits; bit 0 is the empty prefix. Words have at most 60 letters (search/word-folding.ts).
 */
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

/** The functions of PostgreSQL that searches call. */
export const wordFunctions: readonly string[] = [otherFormsOf, wordCountsOf, blocksWithTerms, isWithinEdits];
