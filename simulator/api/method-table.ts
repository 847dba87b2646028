import { methodTable } from '../bot-api.generated.ts';

/** A parameter of a method, its basic kinds as bits. */
export type ParamSpec = { readonly required: boolean; readonly kinds: number };

export type MethodSpec = {
  readonly name: string;
  readonly params: ReadonlyMap<string, ParamSpec>;
  readonly required: readonly string[];
  /** The shape of the result, as the types name it. */
  readonly result: string;
};

/** Bits of a parameter's kinds. */
export const KIND = { number: 1, string: 2, boolean: 4, file: 8, object: 16, array: 32 } as const;

const LETTER: Readonly<Record<string, number>> = { n: 1, s: 2, b: 4, f: 8, o: 16, a: 32 };

function readParam(word: string): [string, ParamSpec] {
  const [name = '', letters = ''] = word.split(':');
  let kinds = 0;
  for (const letter of letters) kinds |= LETTER[letter] ?? 0;
  return [name.replace('!', ''), { required: name.endsWith('!'), kinds }];
}

function readSpec(name: string, result: string, words: string): MethodSpec {
  const params = new Map(words === '' ? [] : words.split(' ').map(readParam));
  const required = [...params].filter(([, spec]) => spec.required).map(([param]) => param);
  return { name, params, required, result };
}

/** Methods by their name in lower case: Telegram does not mind the case. */
export const methodSpecs: ReadonlyMap<string, MethodSpec> = new Map(
  Object.entries(methodTable).map(([name, [result, words]]) => [name.toLowerCase(), readSpec(name, result, words)]),
);
