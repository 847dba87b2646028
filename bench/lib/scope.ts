/** What was started and must be stopped again, the last first. */
export type Scope = {
  add(close: () => Promise<unknown> | undefined): void;
  /** Twice is fine; a part that fails to close does not keep the others open. */
  close(): Promise<void>;
};

export function createScope(): Scope {
  const closers: (() => Promise<unknown> | undefined)[] = [];
  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    for (let close = closers.pop(); close; close = closers.pop()) {
      try {
        await close();
      } catch (error) {
        process.stderr.write(`While ending: ${String(error)}\n`);
      }
    }
  }

  return {
    add: (close) => void closers.push(close),
    close: () => (closing ??= closeAll()),
  };
}
