/** A statement with its values. Only the `sql` tag makes one, so a value can never become SQL text. */
export type Sql = { readonly text: string; readonly values: readonly unknown[] };

/**
 * Turns a template into a statement: every `${value}` becomes a bound parameter.
 */
export function sql(parts: TemplateStringsArray, ...values: unknown[]): Sql {
  let text = parts[0] ?? '';
  for (let index = 1; index < parts.length; index += 1) text += `$${index}${parts[index]}`;
  return { text, values };
}

/** One statement of several pieces, whose values follow each other. */
export function joined(...pieces: readonly Sql[]): Sql {
  const values: unknown[] = [];
  const texts = pieces.map((piece) => {
    const before = values.length;
    values.push(...piece.values);
    return piece.text.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + before}`);
  });
  return { text: texts.join(' '), values };
}
