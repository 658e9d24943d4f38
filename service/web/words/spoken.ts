/**
 * Texts with `{names}` -> functions of the values for the names.
 *
 * `"{part} of {whole}"` is a function of both, in the order of the English text; it accepts them as
 * one record, too.
 */

type Value = string | number;
export type Named = Readonly<Record<string, any>>;

/** One value for each name of a text, in the order of their first places. */
type Given<Text, Seen = never> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name extends Seen
    ? Given<Rest, Seen>
    : [Value, ...Given<Rest, Seen | Name>]
  : [];

/** English texts as the page uses them: functions, or strings if a text has no names. */
export type Spoken<Words> = Words extends string
  ? Given<Words> extends []
    ? string
    : (...given: Given<Words> | [Named]) => string
  : Words extends (...given: any) => string
    ? Words
    : { readonly [Member in keyof Words]: Spoken<Words[Member]> };

/** The words of another language, by part of the page: texts, and functions of named values. */
export type Translation = Readonly<Record<string, any>>;

/** Return a part's words in a language as functions that take values in the order of `english`. */
export function spoken<Words>(english: Words, own: Translation): Spoken<Words> {
  return membersOf(english, own) as Spoken<Words>;
}

/**
 * English has no members where its words are those of the engine's tables and messages. A language
 * without a member has the English one.
 */
function membersOf(english: any, own: any): unknown {
  if (typeof own !== "object" || own === null || Array.isArray(own))
    return sayingOf(String(english ?? own), own);
  const names = Object.keys({ ...english, ...own });
  const member = (name: string) => membersOf(english?.[name], own[name] ?? english[name]);
  return Object.fromEntries(names.map((name) => [name, member(name)]));
}

const NAME = /\{(\w+)\}/g;

function sayingOf(english: string, own: Saying) {
  const names = new Set(english.match(NAME));
  if (names.size === 0) return own;
  return (...given: readonly unknown[]) => {
    const inOrder = [...names].map((name, at) => [name.slice(1, -1), given[at]]);
    return say(own, given[0] instanceof Object ? given[0] : Object.fromEntries(inOrder));
  };
}

export type Saying = string | ((named: Named) => string);

/** Return a text with its names filled in, or the result of a function of them. */
export function say(text: Saying, named: Named): string {
  return typeof text === "string"
    ? text.replace(NAME, (_, name: string) => String(named[name]))
    : text(named);
}
