// The names of everything that a schema can hold, however deep: `choices[].value`, `set{}.var`.
import type { z } from 'zod';

type Def = {
  readonly type: string;
  readonly shape?: { readonly [prop: string]: z.ZodType };
  readonly element?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly items?: readonly z.ZodType[];
  readonly valueType?: z.ZodType;
  readonly getter?: () => z.ZodType;
};

/** The places of all props of a schema, each once. Where a schema holds itself it is followed once. */
export function schemaPaths(schema: z.ZodType, path = '', above: readonly z.ZodType[] = []): string[] {
  if (above.includes(schema)) return [];
  const def = schema.def as unknown as Def;
  const into = (one: z.ZodType, at: string): string[] => schemaPaths(one, at, [...above, schema]);
  const paths = [
    ...Object.entries(def.shape ?? {}).flatMap(([prop, one]) => {
      const at = path === '' ? prop : `${path}.${prop}`;
      return [at, ...into(one, at)];
    }),
    ...(def.element ? into(def.element, `${path}[]`) : []),
    ...(def.valueType ? into(def.valueType, `${path}{}`) : []),
    ...(def.innerType ? into(def.innerType, path) : []),
    ...(def.getter ? into(def.getter(), path) : []),
    ...[...(def.options ?? []), ...(def.items ?? [])].flatMap((one) => into(one, path)),
  ];
  return [...new Set(paths)];
}
