/** Places for calls under way at once, shared fairly between bots. */
export type Places = {
  /** Resolves when the bot has a place. Whoever waits is served in order of its bot; bots take turns. */
  take(botId: number): Promise<void>;
  /** Gives a place back; exactly once for each that was taken. */
  give(botId: number): void;
};

type Line = { held: number; readonly waiting: (() => void)[] };

/**
 * No more than `placesMax` at once, and `botPlacesMax` of one bot: a bot whose calls hang must not hold the others'
 * places. A bot is known only while it holds a place or waits for one.
 */
export function createPlaces(limits: { placesMax: number; botPlacesMax: number }): Places {
  const { placesMax, botPlacesMax } = limits;
  const lines = new Map<number, Line>();
  let held = 0;

  function hold(line: Line): void {
    held += 1;
    line.held += 1;
  }

  /** Serves the bot that has waited longest since it was served, and puts it behind the others. */
  function serveNext(): void {
    for (const [botId, line] of lines) {
      if (line.held >= botPlacesMax) continue;
      const served = line.waiting.shift();
      if (!served) continue;
      lines.delete(botId);
      lines.set(botId, line);
      hold(line);
      return served();
    }
  }

  return {
    take(botId) {
      const line = lines.get(botId) ?? { held: 0, waiting: [] };
      lines.set(botId, line);
      if (held >= placesMax || line.held >= botPlacesMax)
        return new Promise((resolve) => void line.waiting.push(resolve));
      hold(line);
      return Promise.resolve();
    },
    give(botId) {
      const line = lines.get(botId);
      if (!line) return;
      held -= 1;
      line.held -= 1;
      if (line.held === 0 && line.waiting.length === 0) lines.delete(botId);
      serveNext();
    },
  };
}
