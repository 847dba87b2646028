import { expect, test } from 'vitest';
import { Feed } from './feed.ts';

test('what was missed comes, unless too much was missed or the run is another', () => {
  const feed = new Feed('a');
  const { mark } = feed;
  feed.publish('message', 'x', 1);
  feed.publish('edit', 'x', 2);
  expect(feed.sinceMark(mark)?.map(({ seq, data }) => [seq, data])).toEqual([
    [1, 1],
    [2, 2],
  ]);
  expect(feed.sinceMark(feed.mark)).toEqual([]);
  expect(feed.sinceMark('b-0')).toBeUndefined();
  expect(feed.sinceMark('a-3')).toBeUndefined();
  for (let index = 0; index < 2_048; index++) feed.publish('message', 'x', index);
  expect(feed.sinceMark(mark)).toBeUndefined();
  expect(feed.sinceMark('a-2')).toHaveLength(2_048);
});

test('listeners hear until they stop', () => {
  const feed = new Feed('a');
  const heard: number[] = [];
  const stop = feed.listen(({ seq }) => heard.push(seq));
  feed.publish('typing', 'x', null);
  stop();
  feed.publish('typing', 'x', null);
  expect(heard).toEqual([1]);
});
