import { expect, test } from 'vitest';
import { botUploadsMax, Flights, filesOf, uploadsMax } from './files.ts';

type Traveller = { integrationId: number; files: readonly string[] };
const message = (integrationId: number, ...files: string[]): Traveller => ({ integrationId, files });

test('the files of a message are found wherever they stand, each once', () => {
  const file = (sha256: string) => ({ $file: { sha256, kind: 'photo' } });
  const album = { media: [{ type: 'photo', media: file('a') }, { media: file('b') }, { media: file('a') }] };
  expect(filesOf(JSON.stringify(album))).toEqual(['photo a', 'photo b']);
  expect(filesOf(JSON.stringify({ text: 'he wrote "$file" here' }))).toEqual([]);
});

test('a file flies once for each bot, and whoever waits is told when it has a name or its flight is over', () => {
  const told: number[] = [];
  const flights = new Flights((bot) => told.push(bot));
  const [first, second, other] = [message(1, 'a'), message(1, 'a'), message(2, 'a')] as const;
  flights.begin(first);
  expect([flights.ask(second), flights.ask(other)]).toEqual(['later', 'now']);
  flights.end(first);
  expect(told).toEqual([1]);
  flights.begin(second);
  expect(flights.carries(second, 'a')).toBe(true);
  expect(flights.ask(first)).toBe('later');
  flights.named(second, ['a']);
  expect(told).toEqual([1, 1]);
  expect([flights.ask(first), flights.carries(second, 'a')]).toEqual(['now', false]);
});

test('a message with some names keeps only the places that it needs', () => {
  const flights = new Flights();
  const album = message(1, 'a', 'b', 'c', 'd');
  flights.begin(album);
  expect(flights.ask(message(1, 'e'))).toBe('full');
  flights.named(album, ['a', 'b', 'c']);
  expect([flights.ask(message(1, 'e')), flights.ask(message(1, 'd'))]).toEqual(['now', 'later']);
});

test('an album is not starved by what needs one place only', () => {
  const flights = new Flights();
  const singles = Array.from({ length: uploadsMax }, (_, index) => message(10 + index, 'a'));
  for (const single of singles) flights.begin(single);
  const album = message(1, ...Array.from({ length: 10 }, (_, index) => `${index}`));
  const late = message(2, 'a');
  for (const single of singles.slice(0, botUploadsMax)) {
    expect([flights.ask(album), flights.ask(late)]).toEqual(['full', 'full']);
    flights.end(single);
  }
  expect(flights.ask(album)).toBe('now');
});
