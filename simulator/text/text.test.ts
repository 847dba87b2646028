import { expect, test } from 'vitest';
import { codePoints, formatText } from './format.ts';

function html(text: string): ReturnType<typeof formatText> {
  return formatText(text, 'HTML', undefined);
}

function markdown(text: string): ReturnType<typeof formatText> {
  return formatText(text, 'MarkdownV2', undefined);
}

test('HTML becomes text and marks, counted in UTF-16', () => {
  expect(html('😀 <b>жирный <i>и косой</i></b> &lt;b&gt;')).toEqual({
    text: '😀 жирный и косой <b>',
    entities: [
      { type: 'bold', offset: 3, length: 14 },
      { type: 'italic', offset: 10, length: 7 },
    ],
  });
  expect(html('<a href="https://a.example/?x=1&amp;y=2">там</a>').entities).toEqual([
    { type: 'text_link', offset: 0, length: 3, url: 'https://a.example/?x=1&y=2' },
  ]);
  expect(html('<pre><code class="language-js">a &amp;&amp; b</code></pre>')).toEqual({
    text: 'a && b',
    entities: [{ type: 'pre', offset: 0, length: 6, language: 'js' }],
  });
  expect(html('<tg-spoiler>a</tg-spoiler><blockquote expandable>b</blockquote>').entities).toEqual([
    { type: 'spoiler', offset: 0, length: 1 },
    { type: 'expandable_blockquote', offset: 1, length: 1 },
  ]);
});

test('HTML that Telegram cannot read is refused in its words', () => {
  expect(() => html('a <div>b</div>')).toThrow(
    'Bad Request: can\'t parse entities: Unsupported start tag "div" at byte offset 2',
  );
  expect(() => html('ж <b>a</i>')).toThrow(
    'Bad Request: can\'t parse entities: Unmatched end tag at byte offset 7, expected "</b>", found "</i>"',
  );
  expect(() => html('<b>a')).toThrow(
    'Bad Request: can\'t parse entities: Can\'t find end tag corresponding to start tag "b"',
  );
  expect(() => html('a</b>')).toThrow("Bad Request: can't parse entities: Unexpected end tag at byte offset 1");
});

test('MarkdownV2 becomes text and marks', () => {
  expect(markdown('*жирный _и косой_* \\*не жирный\\*')).toEqual({
    text: 'жирный и косой *не жирный*',
    entities: [
      { type: 'bold', offset: 0, length: 14 },
      { type: 'italic', offset: 7, length: 7 },
    ],
  });
  expect(
    markdown('[там](https://a.example/\\)x) ||тайна|| ~нет~ __да__ `x*y`').entities.map(({ type }) => type),
  ).toEqual(['text_link', 'spoiler', 'strikethrough', 'underline', 'code']);
  expect(markdown('```js\nconst a = [1];\n```')).toEqual({
    text: 'const a = [1];',
    entities: [{ type: 'pre', offset: 0, length: 14, language: 'js' }],
  });
  expect(markdown('>один\n>два\nтри').entities).toEqual([{ type: 'blockquote', offset: 0, length: 8 }]);
});

test('MarkdownV2 that Telegram cannot read is refused in its words', () => {
  expect(() => markdown('Ok.')).toThrow(
    "Bad Request: can't parse entities: Character '.' is reserved and must be escaped with the preceding '\\'",
  );
  expect(() => markdown('ж *a')).toThrow(
    "Bad Request: can't parse entities: Can't find end of Bold entity at byte offset 3",
  );
});

test('the old Markdown knows no nesting', () => {
  expect(formatText('*a* _b_ [c](http://d.example) `e` \\*f', 'Markdown', undefined)).toEqual({
    text: 'a b c e *f',
    entities: [
      { type: 'bold', offset: 0, length: 1 },
      { type: 'italic', offset: 2, length: 1 },
      { type: 'text_link', offset: 4, length: 1, url: 'http://d.example' },
      { type: 'code', offset: 6, length: 1 },
    ],
  });
  expect(() => formatText('a *b', 'Markdown', undefined)).toThrow(
    "Bad Request: can't parse entities: Can't find end of the entity starting at byte offset 2",
  );
});

test('marks given by the caller are checked', () => {
  const marks = (entity: object): unknown => formatText('а😀б', undefined, [entity]).entities;
  expect(marks({ type: 'bold', offset: 1, length: 2 })).toEqual([{ type: 'bold', offset: 1, length: 2 }]);
  expect(() => marks({ type: 'bold', offset: 2, length: 1 })).toThrow(/middle of a UTF-16 symbol/);
  expect(() => marks({ type: 'bold', offset: 3, length: 9 })).toThrow(/out of the text/);
  expect(() => marks({ type: 'bold', offset: -1, length: 1 })).toThrow(/invalid entity offset/);
  expect(() => marks({ type: 'huge', offset: 0, length: 1 })).toThrow(/unsupported type/);
});

test('spaces at the ends go, and marks move with the text', () => {
  expect(formatText('  a b  ', undefined, [{ type: 'bold', offset: 0, length: 4 }])).toEqual({
    text: 'a b',
    entities: [{ type: 'bold', offset: 0, length: 2 }],
  });
  expect(formatText(' \n ', undefined, undefined).text).toBe('');
});

test('commands, addresses, mentions and tags are found, but not inside of code', () => {
  const found = (text: string): string[] =>
    formatText(text, undefined, undefined).entities.map(
      ({ type, offset, length }) => `${type} ${text.slice(offset, offset + length)}`,
    );
  expect(found('/start@roost_bot go')).toEqual(['bot_command /start@roost_bot']);
  expect(found('см. https://a.example/b?c=1, @durov и #важно $TON x@y.example')).toEqual([
    'url https://a.example/b?c=1',
    'mention @durov',
    'hashtag #важно',
    'cashtag $TON',
    'email x@y.example',
  ]);
  expect(found('a/b 1/2 nothing')).toEqual([]);
  expect(formatText('/go', undefined, [{ type: 'code', offset: 0, length: 3 }]).entities).toEqual([
    { type: 'code', offset: 0, length: 3 },
  ]);
});

test('length is counted in code points', () => {
  expect(codePoints('😀a\ud83d')).toBe(3);
});

test('formatting beyond a hundred entities is dropped, its words are not', () => {
  const entities = Array.from({ length: 101 }, (_, index) => ({ type: 'bold', offset: index * 2, length: 1 }));
  const formatted = formatText('a '.repeat(101), undefined, entities);
  expect(formatted.text).toHaveLength(201);
  expect(formatted.entities).toHaveLength(100);
});
