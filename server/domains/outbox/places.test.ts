import { expect, test } from 'vitest';
import { createPlaces } from './places.ts';

/** Who has a place, in the order in which it was given. */
function placesOf(limits: { placesMax: number; botPlacesMax: number }) {
  const places = createPlaces(limits);
  const served: number[] = [];
  return {
    served,
    /** Asks for places, one after the other. */
    ask(...botIds: number[]): void {
      for (const botId of botIds) void places.take(botId).then(() => served.push(botId));
    },
    async give(botId: number): Promise<void> {
      places.give(botId);
      await settled();
    },
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('one bot holds no more than its part, whatever is free', async () => {
  const { served, ask, give } = placesOf({ placesMax: 4, botPlacesMax: 2 });
  ask(1, 1, 1, 2);
  await settled();
  expect(served).toEqual([1, 1, 2]);
  await give(1);
  expect(served).toEqual([1, 1, 2, 1]);
});

test('bots that wait take turns, however many wait of one', async () => {
  const { served, ask, give } = placesOf({ placesMax: 2, botPlacesMax: 2 });
  ask(1, 1, 1, 1, 1, 2, 3);
  await settled();
  expect(served).toEqual([1, 1]);
  for (let index = 0; index < 3; index += 1) await give(served[index] as number);
  expect(served).toEqual([1, 1, 1, 2, 3]);
});

test('a place that was given back is free again', async () => {
  const { served, ask, give } = placesOf({ placesMax: 1, botPlacesMax: 1 });
  for (const botId of [1, 2, 1]) {
    ask(botId);
    await settled();
    await give(botId);
  }
  expect(served).toEqual([1, 2, 1]);
});
